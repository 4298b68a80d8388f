"""Whom a Korean sentence without a subject is about: the person of the one before it, or the user."""

import re

from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.korean_who import Subject, read, subject
from memoryapp.extract.rules.slots import USER, Finding

MINE = frozenset(  # done to or felt for somebody: the user does it
    "키우 기르 산책시키 돌보 보살피 사랑하 아끼 보고싶 모시 만나 사귀 데리 챙기 부르 자랑스럽 그립 존경하 무섭 고맙 미안하 걱정되 걱정하".split()
)


def plays(frames: list[Frame]) -> bool:
    """ "네가 면접관이고 나는 지원자야": parts given out, not who somebody is."""
    return any(frame.stem == "이" and subject(frame).name == "you" for frame in frames)


#: "여동생이 있어요", "고양이 키워": what brings somebody up.
BROUGHT_UP = {
    (kind, stem) for kind in ("family", "pet") for stem in ("있", "키우", "기르", "입양하", "데려오")
}


def introduced(frame: Frame, finding: Finding) -> str:
    """ "여동생이 있어요": who comes up; a sentence behind it without a subject is about them."""
    slot = finding.slot
    one = slot is not None and not slot.negated and (slot.attribute, frame.stem) in BROUGHT_UP
    return (
        slot.object
        if slot is not None
        and one
        and not re.search("둘|셋|넷|두 (?:명|마리)|세 (?:명|마리)|\\d\\s?마리", frame.text)
        else ""
    )


def same_person(frame: Frame) -> bool:
    """A sentence with neither a subject nor a first person, after one about somebody: about them still."""
    if frame.moods & {"must", "plan", "will", "agreed", "want", "wish", "give", "dont", "would"}:
        return False
    if any(t.tag == "NP" for t in frame.tokens) or frame.stem in MINE:
        return False
    named = [p for p in frame.phrases if p.role in ("topic", "subject") or p is frame.phrases[0]]
    return not any(read(p).owner for p in named)


def owner_of(frame: Frame, about: Subject) -> str:
    """ "우리 딸 이름은 지유고 7살이야": what follows is about the daughter still."""
    head = frame.phrases[0] if frame.phrases else None
    if about.said or head is None or frame.stem != "이":
        return ""
    owner = read(head).owner
    return owner if owner not in ("", USER, "you", "other") else ""


def continues(frame: Frame) -> bool:
    """ "이름은 하린이고요" after "딸이 …": still about the daughter."""
    head = frame.phrases[0] if frame.phrases else None
    return (
        head is not None
        and head.role in ("topic", "subject")
        and head.text
        in ("이름", "나이", "생일", "직업", "성격", "품종", "별명", "취미", "전공", "학교", "회사")
    )
