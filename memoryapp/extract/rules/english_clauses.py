"""English sentences cut into clauses, each with who it is about and what is said of them."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from memoryapp.extract.rules.english_lexicon import RELATIONS
from memoryapp.extract.rules.normalize import expand
from memoryapp.extract.rules.slots import USER

_relation = "|".join(sorted((re.escape(r) for r in RELATIONS), key=len, reverse=True))
_adjective = r"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|late|ex|best|new|old|first|second|closest|good|close|dear|twin|baby|only|whole|entire|extended|adopted|step)[- ])*"
_verb = (
    r"(?:am|are|is|was|were|have|has|had|do|does|did|can|could|will|would|should|must|need|needs|'m|'s|'re|'ve|'ll|'d|live|lives|lived|work|works|worked|like|likes|love|loves|hate|hates|prefer|prefers|enjoy|enjoys|"
    r"go|goes|went|eat|eats|drink|drinks|play|plays|run|runs|ran|own|owns|use|uses|speak|speaks|teach|teaches|taught|study|studies|studied|manage|manages|lead|leads|led|moved|started|bought|got|left|quit|joined|take|takes|"
    r"keep|keeps|drive|drives|want|wants|visit|visited|met|meet|meets|travel|traveled|travelled|graduated|grew|wake|wakes|sleep|sleeps|usually|always|never|often|also|just|really|still|currently|recently|now|don't|doesn't|"
    r"can't|cannot|won't|didn't|isn't|aren't|wasn't|hasn't|haven't|couldn't|wouldn't|no longer|swim|swims|read|reads|watch|watches|cook|cooks|bake|bakes|write|writes|wear|wears|attend|attends|turned|turns|adopted|suffer|suffers|"
    r"avoid|avoids|commute|commutes|bike|bikes|walk|walks|practice|practices|collect|collects|train|trains|stopped|switched|relocated|majored|majors|coach|coaches|volunteer|volunteers|hike|hikes|grow|grows|switched|accepted|agreed|decided|signed|plan|plans|dislike|dislikes|report|reports)"
)
SPLIT = re.compile(
    rf"\s*;\s*|\s+[–—-]{{1,2}}\s+(?=(?:i|my|we|our)\b)|,?\s+(?P<word>and|but|so|plus|while|whereas|although|though|because|since|as)\s+(?=(?:(?:now|then|currently|today|recently|since then|these days),? )?(?:(?:i|we|he|she|they|it|the)\b(?! +(?:and|or)\b)|(?:his|her|their) (?:{_relation})\b|(?:my|our)\b(?! +(?:and|or)\b)(?=(?: [\w'-]+){{1,5}}? {_verb}\b|(?: [\w-]+){{1,4}}'s\b)))|"
    rf",?\s+(?P<bare>and|but|plus)\s+(?=(?:then\s+|also\s+)?{_verb}\s)|,?\s+(?P<name>and|but|while)\s+(?=(?-i:[A-Z][a-z]+)\s+{_verb}\s)|,\s+(?P<comma>)(?=(?:i|my|we)\b['\s])|\s+\.\.\.\s+|"
    r",\s+(?:(?:so|and|but)\s+)?(?P<ask>)(?=(?:(?:\w+ )?(?:ideas|tips|thoughts|suggestions|advice|recs|recommendations|options)(?:\?|$)|(?:can|could|would|will|is|are|do|does|should) (?:i|you|we|it|there|this|that|they|anyone)|what|what's|where|how|which|any|please|recommend|suggest|book|find|give|tell|show|make|help|got any)\b)",
    re.IGNORECASE,
)
_of = r"(?:(?:both|all|one|two|three|most|some|half|none|neither|either|each)(?: of)? |every(?:one|body) (?:in|on|at) )?"
STOPS = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(]?[A-Z0-9i])|\n+")
ABBREVIATED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|a\.m|p\.m|No|Jr|Sr|approx|U\.S|U\.K)\.$", re.IGNORECASE
)
SUBJECT = re.compile(
    rf"^(?:(?P<i>i|we|myself|(?:(?:my|our)\s+(?:{_adjective})(?:{_relation})(?:\s(?-i:[A-Z][a-z]+))?|(?-i:[A-Z][a-z]+)) and i)\b|(?P<user>(?:the )?user)(?:'s (?P<userthing>[\w' -]{{1,40}}?))?(?=\s+(?:is|are|was|has|have|had|can|cannot|does|do|did|will|would|needs|need|must|no longer|always|never|usually|often|\w+s|\w+ed|went|got|left|quit|bought)\b)|"
    rf"(?:{_of}(?:my|our)|the(?= (?:baby|kids?|dogs?|cats?|twins|wife|husband|hubby|missus|in-laws|puppy|kitten)\b))\s+(?P<adj>{_adjective})(?P<relation>{_relation})s?\b(?:,?\s+(?P<name>(?-i:(?:(?:Ms|Mr|Mrs|Dr|Prof)\.? )?[A-Z][a-z]+)),?)?(?:'s\s+(?P<reltheir>[\w' -]{{2,30}}?)(?=\s+(?:is|are|was)\b))?(?=\s|'|$|,|(?<=,))|"
    rf"(?:my|our)\s+(?P<thing>[\w'& /-]{{2,48}}?)(?=\s+(?:is|are|was|were|starts?|ends?|begins?|has|have|will|got|works?|lives?|can|does|do|needs?|changed|moved|opens?|closes?|falls?|takes?|runs?|uses?|includes?|costs?|meets?|'s|isn't|aren't|arrives?|arrived|leaves?|expires?|expired|broke|crashed|flooded|burned|turns?|came|went|goes|called|died|passed|allows?|backs?|pays?|covers?|faces?|sits?|belongs?|serves?|sells?|makes?|overlooks?|seats?|fits?|doesn't|don't|hasn't|haven't|won't|can't|didn't)\b|'s (?=(?:a|an|the|about|around|been|not|from|in|on|at|under|\d+|got|always|only|still|never|almost|pretty|really|too|very|like|my|our)\b)|(?<=name)'s\s)|"
    r"the (?P<event>[\w' -]{2,40}?)(?=\s+(?:is|are|was|has been|got)\s+(?:now\s+)?(?:scheduled|due|set|booked|moved|rescheduled|postponed|planned|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|(?:tomorrow|next|this) ?|on (?:mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|the \d)))|"
    rf"(?P<whose>his|her|their)\s+(?:{_adjective})(?P<kin>{_relation})\b(?=\s|'|$)|"
    r"(?P<they>he|she|they)\b|(?P<named>(?-i:[A-Z][a-z]{1,14}(?:\s[A-Z][a-z]{1,14})?))(?:'s\s+(?P<nametheir>[\w' -]{2,30}?)(?=\s+(?:is|are|was)\b))?(?=\s|'))",
    re.IGNORECASE,
)
NO_NAME = re.compile(
    r"^(?:The|This|That|These|Those|It|There|Here|What|When|Where|Why|How|Who|Which|If|But|And|Or|So|Yes|No|Ok|Okay|Hi|Hey|Hello|Thanks|Thank|Please|Just|Also|Maybe|Perhaps|Then|Now|Today|Tomorrow|Yesterday|Tonight|"
    r"Every|Each|Some|Most|All|Any|Both|Many|Well|Oh|Wow|Great|Good|Nice|Sure|Sorry|Actually|Honestly|Basically|You|Your|Can|Could|Would|Should|Do|Does|Did|Is|Are|Was|Were|Will|Have|Has|Let|Let's|Make|Give|Tell|Show|"
    r"Write|Translate|Summarize|Explain|Find|Turn|Set|Play|Remind|Remember|Note|Always|Never|Don|Use|Call|Answer|Reply|Respond|Keep|Stop|Start|Open|Close|Send|Book|Order|Add|Delete|Remove|Check|Get|Help|Look|Read|Search|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Python|Java|Javascript|Korea|Seoul|Japan|China|America|London|Paris|"
    r"Google|Apple|Amazon|Microsoft|Netflix|Samsung|Christmas|Easter|Internet|Life|Work|Coffee|Tea|Music|Love|Time|People|Everyone|Everybody|Someone|Somebody|Nobody|Anyone|Lunch|Dinner|Breakfast|Anyway|Apparently|"
    r"Not|In|On|At|For|From|With|By|As|After|Before|During|Since|Until|Because|While|Although|Though|Once|Recently|Currently|Usually|Sometimes|Often|Lately|Last|Next|One|Two|Three|Of|To|Up|Down|Over|Under|Windows|Linux|His|Her|Their|Its|Our|My|Ignore|System|Assistant|Suppose|Imagine|Pretend|Assume|Water|Traffic|Rain|Climate|Weather|Heads|Fun|Btw|Fyi|Ps|Having|Going|Being|Working|Doing|Another|Other|Such|Same|More|Less|Too|Very|Quick|Random|Looking|Thinking|Likes|Loves|Prefers|Hates|Lives|Works|Has|Wants|Needs|Enjoys|Dislikes|Owns|Uses|Speaks|Drinks|Eats|Plays|Plans|Avoids|Takes|Drives|Studies|Started|Moved|Cannot|Allergic)$"
)
LEAD = re.compile(
    r"^(?:(?:hi|hey|hello|well|so|oh|ah|um+|uh|ok|okay|yes|yeah|yep|no|nope|sure|right|anyway|by the way|btw|fyi|for (?:your|the) (?:information|record)|actually|honestly|basically|also|and|but|plus|just so you know|just to let you know|"
    r"you know|you should know(?: that)?|to be honest|tbh|as (?:i|you) (?:said|know|mentioned)(?: before)?|in case you(?:'re| are) wondering|one more thing|another thing|as for me|personally|lately|nowadays|these days|at the moment|right now|"
    r"for context|for reference|some context|quick update|update|correction|scratch that|my mistake|heads up|good news|guess what|fun fact|random fact|(?:like |as )?i (?:already |have already )?(?:told you|said|mentioned)(?: before| earlier| already)?(?: that)?|turns out|it turns out(?: that)?|i just wanted to (?:say|mention|let you know)(?: that)?|let me tell you(?: that)?|i should (?:mention|add|say)(?: that)?|i want you to know(?: that)?|the thing is|thing is|in fact|as of (?:now|today|this \w+)|starting (?:today|now)|from now on|thanks|thank you|great|cool|nice|good morning|good evening|good afternoon|hi there|hello there|sorry|ps|p\.s\.)\b[,:;.!\- ]*\s*(?:that\s+)?)+",
    re.IGNORECASE,
)
FRONTED = re.compile(
    r"^(?P<front>(?:(?:last|next|this|every|each|on|in|at|since|from|by|until|before|after|during|over|for|yesterday|today|now|then|tomorrow|tonight|two|three|four|five|six|a|few|several|\d+|most|back|as|starting|when|once|twice|usually|normally|typically|generally|sometimes|often|recently|currently|until|growing|unfortunately|luckily|sadly|finally|eventually|earlier|later|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekdays|summers|winters|the(?! (?:baby|kids?|dogs?|cats?|twins|wife|husband)\b))\b)[^,]{0,48}?),?\s+(?=(?:i|we|my|our)\b['\s])",
    re.IGNORECASE,
)


TO_DO = re.compile(
    r"\b(?:to|will|'ll|can|could|should|must|would)\s+(?!work\b|school|the\b|my\b|a\b)[a-z]+\b", re.IGNORECASE
)


IS_NAMED = re.compile(r"^(?:is|'s) (?:named |called )?(?P<name>[A-Z][a-z]+)$")


class Topic(NamedTuple):
    """Whom the sentences are about: as a slot's subject, and as it was said."""

    who: str = ""
    shown: str = ""


