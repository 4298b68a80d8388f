"""After a backup was restored: erase again whom the ledger outside the database knows as erased.

Web and worker refuse to start until this has run. `--dry-run` only counts. When the ledger itself is lost for good,
`--rebuild-ledger` first writes again what this database knows of it: who was erased after this backup is not in it.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp import audit, erasures, restore
from memoryapp.errors import Problem


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--dry-run", action="store_true")
        how.add_argument(
            "--rebuild-ledger",
            action="store_true",
            help="the ledger is lost: write again what is known of it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["rebuild_ledger"]:
                self._rebuild()
            self._check(dry_run=options["dry_run"])
        except Problem as problem:
            raise CommandError(f"{problem.title} {problem.detail}") from problem
        except OSError as error:
            raise CommandError(
                f"The ledger of erasures cannot be written: {type(error).__name__}."
            ) from error

    def _rebuild(self) -> None:
        count = erasures.rebuild()
        self.stdout.write(f"{count} certificates written to the ledger again.")
        self.stdout.write("Who was erased after this backup was taken is not among them.")

    def _check(self, *, dry_run: bool) -> None:
        foreign = erasures.read().foreign
        if foreign:
            self.stderr.write(
                f"{foreign} lines of the ledger are not signed by this database and are left aside."
            )
        if dry_run:
            count = len(restore.revenants())
            if count:
                raise CommandError(f"{count} erased people have come back.")
        else:
            count = restore.replay()
            erasures.keep_outside()
            audit.note(None, "restore.check")
            restore.refuse_revenants()
        self.stdout.write(
            f"{count} people erased again." if count else "Nobody who was erased has come back."
        )
