"""The Celery application: ids in, verbs called."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_prerun, worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

app = Celery("memoryapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["memoryapp"])


@worker_init.connect  # type: ignore[untyped-decorator]
def refuse_wrong_keys(**kwargs: Any) -> None:
    """A worker with the wrong master keyset stops here, before it takes a task."""
    from django.db import connection

    from memoryapp import vault
    from memoryapp.errors import VaultUnavailable

    try:
        vault.verify()
    except VaultUnavailable as error:  # celery logs any other exception here and starts all the same
        raise SystemExit(f"{error.title} {error.detail}") from error
    # The children are forked from here: a pool's threads would not come along.
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


@worker_process_init.connect  # type: ignore[untyped-decorator]
def warm_up(**kwargs: Any) -> None:
    from memoryapp import warm

    warm.in_background()


@setup_logging.connect  # type: ignore[untyped-decorator]
def keep_our_logging(**kwargs: Any) -> None:
    """Our own formatters stay: Celery's would write an exception's words, which may quote content."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@task_prerun.connect  # type: ignore[untyped-decorator]
def name_the_task(task_id: str = "-", **kwargs: Any) -> None:
    """Every log line of a task carries its id."""
    from memoryapp.logs import current_id

    current_id.set(task_id)
