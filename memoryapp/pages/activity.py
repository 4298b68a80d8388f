"""What was recalled about me: by which service, when, and which memories were used."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from memoryapp import browse, gate
from memoryapp.models import Recall, Reveal
from memoryapp.pages.base import own_page
from memoryapp.pages.listed import Listed, listed
from memoryapp.permit import Act, Permit
from memoryapp.vault import box_of
from speakers.models import Person

ROWS = 30


@own_page
@require_GET
def activity(request: HttpRequest, person: Person) -> HttpResponse:
    """Thirty recalls at a time, newest first, each with what it gave out."""
    permit = gate.own(person, Act.SEE)
    if request.GET.get("kind") == "looks":
        return _looks(request, permit)
    recalls = Recall.objects.filter(person=person).select_related("service").order_by("-at", "-pk")
    page = Paginator(recalls, ROWS).get_page(request.GET.get("page"))
    used = _used(permit, list(page.object_list))
    entries = [
        {
            "recall": recall,
            "used": [(used.get(item["memory_id"]), item["score"]) for item in recall.items],
        }
        for recall in page.object_list
    ]
    return render(request, "mypage/activity.html", {"entries": entries, "page": page})


def _looks(request: HttpRequest, permit: Permit) -> HttpResponse:
    """When the person themself lifted a mask."""
    looks = Reveal.objects.filter(person=permit.person, memory__in=browse.visible(permit).values("pk"))
    page = Paginator(looks.order_by("-at", "-pk"), ROWS).get_page(request.GET.get("page"))
    rows = browse.visible(permit).in_bulk({look.memory_id for look in page.object_list})
    shown = {row.memory.pk: row for row in listed(rows.values(), box_of(permit.person))}
    entries = [(look, shown[look.memory_id]) for look in page.object_list if look.memory_id in shown]
    return render(request, "mypage/looks.html", {"entries": entries, "page": page})


def _used(permit: Permit, recalls: list[Recall]) -> dict[str, Listed]:
    """The memories that were given out and are still there, masked as in the list."""
    ids = {item["memory_id"] for recall in recalls for item in recall.items}
    rows = browse.visible(permit).filter(pk__in=ids)
    return {str(row.memory.pk): row for row in listed(rows, box_of(permit.person))}
