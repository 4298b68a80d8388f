"""Encryption of content: a master keyset wraps each person's keysets; those seal that person's content.

A sealed text is bound to its place (table, row): moved to another row or person it does not open.
Destroying a person's key row makes everything sealed under it unreadable, backups of content included.
"""

import io
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import tink
from django.conf import settings
from tink import aead, cleartext_keyset_handle, prf

from memoryapp.errors import VaultUnavailable
from memoryapp.models import PersonKey, VaultSeal
from speakers.models import Person

aead.register()
prf.register()

_PROOF = b"memoryapp: this keyset fits this database"
_TERM_BYTES = 8


class Wrapper(Protocol):
    """What wraps people's keysets: the local master keyset here, a KMS behind the same two calls."""

    def encrypt(self, plaintext: bytes, associated_data: bytes) -> bytes: ...

    def decrypt(self, ciphertext: bytes, associated_data: bytes) -> bytes: ...


class KeysetMissing(VaultUnavailable):
    """This database holds content, but its master keyset is missing."""


class KeysetMismatch(VaultUnavailable):
    """The master keyset does not fit this database."""


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
    """Make a person's two keysets. Called once, when the person is first known."""
    return PersonKey.objects.create(
        person=person,
        content_keyset=_wrap(aead.aead_key_templates.AES256_GCM, person.pk),
        terms_keyset=_wrap(prf.prf_key_templates.HMAC_SHA256, person.pk),
    )


def seal_unowned(value: Any, place: str) -> bytes:
    """Encrypt what belongs to no person, and is kept for hours, under the master keyset."""
    return bytes(
        master().encrypt(json.dumps(value, ensure_ascii=False).encode(), f"unowned|{place}".encode())
    )


def open_unowned(sealed: bytes | memoryview, place: str) -> Any:
    """Decrypt what `seal_unowned` made for this place. Raises VaultUnavailable."""
    try:
        return json.loads(master().decrypt(bytes(sealed), f"unowned|{place}".encode()))
    except tink.TinkError as error:
        raise VaultUnavailable("content does not open under the master keyset") from error


@lru_cache(maxsize=4096)
def _open_box(owner: int, content: bytes, terms: bytes) -> Box:
    return Box(
        owner, _unwrap(content, owner).primitive(aead.Aead), _unwrap(terms, owner).primitive(prf.PrfSet)
    )


def _wrap(template: Any, owner: int) -> bytes:
    stream = io.BytesIO()
    tink.new_keyset_handle(template).write_with_associated_data(
        tink.BinaryKeysetWriter(stream), master(), _owner(owner)
    )
    return stream.getvalue()


def _unwrap(wrapped: bytes, owner: int) -> Any:
    try:
        return tink.read_keyset_handle_with_associated_data(
            tink.BinaryKeysetReader(wrapped), master(), _owner(owner)
        )
    except tink.TinkError as error:
        raise KeysetMismatch("a person's key does not open under the master keyset") from error


def _owner(owner: int) -> bytes:
    return f"person:{owner}".encode()


# ------------------------------------------------------------------ the master keyset


@lru_cache(maxsize=1)
def master() -> aead.Aead:
    """The primitive that wraps people's keysets, from MEMORYAPP_MASTER_KEYSET or the key file."""
    text = settings.MASTER_KEYSET or _read(settings.MASTER_KEYSET_FILE)
    if not text:
        raise KeysetMissing("set MEMORYAPP_MASTER_KEYSET or restore the key file")
    try:
        handle = cleartext_keyset_handle.read(tink.JsonKeysetReader(text))
        return handle.primitive(aead.Aead)
    except tink.TinkError as error:
        raise KeysetMismatch("the master keyset cannot be read") from error


def verify() -> None:
    """Refuse to go on unless the keyset at hand is the one this database was made with."""
    seal = VaultSeal.objects.first()
    if seal is None:
        raise KeysetMissing("run `manage.py init_vault` first")
    try:
        fits = master().decrypt(bytes(seal.sealed), b"seal") == _PROOF
    except tink.TinkError as error:
        raise KeysetMismatch("the master keyset at hand is not the one of this database") from error
    if not fits:
        raise KeysetMismatch("the master keyset at hand is not the one of this database")


def initialise() -> bool:
    """Make the master keyset for a new database, once. With content present it only verifies. → made?"""
    if VaultSeal.objects.exists() or PersonKey.objects.exists():
        verify()
        return False
    made = not settings.MASTER_KEYSET and not settings.MASTER_KEYSET_FILE.exists()
    if made:
        _write_once(settings.MASTER_KEYSET_FILE, _new_keyset())
        master.cache_clear()
    VaultSeal.objects.create(sealed=master().encrypt(_PROOF, b"seal"))
    return made


def _new_keyset() -> str:
    stream = io.StringIO()
    cleartext_keyset_handle.write(
        tink.JsonKeysetWriter(stream), tink.new_keyset_handle(aead.aead_key_templates.AES256_GCM)
    )
    return stream.getvalue()


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _write_once(path: Path, text: str) -> None:
    """Mode 600 from the first byte on; never over an existing key."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
