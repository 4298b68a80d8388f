"""Condense turns: pair → session → day → week, each with the ids it was made from. The row is the job.

Every level is made afresh from the level below, so it can run twice, late or again after something was
withdrawn. Words whose turns were purged meanwhile stay in the line they were condensed to; withdrawn words
are taken out at once by `strip`, before anything is written again.
"""

import uuid
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp import changes, claims, gate, pairs, profile, rfc3339, summarisers
from memoryapp.errors import Refused
from memoryapp.models import (
    ChatService,
    HushedPair,
    Memory,
    ReplayedTurn,
    RevisionState,
    Summary,
    SummaryLevel,
    SummaryState,
    Turn,
)
from memoryapp.pairs import local_day
from memoryapp.permit import Act, Caller, Permit
from memoryapp.summarise import Digest, Line, SummariserDown, text_of, utterance
from memoryapp.vault import Box, box_of
from speakers.models import Person

CLAIM_SECONDS = 300
MAX_ATTEMPTS = 5
FIRST_WAIT = timedelta(seconds=30)  # and four times as long after each further failure
MOST_TURNS = 500  # of one session on one day; the newest count
PARENT = {SummaryLevel.SESSION: SummaryLevel.DAY, SummaryLevel.DAY: SummaryLevel.WEEK}


def touch(turn: Turn, person: Person) -> None:
    """Note that a session has something new, in the caller's transaction: due when it has been idle."""
    idle = timedelta(minutes=settings.SESSION_IDLE_MINUTES)
    day = local_day(turn.occurred_at, person.zone)
    # A device's clock may be ahead; its session is not.
    said_at = min(turn.occurred_at, timezone.now())
    _due(person, turn.service, SummaryLevel.SESSION, day, turn.session_id, at=said_at + idle)


def close(person: Person, service: ChatService, session_id: str) -> int:
    """The runtime says that a session is over: its summary is due now. → rows made due"""
    rows = Summary.objects.filter(
        person=person, service=service, level=SummaryLevel.SESSION, session_id=session_id
    )
    return rows.filter(state=SummaryState.PENDING).update(due_at=timezone.now())


def waiting(limit: int = 200) -> list[uuid.UUID]:
    """The summaries that are due, and those a worker left behind, lower levels first."""
    now = timezone.now()
    longest = max(timedelta(minutes=settings.SESSION_IDLE_MINUTES), FIRST_WAIT * 4 ** (MAX_ATTEMPTS - 2))
    due = Q(claims.due("due_at", now, longest), state=SummaryState.PENDING)
    left = Q(claims.given_up(now, CLAIM_SECONDS), state=SummaryState.RUNNING)
    return list(Summary.objects.filter(due | left).order_by("due_at").values_list("pk", flat=True)[:limit])


def write(summary_pk: uuid.UUID) -> None:
    """Write one summary from the level below. Safe to run twice, at once, or after a crash."""
    summary = _claim(summary_pk)
    if summary is None:
        return
    try:
        permit = _permit(summary)
        sources = _sources(summary, box_of(permit.person))
        summariser = summarisers.chosen(permit, summary.attempts)
        digest = summarisers.summarise(permit, summariser, summary.level, sources.lines)
        _store(permit, summary, sources, digest, summariser.name)
    except Refused as refusal:
        _finish(summary, SummaryState.SKIPPED, error=refusal.reason)
    except SummariserDown as error:
        _retry(summary, type(error).__name__)
    except Exception as error:  # a fault of ours, or words that do not open: told, and not tried for ever
        _retry(summary, type(error).__name__)
        raise


def hush(person: Person, box: Box, memories: Iterable[Memory]) -> None:
    """After a person deleted memories: the words those were learnt from are told by no summary again.

    In the caller's transaction, under the person's lock.
    """
    named = {uuid.UUID(pk) for memory in memories for pk in memory.sources.get("pair_ids", [])}
    if named:
        rows = [HushedPair(person=person, pair_id=pk) for pk in named]
        HushedPair.objects.bulk_create(rows, ignore_conflicts=True)
        strip(person, box, list(Turn.objects.filter(person=person, pk__in=named)), also=named)


def hushed(person: Person) -> set[uuid.UUID]:
    """The pairs whose words are told nowhere again."""
    return set(HushedPair.objects.filter(person=person).values_list("pair_id", flat=True))


