"""Search among one's own memories. The words travel in a POST body: addresses are logged, bodies are not."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from memoryapp import gate
from memoryapp.find import find
from memoryapp.forms.own import SearchForm
from memoryapp.pages.base import htmx, own_page
from memoryapp.pages.listed import listed
from memoryapp.pages.memories import ROWS
from memoryapp.permit import Act
from memoryapp.vault import box_of
from speakers.models import Person


@own_page
@require_http_methods(["GET", "POST"])
def search(request: HttpRequest, person: Person) -> HttpResponse:
    """The same list, of what contains every word."""
    form = SearchForm(request.POST)
    if request.method == "GET" or not form.is_valid():
        return redirect("memories")
    permit = gate.own(person, Act.SEE)
    skip = form.cleaned_data["skip"] or 0
    found = find(permit, form.cleaned_data["q"], form.filters(), skip=skip, limit=ROWS)
    context = {
        "searching": True,
        "q": form.cleaned_data["q"],
        "scope": form.cleaned_data["scope"],
        "rows": listed(found.rows, box_of(person)),
        "next_skip": skip + ROWS if found.more else 0,
    }
    template = "memories_rows.html" if htmx(request) and skip else "memories.html"
    return render(request, f"mypage/{template}", context)
