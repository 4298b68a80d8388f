"""Rotate the master keyset while everything runs.

With a key file: adds a new primary key and wraps everybody's keys under it; interrupted, it goes on where it was.
`--retire` then drops the old keys, if nothing needs them. Backups made before can be read only with the old keys.

With MEMORYAPP_MASTER_KEYSET each run says the next step and writes the keyset to deploy to `--output`: first one
that can read with the new key, then one that also writes with it; after that everything is wrapped anew.

With a key service, rotate there first, then run this.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp import master as masters
from memoryapp import rotation, vault
from memoryapp.errors import Problem
from memoryapp.master import Keyset
from memoryapp.rotation import Progress


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--retire", action="store_true", help="drop the old keys once nothing needs them")
        parser.add_argument(
            "--output", type=Path, help="where to write the next keyset, for one from the environment"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            vault.verify()
            with rotation.alone():
                self._retire(options["output"]) if options["retire"] else self._rotate(options["output"])
        except Problem as problem:
            raise CommandError(f"{problem.title} {problem.detail}".strip()) from problem

    def _rotate(self, output: Path | None) -> None:
        if settings.MASTER_KEYSET and not settings.KEY_WRAPPER and self._next_keyset(output):
            return
        if masters.is_local() and not rotation.is_unfinished():
            self.stdout.write(f"New primary key {rotation.add_key()}.")
        result = rotation.rewrap(self._tell)
        if not result.complete or result.unreadable:
            raise CommandError(f"{result.unreadable} of {result.total} keys open under no key at hand.")
        if result.others:
            raise CommandError(f"{result.others} other sealed rows open under no key at hand.")
        self.stdout.write(f"Everything is wrapped by the primary key ({result.total} people).")
        self.stdout.write("Old keys are kept: backups made before need them. --retire drops them.")

    def _next_keyset(self, output: Path | None) -> bool:
        """For a keyset from the environment: write what to deploy next. → was there such a step?"""
        keyset = Keyset(settings.MASTER_KEYSET)
        if keyset.names[-1] == keyset.primary and len(keyset.names) > 1:
            return False
        adds = len(keyset.names) == 1
        text = settings.MASTER_KEYSET
        self._write(
            output, masters.with_key(text, primary=False) if adds else masters.with_newest_first(text)
        )
        ability = "can read with the new key" if adds else "also writes with the new key"
        self.stdout.write(f"Deploy {output} everywhere ({ability}), then run this again.")
        return True

    def _retire(self, output: Path | None) -> None:
        write = None if masters.is_local() else (lambda text: self._write(output, text))
        gone = rotation.retire(write)
        self.stdout.write(f"Retired: {', '.join(gone) or 'there was no old key'}.")

    def _write(self, output: Path | None, text: str) -> None:
        if output is None:
            raise CommandError(
                "--output FILE is needed: the keyset is in the environment, which only you can change."
            )
        try:
            masters.write_once(output, text)
        except FileExistsError as error:
            raise CommandError(f"{output} exists already.") from error

    def _tell(self, progress: Progress) -> None:
        self.stdout.write(f"{progress.done} of {progress.total} people's keys")
