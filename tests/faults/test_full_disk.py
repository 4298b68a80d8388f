"""The disk runs full under the database and the logs: what was accepted is kept, what was refused says so."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

FACT = "저는 부산에서 살아요"
SIZE = "320m"
LONG = "오늘 있었던 일을 길게 적어 둡니다. " * 600
SOME_ROOM = 8 << 20  # for some turns more, so that it fills while people talk
MOST = 2000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], capture_output=True
    ).returncode:
        pytest.skip("only root can make a disk to fill")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Take what is left of it, however small."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while file.write(b"\0" * size) == size:
                    pass
    return ballast


def test_a_full_disk_refuses_in_words_and_loses_nothing(disk: Path) -> None:
    with House(disk, Pgmq()) as house:
        house.welcome("kim")
        house.report("kim", "t0", FACT)
        house.wait_for("kim", "t0")

        ballast = fill(disk)
        os.truncate(ballast, ballast.stat().st_size - SOME_ROOM)
        accepted, refused = [], None
        for number in range(1, MOST):
            answer = house.report("kim", f"t{number}", "네", LONG)
            if answer.status_code != 202:
                refused = answer
                break
            accepted.append(f"t{number}")
        assert refused is not None, "the disk never filled"
        assert refused.status_code == 503
        assert refused.headers["content-type"] == "application/problem+json"
        assert "오늘" not in refused.text
        asked = house.call("POST", "recall", {"user_id": "kim", "query": "어디 살아?"})
        assert asked.status_code in (200, 503)

        ballast.unlink()
        house.restart_database()
        house.revive()
        wait_until(lambda: house.call("GET", "capabilities").status_code == 200, 60, "web is back")
        house.age_claims()
        for turn_id in accepted:
            house.wait_for("kim", turn_id, seconds=120)
        assert house.report("kim", f"t{len(accepted) + 1}", "저는 커피를 좋아해요").status_code == 202
        house.wait_for("kim", f"t{len(accepted) + 1}", seconds=60)
        assert house.facts("kim") == sorted([FACT, "저는 커피를 좋아해요"])
        assert "오늘 있었던" not in house.logs()
