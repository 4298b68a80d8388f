"""What our own store adds to a device's snapshot: the session so far, summaries, confirmed profile items."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from consent import ledger
from consent.domains import Domain
from memoryapp import browse, compress, pairs, signals
from memoryapp import content as contents
from memoryapp.a2a.budget import DAYS, ITEMS, PAIRS, SESSION, WEEK, Part
from memoryapp.content import Content
from memoryapp.index import terms
from memoryapp.models import GUARDED, Memory, MemoryType, Scope, Status, Summary, SummaryLevel, Turn
from memoryapp.pairs import local_day
from memoryapp.permit import Permit
from memoryapp.vault import Box

PROFILE_TYPES = (
    MemoryType.ALIAS,
    MemoryType.HABIT,
    MemoryType.PREFERENCE,
    MemoryType.PROFILE,
    MemoryType.RULE,
)
MOST_PAIRS, MOST_DAYS, MOST_ITEMS = 6, 7, 20
#: So many of what shares a word with the utterance, and of what is surest, are looked at.
RELATED, SUREST = 60, 40
LOOK_BACK = timedelta(days=14)


def parts(
    permit: Permit, box: Box, have: dict[str, Any], *, session_id: str, text: str, now: datetime
) -> list[Part]:
    """What the snapshot (`have`, a memory_context) does not tell, most relevant items first."""
    found = list(_items(permit, box, have, text, now))
    if Scope.SERVICE in permit.scopes:  # turns and summaries stay inside the service they were said to
        found += [*_pairs(permit, box, have, session_id), *_summaries(permit, box, have, session_id, now)]
    return found


def session_summary(permit: Permit, box: Box, session_id: str) -> str:
    """What is known of a session by now; "" before it was ever summarised."""
    if not session_id or Scope.SERVICE not in permit.scopes:
        return ""
    latest = _written(permit).filter(_of_session(session_id)).order_by("-day").first()
    return compress.read(latest, box) if latest else ""


def _pairs(permit: Permit, box: Box, have: dict[str, Any], session_id: str) -> Iterator[Part]:
    if have["short_term"]["recent_pairs"] or not session_id:
        return
    turns = Turn.objects.filter(person=permit.person, service=permit.service, session_id=session_id)
    turns = turns.exclude(pk__in=compress.hushed(permit.person))
    last = list(turns.order_by("-occurred_at", "-pk")[:MOST_PAIRS])
    for pair in pairs.read_all(reversed(last), box):
        value = {"user": pair.user, "assistant": pair.assistant}
        route = {"route_family": pair.route_family} if pair.route_family else {}
        yield Part(place=PAIRS, value={**value, **route})


def _summaries(
    permit: Permit, box: Box, have: dict[str, Any], session_id: str, now: datetime
) -> Iterator[Part]:
    """The session's, the last days' and the last week's, in one query."""
    since = local_day(now, permit.person.zone) - LOOK_BACK
    wanted = Q(level__in=[SummaryLevel.DAY, SummaryLevel.WEEK]) | _of_session(session_id)
    rows = list(_written(permit).filter(wanted, day__gt=since).order_by("-day"))
    told = {day.get("day") or day.get("date") for day in have["mid_term"]["daily_summaries"]}
    sessions = [row for row in rows if row.level == SummaryLevel.SESSION]
    days = [row for row in rows if row.level == SummaryLevel.DAY][:MOST_DAYS]
    weeks = [row for row in rows if row.level == SummaryLevel.WEEK]
    if sessions and session_id and not have["short_term"]["session_summary"]:
        yield Part(place=SESSION, value=compress.read(sessions[0], box))
    for row in reversed(days):
        if (day := row.day.isoformat()) not in told:
            yield Part(place=DAYS, value={"day": day, "summary": compress.read(row, box)})
    if weeks and not have["mid_term"]["weekly_digest"]:
        yield Part(place=WEEK, value=compress.read(weeks[0], box))


def _written(permit: Permit) -> QuerySet[Summary]:
    return Summary.objects.filter(person=permit.person, service=permit.service, content__isnull=False)


def _of_session(session_id: str) -> Q:
    return Q(level=SummaryLevel.SESSION, session_id=session_id)


def _items(permit: Permit, box: Box, have: dict[str, Any], text: str, now: datetime) -> Iterator[Part]:
    """Confirmed items only, with their confidence, none twice; nothing without consent to a profile."""
    if not ledger.standings(permit.person, permit.service.slug).allows(Domain.PROFILE):
        return
    told = {str(item["value"]) for item in have["long_term"]["profile_items"] if "key" not in item}
    named: set[tuple[str, str]] = set()
    for memory, content in _most_useful(permit, box, text, now):
        item = item_json(memory, content)
        name = (str(item.get("key", "")), str(item["value"]))
        if name not in named and ("key" in item or item["value"] not in told):
            named.add(name)
            yield Part(place=ITEMS, value=item, source=memory)


def _most_useful(permit: Permit, box: Box, text: str, now: datetime) -> list[tuple[Memory, Content]]:
    """What shares most words with the utterance first, then what is surest."""
    asked = set(terms.analyse(text))
    rows = _profile(permit, now).only("person", "memory_type", "confidence", "content", "content_version")
    found = list(rows[:SUREST])
    if asked:
        found += rows.filter(index__terms__overlap=[box.mark(term) for term in asked])[:RELATED]
    opened = [(memory, contents.read(memory, box)) for memory in {row.pk: row for row in found}.values()]

    def use(pair: tuple[Memory, Content]) -> tuple[int, float]:
        return len(asked & set(terms.analyse(pair[1].searchable()))), pair[0].confidence

    return sorted(opened, key=use, reverse=True)[:MOST_ITEMS]


def _profile(permit: Permit, now: datetime) -> QuerySet[Memory]:
    scopes = set(permit.revision.recall_scopes)
    allowed = Q(service__isnull=True) if Scope.PERSONAL in scopes else Q(pk__in=[])
    if Scope.SERVICE in scopes:
        allowed |= Q(service__isnull=False)
    return (
        Memory.objects.filter(browse.in_scope(permit), allowed, person=permit.person, deleted_at__isnull=True)
        .filter(Q(valid_from__isnull=True) | Q(valid_from__lte=now))
        .filter(Q(valid_to__isnull=True) | Q(valid_to__gt=now))
        .filter(status=Status.CONFIRMED, memory_type__in=PROFILE_TYPES, project_id="", quarantine="")
        .exclude(sensitivity__in=GUARDED)
        .order_by("-confidence", "-updated_at")
    )


def item_json(memory: Memory, content: Content) -> dict[str, Any]:
    """A memory as a profile item: with a key if it is of a known kind, else as a sentence of its category."""
    category = memory.memory_type.lower()
    named = signals.item_of(content.statement)
    if content.memory_subtype and named is None and content.keywords:
        named = (content.memory_subtype, content.keywords[0])
    known = {"key": named[0], "category": category, "value": named[1]} if named else None
    item = known or {"category": category, "value": content.statement}
    return {**item, "confidence": round(memory.confidence, 2)}
