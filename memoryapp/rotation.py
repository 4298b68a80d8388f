"""Rotate the master keyset while everything runs: a new key, everything wrapped anew, the old key retired.

Each step can be repeated and goes on where it was. People's content is never touched, only the keys that open it are;
talk of nobody we know has no such key, and is sealed anew itself.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from memoryapp import audit, idempotency, signing, vault
from memoryapp import master as masters
from memoryapp.a2a import nobody
from memoryapp.errors import Conflict, VaultUnavailable
from memoryapp.master import Fixed, Keyset, Wrapper, master
from memoryapp.models import DevicePair, IdempotentAnswer, PersonKey, SigningKey, VaultSeal

BATCH = 200
_RUNNING = 7731_03


@dataclass(frozen=True, kw_only=True)
class Sealed:
    """One kind of row that is sealed under the master keyset itself, how to seal it anew, and how to prove it opens."""

    model: type[Model]
    rewrap: Callable[[Any], None]
    opens: Callable[[Any, Wrapper], None]
    #: Whether `wrapped_by` says under which key. Rows that do not say it are few and short-lived.
    labelled: bool = True
    #: Which rows of the table are: others may be sealed with a person's key.
    which: Q | None = None

    def rows(self) -> QuerySet[Any]:
        rows = self.model._default_manager.all()
        return rows if self.which is None else rows.filter(self.which)

    def waiting(self) -> QuerySet[Any]:
        """What the primary key has not sealed yet, as far as the rows say."""
        return self.rows().exclude(wrapped_by=master().primary()) if self.labelled else self.rows()


PEOPLE = Sealed(model=PersonKey, rewrap=vault.rewrap_key, opens=vault.opens)
#: Whoever encrypts under the master keyset is named here. The seal is last: it says that all before it is done.
SEALED = (
    PEOPLE,
    Sealed(model=DevicePair, rewrap=nobody.rewrap, opens=nobody.opens, labelled=False),
    Sealed(
        model=IdempotentAnswer,
        rewrap=idempotency.rewrap,
        opens=idempotency.opens,
        labelled=False,
        which=Q(person=None, content__isnull=False),
    ),
    Sealed(model=SigningKey, rewrap=signing.rewrap_key, opens=signing.opens),
    Sealed(model=VaultSeal, rewrap=vault.reseal, opens=vault.seal_opens),
)


@dataclass(frozen=True, kw_only=True)
class Progress:
    """People's keys wrapped by the primary key, of all; `unreadable` open under no key at hand.

    `others` counts what is nobody's key and opens under no key at hand.
    """

    done: int
    total: int
    unreadable: int = 0
    others: int = 0

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
    return any(kind.waiting().exclude(wrapped_by="").exists() for kind in SEALED if kind.labelled)


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
    """Seal all kinds of rows under the primary key, telling after each batch of people's keys."""
    unreadable = others = 0
    for kind in SEALED:
        for failed in _batches(kind, batch):
            if kind is not PEOPLE:
                others += failed
                continue
            unreadable += failed
            tell(_progress(unreadable))
    audit.note(None, "master-key.rotate", object_id=master().primary())
    return _progress(unreadable, others)


def retire(write: Callable[[str], None] | None = None) -> list[str]:
    """Drop every key but the primary one, after proving that nothing needs them. → the names dropped

    `write` takes the new keyset where it is no file of ours. Raises Conflict while something needs an old key.
    """
    wrapper = master()
    if not isinstance(wrapper, Fixed):
        raise Conflict("the key service keeps its old keys itself")
    text = settings.MASTER_KEYSET or settings.MASTER_KEYSET_FILE.read_text()
    alone_text = masters.with_primary_only(text)
    _prove(Fixed(alone_text), SEALED)
    gone = [name for name in Keyset(text).names if name != Keyset(alone_text).primary]
    with transaction.atomic():
        vault.own_primary()
        if text != (settings.MASTER_KEYSET or settings.MASTER_KEYSET_FILE.read_text()):
            raise Conflict("the keyset has changed meanwhile")
        if any(kind.waiting().exists() for kind in SEALED if kind.labelled):
            raise Conflict("something is still wrapped by an old key: rotate first")
        # Once more, now that nobody wraps: these do not say which key they need.
        _prove(Fixed(alone_text), [kind for kind in SEALED if not kind.labelled])
        audit.note(None, "master-key.retire", object_id=wrapper.primary(), changed=gone)
        (write or (lambda new: masters.replace(settings.MASTER_KEYSET_FILE, new)))(alone_text)
    return gone


def _batches(kind: Sealed, size: int) -> Iterator[int]:
    """Seal one kind anew, a transaction for each batch. → how many of the batch open under no key at hand"""
    last = None
    while True:
        with transaction.atomic():
            vault.share_primary()
            rest = kind.waiting() if last is None else kind.waiting().filter(pk__gt=last)
            rows = list(rest.select_for_update().order_by("pk")[:size])
            failed = sum(not _rewrapped(kind, row) for row in rows)
        if not rows:
            return
        last = rows[-1].pk
        yield failed


def _rewrapped(kind: Sealed, row: Model) -> bool:
    try:
        kind.rewrap(row)
    except masters.KeysetMismatch:
        return False
    return True


def _progress(unreadable: int, others: int = 0) -> Progress:
    total = PEOPLE.rows().count()
    return Progress(done=total - PEOPLE.waiting().count(), total=total, unreadable=unreadable, others=others)


def _prove(alone: Fixed, kinds: Iterable[Sealed]) -> None:
    """Open everything with the primary key alone; labels could be wrong, ciphertexts cannot."""
    try:
        for kind in kinds:
            for row in kind.rows().iterator(1000):
                kind.opens(row, alone)
    except VaultUnavailable as error:
        raise Conflict("something is still wrapped by an old key: rotate first") from error
