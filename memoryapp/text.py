"""What text may be: NFC, without NUL and lone surrogates, of bounded size."""

import unicodedata
from typing import Any

MAX_BYTES = 32 * 1024


class TextTooLong(ValueError):
    """A text is longer than 32 KiB."""


def tidy(text: str) -> str:
    """Normalise to NFC and drop what no database or model can hold, whatever the length."""
    kept = "".join(c for c in text if c != "\x00" and not "\ud800" <= c <= "\udfff")
    return unicodedata.normalize("NFC", kept)


def clean(text: str) -> str:
    """`tidy`, of bounded size. Raises TextTooLong."""
    kept = tidy(text)
    if len(kept.encode()) > MAX_BYTES:
        raise TextTooLong(f"at most {MAX_BYTES} bytes")
    return kept


def clean_json(value: Any) -> Any:
    """`clean` every string in a JSON value, keys included."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, dict):
        return {clean(str(key)): clean_json(item) for key, item in value.items()}
    return value
