"""What the worker does: ids in, verbs called. No logic, no content, no results."""

import uuid
from collections.abc import Callable
from typing import Any

from celery import shared_task
from celery.signals import worker_init
from django.conf import settings

from consent import ledger
from memoryapp import compress as levels
from memoryapp import erasures, forget, housekeeping, key_refresh, profile, restore, store, turns
from memoryapp import nightly as nights
from memoryapp import replay as replays
from memoryapp.celery import app, or_end
from memoryapp.index import rebuild, spaces
from memoryapp.one_by_one import each

#: The next sweeps send it again, so that nothing piles up while no worker runs (seconds).
LATER = 3 * settings.SWEEP_SECONDS
#: Session, day and week.
LEVELS = range(3)


@worker_init.connect
def refuse_revenants(**kwargs: Any) -> None:
    """A worker on a restored backup that brought erased people back stops here, before it takes a task."""
    or_end(restore.refuse_revenants)


@shared_task(name="memoryapp.digest")
def digest(turn_pk: str) -> None:
    """Read one turn for facts."""
    turns.digest(uuid.UUID(turn_pk))


@shared_task(name="memoryapp.replay")
def replay(replay_pk: str) -> None:
    """Read a day's turns with a draft as well."""
    replays.run(uuid.UUID(replay_pk))


@shared_task(name="memoryapp.fetch_keys")
def fetch_keys(service_pk: int) -> None:
    """Fetch a service's public keys from where it publishes them."""
    key_refresh.refresh(service_pk)


@shared_task(name="memoryapp.heal")
def heal() -> None:
    """Index what waits, until nothing is due."""
    while rebuild.heal():
        pass


@shared_task(name="memoryapp.sweep")
def sweep() -> None:
    """Find what no message announced: due turns, waiting index rows, trials, keys to fetch, expired consent."""
    ledger.expire()
    for turn_pk in turns.waiting():
        app.send_task("memoryapp.digest", args=(str(turn_pk),), expires=LATER)
    for replay_pk in replays.waiting():
        app.send_task("memoryapp.replay", args=(str(replay_pk),), expires=LATER)
    for service_pk in key_refresh.due():
        app.send_task("memoryapp.fetch_keys", args=(service_pk,), expires=LATER)
    app.send_task("memoryapp.heal", expires=LATER)
    app.send_task("memoryapp.compress", expires=LATER)
    erasures.keep_outside()  # last: a ledger that cannot be written stops nothing else


@shared_task(name="memoryapp.compress")
def compress() -> None:
    """Write the summaries that are due; a day comes due when its session is written, a week after its day."""
    for _ in LEVELS:
        each("summaries", levels.waiting(), _write)


def _write(summary_pk: uuid.UUID) -> int:
    levels.write(summary_pk)
    return 1


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
    each("purge", [store.purge, forget.purge, housekeeping.purge, spaces.drop_retired], _taken)


def _taken(step: Callable[[], object]) -> int:
    step()
    return 1
