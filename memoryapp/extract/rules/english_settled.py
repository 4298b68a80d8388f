"""What settles an earlier plan or duty: "cancelled the dentist", "the meeting got pushed to Monday", "paid my taxes"."""

import re

from memoryapp.dates import When
from memoryapp.extract.base import Settling
from memoryapp.extract.rules.english_lexicon import EVENTS
from memoryapp.extract.rules.normalize import expand, lemma

_we = r"(?:(?:i|we|they) )?(?:(?:have|had to|just|already|finally|also|actually|recently|decided to|ended up) )*"
_being = r"(?:is|are|was|were|got|has|have|had|gets)(?: (?:been|now|just|actually|officially|apparently|all|finally|got|get))*"
_moved = r"(?:moved|pushed|rescheduled|postponed|bumped|shifted|delayed|changed|brought forward)"
_thing = r"(?P<what>(?:the|my|our|that|this|tomorrow's|today's|(?:mon|tues|wednes|thurs|fri|satur|sun)day's) [^,;.]+?|(?:dinner|lunch|brunch|drinks|coffee|practice|class|rehearsal|training|yoga|game night|movie night|book club)\b[^,;.]*?)"
_what = r"(?P<what>[^,;.]+?)"
OFF = (
    rf"^{_we}(?:cancell?ed|cancell?ing|called off|scrapped|dropped out of|backed out of) {_what}$",
    rf"^{_thing} {_being} (?:cancell?ed|called off|off|scrapped|not happening)(?! (?:the|my|to|limits|by|a)\b)\b",
    rf"^(?:i|we) (?:am |are )?(?:not|no longer) (?:going|doing|flying|meeting up with|having|attending|travel+ing|visiting) {_what}(?: anymore| after all| any ?more)$",
    rf"^(?:i|we) do not (?:have|need) to {_what}(?: anymore| after all| any ?more)$",
    rf"^(?:i|we) no longer (?:have|need) to {_what}$",
)
MOVED = (
    rf"^{_thing} {_being} {_moved}(?: (?:back|up|forward|out))? (?:to|until|till|for|by|from)\b",
    rf"^{_thing} {_being} (?:now|instead) (?:on|at|in|next)\b",
    rf"^{_we}(?:{_moved}|move|push|reschedule|postpone) {_thing}(?: (?:back|up|forward|out))? (?:to|until|till|for|from)\b",
    rf"^{_we}(?:{_moved}|reschedule|postpone) (?!from |to |into |in |out |back |over |here )(?P<what>[^,;.]+?) (?:to|until|till|for|from)\b",
)
FINISHED = (
    rf"^{_we}(?:finished|completed|wrapped up|(?:am |are )?(?:done|finished|through) with|took care of|dealt with) {_what}$",
    rf"^{_we}got (?P<what>(?:my|the|our) [^,;.]+?) done\b",
    rf"^{_thing} {_being} (?:done|finished|over|complete|completed|behind (?:me|us))$",
    r"^(?P<what>(?!i |we |you |they |he |she )[\w' -]{4,40}?) (?:submitted|handed in|sent(?: off)?|paid|filed|completed|signed|done)$",
    rf"^{_thing} went (?:\w+ )?(?:well|great|fine|ok|okay|badly|smoothly)\b",
)
DONE = re.compile(rf"^{_we}(?P<verb>[a-z]+ed|[a-z]+t|[a-z]+) (?P<what>[^,;.]+)")
IRREGULAR = dict(
    pair.split(":")
    for pair in "paid:pay sent:send bought:buy got:get made:make wrote:write gave:give took:take found:find met:meet saw:see told:tell sold:sell left:leave brought:bring went:go did:do built:build put:put set:set read:read chose:choose swept:sweep cut:cut fed:feed held:hold hung:hang spoke:speak won:win shipped:ship".split()
)
TO_A_DAY = re.compile(r"\bto(?= (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*day\b)", re.IGNORECASE)
#: What is said of what was left open, in the words it may have been put in before.
KINDS = {
    "appointment": ("appointment", "see", "checkup", "visit"), "meeting": ("meeting", "meet"), "trip": ("trip", "fly", "go", "travel", "visit", "vacation", "driv"),
    "flight": ("flight", "fly"), "vacation": ("vacation", "holiday", "trip", "fly", "go"), "reservation": ("reservation", "book", "table", "dinner"),
    "booking": ("booking", "book", "reservation"), "call": ("call", "phone"), "plan": ("plan", "going", "go"), "plans": ("plan", "going", "go"),
    "visit": ("visit", "see", "come", "coming", "appointment"), "date": ("date", "dinner", "meet"), "meetup": ("meetup", "meet"),
}  # fmt: skip
NO_WORDS = frozenset(
    "the a an my our your their his her its this that these those i we they it to for at on in of with from by about up down out off over into is are was been be and or all some any new old today "
    "tonight now just finally already back away done well so as if then there here him them me us one two lot bit thing stuff everything anything something morning evening afternoon night "
    "early late earlier later yesterday after before not".split()
)


def settling(text: str, whens: list[When]) -> Settling | None:
    """What the sentence settles, or None. `whens`: the dates in it, which do not tell which plan is meant."""
    said = expand(_undated(text, whens)).strip(" .!#")
    if found := _first(OFF, said):
        return _of("off", found["what"])
    if whens and (found := _first(MOVED, said)):
        return _of("moved", found["what"])
    if found := _first(FINISHED, said):
        return _of("done", found["what"])
    if (found := DONE.match(said)) and (verb := _base(found["verb"])):
        return _of("done", found["what"], verb)
    return None


def _first(patterns: tuple[str, ...], said: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := re.match(pattern, said))), None)


def with_days(text: str) -> str:
    """ "pushed to Monday" with its day named as dates know it, in as many letters."""
    return TO_A_DAY.sub("on", text)


def planned(text: str) -> bool:
    """Whether what is settled is plainly something that was planned: worth keeping by itself once it has a new day."""
    return any(EVENTS.search(word) for word in text.lower().split())


def _of(how: str, what: str, *verb: tuple[str, ...]) -> Settling | None:
    what = re.split(r"\b(?:and|but|so|because|since|which|who|when|while)\b", what)[0]
    words = re.findall(r"[a-z0-9][a-z0-9-]*", re.sub(r"'s\b", "", what))
    telling = [word for word in words if word not in NO_WORDS and len(word) > 1][:4]
    if not telling:
        return None
    groups = tuple(KINDS.get(word) or KINDS.get(lemma(word), (word, lemma(word))) for word in telling)
    return Settling(how=how, words=(*verb, *groups))  # type: ignore[arg-type]


def _base(verb: str) -> tuple[str, ...]:
    """The forms in which a past verb may have stood in the duty: "filed" → "file", "planned" → "plan"."""
    if verb in IRREGULAR:
        return (IRREGULAR[verb],)
    if not verb.endswith("ed") or len(verb) < 5:
        return ()
    doubled = (verb[:-3],) if verb[-3] == verb[-4] else ()
    return (*doubled, verb[:-2], verb[:-1], *((verb[:-3] + "y",) if verb.endswith("ied") else ()))


def _undated(text: str, whens: list[When]) -> str:
    for when in reversed(whens):
        text = f"{text[: when.begin]}#{text[when.stop :]}"
    return re.sub(r"\s+", " ", text)
