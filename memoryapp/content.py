"""The content of a memory: what is sealed, and how it is bound to its row."""

import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from memoryapp.models import Memory
from memoryapp.vault import Box

#: Authors whose name tells nothing, and only makes all that they say more alike.
ROLES = frozenset({"user", "assistant", "model", "agent", "system", "tool"})


@dataclass(frozen=True, kw_only=True)
class Content:
    """The words of one memory. Everything in here is encrypted at rest."""

    statement: str
    normalized_fact: str = ""
    raw_content: str = ""
    memory_subtype: str = ""
    keywords: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)
    author: str = ""
    normalized: str = ""  # canonical form, by which two wordings are seen to be one fact
    slot: dict[str, Any] | None = None  # subject, attribute, object, negated, single
    details: dict[str, Any] | None = (
        None  # an entry's own metadata, or a stored item's namespace, key and value
    )

    def seal(self, box: Box, memory: Memory) -> bytes:
        return box.seal(asdict(self), place(memory))

    def texts(self) -> Iterator[str]:
        """Everything in words that is shown of it, for whoever looks for what is sensitive."""
        yield from (self.statement, self.normalized_fact, self.raw_content, self.memory_subtype)
        yield from (*self.keywords, *self.entities)

    def searchable(self) -> str:
        """The text that the index is made of, with who said it; "" for a stored item not to be searched."""
        if self.details and self.details.get("index") is False:
            return ""
        named = self.author and self.author.casefold() not in ROLES
        said = f"{self.author}: {self.statement}" if named else self.statement
        return " ".join([said, *self.keywords])


def place(memory: Memory) -> str:
    return place_of(memory.pk)


def place_of(memory_id: uuid.UUID) -> str:
    """The same for a row of which only the id was read."""
    return f"memory:{memory_id}"


def read(memory: Memory, box: Box) -> Content:
    """Open a memory's content. Raises VaultUnavailable."""
    return from_json(box.open(memory.content, place(memory)))


def from_json(data: dict[str, Any]) -> Content:
    """Rebuild from sealed JSON; fields a newer version may have added are left out."""
    known = {item.name for item in fields(Content)}
    return Content(**{key: value for key, value in data.items() if key in known})
