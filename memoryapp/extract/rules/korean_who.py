"""Who a Korean clause is about, and what of theirs: "내 동생 민호는", "우리 딸 이름은", "커피는"."""

import re
from dataclasses import dataclass

from memoryapp.extract.rules.analyser import Token
from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.lexicon import (
    ANIMATE,
    ATTRIBUTES,
    EVENTS,
    FIRST_PERSON,
    GIVEN_NAMES,
    PETS,
    PLACE_TAIL,
    PLACES,
    RELATIONS,
    SECOND_PERSON,
    SURNAMES,
    TITLES,
)
from memoryapp.extract.rules.phrases import Phrase
from memoryapp.extract.rules.slots import USER

OBJECT_FIRST = frozenset("키우 기르 입양하 낳 만나 데려오 좋아하 싫어하 좋 싫 있 없 무섭 보 생기".split())
GROUPS = frozenset("집 팀 회사 반 학교 부서 동네 가게 과".split())
HANGUL_NAME = re.compile(r"^[가-힣]{2,4}$")


@dataclass(frozen=True, slots=True)
class Who:
    """`owner`: "user", "you", "other", a named third party, or "" when the phrase names no one. `thing`: what of theirs."""

    owner: str
    thing: str
    phrase: Phrase
    first_person: bool = False
    named: bool = False  # only a personal name marks the owner, no relation word


def read(phrase: Phrase) -> Who:
    tokens = [
        t
        for t in phrase.nouns
        if t.tag not in ("JKG", "JC", "SP", "SSO", "SSC", "SO", "XSN") or t.form in ("님", "씨")
    ]
    if not tokens:
        return Who("", "", phrase)
    first, owner, at, named = tokens[0], "", 0, False
    mine = first.tag in ("NP", "NNG") and first.form in FIRST_PERSON
    if mine:
        owner, at = USER, 1
    elif first.tag == "NP" and first.form in SECOND_PERSON or first.form in ("챗봇", "어시스턴트"):
        owner, at = "you", 1
    elif first.tag == "NP":
        return Who("other", "", phrase)
    if mine and len(tokens) > 2 and tokens[1].form in GROUPS and tokens[2].form in RELATIONS:
        at = 2  # "우리 집 강아지", "우리 팀 막내"
    while at < len(tokens):
        token = tokens[at]
        following = tokens[at + 1].form if at + 1 < len(tokens) else ""
        if token.form in RELATIONS and not _compound(tokens, at):
            owner, named = token.form, False
        elif token.form in TITLES and owner not in ("", USER, "you"):
            pass
        elif is_name(token, following):
            named = owner in ("", USER)
            owner = (
                token.form[:-1]
                if token.form.endswith("이") and token.form[:-1] in GIVEN_NAMES
                else token.form
            )
        else:
            break
        at += 1
    rest = tokens[at:]
    thing = phrase.text[rest[0].begin - phrase.tokens[0].begin :] if rest else ""
    return Who(owner, re.sub(r"\s+", " ", thing).strip(), phrase, mine, named)


def _compound(tokens: list[Token], at: int) -> bool:
    """ "고양이 알레르기", "친구 결혼식": the relation word only begins the name of a thing."""
    rest = tokens[at + 1 :]
    if not rest:
        return False
    thing = "".join(t.form for t in rest)
    person_next = rest[0].form in RELATIONS or rest[0].form in TITLES or is_name(rest[0], "")
    return (
        not person_next
        and thing not in ATTRIBUTES
        and rest[-1].form not in ATTRIBUTES
        and rest[-1].form not in EVENTS
        and thing not in EVENTS
    )


def is_name(token: Token, following: str) -> bool:
    """Whether a noun is somebody's name: a proper noun that is no place, or any noun with 씨 / 님 behind it."""
    if not HANGUL_NAME.match(token.form) or token.form in PLACES or token.form in FIRST_PERSON:
        return False
    if following in ("씨", "님", "군", "양", "쌤") and token.tag in ("NNG", "NNP"):
        return True
    if token.tag in ("NNG", "NNP") and (
        token.form in GIVEN_NAMES or token.form.endswith("이") and token.form[:-1] in GIVEN_NAMES
    ):
        return True
    if token.tag != "NNP" or PLACE_TAIL.search(token.form):
        return False
    return (
        len(token.form) == 2 or (len(token.form) == 3 and token.form[0] in SURNAMES) or len(token.form) == 3
    )


@dataclass(frozen=True, slots=True)
class Subject:
    """Who the clause is about; `said` says the clause names them, `who` the phrase that does."""

    name: str
    said: bool
    who: Who | None = None


def subject(frame: Frame, inherited: str = USER) -> Subject:
    candidates = [p for p in frame.phrases if p.role in ("topic", "subject")]
    head = frame.phrases[0] if frame.phrases else None
    if head is not None and head.role == "bare" and head not in candidates and not _cause(frame, head):
        candidates.insert(0, head)
    for phrase in candidates:
        who = read(phrase)
        if _people_at_large(frame, phrase, who):
            return Subject("other", True, who)
        if who.owner == "you" and not who.thing:
            return Subject("you", True, who)
        if who.owner == "other":
            return Subject("other", True, who)
        if not who.owner or who.thing:
            continue
        if who.owner == USER:
            return Subject(USER, True, who)
        if _holds(frame, phrase, who):
            return Subject(who.owner, True, who)
    return Subject(inherited, False)


def _cause(frame: Frame, phrase: Phrase) -> bool:
    """ "아내 덕분에 담배 끊었어요": why, and not who."""
    behind = (token for token in frame.tokens if token.begin >= phrase.tokens[-1].stop)
    return next((token.form in ("덕분", "때문", "땜", "대신") for token in behind), False)


