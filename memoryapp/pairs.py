"""The words of a turn: what was said, what was answered, and how they are sealed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from memoryapp.models import Turn
from memoryapp.vault import Box

#: What was said without a session belongs together for so long.
WITHOUT_SESSION = timedelta(hours=24)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One utterance and its answer. `before` is what the assistant had said last, when the runtime told."""

    id: UUID
    session_id: str
    user: str
    assistant: str
    before: str
    route_family: str
    at: datetime


def place(turn: Turn) -> str:
    return f"turn:{turn.pk}"


def seal(box: Box, turn: Turn, user: str, assistant: str, before: str = "") -> bytes:
    texts = {"user_text": user, "assistant_text": assistant}
    return box.seal({**texts, "before": before} if before else texts, place(turn))


def read(turn: Turn, box: Box) -> Pair:
    """Open a turn. Raises VaultUnavailable."""
    texts: dict[str, Any] = box.open(turn.content, place(turn))
    return Pair(
        id=turn.pk,
        session_id=turn.session_id,
        user=texts["user_text"],
        assistant=texts["assistant_text"],
        before=texts.get("before", ""),
        route_family=turn.route_family,
        at=turn.occurred_at,
    )


def read_all(turns: Iterable[Turn], box: Box) -> list[Pair]:
    """Those that still say something: a withdrawn turn keeps its row and no words."""
    pairs = [read(turn, box) for turn in turns]
    return [pair for pair in pairs if pair.user or pair.assistant]


def said_before(turn: Turn) -> QuerySet[Turn]:
    """What was said in the same session until then, the last first; without a session in the day before it."""
    session = Turn.objects.filter(person=turn.person, service=turn.service, session_id=turn.session_id)
    before = session.filter(occurred_at__lt=turn.occurred_at)
    if not turn.session_id:
        before = before.filter(occurred_at__gte=turn.occurred_at - WITHOUT_SESSION)
    return before.order_by("-occurred_at")


def local_day(moment: datetime, zone: str) -> date:
    """The person's own zone decides the day."""
    return moment.astimezone(ZoneInfo(zone)).date()
