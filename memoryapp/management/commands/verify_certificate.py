"""Verify a certificate of erasure, without a database and with no environment set.

The public key comes from our `/.well-known/memoryapp-keys.json`, saved when the certificate was given (`--keys FILE`);
with `--database` the keys in the database are taken instead.
"""

import base64
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp import signing


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("certificate", type=Path)
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--keys", type=Path, help="a saved key set")
        source.add_argument("--database", action="store_true", help="the keys of this database")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document = json.loads(options["certificate"].read_text(encoding="utf-8"))
            keys = (
                signing.public_keys()
                if options["database"]
                else json.loads(options["keys"].read_text(encoding="utf-8"))["keys"]
            )
            good = any(signing.is_signed(document, _raw(key["x"])) for key in keys)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandError(f"This cannot be read: {type(error).__name__}.") from error
        if not good:
            raise CommandError("The certificate is NOT signed by any of these keys, or has been altered.")
        self.stdout.write(
            f"Good: certificate {document['certificate_id']}, erased at {document['erased_at']}."
        )


def _raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
