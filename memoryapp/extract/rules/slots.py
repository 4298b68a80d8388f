"""What a rule concludes from one clause, and the names of the slots facts compete for.

Attributes are the same for Korean and English, so that "나 부산 살아" and "I live in Busan" meet in one slot.
A dislike is the negation of `likes`, "can't eat" the negation of `eats`: opposites share their slot.
Work has three: `workplace` (an area), `employer` (an organisation) and `occupation`. "판교에서 백엔드 개발자로
일해요" is one fact in the slot workplace: a new place replaces it, a new job title alone stands beside it.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from memoryapp.extract.base import Settling, Slot
from memoryapp.extract.rules import things
from memoryapp.extract.rules.lexicon import FAVOURITES, PREFERENCE_DOMAINS
from memoryapp.extract.rules.normalize import lemma

USER = "user"
Course = Literal["state", "event", "task"]
#: One person, whatever she is called: the first of each line is the subject of the slot.
_SAME_PERSON = {
    name: line.split()[0]
    for line in (
        "엄마 어머니 어머님 모친 친정엄마 친정어머니", "아빠 아버지 아버님 부친 친정아빠 친정아버지", "아내 와이프 집사람 아내분 애엄마", "남편 신랑 남편분 남의편 애아빠",
        "부모님 부모 친정부모님", "남자친구 남친", "여자친구 여친", "시어머니 시엄마", "시아버지 시아빠", "장인어른 장인", "장모님 장모", "딸 딸아이 딸애 딸내미 딸램",
        "아들 아들애 아들내미 아들램", "아이 애 자녀 자식", "아기 애기", "룸메이트 룸메", "고양이 냥이 반려묘", "강아지 개 댕댕이 반려견 애완견",
        "mom mother mum mommy mama mam mummy", "dad father daddy papa pop", "wife missus wifey", "husband hubby", "grandma grandmother granny nana",
        "grandpa grandfather granddad", "kid child", "boyfriend bf", "girlfriend gf", "brother bro", "sister sis", "dog doggo pup", "parents folks",
    )
    for name in line.split()
}  # fmt: skip
_DOMAIN = {word.lower(): domain for domain, words in PREFERENCE_DOMAINS.items() for word in words.split()}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A fact seen in a clause. `course` says what a date in it means: the time of an event, when a state
    began or ends, or when a task is due."""

    memory_type: str
    slot: Slot | None = None
    ends: bool = False
    confidence: float = 0.8
    course: Course = "state"
    quarantine: str = ""
    names: tuple[
        str, ...
    ] = ()  # what else a fact must name to be ended by this one: the role somebody has no more
    settles: Settling | None = None


def one(subject: str, attribute: str, *, negated: bool = False) -> Slot:
    """A single-valued slot: residence, employer, name."""
    return Slot(subject=_person(subject), attribute=attribute, negated=negated, single=True)


def many(subject: str, attribute: str, value: str, *, negated: bool = False) -> Slot | None:
    """One of several parallel values: allergy to peanuts, liking coffee. None without a value: facts that only
    share an attribute must not compete."""
    named = key(value)
    if things.is_diet(attribute, named):
        return one(subject, "diet", negated=negated)
    if not named:
        return None
    attribute, thing = things.deed(attribute, named)
    thing = re.sub(r"[a-z]+", lambda word: lemma(word[0]), thing)
    return Slot(subject=_person(subject), attribute=attribute, object=thing, negated=negated)


def _person(name: str) -> str:
    return _SAME_PERSON.get(name, name)


def marital(subject: str, *, married: bool) -> Slot:
    """Who marries is single no more; being married and having married tell one fact."""
    return Slot(subject=_person(subject), attribute="married", negated=not married)


def once(finding: Finding) -> Finding:
    """What was the case once ("저는 간호사였어요", "my job was teaching") is no rival to what is."""
    return replace(finding, slot=None) if finding.slot is not None and finding.slot.single else finding


CONTACTS = frozenset({"phone", "email"})
_AT_WORK = re.compile(r"회사|직장|업무|사무실|\b(?:work|office|business|company)\b", re.IGNORECASE)
_AT_HOME = re.compile(r"집\s?(?:전화|번호)|유선|\b(?:home|landline)\b", re.IGNORECASE)
_ONE_MORE = re.compile(r"[가-힣]도\s|하나 더|세컨|두 ?번째|\b(?:also|another|second|other)\b", re.IGNORECASE)


def contact(subject: str, attribute: str, address: str, said: str) -> Slot | None:
    """A phone number or mail address: one at a time of each kind, unless it is said to be one more."""
    if _ONE_MORE.search(said):
        return many(subject, attribute, address)
    kind = "work " if _AT_WORK.search(said) else "home " if _AT_HOME.search(said) else ""
    return one(subject, f"{kind}{attribute}")


def favourite(subject: str, category: str) -> Slot:
    name = key(category)
    return one(subject, f"favourite:{FAVOURITES.get(name.replace(' ', ''), name)}")


def preferred(subject: str, value: str) -> Slot | None:
    """One preference at a time within a known domain (coffee or tea, window or aisle), else one liking of many."""
    name = key(value)
    domain = _DOMAIN.get(name.replace(" ", "")) or next(
        (_DOMAIN[w] for w in name.split() if w in _DOMAIN), None
    )
    return one(subject, f"prefers:{domain}") if domain else many(subject, "likes", value)


def key(value: str) -> str:
    """The comparable form of a slot's object: lower case, single spaces, no quotes or trailing stops."""
    return " ".join(value.lower().replace("알러지", "알레르기").strip(" '\"“”‘’.,!?").split())
