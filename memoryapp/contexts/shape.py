"""How a block looks from outside: to the API, to the export and to my page."""

from collections.abc import Iterator, Sequence
from typing import Any

from memoryapp.contexts import prompt, reach, words
from memoryapp.contexts.usage import usage
from memoryapp.models import ContextBlock, ContextEntry, ContextLoad
from memoryapp.permit import Permit
from memoryapp.vault import Box


def block_json(block: ContextBlock, box: Box) -> dict[str, Any]:
    """A block without its entries."""
    held = words.read(block, box)
    return {
        "session_id": block.session_id,
        "label": block.label,
        "kind": block.kind,
        "description": held.description,
        "source": block.source or None,
        "max_tokens": block.max_tokens,
        "tokens": block.tokens,
        "usage": usage(block.tokens, block.max_tokens),
        "content": None if block.keyed else held.content,
        "version": block.version,
        "created_at": block.created_at.isoformat(),
        "updated_at": block.updated_at.isoformat(),
    }


def full_json(block: ContextBlock, box: Box, session_id: str | None = None) -> dict[str, Any]:
    """A block with its entries and grants, as one session sees it: what is loaded there, whose it is."""
    seen_from = session_id or block.session_id
    loads = ContextLoad.objects.filter(entry__block=block, session_id=seen_from)
    loaded = set(loads.values_list("entry", flat=True))
    return {
        **block_json(block, box),
        "shared_from": None if seen_from == block.session_id else block.session_id,
        "shared_with": sorted(block.grants.values_list("to_session_id", flat=True)),
        "entries": [{**entry_json(entry, box), "loaded": entry.pk in loaded} for entry in entries_of(block)],
    }


def entries_of(block: ContextBlock) -> Sequence[ContextEntry]:
    """The entries in the order they were made."""
    return list(ContextEntry.objects.filter(block=block).order_by("created_at", "pk")) if block.keyed else []


def entry_json(entry: ContextEntry, box: Box) -> dict[str, Any]:
    heading = words.read_heading(entry, box)
    return {
        "key": heading.key,
        "title": heading.title,
        "description": heading.description,
        "content": words.read_text(entry, box),
        "tokens": entry.tokens,
        "version": entry.version,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
    }


def exported(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """Every block and frozen prompt of the person, for the export; for a service, those at this service."""
    for block in reach.mine(permit).order_by("service", "session_id", "created_at", "pk").iterator(500):
        yield {"kind": "context", **_exported(block, box)}
    for frozen in reach.frozen(permit).order_by("service", "session_id").iterator(500):
        kept = prompt.opened(frozen, box)
        yield {
            "kind": "prompt",
            "service": frozen.service.slug,
            "session_id": frozen.session_id,
            "prompt": kept.text,
            "frozen_at": frozen.frozen_at.isoformat(),
        }


def _exported(block: ContextBlock, box: Box) -> dict[str, Any]:
    data = full_json(block, box)
    # `kind` says what a line of the export is; the block's own goes by another name.
    return {"service": block.service.slug, "context_kind": data.pop("kind"), **data}
