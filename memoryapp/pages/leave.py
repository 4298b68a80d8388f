"""Taking everything with me, and deleting everything."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from memoryapp import browse, gate, retention
from memoryapp import export as exporting
from memoryapp.erase import erase as erase_person
from memoryapp.forms.own import EraseForm
from memoryapp.models import Recall, Turn
from memoryapp.pages.base import own_page, user_of
from memoryapp.pages.recent import recently_signed_in
from memoryapp.permit import Act
from speakers.models import Person


@own_page
@require_GET
def export(request: HttpRequest, person: Person) -> HttpResponse:
    """What the download holds, by the numbers, and how long what is kept."""
    return render(request, "mypage/export.html", {"counts": _counts(person), "kept": retention.told()})


@own_page
@require_GET
def download(request: HttpRequest, person: Person) -> HttpResponseBase:
    return exporting.response(gate.own(person, Act.SEE))


@own_page
@require_http_methods(["GET", "POST"])
def erase(request: HttpRequest, person: Person) -> HttpResponse:
    """Delete everything about me. Needs the password, and shows a certificate afterwards."""
    form = EraseForm(request.POST or None, with_password=user_of(request).has_usable_password())
    if request.method == "POST" and form.is_valid() and _password_fits(request, form):
        certificate = erase_person(gate.own(person, Act.ERASE))
        request.person = None  # type: ignore[attr-defined]
        return render(request, "mypage/erased.html", {"certificate": certificate.as_dict()})
    status = 422 if request.method == "POST" else 200
    return render(request, "mypage/erase.html", {"form": form, "counts": _counts(person)}, status=status)


def _password_fits(request: HttpRequest, form: EraseForm) -> bool:
    """Guessing is limited like signing in is. Who has no password here must have signed in just now."""
    user = user_of(request)
    if not user.has_usable_password():
        if not recently_signed_in(request):
            form.add_error(None, _("Sign out, sign in again, and come back here within five minutes."))
        return form.is_valid()
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        form.add_error("password", _("Too many attempts. Wait a little and try again."))
        return False
    if not get_adapter().reauthenticate(user, form.cleaned_data["password"]):
        form.add_error("password", _("This is not your password."))
        return False
    return True


def _counts(person: Person) -> dict[str, Any]:
    return {
        "memories": browse.visible(gate.own(person, Act.SEE)).count(),
        "turns": Turn.objects.filter(person=person).count(),
        "recalls": Recall.objects.filter(person=person).count(),
        "decisions": person.consent_events.count(),
    }
