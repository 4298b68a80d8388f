"""What the forms share."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryapp.errors import Invalid
from memoryapp.text import MAX_BYTES, TextTooLong, clean


class CleanText(forms.CharField):
    """Content as the API takes it: NFC, no NUL, at most 32 KiB."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        try:
            return clean(text)
        except TextTooLong as error:
            raise forms.ValidationError(
                _("At most %(limit)d bytes (32 KiB)."), params={"limit": MAX_BYTES}
            ) from error


class VerbForm(forms.Form):
    """A form whose verb may still complain."""

    def take(self, error: Invalid) -> None:
        """Put a verb's complaint beside its field."""
        for name, texts in error.errors.items():
            self.add_error(name if name in self.fields else None, [gettext(text) for text in texts])


def moment_input() -> forms.DateTimeInput:
    """A date and time of day, to the second, in the browser's own picker."""
    return forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S")
