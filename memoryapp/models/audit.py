"""What administrators did: never content."""

from django.db import models


class AdminAction(models.Model):
    """One action of an administrator: who, what, on which object of which service, when. Append-only."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        "speakers.User",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="None = the system.",
    )
    actor_name = models.CharField(max_length=150, blank=True, help_text="As it was; the login may go.")
    action = models.CharField(max_length=40, help_text="key.issue, revision.deploy, member.add …")
    service = models.CharField(max_length=100, blank=True, help_text="Slug.")
    object_id = models.CharField(max_length=64, blank=True)
    changed = models.JSONField(
        default=list, help_text="Names of the settings that changed, never their values."
    )

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["service", "-at"], name="admin_action_of_service")]
        verbose_name = "admin action"
        verbose_name_plural = "admin actions"

    def __str__(self) -> str:
        return f"{self.action} {self.object_id}"
