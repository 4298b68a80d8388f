"""What happens around a shared device: running workflows, and talk that is nobody's yet."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from memoryapp.models.services import ChatService
from speakers.models import Person


class Workflow(models.Model):
    """A running workflow and whose it is: only its owner can say "cancel that" and be obeyed at once."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="workflows")
    workflow_id = models.CharField(max_length=255)
    speaker_id = models.CharField(max_length=255)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.CASCADE, related_name="workflows"
    )
    registered_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("workflow")
        verbose_name_plural = _("workflows")
        constraints = [models.UniqueConstraint(fields=["service", "workflow_id"], name="workflow_once")]
        indexes = [models.Index(fields=["expires_at"], name="workflow_age")]


class DevicePair(models.Model):
    """A pair spoken by nobody we know: kept for hours, for the going-on of one session on one device.

    It belongs to no person, so it is sealed under the master keyset and never becomes a memory.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="device_pairs")
    device_id = models.CharField(max_length=255, blank=True)
    session_id = models.CharField(max_length=255)
    speaker_id = models.CharField(max_length=255, blank=True)
    content = models.BinaryField(help_text="Sealed JSON: user, assistant, route_family.")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["service", "session_id", "at"], name="device_pair_session"),
            models.Index(fields=["at"], name="device_pair_age"),
        ]


class Rollback(models.Model):
    """One batch that took something back along its sources. Reversible until its retention ends."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="rollbacks")
    source_kind = models.CharField(max_length=16, help_text="pair, session, candidate, link")
    source_id = models.CharField(max_length=255)
    actor = models.CharField(max_length=120)
    counts = models.JSONField(default=dict, help_text="What was removed, changed, restored: numbers.")
    content = models.BinaryField(help_text="Sealed JSON of what is needed to undo it.")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("roll-back")
        verbose_name_plural = _("roll-backs")
        indexes = [models.Index(fields=["person", "-at"], name="rollback_newest")]
