"""A key-value store for agents: JSON values under a namespace and a key, in the calling service's own scope.

LangGraph's store semantics. The first element of a namespace is the project, "" or absent = global. The
person sees an item as a memory like any other, and may correct or delete it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryapp import content as contents
from memoryapp import costs, gate, lifecycle, own, sensitivity
from memoryapp.content import Content
from memoryapp.index import refresh
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import GUARDED, Forgotten, Memory, MemoryType, Origin
from memoryapp.one_by_one import each
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of
from speakers.locks import lock_person
from speakers.models import Person

Namespace = tuple[str, ...]
STORED, FORGOTTEN, DELETED, ABSENT = "stored", "forgotten", "deleted", "absent"
#: What a filter may compare by; a bare value means $eq.
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda have, want: bool(have == want),
    "$ne": lambda have, want: bool(have != want),
    "$gt": lambda have, want: bool(have > want),
    "$gte": lambda have, want: bool(have >= want),
    "$lt": lambda have, want: bool(have < want),
    "$lte": lambda have, want: bool(have <= want),
}


@dataclass(frozen=True, kw_only=True)
class Put:
    """Store a value; None deletes it. It is found by `text` (default: all texts and numbers in it)."""

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    text: str | None = None
    index: bool = True
    ttl_minutes: float | None = None


@dataclass(frozen=True, kw_only=True)
class Get:
    """Read one value. Reading it lets its time to live begin again, if `refresh_ttl`."""

    namespace: Namespace
    key: str
    refresh_ttl: bool = True


@dataclass(frozen=True, kw_only=True)
class Search:
    """Values under a namespace prefix that satisfy the filter; with a query the best matches first."""

    prefix: Namespace
    query: str | None = None
    filter: Mapping[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    refresh_ttl: bool = True


@dataclass(frozen=True)
class ListNamespaces:
    """All namespaces that hold something."""


Read = Get | Search | ListNamespaces


@dataclass(frozen=True, kw_only=True)
class Item:
    """A stored value. `score` only after a query that it could be found by."""

    memory: Memory
    namespace: Namespace
    key: str
    value: Mapping[str, Any]
    ttl_minutes: float | None
    index: bool
    score: float | None = None


def read(permit: Permit, operation: Read) -> Any:
    """Answer one operation: an Item or None, a list of Items, or a list of namespaces. Raises NoConsent."""
    own.scope(permit)
    if isinstance(operation, ListNamespaces):
        return sorted({item.namespace for item in _items(permit, _current(permit))})
    found = _get(permit, operation) if isinstance(operation, Get) else _search(permit, operation)
    if found:
        own.receipt(permit, [(item.memory, item.score or 1.0) for item in found], "store")
    if operation.refresh_ttl:
        _live_on(found)
    if isinstance(operation, Search):
        return found
    return found[0] if found else None


def write(permit: Permit, puts: Sequence[Put]) -> list[str]:
    """Do all of these, the last one for a key winning. → what became of each.

    "stored", "deleted", "absent", or "forgotten": the person deleted exactly this value, so it is not learnt
    again (X4). Raises NoConsent.
    """
    own.scope(permit)
    box = box_of(permit.person)
    marks = [own.mark(box, own.ITEM, put.namespace, put.key) for put in puts]
    last = {mark: at for at, mark in enumerate(marks)}
    texts = [_text(put) for put in puts]
    with costs.embedding_charged(permit, costs.EMBEDDING):
        embedded = _embed(puts, texts, set(last.values()))
    with transaction.atomic():
        permit = gate.again(permit)
        own.scope(permit)
        done = {
            mark: _write(permit, box, puts[at], mark, texts[at], embedded.get(at))
            for mark, at in last.items()
        }
    return [done[mark] for mark in marks]


def delete(permit: Permit, namespace: Namespace, key: str) -> str:
    """Delete one value, consent or not. → "deleted" or "absent"."""
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        return _delete(permit, box, own.mark(box, own.ITEM, namespace, key))


def purge(limit: int = 1000) -> int:
    """Delete the items whose time to live is over, as any memory is deleted. → how many."""
    over = Q(event_id__startswith=own.ITEM, deleted_at__isnull=True, valid_to__lte=timezone.now())
    people = Person.objects.filter(pk__in=Memory.objects.filter(over).values("person")[:limit])
    return each("expired items", people.select_related("key"), lambda person: _purge(person, over))


def _purge(person: Person, over: Q) -> int:
    with transaction.atomic():
        lock_person(person)  # a put at this moment may have given an item a new life
        rows, box = list(Memory.objects.filter(over, person=person)), box_of(person)
        return each("expired items", rows, lambda row: _end(row, box))


def _end(row: Memory, box: Box) -> int:
    with transaction.atomic():
        lifecycle.delete(row, box, Deed(action="expire", actor="system"), may_return=True)
    return 1


# ------------------------------------------------------------------ reading


def _current(permit: Permit) -> QuerySet[Memory]:
    alive = Q(valid_to__isnull=True) | Q(valid_to__gt=timezone.now())
    return own.rows(permit, own.ITEM).filter(alive).order_by("created_at", "pk")


def _items(permit: Permit, rows: QuerySet[Memory]) -> list[Item]:
    box = box_of(permit.person)
    return [_item(row, contents.read(row, box)) for row in rows]


def _item(row: Memory, content: Content, score: float | None = None) -> Item:
    details = content.details or {}
    return Item(
        memory=row,
        namespace=tuple(details["namespace"]),
        key=details["key"],
        value=_value(content, details),
        ttl_minutes=details["ttl_minutes"],
        index=details["index"],
        score=score,
    )


def _value(content: Content, details: Mapping[str, Any]) -> dict[str, Any]:
    """The value, with the person's correction of its text in place of the old text."""
    value: dict[str, Any] = details["value"]
    if content.statement == details["text"]:
        return value
    names = [name for name, part in value.items() if part == details["text"]]
    return {**value, names[0]: content.statement} if names else {"content": content.statement}