def strip(person: Person, box: Box, turns: Sequence[Turn], *, also: Iterable[uuid.UUID] = ()) -> int:
    """Take the words of these turns out of every summary and trial, at once; what is left is written again.

    `also` names turns that are purged already. In the caller's transaction, under the person's lock.
    → how many summaries are concerned.
    """
    gone = {*also, *(turn.pk for turn in turns)}
    ReplayedTurn.objects.filter(turn__in=gone, turn__person=person).delete()
    for turn in turns:
        _disturb(person, turn)
    rows = list(Summary.objects.select_for_update().filter(person=person, pair_ids__overlap=list(gone)))
    for row in rows:
        lines = [line for line in lines_of(row, box) if not gone & set(line.pair_ids)]
        row.pair_ids = [pk for pk in row.pair_ids if pk not in gone]
        _write_content(row, box, Digest(text_of(row.level, lines), lines))
        row.inputs, row.state, row.due_at, row.attempts = None, SummaryState.PENDING, timezone.now(), 0
        row.save()
    return len(rows)


def read(summary: Summary, box: Box) -> str:
    """The text of a summary; "" for one that says nothing."""
    return str(_content(summary, box).get("summary", ""))


def lines_of(summary: Summary, box: Box) -> list[Line]:
    return [
        Line(
            text=item["text"],
            pair_ids=tuple(uuid.UUID(pk) for pk in item["pair_ids"]),
            times=item["times"],
            days=item["days"],
            at=datetime.fromisoformat(item["at"]),
        )
        for item in _content(summary, box).get("lines", [])
    ]


def place(summary: Summary) -> str:
    return f"summary:{summary.pk}"


def _content(summary: Summary, box: Box) -> dict[str, Any]:
    return dict(box.open(summary.content, place(summary))) if summary.content else {}


# ------------------------------------------------------------------ what a summary is made from


class _Sources:
    """The lines of the level below, and the ids of everything behind them."""

    def __init__(
        self, lines: list[Line], session_ids: Iterable[str], summary_ids: Iterable[uuid.UUID]
    ) -> None:
        self.lines = lines
        self.session_ids = sorted(set(session_ids))
        self.summary_ids = sorted(set(summary_ids))

    def mark(self, box: Box, method: str) -> int:
        """Equal for equal sources: then there is nothing to write."""
        told = [(line.text, line.times, line.days, [str(pk) for pk in line.pair_ids]) for line in self.lines]
        return box.mark(f"summary|{method}|{told}|{self.session_ids}|{self.summary_ids}")


def _sources(summary: Summary, box: Box) -> _Sources:
    if summary.level == SummaryLevel.SESSION:
        return _Sources(_said(summary, box), [summary.session_id], [])
    below = list(_below(summary))
    lines = [line for row in below for line in lines_of(row, box)]
    return _Sources(lines, [name for row in below for name in row.session_ids], [row.pk for row in below])


def _below(summary: Summary) -> Iterable[Summary]:
    level = SummaryLevel.SESSION if summary.level == SummaryLevel.DAY else SummaryLevel.DAY
    span = 1 if summary.level == SummaryLevel.DAY else 7
    return Summary.objects.filter(
        person=summary.person,
        service=summary.service,
        level=level,
        day__gte=summary.day,
        day__lt=summary.day + timedelta(days=span),
        content__isnull=False,
    ).order_by("day", "created_at")


def _said(summary: Summary, box: Box) -> list[Line]:
    """What the turns of a session say now, and before it what purged turns had said."""
    zone = ZoneInfo(summary.person.zone)
    start = datetime.combine(summary.day, time(), zone)
    end = datetime.combine(summary.day + timedelta(days=1), time(), zone)
    turns = Turn.objects.filter(
        person=summary.person,
        service=summary.service,
        session_id=summary.session_id,
        occurred_at__gte=start,
        occurred_at__lt=end,
    ).order_by("-occurred_at", "-pk")[:MOST_TURNS]
    said = pairs.read_all(reversed(turns), box)
    quiet = hushed(summary.person)
    fresh = [
        Line(text=text, pair_ids=(pair.id,), at=pair.at.astimezone(zone))
        for pair in said
        if pair.id not in quiet and (text := utterance(pair.user))
    ]
    return [*_outlived(summary, box), *fresh]


def _outlived(summary: Summary, box: Box) -> list[Line]:
    """Lines whose turns are gone by age; withdrawn ones were taken out when they were withdrawn."""
    lines = lines_of(summary, box)
    named = {pk for line in lines for pk in line.pair_ids}
    still = set(Turn.objects.filter(pk__in=named).values_list("pk", flat=True))
    return [line for line in lines if not still & set(line.pair_ids)]


# ------------------------------------------------------------------ the row is the job


def _due(
    person: Person,
    service: ChatService,
    level: SummaryLevel,
    day: date,
    session_id: str = "",
    *,
    at: datetime,
) -> None:
    row = Summary(
        person=person,
        service=service,
        level=level,
        day=day - timedelta(days=day.weekday()) if level == SummaryLevel.WEEK else day,
        session_id=session_id,
        state=SummaryState.PENDING,
        due_at=at,
    )
    Summary.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["person", "service", "level", "day", "session_id"],
        update_fields=["state", "due_at", "attempts", "claimed_at"],
    )


