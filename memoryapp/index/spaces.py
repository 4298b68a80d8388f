"""Embedding spaces: the one that serves, the one being built beside it, and the switch between them (G5)."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp import providers
from memoryapp.index import calibrate, embed
from memoryapp.models import EmbeddingSpace, IndexEntry, IndexState, SpaceState, Vector
from memoryapp.providers.base import EmbedderDown

#: A covering index entry must fit a third of a page; 1,280 half floats do.
MAX_DIMS = 1280


class SpaceRefused(Exception):
    """This embedding provider cannot be used: it does not answer, or its vectors are too wide."""


def serving() -> EmbeddingSpace | None:
    return EmbeddingSpace.objects.filter(state=SpaceState.SERVING).first()


def building() -> EmbeddingSpace | None:
    return EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).order_by("-pk").first()


def ensure_first() -> EmbeddingSpace:
    """The serving space; a new database gets the provider named in the settings."""
    space = serving()
    if space is not None:
        return space
    first = providers.SPACES[settings.EMBEDDING_PROVIDER]
    calibration = first.calibration()
    return EmbeddingSpace.objects.create(
        provider=settings.EMBEDDING_PROVIDER,
        model=first.model,
        dims=first.dims,
        lexical_weight=calibration["lexical_weight"],
        cross_language_bonus=first.cross_language_bonus,
        calibration=calibration,
        state=SpaceState.SERVING,
        serving_since=timezone.now(),
    )


def propose(space: EmbeddingSpace) -> EmbeddingSpace:
    """Begin a new space beside the one that serves. Raises SpaceRefused unless the provider answers.

    Rows become `stale` until they have a vector in it; searches run in the old space until all have.
    """
    try:
        vector = embed.query(space, "ping")
    except EmbedderDown as error:
        raise SpaceRefused("the provider does not answer") from error
    if not 1 <= len(vector) <= MAX_DIMS:
        raise SpaceRefused(f"at most {MAX_DIMS} dimensions; ask the provider for fewer")
    space.dims = len(vector)
    learnt = _calibrated(space)
    with transaction.atomic():
        EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).delete()
        space.state = SpaceState.BUILDING
        space.save()
        recalibrate(space, learnt)
        _outdate(IndexEntry.objects.all())
    return space


def _calibrated(space: EmbeddingSpace) -> dict[str, Any]:
    """Its scores must mean something from the first search in it on."""
    try:
        return calibrate.learn(embed.embedder(space), calibrate.pairs())
    except EmbedderDown as error:
        raise SpaceRefused("the provider does not answer") from error


def recalibrate(space: EmbeddingSpace, data: dict[str, Any]) -> None:
    """Keep what `calibrate.learn` has found with the space; other processes follow when they read it anew."""
    space.calibration = data
    space.lexical_weight = data["lexical_weight"]
    # Each language is centred by itself, which leaves nothing for a bonus between them.
    space.cross_language_bonus = 0.0
    space.save(update_fields=["calibration", "lexical_weight", "cross_language_bonus"])
    embed.forget_serving()


def pause() -> int:
    """Stop building for now; what is done is kept. → spaces stopped."""
    with transaction.atomic():
        stopped = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING, paused_at__isnull=True).update(
            paused_at=timezone.now()
        )
        _settle_stale()
    return stopped


def resume() -> int:
    """Go on building where it stopped. → spaces that go on."""
    with transaction.atomic():
        going_on = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING, paused_at__isnull=False)
        for space in going_on.select_for_update():
            done = Vector.objects.filter(space=space).values("memory_id")
            _outdate(IndexEntry.objects.exclude(pk__in=done))
        return going_on.update(paused_at=None)


def cancel() -> int:
    """Give up what is being built; what serves goes on serving. → spaces dropped."""
    with transaction.atomic():
        dropped = EmbeddingSpace.objects.filter(state=SpaceState.BUILDING).delete()[0]
        _settle_stale()
    return dropped


def _outdate(entries: QuerySet[IndexEntry]) -> None:
    entries.filter(state=IndexState.INDEXED).update(state=IndexState.STALE, next_try_at=None, attempts=0)


def _settle_stale() -> None:
    """Rows that are out of date for a space nobody builds are as good as they were."""
    has_vector = Vector.objects.filter(space__state=SpaceState.SERVING).values("memory_id")
    IndexEntry.objects.filter(state=IndexState.STALE, pk__in=has_vector).update(state=IndexState.INDEXED)


def switch(space: EmbeddingSpace) -> None:
    """Let a complete space serve from now on. The old vectors stay for those who have not noticed yet."""
    with transaction.atomic():
        EmbeddingSpace.objects.select_for_update().filter(state=SpaceState.SERVING).update(
            state=SpaceState.RETIRED, retired_at=timezone.now()
        )
        EmbeddingSpace.objects.filter(pk=space.pk).update(
            state=SpaceState.SERVING, serving_since=timezone.now()
        )
    embed.forget_serving()


def drop_retired() -> int:
    """Remove the vectors of spaces that were retired an hour ago. → vectors removed."""
    before = timezone.now() - timedelta(hours=1)
    return Vector.objects.filter(space__state=SpaceState.RETIRED, space__retired_at__lt=before).delete()[0]
