"""Fill a context template with memories, within a token budget, so that no memory can pose as the template."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.conf import settings

from memoryapp import rfc3339, tokens
from memoryapp.errors import Invalid

PLACEHOLDERS = ("memories", "memories_json", "query_time", "count", "safety")
_PLACEHOLDER = re.compile(r"\{([a-zA-Z_][a-zA-Z0-9_]*)\}")
#: What somebody may have meant as one: a single word in braces, with a filter, an attribute or spaces.
_MEANT = re.compile(r"\{(\s*[^\W\d][\w.!:|\[\]-]*\s*)\}")
#: An opening bracket that begins something like a delimiter, in any width and case.
_DELIMITER = re.compile(
    r"[\[［【〔<＜](?=[\s/_]*(?:BEGIN|END|/?SYSTEM|/?MEMORY|ＢＥＧＩＮ|ＥＮＤ))", re.IGNORECASE
)
_MIN_GUARDED_LINE = 6


@dataclass(frozen=True, kw_only=True)
class Line:
    """One memory as the model will read it."""

    memory_id: str
    memory_type: str
    temporal_relevance: str
    source_event_ids: Sequence[str]
    fact: str


@dataclass(frozen=True)
class Rendered:
    """The finished block ("" when nothing is in it), how many memories fit, and its tokens."""

    context: str
    kept: list[int]
    tokens: int


@lru_cache(maxsize=8)
def prompt(name: str) -> str:
    """A text a model reads, from templates/prompts/."""
    return (settings.BASE_DIR / "templates" / "prompts" / name).read_text().strip()


def check_template(template: str) -> None:
    """Raise Invalid unless the template can carry memories and names only what we can fill in."""
    names = _MEANT.findall(template)
    unknown = sorted(set(names) - set(PLACEHOLDERS))
    if unknown:
        raise Invalid("unknown placeholder", {"context_template": [f"Unknown: {', '.join(unknown)}"]})
    if not {"memories", "memories_json"} & set(names):
        raise Invalid(
            "no placeholder for memories",
            {"context_template": ["It must contain {memories} or {memories_json}."]},
        )


def render(template: str, lines: Sequence[Line], *, max_tokens: int, query_time: datetime) -> Rendered:
    """Take memories in rank order while they fit, whole ones only, and fill the template in one pass."""
    template = template or prompt("recall_context.txt")
    texts = [_as_json(line, template) for line in lines]
    kept = _fitting(texts, max_tokens - _overhead(template, query_time))
    while kept:
        context = _fill(template, [texts[index] for index in kept], query_time)
        used = tokens.count(context)
        if used <= max_tokens:
            return Rendered(context, kept, used)
        kept.pop()
    return Rendered("", [], 0)


def _fitting(texts: Sequence[str], budget: int) -> list[int]:
    kept, used = [], 0
    for index, text in enumerate(texts):
        cost = tokens.count(f"{index + 1}. {text}\n")
        if used + cost <= budget:
            kept.append(index)
            used += cost
    return kept


def _overhead(template: str, query_time: datetime) -> int:
    return tokens.count(_fill(template, [], query_time))


def _fill(template: str, texts: Sequence[str], query_time: datetime) -> str:
    values = {
        "memories": "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1)),
        "memories_json": "[" + ",".join(texts) + "]",
        "query_time": rfc3339.tell(query_time.replace(microsecond=0)),
        "count": str(len(texts)),
        "safety": prompt("recall_safety.txt"),
    }
    # One pass: a placeholder written inside a memory stays what it is, text.
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), template)


def _as_json(line: Line, template: str) -> str:
    data = {
        "memory_id": line.memory_id,
        "memory_type": line.memory_type,
        "temporal_relevance": line.temporal_relevance,
        "source_event_ids": list(line.source_event_ids),
        "fact": line.fact,
    }
    return _defuse(json.dumps(data, ensure_ascii=False), template)


def _defuse(text: str, template: str) -> str:
    """Write as JSON escapes what would read as a delimiter of ours or a line of this template."""
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
    text = _DELIMITER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    for guarded in _literal_lines(template):
        text = re.sub(
            re.escape(guarded), lambda m: f"\\u{ord(m[0][0]):04x}{m[0][1:]}", text, flags=re.IGNORECASE
        )
    return text


@lru_cache(maxsize=256)
def _literal_lines(template: str) -> tuple[str, ...]:
    lines = (line.strip() for line in _PLACEHOLDER.sub("\n", template).splitlines())
    return tuple(line for line in lines if len(line) >= _MIN_GUARDED_LINE and ord(line[0]) < 0x10000)
