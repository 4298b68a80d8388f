"""How a block looks in the system prompt. Pure: the same block always renders to the same bytes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memoryapp.contexts import texts
from memoryapp.contexts.usage import usage
from memoryapp.contexts.words import Heading
from memoryapp.models import ContextKind, ContextSource

_BAR = "═"
RULE = _BAR * 46


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A block as it is to be shown."""

    label: str
    kind: str
    description: str = ""
    source: str = ""
    tokens: int = 0
    max_tokens: int | None = None
    content: str = ""
    entries: Sequence[tuple[Heading, bool]] = field(default_factory=tuple)  # (heading, loaded?)
    count: int = 0


def render(block: Seen) -> str:
    """Rule, header, rule, content, blank line."""
    header, body = _harmless(_header(block)), _harmless(_body(block))
    lines = [RULE, header, RULE, body, ""] if body else [RULE, header, RULE, ""]
    return "".join(f"{line}\n" for line in lines)


def _header(block: Seen) -> str:
    parts = [block.label.upper()]
    if block.description:
        parts.append(f"({block.description})")
    if block.max_tokens is not None and block.source != ContextSource.MEMORY:
        parts.append(f"[{usage(block.tokens, block.max_tokens)}]")
    return " ".join([*parts, f"[{block.kind}]"])


def _body(block: Seen) -> str:
    if block.source == ContextSource.MEMORY:
        # Never a memory, nor how many there are: what is frozen must not outlive a deletion.
        return texts.overview("memory")
    if block.kind == ContextKind.SEARCHABLE:
        return texts.overview("indexed_one" if block.count == 1 else "indexed", count=block.count)
    if block.kind == ContextKind.LOADABLE:
        return "\n".join(_line(*entry) for entry in block.entries) or texts.overview("no_documents")
    return block.content


def _line(heading: Heading, loaded: bool) -> str:
    name = "described" if heading.description else "document"
    line = texts.overview(name, key=heading.key, description=heading.description)
    return line + texts.overview("loaded") if loaded else line


def _harmless(text: str) -> str:
    """Content cannot draw a rule, and so cannot pose as a block of its own."""
    return text.replace(_BAR, "=")
