"""How it works, and what each error of the API means; problem documents point here."""

from typing import TYPE_CHECKING, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise
else:
    StrPromise = str


class Code(NamedTuple):
    """One `code` of an RFC 9457 answer: with which statuses it comes, what it means, what to do."""

    code: str
    statuses: str
    meaning: StrPromise
    advice: StrPromise


CODES = (
    Code(
        "invalid",
        "400, 405, 406, 413, 415",
        _("The request is not valid."),
        _(
            "Look at `errors`: it names each field and what is wrong with it. Unknown fields are "
            "refused, never ignored."
        ),
    ),
    Code(
        "unauthenticated",
        "401",
        _("A valid service key is needed."),
        _(
            "Send `Authorization: Bearer <service key>`. Keys that have expired or were revoked do "
            "not work any more."
        ),
    ),
    Code(
        "forbidden",
        "403",
        _("This key may not do that."),
        _(
            "Let a service admin give the key the permission, or send the signed user assertion this "
            "service requires."
        ),
    ),
    Code(
        "consent-required",
        "403",
        _("The person has not agreed to this."),
        _("Go on without memory. Only the person can change it, on their consent page."),
    ),
    Code(
        "memory-off",
        "403",
        _("Memory is switched off for this service."),
        _("A service admin switches it on in a draft revision and deploys it."),
    ),
    Code(
        "speaker-not-allowed",
        "403",
        _("Personal records cannot be used with this speaker."),
        _(
            "The speaker is unknown, uncertain, or not linked to this person. Tell them that personal "
            "records cannot be shown."
        ),
    ),
    Code(
        "not-found",
        "404",
        _("There is no such thing."),
        _("Unknown and foreign ids are answered alike, whoever asks."),
    ),
    Code(
        "conflict",
        "409, 412",
        _("It has changed in the meantime."),
        _(
            "Read it again and repeat with its new version. For an idempotency key: the same key came "
            "with another body."
        ),
    ),
    Code(
        "cursor-expired",
        "410",
        _("This cursor is unknown or has expired."),
        _("Start again from the beginning, or from `resync_from`."),
    ),
    Code(
        "rate-limited",
        "429",
        _("Too many requests."),
        _("Wait as long as `Retry-After` says."),
    ),
    Code(
        "internal",
        "500",
        _("Something went wrong on our side."),
        _("Try again with the same idempotency key; nothing is written twice."),
    ),
    Code(
        "database-unavailable",
        "503",
        _("The database cannot be used just now."),
        _(
            "Wait as long as `Retry-After` says, then send the same idempotency key; nothing is written twice."
        ),
    ),
    Code(
        "index-unavailable",
        "503",
        _("The index cannot follow; nothing was changed."),
        _("Try again later."),
    ),
    Code(
        "vault-unavailable",
        "503",
        _("The encryption key cannot be used; nothing can be read."),
        _("The operator has to restore the key file."),
    ),
)


#: The pictures of the gallery: (file name, what it shows).
PICTURES = (
    ("sign-in", _("Sign in")),
    ("memories", _("My memories")),
    ("memory", _("A memory")),
    ("correct", _("Correct a memory")),
    ("correct-json", _("Correctable fields as JSON")),
    ("consent", _("Consent")),
    ("activity", _("Activity")),
    ("contexts", _("Notes of assistants")),
    ("voices", _("Voices and accounts")),
    ("import", _("Bring memories")),
    ("export", _("Take or delete all")),
    ("erase", _("Delete everything")),
    ("settings", _("Settings")),
    ("services", _("Services")),
    ("service", _("Revisions")),
    ("revision", _("A draft and its settings")),
    ("replay", _("A draft tried on a day's turns")),
    ("keys", _("Keys")),
    ("extraction", _("Extraction")),
    ("cost", _("Cost")),
    ("members", _("Members")),
    ("system", _("System")),
)


def home(request: HttpRequest) -> HttpResponse:
    return redirect("memories" if request.user.is_authenticated else "account_login")


@require_GET
def gallery(request: HttpRequest) -> HttpResponse:
    """A picture of every page, in the reader's language (made by tests/journeys/screenshots.py)."""
    language = "ko" if (get_language() or "ko").startswith("ko") else "en"
    pictures = [(name, f"img/pages/{language}/{name}.jpg", title) for name, title in PICTURES]
    return render(request, "docs/gallery.html", {"pictures": pictures})


#: What the commands printed, as it came: (file in templates/docs/measured, heading, how to repeat it).
MEASURED = (
    ("eval", _("How well memories are found, and facts read"), "make eval"),
    ("bench", _("How fast it is"), "MEMORYAPP_BENCH_ROWS=1000000 make bench"),
    ("household", _("Households, contexts and agents"), "python -m tests.bench.household"),
    ("load", _("Under load"), "python -m tests.bench.load --minutes 30"),
    ("faults", _("Faults and fuzz"), "python -m pytest tests/faults tests/doors/test_fuzz.py"),
    ("explain", _("The plan of the search statement"), "make bench"),
)


@require_GET
def measured(request: HttpRequest) -> HttpResponse:
    """The figures of this version, as the commands that anybody can repeat have printed them."""
    parts = [(name, f"docs/measured/{name}.txt", title, command) for name, title, command in MEASURED]
    return render(request, "docs/measured.html", {"parts": parts})


@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    return render(request, "docs/index.html", {"codes": CODES})
