"""Keyword terms: what a text is found by. Hangul as character bigrams, other words as English stems.

A memory is indexed with every term of its text (`analyse`). A question is asked with fewer (`asked`):
particles, endings and question words are left out: "부산에서" and "회의에서" share nothing worth a hit.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from threading import local

import Stemmer

#: Stored with each row; a change of the analyser makes older rows stale.
ANALYSER = 2

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ＇´`", "'"))
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
# Scripts written without spaces between words: cut into pairs of characters like Hangul.
_PAIRED = "\uac00-\ud7a3\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(rf"[{_PAIRED}]+|(?:(?![{_PAIRED}_])\w)+(?:'(?:(?![{_PAIRED}_])\w)+)?")
_IS_PAIRED = re.compile(rf"[{_PAIRED}]")
_LONGEST = 64


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _tails(text: str) -> list[str]:
    """Longest first."""
    return sorted(text.split(), key=len, reverse=True)


_CLITICS = _words("s re ve ll d m t")
_STOP = _words(
    "a an the and or but if of at by for with about to from in on is are was were be been being am do "
    "does did have has had having i you he she it we they me him her us them my your his its our their "
    "this that these those what which who whom when where why how there here as so than then too very "
    "can will just not no nor s t d ll m re ve would could should"
)
_PARTICLES = _tails(
    "에서는 에서도 에서 에게서 에게 한테서 한테 으로는 으로 로는 까지 부터 이랑 랑 하고 처럼 보다 마다 "
    "밖에 이나 이라고 라고 이라는 라는 은 는 이 가 을 를 의 에 도 로 와 과 만 요 야"
)
_ENDINGS = _tails(
    "했어요 했어 했는데 해요 해서 하고 하는 하다 합니다 습니다 입니다 이에요 예요 어요 아요 는데 은데 "
    "어서 아서 지만 거든 거든요 네요 세요 니까 인데 이야 이다 던데 려고 었어 았어 였어 었다 았다 한다 "
    "이고 라서 다고"
)
#: Pairs that say nothing about a text: of particles and endings, and of the words that make a question.
_EMPTY_PAIRS = _words(
    "에서 에게 한테 으로 까지 부터 이랑 하고 처럼 보다 습니 니다 입니 합니 어요 아요 해요 에요 예요 이에 "
    "는데 은데 인데 어서 아서 해서 지만 거든 든요 네요 세요 니까 이야 려고 었어 았어 했어 였어 었다 았다 "
    "했다 였다 라서 라고 다고 이고 는지 은지 을까 나요 가요 인가 던데 었던 았던 했던 고요 대요 래요 군요 "
    "죠"
) | _words(
    "어디 디서 디에 언제 누구 누가 무엇 무슨 뭐야 뭐지 뭐였 였지 였더 더라 얼마 마나 마야 어떤 어떻 떻게 "
    "알아 알려 려줘 려주 주세 줘요 있나 했지 뭐예 인지 몇 뭐 좀 나 내 저 제"
)
_threads = local()


def analyse(text: str) -> list[str]:
    """The terms of a text in order, repeats kept."""
    return [term for run in _runs(text) for term in (_pairs(run) if _IS_PAIRED.match(run) else _stems(run))]


def asked(text: str) -> list[str]:
    """The distinct terms that a question looks for, in order; all of them when it has nothing but tails."""
    found: list[str] = []
    for run in _runs(text):
        found += _bare_pairs(run) if _IS_PAIRED.match(run) else _stems(run)
    return list(dict.fromkeys(found)) or list(dict.fromkeys(analyse(text)))


def names(text: str) -> list[str]:
    """The words of a text that may name a person, as an author is marked in the index."""
    words = [_without(run, _PARTICLES) if _IS_PAIRED.match(run) else run.split("'")[0] for run in _runs(text)]
    return list(dict.fromkeys(f"@{word}" for word in words if len(word) > 1 and word not in _STOP))


def keyed(terms: Sequence[str], prf: Callable[[bytes], bytes]) -> tuple[list[int], list[int], int]:
    """Terms as keyed hashes. → (distinct terms, how often each occurs, length of the text in terms)."""
    counts = Counter(int.from_bytes(prf(term.encode())[:8], "big", signed=True) for term in terms)
    return list(counts), [min(n, 32767) for n in counts.values()], len(terms)


def language(text: str) -> int:
    """1 for a Korean text, else 0."""
    return int(bool(_HANGUL.search(unicodedata.normalize("NFC", text))))


def _runs(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    yield from _RUN.findall(_THOUSANDS.sub("", plain))


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _bare_pairs(run: str) -> list[str]:
    """The pairs of a run's stem; particles and endings are the tails that Korean words share."""
    bare = _without(_without(run, _ENDINGS), _PARTICLES)
    return [pair for pair in _pairs(bare) if pair not in _EMPTY_PAIRS]


def _without(run: str, tails: Sequence[str]) -> str:
    """The run without the longest of the tails, where at least two syllables remain."""
    for tail in tails:
        if run.endswith(tail) and len(run) - len(tail) >= 2:
            return run[: -len(tail)]
    return run


def _stems(run: str) -> list[str]:
    head, _, tail = run.partition("'")
    if tail == "t" and head.endswith("n"):
        head = head[:-1]  # "didn't" → "did"
    words = [head] if tail in _CLITICS or not tail else [head, tail]
    return [_stem(word) for word in words if word not in _STOP and len(word) <= _LONGEST]


def _stem(word: str) -> str:
    # A stemmer keeps its state between calls and is not safe to share.
    stemmer = getattr(_threads, "stemmer", None)
    if stemmer is None:
        stemmer = _threads.stemmer = Stemmer.Stemmer("english")
    return str(stemmer.stemWord(word))
