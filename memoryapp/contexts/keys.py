"""The key of an entry: the slug of its title, readable in any script."""

import hashlib
import re
import unicodedata

MAX_LENGTH = 80
_DIGEST = 8


def key_of(title: str) -> str:
    """`Fry an egg` → `fry-an-egg`, `계란 부치기` → `계란-부치기`. Empty when there is no letter or digit.

    A long title is cut, and told apart from others with the same beginning by a digest.
    """
    text = unicodedata.normalize("NFKC", title).lower()
    slug = re.sub(r"-+", "-", "".join(c if _belongs(c) else "-" for c in text)).strip("-")
    if not any(c.isalnum() for c in slug):
        return ""
    if len(slug) <= MAX_LENGTH:
        return slug
    digest = hashlib.sha256(slug.encode()).hexdigest()[:_DIGEST]
    return f"{slug[: MAX_LENGTH - _DIGEST - 1].rstrip('-')}-{digest}"


def _belongs(character: str) -> bool:
    """Letters, digits, and the marks without which many scripts cannot be read."""
    return character.isalnum() or unicodedata.category(character).startswith("M")
