"""English sentences whose subject is not the person: "Sushi is my favorite", "Cilantro tastes like soap to me"."""

import re
from collections.abc import Callable

from memoryapp.extract.rules.english_lexicon import ATTRIBUTES
from memoryapp.extract.rules.english_scene import value
from memoryapp.extract.rules.slots import USER, Finding, contact, favourite, many, one

_not_thing = r"(?!(?:this|that|it|what|which|he|she|you|these|those|they|here|there|i|we|your|his|her|their|my (?:boss|head))\b)"
INVERTED = re.compile(
    rf"^(?P<what>{_not_thing}[\w' -]{{2,40}}?) (?:is|are) (?:definitely |probably |by far |still |now )?my (?:absolute |all-time |number one )?(?:favou?rite|go-to)(?: (?P<cat>[\w ]{{2,30}}?))?(?: of all time| ever| now)?[.!]*$",
    re.IGNORECASE,
)
AFFECTS = re.compile(
    rf"^(?P<what>{_not_thing}[\w' -]{{3,40}}?) (?:really |always |usually |just |totally )*(?P<verb>scares? me|bores? me|stress(?:es)? me out|freaks? me out|grosses me out|creeps? me out|drives? me (?:crazy|nuts|insane|up the wall)|turns? me off|relax(?:es)? me|calms? me(?: down)?|cheers? me up|makes? me (?:sick|sleepy|anxious|nauseous|uncomfortable|dizzy|happy|nervous|bloated|jittery|gag|queasy|sneeze|itch|break out)|gives? me (?:a |the )?(?:headaches?|migraines?|hives|anxiety|heartburn|rash|creeps|chills|energy|(?:\w+ )?(?:strain|pains?|aches?|cramps|fatigue|stress|joy|comfort|gas|reflux|acne|nightmares|goosebumps|vertigo|bloating|insomnia|motion sickness))|upsets? my stomach|makes? it (?:\w+ )?(?:impossible|hard|harder|easier|easy|difficult|tough) for me to [\w ]+|(?:keeps?) me (?:up|awake|sane)(?: at night)?|triggers? my \w+|(?:works?|is|are) (?:best|better|great|perfect) for me|suits? me(?: best)?|(?:isn't|aren't|is not|are not) (?:for me|my thing|my cup of tea)|(?:is|are) (?:so |definitely |really |just )?not (?:really )?my (?:thing|scene|style|jam|vibe|forte|cup of tea)|(?:is|are) (?:hands down |by far |easily )?the (?:best|worst|greatest) [\w ]{2, 30}(?:for me|in my book|to me|ever)|(?:doesn't|don't|does not|do not) (?:agree with me|sit well with me|appeal to me|do it for me))[.!]*$",
    re.IGNORECASE,
)
COMMUTE = re.compile(
    r"^it (?:usually |normally |always )?takes (?:me|us) .*\b(?:minutes?|hours?|mins?)\b.*\b(?:work|office|school|campus|home|commute)\b",
    re.IGNORECASE,
)
DAY_IS = re.compile(
    r"^(?:the \d\w* of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri|satur|sun|next|tomorrow|this)[\w ,]{0,24}? (?:is|marks) (?P<what>(?:my|our) [\w' ]{2,40}?)[.!]*$",
    re.IGNORECASE,
)
TASTES = re.compile(
    rf"^(?P<what>{_not_thing}[\w' -]{{3,40}}?) (?:always |just )?(?:tastes?|smells?|sounds?|feels?|looks?) (?P<how>like \w+|awful|gross|disgusting|terrible|weird|amazing|heavenly|great) to me[.!]*$",
    re.IGNORECASE,
)
WEAKNESS = re.compile(
    rf"^(?P<what>{_not_thing}[\w' -]{{3,40}}?) (?:is|are) (?P<not>not )?(?:more |totally |definitely |really |just |very much )*my (?:biggest |greatest |one |only |true |real |guilty |ultimate |kind of )*(?:weakness|weak spot|pleasure|comfort (?:food|show|movie|read)|jam|thing|kryptonite|happy place|love language|passion|obsession|first love|escape|therapy|stress relief|cup of tea|pet peeve|dealbreaker|nightmare|biggest fear)(?: than [\w' -]{{3,30}})?[.!]*$",
    re.IGNORECASE,
)
WILL_NOT = re.compile(
    rf"^(?P<what>{_not_thing}[\w' -]{{3,30}}?) (?:is|are) (?:the |about the )?(?:one|only|single) (?:thing|food|drink|vegetable|fruit|meat|dish|kind|sort|genre|colou?r)s? (?:that )?I (?:really |just |absolutely )*(?:won't|will not|can't|cannot|refuse to|never|don't|could never) (?:ever )?(?:eat|drink|touch|stand|wear|watch|listen to|stomach|order|cook)[.!]*$",
    re.IGNORECASE,
)
MINE = re.compile(
    r"^(?P<what>[A-Z][\w' -]{1,30}?) (?:is|was|isn't|is not) (?:actually )?my (?P<thing>(?:first|native|second|third) language|mother tongue|maiden name|middle name|last name|real name|nickname|major|minor|hometown|home town|alma mater|pen name|old school|specialty)[.!]*$"
)
RESCHEDULED = re.compile(
    r"^(?:the|my|our) [\w' ]{2,30}? (?:has |have |had )?(?:moved|pushed|rescheduled|postponed|shifted|bumped|changed) (?:my|our) [\w' -]{3,40}? (?:to|until|till|back to|up to)\b",
    re.IGNORECASE,
)
COMING = re.compile(
    r"^(?:the|a|an|our|my) (?:new )?(?:plumber|electrician|movers?|landlord|inspector|technician|contractor|cleaners?|nanny|babysitter|handyman|exterminator|vet|painter|repairman|delivery|package|couch|sofa|furniture|bed|fridge|washing machine|piano|realtor|appraiser|tutor) (?:comes?|arrives?|(?:is|are) (?:coming(?: over)?|arriving|visiting|being delivered|due|stopping by|showing up))\b",
    re.IGNORECASE,
)
THE_MORE = re.compile(
    r"^(?:for me,? )?the (?P<what>\w+)(?: [\w ]{2,20})?,? the better(?: for me| if you ask me)?[.!]*$",
    re.IGNORECASE,
)
BEATS = re.compile(
    r"^(?:nothing (?:beats|is better than|compares to|tops)|there(?:'s| is) nothing (?:better than|like)) (?P<what>.+?)(?: (?:for|to) me| in my book)?[.!]*$|^(?P<side>[\w ]{2,24}?) over [\w ]{2,24}?,? (?:always|any day|every (?:single )?time|all day|for me|100%)[.!]*$|^give me (?P<over>.+?) over .+? any ?(?:day|time)\b.*$",
    re.IGNORECASE,
)
_touched = r"(?:me|us|my (?:stomach|skin|back|head|eyes|nerves|knees|sinuses|throat|gut|teeth|allergies|asthma|eczema|migraines|(?:whole |entire )?(?:day|mood|appetite|sleep|morning|evening|focus)))"
TOUCHES = re.compile(  # any verb: "Big crowds wear me out", "Wool sweaters itch my skin", "Small talk bores me to death"
    rf"^(?P<what>(?!(?:the|a|an|every|each|some|any|no|people|everyone|somebody|someone|nobody|who|life|work|god|something|nothing|everything|please|just|dude|math|python|java|excel)\b){_not_thing}(?:[\w'-]+ ){{0,4}}?[\w'-]+?(?:s|ing|ity|ness|ce|k|t|r|e)) (?:really |always |usually |just |totally |kind of |honestly |never )*"
    rf"(?P<verb>(?!(?:remind|tell|told|ask|show|let|help|call|text|gives? me (?:an? |the )?(?:call|hand|minute|second|break|idea|reason|error|option|hint|example|answer|tip|list|more|another|it)\b|gave|send|sent|need|want|get|got|hit|bring|brought|cost|teach|for|with|to|from|of|about|told|kill|trust|forgive|excuse|join|correct|leave|pay|owe)s?\b)[a-z]+(?<!ed)(?<!ing)(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)) (?:the \w+ out of |on )?{_touched}(?: (?:out|up|down|off|crazy|nuts|to (?:sleep|tears|death)|feel \w+|more than [\w ]+))?(?: (?:every time|a lot|so much|badly|like nothing else|easily|fast|quickly))?[.!]*$|"
    rf"^(?P<idiom>(?!(?:the|a|an|every|each)\b){_not_thing}[\w' -]{{3,40}}?) (?:just |really |definitely |so )*(?:is|are|isn't|aren't|is not|are not|was never|were never|has never been|have never been) (?:just |really |so |exactly |quite |definitely |not )*(?:for me|my (?:thing|scene|style|jam|vibe|forte|cup of tea|strong suit))[.!]*$|"
    rf"^(?P<matter>(?!(?:the|a|an|every|each|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|noon|anything|everything|nothing|works?|sounds)\b){_not_thing}[\w' -]{{3,40}}?) (?:is|are|isn't|aren't|has always been|have always been) (?!fine|good|ok|okay|better|great|new|hard|easy|clear|important|news|all right|enough)[\w' -]{{2,40}} (?:for|to) me[.!]*$|"
    rf"^(?P<best>(?!(?:the|a|an|every|each)\b){_not_thing}[\w' -]{{3,40}}?) (?:is|are) (?:hands down |by far |easily |still |definitely |honestly )*the (?:best|worst|greatest) [\w ]{{2,40}}?(?:for me|in my book|to me|if you ask me)[.!]*$",
    re.IGNORECASE,
)
GROSS = re.compile(  # "Olives are gross, I never eat them": the thing named first
    rf"^(?P<what>{_not_thing}[\w' -]{{3,30}}?) (?:is|are|tastes?|smells?) (?:so |just |really |absolutely |kind of |pretty )*(?P<how>gross|disgusting|nasty|vile|yuck\w*|revolting|awful|amazing|delicious|heavenly|the best),?(?: and| so|;)? (?=i\b.*\b(?:it|them)\b)",
    re.IGNORECASE,
)
GOOD = re.compile(
    r"the best|greatest|relax|calm|happy|help|cheer|best|better|great|perfect|suit|sane|energy|amazing|heavenly",
    re.IGNORECASE,
)
BAD = re.compile(r"peeve|dealbreaker|nightmare|fear", re.IGNORECASE)


