"""Sign what others shall be able to check without us: Ed25519 over canonical JSON.

The key is made with the database's seal, so that every backup has it; its private half is wrapped by the master keyset.
"""

import base64
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.db import transaction

from consent.notices import canonical
from memoryapp import vault
from memoryapp.master import Wrapper, master
from memoryapp.models import SigningKey

_SIGNATURE = "signature"


def sign(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with `signed_by` (the key's id), `public_key` and `signature` over all of it."""
    row = current()
    whole = {**body, "signed_by": str(row.pk), "public_key": _text(bytes(row.public))}
    private = master().decrypt(bytes(row.private), _place(row))
    return {**whole, _SIGNATURE: _text(Ed25519PrivateKey.from_private_bytes(private).sign(canonical(whole)))}


def is_signed(document: Mapping[str, Any], public: bytes) -> bool:
    """Whether this key has signed exactly this document."""
    body = {key: value for key, value in document.items() if key != _SIGNATURE}
    try:
        signature = base64.b64decode(str(document.get(_SIGNATURE, "")), validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, canonical(body))
    except (InvalidSignature, ValueError):
        return False
    return True


def is_ours(document: Mapping[str, Any]) -> bool:
    """Whether a key of this database has signed it; the key that the document itself names proves nothing."""
    return prover()(document)


def prover() -> Callable[[Mapping[str, Any]], bool]:
    """`is_ours` for many documents: the keys are read once."""
    keys = [bytes(row.public) for row in SigningKey.objects.all()]
    return lambda document: any(is_signed(document, key) for key in keys)


def public_keys() -> list[dict[str, str]]:
    """The public halves as a JSON Web Key Set's `keys`, for whoever wants to check."""
    rows = SigningKey.objects.order_by("created_at")
    return [
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            "alg": "EdDSA",
            "kid": str(row.pk),
            "x": _url(bytes(row.public)),
        }
        for row in rows
    ]


def current() -> SigningKey:
    """The key we sign with, made if there is none."""
    return _newest() or _make()


def _newest() -> SigningKey | None:
    return SigningKey.objects.order_by("-created_at").first()


def secret(purpose: str) -> bytes:
    """32 bytes for one purpose, the same in every process, that nobody can compute without the master keyset."""
    row = current()
    return _derived(bytes(row.private), _place(row), purpose)


@lru_cache(maxsize=16)
def _derived(private: bytes, bound: bytes, purpose: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=purpose.encode()).derive(master().decrypt(private, bound))


def rewrap_key(row: SigningKey) -> None:
    """Wrap the private half under the primary master key of now."""
    private = master().decrypt(bytes(row.private), _place(row))
    row.private, row.wrapped_by = master().encrypt(private, _place(row)), master().primary()
    row.save(update_fields=["private", "wrapped_by"])


def opens(row: SigningKey, wrapper: Wrapper) -> None:
    """Prove that this wrapper opens the private half. Raises KeysetMismatch."""
    wrapper.decrypt(bytes(row.private), _place(row))


def _make() -> SigningKey:
    """One key, though many ask at the same moment: what is derived from it has to be the same for all."""
    private = Ed25519PrivateKey.generate()
    with transaction.atomic():
        vault.make_alone()
        if (made := _newest()) is not None:
            return made
        vault.share_primary()
        row = SigningKey(public=private.public_key().public_bytes_raw(), wrapped_by=master().primary())
        row.private = master().encrypt(private.private_bytes_raw(), _place(row))
        row.save(force_insert=True)
    return row


def _place(row: SigningKey) -> bytes:
    return f"signing:{row.pk}".encode()


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
