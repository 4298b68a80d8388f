"""The keys of people's content, and the proof that the master keyset fits this database."""

from django.db import models

from speakers.models import Person


class PersonKey(models.Model):
    """One person's keysets, wrapped by the master keyset with the person as associated data."""

    person = models.OneToOneField(Person, primary_key=True, on_delete=models.CASCADE, related_name="key")
    content_keyset = models.BinaryField()
    terms_keyset = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)


class VaultSeal(models.Model):
    """A known text sealed under the master keyset: it opens only with the keyset this database was made with."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    sealed = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)
