"""The JSON editor of a memory's correctable fields: the API's own checks, told by line."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryapp.api.memories import CorrectBody
from memoryapp.correct import ALLOWED
from memoryapp.errors import Invalid
from memoryapp.forms.fields import CleanText
from memoryapp.models import Memory


class Correction(CorrectBody):
    """The body of a PATCH without the user_id: on my page the person is the one who is signed in."""

    user_id = None  # type: ignore[assignment]


class JsonCorrectionForm(forms.Form):
    """Every correctable field as one JSON object; complaints name the line."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    body = CleanText(
        label=_("Correctable fields as JSON"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 22, "spellcheck": "false", "class": "code"}),
    )

    @classmethod
    def of(cls, memory: Memory, shown: Mapping[str, Any]) -> "JsonCorrectionForm":
        body = {name: shown[name] for name in sorted(ALLOWED)}
        text = json.dumps(body, ensure_ascii=False, indent=2)
        return cls(initial={"version": memory.version, "body": text})

    def clean_body(self) -> str:
        text: str = self.cleaned_data["body"]
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            where = {"line": error.lineno, "column": error.colno}
            raise forms.ValidationError(
                _("Line %(line)d, column %(column)d: this is not valid JSON."), params=where
            ) from error
        if not isinstance(value, dict):
            raise forms.ValidationError(_("Write one JSON object, in braces."))
        shape = Correction(data=value)
        if not shape.is_valid():
            raise forms.ValidationError(list(self._complaints(text, shape.errors)))
        self.checked: dict[str, Any] = shape.validated_data
        return text

    def _complaints(self, text: str, errors: Mapping[str, Any]) -> Iterator[forms.ValidationError]:
        for name, details in errors.items():
            where = {"line": _line_of(text, name), "name": name, "what": _first_text(details)}
            yield forms.ValidationError(_("Line %(line)d, %(name)s: %(what)s"), params=where)

    def changes(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in self.checked.items() if not _same(value, shown[name])}

    def on_top_of(self, version: int) -> "JsonCorrectionForm":
        data = self.data.copy()  # type: ignore[attr-defined]
        data["version"] = str(version)
        return JsonCorrectionForm(data)

    def take(self, error: Invalid) -> None:
        text = self.data.get("body", "")
        for name, texts in error.errors.items():
            where = {"line": _line_of(text, name), "name": name, "what": gettext(texts[0])}
            self.add_error(
                "body", forms.ValidationError(_("Line %(line)d, %(name)s: %(what)s"), params=where)
            )


def _line_of(text: str, name: str) -> int:
    """The line on which a field is named; 1 when it is not."""
    found = re.search(rf'"{re.escape(name)}"\s*:', text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _first_text(details: Any) -> str:
    """The first complaint in DRF's nested errors."""
    while isinstance(details, dict | list) and details:
        details = next(iter(details.values())) if isinstance(details, dict) else details[0]
    return gettext(str(details))


def _same(value: Any, shown: Any) -> bool:
    if isinstance(value, datetime) and isinstance(shown, str):
        return value == datetime.fromisoformat(shown)
    return bool(value == shown)
