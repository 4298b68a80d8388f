"""What one turn says of a person's lasting ways: their name for a room, where they clean, what "as usual" means.

Signs, not facts: `promotion` says how many of them make a belief. Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memoryapp.extract.rules import guard
from memoryapp.extract.rules.lexicon import ROOMS

#: said: acted so once; stated: said so outright; resolved: the device's reading of "my room" or "as usual";
#: accepted and declined: the answer to a suggestion.
Kind = Literal["said", "stated", "resolved", "accepted", "declined"]

ROOM_ALIAS, CLEANING_SPACE, USUAL_RESERVATION = (
    "my_room_alias",
    "preferred_cleaning_space",
    "usual_reservation",
)
MEMORY_TYPE = {ROOM_ALIAS: "ALIAS", CLEANING_SPACE: "PREFERENCE", USUAL_RESERVATION: "HABIT"}

_LONGEST, _MOST_ROOMS, _LONGEST_ANSWER = 400, 3, 20
_OWNERS = "아이|애기|아기|손님|동생|형|누나|언니|오빠|아들|딸|엄마|아빠|부모님|할머니|할아버지|게스트"
_ENGLISH_ROOMS = "master bedroom|living room|kids'? room|guest room|bedroom|kitchen|bathroom|study|office"
_KOREAN_ROOMS = "|".join(sorted(map(re.escape, ROOMS), key=len, reverse=True))
ROOM = re.compile(rf"(?:{_KOREAN_ROOMS}|(?:{_OWNERS})\s?방|\b(?:{_ENGLISH_ROOMS})\b)", re.IGNORECASE)
MY_ROOM = re.compile(r"(?:^|\s|[,.!?])(?:내|제|우리)\s?방(?![가-힣]*법)|\bmy (?:bed)?room\b", re.IGNORECASE)
ALIAS = re.compile(
    r"(?:내|제|우리)\s?방(?:은|는|이)\s+(?P<ko>[^,.!?]{1,20}?)\s?(?:이야|야|이에요|예요|입니다|이다|다|임)?\s*[.!]*$"
    r"|\bmy (?:bed)?room is (?:the )?(?P<en>[^,.!?]{2,30})[.!]*$",
    re.IGNORECASE,
)
CLEAN = re.compile(r"청정|청소|깨끗|정화|\b(?:clean|vacuum|mop|purify)", re.IGNORECASE)
EXCEPT = re.compile(
    rf"(?:{ROOM.pattern})(?:은|는|을|를)?\s*(?:말고|빼고|제외)|\bexcept (?:the )?[a-z' ]+", re.IGNORECASE
)
NO_ORDER = re.compile(
    r"하지\s?(?:마|말)|안\s?해도|\bdon'?t\b|\bdo not\b|\?|했(?:어|니|나|지|다)|됐|되고\s?있|언제|\bdid\b|\bwhen\b",
    re.IGNORECASE,
)
LASTING = re.compile(
    r"자주|항상|늘\s|먼저|주로|보통|매일|평소|\b(?:often|always|usually|first|prefer)\b", re.IGNORECASE
)
RESERVE = re.compile(
    r"^(?P<what>.{2,60}?)\s?(?:을|를|으로|로)?\s?예약\s?(?:좀\s?)?해\s?(?:줘|주세요|주라|줄래|놔|둬)"
)
RESERVED = re.compile(
    r"^(?P<what>.{2,60}?)\s?(?:을|를|으로|로)?\s?예약(?:할게|했|하겠|을 잡|해\s?드릴게|해\s?두었|해\s?뒀)"
)
USUAL_IS = re.compile(
    r"평소\s?(?:의\s?)?예약은\s+(?P<a>.{2,60}?)\s?(?:이야|야|이에요|예요|입니다|이다)?[.!]*$"
    r"|평소(?:처럼|대로)\s?예약(?:하면|하라고 하면|이란|은|이면)\s+(?P<b>.{2,60}?)\s?(?:이야|야|이에요|예요|입니다|이다)?[.!]*$"
)
AS_USUAL = re.compile(r"평소\s?(?:처럼|대로)|(?:늘\s)?하던\s?(?:대로|거)|\b(?:as|the) usual\b", re.IGNORECASE)
ONE_OFF = re.compile(r"오늘|내일|모레|이번|다음|\d+\s?월|\d+\s?일|지금")
TIMED = re.compile(r"\d+\s?시|오전|오후|아침|저녁|밤|새벽|정오|매일|평일|주말|요일")
SUGGESTS = re.compile(
    r"(?:할|드릴|볼|킬|켤|끌)까요\s*\?|\b(?:shall i|should i|would you like me to|do you want me to)\b",
    re.IGNORECASE,
)
YES = re.compile(
    r"^\s*(?:응|어|네|예|넵|넹|그래|좋아|좋지|오케이|ㅇㅇ|부탁|해\s?줘|시작해|그렇게|yes|yeah|yep|sure|ok(?:ay)?|please|go ahead)",
    re.IGNORECASE,
)
NO = re.compile(r"아니|아뇨|싫|괜찮|됐어|하지\s?마|나중에|\bno\b|\bnot now\b|\bdon'?t\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One sign in one turn: of what `kind`, for which `key`, with which `value`."""

    kind: Kind
    key: str
    value: str

    @property
    def memory_type(self) -> str:
        return MEMORY_TYPE[self.key]


