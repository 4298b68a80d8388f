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
MOST_PAIRS, MOST_DAYS, MOST_ITEMS, LOOKED_AT = 6, 7, 20, 300


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
    latest = _written(permit, SummaryLevel.SESSION).filter(session_id=session_id).order_by("-day").first()
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
    if not have["short_term"]["session_summary"] and (text := session_summary(permit, box, session_id)):
        yield Part(place=SESSION, value=text)
    told = {day.get("day") or day.get("date") for day in have["mid_term"]["daily_summaries"]}
    today = local_day(now, permit.person.zone)
    recent = _written(permit, SummaryLevel.DAY).filter(day__gt=today - timedelta(days=14))
    for summary in reversed(recent.order_by("-day")[:MOST_DAYS]):
        if summary.day.isoformat() not in told:
            yield Part(
                place=DAYS, value={"day": summary.day.isoformat(), "summary": compress.read(summary, box)}
            )
    if not have["mid_term"]["weekly_digest"]:
        latest = _written(permit, SummaryLevel.WEEK).order_by("-day").first()
        if latest is not None and latest.day > today - timedelta(days=14):
            yield Part(place=WEEK, value=compress.read(latest, box))


def _written(permit: Permit, level: SummaryLevel) -> QuerySet[Summary]:
    return Summary.objects.filter(
        person=permit.person, service=permit.service, level=level, content__isnull=False
    )


def _items(permit: Permit, box: Box, have: dict[str, Any], text: str, now: datetime) -> Iterator[Part]:
    """Confirmed items only, with their confidence; none without consent to a profile."""
    if not ledger.standings(permit.person, permit.service.slug).allows(Domain.PROFILE):
        return
    told = {str(item["value"]) for item in have["long_term"]["profile_items"] if "key" not in item}
    asked = set(terms.analyse(text))
    opened = [(memory, contents.read(memory, box)) for memory in _profile(permit, now)]
    opened.sort(key=lambda pair: _use(pair[0], pair[1], asked), reverse=True)
    for memory, content in opened[:MOST_ITEMS]:
        item = item_json(memory, content)
        if "key" in item or item["value"] not in told:
            yield Part(place=ITEMS, value=item, source=memory)


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
        .order_by("-confidence", "-updated_at")[:LOOKED_AT]
    )


def _use(memory: Memory, content: Content, asked: set[str]) -> tuple[int, float]:
    """What shares words with the utterance first, then what is surest."""
    return len(asked & set(terms.analyse(content.searchable()))), memory.confidence


def item_json(memory: Memory, content: Content) -> dict[str, Any]:
    """A memory as a profile item: with a key if it is of a known kind, else as a sentence of its category."""
    category = memory.memory_type.lower()
    named = signals.item_of(content.statement)
    if content.memory_subtype and named is None and content.keywords:
        named = (content.memory_subtype, content.keywords[0])
    known = {"key": named[0], "category": category, "value": named[1]} if named else None
    item = known or {"category": category, "value": content.statement}
    return {**item, "confidence": round(memory.confidence, 2)}
