"""The notice texts, kept as files and published as numbered versions."""

import hashlib
import json
import re
from pathlib import Path

from django.conf import settings

from consent.domains import Domain
from consent.models import Notice

_NAME = re.compile(r"(?P<domain>[a-z_]+)\.v(?P<version>\d+)\.(?P<language>[a-z]{2})\.txt")


def fingerprint(texts: dict[str, str]) -> str:
    """SHA-256 of the canonical JSON (sorted keys, no spaces) of a notice's texts."""
    return hashlib.sha256(canonical(texts)).hexdigest()


def canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def publish() -> None:
    """Publish each version found as a file that is not yet in the database. Published texts never change."""
    for (domain, version), texts in sorted(_files().items()):
        Notice.objects.get_or_create(
            domain=domain, version=version, defaults={"texts": texts, "sha256": fingerprint(texts)}
        )


def fingerprints() -> dict[tuple[str, int], str]:
    """(domain, version) → SHA-256 of each notice that is here as a file; needs no database."""
    return {key: fingerprint(texts) for key, texts in _files().items()}


def latest(domain: Domain | str) -> Notice:
    return Notice.objects.filter(domain=domain).latest("version")


def _files() -> dict[tuple[str, int], dict[str, str]]:
    found: dict[tuple[str, int], dict[str, str]] = {}
    for path in sorted(Path(settings.NOTICES_DIR).glob("*.txt")):
        if match := _NAME.fullmatch(path.name):
            key = (match["domain"], int(match["version"]))
            found.setdefault(key, {})[match["language"]] = path.read_text().strip()
    return found
