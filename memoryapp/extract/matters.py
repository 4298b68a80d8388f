"""Whether a sentence that settles something means this earlier one: "치과 예약 취소했어" and "화요일에 치과 예약했어"."""

import re

from memoryapp.extract.base import Settling

WORD = re.compile(r"[0-9A-Za-z가-힣]+")
#: What may follow a Korean word of one syllable: "약을", and not "약속".
PARTICLE = re.compile(r"(?:이|가|은|는|을|를|도|만|에|의|과|와|랑|하고|한테|로|까지|부터)?")
#: "call", "calls", "calling", but not "callous".
ENDING = re.compile(r"(?:s|es|ed|d|ing|er|ment)?")


def means(settling: Settling, statement: str) -> bool:
    """Whether the earlier statement names a word of each group."""
    words = [word.casefold() for word in WORD.findall(statement)]
    squeezed = "".join(words)
    return all(any(_names(word.casefold(), words, squeezed) for word in group) for group in settling.words)


def _names(wanted: str, words: list[str], squeezed: str) -> bool:
    if wanted.isascii():
        return any(word.startswith(wanted) and ENDING.fullmatch(word[len(wanted) :]) for word in words) or (
            not squeezed.isascii() and wanted in squeezed  # "PT를", "proposal도"
        )
    if len(wanted) == 1:
        verb = wanted in ("있", "잡")  # "있어", "잡았어"
        return any(word.startswith(wanted) and (verb or PARTICLE.fullmatch(word[1:])) for word in words)
    # "검진" in "건강검진"; a verb may be written apart: "전화 해야"
    return any(wanted in word for word in words) or len(wanted) > 2 and wanted in squeezed
