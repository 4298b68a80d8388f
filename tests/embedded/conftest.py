"""Programs that these tests start and kill, in processes of their own."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start_python() -> Iterator[Start]:
    """Start `python -c code arguments…` in the project; what is still running at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: object, **options: object) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", code, *map(str, arguments)]
        process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def first_line(process: "subprocess.Popen[str]") -> str:
    """What the program says first; that it got so far is what the tests wait for."""
    assert process.stdout
    return process.stdout.readline().strip()