def _get(permit: Permit, operation: Get) -> list[Item]:
    mark = own.mark(box_of(permit.person), own.ITEM, operation.namespace, operation.key)
    return _items(permit, _current(permit).filter(event_id=mark))


def _search(permit: Permit, operation: Search) -> list[Item]:
    rows, prefix = _current(permit), operation.prefix
    if prefix:
        rows = rows.filter(project_id=prefix[0])
    items = [item for item in _items(permit, rows) if item.namespace[: len(prefix)] == prefix]
    items = [item for item in items if _passes(item.value, operation.filter or {})]
    if operation.query:
        items = _ranked(permit, operation.query, items, operation.offset + operation.limit)
    return items[operation.offset : operation.offset + operation.limit]


def _ranked(permit: Permit, query: str, items: Sequence[Item], limit: int) -> list[Item]:
    """Best match first; what cannot be searched comes last, without a score."""
    scores: dict[Any, float] = {}
    for project in {item.memory.project_id for item in items}:
        among = [item.memory.pk for item in items if item.memory.project_id == project and _searchable(item)]
        if among:
            hits = own.find(permit, query, own.ITEM, project_id=project, among=among, limit=limit)
            scores |= {hit.memory_id: hit.score for hit in hits.found}
    found = [_scored(item, scores[item.memory.pk]) for item in items if item.memory.pk in scores]
    rest = [item for item in items if not _searchable(item)]
    return sorted(found, key=lambda item: -(item.score or 0.0)) + rest


def _searchable(item: Item) -> bool:
    return item.index and item.memory.sensitivity not in GUARDED


def _scored(item: Item, score: float) -> Item:
    return Item(**{**item.__dict__, "score": round(score, 4)})


