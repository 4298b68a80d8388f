"""Processes that die in the middle of a piece of work: forked from one that knows the product already.

To start a worker for each death takes half a minute. What a worker does is a function of ours either way.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

#: Reads pieces of code, which know `tasks`, one `repr` a line; answers each with a process id, and with its exit status at its end.
FORKS = """
import ast, os, signal, sys, traceback
import django
django.setup()
from memoryapp import tasks
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(2, 1)  # what it prints is none of our answers
        signal.alarm(120)  # what never ends fails the test
        try:
            exec(ast.literal_eval(line), {"tasks": tasks})
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Hands:
    """One piece of work at a time, each in a process of its own."""

    def __init__(self, variables: Mapping[str, str], folder: Path, log: Path) -> None:
        self.busy = 0  # the id of the process at work
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-c", FORKS], cwd=folder, env=dict(variables), text=True, bufsize=1,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file,
            )  # fmt: skip

    def begin(self, code: str) -> None:
        """Start a piece of work; it runs on beside us."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{code!r}\n")
        self.busy = self._answer()

    def end(self) -> int:
        """Wait for its end. → its exit status, below 0 for the signal that killed it"""
        status, self.busy = self._answer(), 0
        return status

    def kill(self) -> None:
        """kill -9, without a word of warning."""
        os.kill(self.busy, signal.SIGKILL)
        assert self.end() == -signal.SIGKILL, "it had ended before"

    def close(self) -> None:
        if self.busy:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.busy, signal.SIGKILL)
        self._process.kill()
        self._process.wait(30)

    def _answer(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())
