"""The ledger of erasures outside the database: one signed certificate per line, no name, no content.

The row in the database says whether its line is written, so a crash between commit and writing loses nothing;
a line written twice harms nothing. The ledger's first line is its own: the database keeps the id in it, so that
another ledger, an empty one or none at all is not taken for one in which nobody was erased.
"""

import fcntl
import json
import logging
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp import signing
from memoryapp.errors import Problem
from memoryapp.models import Erasure, VaultSeal

log = logging.getLogger(__name__)

_LATE = timedelta(seconds=3 * settings.SWEEP_SECONDS)


class LedgerMissing(Problem):
    """The ledger of erasures is not the one that this database knows."""

    code = "ledger-broken"
    status = 503


class LedgerUnreadable(Problem):
    """The ledger of erasures cannot be read."""

    code = "ledger-broken"
    status = 503


@dataclass
class Ledger:
    """What this database has signed: ids of ledgers, of certificates and of people; `foreign` lines it has not."""

    ids: list[str] = field(default_factory=list)
    certificates: set[str] = field(default_factory=set)
    people: list[str] = field(default_factory=list)
    foreign: int = 0


def begin() -> None:
    """Give this database a ledger, if it has none: the one that is there, or a new one. Raises OSError, LedgerUnreadable."""
    with transaction.atomic():
        seal = VaultSeal.objects.select_for_update().filter(ledger_id=None).first()
        if seal is None:
            return
        known = read().ids
        seal.ledger_id = uuid.UUID(known[-1]) if known else uuid.uuid4()
        if not known:
            _append([_first_line(seal.ledger_id)])
        seal.save(update_fields=["ledger_id"])


def keep_outside() -> int:
    """Write the certificates that are not in the ledger yet. → how many. Raises OSError when it cannot be written."""
    with transaction.atomic():
        rows = list(
            Erasure.objects.select_for_update(skip_locked=True)
            .filter(kept_outside_at=None)
            .order_by("erased_at")
        )
        if rows:
            _append([row.certificate for row in rows if row.certificate])
            Erasure.objects.filter(pk__in=[row.pk for row in rows]).update(kept_outside_at=timezone.now())
    return len(rows)


def keep_at_once() -> None:
    """`keep_outside` right after an erasure, which is done whether or not its certificate can be written now."""
    try:
        keep_outside()
    except (OSError, DatabaseError) as error:
        log.error("a certificate is not in the ledger yet: %s", type(error).__name__)


def waiting(now: datetime) -> tuple[int, bool]:
    """How many certificates are not in the ledger yet, and whether one waits for longer than a few sweeps."""
    rows = Erasure.objects.filter(kept_outside_at=None)
    return rows.count(), rows.filter(erased_at__lt=now - _LATE).exists()


def kept() -> Iterator[dict[str, Any]]:
    """The lines of the ledger, oldest first. A last line cut off by a crash is left out: it is written again.

    Raises LedgerUnreadable, which names the line.
    """
    try:
        with settings.ERASURE_LEDGER.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n") and line.strip():
                    yield _parsed(line, number)
    except FileNotFoundError:
        return
    except OSError as error:
        raise LedgerUnreadable(f"{settings.ERASURE_LEDGER}: {type(error).__name__}") from error


def _parsed(line: bytes, number: int) -> dict[str, Any]:
    """Half of a certificate must not pass for none: whoever it names would be served."""
    try:
        document: dict[str, Any] = json.loads(line)
        uuid.UUID(document["ledger_id"] if "ledger_id" in document else document["person_id"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise LedgerUnreadable(
            f"line {number} of {settings.ERASURE_LEDGER} is damaged: take it out of the file, "
            "then `manage.py restore_check` tells what is missing"
        ) from error
    return document


def read() -> Ledger:
    """The whole ledger, as far as this database has signed it. Raises LedgerUnreadable."""
    ledger, ours = Ledger(), signing.prover()
    for line in kept():
        if not ours(line):
            ledger.foreign += 1
        elif "ledger_id" in line:
            ledger.ids.append(line["ledger_id"])
        else:
            ledger.certificates.add(line.get("certificate_id", ""))
            ledger.people.append(line["person_id"])
    return ledger


def whole() -> Ledger:
    """The ledger, with all in it that this database knows to be there. Raises LedgerMissing, LedgerUnreadable."""
    written, ledger_id = _written(), _ledger_id()  # before the file: what is written meanwhile is no loss
    ids = {str(pk) for pk in written.values_list("pk", flat=True)}
    ledger = read()
    lost = len(ids - ledger.certificates)
    if lost or (ledger_id is not None and str(ledger_id) not in ledger.ids):
        raise LedgerMissing(
            f"{lost} certificates are not in {settings.ERASURE_LEDGER}, or it is another ledger: put its newest "
            "copy there. Only if there is none: `manage.py restore_check --rebuild-ledger`"
        )
    return ledger


def rebuild() -> int:
    """Write again what this database knows to have been in the ledger. → how many certificates. Raises OSError."""
    ledger, ledger_id = read(), _ledger_id()
    lost = [row for row in _written().order_by("erased_at") if str(row.pk) not in ledger.certificates]
    first = ledger_id is not None and str(ledger_id) not in ledger.ids
    _append(([_first_line(ledger_id)] if first else []) + [row.certificate for row in lost])
    return len(lost)


def _written() -> QuerySet[Erasure]:
    """Erasures before there were certificates have none to be lost."""
    return Erasure.objects.exclude(kept_outside_at=None).exclude(certificate={})


def _ledger_id() -> uuid.UUID | None:
    return VaultSeal.objects.values_list("ledger_id", flat=True).first()


def _first_line(ledger_id: uuid.UUID | None) -> dict[str, Any]:
    return signing.sign({"ledger_id": str(ledger_id), "begun_at": timezone.now().isoformat()})


def _append(lines: list[dict[str, Any]]) -> None:
    path = settings.ERASURE_LEDGER
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600)
    with os.fdopen(handle, "rb+") as file:
        fcntl.flock(handle, fcntl.LOCK_EX)  # or the last line of one who is writing looks cut off
        size = file.seek(0, os.SEEK_END)
        if size and os.pread(handle, 1, size - 1) != b"\n":
            file.truncate(_end_of_last_line(handle, size))
        texts = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        file.write("".join(texts).encode())
        file.flush()
        os.fsync(handle)


def _end_of_last_line(handle: int, size: int) -> int:
    return os.pread(handle, size, 0).rfind(b"\n") + 1
