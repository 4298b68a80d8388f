"""Allergies told together, written as a sentence for each: what is one, what is none, and whose it is instead."""

import re

from memoryapp.extract.rules.english_renewed import LEADING

_who = r"\b(?P<who>i'?m|i am|(?:he|she) is|(?:my|our) [\w' -]{2,30}? (?:is|are))"
#: What is named behind "allergic to": no word that begins another clause.
_named = r"(?:(?!\b(?:i|my|our|he|she|they|we|is|are|am|isn't|was|do|does|has|have|can|but|not|so|too|please|that|this|it|sure|and not)\b)[\w, '-])"
_end = r"[.!]*$"
ONE_NOT_OTHER = re.compile(
    rf"{_who} allergic to (?P<is>{_named}{{2,60}}?)(?:,? but|,? and|,|;) (?:(?:i'?m|i am|(?:he|she)(?: is|'s)) )?not (?:allergic )?(?:to )?(?P<isnt>{_named}{{2,30}}?){_end}|"
    rf"{_who.replace('<who>', '<who2>')} not allergic to (?P<isnt2>{_named}{{2,30}}?)(?:(?:,? but|;) (?:(?:i'?m|i am|(?:he|she)(?: is|'s)) )?(?:allergic )?(?:to )?|, (?:(?:i'?m|i am|(?:he|she)(?: is|'s)) )?(?:allergic )?(?:just |only )?to )(?P<is2>{_named}{{2,60}}?){_end}",
    re.IGNORECASE,
)
#: "I'm not allergic to nuts, my sister is"
ANOTHERS = re.compile(
    rf"(?P<told>{_who} (?:not )?allergic to (?P<what>{_named}{{2,60}}?)),?(?: but| and| while| though)? (?P<other>(?:my|our) [\w' -]{{2,30}}?) (?P<be>is|are)(?P<not> not|n't)?(?: too| as well| though)?{_end}",
    re.IGNORECASE,
)
SEVERAL = re.compile(
    r"\ballergic to (?P<all>(?:[\w-]+(?: [\w-]+)?, )*[\w-]+(?: [\w-]+)?,? (?:and|or) (?!i\b|my\b|have\b|am\b|can\b|so\b)[\w-]+(?: [\w-]+)?)(?=[.!,;]|$)",
    re.IGNORECASE,
)


def one_by_one(sentence: str) -> list[str]:
    """ "I'm allergic to shrimp and crab" as a sentence for each, so that one can end without the other."""
    return [one for told in _apart(sentence) for one in _each(told)]


def _apart(sentence: str) -> list[str]:
    """What somebody is allergic to apart from what they are not, and from what another is."""
    if found := ANOTHERS.search(sentence):
        lead = LEADING.sub("", sentence[: found.start()])
        denied = " not" if found["not"] else ""
        other = f"{found['other'][:1].upper()}{found['other'][1:]} {found['be']}{denied}"
        return [f"{lead}{_short(found['told'])}.", f"{lead}{other} allergic to {found['what']}."]
    if found := ONE_NOT_OTHER.search(sentence):
        lead = LEADING.sub("", sentence[: found.start()])
        who = _short(found["who"] or found["who2"])
        none, one = found["isnt"] or found["isnt2"], found["is"] or found["is2"]
        return [f"{lead}{who} not allergic to {none}.", f"{lead}{who} allergic to {one}."]
    return [sentence]


def _each(sentence: str) -> list[str]:
    found = SEVERAL.search(sentence)
    if not found:
        return [sentence]
    begin, stop = found.span("all")
    parts = [part for part in re.split(r",? (?:and|or) |, ", found["all"]) if part]
    return [sentence[:begin] + part + sentence[stop:] for part in parts]


def _short(told: str) -> str:
    return re.sub(r"^(?:i'?m|i am)\b", "I'm", told, flags=re.IGNORECASE)
