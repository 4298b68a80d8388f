"""What the worker does: ids in, verbs called. No logic, no content, no results."""

import uuid

from celery import shared_task

from consent import ledger
from memoryapp import compress as levels
from memoryapp import forget, housekeeping, profile, store, turns
from memoryapp import nightly as nights
from memoryapp.celery import app
from memoryapp.index import rebuild, spaces

#: Session, day and week.
LEVELS = range(3)


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
    app.send_task("memoryapp.compress")


@shared_task(name="memoryapp.compress")
def compress() -> None:
    """Write the summaries that are due; a day comes due when its session is written, a week after its day."""
    for _ in LEVELS:
        for summary_pk in levels.waiting():
            levels.write(summary_pk)


@shared_task(name="memoryapp.settle")
def settle() -> None:
    """Judge every profile item afresh: confidence fades without evidence."""
    profile.settle_everybody()


@shared_task(name="memoryapp.nightly")
def nightly() -> None:
    """Start the nightly run of each revision whose time has come."""
    nights.run_due()


@shared_task(name="memoryapp.purge")
def purge() -> None:
    """Remove for good what is past its retention time."""
    store.purge()
    forget.purge()
    housekeeping.purge()
    spaces.drop_retired()
