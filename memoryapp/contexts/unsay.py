"""When a memory is deleted or corrected, its words leave the person's blocks and frozen prompts as well.

A model writes into a block what it recalled. Whoever deletes the memory means that sentence, wherever it was
copied to. Copies are found word for word; a retelling is the person's to find on my page.
"""

import re
from collections.abc import Callable

from django.db.models import Q

from memoryapp import tokens
from memoryapp.contexts import entries, prompt, store, words
from memoryapp.contexts.reach import Session
from memoryapp.index import terms
from memoryapp.models import ContextBlock, ContextEntry, FrozenPrompt
from memoryapp.vault import Box

#: A shorter statement may be a word that other sentences use: it goes only where it is a line of its own.
_A_SENTENCE = 8
_MARKS = r"[ \t\-*•·–.,;:!?。]*"  # what may be left of a line when its words are gone
_GONE = "\0"  # no text can hold it
_EMPTY_LINE = re.compile(f"{_MARKS}{_GONE}[{_GONE}{_MARKS[1:]}")

Without = Callable[[str], str]


def unsay(person_id: int, box: Box, statement: str) -> None:
    """Take a statement out of every block and frozen prompt, in the caller's transaction."""
    without = _remover(statement)
    if without is None:
        return
    changed = [*_from_texts(person_id, box, without), *_from_entries(person_id, box, without, statement)]
    for block in changed:
        prompt.mend(box, block)
    _from_prompts(person_id, box, without)


def _remover(statement: str) -> Without | None:
    """A function that takes the statement out of a text, however it is spaced or capitalised there."""
    parts = statement.strip(" \t\n.!?。").split()
    if not parts:
        return None
    sentence = r"\s+".join(re.escape(part) for part in parts)
    if len("".join(parts)) < _A_SENTENCE:
        sentence = rf"(?m:^{_MARKS}{sentence}{_MARKS}$)"
    pattern = re.compile(sentence, re.IGNORECASE)

    def without(text: str) -> str:
        lines = pattern.sub(_GONE, text).split("\n")
        return "\n".join(line.replace(_GONE, "") for line in lines if not _EMPTY_LINE.fullmatch(line))

    return without


def _from_texts(person_id: int, box: Box, without: Without) -> list[ContextBlock]:
    changed = []
    for block in ContextBlock.objects.filter(person_id=person_id, size__gt=0):
        text = words.read(block, box).content
        rest = without(text)
        if rest != text:
            block.edition += 1
            store.set_text(block, box, rest)
            changed.append(block)
    return changed


def _from_entries(person_id: int, box: Box, without: Without, statement: str) -> list[ContextBlock]:
    """Only entries that hold all terms of the statement can hold the statement."""
    wanted, _, _ = terms.keyed(terms.analyse(entries.seen(statement)), box.prf)
    holds = Q(terms__contains=entries.bigints(wanted)) | ~Q(analyser=terms.ANALYSER)
    changed = []
    for entry in ContextEntry.objects.filter(holds, person_id=person_id).select_related("block"):
        text, heading = words.read_text(entry, box), words.read_heading(entry, box)
        rest, described = without(text), without(heading.description)
        if (rest, described) == (text, heading.description):
            continue
        entry.block.refresh_from_db()
        if rest.strip():
            entry.block.edition += 1
            entries.put(entry.block, box, title=heading.title, description=described, content=rest)
        else:
            entries.drop(entry.block, entry)
        changed.append(entry.block)
    return changed


def _from_prompts(person_id: int, box: Box, without: Without) -> None:
    """What was frozen before a block was overwritten."""
    for frozen in FrozenPrompt.objects.filter(person_id=person_id):
        kept = prompt.opened(frozen, box)
        if any(without(part.text) != part.text for part in kept.parts):
            parts = [_part(part, without(part.text)) for part in kept.parts]
            prompt.keep(Session.around(frozen), box, parts, frozen.frozen_at)


def _part(part: prompt.Part, text: str) -> prompt.Part:
    return prompt.Part(part.block_id, part.edition, tokens.count(text), text)
