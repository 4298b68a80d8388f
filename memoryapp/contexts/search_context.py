"""The tool search_context: full-text search in one block, with the analyser and the keyed terms of recall."""

import math
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Avg, Count

from memoryapp.contexts import entries, leave, limits, reach, texts, words
from memoryapp.contexts.reach import Session
from memoryapp.contexts.said import Cannot, Said
from memoryapp.index import terms
from memoryapp.models import ContextBlock, ContextEntry, ContextKind, ContextSource
from memoryapp.permit import Permit
from memoryapp.recall import Question, recall
from memoryapp.vault import Box, box_of

_K1, _B = 0.9, 0.4  # as measured for recall (STACK.md)


@dataclass(frozen=True, kw_only=True)
class Search:
    """What a model looks for."""

    label: str
    query: str


def search_context(permit: Permit, session_id: str, search: Search) -> Said:
    """The entries that fit best, or the person's memories for a block that stands for them. Raises Cannot."""
    block = reach.for_model(Session.at(permit, session_id), search.label)
    if block.kind != ContextKind.SEARCHABLE:
        raise Cannot("not_searchable", label=block.label, kind=block.kind)
    if block.source == ContextSource.MEMORY:
        return _memories(permit, block, search)
    box = box_of(permit.person)
    found = _find(block, box, search.query)
    if not found:
        return Said(texts.result("nothing_found", label=block.label))
    return Said("\n\n".join(_shown(entry, box) for entry in found))


def _memories(permit: Permit, block: ContextBlock, search: Search) -> Said:
    if not leave.may_recall(permit):
        return Said(texts.result("nothing_available"))
    answer = recall(permit, Question(query=search.query, max_tokens=block.max_tokens))
    name = "nothing_available" if answer.degraded else "nothing_found"
    return Said(answer.context or texts.result(name, label=block.label))


def _find(block: ContextBlock, box: Box, query: str) -> list[ContextEntry]:
    """The best entries by BM25, best first; the texts of those alone are opened."""
    wanted, _, _ = terms.keyed(terms.asked(query), box.prf)
    if not wanted:
        return []
    _renew(block, box)
    everything = ContextEntry.objects.filter(block=block)
    rows = list(everything.filter(terms__overlap=entries.bigints(wanted)).only("terms", "tfs", "length"))
    whole = everything.aggregate(number=Count("pk"), length=Avg("length"))
    scores = bm25(rows, wanted, number=whole["number"], average=whole["length"] or 1.0)
    best = sorted(rows, key=lambda row: (-scores[row.pk], row.pk))[: limits.SEARCH_RESULTS]
    opened = everything.in_bulk([row.pk for row in best])
    return [opened[row.pk] for row in best if row.pk in opened]


def bm25(
    rows: Sequence[ContextEntry], wanted: Sequence[int], *, number: int, average: float
) -> dict[uuid.UUID, float]:
    """Entry → score. `rows` hold at least one wanted term, of `number` entries with `average` length."""
    counts = {row.pk: dict(zip(row.terms, row.tfs, strict=True)) for row in rows}
    scores: dict[uuid.UUID, float] = {row.pk: 0.0 for row in rows}
    for term in wanted:
        having = [row for row in rows if term in counts[row.pk]]
        idf = math.log(1 + (number - len(having) + 0.5) / (len(having) + 0.5))
        for row in having:
            tf = counts[row.pk][term]
            scores[row.pk] += idf * tf * (_K1 + 1) / (tf + _K1 * (1 - _B + _B * row.length / average))
    return scores


def _renew(block: ContextBlock, box: Box) -> None:
    """Entries that an earlier analyser has read are read again."""
    for entry in ContextEntry.objects.filter(block=block).exclude(analyser=terms.ANALYSER):
        entries.index(entry, box, words.read_heading(entry, box), words.read_text(entry, box))
        fresh = {"terms": entry.terms, "tfs": entry.tfs, "length": entry.length, "analyser": entry.analyser}
        # Only over what was read: a write of this moment has brought its own terms.
        ContextEntry.objects.filter(pk=entry.pk, version=entry.version).update(**fresh)


def _shown(entry: ContextEntry, box: Box) -> str:
    text = words.read_text(entry, box)
    if len(text) > limits.RESULT_CHARACTERS:
        text = f"{text[: limits.RESULT_CHARACTERS]}… ({len(text)} characters)"
    return f"[{words.read_heading(entry, box).key}]\n{text}"