NOBODY = Topic()


@dataclass(frozen=True, slots=True)
class Clause:
    """`who`: "user", a third party's name or relation in lower case, "" when nobody is named.
    `thing`: what of theirs is the subject ("favorite color"). `said`: the expanded, lower-case predicate."""

    text: str
    who: str
    thing: str
    said: str
    original: str  # the predicate in its own letters
    front: str = ""
    joined: str = ""
    shown: str = ""  # how who it is about was named: "My boss Karen"

    @property
    def topic(self) -> "Topic":
        """What "she" in the next sentence would mean."""
        named = IS_NAMED.match(self.original)
        shown = f"{self.shown} {named['name']}" if named and self.who != USER else self.shown
        return Topic(self.who, shown)

    @property
    def whole(self) -> str:
        return f"{self.front} {self.said}".strip()


def sentences(text: str) -> list[str]:
    found: list[str] = []
    for piece in STOPS.split(text):
        if found and ABBREVIATED.search(found[-1]):
            found[-1] += " " + piece
        elif piece.strip():
            found.append(piece.strip())
    return found


TOGETHER = re.compile(r"(?:(?:my|our) (?:[\w'-]+ )?[\w'-]+|(?-i:[A-Z])[a-z]+)", re.IGNORECASE)


def clauses(sentence: str, inherited: Topic = NOBODY) -> list[Clause]:
    """The clauses of a sentence in order; "… and work as a nurse" takes the subject in front of it."""
    parts, joins, at = [], [""], 0
    for found in SPLIT.finditer(sentence):
        if found.start() == 0 or (found["bare"] and TO_DO.search(sentence[at : found.start()])):
            continue  # "decided to quit and study abroad": both are decided
        if (
            found["word"]
            and found["word"].lower() == "and"
            and TOGETHER.fullmatch(sentence[at : found.start()])
        ):
            continue  # "My wife and I", "Jake and I": one subject
        if found["comma"] is not None and _leads_in(sentence[at : found.start()]):
            continue  # "On Sundays, I play tennis": when, not a clause
        parts.append(sentence[at : found.start()])
        joins.append(
            (found["word"] or found["bare"] or found["name"] or "").lower() + ("*" if found["bare"] else "")
        )
        at = found.end()
    parts.append(sentence[at:])
    clauses_found: list[Clause] = []
    for part, joined in zip(parts, joins, strict=True):
        previous = clauses_found[-1] if clauses_found else None
        clause = _clause(part.strip(" ,"), joined, previous, inherited)
        clauses_found.append(clause)
    return clauses_found


