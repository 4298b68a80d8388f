"""Declare a block of a session, as a runtime does whenever it starts: kind, limit and, if given, content."""

from dataclasses import dataclass, replace

from django.db import transaction

from memoryapp.contexts import entries, leave, limits, reach, store, words
from memoryapp.contexts.reach import Session
from memoryapp.contexts.said import Cannot
from memoryapp.contexts.words import Words
from memoryapp.errors import Conflict, Forbidden, Invalid
from memoryapp.models import KEYED, ContextBlock, ContextKind, ContextSource
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What a block is to be. Without `content` it keeps what it holds: declaring it again loses nothing."""

    kind: str
    description: str = ""
    max_tokens: int | None = None
    content: str | None = None
    source: str = ""


def put(permit: Permit, session_id: str, label: str, definition: Definition) -> tuple[ContextBlock, bool]:
    """Make or change a block. → (it, made?). Raises Invalid when it does not fit, Conflict, Forbidden."""
    _check(permit, definition)
    with transaction.atomic():
        permit = leave.again(permit)
        session, box = Session.at(permit, session_id), box_of(permit.person)
        block, made = _find_or_make(session, label)
        _change(block, box, definition, made)
        try:
            _fill(block, box, definition)
        except Cannot as problem:
            field = "max_tokens" if definition.content is None else "content"
            raise Invalid(str(problem), {field: [str(problem)]}) from problem
    return block, made


def _check(permit: Permit, definition: Definition) -> None:
    if definition.source != ContextSource.MEMORY:
        return
    if definition.kind != ContextKind.SEARCHABLE:
        raise Invalid("only a searchable block can stand for memory", {"source": ["Needs kind searchable."]})
    if definition.content is not None:
        raise Invalid("this block has no content of its own", {"content": ["Not with source memory."]})
    if not leave.may_recall(permit):
        raise Forbidden("this key lacks the permission recall")


def _find_or_make(session: Session, label: str) -> tuple[ContextBlock, bool]:
    rows = reach.shown(session)
    known = next((row for row in rows if row.label == label and session.owns(row)), None)
    if known is not None:
        return known, False
    if any(reach.reads_alike(row.label, label) for row in rows):
        raise Conflict("this session has a block whose label reads the same")
    if sum(session.owns(row) for row in rows) >= limits.BLOCKS_PER_SESSION:
        raise Invalid(
            "too many blocks", {"label": [f"A session has at most {limits.BLOCKS_PER_SESSION} blocks."]}
        )
    return ContextBlock(**session.whose, session_id=session.session_id, label=label, version=0), True


def _change(block: ContextBlock, box: Box, definition: Definition, made: bool) -> None:
    if block.size and _nature(block.kind, block.source) != _nature(definition.kind, definition.source):
        raise Conflict(
            "a block that holds something cannot become one that holds it differently; delete it first"
        )
    block.kind, block.source = definition.kind, definition.source
    block.max_tokens = definition.max_tokens
    old = Words() if made else words.read(block, box)
    words.write(block, box, replace(old, description=definition.description))


def _nature(kind: str, source: str) -> str:
    return source or ("entries" if kind in KEYED else "text")


def _fill(block: ContextBlock, box: Box, definition: Definition) -> None:
    if definition.content is None:
        store.check_tokens(block, block.tokens)
        block.version += 1
        block.save()
    elif not block.keyed:
        store.set_text(block, box, definition.content)
    else:
        block.save()
        if definition.content.strip():
            entries.put(block, box, title="", description=None, content=definition.content)
