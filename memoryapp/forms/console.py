"""What the console accepts: shapes only, with an explanation for each setting."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryapp import labels
from memoryapp.errors import Invalid
from memoryapp.forms.fields import CleanText, VerbForm, moment_input
from memoryapp.keys import PERMISSIONS
from memoryapp.models import (
    ChatService,
    CostBearer,
    ExtractorKind,
    InjectionMode,
    RevisionState,
    Scope,
    ServiceRevision,
)
from memoryapp.public_keys import LONGEST_KID
from memoryapp.render import check_template

#: What a key may do, its code first: that is what the API's description calls it.
PERMISSION_WORDS = [(code, format_lazy("{}: {}", code, words)) for code, words in labels.PERMISSIONS.items()]


#: What verbs complain of, for translation.
COMPLAINTS = (
    _("Unknown"),
    _("It must contain {memories} or {memories_json}."),
    _("Choose personal, service or both."),
    _("Only a draft can be tried."),
    _("This month's budget is spent."),
    _("This trial is under way already."),
    _("Nothing was said on this day."),
)


class RevisionForm(VerbForm):
    """Everything a service admin decides per revision (G3, G9), each with what it does."""

    memory_enabled = forms.BooleanField(
        label=_("Memory"),
        required=False,
        help_text=_("The master switch. Off: no recall, no tools, nothing is extracted."),
    )
    per_turn_extraction = forms.BooleanField(
        label=_("Learn right after each turn"),
        required=False,
        help_text=_("Facts are there seconds later. The system's global switch has to be on as well."),
    )
    nightly_enabled = forms.BooleanField(
        label=_("Learn at night"),
        required=False,
        help_text=_("Once a day, whatever was not read during the day. Nothing is read twice."),
    )
    nightly_at = forms.TimeField(
        label=_("Time of the nightly run"),
        help_text=_("Hour and minute, Korea Standard Time."),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    extractor = forms.ChoiceField(
        label=_("Extractor"),
        choices=ExtractorKind.choices,
        widget=forms.RadioSelect,
        help_text=_("What turns a conversation into facts. The rules need no model and send nothing out."),
    )
    extractor_url = forms.URLField(
        label=_("Address of the extractor"),
        required=False,
        assume_scheme="https",
        help_text=_(
            "For a language model: an OpenAI-compatible address. For a remote memory server: its MCP address."
        ),
    )
    extractor_model = CleanText(
        label=_("Model"), required=False, max_length=200, help_text=_("For a language model only.")
    )
    cost_bearer = forms.ChoiceField(
        label=_("Who bears the cost"),
        choices=CostBearer.choices,
        widget=forms.RadioSelect,
        help_text=_("Whom each call of a model is booked to."),
    )
    recall_scopes = forms.MultipleChoiceField(
        label=_("What is recalled"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Personal: what all services share. This service: what stays inside it. Both: one merged search."
        ),
    )
    recall_top_k = forms.IntegerField(
        label=_("Memories per recall"),
        min_value=1,
        max_value=100,
        help_text=_("At most so many are given to the model. Usual: 8."),
    )
    recall_threshold = forms.FloatField(
        label=_("Threshold"),
        min_value=0,
        max_value=1,
        help_text=_("Leave out what scores less. 0 leaves out nothing; scores go from 0 to 1."),
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )
    recall_max_tokens = forms.IntegerField(
        label=_("Token limit"),
        min_value=50,
        max_value=32000,
        help_text=_("The finished block is never longer."),
    )
    injection_mode = forms.ChoiceField(
        label=_("Where the block goes"),
        choices=InjectionMode.choices,
        widget=forms.RadioSelect,
        help_text=_(
            "Before the question it carries less authority than the system policy; that is the safer choice."
        ),
    )
    context_template = CleanText(
        label=_("Context template"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "code"}),
        help_text=_(
            "Empty: the built-in one. It needs {memories} or {memories_json}; "
            "{query_time}, {count} and {safety} may be used."
        ),
    )

    @classmethod
    def of(cls, revision: ServiceRevision) -> "RevisionForm":
        return cls(initial={name: getattr(revision, name) for name in cls.base_fields})

    def clean_context_template(self) -> str:
        template: str = self.cleaned_data["context_template"]
        if not template.strip():
            return ""
        try:
            check_template(template)
        except Invalid as error:
            complaints = [_spoken(text) for text in error.errors["context_template"]]
            raise forms.ValidationError(complaints) from error
        return template

    def differs(self, saved: ServiceRevision) -> None:
        """Somebody saved or deployed the draft meanwhile: say what it holds now, beside what was typed."""
        now = RevisionForm.of(saved)
        if saved.state != RevisionState.DRAFT:
            self.add_error(
                None, gettext("This draft was deployed meanwhile. Make a new draft for your changes.")
            )
        else:
            self.add_error(
                None, gettext("Somebody saved this draft meanwhile. Saving again puts yours in its place.")
            )
        typed = dict(self.cleaned_data)
        for name in (name for name, value in typed.items() if value != now.initial[name]):
            self.add_error(name, gettext("Saved meanwhile: %(value)s") % {"value": now.spoken(name)})

    def spoken(self, name: str) -> str:
        """A setting as people say it."""
        value = self.initial[name]
        field = self.fields[name]
        if isinstance(field, forms.BooleanField):
            return gettext("on") if value else gettext("off")
        if isinstance(field, forms.ChoiceField):
            labels = dict(field.choices)  # type: ignore[arg-type]
            values = value if isinstance(value, list) else [value]
            return ", ".join(str(labels.get(item, item)) for item in values)
        return str(value) if value not in ("", None) else gettext("built-in")


def _spoken(complaint: str) -> str:
    """What is wrong with a template, in the reader's language; names stay as they are."""
    what, colon, names = complaint.partition(": ")
    return f"{gettext(what)}: {names}" if colon else gettext(complaint)


