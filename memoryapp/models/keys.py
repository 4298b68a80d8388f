"""The keys of people's content, and the proof that the master keyset fits this database."""

import uuid

from django.db import models

from speakers.models import Person


class PersonKey(models.Model):
    """One person's keysets, wrapped by the master keyset with the person as associated data."""

    person = models.OneToOneField(Person, primary_key=True, on_delete=models.CASCADE, related_name="key")
    content_keyset = models.BinaryField()
    terms_keyset = models.BinaryField()
    wrapped_by = models.CharField(
        max_length=64, blank=True, help_text="Name of the master key; empty = not noted."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["wrapped_by"], name="key_wrapped_by")]


class VaultSeal(models.Model):
    """A known text sealed under the master keyset: it opens only with the keyset this database was made with."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    sealed = models.BinaryField()
    wrapped_by = models.CharField(max_length=64, blank=True)
    ledger_id = models.UUIDField(
        null=True,
        blank=True,
        help_text="Of the ledger of erasures outside this database; empty = none was begun.",
    )
    created_at = models.DateTimeField(auto_now_add=True)


class SigningKey(models.Model):
    """An Ed25519 key with which we sign what others shall be able to check; the private half is wrapped."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    public = models.BinaryField(help_text="32 raw bytes.")
    private = models.BinaryField(help_text="32 raw bytes, wrapped by the master keyset.")
    wrapped_by = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
