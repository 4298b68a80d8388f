"""The machine's clock jumps a day ahead under everybody, a worker dies there, and the clock is set back."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.embedded import postgres
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

FACT, LATER = "저는 부산에서 살아요", "저는 커피를 좋아해요"
SOURCE = Path(__file__).with_name("clock.c")
A_DAY = 86400


class Clock:
    """What the processes of a house, its database among them, take for the time of day."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.move(0)

    def move(self, seconds: int) -> None:
        """Ahead of the real time by so much, from now on."""
        new = self.path.with_suffix(".new")
        new.write_text(str(seconds))
        new.chmod(0o644)
        new.replace(self.path)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = Path(tempfile.mkdtemp(prefix="clock-"))
    folder.chmod(0o755)  # the database runs as somebody else
    library = folder / "clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)], check=True)
    clock = Clock(folder / "moved")
    moved = {"LD_PRELOAD": str(library), "MOVED_CLOCK": str(clock.path)}
    for name, value in moved.items():
        monkeypatch.setenv(name, value)
    bare = postgres._environment()  # the database gets nothing of ours otherwise
    monkeypatch.setattr(postgres, "_environment", lambda: bare | moved)
    yield clock
    shutil.rmtree(folder)


@pytest.fixture
def house(clock: Clock, tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, Pgmq()) as house:
        house.welcome("kim")
        yield house


def days_ahead(house: House) -> float:
    return float(house.sql("SELECT extract(epoch FROM now() - to_timestamp(%s)) / 86400", time.time())[0][0])


def test_a_jump_of_the_clock_and_back_holds_nothing_up(house: House, clock: Clock) -> None:
    house.report("kim", "t1", FACT)
    house.wait_for("kim", "t1")

    clock.move(A_DAY)
    wait_until(lambda: days_ahead(house) > 0.9, 10, "the clock is a day ahead")
    with house.held("memoryapp_memory"):  # the worker stops where it writes
        house.report("kim", "t2", LATER)
        house.wait_for("kim", "t2", "running")
        house.kill("worker")

    clock.move(0)
    wait_until(lambda: days_ahead(house) < 0.1, 10, "the clock is right again")
    house.start("worker")
    house.wait_for("kim", "t2", seconds=60)
    assert house.report("kim", "t3", "저는 판교에서 일해요").status_code == 202
    house.wait_for("kim", "t3")
    assert house.facts("kim") == sorted([FACT, LATER, "저는 판교에서 일해요"])
    assert house.processes["beat"].poll() is None
