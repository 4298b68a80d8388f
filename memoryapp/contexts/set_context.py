"""The tool set_context: replace or append a block's text, or one entry of it."""

from dataclasses import dataclass

from django.db import transaction

from memoryapp.contexts import entries, leave, prompt, reach, store, texts, words
from memoryapp.contexts.reach import Session
from memoryapp.contexts.said import Cannot, Said
from memoryapp.contexts.usage import usage
from memoryapp.models import ContextBlock, ContextKind, ContextSource
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of


@dataclass(frozen=True, kw_only=True)
class Write:
    """What a model wants written."""

    label: str
    content: str
    append: bool = False
    title: str = ""
    description: str | None = None


def set_context(permit: Permit, session_id: str, write: Write) -> Said:
    """Write, and answer with the usage. Raises Cannot; then nothing was written."""
    with transaction.atomic():
        permit = leave.again(permit)
        block = reach.for_model(Session.at(permit, session_id), write.label)
        check_writable(block)
        box = box_of(permit.person)
        said = _entry(block, box, write) if block.keyed else _text(block, box, write)
        return Said(
            texts.result(said[0], label=block.label, usage=usage(block.tokens, block.max_tokens), **said[1])
        )


def check_writable(block: ContextBlock) -> None:
    if block.source == ContextSource.MEMORY:
        raise Cannot("memory_not_writable", label=block.label)
    if block.kind == ContextKind.READONLY:
        raise Cannot("not_writable", label=block.label, kind=block.kind)


def _text(block: ContextBlock, box: Box, write: Write) -> tuple[str, dict[str, str]]:
    old = words.read(block, box).content if write.append else ""
    store.set_text(block, box, store.joined(old, write.content))
    return "written", {}


def _entry(block: ContextBlock, box: Box, write: Write) -> tuple[str, dict[str, str]]:
    if not write.content.strip() and not write.append:
        return "entry_removed", {"key": remove_entry(block, box, write.title)}
    made, key = entries.put(
        block,
        box,
        title=write.title,
        description=write.description,
        content=write.content,
        append=write.append,
    )
    return "entry_written" if made or write.append else "entry_replaced", {"key": key}


def remove_entry(block: ContextBlock, box: Box, title: str) -> str:
    """Remove one entry, from the frozen prompts too. → its key. Raises Cannot when there is none."""
    entry = entries.find(block, box, title)
    if entry is None:
        raise Cannot("unknown_entry", label=block.label)
    entries.drop(block, entry)
    prompt.mend(box, block)
    return words.read_heading(entry, box).key
