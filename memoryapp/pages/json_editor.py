"""The JSON editor of a memory's correctable fields: the API's own checks, told by line."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryapp.api import parsing
from memoryapp.api.memories import CorrectBody
from memoryapp.correct import ALLOWED
from memoryapp.errors import Invalid
from memoryapp.forms.fields import CleanText
from memoryapp.models import Memory
from memoryapp.text import clean_json


class Correction(CorrectBody):
    """The body of a PATCH without the user_id: on my page the person is the one who is signed in."""

    user_id = None  # type: ignore[assignment]


class JsonCorrectionForm(forms.Form):
    """Every correctable field as one JSON object; complaints name the line.

    `base` is the object as it was when the form was opened: what differs from it is the person's.
    """

    version = forms.IntegerField(widget=forms.HiddenInput)
    base = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    body = CleanText(
        label=_("Correctable fields as JSON"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 22, "spellcheck": "false", "class": "code"}),
    )

    @classmethod
    def of(cls, memory: Memory, shown: Mapping[str, Any]) -> "JsonCorrectionForm":
        return cls(initial=_filled(memory, shown, {}))

    def clean_body(self) -> str:
        text: str = self.cleaned_data["body"]
        value = _read(text)
        if not isinstance(value, dict):
            raise forms.ValidationError(_("Write one JSON object, in braces."))
        value = clean_json(value)
        shape = Correction(data=value)
        if not shape.is_valid():
            raise forms.ValidationError(list(self._complaints(text, shape.errors)))
        self.typed: dict[str, Any] = value
        self.checked: dict[str, Any] = shape.validated_data
        return text

    def clean_base(self) -> dict[str, Any]:
        """As it was sent with the page; nothing where somebody tampered with it, and all of the body is theirs then."""
        try:
            shape = Correction(data=parsing.read(self.cleaned_data["base"]))
        except ValueError:
            return {}
        return dict(shape.validated_data) if shape.is_valid() else {}

    def _complaints(self, text: str, errors: Mapping[str, Any]) -> Iterator[forms.ValidationError]:
        for name, details in errors.items():
            where = {"line": _line_of(text, name), "name": name, "what": _first_text(details)}
            yield forms.ValidationError(_("Line %(line)d, %(name)s: %(what)s"), params=where)

    def changes(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """What the person changed, where the memory is not like that already (`shown`, as it is now)."""
        touched = {name: self.checked[name] for name in self._touched()}
        return {name: value for name, value in touched.items() if not _same(value, shown[name])}

    def changed_elsewhere(self, memory: Memory, shown: Mapping[str, Any]) -> list[str]:
        """The fields in which the memory, as it is now, differs from what this form showed."""
        base = self.cleaned_data["base"]
        return [name for name in ALLOWED if name not in base or not _same(base[name], shown[name])]

    def on_top_of(self, memory: Memory, shown: Mapping[str, Any]) -> "JsonCorrectionForm":
        """The memory as it is now, with what the person changed on top."""
        return JsonCorrectionForm(
            _filled(memory, shown, {name: self.typed[name] for name in self._touched()})
        )

    def _touched(self) -> list[str]:
        base = self.cleaned_data["base"]
        return [name for name, value in self.checked.items() if name not in base or value != base[name]]

    def take(self, error: Invalid) -> None:
        text = self.data.get("body", "")
        for name, texts in error.errors.items():
            where = {"line": _line_of(text, name), "name": name, "what": gettext(texts[0])}
            self.add_error(
                "body", forms.ValidationError(_("Line %(line)d, %(name)s: %(what)s"), params=where)
            )


def _filled(memory: Memory, shown: Mapping[str, Any], mine: Mapping[str, Any]) -> dict[str, Any]:
    """The form's values: the memory as it is, and it again with `mine` on top to be edited."""
    base = {name: shown[name] for name in sorted(ALLOWED)}
    return {
        "version": memory.version,
        "base": json.dumps(base, ensure_ascii=False),
        "body": json.dumps(base | dict(mine), ensure_ascii=False, indent=2),
    }


def _read(text: str) -> Any:
    """As the API reads it. Raises ValidationError."""
    try:
        return parsing.read(text)
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        raise forms.ValidationError(
            _("Line %(line)d, column %(column)d: this is not valid JSON."), params=where
        ) from error
    except parsing.TooDeep as error:
        raise forms.ValidationError(_("This JSON is nested too deeply.")) from error
    except ValueError as error:
        raise forms.ValidationError(
            _("A name stands here twice, or a number is too long or none of JSON's.")
        ) from error


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
