"""Tell the worker that a row waits. The row is the job: a lost message costs time, never work."""

import logging
import time
from typing import Any

from django.db import transaction

from memoryapp.celery import app

log = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
_pause_until = 0.0


def hurry(task: str, *args: Any) -> None:
    """After the commit, send a task its ids. When the broker is gone the sweep finds the row."""
    transaction.on_commit(lambda: _send(task, args))


def _send(task: str, args: tuple[Any, ...]) -> None:
    global _pause_until
    if time.monotonic() < _pause_until:
        return
    try:
        app.send_task(task, args=args, ignore_result=True)
    except Exception as error:  # noqa: BLE001 - each transport raises its own kind
        # A broker that does not even refuse costs seconds: not each request should pay them.
        _pause_until = time.monotonic() + PAUSE_SECONDS
        log.warning("broker unreachable (%s); the sweep will find the row", type(error).__name__)
