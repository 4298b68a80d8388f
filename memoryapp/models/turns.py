"""Turns of conversation that runtimes report: the raw material of memories."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from memoryapp.models.services import ChatService, ServiceRevision
from speakers.models import Person


class TurnState(models.TextChoices):
    PENDING = "pending", _("waiting")
    RUNNING = "running", _("being read")
    DONE = "done", _("read")
    FAILED = "failed", _("failed")
    SKIPPED = "skipped", _("skipped")


#: The error code of a turn whose words were taken back; its row stays, so that it is not reported again.
WITHDRAWN = "withdrawn"


class Extraction(models.TextChoices):
    """When a turn is looked at: soon after it, in the nightly run, or never."""

    QUEUED = "queued", _("after the turn")
    NIGHTLY = "nightly", _("in the nightly run")
    OFF = "off", _("never")


class NightlyRun(models.Model):
    """One night of one service: started exactly once per local date."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="nights")
    revision = models.ForeignKey(ServiceRevision, null=True, on_delete=models.SET_NULL, related_name="+")
    local_date = models.DateField()
    started_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["service", "local_date"], name="night_once")]
        ordering = ["-local_date"]


class Turn(models.Model):
    """One pair of utterances. The row is the job: its state says what is still to be done with it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="turns")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="turns")
    revision = models.ForeignKey(ServiceRevision, null=True, on_delete=models.SET_NULL, related_name="+")
    turn_id = models.CharField(max_length=255)
    session_id = models.CharField(max_length=255)
    project_id = models.CharField(max_length=255, blank=True)
    speaker_id = models.CharField(max_length=255, blank=True)
    route_family = models.CharField(max_length=64, blank=True)
    workflow_id = models.CharField(max_length=255, blank=True)
    content = models.BinaryField(help_text="Sealed JSON: user_text, assistant_text.")
    occurred_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)
    extraction = models.CharField(max_length=16, choices=Extraction)
    state = models.CharField(max_length=16, choices=TurnState, default=TurnState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    night = models.ForeignKey(
        NightlyRun,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="taken",
        help_text="The run that took it.",
    )
    counts = models.JSONField(default=dict, help_text="Operation → number of facts.")
    error = models.CharField(max_length=100, blank=True, help_text="A code, never content.")
    hush = models.CharField(
        max_length=5,
        blank=True,
        default="",
        db_default="",
        help_text="Nothing of the session is kept from here, or until here.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["service", "person", "turn_id"], name="turn_once")]
        indexes = [
            models.Index(
                fields=["next_try_at"],
                name="turn_to_do",
                condition=models.Q(state__in=["pending", "running"]),
            ),
            models.Index(fields=["person", "session_id", "occurred_at"], name="turn_of_session"),
        ]
