"""What turns are condensed into, level by level, and the evidence that a preference rests on."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memoryapp.models.memories import Memory
from memoryapp.models.services import ChatService
from speakers.models import Person


class SummaryLevel(models.TextChoices):
    SESSION = "session", _("session")
    DAY = "day", _("day")
    WEEK = "week", _("week")


class SummaryState(models.TextChoices):
    PENDING = "pending", _("waiting")
    RUNNING = "running", _("being written")
    DONE = "done", _("written")
    SKIPPED = "skipped", _("skipped")


class Summary(models.Model):
    """A session (of one local day), a day or a week of one person at one service. The row is the job.

    `day` is the person's own local date; of a week, its Monday. A session that goes on past midnight
    has one row per day, so that every pair belongs to exactly one session row, one day and one week.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="summaries")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="summaries")
    level = models.CharField(max_length=16, choices=SummaryLevel)
    day = models.DateField()
    session_id = models.CharField(max_length=255, blank=True, help_text="Of a session row only.")
    content = models.BinaryField(null=True, help_text="Sealed JSON: summary, and lines with their pairs.")
    pair_ids: "ArrayField[list[uuid.UUID], list[uuid.UUID]]" = ArrayField(models.UUIDField(), default=list)
    session_ids = ArrayField(models.CharField(max_length=255), default=list)
    summary_ids: "ArrayField[list[uuid.UUID], list[uuid.UUID]]" = ArrayField(
        models.UUIDField(), default=list, help_text="The summaries of the level below."
    )
    method = models.CharField(max_length=32, blank=True, help_text="Which summariser, and its version.")
    inputs = models.BigIntegerField(null=True, help_text="Keyed hash of what it was made from.")
    state = models.CharField(max_length=16, choices=SummaryState, default=SummaryState.PENDING)
    version = models.PositiveIntegerField(default=0, help_text="Grows with each writing; 0 = never written.")
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=100, blank=True, help_text="A code, never content.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "service", "level", "day", "session_id"], name="summary_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="summary_to_do", condition=Q(state__in=["pending", "running"])
            ),
            models.Index(fields=["made_at"], name="summary_age"),
            GinIndex(fields=["pair_ids"], name="summary_pairs"),
        ]


class HushedPair(models.Model):
    """A pair from which a memory was learnt that its person then deleted: its words are told nowhere again."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="hushed_pairs")
    pair_id = models.UUIDField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "pair_id"], name="hushed_once")]
        indexes = [models.Index(fields=["at"], name="hushed_age")]


class EvidenceKind(models.TextChoices):
    SAID = "said", _("acted so once")
    STATED = "stated", _("said so outright")
    RESOLVED = "resolved", _("understood so by the device")
    ACCEPTED = "accepted", _("accepted a suggestion")
    DECLINED = "declined", _("turned a suggestion down")


class Evidence(models.Model):
    """One sign, on one day, that a profile item is true. Ids only: the words are in the turn.

    The turn is a plain id, because a turn is purged long before what it is evidence of.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="evidence")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="evidence")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="+")
    pair_id = models.UUIDField()
    session_id = models.CharField(max_length=255, blank=True)
    kind = models.CharField(max_length=16, choices=EvidenceKind)
    day = models.DateField(help_text="In the person's own zone.")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "pair_id", "kind"], name="evidence_once")]
        indexes = [models.Index(fields=["person", "pair_id"], name="evidence_of_pair")]
