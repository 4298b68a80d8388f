"""The OpenAI SDK, kept from logging what it sends, and its answers, of which it checks none, read with care."""

import logging
from typing import Any

import openai

__all__ = ["openai", "said", "tokens"]

# OPENAI_LOG=debug would log whole requests, and with them what people have said.
logging.getLogger("openai").setLevel(logging.WARNING)


def said(answer: Any) -> str:
    """The text of a chat answer; "" for an answer that is none, whatever JSON it is."""
    try:
        text = answer.choices[0].message.content
    except (AttributeError, IndexError, KeyError, TypeError):
        return ""
    return text if isinstance(text, str) else ""


def tokens(answer: Any, name: str) -> int:
    """How many tokens an answer says it took, by the SDK's name for them; 0 when it does not say."""
    told = getattr(getattr(answer, "usage", None), name, 0)
    return told if isinstance(told, int) and told > 0 else 0
