"""After a backup was restored: erase again whom the ledger outside the database knows as erased.

Web and worker refuse to start until this has run. `--dry-run` only counts.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp import audit, erasures, restore


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        foreign = restore.unsigned()
        if foreign:
            self.stderr.write(
                f"{foreign} lines of the ledger are not signed by this database and are left aside."
            )
        if options["dry_run"]:
            count = len(restore.revenants())
            if count:
                raise CommandError(f"{count} erased people have come back.")
        else:
            count = restore.replay()
            erasures.keep_outside()
            audit.note(None, "restore.check")
        self.stdout.write(
            f"{count} people erased again." if count else "Nobody who was erased has come back."
        )