def _passes(value: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    return all(_holds(value.get(name), wanted) for name, wanted in conditions.items())


def _holds(have: Any, wanted: Any) -> bool:
    """Values that cannot be compared do not match; they are no error."""
    if not isinstance(wanted, dict) or not any(name in OPERATORS for name in wanted):
        return bool(have == wanted)
    try:
        return all(OPERATORS[name](have, value) for name, value in wanted.items())
    except TypeError:
        return False


def _live_on(items: Sequence[Item]) -> None:
    for item in items:
        if item.ttl_minutes is not None:
            lifecycle.prolong(item.memory, _until(item.ttl_minutes))


def _until(minutes: float) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)


# ------------------------------------------------------------------ writing


def _text(put: Put) -> str:
    """What the item says, for search and for the person to read."""
    if put.value is None:
        return ""
    text = put.text if put.text is not None else " ".join(_leaves(put.value))
    return text.strip() or json.dumps(put.value, ensure_ascii=False)


def _leaves(value: Any) -> list[str]:
    """Every text and number in a JSON value, in order."""
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in _leaves(part)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def _label(put: Put) -> str:
    return sensitivity.detect(json.dumps(put.value, ensure_ascii=False))


def _embed(puts: Sequence[Put], texts: Sequence[str], wanted: set[int]) -> dict[int, Embedded]:
    """Vectors of what may be shown to an embedder, by position."""
    places = [
        at
        for at in sorted(wanted)
        if puts[at].value is not None and puts[at].index and _label(puts[at]) not in GUARDED
    ]
    return dict(zip(places, refresh.prepare([texts[at] for at in places]), strict=True))


def _write(permit: Permit, box: Box, put: Put, mark: str, text: str, embedded: Embedded | None) -> str:
    if put.value is None:
        return _delete(permit, box, mark)
    content = _content(put, mark, text)
    if Forgotten.objects.filter(
        person=permit.person, fingerprint=lifecycle.fingerprint(box, content)
    ).exists():
        return FORGOTTEN
    row = own.rows(permit, own.ITEM).select_for_update(of=("self",)).filter(event_id=mark).first()
    ends = _until(put.ttl_minutes) if put.ttl_minutes is not None else None
    vector = embedded or Embedded(None, None)
    if row is None:
        draft = _draft(permit, put, content, mark, ends)
        lifecycle.insert(permit.person, box, draft, vector, _deed(permit, "insert"))
    else:
        columns = {"sensitivity": _label(put), "valid_to": ends}
        lifecycle.amend(row, box, _deed(permit, "update"), content=content, embedded=vector, **columns)
    return STORED


def _content(put: Put, mark: str, text: str) -> Content:
    value = json.dumps(put.value, ensure_ascii=False, sort_keys=True)
    return Content(
        statement=text,
        raw_content=value,
        memory_subtype="item",
        normalized=f"{mark}|{value}",  # an item is its key and value, however alike two of them sound
        details={
            "namespace": list(put.namespace),
            "key": put.key,
            "value": put.value,
            "text": text,
            "index": put.index,
            "ttl_minutes": put.ttl_minutes,
        },
    )


def _draft(permit: Permit, put: Put, content: Content, mark: str, ends: datetime | None) -> Draft:
    return Draft(
        content=content,
        memory_type=MemoryType.ENTRY,
        origin=Origin.ENTRY,
        occurred_at=timezone.now(),
        sensitivity=_label(put),
        service=permit.service,
        origin_service=permit.service,
        project_id=put.namespace[0] if put.namespace else "",
        event_id=mark,
        valid_to=ends,
    )


def _delete(permit: Permit, box: Box, mark: str) -> str:
    """The service deletes its own item, so it may put it again."""
    row = own.rows(permit, own.ITEM).filter(event_id=mark).first()
    if row is None:
        return ABSENT
    lifecycle.delete(row, box, _deed(permit, "delete"), may_return=True)
    return DELETED


def _deed(permit: Permit, action: str) -> Deed:
    return Deed(action=action, actor=permit.caller.name)
