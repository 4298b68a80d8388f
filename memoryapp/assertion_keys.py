"""The public keys with which a service signs who its user is, and whether it has to."""

from django.db import transaction
from django.utils import timezone

from memoryapp import audit, public_keys
from memoryapp.errors import Conflict, NotFound
from memoryapp.models import AssertionKey, ChatService
from speakers.models import User


def locked(service: ChatService) -> ChatService:
    """The service as it is now. Whoever changes its keys or what it requires of them takes turns by this lock."""
    return ChatService.objects.select_for_update(no_key=True).get(pk=service.pk)


def add(service: ChatService, kid: str, text: str, *, by: User | None = None) -> list[AssertionKey]:
    """Register public keys: one in PEM under `kid`, or a JWK or JWK set, which names its own.

    Ed25519, or RSA of 2048 to 8192 bits. What is registered already is left as it is, so that a set can be sent again.
    Raises Invalid, and Conflict for a kid that is registered with another key.
    """
    named = public_keys.pasted(kid, text.strip())
    with transaction.atomic():
        service = locked(service)
        # A key that went with its URL is nobody's: its name is free.
        rows = AssertionKey.objects.filter(service=service, kid__in=named, dropped=False)
        known = dict(rows.values_list("kid", "public_key"))
        if any(named[name] != pem for name, pem in known.items()) or (known and len(named) == 1):
            raise Conflict("this kid is registered already")
        return [_store(service, name, pem, by) for name, pem in named.items() if name not in known]


def revoke(service: ChatService, pk: int, *, by: User | None = None) -> None:
    """End a key. Raises NotFound, or Conflict for the last one while assertions are required."""
    with transaction.atomic():
        service = locked(service)
        live = AssertionKey.objects.filter(service=service, revoked_at__isnull=True)
        key = live.filter(pk=pk).first()
        if key is None:
            raise NotFound("no such key")
        if service.assertion_required and live.count() == 1:
            raise Conflict("nobody could be let in without a key")
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        audit.note(by, "assertion-key.revoke", service=service.slug, object_id=key.pk)


def drop(service: ChatService, key: AssertionKey, *, by: User | None = None) -> None:
    """End a key from a URL that no longer has it; it may come back with the URL. The caller holds the lock."""
    key.revoked_at, key.dropped = timezone.now(), True
    key.save(update_fields=["revoked_at", "dropped"])
    audit.note(by, "assertion-key.drop", service=service.slug, object_id=key.pk)


def require(service: ChatService, required: bool, *, by: User | None = None) -> None:
    """Accept users only with a signed assertion, or also by bare user_id. Raises Conflict without a key."""
    with transaction.atomic():
        service = locked(service)
        if required and not AssertionKey.objects.filter(service=service, revoked_at__isnull=True).exists():
            raise Conflict("register a key first")
        service.assertion_required = required
        service.save(update_fields=["assertion_required"])
        audit.note(by, "service.assertion", service=service.slug, changed=["assertion_required"])


def _store(service: ChatService, kid: str, pem: str, by: User | None) -> AssertionKey:
    fresh = {"public_key": pem, "from_url": False, "dropped": False, "revoked_at": None}
    key, _ = AssertionKey.objects.update_or_create(service=service, kid=kid, defaults=fresh)
    audit.note(by, "assertion-key.add", service=service.slug, object_id=key.pk)
    return key