def _leads_in(part: str) -> bool:
    return bool(FRONTED.match(f"{part}, I ")) and not re.search(
        r"\b(?:i|we|he|she|they|it)\b", part, re.IGNORECASE
    )


def _clause(part: str, joined: str, previous: Clause | None, inherited: Topic) -> Clause:
    bare = joined.endswith("*")
    joined = joined.rstrip("*")
    text = LEAD.sub("", part)
    fronted = FRONTED.match(text)
    front = fronted["front"] if fronted else ""
    core = text[fronted.end() :] if fronted else text
    if bare and previous and previous.who:
        rest = re.sub(r"^(?:then|also)\s+", "", core)
        return Clause(
            text=f"{_named(previous)} {rest}".strip(),
            who=previous.who,
            thing=previous.thing,
            said=_tidy(expand(rest)),
            original=rest,
            front="",
            joined=joined,
            shown=previous.shown,
        )
    found = SUBJECT.match(core)
    if not found or (found["named"] and not _is_somebody(found["named"], core[found.end() :])):
        return Clause(
            text=text, who="", thing="", said=_tidy(expand(core)), original=core, front=front, joined=joined
        )
    rest = core[found.end() :].lstrip(" ,")
    who, thing = _subject(found, previous, inherited)
    shown = found[0].rstrip(" ,")
    if found["whose"] and who:
        shown = f"{_before(previous, inherited).shown}'s {found['kin']}"
        text = text[: len(text) - len(core)] + shown + core[found.end() :]
    if found["they"] and who:
        shown = _before(previous, inherited).shown or shown
        text = text[: len(text) - len(core)] + shown + core[found.end() :]
    return Clause(
        text=text,
        who=who,
        thing=thing,
        said=_tidy(expand(rest)),
        original=rest,
        front=front,
        joined=joined,
        shown=shown,
    )


