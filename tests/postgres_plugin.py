"""One throw-away PostgreSQL for the whole test run, started before Django reads its settings.

With xdist the controller starts it and its workers inherit the address; each worker has its own database.
The data folder is a throw-away too, so that no test ever meets the keys of the developer's own `.data`.
"""

import os
from collections.abc import Generator
from contextlib import AbstractContextManager

import pytest

from memoryapp.embedded.temporary import temporary_environment

_running: list[AbstractContextManager[dict[str, str]]] = []
XDIST_WORKER = "PYTEST_XDIST_WORKER"


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    # A wrapper runs before pytest-django's own hook, which sets Django up.
    if XDIST_WORKER not in os.environ:
        environment = temporary_environment()
        os.environ.update(environment.__enter__())
        _running.append(environment)
    os.environ.setdefault("SECRET_KEY", "only-for-tests")
    os.environ.setdefault("CELERY_BROKER_URL", "memory://")
    os.environ.setdefault("MEMORYAPP_EMBEDDING_PROVIDER", "fake")
    return (yield)


def pytest_unconfigure() -> None:
    while _running:
        _running.pop().__exit__(None, None, None)