class ReplayForm(VerbForm):
    """Whose turns of which day a draft is tried on."""

    person = forms.ChoiceField(
        label=_("Person"), help_text=_("Only who agreed to it, by the name the service calls them.")
    )
    day = forms.DateField(
        label=_("Day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("In the person's own time zone."),
    )

    def __init__(self, data: Any, *, people: Sequence[str], today: date) -> None:
        super().__init__(data, initial={"day": today - timedelta(days=1)})
        self.first, self.last = today - timedelta(days=settings.RETENTION_DAYS["turn"]), today
        self.fields["person"].choices = [(user_id, user_id) for user_id in people]  # type: ignore[attr-defined]
        self.fields["day"].widget.attrs |= {"min": self.first.isoformat(), "max": self.last.isoformat()}

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        # A day's grace: today is another date elsewhere.
        if not self.first <= day <= self.last + timedelta(days=1):
            raise forms.ValidationError(_("Nothing was said on this day."))
        return day


class KeyForm(forms.Form):
    """A new key: a name to know it by, what it may do, and when it ends."""

    name = CleanText(
        label=_("Name"), max_length=100, help_text=_("So that you know it again, e.g. “production”.")
    )
    permissions = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=PERMISSION_WORDS,
        widget=forms.CheckboxSelectMultiple,
        initial=[item for item in PERMISSIONS if item != "erase"],  # to erase people is asked for
    )
    expires_at = forms.DateTimeField(
        label=_("Ends at"),
        required=False,
        widget=moment_input(),
        help_text=_("Empty: works until it is revoked."),
    )


class RotateForm(forms.Form):
    """How long the old key works on."""

    hours = forms.IntegerField(min_value=0, max_value=168)


class MemberForm(forms.Form):
    username = CleanText(label=_("Name of the login"), max_length=150)


class BudgetForm(forms.Form):
    """A month's model tokens; empty = no limit."""

    tokens = forms.IntegerField(
        label=_("Budget a month (tokens)"),
        required=False,
        min_value=0,
        max_value=10**15,
        help_text=_("When it is spent, extraction pauses until the next month. Empty: no limit."),
    )

    @classmethod
    def of(cls, service: ChatService) -> "BudgetForm":
        return cls(initial={"tokens": service.monthly_token_budget})


class SpaceForm(forms.Form):
    """Another embedding, to be built beside the one that serves."""

    provider = forms.ChoiceField(
        label=_("Provider"),
        choices=[("openai", _("OpenAI-compatible service")), ("e5", _("Built in (multilingual-e5-small)"))],
        help_text=_("The key of a remote service comes from the environment, MEMORYAPP_EMBEDDING_API_KEY."),
    )
    model = CleanText(label=_("Model"), required=False, max_length=200)
    base_url = forms.URLField(label=_("Address"), required=False, max_length=500, assume_scheme="https")
    dims = forms.IntegerField(
        label=_("Dimensions"),
        required=False,
        min_value=1,
        max_value=1280,
        help_text=_("Empty: as many as the model has. At most 1280."),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("provider") == "openai" and not data.get("model"):
            raise forms.ValidationError({"model": _("Name the model.")})
        return data


class AssertionKeyForm(forms.Form):
    """Public keys with which the service signs its users' assertions."""

    kid = CleanText(
        label="kid",
        max_length=LONGEST_KID,
        required=False,
        help_text=_("The name by which the assertions call this key. A JWK set brings its own."),
    )
    public_key = CleanText(
        label=_("Public key (PEM, JWK or JWK set)"),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "code"}),
        help_text=_("Ed25519, or RSA of 2048 to 8192 bits."),
    )


class KeyUrlForm(VerbForm):
    """Where the service publishes its public keys. What is wrong with it, the verb says by a code."""

    url = CleanText(
        label=_("URL of the JWK set"),
        max_length=500,
        widget=forms.URLInput(
            attrs={
                "autocomplete": "off",
                "spellcheck": "false",
                "placeholder": "https://…/.well-known/jwks.json",
            }
        ),
        help_text=_("Often called jwks_uri. It needs https, and no user name or password in it."),
    )
