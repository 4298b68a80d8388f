"""`make run`: the whole product from one command, until Ctrl-C.

Reads MEMORYAPP_DATA_DIR (default `.data`), PORT (8000), and, for a database or broker of one's own,
DATABASE_URL and CELERY_BROKER_URL. `--follow-parent` stops everything when the process that started us dies,
as a killed `make` would otherwise leave it running.
"""

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memoryapp.embedded import children, leftovers
from memoryapp.embedded.database import ensure_broker, ensure_database
from memoryapp.embedded.folder import STOPPING, DataFolder, Lock, open_data_folder
from memoryapp.embedded.postgres import Postgres
from memoryapp.embedded.product import HOST, Product
from memoryapp.embedded.quickstart import describe, read_quickstart
from memoryapp.embedded.refusals import CannotStart
from memoryapp.embedded.say import say
from memoryapp.embedded.supervise import Service, keep_running, stop_all
from memoryapp.embedded.wakeups import Wakeups

PATIENCE_SECONDS = 12.0  # for requests and tasks under way when we stop
READY_SECONDS = 180.0  # a busy machine may take long; a broken product dies three times much sooner
DEATHS_BEFORE_READY = 3


def main(arguments: list[str]) -> int:
    """Returns the exit code: 0 after a requested stop, 1 with a message when something does not work."""
    if "--follow-parent" in arguments:
        children.follow_parent(signal.SIGTERM)
    try:
        run()
    except CannotStart as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


def run() -> None:
    started = time.monotonic()
    port = _port(os.environ.get("PORT") or "8000")
    folder = open_data_folder(Path(os.environ.get("MEMORYAPP_DATA_DIR") or ".data"))
    lock = Lock(folder)
    wakeups = Wakeups(on_stop=lambda: lock.note(STOPPING))
    leftovers.sweep(folder.root)
    _refuse_busy_port(port)
    say("Starting ...")
    with _database(folder, wakeups) as (database_url, services):
        product = Product(folder, port, database_url)
        if product.uses_own_broker:
            ensure_broker(database_url)
        if not wakeups.stops:
            product.prepare(wakeups)
        services += product.services()
        try:
            _run_until_ready(services, wakeups, product)
            if not wakeups.stops:
                _welcome(product, time.monotonic() - started)
            keep_running(services, wakeups, until=lambda: False)
            say("Stopping; the worker finishes what it has begun ...")
        finally:
            lock.note(STOPPING)
            stop_all(
                [service for service in services if service.name != "postgres"], wakeups, PATIENCE_SECONDS
            )
    say("Stopped.")


@contextmanager
def _database(folder: DataFolder, wakeups: Wakeups) -> Iterator[tuple[str, list[Service]]]:
    """The URL of the database, with the embedded server as a service to watch over if there is one."""
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given, []
        return
    log = folder.logs / "postgres.log"
    with Postgres(folder.postgres, log=log, give_up=lambda: wakeups.stops > 0) as server:
        service = Service(
            "postgres", server.start, str(log), process=server.process, started=time.monotonic()
        )
        yield ensure_database(server), [service]


def _run_until_ready(services: list[Service], wakeups: Wakeups, product: Product) -> None:
    """Return when the web server answers. Raises CannotStart with the log of what keeps it from that."""
    deadline = time.monotonic() + READY_SECONDS
    keep_running(services, wakeups, until=lambda: _settled(services, deadline) or _answers(product.port))
    if wakeups.stops or _answers(product.port):
        return
    culprit = max(services, key=lambda service: (service.deaths, service.name == "web"))
    raise CannotStart(f"{culprit.name} does not come up:\n{children.log_tail(Path(culprit.log))}")


def _settled(services: list[Service], deadline: float) -> bool:
    """Whether there is no more hope."""
    return time.monotonic() > deadline or any(service.deaths >= DEATHS_BEFORE_READY for service in services)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _welcome(product: Product, seconds: float) -> None:
    quickstart = product.folder.quickstart
    say(f"Ready after {seconds:.0f} s. Ctrl-C stops everything.")
    for line in describe(read_quickstart(quickstart)):
        say(line)
    say(f"  files     {quickstart}, logs in {product.folder.logs}")


def _port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise CannotStart(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def _refuse_busy_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections in TIME_WAIT do not count
        try:
            probe.bind((HOST, port))
            probe.listen()
        except PermissionError as error:
            raise CannotStart(f"This user may not listen on port {port}. Try PORT={port + 8000}.") from error
        except OSError as error:
            raise CannotStart(
                f"Port {port} is in use by another program. Try `make run PORT={port + 1}`."
            ) from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
