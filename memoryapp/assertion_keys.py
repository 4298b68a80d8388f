"""The public keys with which a service signs who its user is, and whether it has to."""

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from django.db import IntegrityError, transaction
from django.utils import timezone

from memoryapp import audit
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.models import AssertionKey, ChatService
from speakers.models import User

SMALLEST_RSA = 2048


def add(service: ChatService, kid: str, public_key: str, *, by: User | None = None) -> AssertionKey:
    """Register a public key (PEM; Ed25519, or RSA from 2048 bits on). Raises Invalid, Conflict for a known kid."""
    _check(public_key)
    try:
        with transaction.atomic():
            key = AssertionKey.objects.create(service=service, kid=kid, public_key=public_key.strip())
            audit.note(by, "assertion-key.add", service=service.slug, object_id=key.pk)
    except IntegrityError as error:
        raise Conflict("this kid is registered already") from error
    return key


def revoke(service: ChatService, pk: int, *, by: User | None = None) -> None:
    """End a key. Raises NotFound, or Conflict for the last one while assertions are required."""
    with transaction.atomic():
        service = ChatService.objects.select_for_update().get(pk=service.pk)
        live = AssertionKey.objects.filter(service=service, revoked_at__isnull=True)
        key = live.filter(pk=pk).first()
        if key is None:
            raise NotFound("no such key")
        if service.assertion_required and live.count() == 1:
            raise Conflict("nobody could be let in without a key")
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        audit.note(by, "assertion-key.revoke", service=service.slug, object_id=key.pk)


def require(service: ChatService, required: bool, *, by: User | None = None) -> None:
    """Accept users only with a signed assertion, or also by bare user_id. Raises Conflict without a key."""
    with transaction.atomic():
        service = ChatService.objects.select_for_update().get(pk=service.pk)
        if required and not AssertionKey.objects.filter(service=service, revoked_at__isnull=True).exists():
            raise Conflict("register a key first")
        service.assertion_required = required
        service.save(update_fields=["assertion_required"])
        audit.note(by, "service.assertion", service=service.slug, changed=["assertion_required"])


def _check(public_key: str) -> None:
    try:
        key = load_pem_public_key(public_key.strip().encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise Invalid("not a public key", {"public_key": ["Not a public key in PEM."]}) from error
    strong = isinstance(key, RSAPublicKey) and key.key_size >= SMALLEST_RSA
    if not strong and not isinstance(key, Ed25519PublicKey):
        raise Invalid(
            "not a key of a kind we accept", {"public_key": ["Ed25519, or RSA of at least 2048 bits."]}
        )
