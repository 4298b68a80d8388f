"""Read public keys: what an admin pastes has to be right as a whole, of a fetched set what fits us is taken."""

import base64
import hashlib
import json
from typing import Any

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from memoryapp.errors import Invalid
from memoryapp.fetch import Failed

ALGORITHMS = ("EdDSA", "RS256")
SMALLEST_RSA = 2048
#: Checking a signature takes longer with each bit, and OpenSSL checks none beyond 16384.
LARGEST_RSA = 8192
LONGEST_KID = 100
#: What a JWK of any JSON whatever makes its parser raise.
_ODD = (
    jwt.PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError, AttributeError, OverflowError,
)  # fmt: skip
#: Of one fetched set. An issuer that rotates has two or three.
MOST_KEYS = 20


def pasted(kid: str, text: str) -> dict[str, str]:
    """kid → PEM of one key in PEM under `kid`, or of a JWK or JWK set. Raises Invalid with what is wrong."""
    if not text.startswith("{"):
        return {_kid(kid): _pem(_from_pem(text))}
    rows = _rows(text)
    named = {_kid(row.get("kid") or (kid if len(rows) == 1 else "")): _pem(_from_jwk(row)) for row in rows}
    if len(named) < len(rows):
        raise Invalid("two keys of one name", {"public_key": ["Each key needs a kid of its own."]})
    return named


def fetched(body: bytes) -> dict[str, str]:
    """kid → PEM of the keys in a JWK set that we can use; the first of one name counts.

    A kid is optional (RFC 7517): a key without one is named by its thumbprint, for who names none in the assertion.
    Others (for encryption, of other kinds, too short, private, with a kid that is no name) are left out. Raises Failed:
    `not-json`, `no-usable-key`, `too-many-keys`.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Failed("not-json") from error
    rows = value.get("keys") if isinstance(value, dict) else None
    named: dict[str, str] = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and _is_for_signing(row) and (key := _usable(row)):
            named.setdefault(*key)
    if not named:
        raise Failed("no-usable-key")
    if len(named) > MOST_KEYS:
        raise Failed("too-many-keys")
    return named


def _is_for_signing(row: dict[str, Any]) -> bool:
    """What the key itself says of its use (RFC 7517); each of the three may be missing."""
    uses = row.get("key_ops", ["verify"])
    return (
        row.get("use", "sig") == "sig"
        and row.get("alg", "RS256") in ALGORITHMS
        and isinstance(uses, list)
        and "verify" in uses
    )


def _usable(row: dict[str, Any]) -> tuple[str, str] | None:
    try:
        pem = _pem(_from_jwk(row))
        return _kid(row["kid"]) if "kid" in row else _thumbprint(row), pem
    except Invalid:
        return None


def _thumbprint(row: dict[str, Any]) -> str:
    """RFC 7638: equal for one key however its set is written."""
    needed = ("crv", "kty", "x") if row["kty"] == "OKP" else ("e", "kty", "n")
    told = json.dumps({name: row[name] for name in needed}, sort_keys=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(told.encode()).digest()).decode().rstrip("=")


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
    except _ODD as error:
        raise Invalid("not a public key", {"public_key": ["Not a JWK that can be read."]}) from error


def _pem(key: object) -> str:
    """Only public halves of keys that are strong, and no burden to check with."""
    if isinstance(key, RSAPublicKey) and not SMALLEST_RSA <= key.key_size <= LARGEST_RSA:
        key = None
    if not isinstance(key, RSAPublicKey | Ed25519PublicKey):
        raise Invalid(
            "not a key of a kind we accept",
            {"public_key": ["The public half of Ed25519, or of RSA of 2048 to 8192 bits."]},
        )
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode().strip()
