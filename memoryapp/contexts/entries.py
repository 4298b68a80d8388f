"""The entries of a searchable or loadable block, each under the key made from its title.

Like store.py: in the caller's transaction, under the person's lock; Cannot when it does not fit.
"""

from django.contrib.postgres.fields import ArrayField
from django.db.models import BigIntegerField, Value

from memoryapp import sensitivity, tokens
from memoryapp.contexts import limits, store, words
from memoryapp.contexts.keys import MAX_LENGTH, key_of
from memoryapp.contexts.said import Cannot
from memoryapp.contexts.words import Heading
from memoryapp.index import terms
from memoryapp.models import GUARDED, ContextBlock, ContextEntry
from memoryapp.vault import Box


def find(block: ContextBlock, box: Box, key: str) -> ContextEntry | None:
    """The entry with this key, or with a title that makes it."""
    return ContextEntry.objects.filter(block=block, key_mark=_mark(box, key_of(key))).first()


def put(
    block: ContextBlock, box: Box, *, title: str, description: str | None, content: str, append: bool = False
) -> tuple[bool, str]:
    """Write the entry that its title names; without a title the text's first line is one. → (made?, key)

    `description` None keeps the one it has.
    """
    title = one_line(title) or one_line(content.strip().split("\n", 1)[0])[:MAX_LENGTH]
    key = key_of(title)
    if not key:
        raise Cannot("no_title")
    known = find(block, box, key)
    old = words.read_text(known, box) if known and append else ""
    if description is None:
        description = words.read_heading(known, box).description if known else ""
    heading = Heading(key=key, title=title, description=one_line(description))
    _write(block, box, known or _new(block, box, key), heading, store.joined(old, content))
    return known is None, key


def drop(block: ContextBlock, entry: ContextEntry) -> None:
    """Remove an entry; what is left of it in frozen prompts is out of date from now on."""
    ContextEntry.objects.filter(pk=entry.pk).delete()
    block.edition += 1
    store.save(block, used=block.tokens - entry.tokens, size=block.size - entry.size)


def index(entry: ContextEntry, box: Box, heading: Heading, text: str) -> None:
    """Keyed terms, as recall has them. What is guarded in a text is masked first and gets into no index."""
    full = seen(" ".join([heading.title, heading.description, text]))
    entry.terms, entry.tfs, entry.length = terms.keyed(terms.analyse(full), box.prf)
    entry.analyser = terms.ANALYSER


def seen(text: str) -> str:
    """What the index sees of a text."""
    return sensitivity.mask(text) if sensitivity.detect(text) in GUARDED else text


def bigints(values: list[int]) -> Value:
    """Terms as a query parameter. A plain list is bound as int4, which silently cuts a 64-bit number."""
    return Value(values, output_field=ArrayField(BigIntegerField()))


def one_line(text: str) -> str:
    """What stands in a header or a list has no line of its own to begin."""
    return " ".join(text.split())


def _new(block: ContextBlock, box: Box, key: str) -> ContextEntry:
    if ContextEntry.objects.filter(block=block).count() >= limits.ENTRIES_PER_BLOCK:
        raise Cannot("over_entries", label=block.label, limit=limits.ENTRIES_PER_BLOCK)
    return ContextEntry(block=block, person_id=block.person_id, key_mark=_mark(box, key), version=0)


def _write(block: ContextBlock, box: Box, entry: ContextEntry, heading: Heading, text: str) -> None:
    size, used = len(text.encode()), tokens.count(text)
    block_bytes, block_used = block.size - entry.size + size, block.tokens - entry.tokens + used
    store.check(block, text_bytes=size, block_bytes=block_bytes, used=block_used)
    words.write_heading(entry, box, heading)
    words.write_text(entry, box, text)
    index(entry, box, heading, text)
    entry.tokens, entry.size, entry.version = used, size, entry.version + 1
    entry.save()
    store.save(block, used=block_used, size=block_bytes)


def _mark(box: Box, key: str) -> int:
    return box.mark(f"context-key|{key}")
