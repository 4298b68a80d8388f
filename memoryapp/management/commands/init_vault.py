"""Make the master keyset of a new database, or prove that the one at hand fits."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp import signing, vault
from memoryapp.errors import VaultUnavailable


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = vault.initialise()
            signing.current()
        except VaultUnavailable as error:
            raise CommandError(f"{error.title} {error.detail}") from error
        self.stdout.write("A new master keyset was made." if made else "The master keyset fits.")
