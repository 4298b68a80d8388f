"""The Celery application: ids in, verbs called."""

import logging.config
import os
from collections.abc import Callable
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_prerun, worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

app = Celery("memoryapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["memoryapp"])


def or_end(check: Callable[[], None]) -> None:
    """Check something before the first task is taken; whatever is raised ends the worker.

    Celery would log it and start all the same. Only our own Problems are worded to be told.
    """
    from django.db import connection

    from memoryapp.errors import Problem

    try:
        check()
    except Problem as problem:
        raise SystemExit(f"{problem.title} {problem.detail}") from problem
    except Exception as error:  # a worker that cannot tell does not start
        raise SystemExit(f"The worker cannot start: {type(error).__name__}") from error
    # The children are forked from here: a pool's threads would not come along.
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


@worker_init.connect  # type: ignore[untyped-decorator]
def refuse_wrong_keys(**kwargs: Any) -> None:
    """A worker with the wrong master keyset stops here, before it takes a task."""
    from memoryapp import vault

    or_end(vault.verify)


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
