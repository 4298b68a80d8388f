"""The system prompt of a session: assembled once, kept as it is, assembled again when asked to.

A write shows after a refresh. What is taken back (a deleted block or entry, an end of sharing, what the
person changed themself) leaves the frozen prompt at once, on disk too; all other parts stay byte for byte.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from memoryapp import tokens
from memoryapp.contexts import leave, reach, words
from memoryapp.contexts.reach import Session
from memoryapp.contexts.render import Seen, render
from memoryapp.contexts.words import Heading
from memoryapp.models import ContextBlock, ContextEntry, ContextGrant, ContextKind, ContextLoad, FrozenPrompt
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of


@dataclass(frozen=True)
class Part:
    """One block as it was frozen."""

    block_id: str
    edition: int
    tokens: int
    text: str


@dataclass(frozen=True)
class Prompt:
    """What a runtime puts at the head of its conversation."""

    parts: Sequence[Part] = ()
    frozen_at: datetime | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def tokens(self) -> int:
        # A part ends with a blank line, where tokens end too: the sum is exact.
        return sum(part.tokens for part in self.parts)


def prompt(permit: Permit, session_id: str) -> Prompt:
    """The frozen prompt; assembled and kept if there is none yet."""
    session, box = Session.at(permit, session_id), box_of(permit.person)
    frozen = _kept(session)
    if frozen is None:
        return refresh(permit, session_id)
    kept = opened(frozen, box)
    if reach.is_old(frozen.used_at):
        FrozenPrompt.objects.filter(pk=frozen.pk).update(used_at=timezone.now())
    if _outdated(kept.parts, reach.editions(session)):
        with transaction.atomic():
            leave.again(permit)
            return _mend(session, box)
    return kept


def refresh(permit: Permit, session_id: str) -> Prompt:
    """Assemble the prompt from the blocks as they are now, and keep it; without blocks, keep none."""
    with transaction.atomic():
        permit = leave.again(permit)
        session, box = Session.at(permit, session_id), box_of(permit.person)
        rows = reach.shown(session)
        if not rows:
            FrozenPrompt.objects.filter(**session.whose, session_id=session_id).delete()
            return Prompt()
        return keep(session, box, _assemble(rows, session, box), timezone.now())


def mend(box: Box, block: ContextBlock, *sessions: str) -> None:
    """Take what was taken back of a block out of the frozen prompts, in the caller's transaction.

    Of the block's own session, of those it is shared with, and of `sessions`, with which it no longer is.
    """
    granted = ContextGrant.objects.filter(block_id=block.pk).values_list("to_session_id", flat=True)
    for session_id in {block.session_id, *granted, *sessions}:
        _mend(Session(block.person_id, block.service_id, session_id), box)


def opened(frozen: FrozenPrompt, box: Box) -> Prompt:
    """A prompt as it is kept. Raises VaultUnavailable."""
    parts = [Part(*fields) for fields in box.open(frozen.content, _place(Session.around(frozen)))]
    return Prompt(parts, frozen.frozen_at)


def _mend(session: Session, box: Box) -> Prompt:
    frozen = _kept(session)
    if frozen is None:
        return Prompt()
    rows = {str(row.pk): row for row in reach.shown(session)}
    parts = [part for part in opened(frozen, box).parts if part.block_id in rows]
    changed = [rows[part.block_id] for part in parts if part.edition != rows[part.block_id].edition]
    fresh = {part.block_id: part for part in _assemble(changed, session, box)}
    kept = [fresh.get(part.block_id, part) for part in parts]
    if not kept:
        frozen.delete()
        return Prompt()
    return keep(session, box, kept, frozen.frozen_at)


def _outdated(parts: Iterable[Part], editions: Mapping[uuid.UUID, int]) -> bool:
    return any(editions.get(uuid.UUID(part.block_id)) != part.edition for part in parts)


def _assemble(rows: Sequence[ContextBlock], session: Session, box: Box) -> list[Part]:
    """Render blocks. The number of queries does not depend on how many there are."""
    listed, counts = _listed(rows, session, box), _counts(rows)
    parts = []
    for row in rows:
        content = words.read(row, box)
        text = render(
            Seen(
                label=row.label,
                kind=row.kind,
                description=content.description,
                source=row.source,
                tokens=row.tokens,
                max_tokens=row.max_tokens,
                content=content.content,
                entries=listed.get(row.pk, []),
                count=counts.get(row.pk, 0),
            )
        )
        parts.append(Part(str(row.pk), row.edition, tokens.count(text), text))
    return parts


def _listed(
    rows: Sequence[ContextBlock], session: Session, box: Box
) -> dict[uuid.UUID, list[tuple[Heading, bool]]]:
    blocks = [row.pk for row in rows if row.kind == ContextKind.LOADABLE]
    if not blocks:
        return {}
    loads = ContextLoad.objects.filter(entry__block__in=blocks, session_id=session.session_id)
    loaded = set(loads.values_list("entry", flat=True))
    result: dict[uuid.UUID, list[tuple[Heading, bool]]] = {}
    for entry in (
        ContextEntry.objects.filter(block__in=blocks).only("heading", "block_id").order_by("created_at", "pk")
    ):
        result.setdefault(entry.block_id, []).append((words.read_heading(entry, box), entry.pk in loaded))
    return result


def _counts(rows: Sequence[ContextBlock]) -> dict[uuid.UUID, int]:
    blocks = [row.pk for row in rows if row.kind == ContextKind.SEARCHABLE]
    if not blocks:
        return {}
    counted = ContextEntry.objects.filter(block__in=blocks).values("block").annotate(number=Count("pk"))
    return {row["block"]: row["number"] for row in counted}


def _kept(session: Session) -> FrozenPrompt | None:
    return FrozenPrompt.objects.filter(**session.whose, session_id=session.session_id).first()


def keep(session: Session, box: Box, parts: Sequence[Part], at: datetime) -> Prompt:
    """Keep a prompt in the place of the one there was, in the caller's transaction."""
    sealed = box.seal([[p.block_id, p.edition, p.tokens, p.text] for p in parts], _place(session))
    row = FrozenPrompt(**session.whose, session_id=session.session_id, content=sealed, frozen_at=at)
    FrozenPrompt.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["person", "service", "session_id"],
        update_fields=["content", "frozen_at", "used_at"],
    )
    return Prompt(parts, at)


def _place(session: Session) -> str:
    return f"prompt:{session.service_id}:{session.session_id}"
