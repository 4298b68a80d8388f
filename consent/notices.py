"""The notice texts, kept as files and published as numbered versions.

A file is `<domain>.v<version>.<language>.txt`. `<domain>.v<version>.editorial.<language>.txt` in every language means
that only the wording has changed: nobody is asked again.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from consent.domains import Domain
from consent.models import Notice

_NAME = re.compile(
    r"(?P<domain>[a-z_]+)\.v(?P<version>\d+)(?P<editorial>\.editorial)?\.(?P<language>[a-z]{2})\.txt"
)


class Outdated(Exception):
    """The text somebody was shown is not the one that is published now."""


@dataclass
class _Published:
    """One version as its files have it."""

    texts: dict[str, str] = field(default_factory=dict)
    material: bool = False


def fingerprint(texts: dict[str, str]) -> str:
    """SHA-256 of the canonical JSON (sorted keys, no spaces) of a notice's texts."""
    return hashlib.sha256(canonical(texts)).hexdigest()


def canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def publish() -> None:
    """Publish each version found as a file that is not yet in the database. Published texts never change."""
    files = _files()
    for domain, version in sorted(files):
        found = files[domain, version]
        defaults = {"texts": found.texts, "sha256": fingerprint(found.texts), "material": found.material}
        Notice.objects.get_or_create(domain=domain, version=version, defaults=defaults)


def fingerprints() -> dict[tuple[str, int], str]:
    """(domain, version) → SHA-256 of each notice that is here as a file; needs no database."""
    return {key: fingerprint(found.texts) for key, found in _files().items()}


def latest(domain: Domain | str) -> Notice:
    return Notice.objects.filter(domain=domain).latest("version")


def shown(domain: Domain | str, version: int | None, *, granted: bool) -> Notice:
    """The notice a decision is about: the published one; None = whoever asked did not say which they showed.

    A withdrawal holds whatever text it was made under. Raises Outdated for a yes to another text than is published.
    """
    published = latest(domain)
    if version is None or version == published.version:
        return published
    earlier = None if granted else Notice.objects.filter(domain=domain, version=version).first()
    if earlier is None:
        raise Outdated
    return earlier


def _files() -> dict[tuple[str, int], _Published]:
    found: dict[tuple[str, int], _Published] = {}
    for path in sorted(Path(settings.NOTICES_DIR).glob("*.txt")):
        if match := _NAME.fullmatch(path.name):
            key = (match["domain"], int(match["version"]))
            version = found.setdefault(key, _Published())
            version.texts[match["language"]] = path.read_text().strip()
            version.material |= match["editorial"] is None
    return found
