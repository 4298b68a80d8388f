"""Whether somebody takes back what they said before: "방금 한 말은 잊어줘", "forget everything I told you"."""

import re
from typing import Literal

#: How much is taken back: the turn before this one, or all of the session until now.
Reach = Literal["turn", "session"]

_JUST = r"(?:방금|막|아까|좀\s?전에?|조금\s?전에?|앞에서|앞서|위에서|바로\s?전에?|직전에?)"
_ALL = r"(?:지금까지|여태(?:까지|껏)?|오늘|이\s?대화에서)"
_WORDS = r"(?:말|말씀|얘기|이야기|대화)"
#: What was said, and nothing else one may have done: "방금 만든 거 지워줘" is about a file.
_SAID = rf"(?:(?:내가|제가)\s?)?(?:(?:한|했던|나눈)\s?(?:모든\s?)?{_WORDS}|(?:말한|말했던|얘기한|얘기했던|이야기한|이야기했던|말씀드린)\s?(?:거|건|것|걸|내용|{_WORDS}))"
_AWAY = (
    r"(?:(?:기억|저장|기록|메모)(?:을|은|는)?\s?(?:하지\s?(?:마|말|않)|안\s?해도|안\s?했으면|말아)|(?:기억|메모리|기록)에서\s?(?:지|삭제|빼)|"
    r"잊어|지워|삭제해|없던\s?(?:걸|것|일|말)|못\s?들은|안\s?들은)"
)
_KOREAN = re.compile(
    rf"(?:(?P<just>{_JUST})\s?(?:{_SAID}|{_WORDS})|(?P<all>{_ALL})\s?(?:{_SAID}|{_WORDS})|(?=내가|제가){_SAID})[^.!?\n]{{0,12}}?{_AWAY}"
)
_WHOLE = re.compile(r"\s(?:다|전부|모두|싹|모조리)\s|모든")
_DROP = (
    r"\b(?:forget|erase|delete|disregard|scratch|strike|un-?remember|wipe|(?:do not|don'?t|please don'?t|never) (?:remember|save|store|keep|record|memori[sz]e)|"
    r"(?:not|don'?t) (?:want|need) you to (?:remember|save|store|keep))\s+(?:about\s+)?"
)
_I_SAID = r"(?:\s+that)?\s+i(?:'ve| have)?\s+(?:just\s+|only\s+)?(?:said|told|mentioned|shared with you)\b"
_ENGLISH = re.compile(
    rf"{_DROP}(?:(?P<all>(?:everything|anything|all(?: of what)?|all the things){_I_SAID}|(?:our|this) (?:whole |entire )?conversation\b)|"
    rf"(?:what|that thing|the (?:last )?thing){_I_SAID}|my (?:last|previous) (?:message|sentence|remark|statement)\b)",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"\bpretend (?:that )?i (?:never|didn'?t) (?:say|said|tell|mention)(?:ed)? (?:that|anything|it)\b",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?\n]+")
_REMARK = re.compile(  # what says nothing that could be meant
    r"(?:아+|어+|음+|앗|잠깐만?요?|잠시만요?|미안(?:해요?)?|죄송(?:해요|합니다)?|아니|근데|참|oh|wait|hm+|sorry|actually|no|ok(?:ay)?|um+|uh+|please|hey|[\s,…~])*",
    re.IGNORECASE,
)


def reach(text: str) -> Reach | None:
    """How far back a turn takes what was said; None when it takes back nothing, or only words of its own.

    "나 이혼했어. 방금 한 말은 기억하지 마" means its own first sentence, and the turn before it stays.
    """
    said_before = ""
    for sentence in _STOP.split(text):
        found = _asked(sentence)
        if found is not None:
            return found if _REMARK.fullmatch(said_before) else None
        said_before += sentence
    return None


def _asked(sentence: str) -> Reach | None:
    if _UNSAID.search(sentence):
        return "turn"
    korean, english = _KOREAN.search(sentence), _ENGLISH.search(sentence)
    if english:
        return "session" if english["all"] else "turn"
    if not korean:
        return None
    if korean["just"]:
        return "turn"
    return "session" if korean["all"] or _WHOLE.search(korean[0]) else None
