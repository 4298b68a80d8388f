"""Verify consent receipts without a database: each unaltered, each following the one before it.

Takes an export (`.ndjson`, its consent lines) or the receipts of one domain (`.json`, a list or {"items": […]}).
The texts agreed to are checked against the notice files of this installation, where they are there.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from consent import ledger, notices


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            receipts = read(options["file"].read_text())
            faults = check(receipts)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandError(f"This cannot be read as receipts: {type(error).__name__}.") from error
        for fault in faults:
            self.stderr.write(fault)
        if faults or not receipts:
            raise CommandError(f"{len(faults)} faults in {len(receipts)} receipts.")
        self.stdout.write(f"Good: {len(receipts)} receipts, unaltered and in order.")


def read(text: str) -> list[dict[str, Any]]:
    """The receipts in a file: NDJSON of an export, a JSON list, or {"items": […]}."""
    try:
        whole = json.loads(text)
        records = whole["items"] if isinstance(whole, dict) and "items" in whole else whole
        records = [records] if isinstance(records, dict) else records
    except json.JSONDecodeError:
        records = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [
        {key: value for key, value in record.items() if key != "kind"}
        for record in records
        if record.get("kind", "consent") == "consent"
    ]


def check(receipts: list[dict[str, Any]]) -> list[str]:
    """What is wrong, [] if sound. Receipts chain per person and domain."""
    chains: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for receipt in receipts:
        chains[receipt["person_id"], receipt["domain"]].append(receipt)
    faults = [fault for chain in chains.values() for fault in ledger.verify(chain)]
    known = notices.fingerprints()
    for receipt in receipts:
        expected = known.get((receipt["domain"], receipt["notice_version"]))
        if expected is not None and receipt["notice_sha256"] != expected:
            faults.append(f"{receipt['receipt_id']}: its notice is not the one published under this version")
    return faults
