"""The noun phrases of a Korean clause with the roles their particles give them."""

import re
from dataclasses import dataclass

from memoryapp.extract.rules.analyser import Token
from memoryapp.extract.rules.lexicon import FIRST_PERSON, RELATIONS

NOMINAL = frozenset({"NNG", "NNP", "NNB", "NR", "NP", "SN", "SL", "SH", "XPN", "XSN", "XR", "MM", "W_EMAIL", "W_URL",
                     "W_SERIAL", "W_HASHTAG", "W_MENTION", "SW", "NF", "Z_SIOT", "W_EMOJI"})  # fmt: skip
QUOTES = frozenset({"SSO", "SSC", "SO"})
ROLES = {
    "를": "object", "을": "object", "ᆯ": "object", "에": "at", "에다": "at", "에서": "in", "서": "in", "로": "to",
    "으로": "to", "에게": "dative", "한테": "dative", "께": "dative", "와": "with", "과": "with", "랑": "with",
    "이랑": "with", "하고": "with", "보다": "than", "처럼": "like", "만큼": "like", "같이": "like", "로서": "to", "로써": "to",
    "마다": "every", "까지": "till", "부터": "from", "은": "topic", "는": "topic", "ᆫ": "topic", "도": "topic",
    "만": "only", "이나": "or", "나": "or", "밖에": "only", "이라고": "quote", "라고": "quote", "보고": "dative",
}  # fmt: skip
ADVERBIAL = frozenset(
    "진짜 정말 완전 요즘 요새 최근 지금 현재 원래 평소 보통 이제 이젠 이번 다음 지난 항상 매일 매주 매달 매년 이상 사실 참 전부 모두 다들 각자 직접 혼자 스스로 하루 그동안 올해 작년 내년 "
    "잠깐 당분간 앞 나중 일단 제일 가장 종종 가끔 주로 계속 아직 이미 벌써 방금 아까 처음 드디어 결국 덕분 때문 이후 이전 동안 정도 무척 굉장히 엄청".split()
)
DEPENDENT = frozenset({"수", "적", "중", "예정", "계획", "편", "줄", "참", "듯", "생각", "작정"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with its particle's role; `head` without determiners, `before` the clause that modifies it."""

    role: str
    tokens: tuple[Token, ...]
    text: str
    before: tuple[Token, ...] = ()

    @property
    def nouns(self) -> tuple[Token, ...]:
        return tuple(t for t in self.tokens if t.tag != "MM")

    @property
    def head(self) -> str:
        return self.nouns[-1].form if self.nouns else ""


def arguments(text: str, core: list[Token], skip: list[tuple[int, int]]) -> list[Phrase]:
    """The noun phrases in front of a predicate. `skip` are places of dates, which belong to none of them."""
    gathering = _Gathering(text, core, skip)
    for at in range(len(gathering.core)):
        gathering.take(at)
    gathering.close("bare")
    return gathering.phrases


class _Gathering:
    """Walks a clause: nouns pile up in `run` until a particle, another noun phrase or a verb closes them."""

    def __init__(self, text: str, core: list[Token], skip: list[tuple[int, int]]) -> None:
        self.text, self.core, self.skip = text, core, skip
        self.phrases: list[Phrase] = []
        self.run: list[Token] = []
        self.before: tuple[Token, ...] = ()
        self.inner_begin = 0

    def take(self, at: int) -> None:
        token, follows = self.core[at], self.core[at + 1] if at + 1 < len(self.core) else None
        if token.form in ADVERBIAL and token.tag in ("NNG", "NNB", "MM", "NNP") and _loose(self.core, at):
            self.close("bare")
        elif self.run and _set_aside(token, follows):
            self.close("not")  # "판교 말고 정자", "고기 대신 두부"
        elif token.tag in NOMINAL or token.tag in QUOTES or token.tag in ("JC", "JKG"):
            if self.run and token.begin > self.run[-1].stop and _breaks(self.run):
                self.close("bare")
            self.run.append(token)
        elif token.tag[0] == "J":
            self.close(
                {"JKS": "subject", "JKC": "complement"}.get(token.tag) or ROLES.get(token.form, "bare")
            )
        elif token.tag == "SP" and self.run and follows and follows.tag in NOMINAL:
            self.run.append(token)
        elif token.tag == "ETM" and follows and follows.form not in DEPENDENT:
            self.modify(at)
        else:
            self.close("bare")
            self.inner_begin = token.stop if token.tag == "EC" else self.inner_begin

    def close(self, role: str) -> None:
        kept = [t for t in self.run if not any(begin <= t.begin < stop for begin, stop in self.skip)]
        if kept:
            words = re.sub(r"\s+", " ", self.text[kept[0].begin : kept[-1].stop])
            self.phrases.append(Phrase(role, tuple(kept), words, self.before))
        if self.run:
            self.before = ()
        self.run = []

    def modify(self, at: int) -> None:
        """What was gathered since the last clause modifies the noun to come; it is no argument of the main verb."""
        self.close("bare")
        being = at > 0 and self.core[at - 1].tag.startswith("VA")
        inner = [p for p in self.phrases if p.tokens[0].begin >= self.inner_begin and not _outer(p, being)]
        self.phrases = [p for p in self.phrases if p not in inner]
        lead = tuple(t for t in self.core[:at] if inner and t.begin >= inner[0].tokens[0].begin)
        self.before = lead or _verb_before(self.core, at)


def _set_aside(token: Token, follows: Token | None) -> bool:
    """ "말고", "아니고", "대신": what stands before is not meant."""
    rejects = token.form == "말" and token.tag in ("VV", "VX") or token.tag == "VCN"
    return token.form == "대신" or rejects and follows is not None and follows.form == "고"


def _loose(core: list[Token], at: int) -> bool:
    """A noun used as an adverb: no particle of a role behind it ("진짜 싫어해", "더 이상 안 마셔", "요즘은")."""
    following = core[at + 1] if at + 1 < len(core) else None
    return (
        following is None
        or following.tag[0] != "J"
        or following.tag == "JX"
        or following.form in ("에", "으로", "로")
    )


def _verb_before(core: list[Token], at: int) -> tuple[Token, ...]:
    begin = at
    while begin and core[begin - 1].tag in (
        "VV",
        "VA",
        "VX",
        "XSV",
        "XSA",
        "VCP",
        "EP",
        "NNG",
        "XR",
        "VA-I",
        "VV-R",
        "MAG",
    ):
        begin -= 1
        if core[begin].tag in ("VV", "VA", "NNG", "XR", "VA-I", "VV-R"):
            break
    return tuple(core[begin:at])


def _outer(phrase: Phrase, being: bool) -> bool:
    """A topic, or a first person at the head, belongs to the whole sentence and not to a modifying clause;
    so does a person before how a thing is: "엄마 매운 거 못 드세요"."""
    person = phrase.head in FIRST_PERSON or being and phrase.head in RELATIONS
    subject = phrase.role == "subject" and being and phrase.head in RELATIONS  # "남편이 매운 걸 못 먹어"
    return phrase.role == "topic" or phrase.role == "bare" and person or subject


def _breaks(run: list[Token]) -> bool:
    """Two bare nouns that are two phrases: "나 | 판교", "우리 엄마 | 부산"."""
    return run[-1].tag == "NP" and run[-1].form in ("나", "저") and run[-1].tag != "JKG"
