"""Who somebody is: a login, a person, and the voices, faces and accounts that may reach that person."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A login. It is one way to reach a Person, never the owner of a memory."""

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")


class Person(models.Model):
    """The one whom memories are about, and who owns them. Services know them by `user_id`."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user_id = models.CharField(max_length=255, unique=True)
    display_name = models.CharField(max_length=200, blank=True)
    login = models.OneToOneField(
        "speakers.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="person"
    )
    language = models.CharField(max_length=8, default="ko")
    zone = models.CharField(max_length=64, default="Asia/Seoul")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return f"person {self.pk}"


class IdentityKind(models.TextChoices):
    VOICE = "voice", _("voice")
    FACE = "face", _("face")
    ACCOUNT = "account", _("account")


class LinkState(models.TextChoices):
    UNLINKED = "unlinked", _("not linked")
    CANDIDATE = "candidate", _("suggested")
    LINKED = "linked", _("linked")
    VERIFIED = "verified", _("verified")
    REVOKED = "revoked", _("revoked")


#: The states in which a voice, face or account may act for its person.
ACTIVE_LINKS = (LinkState.LINKED, LinkState.VERIFIED)


class Identity(models.Model):
    """A voice, a face or an outside account: evidence of a person, not the person."""

    kind = models.CharField(max_length=16, choices=IdentityKind)
    provider = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "provider", "external_id"], name="identity_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class IdentityLink(models.Model):
    """That an identity belongs to a person, how sure we are, and on what evidence."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    identity = models.ForeignKey(Identity, on_delete=models.CASCADE, related_name="links")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="links")
    state = models.CharField(max_length=16, choices=LinkState, default=LinkState.UNLINKED)
    evidence = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["identity", "person"], name="identity_link_once"),
            # An identity speaks for at most one person at a time.
            models.UniqueConstraint(
                fields=["identity"],
                condition=Q(state__in=["linked", "verified"]),
                name="identity_one_active_person",
            ),
        ]


class IdentityLinkChange(models.Model):
    """One step of a link's life, kept for good: from, to, who, why."""

    link = models.ForeignKey(IdentityLink, on_delete=models.CASCADE, related_name="changes")
    from_state = models.CharField(max_length=16, choices=LinkState)
    to_state = models.CharField(max_length=16, choices=LinkState)
    actor = models.CharField(max_length=100)
    evidence = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
