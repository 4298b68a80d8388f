"""The ledger of erasures outside the database: one signed certificate per line, no name, no content.

The row in the database says whether its line is written, so a crash between commit and writing loses nothing;
a line written twice harms nothing.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp.models import Erasure


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


def kept() -> Iterator[dict[str, Any]]:
    """The certificates in the ledger, oldest first. A last line cut off by a crash is left out: it is written again."""
    if not settings.ERASURE_LEDGER.exists():
        return
    with settings.ERASURE_LEDGER.open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)


def _append(certificates: list[dict[str, Any]]) -> None:
    path = settings.ERASURE_LEDGER
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600)
    with os.fdopen(handle, "rb+") as file:
        size = file.seek(0, os.SEEK_END)
        if size and os.pread(handle, 1, size - 1) != b"\n":
            file.truncate(_end_of_last_line(handle, size))
        lines = (json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n" for item in certificates)
        file.write("".join(lines).encode())
        file.flush()
        os.fsync(handle)


def _end_of_last_line(handle: int, size: int) -> int:
    return os.pread(handle, size, 0).rfind(b"\n") + 1
