"""Kiwi, the Korean morphological analyser: loaded once, on first use, one caller at a time."""

import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memoryapp.extract.rules.lexicon import JOBS, PETS, RELATIONS, SURNAMES

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

_lock = threading.Lock()
_kiwi: "Kiwi | None" = None

# words Kiwi would cut into pieces or take for something else
WORDS = (
    "사용자",
    "백엔드", "프론트엔드", "풀스택", "데브옵스", "채식주의자", "비건", "알러지", "존댓말", "반말", "이모티콘", "이모지",
    "재택근무", "전기차", "클라이밍", "필라테스", "크로스핏", "넷플릭스", "인스타그램", "유튜브", "스타트업", "프리랜서",
    "아메리카노", "요가", "디카페인", "고혈압", "저혈압", "혈액형", "민트초코", "안방", "드레스룸", "팬트리", "서버실",
    "최애", "알바", "워홀", "취준", "취준생", "집순이", "집돌이", "부먹", "찍먹", "민초", "얼죽아", "혼밥", "혼술", "러닝", "덕질", "게스트하우스", "워라밸", "차박", "맛집", "단톡방", "반려견", "반려묘", "학부모",
    "재택", "헬스장", "다이어트", "인스타", "카톡", "와이파이", "필기", "코딩", "헬스", "피티", "넷플", "에어비앤비",
)  # fmt: skip
NAMES = ("민지", "지호", "민수", "지수", "하린", "유진", "현우", "서연", "지훈", "도윤", "수아", "성수", "정자", "판교", "광교", "동탄", "위례", "마곡",
         "망원", "연남", "서면", "합정", "역삼", "양재", "잠실", "신림")  # fmt: skip


PERIODS = frozenset("주 달 해 번 주말 학기 여름 가을 겨울 봄 방학".split())
POINTED_AT = frozenset(
    "사람 분 책 곳 가게 집 거 것 쪽 정도 옷 차 건물 친구 아이 애 남자 여자 노래 영화 식당 색 그림 사진".split()
)


@dataclass(frozen=True, slots=True)
class Token:
    """One morpheme: its form, its tag in the Sejong set, and its place in the sentence."""

    form: str
    tag: str
    begin: int
    stop: int


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    tokens: tuple[Token, ...]


def _loaded() -> "Kiwi":
    global _kiwi
    if _kiwi is None:
        from kiwipiepy import Kiwi  # 1 s and 300 MB: only where Korean is read

        # Names of several words take as long again to load, and change no reading of tests/eval/extraction.jsonl.
        kiwi = Kiwi(num_workers=1, load_multi_dict=False)
        for word in WORDS:
            kiwi.add_user_word(word, "NNG")
        for name in NAMES:
            kiwi.add_user_word(name, "NNP")
        _kiwi = kiwi
    return _kiwi


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a Korean text with their morphemes."""
    with _lock:
        found = _loaded().split_into_sents(text, return_tokens=True)
    cut = []
    for sentence in found:
        tokens = tuple(
            Token(t.form, t.tag, t.start - sentence.start, t.start + t.len - sentence.start)
            for t in sentence.tokens or ()
        )
        cut.append(Sentence(sentence.text, _merged(_named(tokens))))
    return tuple(cut)


def _named(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "이름은 초코고 …", "이름은 치즈야": a name and what says so, of which Kiwi makes one longer name."""
    out: list[Token] = []
    for at, token in enumerate(tokens):
        here = [token]
        if any(_is_topic(t) for t in out) and token.form[-1:] in ("고", "야"):
            more = token.form[-1] == "고" and any(_is_topic(t) for t in tokens[at + 1 : at + 4])
            last = token.form[-1] == "야" and all(t.tag in ("SF", "SE", "SW", "SP") for t in tokens[at + 1 :])
            if more and token.tag == "MM":
                here = _being(token)  # "판교|고"
            elif (more or last) and token.tag == "NNP" and len(token.form) > 2:
                name = Token(token.form[:-1], "NNP", token.begin, token.stop - 1)
                here = [name, *_being(Token(token.form[-1], "", token.stop - 1, token.stop))]
        out += here
    return tuple(out)


def _being(token: Token) -> list[Token]:
    """ "(이)고", "(이)야" """
    ending = Token(token.form, "EC" if token.form == "고" else "EF", token.begin, token.stop)
    return [Token("이", "VCP", token.begin, token.begin), ending]


def _is_topic(token: Token) -> bool:
    return token.tag in ("JX", "JKS") and token.form in ("은", "는", "이", "가")


