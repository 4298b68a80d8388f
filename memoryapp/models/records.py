"""What happened: recalls, costs, idempotent answers, erasures."""

import uuid

from django.db import models

from memoryapp.models.services import ChatService, ServiceRevision
from speakers.models import Person


class Recall(models.Model):
    """One recall: the person's receipt, and the snapshot of an execution. Ids and scores, never text."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="recalls")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="recalls")
    revision = models.ForeignKey(ServiceRevision, null=True, on_delete=models.SET_NULL, related_name="+")
    execution_id = models.CharField(max_length=255, blank=True)
    at = models.DateTimeField()
    items = models.JSONField(default=list, help_text="[{memory_id, content_version, score}], best first.")
    options = models.JSONField(default=dict, help_text="as_of, include_history, max_tokens, below_threshold.")
    degraded = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "service", "execution_id"],
                condition=~models.Q(execution_id=""),
                name="recall_snapshot_once",
            )
        ]
        indexes = [models.Index(fields=["person", "-at"], name="recall_newest")]


class CostEntry(models.Model):
    """What one extraction, embedding, recall or replay cost, and who bears it (G8)."""

    service = models.ForeignKey(ChatService, null=True, on_delete=models.SET_NULL, related_name="costs")
    revision = models.ForeignKey(ServiceRevision, null=True, on_delete=models.SET_NULL, related_name="+")
    person = models.ForeignKey(Person, null=True, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=16, help_text="extraction, embedding, recall, replay")
    bearer = models.CharField(max_length=16)
    calls = models.PositiveIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["service", "at"], name="cost_of_service")]


class IdempotentAnswer(models.Model):
    """The first answer to a keyed write, given again to a repeat. Sealed under the key of the person it is about."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    person = models.ForeignKey(Person, null=True, on_delete=models.CASCADE)
    speaker_id = models.CharField(
        max_length=255, blank=True, db_default="", help_text="The voice it is about, while that is nobody's."
    )
    request_sha256 = models.CharField(max_length=64)  # keyed, so that nobody else can try out requests
    status = models.PositiveSmallIntegerField(default=0)
    # Nobody's answer is sealed by the master key.
    content = models.BinaryField(null=True, help_text="Sealed JSON of the answer.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["service", "key"], name="idempotency_key_once")]


class Erasure(models.Model):
    """That somebody was erased: no name, no content, only proof. Replayed after a restore (X6)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    public_id = models.UUIDField(help_text="A random number that named the person and now names nobody.")
    erased_at = models.DateTimeField()
    requested_by = models.CharField(max_length=120)
    counts = models.JSONField(default=dict)
    key_destroyed = models.BooleanField()
    certificate = models.JSONField(default=dict, help_text="As signed.")
    kept_outside_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the certificate was written to the ledger outside this database.",
    )
