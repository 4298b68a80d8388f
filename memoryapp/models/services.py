"""Chat services, their revisions, keys and members, and the switches above them all."""

import uuid
from datetime import time

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from speakers.models import User


class ChatService(models.Model):
    """A service that talks with people, e.g. `assistant`."""

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    assertion_required = models.BooleanField(
        default=False, help_text=_("Accept a user only with a signed assertion, never by bare user_id.")
    )
    zone = models.CharField(max_length=64, default="Asia/Seoul")
    monthly_token_budget = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text=_("Model tokens a month; when spent, extraction pauses. Empty = no limit."),
    )
    created_at = models.DateTimeField(auto_now_add=True)
    members: "models.ManyToManyField[User, ServiceMember]" = models.ManyToManyField(
        "speakers.User", through="ServiceMember", related_name="services"
    )

    class Meta:
        verbose_name = _("chat service")
        verbose_name_plural = _("chat services")

    def __str__(self) -> str:
        return self.slug


class ServiceMember(models.Model):
    """A service admin of one service."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE)
    user = models.ForeignKey("speakers.User", on_delete=models.CASCADE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["service", "user"], name="service_member_once")]


class RevisionState(models.TextChoices):
    DRAFT = "draft", _("draft")
    DEPLOYED = "deployed", _("deployed")
    RETIRED = "retired", _("retired")


class ExtractorKind(models.TextChoices):
    RULES = "rules", _("Built-in rules (no model)")
    LLM = "llm", _("Language model")
    REMOTE = "remote", _("Remote memory server")


class CostBearer(models.TextChoices):
    USER = "user", _("the user")
    SYSTEM = "system", _("the system")


class InjectionMode(models.TextChoices):
    USER_CONTEXT = "userContext", _("Before the question, as reference data")
    SYSTEM = "system", _("After the system prompt")


def default_scopes() -> list[str]:
    return ["personal"]


class ServiceRevision(models.Model):
    """How memory works for one deployed version of a service (G3, G9). Only a draft can be edited."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=RevisionState, default=RevisionState.DRAFT)
    memory_enabled = models.BooleanField(default=False)
    per_turn_extraction = models.BooleanField(default=False)
    nightly_enabled = models.BooleanField(default=False)
    nightly_at = models.TimeField(default=time(3, 0), help_text="Korea Standard Time.")
    extractor = models.CharField(max_length=16, choices=ExtractorKind, default=ExtractorKind.RULES)
    extractor_url = models.URLField(blank=True, max_length=500)
    extractor_model = models.CharField(blank=True, max_length=200)
    cost_bearer = models.CharField(max_length=16, choices=CostBearer, default=CostBearer.SYSTEM)
    recall_scopes = ArrayField(models.CharField(max_length=16), default=default_scopes)
    recall_top_k = models.PositiveIntegerField(
        default=8, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    recall_threshold = models.FloatField(
        default=0.0, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)]
    )
    recall_max_tokens = models.PositiveIntegerField(
        default=2000, validators=[MinValueValidator(50), MaxValueValidator(32000)]
    )
    injection_mode = models.CharField(
        max_length=16, choices=InjectionMode, default=InjectionMode.USER_CONTEXT
    )
    context_template = models.TextField(blank=True, help_text="Empty = the built-in template.")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        "speakers.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    deployed_at = models.DateTimeField(null=True, blank=True)
    deployed_by = models.ForeignKey(
        "speakers.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["service", "number"], name="revision_number_once"),
            models.UniqueConstraint(
                fields=["service"], condition=Q(state="deployed"), name="one_deployed_revision"
            ),
        ]
        ordering = ["service", "-number"]

    def __str__(self) -> str:
        return f"{self.service.slug} r{self.number}"


class ServiceKey(models.Model):
    """A runtime's credential. Only a hash is kept; the prefix lets people tell keys apart."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="keys")
    name = models.CharField(max_length=100, blank=True)
    prefix = models.CharField(max_length=16)
    sha256 = models.CharField(max_length=64, unique=True)
    permissions = ArrayField(models.CharField(max_length=16))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.prefix}…"


class AssertionKey(models.Model):
    """A public key with which a service signs who its user is."""

    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="assertion_keys")
    kid = models.CharField(max_length=100)
    public_key = models.TextField(help_text="PEM, Ed25519 or RSA.")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    from_url = models.BooleanField(default=False, db_default=False, help_text="Fetched, not pasted.")
    dropped = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Revoked since the URL has it no longer, and not by an admin: it may come back.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["service", "kid"], name="assertion_kid_once")]


class KeyUrl(models.Model):
    """Where a service publishes its public keys as a JWK set. The row is the job of fetching them."""

    service = models.OneToOneField(ChatService, on_delete=models.CASCADE, related_name="key_url")
    url = models.CharField(max_length=500)
    created_at = models.DateTimeField(auto_now_add=True)
    asked_at = models.DateTimeField(help_text="When somebody last could not wait for the next round.")
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When a worker last began.")
    fetched_at = models.DateTimeField(null=True, blank=True, help_text="When that last went well.")
    failing_since = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=32, blank=True, help_text="Why the last fetch failed, as a code.")
    not_taken = ArrayField(
        models.CharField(max_length=100),
        default=list,
        blank=True,
        help_text="Names in the set that keys here have which it may not change.",
    )


class SystemSettings(models.Model):
    """The super-admin's switches: one row, read afresh by every request, so nothing has to be deployed."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    per_turn_extraction_allowed = models.BooleanField(default=True)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(
        "speakers.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_row_of_system_settings")]

    @classmethod
    def current(cls) -> "SystemSettings":
        return cls.objects.get_or_create(pk=1)[0]
