"""Make the master keyset and the ledger of erasures of a new database, or prove that the keyset at hand fits."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp import erasures, signing, vault
from memoryapp.errors import Problem


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = vault.initialise()
            signing.current()
            erasures.begin()
        except Problem as error:
            raise CommandError(f"{error.title} {error.detail}") from error
        except OSError as error:
            raise CommandError(
                f"The ledger of erasures cannot be written: {type(error).__name__}."
            ) from error
        self.stdout.write("A new master keyset was made." if made else "The master keyset fits.")
