"""Bringing memories from another assistant: each is a candidate, and mine to approve."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memoryapp import gate, importing
from memoryapp.errors import Invalid
from memoryapp.forms.own import ImportForm
from memoryapp.importing import Report
from memoryapp.pages.base import own_page
from memoryapp.permit import Act
from speakers.models import Person


@own_page
@require_http_methods(["GET", "POST"])
def bring(request: HttpRequest, person: Person) -> HttpResponse:
    """A text or a file in; a report out, with the way to the candidates."""
    form = ImportForm(request.POST or None, request.FILES or None)
    report: Report | None = None
    if request.method == "POST" and form.is_valid():
        report = _read(person, form)
        if report is not None:
            form = ImportForm()
            messages.success(request, _("Read. What was found waits for your yes or no."))
    status = 422 if form.errors else 200
    return render(request, "mypage/import.html", {"form": form, "report": report}, status=status)


def _read(person: Person, form: ImportForm) -> Report | None:
    try:
        return importing.bring(
            gate.own(person, Act.SAVE), form.cleaned_data["source"], form.cleaned_data["text"]
        )
    except Invalid:
        form.add_error("text", _("This is not in the format chosen above, or it is too much at once."))
        return None
