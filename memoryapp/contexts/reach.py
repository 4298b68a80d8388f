"""Which blocks are reached: those of a session, and those shared with it. A WHERE clause, never a filter."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from memoryapp.contexts.said import Cannot
from memoryapp.errors import NotFound
from memoryapp.models import ContextBlock, ContextEntry, ContextGrant, FrozenPrompt
from memoryapp.permit import Permit


@dataclass(frozen=True)
class Session:
    """One session of one person at one service: what a block belongs to."""

    person_id: int
    service_id: int
    session_id: str

    @classmethod
    def at(cls, permit: Permit, session_id: str) -> "Session":
        """The session that a service means by this id."""
        return cls(permit.person.pk, permit.service.pk, session_id)

    @classmethod
    def around(cls, row: ContextBlock | FrozenPrompt) -> "Session":
        """The session that a row belongs to."""
        return cls(row.person_id, row.service_id, row.session_id)

    @property
    def whose(self) -> dict[str, int]:
        return {"person_id": self.person_id, "service_id": self.service_id}

    def owns(self, block: ContextBlock) -> bool:
        return Session.around(block) == self


def shown(session: Session) -> list[ContextBlock]:
    """The blocks of a session: its own in the order they were made, then the shared ones."""
    rows = sorted(_rows(session), key=lambda row: (not session.owns(row), row.created_at, row.pk))
    _note_use((row.pk, row.used_at) for row in rows)
    return rows


def editions(session: Session) -> dict[uuid.UUID, int]:
    """Which blocks a session has and how often something was taken back in each, without their words."""
    rows = list(_rows(session).values_list("pk", "edition", "used_at"))
    _note_use((pk, used_at) for pk, _, used_at in rows)
    return {pk: edition for pk, edition, _ in rows}


def is_old(used_at: datetime) -> bool:
    """Whether a use has to be noted anew. Once a day is enough, and costs a read nothing on all other occasions."""
    return used_at < timezone.now() - timedelta(days=1)


def _note_use(blocks: Iterable[tuple[uuid.UUID, datetime]]) -> None:
    """What a session still has is not purged."""
    if old := [pk for pk, used_at in blocks if is_old(used_at)]:
        ContextBlock.objects.filter(pk__in=old).update(used_at=timezone.now())


def _rows(session: Session) -> QuerySet[ContextBlock]:
    shared = ContextGrant.objects.filter(**session.whose, to_session_id=session.session_id).values("block")
    return ContextBlock.objects.filter(Q(session_id=session.session_id) | Q(pk__in=shared), **session.whose)


def own(session: Session, label: str) -> ContextBlock:
    """A block that belongs to the session itself. Raises NotFound."""
    row = ContextBlock.objects.filter(**session.whose, session_id=session.session_id, label=label).first()
    if row is None:
        raise NotFound("no such context")
    return row


def by_label(session: Session, label: str) -> ContextBlock:
    """A block of the session or shared with it. Raises NotFound."""
    row = next((row for row in shown(session) if row.label == label), None)
    if row is None:
        raise NotFound("no such context")
    return row


def for_model(session: Session, label: str) -> ContextBlock:
    """The same, for a tool. Raises Cannot, which names the blocks there are."""
    rows = shown(session)
    row = next((row for row in rows if row.label == label), None)
    if row is not None:
        return row
    if not rows:
        raise Cannot("no_blocks")
    raise Cannot("unknown_label", label=label, labels=", ".join(row.label for row in rows))


def mine(permit: Permit) -> QuerySet[ContextBlock]:
    """Every block of the person; for a service, those at this service."""
    rows = ContextBlock.objects.filter(person=permit.person).select_related("service")
    return rows if permit.caller.service is None else rows.filter(service=permit.caller.service)


def frozen(permit: Permit) -> QuerySet[FrozenPrompt]:
    """Every frozen prompt of the person; for a service, those at this service."""
    rows = FrozenPrompt.objects.filter(person=permit.person).select_related("service")
    return rows if permit.caller.service is None else rows.filter(service=permit.caller.service)


def by_id(permit: Permit, block_id: uuid.UUID) -> ContextBlock:
    """Any block of the person, as my page names it. Raises NotFound."""
    row = mine(permit).filter(pk=block_id).first()
    if row is None:
        raise NotFound("no such context")
    return row


def entry_by_id(block: ContextBlock, entry_id: uuid.UUID) -> ContextEntry:
    """One entry of a block that has been reached. Raises NotFound."""
    row = ContextEntry.objects.filter(block=block, pk=entry_id).first()
    if row is None:
        raise NotFound("no such entry")
    return row


def bytes_beside(block: ContextBlock) -> int:
    """Bytes that the other blocks of this block's session hold."""
    session = Session.around(block)
    others = ContextBlock.objects.filter(**session.whose, session_id=session.session_id).exclude(pk=block.pk)
    return others.aggregate(total=Sum("size"))["total"] or 0


def reads_alike(one: str, other: str) -> bool:
    """Labels are shown in capitals; two that look the same there would be one to a model."""
    return one.upper() == other.upper()