def _disturb(person: Person, turn: Turn) -> None:
    """Whoever is writing a summary of this turn's session, day or week at this moment has to begin again."""
    day = local_day(turn.occurred_at, person.zone)
    monday = day - timedelta(days=day.weekday())
    Summary.objects.filter(
        Q(level=SummaryLevel.SESSION, session_id=turn.session_id, day=day)
        | Q(level=SummaryLevel.DAY, day=day)
        | Q(level=SummaryLevel.WEEK, day=monday),
        person=person,
        service_id=turn.service_id,
        state=SummaryState.RUNNING,
    ).update(state=SummaryState.PENDING, due_at=timezone.now(), claimed_at=None)


def _claim(summary_pk: uuid.UUID) -> Summary | None:
    now = timezone.now()
    left = Q(claims.given_up(now, CLAIM_SECONDS), state=SummaryState.RUNNING)
    free = Q(state=SummaryState.PENDING) | left
    with transaction.atomic():
        summary = (
            Summary.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("person__key", "service")
            .filter(free, pk=summary_pk)
            .first()
        )
        if summary is None:
            return None
        if summary.state == SummaryState.RUNNING and summary.attempts >= MAX_ATTEMPTS:
            _finish(summary, SummaryState.SKIPPED, error="worker-lost")  # it took its worker down each time
            return None
        summary.state, summary.claimed_at, summary.attempts = SummaryState.RUNNING, now, summary.attempts + 1
        summary.save(update_fields=["state", "claimed_at", "attempts"])
    return summary


def _permit(summary: Summary) -> Permit:
    """Ask the gate now: consent and switches as they are, not as they were when the turns came in."""
    revision = summary.service.revisions.filter(state=RevisionState.DEPLOYED).first()
    return gate.admit(Caller(service=summary.service, revision=revision), summary.person.user_id, Act.EXTRACT)


def _store(permit: Permit, seen: Summary, sources: _Sources, digest: Digest, method: str) -> None:
    """Write under the person's lock, unless something was added or withdrawn since the sources were read."""
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        summary = Summary.objects.select_for_update().filter(pk=seen.pk).first()
        if summary is None or summary.state != SummaryState.RUNNING or summary.claimed_at != seen.claimed_at:
            return
        mark = sources.mark(box, method)
        if mark != summary.inputs and (digest.lines or summary.content):
            summary.session_ids, summary.summary_ids = sources.session_ids, sources.summary_ids
            summary.pair_ids = sorted({pk for line in sources.lines for pk in line.pair_ids})
            summary.method, summary.inputs = method, mark
            _write_content(summary, box, digest)
        summary.state, summary.claimed_at, summary.due_at, summary.error = SummaryState.DONE, None, None, ""
        summary.save()
        _pass_on(permit, summary)


def _write_content(summary: Summary, box: Box, digest: Digest) -> None:
    """Seal the lines; a summary with none says nothing and is a tombstone to devices."""
    content = {"summary": digest.text, "lines": [_line_json(line) for line in digest.lines]}
    summary.content = box.seal(content, place(summary)) if digest.lines else None
    summary.version += 1
    summary.made_at = timezone.now()
    gone = summary.content is None
    changes.note(summary.person_id, changes.SUMMARY, summary.pk, service_id=summary.service_id, gone=gone)


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "text": line.text,
        "pair_ids": [str(pk) for pk in line.pair_ids],
        "times": line.times,
        "days": line.days,
        "at": rfc3339.tell(line.at),
    }


def _pass_on(permit: Permit, summary: Summary) -> None:
    """The level above has something new; above the week, what the person is like is judged again."""
    above = PARENT.get(SummaryLevel(summary.level))
    if above is None:
        profile.settle_all(permit.person, box_of(permit.person))
        return
    _due(permit.person, permit.service, above, summary.day, at=timezone.now())


def _finish(summary: Summary, state: SummaryState, *, error: str) -> None:
    Summary.objects.filter(pk=summary.pk, state=SummaryState.RUNNING, claimed_at=summary.claimed_at).update(
        state=state, error=error, claimed_at=None, due_at=None
    )


def _retry(summary: Summary, error: str) -> None:
    """Back off; after the last attempt the summary waits for the next turn of its session."""
    if summary.attempts >= MAX_ATTEMPTS:
        _finish(summary, SummaryState.SKIPPED, error=error)
        return
    later = timezone.now() + FIRST_WAIT * 4 ** (summary.attempts - 1)
    Summary.objects.filter(pk=summary.pk, state=SummaryState.RUNNING, claimed_at=summary.claimed_at).update(
        state=SummaryState.PENDING, error=error, claimed_at=None, due_at=later
    )
