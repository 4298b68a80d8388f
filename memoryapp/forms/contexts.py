"""What my page accepts for a session's blocks."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryapp.errors import Invalid
from memoryapp.forms.fields import CleanText


class ContextForm(forms.Form):
    """The text of a block or of one of its entries, as the assistant will read it."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    text = CleanText(label=_("Text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 12}))

    def clean_text(self) -> str:
        """Browsers send line breaks as CR LF."""
        text: str = self.cleaned_data["text"]
        return text.replace("\r\n", "\n")

    def on_top_of(self, version: int) -> "ContextForm":
        """The same typed text, now against this version."""
        data: Any = self.data.copy()  # type: ignore[attr-defined]
        data["version"] = str(version)
        return ContextForm(data)

    def take(self, error: Invalid) -> None:
        """Put a verb's complaint beside its field."""
        for texts in error.errors.values():
            self.add_error("text", list(texts))