NOTHING_MORE = re.compile(
    r"^there(?:'s| is) (?:really |honestly )?nothing (?:that )?i (?:like|love|enjoy|crave) (?:more|better) than (?!when|how|that|this|you\b|to (?:know|see)\b)(?P<what>[\w' -]{2,40}?)[.!]*$",
    re.IGNORECASE,
)
OF_US = re.compile(
    r"^there(?:'s| are| is|'re) (?:just |only )?(?:\w+|\d+) of us\b(?! (?:who|that|on (?:the|this) call))",
    re.IGNORECASE,
)


def _of_us(text: str) -> Finding | None:
    """ "There are six of us in a two-bedroom"."""
    return Finding(memory_type="FACT", confidence=0.7) if OF_US.match(text) else None


def _nothing_more(text: str) -> Finding | None:
    """ "There's nothing I like more than tea"."""
    found = NOTHING_MORE.match(text)
    if not found:
        return None
    return Finding(memory_type="PREFERENCE", slot=many(USER, "likes", value(found["what"].lower())))


def whole(text: str) -> Finding | None:
    """The finding of a sentence about a thing that says something of the user, or None."""
    text = re.sub(r"(?<=\w)'s (?=(?:not )?my\b)", " is ", text)
    rest = re.sub(r"^[^,]{2,40}?,? but (?!i\b|we\b|my\b)", "", text)
    for rule in RULES:
        found = rule(text) or (rule(rest) if rest != text else None)
        if found is not None:
            return found
    return None


