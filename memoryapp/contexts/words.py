"""The words of a block and of its entries: what is sealed, and how it is bound to its row."""

from dataclasses import asdict, dataclass

from memoryapp.models import ContextBlock, ContextEntry
from memoryapp.vault import Box


@dataclass(frozen=True, kw_only=True)
class Words:
    """A block's description and its text; a block of entries has no text of its own."""

    description: str = ""
    content: str = ""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What is listed of an entry."""

    key: str
    title: str
    description: str = ""


def read(block: ContextBlock, box: Box) -> Words:
    """Open a block. Raises VaultUnavailable."""
    return Words(**box.open(block.content, f"context:{block.pk}"))


def write(block: ContextBlock, box: Box, words: Words) -> None:
    block.content = box.seal(asdict(words), f"context:{block.pk}")


def read_heading(entry: ContextEntry, box: Box) -> Heading:
    return Heading(**box.open(entry.heading, f"context-heading:{entry.pk}"))


def write_heading(entry: ContextEntry, box: Box, heading: Heading) -> None:
    entry.heading = box.seal(asdict(heading), f"context-heading:{entry.pk}")


def read_text(entry: ContextEntry, box: Box) -> str:
    text: str = box.open(entry.content, f"context-entry:{entry.pk}")
    return text


def write_text(entry: ContextEntry, box: Box, text: str) -> None:
    entry.content = box.seal(text, f"context-entry:{entry.pk}")
