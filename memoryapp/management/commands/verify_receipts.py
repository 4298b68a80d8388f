"""Verify consent receipts, without a database and with no environment set: unaltered, in order, and none left out.

Takes what the consent page gives out (`{"domain", "receipts", "head"}`), an export (`.ndjson`, its consent lines), or
all pages of the API's list (`{"items", "next", "head"}`) as so many files, first page first. Each brings a signed
head that says where its chains end. Its signature is checked against our `/.well-known/memoryapp-keys.json`, saved
earlier (`--keys FILE`), or against this database's keys (`--database`). Without either only the key that the head
itself names is asked, and the answer says so. A file without a head is older than heads are: then only what the
chain shows can be told.
The texts agreed to are checked against the notice files of this installation, where they are there.
"""

import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp import receipts, signing
from memoryapp.receipts import HEAD, Papers


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", type=Path, nargs="+")
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--keys", type=Path, help="a saved key set")
        source.add_argument("--database", action="store_true", help="the keys of this database")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            papers = read([path.read_text(encoding="utf-8") for path in options["files"]])
            keys = _keys(options)
            faults = receipts.faults(papers, _believed(keys))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandError(f"This cannot be read as receipts: {type(error).__name__}.") from error
        if keys is not None and not papers.heads:
            faults.append("no signed head: the last receipts may be missing, or all of them written anew")
        for fault in faults:
            self.stderr.write(fault)
        if faults or not papers.receipts:
            raise CommandError(f"{len(faults)} faults in {len(papers.receipts)} receipts.")
        self.stdout.write(_verdict(papers, whose=keys is not None))


def read(texts: list[str]) -> Papers:
    """The receipts and heads in these files. Raises ValueError, KeyError, TypeError or AttributeError for others."""
    papers = Papers()
    for text in texts:
        for record in _records(text):
            kind = record.get("kind", "consent")
            if kind == HEAD:
                papers.heads.append(record)
            elif kind == "consent":
                papers.receipts.append({key: value for key, value in record.items() if key != "kind"})
    return papers


def _records(text: str) -> list[dict[str, Any]]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    if not isinstance(whole, dict):
        return list(whole)
    for name in ("receipts", "items"):
        if name in whole:
            return [*whole[name], *([whole["head"]] if whole.get("head") else [])]
    return [whole]


def _keys(options: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The keys that are believed; None if nobody named any."""
    if options["database"]:
        return [dict(key) for key in signing.public_keys()]
    if options["keys"] is None:
        return None
    return list(json.loads(options["keys"].read_text(encoding="utf-8"))["keys"])


def _believed(keys: list[dict[str, Any]] | None) -> Callable[[Mapping[str, Any]], bool]:
    if keys is None:
        return lambda head: signing.is_signed(head, base64.b64decode(str(head["public_key"])))
    raw = [base64.urlsafe_b64decode(key["x"] + "=" * (-len(key["x"]) % 4)) for key in keys]
    return lambda head: any(signing.is_signed(head, public) for public in raw)


def _verdict(papers: Papers, *, whose: bool) -> str:
    number = len(papers.receipts)
    if not papers.heads:
        return (
            f"{number} receipts, each unaltered since the next was written, and in order. This file has no signed "
            "head: whether the last ones are missing, or all were written anew, cannot be told."
        )
    at = max(str(head["at"]) for head in papers.heads)
    good = f"Good: {number} receipts, unaltered, in order and complete, as signed at {at}"
    if whose:
        return f"{good}."
    by = ", ".join(sorted({str(head["signed_by"]) for head in papers.heads}))
    return f"{good} by the key {by}. Whose key that is was not checked: --keys or --database does."
