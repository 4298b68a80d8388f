"""Condense lines with a language model: any OpenAI-compatible endpoint. It points at lines, code checks.

A line of the answer is kept only if it names the lines it rests on, so that a withdrawn pair still takes its
words along, and if it is neither guarded nor an order.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from memoryapp import in_time, sensitivity
from memoryapp.extract.rules import guard
from memoryapp.extract.usage import Used
from memoryapp.quiet_openai import openai, said, tokens
from memoryapp.summarise import LINE_CHARACTERS, LINES, PAIRS_PER_LINE, Digest, Line, SummariserDown

PROMPT = Path(__file__).resolve().parents[1] / "templates" / "prompts" / "summarise.txt"
#: How many lines, the newest, a model is shown.
SHOWN = 120
_MARKER = re.compile(r"\[(?:END )?SAID\]", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{(level|limit|said)\}")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass
class LlmSummariser:
    """One model of one endpoint. After `summarise`, `used` holds what was spent."""

    base_url: str
    api_key: str
    model: str
    timeout: float = 60.0
    used: Used = field(default_factory=Used)

    @property
    def name(self) -> str:
        return f"llm-1:{self.model}"[:32]

    def summarise(self, level: str, lines: Sequence[Line]) -> Digest:
        """Raises SummariserDown when the endpoint cannot be used or its answer holds no usable line."""
        shown = list(lines)[-SHOWN:]
        if not shown:
            return Digest("", [])
        made = _read(self._ask(_prompt(level, shown)), shown)[: LINES[level]]
        if not made:
            raise SummariserDown("no usable line")
        kept = sorted(made, key=lambda line: line.at)
        return Digest(" ".join(_sentence(line.text) for line in kept), kept)

    def _ask(self, prompt: str) -> str:
        try:
            answer = in_time.run(self.timeout, self._answered(prompt))
        except TimeoutError:
            raise SummariserDown("TimeoutError") from None
        except openai.OpenAIError as error:  # its message may quote the prompt: only its kind is told
            raise SummariserDown(type(error).__name__) from None
        except ValueError:
            raise SummariserDown("the answer is no JSON") from None
        self.used += Used(
            calls=1,
            tokens_in=tokens(answer, "prompt_tokens"),
            tokens_out=tokens(answer, "completion_tokens"),
        )
        return said(answer)

    async def _answered(self, prompt: str) -> Any:
        messages: Any = [{"role": "user", "content": prompt}]
        async with openai.AsyncOpenAI(
            base_url=self.base_url, api_key=self.api_key, timeout=self.timeout, max_retries=0
        ) as client:
            return await client.chat.completions.create(model=self.model, messages=messages, temperature=0)


def _prompt(level: str, lines: Sequence[Line]) -> str:
    said = "\n".join(
        f"{number}. {_MARKER.sub('', line.text)}" + (f" (x{line.times})" if line.times > 1 else "")
        for number, line in enumerate(lines, 1)
    )
    values = {"level": level, "limit": str(LINES[level]), "said": said}
    return _PLACEHOLDER.sub(lambda match: values[match[1]], _template())


def _read(answer: str, lines: Sequence[Line]) -> list[Line]:
    """The usable lines of an answer, which may stand in prose or in a code fence."""
    found = _OBJECT.search(answer)
    try:
        data = json.loads(found[0]) if found else {}
    except (ValueError, RecursionError):
        return []
    rows = data.get("lines") if isinstance(data, dict) else None
    made = [_line(row, lines) for row in rows] if isinstance(rows, list) else []
    return [line for line in made if line is not None]


def _line(row: Any, lines: Sequence[Line]) -> Line | None:
    text = row.get("text") if isinstance(row, dict) else None
    named = row.get("from") if isinstance(row, dict) else None
    if not isinstance(text, str) or not text.strip() or not isinstance(named, list):
        return None
    text = " ".join(text.split())[:LINE_CHARACTERS]
    sources = [lines[n - 1] for n in named if type(n) is int and 1 <= n <= len(lines)]
    if not sources or guard.injected(text) or sensitivity.detect(text) in ("pii", "restricted"):
        return None
    return Line(
        text=text,
        pair_ids=tuple(dict.fromkeys(pk for line in sources for pk in line.pair_ids))[-PAIRS_PER_LINE:],
        at=max(line.at for line in sources),
    )


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


@lru_cache(maxsize=1)
def _template() -> str:
    return PROMPT.read_text(encoding="utf-8")
