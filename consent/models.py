"""What was asked, what was answered, and what holds now."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from consent.domains import Domain
from speakers.models import Person


class Notice(models.Model):
    """The text somebody agreed to, by version. A material change asks for consent again."""

    domain = models.CharField(max_length=32, choices=Domain)
    version = models.PositiveIntegerField()
    texts = models.JSONField(help_text="Language code → plain text.")
    sha256 = models.CharField(max_length=64, help_text="Of the canonical JSON of `texts`.")
    material = models.BooleanField(default=True, help_text=_("Consent has to be asked again."))
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["domain", "version"], name="notice_version_once")]
        ordering = ["domain", "version"]

    def __str__(self) -> str:
        return f"{self.domain} v{self.version}"


class ConsentEvent(models.Model):
    """One decision: append-only, chained by hash, the receipt of which anybody can verify."""

    receipt_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="consent_events")
    domain = models.CharField(max_length=32, choices=Domain)
    service = models.CharField(max_length=100, blank=True, help_text="Slug; empty = every service.")
    granted = models.BooleanField()
    at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    notice_version = models.PositiveIntegerField()
    notice_sha256 = models.CharField(max_length=64)
    actor = models.CharField(max_length=100, help_text="'person', 'service:<slug>' or 'system'.")
    source = models.CharField(
        max_length=100, help_text="Where it was decided: 'my-page', 'api:<slug>', 'expiry'."
    )
    evidence = models.JSONField(default=dict, blank=True)
    previous_sha256 = models.CharField(max_length=64, blank=True)
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["person", "domain", "id"])]


class ConsentState(models.Model):
    """What holds now for a person, a domain and a service (empty = every service). Written by ledger.py only."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="consents")
    domain = models.CharField(max_length=32, choices=Domain)
    service = models.CharField(max_length=100, blank=True)
    granted = models.BooleanField(default=False)
    since = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    notice_version = models.PositiveIntegerField()
    source = models.CharField(max_length=100)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "domain", "service"], name="consent_state_once")
        ]
