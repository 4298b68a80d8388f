"""Rotate the master keyset while everything runs: a new key, everything wrapped anew, the old key retired.

Each step can be repeated and goes on where it was. Content is never touched: only the keys that open it are.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from memoryapp import audit, signing, vault
from memoryapp import master as masters
from memoryapp.errors import Conflict, VaultUnavailable
from memoryapp.master import Fixed, Keyset, master
from memoryapp.models import PersonKey, SigningKey, VaultSeal

BATCH = 200
_RUNNING = 7731_03


@dataclass(frozen=True, kw_only=True)
class Progress:
    """People's keys wrapped by the primary key, of all; `unreadable` open under no key at hand."""

    done: int
    total: int
    unreadable: int = 0

    @property
    def complete(self) -> bool:
        return self.done + self.unreadable >= self.total


@contextmanager
def alone() -> Iterator[None]:
    """One rotation at a time, over all hosts. Raises Conflict."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s::bigint)", [_RUNNING])
        if not cursor.fetchone()[0]:
            raise Conflict("another rotation is running")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s::bigint)", [_RUNNING])


def is_unfinished() -> bool:
    """Whether an earlier rotation stopped before everything was wrapped by the primary key."""
    known = ["", master().primary()]
    seals, keys = (
        VaultSeal.objects.exclude(wrapped_by__in=known),
        PersonKey.objects.exclude(wrapped_by__in=known),
    )
    return seals.exists() or keys.exists()


def add_key() -> str:
    """Put a new primary key into the key file; running processes use it from their next wrapping on. → its name"""
    path = settings.MASTER_KEYSET_FILE
    with transaction.atomic():
        vault.own_primary()
        masters.replace(path, masters.with_key(path.read_text()))
        name = master().primary()
        audit.note(None, "master-key.add", object_id=name)
        return name


def rewrap(tell: Callable[[Progress], None] = lambda progress: None, *, batch: int = BATCH) -> Progress:
    """Wrap every person's keys, our signing keys and the seal under the primary key, telling after each batch."""
    unreadable: set[int] = set()
    while found := _rewrap_batch(batch, unreadable):
        tell(_progress(len(unreadable)))
        unreadable |= found.unreadable
    with transaction.atomic():
        vault.share_primary()
        for row in SigningKey.objects.select_for_update().exclude(wrapped_by=master().primary()):
            signing.rewrap_key(row)
        vault.verify()
        vault.set_seal()
        audit.note(None, "master-key.rotate", object_id=master().primary())
    return _progress(len(unreadable))


def retire(write: Callable[[str], None] | None = None) -> list[str]:
    """Drop every key but the primary one, after proving that nothing needs them. → the names dropped

    `write` takes the new keyset where it is no file of ours. Raises Conflict while something needs an old key.
    """
    wrapper = master()
    if not isinstance(wrapper, Fixed):
        raise Conflict("the key service keeps its old keys itself")
    text = settings.MASTER_KEYSET or settings.MASTER_KEYSET_FILE.read_text()
    alone_text = masters.with_primary_only(text)
    _prove(Fixed(alone_text))
    gone = [name for name in Keyset(text).names if name != Keyset(alone_text).primary]
    with transaction.atomic():
        vault.own_primary()
        if text != (settings.MASTER_KEYSET or settings.MASTER_KEYSET_FILE.read_text()):
            raise Conflict("the keyset has changed meanwhile")
        if _waiting().exists() or VaultSeal.objects.exclude(wrapped_by=wrapper.primary()).exists():
            raise Conflict("something is still wrapped by an old key: rotate first")
        audit.note(None, "master-key.retire", object_id=wrapper.primary(), changed=gone)
        (write or (lambda new: masters.replace(settings.MASTER_KEYSET_FILE, new)))(alone_text)
    return gone


@dataclass(frozen=True)
class _Batch:
    unreadable: set[int]


def _rewrap_batch(size: int, skip: set[int]) -> _Batch | None:
    failed: set[int] = set()
    with transaction.atomic():
        vault.share_primary()
        rows = list(_waiting().exclude(pk__in=skip).select_for_update().order_by("pk")[:size])
        for row in rows:
            try:
                vault.rewrap_key(row)
            except masters.KeysetMismatch:
                failed.add(row.pk)
    return _Batch(failed) if rows else None


def _waiting() -> QuerySet[PersonKey]:
    return PersonKey.objects.exclude(wrapped_by=master().primary())


def _progress(unreadable: int) -> Progress:
    total = PersonKey.objects.count()
    return Progress(done=total - _waiting().count(), total=total, unreadable=unreadable)


def _prove(alone: Fixed) -> None:
    """Open everything with the primary key alone; labels could be wrong, ciphertexts cannot."""
    try:
        for key in PersonKey.objects.iterator(1000):
            vault.opens(key, alone)
        for row in SigningKey.objects.all():
            alone.decrypt(bytes(row.private), signing.place(row))
        for seal in VaultSeal.objects.all():
            alone.decrypt(bytes(seal.sealed), vault.SEAL)
    except VaultUnavailable as error:
        raise Conflict("something is still wrapped by an old key: rotate first") from error
