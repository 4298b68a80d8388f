"""The public keys with which a service signs who its user is, and whether it has to."""

import json
from typing import Any

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from django.db import IntegrityError, transaction
from django.utils import timezone

from memoryapp import audit
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.models import AssertionKey, ChatService
from speakers.models import User

SMALLEST_RSA = 2048
LONGEST_KID = 100


def add(service: ChatService, kid: str, text: str, *, by: User | None = None) -> list[AssertionKey]:
    """Register public keys: one in PEM under `kid`, or a JWK or JWK set, which names its own.

    Ed25519, or RSA from 2048 bits on. What is registered already is left as it is, so that a set can be sent again.
    Raises Invalid, and Conflict for a kid that is registered with another key.
    """
    named = _read(kid, text.strip())
    known = dict(AssertionKey.objects.filter(service=service, kid__in=named).values_list("kid", "public_key"))
    if any(named[name] != pem for name, pem in known.items()) or (known and len(named) == 1):
        raise Conflict("this kid is registered already")
    try:
        with transaction.atomic():
            return [_store(service, name, pem, by) for name, pem in named.items() if name not in known]
    except IntegrityError as error:
        raise Conflict("this kid is registered already") from error


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


def _store(service: ChatService, kid: str, pem: str, by: User | None) -> AssertionKey:
    key = AssertionKey.objects.create(service=service, kid=kid, public_key=pem)
    audit.note(by, "assertion-key.add", service=service.slug, object_id=key.pk)
    return key


def _read(kid: str, text: str) -> dict[str, str]:
    """kid → PEM of what was pasted."""
    if not text.startswith("{"):
        return {_kid(kid): _pem(_from_pem(text))}
    rows = _rows(text)
    named = {_kid(row.get("kid") or (kid if len(rows) == 1 else "")): _pem(_from_jwk(row)) for row in rows}
    if len(named) < len(rows):
        raise Invalid("two keys of one name", {"public_key": ["Each key needs a kid of its own."]})
    return named


def _rows(text: str) -> list[dict[str, Any]]:
    """The JWKs of a set, or the one that was pasted by itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    rows = value.get("keys", [value]) if isinstance(value, dict) else None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise Invalid("not a JWK set", {"public_key": ["Not a JWK or a JWK set."]})
    return rows


def _kid(kid: object) -> str:
    if not isinstance(kid, str) or not kid.strip() or not kid.isprintable() or len(kid) > LONGEST_KID:
        raise Invalid("the key needs a name", {"kid": [f"Printable, at most {LONGEST_KID} characters."]})
    return kid


def _from_pem(text: str) -> object:
    try:
        return load_pem_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise Invalid(
            "not a public key", {"public_key": ["Not a public key in PEM, JWK or JWK set."]}
        ) from error


def _from_jwk(row: dict[str, Any]) -> object:
    try:
        return jwt.PyJWK.from_dict(row).key
    except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
        raise Invalid("not a public key", {"public_key": ["Not a JWK that can be read."]}) from error


def _pem(key: object) -> str:
    """Only public halves of strong keys."""
    if isinstance(key, RSAPublicKey) and key.key_size < SMALLEST_RSA:
        key = None
    if not isinstance(key, RSAPublicKey | Ed25519PublicKey):
        raise Invalid(
            "not a key of a kind we accept",
            {"public_key": ["The public half of Ed25519, or of RSA of at least 2048 bits."]},
        )
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode().strip()