def read(user_text: str, assistant_text: str = "", before: str = "") -> list[Signal]:
    """The signs in one turn. `before` is what the assistant had said last, perhaps a suggestion.

    The user's own words only: pasted or recalled text says nothing, and a turn off the record nothing either.
    """
    if guard.off_the_record(user_text) or guard.injected(user_text):
        return []
    own = guard.own_words(user_text)[:_LONGEST]
    found = [
        *_answers(own, before),
        *_aliases(own, assistant_text),
        *_spaces(own),
        *_usual(own, assistant_text),
    ]
    return list({(signal.key, signal.value): signal for signal in reversed(found)}.values())[::-1]


def spoken(key: str, value: str) -> str:
    """A profile item as a sentence its owner would recognise."""
    korean = re.search(r"[가-힣]", value) is not None
    texts = {
        ROOM_ALIAS: f"내 방은 {value}" if korean else f"My room is the {value}",
        CLEANING_SPACE: f"주로 청정하는 공간은 {value}"
        if korean
        else f"The room I usually have cleaned is the {value}",
        USUAL_RESERVATION: f"평소 예약은 {value}",
    }
    return texts[key]


def item_of(statement: str) -> tuple[str, str] | None:
    """The (key, value) that a stored statement stands for, if it is of a kind known here."""
    for signal in read(statement):
        if signal.kind == "stated":
            return signal.key, signal.value
    return None


def _answers(own: str, before: str) -> Iterator[Signal]:
    """Yes or no to what was suggested."""
    if not SUGGESTS.search(before) or len(own) > _LONGEST_ANSWER:
        return
    declined = NO.search(own) is not None
    if not declined and not YES.search(own):
        return
    offered = before[:_LONGEST]
    if CLEAN.search(offered):
        for room in _rooms(offered):
            yield Signal(kind="declined" if declined else "accepted", key=CLEANING_SPACE, value=room)


def _aliases(own: str, assistant_text: str) -> Iterator[Signal]:
    if stated := ALIAS.search(own):
        value = _tidy(stated["ko"] or stated["en"])
        if ROOM.fullmatch(value):
            yield Signal(kind="stated", key=ROOM_ALIAS, value=value)
    elif MY_ROOM.search(own) and not _rooms(own):
        rooms = _rooms(assistant_text[:_LONGEST])
        if len(rooms) == 1:
            yield Signal(kind="resolved", key=ROOM_ALIAS, value=rooms[0])


def _spaces(own: str) -> Iterator[Signal]:
    if not CLEAN.search(own) or NO_ORDER.search(own) or ALIAS.search(own):
        return
    kind: Kind = "stated" if LASTING.search(own) else "said"
    for room in _rooms(EXCEPT.sub("", own)):
        yield Signal(kind=kind, key=CLEANING_SPACE, value=room)


def _usual(own: str, assistant_text: str) -> Iterator[Signal]:
    if stated := USUAL_IS.search(own):
        yield Signal(kind="stated", key=USUAL_RESERVATION, value=_tidy(stated["a"] or stated["b"]))
    elif AS_USUAL.search(own):
        if done := RESERVED.search(assistant_text[:_LONGEST]):
            yield Signal(kind="resolved", key=USUAL_RESERVATION, value=_plan(done["what"]))
    elif (asked := RESERVE.search(own)) and TIMED.search(own) and not ONE_OFF.search(own):
        yield Signal(kind="said", key=USUAL_RESERVATION, value=_plan(asked["what"]))


def _rooms(text: str) -> list[str]:
    found = dict.fromkeys(_tidy(room) for room in ROOM.findall(text))
    return list(found)[:_MOST_ROOMS]


def _plan(text: str) -> str:
    """ "평일 오전 8시에 전체청정" and "평일 오전 8시 전체청정" are one plan."""
    return _tidy(re.sub(r"(?<=[시분])에(?=\s)|(?<=[가-힣])마다(?=\s)", "", text))


def _tidy(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .,!'\"")
