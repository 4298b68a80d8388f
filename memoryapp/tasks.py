"""What the worker does: ids in, verbs called. No logic, no content, no results."""

import uuid

from celery import shared_task

from consent import ledger
from memoryapp import forget, housekeeping, nightly as nights, turns
from memoryapp.celery import app
from memoryapp.index import rebuild, spaces


@shared_task(name="memoryapp.digest")
def digest(turn_pk: str) -> None:
    """Read one turn for facts."""
    turns.digest(uuid.UUID(turn_pk))


@shared_task(name="memoryapp.heal")
def heal() -> None:
    """Index what waits, until nothing is due."""
    while rebuild.heal():
        pass


@shared_task(name="memoryapp.sweep")
def sweep() -> None:
    """Find what no message announced: due turns, waiting index rows, consent that has run out."""
    ledger.expire()
    for turn_pk in turns.waiting():
        app.send_task("memoryapp.digest", args=(str(turn_pk),))
    app.send_task("memoryapp.heal")


@shared_task(name="memoryapp.nightly")
def nightly() -> None:
    """Start the nightly run of each revision whose time has come."""
    nights.run_due()


@shared_task(name="memoryapp.purge")
def purge() -> None:
    """Remove for good what is past its retention time."""
    forget.purge()
    housekeeping.purge()
    spaces.drop_retired()
