"""What is remembered. The canonical rows: everything in the index can be made from them again."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memoryapp.models.services import ChatService
from speakers.models import Person


class MemoryType(models.TextChoices):
    PROFILE = "PROFILE", _("Profile")
    PREFERENCE = "PREFERENCE", _("Preference")
    RULE = "RULE", _("Rule")
    TASK = "TASK", _("Task")
    AGREEMENT = "AGREEMENT", _("Agreement")
    EVENT = "EVENT", _("Event")
    HABIT = "HABIT", _("Habit")
    ALIAS = "ALIAS", _("Alias")
    FACT = "FACT", _("Fact")
    ENTRY = "ENTRY", _("Entry")


class Scope(models.TextChoices):
    PERSONAL = "personal", _("Personal")
    SERVICE = "service", _("This service")


class Sensitivity(models.TextChoices):
    NORMAL = "normal", _("Normal")
    PII = "pii", _("Personal data")
    RESTRICTED = "restricted", _("Restricted")
    UNKNOWN = "unknown", _("Unclassified")


#: Masked in lists, kept out of the index, never recalled.
GUARDED = (Sensitivity.PII, Sensitivity.RESTRICTED)


class Status(models.TextChoices):
    CANDIDATE = "candidate", _("To be approved")
    CONFIRMED = "confirmed", _("Confirmed")
    SUPERSEDED = "superseded", _("Replaced")
    EXPIRED = "expired", _("Ended")
    DELETED = "deleted", _("Deleted")


class Origin(models.TextChoices):
    """Who said it. A person's own correction outranks an extraction."""

    EXTRACTION = "extraction", _("from a conversation")
    SAVE = "save", _("saved by the assistant")
    ENTRY = "entry", _("stored by a service")
    IMPORT = "import", _("imported")
    PERSON = "person", _("by yourself")


class Memory(models.Model):
    """One fact about one person. `content` is sealed under that person's key and bound to this row."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memories")
    service = models.ForeignKey(
        ChatService,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="memories",
        help_text="Null = personal scope, shared by all services; else the one service that may see it.",
    )
    origin_service = models.ForeignKey(
        ChatService, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    project_id = models.CharField(max_length=255, blank=True, help_text="Empty = global.")
    session_id = models.CharField(max_length=255, blank=True)
    event_id = models.CharField(max_length=255, blank=True, help_text="An entry's own id at its service.")
    memory_type = models.CharField(max_length=16, choices=MemoryType)
    status = models.CharField(max_length=16, choices=Status, default=Status.CONFIRMED)
    sensitivity = models.CharField(max_length=16, choices=Sensitivity, default=Sensitivity.NORMAL)
    origin = models.CharField(max_length=16, choices=Origin)
    confidence = models.FloatField(default=0.8)
    evidence_count = models.PositiveIntegerField(default=1)
    content = models.BinaryField(
        help_text="Sealed JSON: statement, normalized_fact, raw_content, keywords, entities, memory_subtype, slot, author."
    )
    fingerprint = models.BigIntegerField(help_text="Keyed hash of the normalised statement.")
    slot = models.BigIntegerField(null=True, help_text="Keyed hash of whose attribute this is.")
    sources = models.JSONField(
        default=dict, help_text="event_ids, candidate_ids, summary_ids, session_ids, pair_ids."
    )
    said_at = models.DateTimeField(
        default=timezone.now, help_text="When it was said: of two values the later said wins."
    )
    occurred_at = models.DateTimeField(help_text="When what it tells of happened.")
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    supersedes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    quarantine = models.CharField(max_length=64, blank=True, help_text="Why it is held back, if it is.")
    version = models.PositiveIntegerField(default=1)
    content_version = models.PositiveIntegerField(
        default=1, help_text="Grows when the text changes; snapshots compare it."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        indexes = [
            models.Index(fields=["person", "-created_at", "-id"], name="memory_newest"),
            models.Index(fields=["person", "fingerprint"], name="memory_fingerprint"),
            models.Index(fields=["person", "slot"], name="memory_slot"),
            # The surest ones, for the profile items of a planner's context.
            models.Index(fields=["person", "-confidence", "-updated_at"], name="memory_surest"),
            # The turns before and after an entry, for ranking.
            models.Index(
                fields=["person", "session_id", "occurred_at", "created_at", "id"],
                name="memory_in_session",
                condition=Q(memory_type="ENTRY", deleted_at__isnull=True) & ~Q(session_id=""),
            ),
            models.Index(
                fields=["deleted_at"], name="memory_to_purge", condition=Q(deleted_at__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True)
                | Q(valid_from__isnull=True)
                | Q(valid_to__gte=F("valid_from")),
                name="memory_interval_in_order",
            ),
            models.CheckConstraint(
                condition=Q(status="deleted", deleted_at__isnull=False)
                | (~Q(status="deleted") & Q(deleted_at__isnull=True)),
                name="memory_deleted_has_a_time",
            ),
            models.UniqueConstraint(
                fields=["person", "service", "event_id"],
                condition=~Q(event_id="") & Q(deleted_at__isnull=True),
                name="entry_event_once",
            ),
        ]

    @property
    def scope(self) -> str:
        return Scope.PERSONAL if self.service_id is None else Scope.SERVICE


class MemoryHistory(models.Model):
    """One change of one memory, written by lifecycle.py in the same transaction as the change."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="history")
    version = models.PositiveIntegerField(help_text="The version this change made.")
    action = models.CharField(max_length=24)
    actor = models.CharField(max_length=120, help_text="'person', 'service:<slug>' or 'system'.")
    reason = models.CharField(max_length=64, blank=True)
    changed = ArrayField(models.CharField(max_length=32), default=list)
    before = models.BinaryField(null=True, help_text="Sealed JSON of the fields as they were before.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]


class Forgotten(models.Model):
    """A keyed fingerprint of a deleted fact, so that old turns do not teach it again (X4)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="forgotten")
    fingerprint = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "fingerprint"], name="forgotten_once")]