def _before(previous: Clause | None, inherited: Topic) -> Topic:
    """Whom a pronoun means: who the clause before was about, else the sentence before."""
    return previous.topic if previous and previous.who not in ("", USER) else inherited


STRANGERS = frozenset(
    (
        "neighbor",
        "neighbour",
        "coworker",
        "co-worker",
        "colleague",
        "landlord",
        "friend",
        "boss",
        "teacher",
        "client",
    )
)


def _kin(thing: str) -> bool:
    return thing.lower().split()[-1].rstrip("s") in RELATIONS


AGREES = re.compile(
    r"^(?:'s|,? (?:who|which)\b.*|\s*(?:(?:really|also|always|never|usually|often|just|still|recently|currently|now|sometimes|only|rarely) )*"
    r"(?:is|was|has|had|does|did|can|cannot|can't|could|will|would|won't|doesn't|didn't|isn't|wasn't|hasn't|couldn't|no longer|(?:like|love|hate|live|work|prefer|enjoy|own|play|run|lead|manage|speak|drink|eat|want|need|use|drive|say|think|know|come|start|take|keep|collect|avoid|walk|sleep|read|write|cook|bake|swim|travel|visit|report|head|design|sell|make|help|grow|sing|paint|call|move|turn|dislike|plan|study|suffer|snore|paint|wear|attend|coach|volunteer|belong)s|goes|teaches|studies|watches|practices|[a-z]+ed|went|got|left|quit|bought|met|made|took|ran|won|lost|began|grew|told|said|came|sold|broke|wrote|taught|became)\b)",
    re.IGNORECASE,
)


