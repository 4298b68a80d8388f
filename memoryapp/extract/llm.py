"""Facts by a language model: any OpenAI-compatible endpoint, one call a turn, at most 8,000 letters."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from memoryapp import in_time
from memoryapp.extract import answers
from memoryapp.extract.answers import Proposed
from memoryapp.extract.base import BadOutput, ExtractorDown, Fact, Utterance
from memoryapp.extract.rules import guard
from memoryapp.extract.usage import Used
from memoryapp.quiet_openai import openai, said, tokens

PROMPT = Path(__file__).resolve().parents[2] / "templates" / "prompts" / "extract.txt"
LONGEST_PROMPT = 8000
LONGEST_USER_TEXT, LONGEST_ASSISTANT_TEXT, LONGEST_MEMORY = 4000, 400, 140
MARKER = re.compile(
    r"\[(?:END |BEGIN_|END_)?(?:KNOWN MEMORIES|ASSISTANT[^\]]*|USER[^\]]*|RETRIEVED_LONG_TERM_MEMORY)\]",
    re.IGNORECASE,
)

_text = {"type": "string"}
_perhaps = {"type": ["string", "null"]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["facts"],
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "statement", "quote", "memory_type", "slot", "ends", "about", "occurred_at", "valid_from",
                    "valid_to", "sensitivity", "confidence", "keywords", "entities",
                ],
                "properties": {
                    "statement": _text,
                    "quote": _text,
                    "memory_type": {"type": "string", "enum": sorted(answers.TYPES - {"ENTRY"})},
                    "slot": {
                        "type": ["object", "null"],
                        "additionalProperties": False,
                        "required": ["subject", "attribute", "object", "negated", "single"],
                        "properties": {
                            "subject": _text, "attribute": _text, "object": _text,
                            "negated": {"type": "boolean"}, "single": {"type": "boolean"},
                        },
                    },
                    "ends": {"type": "boolean"},
                    "about": {"type": ["integer", "null"]},
                    "occurred_at": _perhaps,
                    "valid_from": _perhaps,
                    "valid_to": _perhaps,
                    "sensitivity": {"type": "string", "enum": ["normal", "pii", "restricted"]},
                    "confidence": {"type": "number"},
                    "keywords": {"type": "array", "items": _text},
                    "entities": {"type": "array", "items": _text},
                },
            },
        }
    },
}  # fmt: skip
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "facts", "strict": True, "schema": SCHEMA}}


@dataclass
class LlmExtractor:
    """Reads turns with one model of one endpoint.

    `known` are statements of the person's memories, the most relevant first; what fits is offered by number.
    After `extract`, `used` holds what was spent, `proposed` the facts with the number each concerns, and
    `rejected` how many entries of the answer were no facts of the user's.
    """

    base_url: str
    api_key: str
    model: str
    known: Sequence[str] = ()
    timeout: float = 60.0
    used: Used = field(default_factory=Used)
    proposed: list[Proposed] = field(default_factory=list)
    rejected: int = 0

    def extract(self, utterance: Utterance) -> list[Fact]:
        """Raises ExtractorDown when the endpoint cannot be used, BadOutput when its answer is unreadable."""
        self.proposed, self.rejected = [], 0
        said = guard.own_words(utterance.user_text)
        if not said or guard.off_the_record(utterance.user_text) or guard.joking(said):
            return []
        heard = Utterance(
            user_text=said,
            assistant_text=utterance.assistant_text,
            occurred_at=utterance.occurred_at,
            zone=utterance.zone,
        )
        prompt, offered = build(heard, self.known)
        answer = answers.read(self._ask(prompt), heard, offered)
        self.proposed, self.rejected = list(answer.proposed), answer.rejected
        return [proposal.fact for proposal in self.proposed]

    def _ask(self, prompt: str) -> str:
        try:
            return in_time.run(self.timeout, self._answered(prompt))
        except TimeoutError:
            raise ExtractorDown("TimeoutError") from None
        except openai.OpenAIError as error:  # its message may quote the prompt: only its kind is told
            raise ExtractorDown(type(error).__name__) from None
        except ValueError:
            raise BadOutput("the answer is no JSON") from None

    async def _answered(self, prompt: str) -> str:
        async with openai.AsyncOpenAI(
            base_url=self.base_url, api_key=self.api_key, timeout=self.timeout, max_retries=0
        ) as client:
            return await self._answer(client, prompt)

    async def _answer(self, client: openai.AsyncOpenAI, prompt: str) -> str:
        messages: Any = [{"role": "user", "content": prompt}]
        try:
            answer = await client.chat.completions.create(
                model=self.model, messages=messages, temperature=0, response_format=FORMAT
            )
        except (
            openai.BadRequestError
        ):  # an endpoint without JSON schemas; the prompt asks for JSON all the same
            self.used += Used(calls=1)
            answer = await client.chat.completions.create(model=self.model, messages=messages, temperature=0)
        self.used += Used(
            calls=1,
            tokens_in=tokens(answer, "prompt_tokens"),
            tokens_out=tokens(answer, "completion_tokens"),
        )
        text = said(answer)
        if not text:
            raise BadOutput("the answer is empty")
        return text


def build(utterance: Utterance, known: Sequence[str] = ()) -> tuple[str, int]:
    """The prompt, never longer than 8,000 characters, and how many of the known memories it offers."""
    when = utterance.occurred_at.astimezone(utterance.zone)
    parts = {
        "observation_date": when.strftime("%Y-%m-%d (%A) %H:%M ") + utterance.zone.key,
        "assistant_text": _data(utterance.assistant_text, LONGEST_ASSISTANT_TEXT),
        "user_text": _data(utterance.user_text, LONGEST_USER_TEXT),
    }
    room = LONGEST_PROMPT - len(_template()) - sum(map(len, parts.values()))
    lines = _numbered(known, room)
    return _fill(_template(), parts | {"known": "\n".join(lines) or "(none)"}), len(lines)


def _numbered(known: Sequence[str], room: int) -> list[str]:
    lines: list[str] = []
    for number, statement in enumerate(known, 1):
        line = f"{number}. {_data(statement, LONGEST_MEMORY)}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return lines


def _data(text: str, longest: int) -> str:
    """Text as data: it cannot close its own marker, and what is too long loses its middle."""
    text = MARKER.sub("", text).strip()
    if len(text) <= longest:
        return text
    half = (longest - 5) // 2
    return f"{text[:half]} … {text[-half:]}"


@lru_cache(maxsize=1)
def _template() -> str:
    return PROMPT.read_text(encoding="utf-8")


def _fill(template: str, parts: dict[str, str]) -> str:
    """Puts the parts in at once, so that a brace inside one is never taken for another."""
    return re.sub(
        r"\{(observation_date|known|assistant_text|user_text)\}", lambda found: parts[found[1]], template
    )
