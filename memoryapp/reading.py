"""Read a turn for facts with the extractor its revision has chosen. Proposes; decides and writes nothing."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np
from django.conf import settings
from django.utils import timezone
from numpy.typing import NDArray

from memoryapp import content as contents
from memoryapp import costs
from memoryapp.extract import rules
from memoryapp.extract.base import Extractor, Fact, Utterance
from memoryapp.index import asked, embed, search
from memoryapp.index.search import Query
from memoryapp.models import EmbeddingSpace, ExtractorKind, ServiceRevision, Turn
from memoryapp.pairs import place
from memoryapp.permit import Permit
from memoryapp.providers.base import EmbedderDown, metered
from memoryapp.vault import box_of

#: How many known memories a model is offered, so that it can point at the one a fact concerns.
OFFERED = 12


@dataclass(frozen=True, kw_only=True)
class Found:
    """A fact, and the known memory that the model says it concerns."""

    fact: Fact
    about: uuid.UUID | None = None


def read(permit: Permit, turn: Turn) -> tuple[list[Found], int]:
    """The facts of one turn, and how many proposals of a model were no facts; what was used is charged.

    Raises ExtractorDown or BadOutput: try again.
    """
    reader = Reader(permit, turn)
    try:
        return reader.read(), reader.rejected
    finally:  # a model that answered badly has cost all the same
        costs.charge(permit, costs.EXTRACTION, reader.used)
        if reader.looked_up.calls:
            costs.charge(permit, costs.EMBEDDING, reader.looked_up)


class Reader:
    """Reads one turn once and charges nothing: what it took stands in `used` and `looked_up`, also when it failed."""

    def __init__(self, permit: Permit, turn: Turn) -> None:
        self._permit = permit
        self._turn = turn
        self.used = costs.Used()  # by the extractor's model
        self.rejected = 0
        self.looked_up = costs.Used()  # by the embedder, to find known memories for that model

    def read(self) -> list[Found]:
        """Raises ExtractorDown or BadOutput: try again."""
        permit, turn = self._permit, self._turn
        texts = box_of(permit.person).open(turn.content, place(turn))
        utterance = Utterance(
            user_text=texts["user_text"],
            assistant_text=texts["assistant_text"],
            occurred_at=turn.occurred_at,
            zone=ZoneInfo(permit.person.zone),
        )
        with metered() as usage:
            known = _known(permit, turn, utterance.user_text)
        self.looked_up = costs.Used(calls=usage.requests, tokens_in=usage.tokens)
        extractor = extractor_for(permit.revision, [statement for _, statement in known])
        try:
            facts = extractor.extract(utterance)
        finally:
            self.used = getattr(extractor, "used", self.used)
            self.rejected = getattr(extractor, "rejected", 0)
        return _pointed(extractor, facts, [pk for pk, _ in known])


def extractor_for(revision: ServiceRevision, known: Sequence[str] = ()) -> Extractor:
    """The extractor of a revision; `known` statements are offered to a language model by number.

    The SDKs of the others take 1 s each to load, and are loaded only where a revision has chosen them.
    """
    if revision.extractor == ExtractorKind.LLM:
        from memoryapp.extract.llm import LlmExtractor

        return LlmExtractor(
            base_url=revision.extractor_url or settings.LLM_BASE_URL,
            # An endpoint of one's own may need no key, but the SDK insists on one.
            api_key=settings.LLM_API_KEY or "none",
            model=revision.extractor_model or settings.LLM_MODEL,
            known=known,
            timeout=settings.LLM_SECONDS,
        )
    if revision.extractor == ExtractorKind.REMOTE:
        from memoryapp.extract.remote import RemoteExtractor

        token = settings.REMOTE_MEMORY_TOKEN
        return RemoteExtractor(
            url=revision.extractor_url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=settings.LLM_SECONDS,
        )
    return rules.RulesExtractor()


def _known(permit: Permit, turn: Turn, text: str) -> list[tuple[uuid.UUID, str]]:
    """The memories nearest to what was said, for a model only: rules need none."""
    if permit.revision.extractor != ExtractorKind.LLM:
        return []
    box, now = box_of(permit.person), timezone.now()
    space = embed.serving()
    query = Query(
        owner_id=permit.person.pk,
        space=space,
        vector=_vector(space, text),
        asked=asked.read(text, box.mark, now, permit.service.zone),
        personal=True,
        service_id=permit.service.pk,
        project_id=turn.project_id,
        at=(now, now),
        limit=OFFERED,
    )
    hits = search.hybrid(query)
    return [
        (hit.memory_id, contents.from_json(box.open(hit.content, f"memory:{hit.memory_id}")).statement)
        for hit in hits
    ]


def _vector(space: EmbeddingSpace | None, text: str) -> NDArray[np.float32] | None:
    try:
        return embed.query(space, text) if space else None
    except EmbedderDown:
        return None


def _pointed(extractor: Extractor, facts: Sequence[Fact], known: Sequence[uuid.UUID]) -> list[Found]:
    proposed = getattr(extractor, "proposed", None)
    if not proposed:
        return [Found(fact=fact) for fact in facts]
    return [
        Found(
            fact=item.fact, about=known[item.about - 1] if item.about and item.about <= len(known) else None
        )
        for item in proposed
    ]
