"""The master keyset: what wraps people's keys. A file, an environment variable, or a key service elsewhere.

A key file is followed while processes run: when `rotate_master_key` replaces it, every process of this host
reads it again at its next use, so nothing has to be restarted.
"""

import io
import os
import stat
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import tink
from django.conf import settings
from django.utils.module_loading import import_string
from tink import aead, cleartext_keyset_handle
from tink.proto import tink_pb2

from memoryapp.errors import VaultUnavailable

aead.register()

TEMPLATE = aead.aead_key_templates.AES256_GCM


class KeysetMissing(VaultUnavailable):
    """This database holds content, but its master keyset is missing."""


class KeysetMismatch(VaultUnavailable):
    """The master keyset does not fit this database."""


class KeysetUnreadable(VaultUnavailable):
    """The master keyset cannot be read."""


class Wrapper(Protocol):
    """What wraps people's keysets: the local master keyset, or a key service behind the same calls."""

    def encrypt(self, plaintext: bytes, associated_data: bytes) -> bytes:
        """Wrap under the primary key. Raises VaultUnavailable."""

    def decrypt(self, ciphertext: bytes, associated_data: bytes) -> bytes:
        """Unwrap with whichever key fits. Raises VaultUnavailable."""

    def primary(self) -> str:
        """The name of the key that `encrypt` uses now. Raises VaultUnavailable."""


class Keyset:
    """One state of a master keyset, as tink's JSON."""

    def __init__(self, text: str) -> None:
        try:
            handle = cleartext_keyset_handle.read(tink.JsonKeysetReader(text))
            self.aead: aead.Aead = handle.primitive(aead.Aead)
        except tink.TinkError as error:
            raise KeysetMismatch("the master keyset cannot be read") from error
        self.primary = str(handle.keyset_info().primary_key_id)
        self.names = [str(key.key_id) for key in handle.keyset_info().key_info]


class Fixed:
    """A master keyset given once, by MEMORYAPP_MASTER_KEYSET."""

    def __init__(self, text: str) -> None:
        self._keyset = Keyset(text)

    def encrypt(self, plaintext: bytes, associated_data: bytes) -> bytes:
        return self.keyset().aead.encrypt(plaintext, associated_data)

    def decrypt(self, ciphertext: bytes, associated_data: bytes) -> bytes:
        try:
            return self.keyset().aead.decrypt(ciphertext, associated_data)
        except tink.TinkError as error:
            raise KeysetMismatch("the master keyset at hand is not the one of this database") from error

    def primary(self) -> str:
        return self.keyset().primary

    def keyset(self) -> Keyset:
        return self._keyset


class KeyFile(Fixed):
    """A master keyset in a file, read again whenever the file has been replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._state = _state(path)
        super().__init__(_text_of(path))

    def keyset(self) -> Keyset:
        state = _state(self.path)
        with self._lock:
            if state != self._state:
                self._keyset, self._state = Keyset(_text_of(self.path)), state
            return self._keyset


@lru_cache(maxsize=1)
def master() -> Wrapper:
    """The wrapper this process uses. Raises KeysetMissing, KeysetUnreadable or KeysetMismatch."""
    if settings.KEY_WRAPPER:
        return _named(settings.KEY_WRAPPER)
    if settings.MASTER_KEYSET:
        return Fixed(settings.MASTER_KEYSET)
    return KeyFile(settings.MASTER_KEYSET_FILE)


def _named(name: str) -> Wrapper:
    try:
        wrapper: Wrapper = import_string(name)()
    except (ImportError, OSError, TypeError, ValueError) as error:
        raise KeysetUnreadable(f"MEMORYAPP_KEY_WRAPPER makes no wrapper: {type(error).__name__}") from error
    return wrapper


def is_local() -> bool:
    """Whether the master keyset is a file of ours, which we may change."""
    return not settings.KEY_WRAPPER and not settings.MASTER_KEYSET


# ------------------------------------------------------------------ making and changing keysets


def new_keyset() -> str:
    """A keyset with one key."""
    return _text(tink.new_keyset_handle(TEMPLATE))


def with_key(text: str, *, primary: bool = True) -> str:
    """The keyset with one key more, which encrypts from now on if `primary`; the others still decrypt."""
    keyset = _parse(text)
    fresh = _parse(new_keyset()).key[0]
    while fresh.key_id in {key.key_id for key in keyset.key}:
        fresh = _parse(new_keyset()).key[0]
    keyset.key.append(fresh)
    if primary:
        keyset.primary_key_id = fresh.key_id
    return _json(keyset)


def with_newest_first(text: str) -> str:
    """The keyset with its last added key as the one that encrypts."""
    keyset = _parse(text)
    keyset.primary_key_id = keyset.key[-1].key_id
    return _json(keyset)


def with_primary_only(text: str) -> str:
    """The keyset without the keys that only decrypt. What is still wrapped by those is lost for good."""
    keyset = _parse(text)
    kept = [key for key in keyset.key if key.key_id == keyset.primary_key_id]
    del keyset.key[:]
    keyset.key.extend(kept)
    return _json(keyset)


def write_once(path: Path, text: str) -> None:
    """Write a new file, mode 600 from the first byte on; never over an existing one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    _sync_folder(path.parent)


def replace(path: Path, text: str) -> None:
    """Put another keyset in place at once, all or nothing, with the owner the file has."""
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    old = path.stat()
    write_once(draft, text)
    if os.geteuid() == 0:
        os.chown(draft, old.st_uid, old.st_gid)
    draft.chmod(stat.S_IMODE(old.st_mode) & 0o660)
    draft.replace(path)
    _sync_folder(path.parent)


def _state(path: Path) -> tuple[int, int, int]:
    """Changes whenever the file is replaced. Raises KeysetMissing when it is gone, KeysetUnreadable."""
    try:
        found = path.stat()
    except FileNotFoundError as error:
        raise KeysetMissing("set MEMORYAPP_MASTER_KEYSET or restore the key file") from error
    except OSError as error:
        raise _unreadable(error) from error
    return found.st_ino, found.st_mtime_ns, found.st_size


def _text_of(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, ValueError) as error:  # ValueError: it is no text
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> KeysetUnreadable:
    return KeysetUnreadable(f"the key file: {type(error).__name__}")


def _sync_folder(folder: Path) -> None:
    """A rename survives a power cut only once its folder is on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _parse(text: str) -> Any:
    try:
        return tink.JsonKeysetReader(text).read()
    except tink.TinkError as error:
        raise KeysetMismatch("the master keyset cannot be read") from error


def _json(keyset: tink_pb2.Keyset) -> str:
    stream = io.StringIO()
    tink.JsonKeysetWriter(stream).write(keyset)
    return stream.getvalue()


def _text(handle: tink.KeysetHandle) -> str:
    stream = io.StringIO()
    cleartext_keyset_handle.write(tink.JsonKeysetWriter(stream), handle)
    return stream.getvalue()
