"""A throw-away database: for the tests, and for any command that needs one.

    python -m memoryapp.embedded.temporary [--durable] COMMAND ...

runs COMMAND with DATABASE_URL and MEMORYAPP_DATA_DIR pointing into a folder that is removed afterwards. A
DATABASE_URL that is already set is used as it is. `--durable` keeps fsync on, for honest figures of writing.
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memoryapp.embedded.database import ensure_database
from memoryapp.embedded.postgres import Postgres
from memoryapp.embedded.refusals import CannotStart


@contextmanager
def temporary_environment(*, durable: bool = False) -> Iterator[dict[str, str]]:
    """The variables that point the product to a fresh database and data folder, both gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="memoryapp-"))
    variables = {"MEMORYAPP_DATA_DIR": str(folder)}
    try:
        if "DATABASE_URL" in os.environ:
            yield variables
            return
        with Postgres(folder / "postgres", log=folder / "postgres.log", durable=durable) as server:
            yield variables | {"DATABASE_URL": ensure_database(server)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the server may still be writing its last log line


def main(arguments: list[str]) -> int:
    durable = arguments[:1] == ["--durable"]
    try:
        with temporary_environment(durable=durable) as variables:
            defaults = {"SECRET_KEY": secrets.token_hex(), "CELERY_BROKER_URL": "memory://"}
            environment = {**defaults, **os.environ, **variables}
            return subprocess.run(arguments[durable:], env=environment, check=False).returncode
    except CannotStart as refusal:
        print(refusal, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
