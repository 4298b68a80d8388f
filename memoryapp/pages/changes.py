"""How a memory changed: each step in words, with the statement compared word by word."""

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.models import ChatService, MemoryHistory
from memoryapp.shapes import history_json
from memoryapp.vault import Box

#: What each action of a history row is called. An action that is not here is shown by its own name.
ACTIONS: dict[str, Promise] = {
    "insert": gettext_lazy("Remembered"),
    "merge": gettext_lazy("Said again"),
    "update": gettext_lazy("Details added"),
    "replace": gettext_lazy("Replaced by a newer one"),
    "supersede": gettext_lazy("Replaced by a newer one"),
    "expire": gettext_lazy("Ended"),
    "correct": gettext_lazy("Corrected"),
    "approve": gettext_lazy("Approved"),
    "decline": gettext_lazy("Declined"),
    "delete": gettext_lazy("Deleted"),
    "restore": gettext_lazy("Restored"),
}

#: What the fields are called.
FIELDS: dict[str, Promise] = {
    "statement": gettext_lazy("What is remembered"),
    "normalized_fact": gettext_lazy("Normalised fact"),
    "raw_content": gettext_lazy("Original words"),
    "keywords": gettext_lazy("Keywords"),
    "entities": gettext_lazy("Names"),
    "memory_subtype": gettext_lazy("Subtype"),
    "memory_type": gettext_lazy("Type"),
    "status": gettext_lazy("Status"),
    "sensitivity": gettext_lazy("Sensitivity"),
    "confidence": gettext_lazy("Confidence"),
    "evidence_count": gettext_lazy("Said how often"),
    "sources": gettext_lazy("Sources"),
    "occurred_at": gettext_lazy("Happened or said"),
    "said_at": gettext_lazy("Last said"),
    "valid_from": gettext_lazy("Holds from"),
    "valid_to": gettext_lazy("Holds until"),
    "project_id": gettext_lazy("Project"),
    "superseded_by_id": gettext_lazy("Replaced by"),
    "supersedes_id": gettext_lazy("Replaces"),
    "quarantine": gettext_lazy("Held back"),
    "origin": gettext_lazy("Learnt"),
    "author": gettext_lazy("Author"),
}

#: What a person's own change brings with it, and needs no words.
FOLLOWS_A_CORRECTION = {"origin", "said_at"}
SERVICE = "service:"

Piece = tuple[str, str]  # ("same" | "del" | "ins", text)


@dataclass(frozen=True)
class Step:
    """One change: what happened, who did it, the words that went and came, and what else changed."""

    entry: MemoryHistory
    words: str
    who: str
    diff: list[Piece] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def steps(entries: list[MemoryHistory], statement: str, box: Box) -> list[Step]:
    """The changes of one memory, newest first; `entries` oldest first, `statement` as it is now."""
    found: list[Step] = []
    names = _services(entries)
    for entry in reversed(entries):
        change = history_json(entry, box)
        earlier = (change["before"] or {}).get("statement", statement)
        found.append(_step(entry, change, earlier, statement, names))
        statement = earlier
    return found


def _step(
    entry: MemoryHistory, change: dict[str, Any], earlier: str, later: str, names: dict[str, str]
) -> Step:
    follows = {"statement"} | (FOLLOWS_A_CORRECTION if entry.actor == "person" else set())
    others = [str(FIELDS.get(name, name)) for name in entry.changed if name not in follows]
    return Step(
        entry=entry,
        words=str(ACTIONS.get(entry.action, entry.action)),
        who=_who(entry.actor, names),
        diff=word_diff(earlier, later) if earlier != later else [],
        others=list(dict.fromkeys(others)),
    )


def word_diff(earlier: str, later: str) -> list[Piece]:
    """Two texts compared by words; neighbouring pieces of one kind are joined."""
    old, new = _words(earlier), _words(later)
    pieces: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(old[a:b])))
            continue
        if a < b:
            pieces.append(("del", "".join(old[a:b])))
        if c < d:
            pieces.append(("ins", "".join(new[c:d])))
    return pieces


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|[^\s]+", text)


def _services(entries: list[MemoryHistory]) -> dict[str, str]:
    """What the services that changed something are called."""
    slugs = {entry.actor.removeprefix(SERVICE) for entry in entries if entry.actor.startswith(SERVICE)}
    return dict(ChatService.objects.filter(slug__in=slugs).values_list("slug", "name")) if slugs else {}


def _who(actor: str, names: dict[str, str]) -> str:
    if actor == "person":
        return _("by you")
    if actor.startswith(SERVICE):
        slug = actor.removeprefix(SERVICE)
        return names.get(slug, slug)
    return _("by the system")