def _favourite(text: str) -> Finding | None:
    found = INVERTED.match(text)
    if not found:
        return None
    slot = favourite(USER, found["cat"]) if found["cat"] else many(USER, "likes", found["what"])
    return Finding(memory_type="PREFERENCE", slot=slot, confidence=0.9)


def _affects(text: str) -> Finding | None:
    found = AFFECTS.match(text) or TASTES.match(text) or GROSS.match(text)
    if not found:
        return _touches(text)
    how = found.groupdict().get("verb") or found.groupdict().get("how") or ""
    slot = many(USER, "likes", found["what"], negated=not GOOD.search(how))
    return Finding(memory_type="PREFERENCE", slot=slot, confidence=0.75)


def _touches(text: str) -> Finding | None:
    """What a thing does to the person, however it is said: kept without a side unless the idiom has one."""
    found = TOUCHES.match(text)
    if not found:
        return None
    if found["what"] or found["matter"]:
        return Finding(memory_type="PREFERENCE", confidence=0.6)
    denied = bool(re.search(r"\b(?:\w+n't|not|never|worst)\b", text[len(found["idiom"] or found["best"]) :]))
    return Finding(
        memory_type="PREFERENCE",
        slot=many(USER, "likes", found["idiom"] or found["best"], negated=denied),
        confidence=0.75,
    )


def _weakness(text: str) -> Finding | None:
    found = WEAKNESS.match(text)
    if not found:
        return None
    slot = many(USER, "likes", found["what"], negated=bool(found["not"]) != bool(BAD.search(text)))
    return Finding(memory_type="PREFERENCE", slot=slot)