GENERIC = frozenset(
    "사람 사람들 학생들 애들 아이들 여자들 남자들 분들 국민 세대 직장인 한국인 여자 남자 어른 노인 청년 환자 학생".split()
)


def _people_at_large(frame: Frame, phrase: Phrase, who: Who) -> bool:
    """ "한국 사람들은 김치를 좋아해", "고양이는 원래 물을 싫어해": what holds of a kind is nobody's fact."""
    pointed = any(t.tag == "MM" and t.form in ("이", "그", "저") for t in phrase.tokens)
    if phrase.role in ("topic", "subject") and pointed and phrase.head in GENERIC | TITLES:
        return True  # "그 사람은 은행에서 일해요"
    if phrase.role not in ("topic", "subject") or who.first_person:
        return False
    at_large = phrase.text.endswith(("사람들", "분들", "이들"))
    if frame.of("object") is None and not at_large:
        return False
    kind = who.owner in PETS and re.search(r"원래|보통|대부분|대체로|본래", frame.text)
    plural = phrase.tokens[-1].form == "들" and not who.owner
    return bool(kind) or not who.owner and (phrase.head in GENERIC or plural) and not _theirs(phrase)


def _theirs(phrase: Phrase) -> bool:
    """ "나를 아는 사람들은", not "젊은 사람들은": told apart by more than how they are."""
    return bool(phrase.before) and not all(t.tag.startswith(("VA", "MAG")) for t in phrase.before)


#: What nobody does to another: after it a person without a particle is who did it ("동생 결혼했어요", "우리 딸 7살이에요").
OF_ONESELF = frozenset(
    "이 결혼하 이혼하 재혼하 은퇴하 퇴직하 취직하 취업하 이직하 퇴사하 입사하 졸업하 입학하 휴학하 임신하 출산하 입원하 퇴원하 입대하 전역하 제대하 이사하 승진하 합격하 아프 다치 죽 돌아가시 태어나 유학하 이민하 운전하 요리하 운동하 수영하 공부하 야근하 재택근무하 일하 근무하 출근하 등산하 금연하 금주하 낚시하 채식하 영어하 일본어하 중국어하".split()
)


def _holds(frame: Frame, phrase: Phrase, who: Who) -> bool:
    """Whether a third person named here acts, and is not what the user keeps, likes or has."""
    others = [
        p
        for p in frame.phrases
        if p is not phrase
        and p.role in ("object", "bare", "subject", "topic", "at", "in", "to", "with", "only")
        and not _number(p)
    ]
    if phrase.role == "bare" and not others:
        counted = frame.stem != "이" or any(_number(p) for p in frame.phrases)  # not "네이버 직원이에요"
        return frame.stem in OF_ONESELF and counted and not who.named
    if frame.stem in ("있", "없", "계시") and phrase.role == "topic" and frame.of("at"):
        return True
    if frame.stem in OBJECT_FIRST or who.owner in PETS and frame.stem in ("키우", "기르"):
        return any(
            p.role in ("object", "subject", "bare", "only", "topic") and read(p).owner != USER for p in others
        )
    acts = frame.stem in ANIMATE or frame.stem in ("이", "있", "없") or frame.past
    return acts or not who.named


def _number(phrase: Phrase) -> bool:
    return all(t.tag in ("NR", "SN", "NNB", "MM") and t.form not in ("거", "것") for t in phrase.tokens)


def target(frame: Frame, subject: Subject) -> Phrase | None:
    """What the predicate is about besides its subject: the object, the topic put in front, or a bare noun."""
    own = subject.who.phrase if subject.who else None
    for roles in (("object",), ("only",), ("topic",), ("bare",), ("subject",)):
        found = [
            p
            for p in frame.phrases
            if p.role in roles and p is not own and not read(p).first_person and not _number(p)
        ]
        if found:
            return found[-1]
    return None


def counted(phrase: Phrase) -> str:
    """The noun of a count: "아들" of "아들 하나", "여동생" of "여동생 두 명"; else the head."""
    nouns = list(phrase.nouns)
    while len(nouns) > 1 and (
        nouns[-1].tag in ("NR", "SN", "NNB", "XSN") or nouns[-1].form in ("마리", "명")
    ):
        nouns.pop()
    return nouns[-1].form if nouns else ""


def words(phrase: Phrase, source: str, generic: str = "") -> str:
    """The phrase as an object of a slot: with what modifies it, "매운 거" as "매운 음식" when `generic` says so.
    Empty for "이거", "그 노래": what it means is not in the sentence."""
    if any(
        t.tag == "MM" and t.form in ("이", "그", "저", "이런", "그런", "저런", "무슨", "어떤")
        for t in phrase.tokens
    ):
        return ""
    if any(t.tag == "NP" for t in phrase.tokens):
        return ""
    begin = (
        phrase.before[0].begin
        if phrase.before
        else phrase.nouns[0].begin
        if phrase.nouns
        else phrase.tokens[0].begin
    )
    nouns = phrase.nouns
    if not nouns:
        return ""
    head = nouns[-1]
    if head.form in ("거", "것", "음식", "요리", "건"):
        if not phrase.before:
            return "" if head.form in ("거", "것", "건") and len(nouns) == 1 else source[begin : head.stop]
        lead = source[begin : head.begin].strip() or source[begin : head.stop - 1].strip()
        return f"{lead} {generic or head.form}".strip()
    return re.sub(r"\s+", " ", source[begin : head.stop]).strip(" '\"‘’“”")
