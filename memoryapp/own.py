"""What a service keeps for itself about a person: its entries and stored items, and the search within them.

Both are memories of type ENTRY in the service's own scope. They are told apart by how `event_id` begins; the
rest of it is a keyed hash of what makes the row the same one again, so that the row itself does not tell it.
"""

import json
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp import browse, costs
from memoryapp.errors import NoConsent, VaultUnavailable
from memoryapp.index import asked, embed, search
from memoryapp.index.search import Hit, Query
from memoryapp.models import Memory, Recall, Scope
from memoryapp.permit import Permit
from memoryapp.providers.base import EmbedderDown
from memoryapp.vault import Box, box_of

log = logging.getLogger(__name__)

ENTRY, ITEM = "entry:", "item:"


@dataclass(frozen=True)
class Hits:
    """Rows that match, best first; `degraded` says which part of the search did not work, "" if all did."""

    found: list[Hit]
    degraded: str = ""


def scope(permit: Permit) -> None:
    """Raise NoConsent unless the person allows this service a memory of its own."""
    if Scope.SERVICE not in permit.scopes:
        raise NoConsent


def rows(permit: Permit, kind: str) -> QuerySet[Memory]:
    """This person's entries, or items, at the calling service, and no other memory."""
    return browse.visible(permit).filter(service=permit.service, event_id__startswith=kind)


def mark(box: Box, kind: str, *identity: Any) -> str:
    """The `event_id` of what has this identity."""
    return kind + box.prf(json.dumps([kind, *identity]).encode()).hex()


def find(
    permit: Permit,
    query: str,
    kind: str,
    *,
    project_id: str = "",
    among: Sequence[uuid.UUID] | None = None,
    limit: int,
) -> Hits:
    """Hybrid search within the service's own rows: global ones and this project's. Degrades, never raises."""
    try:
        return _find(permit, query, kind, project_id, among, limit)
    except (DatabaseError, VaultUnavailable) as error:
        log.warning("search of own rows failed: %s", type(error).__name__)
        return Hits([], "index-unavailable")


def receipt(permit: Permit, used: Sequence[tuple[Memory, float]], door: str, degraded: str = "") -> None:
    """The person sees what was used, by which service, when (X3)."""
    Recall.objects.create(
        person=permit.person,
        service=permit.service,
        revision=permit.revision,
        at=timezone.now(),
        items=[
            {"memory_id": str(row.pk), "content_version": row.content_version, "score": round(score, 4)}
            for row, score in used
        ],
        options={"door": door},
        degraded=degraded,
    )


def _find(
    permit: Permit, query: str, kind: str, project_id: str, among: Sequence[uuid.UUID] | None, limit: int
) -> Hits:
    space = embed.serving()
    vector, degraded = None, "no-embedding-space" if space is None else ""
    if space is not None:
        try:
            with costs.embedding_charged(permit, costs.RECALL):
                vector = embed.query(space, query)
        except EmbedderDown:
            degraded = "embedding-unavailable"
    box, now = box_of(permit.person), timezone.now()
    question = Query(
        owner_id=permit.person.pk,
        space=space,
        vector=vector,
        asked=asked.read(query, box.mark, now, permit.service.zone),
        personal=False,
        service_id=permit.service.pk,
        project_id=project_id,
        at=(now, now),
        event_prefix=kind,
        among=among,
        limit=limit,
    )
    return Hits(search.hybrid(question), degraded)
