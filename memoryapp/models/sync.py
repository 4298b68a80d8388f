"""What devices have to hear of, which devices there are, and what they sent."""

import uuid

from django.db import models

from memoryapp.models.services import ChatService
from speakers.models import Person


def new_epoch() -> str:
    return uuid.uuid4().hex[:12]


class SyncCounter(models.Model):
    """One person's sequence. Its row is locked from a change until its commit, so numbers commit in order."""

    person = models.OneToOneField(
        Person, primary_key=True, on_delete=models.CASCADE, related_name="sync_counter"
    )
    last_seq = models.BigIntegerField(default=0)
    floor_seq = models.BigIntegerField(default=0, help_text="Tombstones up to here are gone.")
    epoch = models.CharField(max_length=16, default=new_epoch, help_text="Another one after a restore.")


class SyncChange(models.Model):
    """The latest change of one thing: which, when in the sequence, and whether it is gone. Never content."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="sync_changes")
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=16, help_text="memory, summary")
    object_id = models.UUIDField()
    service = models.ForeignKey(
        ChatService, null=True, on_delete=models.CASCADE, related_name="+", help_text="Null = personal scope."
    )
    gone = models.BooleanField(default=False, help_text="A tombstone: deleted, for good.")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "seq"], name="sync_seq_once"),
            models.UniqueConstraint(fields=["person", "kind", "object_id"], name="sync_object_once"),
        ]
        indexes = [models.Index(fields=["at"], name="sync_tombstones", condition=models.Q(gone=True))]


class Device(models.Model):
    """A device that keeps a copy, and how far it is known to have followed."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="devices")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="devices")
    device_id = models.CharField(max_length=255)
    acked_seq = models.BigIntegerField(
        default=0, help_text="It came back with this cursor, so it has everything before it."
    )
    acked_at = models.DateTimeField(null=True, blank=True)
    first_seen_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "service", "device_id"], name="device_once")]


class PushedWrite(models.Model):
    """The answer to one write of one device, given again when the device repeats it."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="writes")
    client_id = models.CharField(max_length=255)
    payload_mark = models.BigIntegerField(help_text="Keyed hash, to tell a repeat from another write.")
    result = models.CharField(max_length=16)
    reason = models.CharField(max_length=64, blank=True)
    object_id = models.CharField(max_length=255, blank=True)
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["device", "client_id"], name="pushed_once")]
        indexes = [models.Index(fields=["at"], name="pushed_age")]
