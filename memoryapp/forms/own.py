"""What my page accepts: shapes only, no logic."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryapp.browse import Filters
from memoryapp.forms.fields import CleanText, VerbForm, moment_input
from memoryapp.importing import OURS
from memoryapp.models import IndexState, Memory, MemoryType, Scope, Sensitivity, Status
from memoryapp.own_lines import lines_of
from memoryapp.preferences import ZONES

ANY = ("", _("Any"))
MOST = 1024 * 1024
MOST_OF_OURS = 64 * 1024 * 1024  # an export with its turns; read line by line


class FilterForm(forms.Form):
    """The filters of the list. A value nobody offers is no filter, so that a link never breaks."""

    scope = forms.ChoiceField(label=_("Scope"), required=False, choices=[ANY, *Scope.choices])
    validity = forms.ChoiceField(
        label=_("Validity"),
        required=False,
        choices=[ANY, ("current", _("Holds now")), ("past", _("No longer holds"))],
    )
    status = forms.ChoiceField(
        label=_("Status"),
        required=False,
        choices=[ANY, *(c for c in Status.choices if c[0] != Status.DELETED)],
    )
    type = forms.ChoiceField(label=_("Type"), required=False, choices=[ANY, *MemoryType.choices])
    sensitivity = forms.ChoiceField(
        label=_("Sensitivity"), required=False, choices=[ANY, *Sensitivity.choices]
    )
    state = forms.ChoiceField(label=_("Index state"), required=False, choices=[ANY, *IndexState.choices])
    service = forms.ChoiceField(label=_("Service"), required=False)
    project_id = forms.ChoiceField(label=_("Project"), required=False)

    def __init__(self, data: Mapping[str, Any], *, choices: Mapping[str, Sequence[str]]) -> None:
        super().__init__(data)
        for name, values in choices.items():
            label = self.fields[name].label
            options = [ANY, *((value, value) for value in values)]
            self.fields[name] = forms.ChoiceField(label=label, required=False, choices=options)

    def filters(self) -> Filters:
        self.is_valid()
        chosen = {name: value or None for name, value in self.cleaned_data.items()}
        return Filters(
            scope=chosen.get("scope"),
            project_id=chosen.get("project_id"),
            memory_type=chosen.get("type"),
            validity=chosen.get("validity") or "all",
            status=chosen.get("status"),
            service=chosen.get("service"),
            sensitivity=chosen.get("sensitivity"),
            index_state=chosen.get("state"),
        )

    @property
    def active(self) -> int:
        """How many filters besides the scope narrow the list."""
        return sum(1 for name, value in self.cleaned_data.items() if value and name != "scope")


class SearchForm(forms.Form):
    """Words to look for among one's own memories."""

    q = CleanText(label=_("Search"), max_length=500)
    scope = forms.ChoiceField(required=False, choices=[ANY, *Scope.choices])
    skip = forms.IntegerField(required=False, min_value=0, max_value=100_000)

    def filters(self) -> Filters:
        return Filters(scope=self.cleaned_data["scope"] or None)


class MemoryForm(VerbForm):
    """The fields people write. Times are local to the person; empty means open."""

    statement = CleanText(label=_("What is remembered"), widget=forms.Textarea(attrs={"rows": 4}))
    keywords = CleanText(
        label=_("Keywords"), required=False, help_text=_("Separated by commas. Left as they are when empty.")
    )
    sensitivity = forms.ChoiceField(
        label=_("Sensitivity"),
        choices=Sensitivity.choices,
        help_text=_(
            "Personal data and restricted are masked in lists, kept out of search and never recalled."
        ),
    )
    valid_from = forms.DateTimeField(label=_("Holds from"), required=False, widget=moment_input())
    valid_to = forms.DateTimeField(label=_("Holds until"), required=False, widget=moment_input())

    def words(self) -> list[str]:
        return [word.strip() for word in self.cleaned_data["keywords"].split(",") if word.strip()]


