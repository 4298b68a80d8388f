"""Bringing memories: another assistant's are candidates, and mine to approve; my own export comes back as it was."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from memoryapp import gate, importing
from memoryapp.errors import Invalid
from memoryapp.forms.own import ImportForm
from memoryapp.importing import Report
from memoryapp.pages.base import own_page
from memoryapp.permit import Act
from speakers.models import Person

SHOWN = 20  # lines named per reason
#: Why a line was left out, by code.
REASONS = {
    "not-a-memory": gettext_lazy("Other lines of an export, which are not memories"),
    "not-json": gettext_lazy("Not in the format"),
    "not-current": gettext_lazy("No longer holds"),
    "too-long": gettext_lazy("Too long"),
    "empty": gettext_lazy("Empty"),
    "forgotten": gettext_lazy("Deleted by you before"),
    "entry": gettext_lazy("Kept by a service for itself"),
    "service-unknown": gettext_lazy("Of a service that is not known here"),
    "other-service": gettext_lazy("Of another service"),
    "no-consent": gettext_lazy("Of a service that you have not allowed a memory of its own"),
}


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
            messages.success(request, _after(report))
    status = 422 if form.errors else 200
    context = {"form": form, "report": report, "left_out": _left_out(report) if report else []}
    return render(request, "mypage/import.html", context, status=status)


def _after(report: Report) -> str:
    if report.more:
        return _("A part was read. Send the same file again for the rest; nothing comes twice.")
    if report.candidates:
        return _("Read. What was found waits for your yes or no.")
    return _("Read.")


def _left_out(report: Report) -> list[tuple[str, int, list[int]]]:
    """Why lines were left out, how many, and the places of the first."""
    return [
        (
            str(REASONS[reason]),
            count,
            [item.place for item in report.skipped if item.reason == reason][:SHOWN],
        )
        for reason, count in report.left_out.most_common()
    ]


def _read(person: Person, form: ImportForm) -> Report | None:
    try:
        return importing.bring(
            gate.own(person, Act.SAVE), form.cleaned_data["source"], form.cleaned_data["text"]
        )
    except Invalid:
        form.add_error("text", _("This is not in the format chosen above, or it is too much at once."))
        return None
