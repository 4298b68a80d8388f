"""Encryption of content: a master keyset wraps each person's keysets; those seal that person's content.

A sealed text is bound to its place (table, row): moved to another row or person it does not open.
Destroying a person's key row makes everything sealed under it unreadable, backups of content included.
"""

import io
import json
from functools import lru_cache
from typing import Any

import tink
from django.conf import settings
from django.db import connection
from tink import aead, prf

from memoryapp import master as masters
from memoryapp.errors import VaultUnavailable
from memoryapp.master import KeysetMismatch, KeysetMissing, Wrapper, master
from memoryapp.models import PersonKey, VaultSeal
from speakers.models import Person

prf.register()

_PROOF = b"memoryapp: this keyset fits this database"
_SEAL = b"seal"
_TERM_BYTES = 8


class Box:
    """One person's content key and term key. Make it with `box()`; it never leaves the process."""

    def __init__(self, owner: int, content: aead.Aead, terms: prf.PrfSet) -> None:
        self._owner = owner
        self._content = content
        self._terms = terms.primary()

    def seal(self, value: Any, place: str) -> bytes:
        """Encrypt a JSON value for one place, e.g. `memory:<uuid>`."""
        plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        return self._content.encrypt(plain, self._bound(place))

    def open(self, sealed: bytes | memoryview, place: str) -> Any:
        """Decrypt what was sealed for this place. Raises VaultUnavailable, never returns rubbish."""
        try:
            return json.loads(self._content.decrypt(bytes(sealed), self._bound(place)))
        except tink.TinkError as error:
            raise VaultUnavailable("content does not open under its person's key") from error

    def mark(self, text: str | bytes) -> int:
        """A keyed hash as a signed 64-bit number: equal texts of one person meet, nobody can read them back."""
        data = text.encode() if isinstance(text, str) else text
        return int.from_bytes(self._terms.compute(data, _TERM_BYTES), "big", signed=True)

    def prf(self, data: bytes) -> bytes:
        """The keyed hash behind `mark`, eight bytes."""
        return self._terms.compute(data, _TERM_BYTES)

    def _bound(self, place: str) -> bytes:
        return f"{self._owner}|{place}".encode()


def box(key: PersonKey) -> Box:
    """Open a person's keysets. Give it the row just read, so that an erased person's box cannot be had."""
    return _open_box(key.person_id, bytes(key.content_keyset), bytes(key.terms_keyset))


def box_of(person: Person) -> Box:
    """The box of a person whose `key` is loaded or can be loaded. Raises VaultUnavailable without one."""
    try:
        return box(person.key)
    except PersonKey.DoesNotExist as error:
        raise VaultUnavailable("this person has no key") from error


def create_key(person: Person) -> PersonKey:
    """Make a person's two keysets. Called once, in the transaction in which the person is first known."""
    share_primary()  # while we wrap, nobody retires the key we wrap with
    return PersonKey.objects.create(
        person=person,
        content_keyset=_wrap(tink.new_keyset_handle(aead.aead_key_templates.AES256_GCM), person.pk),
        terms_keyset=_wrap(tink.new_keyset_handle(prf.prf_key_templates.HMAC_SHA256), person.pk),
        wrapped_by=master().primary(),
    )


def opens(key: PersonKey, wrapper: Wrapper) -> None:
    """Prove that this wrapper opens a person's keysets. Raises KeysetMismatch."""
    for wrapped in (key.content_keyset, key.terms_keyset):
        _unwrap(bytes(wrapped), key.person_id, wrapper)


def rewrap_key(key: PersonKey) -> None:
    """Wrap a person's keysets under the primary master key of now; what they open stays as it is."""
    key.content_keyset = _wrap(_unwrap(bytes(key.content_keyset), key.person_id), key.person_id)
    key.terms_keyset = _wrap(_unwrap(bytes(key.terms_keyset), key.person_id), key.person_id)
    key.wrapped_by = master().primary()
    key.save(update_fields=["content_keyset", "terms_keyset", "wrapped_by"])


@lru_cache(maxsize=4096)
def _open_box(owner: int, content: bytes, terms: bytes) -> Box:
    return Box(
        owner, _unwrap(content, owner).primitive(aead.Aead), _unwrap(terms, owner).primitive(prf.PrfSet)
    )


def _wrap(handle: tink.KeysetHandle, owner: int) -> bytes:
    stream = io.BytesIO()
    handle.write_with_associated_data(tink.BinaryKeysetWriter(stream), master(), _owner(owner))
    return stream.getvalue()


def _unwrap(wrapped: bytes, owner: int, wrapper: Wrapper | None = None) -> tink.KeysetHandle:
    try:
        return tink.read_keyset_handle_with_associated_data(
            tink.BinaryKeysetReader(wrapped), wrapper or master(), _owner(owner)
        )
    except (tink.TinkError, KeysetMismatch) as error:
        raise KeysetMismatch("a person's key does not open under the master keyset") from error


def _owner(owner: int) -> bytes:
    return f"person:{owner}".encode()


# ------------------------------------------------------------------ the seal of a database


def verify() -> None:
    """Refuse to go on unless the keyset at hand is the one this database was made with."""
    seal = VaultSeal.objects.first()
    if seal is None:
        raise KeysetMissing("run `manage.py init_vault` first")
    if master().decrypt(bytes(seal.sealed), _SEAL) != _PROOF:
        raise KeysetMismatch("the master keyset at hand is not the one of this database")


def set_seal() -> None:
    """Seal the proof under the primary master key of now."""
    values = {"sealed": master().encrypt(_PROOF, _SEAL), "wrapped_by": master().primary()}
    VaultSeal.objects.update_or_create(pk=1, defaults=values)


def reseal(seal: VaultSeal) -> None:
    """Seal the proof anew, after seeing that it opens. Raises KeysetMismatch."""
    verify()
    set_seal()


def seal_opens(seal: VaultSeal, wrapper: Wrapper) -> None:
    """Prove that this wrapper opens the proof. Raises KeysetMismatch."""
    wrapper.decrypt(bytes(seal.sealed), _SEAL)


def initialise() -> bool:
    """Make the master keyset for a new database, once. With content present it only verifies. → made?"""
    if VaultSeal.objects.exists() or PersonKey.objects.exists():
        verify()
        return False
    made = masters.is_local() and not settings.MASTER_KEYSET_FILE.exists()
    if made:
        masters.write_once(settings.MASTER_KEYSET_FILE, masters.new_keyset())
        master.cache_clear()
    set_seal()
    return made


# ------------------------------------------------------------------ nobody wraps while a key is retired

_RETIRING, _MAKING = 7731_02, 7731_04


def share_primary() -> None:
    """Until this transaction ends, the key that encrypts now is not retired."""
    _lock("SELECT pg_advisory_xact_lock_shared(%s::bigint)", _RETIRING)


def own_primary() -> None:
    """Wait for those who wrap at this moment; until this transaction ends, nobody wraps."""
    _lock("SELECT pg_advisory_xact_lock(%s::bigint)", _RETIRING)


def make_alone() -> None:
    """Until this transaction ends, nobody else makes a key that all share."""
    _lock("SELECT pg_advisory_xact_lock(%s::bigint)", _MAKING)


def _lock(statement: str, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [number])