class CorrectionForm(MemoryForm):
    """The fields people correct. It carries what it showed when it was opened: what differs from that is theirs."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in MemoryForm.base_fields:
            self.fields[name].show_hidden_initial = True

    @classmethod
    def of(cls, memory: Memory, shown: Mapping[str, Any]) -> "CorrectionForm":
        return cls(
            initial={
                "version": memory.version,
                "statement": shown["statement"],
                "keywords": ", ".join(shown["keywords"]),
                "sensitivity": memory.sensitivity,
                "valid_from": memory.valid_from,
                "valid_to": memory.valid_to,
            }
        )

    def changes(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """What the person changed, where the memory is not like that already (`shown`, as it is now)."""
        wanted = {name: self.cleaned_data[name] for name in self._touched()}
        if "keywords" in wanted:
            wanted["keywords"] = self.words() or shown["keywords"]
        return {name: value for name, value in wanted.items() if not same_to_the_second(value, shown[name])}

    def changed_elsewhere(self, memory: Memory, shown: Mapping[str, Any]) -> list[str]:
        """The fields in which the memory, as it is now, differs from what this form showed."""
        names = [field.html_initial_name for field in self]
        opened_with = {name: self.data.get(name) for name in names}
        return CorrectionForm(_values(self.of(memory, shown)) | opened_with)._touched()

    def on_top_of(self, memory: Memory, shown: Mapping[str, Any]) -> "CorrectionForm":
        """The memory as it is now, with what the person changed on top."""
        now = self.of(memory, shown)
        values = _values(now)
        carried = {field.html_initial_name: values[field.name] for field in now}
        return CorrectionForm(values | carried | {name: self.data.get(name) for name in self._touched()})

    def _touched(self) -> list[str]:
        """The fields that differ from what the form showed when it was opened."""
        return [name for name in self.changed_data if name in MemoryForm.base_fields]


def _values(form: forms.Form) -> dict[str, Any]:
    return {field.name: field.value() for field in form}


class NewMemoryForm(MemoryForm):
    """A memory in one's own words: the same fields, but of no memory that is there yet."""

    keywords = CleanText(
        label=_("Keywords"), required=False, help_text=_("Separated by commas. Found in the text when empty.")
    )

    @classmethod
    def typed(cls, values: Mapping[str, Any]) -> "NewMemoryForm":
        """Shown with what was typed elsewhere, and no complaints."""
        return cls(initial={name: values[name] for name in cls.base_fields if name in values})

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        start, end = data.get("valid_from"), data.get("valid_to")
        if start and end and end < start:
            self.add_error("valid_to", gettext("Must not be before valid_from."))
        return data


def same_to_the_second(value: Any, shown: Any) -> bool:
    """Whether a form's value is what was shown; its pickers know no fractions of a second."""
    if isinstance(value, datetime) and isinstance(shown, str):
        return value.replace(microsecond=0) == datetime.fromisoformat(shown).replace(microsecond=0)
    return bool(value == shown)


class ConsentForm(forms.Form):
    """One decision on one domain, perhaps for a limited time."""

    granted = forms.ChoiceField(choices=[("on", "on"), ("off", "off")])
    service = forms.SlugField(required=False, max_length=100)
    notice = forms.IntegerField(
        required=False, min_value=1, help_text="The version of the text that was shown."
    )
    expires_at = forms.DateTimeField(label=_("Only until"), required=False, widget=moment_input())

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment is not None and moment <= timezone.now():
            raise forms.ValidationError(_("The end has to lie in the future."))
        return moment


class ImportForm(forms.Form):
    """What another assistant remembered, or our own export, as a file or as text."""

    source = forms.ChoiceField(
        label=_("Where it comes from"),
        choices=[
            ("chatgpt", "ChatGPT"),
            ("claude", "Claude"),
            ("mem0", "mem0 (JSON)"),
            ("jsonl", _("My export from here, or JSON lines")),
        ],
        help_text=_(
            "ChatGPT and Claude show their memories as text, one on a line: copy it from their settings."
        ),
    )
    file = forms.FileField(label=_("File"), required=False)
    text = forms.CharField(
        label=_("Or the text itself"),
        required=False,
        max_length=MOST,
        widget=forms.Textarea(attrs={"rows": 8}),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        file = data.get("file")
        if file is not None and data.get("source") == OURS:
            if file.size > MOST_OF_OURS:
                raise forms.ValidationError({"file": _("At most 64 MiB.")})
            data["text"] = lines_of(file)
            return data
        if file is not None:
            if file.size > MOST:
                raise forms.ValidationError({"file": _("At most 1 MiB.")})
            try:
                data["text"] = file.read().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise forms.ValidationError({"file": _("This is no text in UTF-8.")}) from error
        if not self.errors and not data.get("text", "").strip():
            raise forms.ValidationError({"text": _("Choose a file or paste the text.")})
        return data


class SettingsForm(forms.Form):
    """What to be called, which zone times are shown in, and how the pages look in this browser."""

    display_name = CleanText(label=_("What to call you"), max_length=200)
    zone = forms.ChoiceField(
        label=_("Time zone"), help_text=_("Times on these pages, and words like “yesterday”, are read in it.")
    )
    theme = forms.ChoiceField(
        label=_("Appearance"),
        required=False,
        choices=[("", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))],
        widget=forms.RadioSelect,
        help_text=_("For this browser."),
    )

    def __init__(self, data: Any, *, initial: Mapping[str, Any], zone: str) -> None:
        super().__init__(data, initial=dict(initial))
        choices = [(name, name.replace("_", " ")) for name in dict.fromkeys((zone, *sorted(ZONES)))]
        self.fields["zone"] = forms.ChoiceField(
            label=self.fields["zone"].label, help_text=self.fields["zone"].help_text, choices=choices
        )


class EraseForm(forms.Form):
    """Everything is deleted only with the password, typed now."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    understood = forms.BooleanField(
        label=_("I understand that nobody can bring this back, not even the operator.")
    )

    def __init__(self, data: Any, *, with_password: bool) -> None:
        super().__init__(data)
        if not with_password:
            del self.fields["password"]
