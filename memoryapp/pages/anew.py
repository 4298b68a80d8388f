"""When a memory is deleted elsewhere while its owner corrects it: what was typed is not lost, and may be kept anew."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryapp import gate
from memoryapp.api import parsing
from memoryapp.errors import NoConsent, NotFound
from memoryapp.forms.own import NewMemoryForm
from memoryapp.pages.base import own_page
from memoryapp.permit import Act
from memoryapp.save import SaveRequest, save
from memoryapp.text import clean_json
from speakers.models import Person

#: Text fields that the form and the JSON editor have in common.
SHOWN = ("statement", "sensitivity")


def gone(request: HttpRequest) -> HttpResponse:
    """Instead of a bare 404 after a correction was sent: the words that were typed, and nothing of the memory."""
    typed = request.POST.get("body", "")
    form = NewMemoryForm.typed(_read(typed) if typed else request.POST)
    return _show(request, form, typed=typed, status=404)


@own_page
@require_POST
def add(request: HttpRequest, person: Person) -> HttpResponse:
    """Keep the words as a new memory. Where they cannot be kept they are shown again."""
    form = NewMemoryForm(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    try:
        outcome = save(gate.own(person, Act.SAVE), _wanted(form))
    except NoConsent as refused:  # switched off meanwhile: the page says so, and where to switch it on
        return _show(request, form, status=refused.status)
    except NotFound:  # it only ends something that is not known
        form.add_error("statement", _("Nothing of this can be kept."))
        return _show(request, form, status=422)
    if outcome.memory is None:
        raise NotFound
    messages.success(request, _("Kept as a new memory."))
    return redirect("memory", outcome.memory.pk)


def _wanted(form: NewMemoryForm) -> SaveRequest:
    data = form.cleaned_data
    return SaveRequest(
        fact=data["statement"],
        sensitivity=data["sensitivity"],
        keywords=form.words(),
        valid_from=data["valid_from"],
        valid_to=data["valid_to"],
    )


def _read(body: str) -> dict[str, str]:
    """What a form can show of the JSON that was typed; nothing where it cannot be read. The whole stands beside it."""
    try:
        value = clean_json(parsing.read(body))
    except ValueError:
        return {}
    fields = value if isinstance(value, dict) else {}
    shown = {name: text for name in SHOWN if isinstance(text := fields.get(name), str)}
    words = fields.get("keywords")
    return shown | ({"keywords": ", ".join(map(str, words))} if isinstance(words, list) else {})


def _show(request: HttpRequest, form: NewMemoryForm, *, status: int, typed: str = "") -> HttpResponse:
    return render(request, "mypage/memory_gone.html", {"form": form, "typed": typed}, status=status)