def _is_somebody(name: str, rest: str) -> bool:
    """A capital letter alone makes no person: the verb must go with "he" or "she" ("Minji likes", not "Flowers bring")."""
    first = name.split()[0]
    if first.endswith(("ing", "tion", "ness", "ment", "ity", "ery")) or NO_NAME.match(first.capitalize()):
        return False
    return bool(AGREES.match(rest)) and not re.match(
        r"^(?:'s| is| was) (?:an? (?:\w+ )?(?:way|thing|place|lot|bit|time|day|idea)|so|very|too|really|such|great|good|nice|amazing|important|invaluable|everything|key|over|fun|hard|beautiful|awesome|wonderful)\b",
        rest,
        re.IGNORECASE,
    )


def _named(clause: Clause) -> str:
    stop = len(clause.text) - len(clause.original)
    return clause.text[len(clause.front) : stop].strip(" ,")


def _subject(found: re.Match[str], previous: Clause | None, inherited: Topic) -> tuple[str, str]:
    if found["i"] or found["user"]:
        return _users(found["userthing"] or "")
    if found["relation"]:
        if found["reltheir"] and found["relation"].lower() in STRANGERS and _kin(found["reltheir"]):
            return "", ""  # "my neighbor's kid": nobody of theirs
        who = (found["name"] if found["name"] and found["name"][0].isupper() else found["relation"]).lower()
        return who, (found["reltheir"] or "").lower()
    if found["thing"] or found["event"]:
        return USER, (found["thing"] or found["event"]).lower()
    if found["whose"]:
        before = _before(previous, inherited).who
        return (f"{before}'s {found['kin'].lower()}" if before not in ("", USER) else ""), ""
    if found["they"]:
        before = _before(previous, inherited).who
        return (before if before != USER else ""), ""
    return found["named"].lower(), (found["nametheir"] or "").lower()


def _users(thing: str) -> tuple[str, str]:
    """ "The user's daughter …": about the daughter."""
    first, _, rest = thing.lower().partition(" ")
    return (
        (first.removesuffix("'s"), rest) if first.removesuffix("'s") in RELATIONS else (USER, thing.lower())
    )


def _tidy(said: str) -> str:
    said = re.sub(r"^s (?=(?:got|been|had|always been)\b)", "has ", said.strip().lstrip("'"))
    said = re.sub(r"^s (?=\w)", "is ", said)
    return re.sub(r"\s+", " ", said).strip(" .,!;:")
