"""The search index: derived from memories, disposable, rebuilt by the worker."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from memoryapp.models.memories import Memory


class IndexState(models.TextChoices):
    """The seven states of G16."""

    PENDING = "pending", _("Waiting")
    INDEXING = "indexing", _("Being indexed")
    INDEXED = "indexed", _("Searchable")
    STALE = "stale", _("Out of date")
    FAILED = "failed", _("Failed")
    EXCLUDED = "excluded", _("Kept out of search")
    DELETE_PENDING = "delete_pending", _("Being removed")


class SpaceState(models.TextChoices):
    BUILDING = "building", _("being built")
    SERVING = "serving", _("serving")
    RETIRED = "retired", _("retired")


class EmbeddingSpace(models.Model):
    """One vector space: a model, its dimensions, and how its scores are to be read."""

    provider = models.CharField(max_length=32)
    model = models.CharField(max_length=200)
    base_url = models.URLField(blank=True, max_length=500)
    dims = models.PositiveIntegerField()
    lexical_weight = models.FloatField(default=0.25)
    cross_language_bonus = models.FloatField(default=0.087)
    calibration = models.JSONField(default=list, help_text="[[raw, score], …], rising.")
    state = models.CharField(max_length=16, choices=SpaceState, default=SpaceState.BUILDING)
    created_at = models.DateTimeField(auto_now_add=True)
    serving_since = models.DateTimeField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Its building was stopped then.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="serving"), name="one_serving_space"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.model} ({self.dims})"


class IndexEntry(models.Model):
    """The keyword half of one memory, and where its indexing stands."""

    memory = models.OneToOneField(Memory, primary_key=True, on_delete=models.CASCADE, related_name="index")
    owner_id = models.BigIntegerField()
    state = models.CharField(max_length=16, choices=IndexState, default=IndexState.PENDING)
    lang = models.PositiveSmallIntegerField(default=0, help_text="1 = Korean.")
    terms: "ArrayField[list[int], list[int]]" = ArrayField(models.BigIntegerField(), default=list)
    tfs: "ArrayField[list[int], list[int]]" = ArrayField(models.SmallIntegerField(), default=list)
    length = models.PositiveIntegerField(default=0)
    analyser = models.PositiveSmallIntegerField(default=1)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=100, blank=True, help_text="A code, never content.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            GinIndex(fields=["owner_id", "terms"], name="index_owner_terms", fastupdate=False),
            models.Index(
                fields=["next_try_at"],
                name="index_to_do",
                condition=models.Q(state__in=["pending", "indexing", "stale", "failed", "delete_pending"]),
            ),
        ]


class Vector(models.Model):
    """The vector half of one memory in one space. Never of `pii` or `restricted` content."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="vectors", db_index=False)
    owner_id = models.BigIntegerField()
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, db_index=False)
    lang = models.PositiveSmallIntegerField(default=0)
    embedding = HalfVectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "space"], name="vector_once")]
        indexes = [
            # Covering, so that exact search of one owner is an index-only scan (STACK.md).
            models.Index(
                fields=["owner_id", "space"],
                include=["memory", "lang", "embedding"],
                name="vector_of_owner",
            )
        ]
