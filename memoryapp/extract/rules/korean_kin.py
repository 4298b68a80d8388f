"""Somebody near to the user named without a particle: "엄마 커피 안 드세요" is about the mother, not about her coffee."""

from dataclasses import replace

from memoryapp.extract.rules.analyser import Token
from memoryapp.extract.rules.lexicon import (
    ANIMATE,
    ATTRIBUTES,
    EVENTS,
    FIRST_PERSON,
    GIVEN_NAMES,
    PETS,
    RELATIONS,
    SURNAMES,
    TITLES,
)
from memoryapp.extract.rules.phrases import Phrase

#: What stands next to a person because it is theirs: "엄마 음식 좋아해", "아내 생각 해".
OWNED = frozenset(
    "음식 요리 밥 반찬 도시락 집 차 방 선물 옷 사진 가게 회사 병원 말 말씀 얘기 이야기 목소리 전화 생각 걱정 자랑 욕 흉 부탁 잔소리 손맛 덕분 때문 편 돈 카드 물건 유산 냄새 취향 스타일 성격 쪽 외 고기 털".split()
)
#: Words of people that as often say what kind of thing the next noun is: "가족 여행", "의사 상담".
OF_A_KIND = frozenset(
    "가족 의사 교수 사장 대표 직원 고객 거래처 담당자 비서 이웃 파트너 동기 개 애 형제 자매 쌍둥이 푸들 말티즈".split()
)
OURS = frozenset(("애", "개"))  # "우리 애", but not "애 낳다"
#: With these a school or a company is where somebody goes, and not what of theirs is spoken of.
ATTENDED = frozenset("다니 그만두 관두 두 졸업하 입학하 휴학하 자퇴하 퇴사하 옮기".split())
PLACES_OF = frozenset("회사 병원 가게".split())
FELT_OR_DONE = ANIMATE | frozenset(
    "이 아니 있 없 하 끊 그만두 관두 피 싫 좋 나쁘 아프 약하 심하 높 낮 생기 앓 나가 두 치 줄이 따 무섭 무서워하 드 잡수".split()
)


def kin_apart(phrases: list[Phrase], stem: str) -> list[Phrase]:
    """The phrases with the person at the head as one of their own, unless what follows is theirs
    ("남편 직업", "친구 결혼식")."""
    head = phrases[0] if phrases else None
    if head is None or stem not in FELT_OR_DONE and not stem.endswith("하"):
        return phrases
    nouns = tuple(token for token in head.nouns if token.tag != "JKG")
    at = _kin(nouns)
    if not at or not _another_thing(nouns[at - 1].form, nouns[at:], stem):
        return phrases
    cut = nouns[at].begin - head.tokens[0].begin
    who = replace(head, role="bare", tokens=nouns[:at], text=head.text[:cut].strip())
    return [who, replace(head, tokens=nouns[at:], text=head.text[cut:], before=()), *phrases[1:]]


def _kin(nouns: tuple[Token, ...]) -> int:
    """How many of the nouns name somebody near to the user: "우리 큰딸", "제 친구 민수"."""
    begin = at = int(bool(nouns) and nouns[0].form in FIRST_PERSON)
    people = RELATIONS - OF_A_KIND | (OURS if begin else frozenset())
    while at < len(nouns) and (
        nouns[at].form in people or at > begin and (nouns[at].form in TITLES or _name(nouns[at].form))
    ):
        at += 1
    return at if at > begin else 0


def _name(word: str) -> bool:
    return word in GIVEN_NAMES or word[0] in SURNAMES and word[1:] in GIVEN_NAMES


def _another_thing(kin: str, rest: tuple[Token, ...], stem: str) -> bool:
    if not rest or rest[0].tag not in ("NNG", "NNP", "SL", "XR"):
        return False
    ends, whole = {rest[0].form, rest[-1].form}, "".join(token.form for token in rest)
    theirs = OWNED | EVENTS | ATTRIBUTES.keys()
    theirs = OWNED - PLACES_OF | EVENTS if stem in ATTENDED else theirs
    if (ends | {whole}) & theirs:
        return False
    if kin in PETS:  # "고양이 카페", "강아지 알레르기" are things
        return len(rest) > 1 and whole.endswith("알레르기") or stem in ("먹", "드시")
    return True