def _merged(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Rejoins what belongs together: 싫|어|하 → 싫어하, 김|도윤 → 김도윤."""
    out: list[Token] = []
    first = tokens[0] if tokens else None
    if (
        first
        and first.form == "저"
        and first.tag == "MM"
        and len(tokens) > 1
        and tokens[1].form not in POINTED_AT
    ):
        tokens = (Token("저", "NP", first.begin, first.stop), *tokens[1:])  # "저 INFP예요": not "that"
    if (
        first
        and first.form == "저"
        and first.tag == "IC"
        and len(tokens) > 1
        and tokens[1].tag in ("NNG", "NNP", "SL")
    ):
        tokens = (Token("저", "NP", first.begin, first.stop), *tokens[1:])  # "저 엑셀 잘해요"
    for token in tokens:
        if (
            token.form == "하"
            and token.tag == "VX"
            and len(out) > 1
            and out[-1].form in ("어", "아")
            and out[-2].tag.startswith("VA")
        ):
            out.pop()
            stem = out.pop()
            out.append(
                Token(stem.form + ("아하" if stem.form == "좋" else "어하"), "VV", stem.begin, token.stop)
            )
        elif out and _wife(out[-1], token):
            out.append(Token("아내", "NNG", out.pop().begin, token.stop))
        elif out and out[-1].form == "아내" and token.form == "의" and token.begin < out[-1].stop:
            pass  # of the "내" that was none
        elif out and _one_word(out[-1], token):
            first = out.pop()
            out.append(Token(first.form + token.form, "NNG", first.begin, token.stop))
        elif token.form in PERIODS and len(out) > 1 and (out[-2].form, out[-1].tag) == ("지나", "ETM"):
            out.pop()
            passed = out.pop()  # "지난주": Kiwi takes it for a clause
            out.append(Token("지난" + token.form, "NNG", passed.begin, token.stop))
        elif _connects(out, token):
            joined = out.pop()
            out.append(
                Token(joined.form + "데", "EC", joined.begin, token.stop)
            )  # "결혼식 있는데 축의금은": no noun
        elif token.tag == "JKV" and token.form == "야" and _is_named(tokens, token, out):
            out += [
                Token("이", "VCP", token.begin, token.begin),
                Token("야", "EF", token.begin, token.stop),
            ]
        elif token.form == "드세" and token.tag.startswith("VA"):
            out.append(Token("드시", "VV", token.begin, token.stop))
        elif token.tag == "NNP" and out and _surname(out[-1], token):
            surname = out.pop()
            out.append(Token(surname.form + token.form, "NNP", surname.begin, token.stop))
        elif token.tag == "VCP" and out and out[-1].form == "계" and out[-1].tag == "NNG":
            being = out.pop()  # "계세요": Kiwi takes it for a noun
            out.append(Token("계시", "VX" if out and out[-1].tag == "EC" else "VV", being.begin, token.stop))
        else:
            out.append(token)
    return tuple(out)


def _connects(out: list[Token], token: Token) -> bool:
    """ "있|는|데" written as one, of which Kiwi makes "a place where" before a noun."""
    if len(out) < 2 or token.form != "데" or out[-1].tag != "ETM" or out[-1].stop != token.begin:
        return False
    there = out[-1].form == "는" and out[-2].form in ("있", "없", "계시")
    return there or out[-1].form in ("은", "ᆫ") and out[-2].form in ("좋", "아프", "나쁘", "싫", "약하")


def _is_named(tokens: tuple[Token, ...], token: Token, out: list[Token]) -> bool:
    """ "딸 이름은 지유야", "나 지호야" at the end: says a name, and calls nobody."""
    last = all(rest.tag in ("SF", "SE", "SW", "SP") for rest in tokens if rest.begin > token.begin)
    topic = any(t.tag in ("JX", "JKS") and t.form in ("은", "는", "ᆫ", "이", "가") for t in out)
    mine = bool(out) and (out[0].form, out[0].tag) in (("나", "NP"), ("저", "NP")) and len(out) == 2
    return last and (topic or mine) and out[-1].tag in ("NNP", "NNG")


def _wife(first: Token, token: Token) -> bool:
    """ "아내" at the head, of which Kiwi makes "아, 내"."""
    return (first.form, first.tag, first.stop) == ("아", "IC", token.begin) and (token.form, token.tag) in (
        ("내", "MM"),
        ("나", "NP"),
    )


def _one_word(first: Token, token: Token) -> bool:
    """ "남자|친구", "교환|학생": one word that Kiwi cut in two."""
    nouns = first.tag == token.tag == "NNG" and first.stop == token.begin
    return nouns and first.form + token.form in RELATIONS | JOBS | PETS


def _surname(token: Token, name: Token) -> bool:
    return token.tag == "NNP" and token.form in SURNAMES and len(token.form) == 1 and token.stop == name.begin


def ended(front: str, stem: list[tuple[str, str]], *, polite: bool) -> str:
    """The words before a verb, and the verb's morphemes as the end of a sentence: "저는 의사", 이 → "저는 의사예요"."""
    if stem == [("이", "VCP")]:
        return front + (
            ("예요" if _open(front) else "이에요") if polite else ("야" if _open(front) else "이야")
        )
    if stem[-1] == ("아니", "VCN"):
        return front + ("아니에요" if polite else "아니야")
    written = conjugate([*stem, ("어요" if polite else "어", "EF")])
    return front + re.sub(r"하아(?=요?$)", "해", written)  # 못하 as Kiwi joins it


def _open(word: str) -> bool:
    """Whether it ends in a vowel, as it is read out: "간호사", "INTJ", "mk2"."""
    last = word[-1:]
    if "가" <= last <= "힣":
        return (ord(last) - 0xAC00) % 28 == 0
    return last in "2459" or last.isascii() and last.isalpha() and last not in "lmnLMN"


def conjugate(stem: list[tuple[str, str]]) -> str:
    """Morphemes → the written form: [("살", "VV"), ("어요", "EF")] → "살아요"."""
    with _lock:
        return str(_loaded().join(stem))
