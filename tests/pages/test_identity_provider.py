"""Sign-in by an identity provider: its `sub` is the user_id, and no local login is taken over."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def database_of_its_own() -> Iterator[str]:
    """OIDC brings tables of its own, which must not stay in the database of the other tests."""
    url = os.environ["DATABASE_URL"]
    name = f"oidc_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_the_provider_says_who_somebody_is(database_of_its_own: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": database_of_its_own,
        "DATABASE_POOL": "false",
        "MEMORYAPP_DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        "CELERY_BROKER_URL": "memory://",
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "tests.pages.identity_provider"]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1].removeprefix("A new master keyset was made."))

    assert told["door"]
    assert (told["first"]["status"], told["first"]["to"], told["first"]["page"]) == (
        302,
        "/me/memories/",
        200,
    )
    assert told["first"]["scope"] == ["openid"]
    assert told["first"]["pkce"] == ["S256"]
    assert not told["first"]["password_asked"]
    assert told["again"]["page"] == 200
    assert (told["taken"]["status"], told["taken"]["page"]) == (403, 302)
    assert told["logins"] == ["emp-7", "local"]
    assert told["minji"]
    assert told["people"] == 1
