"""Trials of a draft on what somebody said who agreed to it, and what each side found."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from memoryapp.models.services import ChatService, ServiceRevision
from memoryapp.models.turns import Turn
from speakers.models import Person


class ReplayGrant(models.Model):
    """One person's leave, for a time: the admins of one service may try drafts on their turns and see what is found.

    Everything found hangs on this row, so that taking the leave back takes the findings with it.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="replay_grants")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="replay_grants")
    granted_at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "service"], name="replay_grant_once")]


class ReplayState(models.TextChoices):
    PENDING = "pending", _("waiting")
    RUNNING = "running", _("under way")
    DONE = "done", _("done")
    FAILED = "failed", _("stopped")


class Replay(models.Model):
    """One day's turns of one person, read with the deployed revision and with a draft. The row is the job."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    grant = models.ForeignKey(ReplayGrant, on_delete=models.CASCADE, related_name="replays")
    deployed = models.ForeignKey(ServiceRevision, on_delete=models.CASCADE, related_name="+")
    draft = models.ForeignKey(ServiceRevision, on_delete=models.CASCADE, related_name="replays")
    tried = models.JSONField(help_text="Side → what it reads with, as it was when this was asked for.")
    day = models.DateField(help_text="In the person's own zone.")
    state = models.CharField(max_length=16, choices=ReplayState, default=ReplayState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Since the last turn that was read.")
    claimed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=100, blank=True, help_text="A code, never content.")
    asked_by = models.ForeignKey("speakers.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"],
                name="replay_to_do",
                condition=models.Q(state__in=["pending", "running"]),
            )
        ]


class ReplayedTurn(models.Model):
    """One turn of a trial: what each side found in it, once both have read it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    replay = models.ForeignKey(Replay, on_delete=models.CASCADE, related_name="turns")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="replayed")
    content = models.BinaryField(null=True, help_text="Sealed JSON: side → findings. Null = not read yet.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["replay", "turn"], name="replayed_once")]