def _will_not(text: str) -> Finding | None:
    """ "Olives are the one thing I won't eat"."""
    found = WILL_NOT.match(text)
    slot = many(USER, "likes", found["what"], negated=True) if found else None
    return Finding(memory_type="PREFERENCE", slot=slot, confidence=0.8) if slot else None


def _better(text: str) -> Finding | None:
    more, beats = THE_MORE.match(text), BEATS.match(text)
    if more:
        return Finding(memory_type="PREFERENCE", slot=many(USER, "likes", more["what"]), confidence=0.7)
    if beats:
        return Finding(
            memory_type="PREFERENCE",
            slot=many(USER, "likes", beats["what"] or beats["side"] or beats["over"]),
            confidence=0.7,
        )
    return None


CALLED = re.compile(
    r"^(?:everyone|everybody|people|most people|they all|my (?:friends|family|coworkers|co-workers|colleagues|kids|mom|dad|parents|students|teammates|grandma|grandkids|siblings)|(?:my )?close friends) (?:just |usually |always |all |often |mostly )?calls? me (?P<name>(?!crazy|lazy|weird|old|every|when|back|at|on|a |an |the )[\"'“]?[\w .]{2,24}?[\"'”]?)[.!]*$",
    re.IGNORECASE,
)


def _called(text: str) -> Finding | None:
    found = CALLED.match(text)
    return Finding(memory_type="ALIAS", slot=one(USER, "called"), confidence=0.85) if found else None


def _mine(text: str) -> Finding | None:
    found = MINE.match(text)
    if not found:
        return None
    thing = found["thing"].lower()
    negated = bool(re.search(r"\b(?:isn't|is not)\b", text, re.IGNORECASE))
    return Finding(
        memory_type="PROFILE", slot=one(USER, ATTRIBUTES.get(thing, thing), negated=negated), confidence=0.8
    )


def _commute(text: str) -> Finding | None:
    return Finding(memory_type="HABIT", slot=one(USER, "commute")) if COMMUTE.match(text) else None


def _day(text: str) -> Finding | None:
    day = DAY_IS.match(text)
    if day:
        what = day["what"].lower()
        slot = one(USER, "birthday") if what == "my birthday" else one(USER, f"day:{what}")
        return Finding(memory_type="EVENT", slot=slot, confidence=0.85, course="event")
    return (
        Finding(memory_type="EVENT", course="event")
        if RESCHEDULED.match(text) or COMING.match(text)
        else None
    )


CHANGED_TO = re.compile(
    r"^(?:my|our|i(?:'ve| have)? (?:changed|got|switched) (?:my|to a)) (?:new )?(?P<thing>(?:phone |cell |mobile |work )?number|e-?mail(?: address)?|(?:home |work |mailing )?address)(?: (?:has |just |recently )*changed)?[,;:.]? (?:so )?(?:it's|it is|now it's|the new one is|to) (?:now )?(?P<what>\S.*?)(?: now)?[.!]*$",
    re.IGNORECASE,
)
DAYS_ARE = re.compile(
    r"^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:,? and |, )?)+ (?:is|are|nights? (?:is|are)) (?:always |usually )?(?:(?:my|our) [\w' -]+|[\w' -]*(?:day|days|night|nights)(?: (?:for us|for me|at (?:our|my) (?:house|place)))?)[.!]*$",
    re.IGNORECASE,
)


def _changed_to(text: str) -> Finding | None:
    """ "My phone number changed, it's 555-0134 now"."""
    found = CHANGED_TO.match(text)
    if not found:
        return None
    thing = found["thing"].lower()
    kind = (
        "phone" if "number" in thing else "email" if "mail" in thing and "mailing" not in thing else "address"
    )
    slot = one(USER, kind) if kind == "address" else contact(USER, kind, found["what"], text)
    return Finding(memory_type="PROFILE", slot=slot, confidence=0.85)


def _days_are(text: str) -> Finding | None:
    """ "Mondays and Thursdays are my gym days"."""
    return Finding(memory_type="HABIT", confidence=0.75) if DAYS_ARE.match(text) else None


RULES: tuple[Callable[[str], Finding | None], ...] = (
    _favourite,
    _affects,
    _weakness,
    _will_not,
    _better,
    _mine,
    _called,
    _commute,
    _days_are,
    _of_us,
    _nothing_more,
    _changed_to,
    _day,
)
