"""Keyword terms: what a text is found by. Hangul as character bigrams, other words as English stems."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

import Stemmer

#: Stored with each row; a change of the analyser makes older rows stale.
ANALYSER = 1

_WORD = re.compile(r"\w+")
_RUN = re.compile(r"[\uac00-\ud7a3]+|[^\uac00-\ud7a3]+")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_STOP = frozenset(
    "a an the and or but if of at by for with about to from in on is are was were be been being am do does did "
    "have has had having i you he she it we they me him her us them my your his its our their this that these "
    "those what which who whom when where why how there here as so than then too very can will just not no nor "
    "s t d ll m re ve would could should".split()
)
_stem = Stemmer.Stemmer("english")


def analyse(text: str) -> list[str]:
    """The terms of a text in order, repeats kept."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower().replace("’", "'")):
        for run in _RUN.findall(word):
            if _HANGUL.match(run):
                found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
            elif run not in _STOP and len(run) < 40:
                found.append(_stem.stemWord(run))
    return found


def keyed(terms: Sequence[str], prf: Callable[[bytes], bytes]) -> tuple[list[int], list[int], int]:
    """Terms as keyed hashes. → (distinct terms, how often each occurs, length of the text in terms)."""
    counts = Counter(int.from_bytes(prf(term.encode())[:8], "big", signed=True) for term in terms)
    return list(counts), [min(n, 32767) for n in counts.values()], len(terms)


def language(text: str) -> int:
    """1 for a Korean text, else 0."""
    return int(bool(_HANGUL.search(text)))
