"""What my page accepts for a session's blocks."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryapp.contexts.said import Cannot
from memoryapp.forms.fields import CleanText

TOO_MUCH: dict[str, Any] = {
    "over_tokens": _("At most %(limit)s tokens; these would be %(used)s, %(over)s too many."),
    "over_bytes": _("At most %(limit)s bytes; these would be %(used)s, %(over)s too many."),
    "over_session": _("A conversation's notes can hold %(limit)s bytes; they would hold %(used)s."),
}


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

    def take(self, failure: Cannot) -> None:
        """Say beside the field why it does not fit, in the person's language and not in the model's."""
        words = TOO_MUCH.get(failure.failure)
        self.add_error("text", str(words) % failure.values if words else str(failure))
