"""The last English rule: what a person plainly says of themselves, their people or their things is kept.

The rules before it know a verb or an idiom. This one knows no verb: it asks whether the clause tells of a state that
lasts, and lets go what is of this moment, of this talk, or of nothing in particular.
"""

import re
from collections.abc import Callable

from memoryapp.extract.rules.english_lexicon import (
    BLANK_CANNOT,
    EMOTIVE_VERBS,
    EMPTY,
    MOODS,
    NOT_ATTRIBUTES,
)
from memoryapp.extract.rules.english_scene import NEGATED, Scene, activity, value
from memoryapp.extract.rules.slots import USER, Finding, many

#: Of this moment.
PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:right |just |for )now|at the moment|this (?:morning|afternoon|evening|week|weekend|time|minute|second)|"
    r"in an? (?:minute|second|sec|bit|moment|while|hurry|rush|meeting)|yet|soon|later|already|again|so far|anyway|first thing)\b"
)
#: Of this talk: what is pointed at, who is spoken to, and what an assistant is asked about.
OF_THE_TALK = re.compile(
    r"\b(?:this(?! (?:city|town|country|house|neighbou?rhood|area|job|company|side|part of))|that(?! (?:i|we)\b)|these(?! days)|those|it|you|your|yours|u|ya|here|there|something|anything|someone|somebody|whatever|lol|haha|"
    r"questions?|errors?|bugs?|code|scripts?|files?|folders?|links?|urls?|examples?|answers?|responses?|outputs?|inputs?|logs?|functions?|loops?|variables?|buttons?|tabs?|rows?|columns?|cells?|tables? (?:above|below)|"
    r"paragraphs?|sentences?|drafts?|essays?|prompts?|versions?|snippets?|screenshots?|steps?|lines? \d+|requests?|messages?|servers?|docker|(?:un)?installed|compile\w*|repo|branch|commit|api|query|queries|dataset)\b"
)
#: Of nothing in particular: hedges, wishes and what somebody else should do.
VAGUE = re.compile(
    r"^(?:would|could|should|might|may|will|shall|must|let|please)\b|\b(?:i guess|kind of funny|no offense)\b"
)
#: Behind a clause, about the clause: "I pack orchids, it's seasonal work".
ASIDE = re.compile(r",\s*(?:and |but |so )?(?:it|that|this|which)(?:'s| is| was| can| makes| has)\b.*$")
RELATIVE = re.compile(r"\b(an? (?:\w+ )?\w+) that (?=\w+s\b)")
EVALUATED = re.compile(
    r"^(?:(?:such|quite|really|so|very|too|a|an|the) )*(?:bit|little|lot|mess|problem|pain|joke|deal|mistake|fool|idiot|moron|genius|legend|hero|angel|saint|star|lifesaver|wreck|disaster|nightmare|shame|pity|blast|bummer|"
    r"surprise|relief|success|failure|winner|loser|jerk|dick|clown|monster|riot|hoot|beast|champ|good|great|bad|nice|lovely|wonderful|terrible|horrible|awful|amazing|awesome|beautiful|cute|funny|weird|strange|sweet|kind|total|complete|"
    r"huge|different|long|short|rough|tough|hard|best|worst|one|same|way|thing|reason|point|idea|case|fact|result|time|moment|day|while|minute|few|couple)\b"
)
CHARACTER = re.compile(
    r"^(?:(?:very|really|pretty|quite|so|naturally|extremely|super|a bit|a little|kind of|rather|painfully|terribly|fairly|too|always|notoriously|incredibly|more) )*"
    r"(?:shy|quiet|clumsy|stubborn|impatient|patient|organi[sz]ed|disorgani[sz]ed|messy|tidy|forgetful|competitive|picky|fussy|frugal|thrifty|stingy|superstitious|religious|outgoing|talkative|introspective|sentimental|punctual|"
    r"ticklish|squeamish|tall|short|petite|skinny|chubby|stocky|balding|gray|grey|red-headed|blonde?|brunette|freckled|gluten-free|sensitive|prone to|used to|good with|bad with|terrible with|hopeless|useless|no good|not much of|rubbish|lousy|"
    r"(?:comfortable|productive|creative|focused|awake|better|worse) (?:\w+ing|at|with|in|when|than)|handy|artistic|musical|athletic|sporty|unathletic|double-jointed|accident-prone|lactose|bilingual|hearing-impaired|night-blind|street-smart|old-fashioned|low-maintenance|indecisive|easygoing|hot-tempered|short-tempered|light sleepers?|heavy sleepers?|early risers?|late risers?)\b"
)
PLACED = re.compile(
    r"^(?:(?:one of )?(?:number )?(?:two|three|four|five|six|seven|eight|nine|ten|\d+)(?: (?:siblings|brothers|sisters|kids|people|generations|of us)| (?:months?|years?|weeks|semesters) (?:into|from|away from|in)\b|$)|the (?:only|oldest|youngest|eldest|tallest|shortest|second|third|fourth|last|first|middle|black sheep|treasurer|captain|head|chair|goalkeeper|drummer|bassist)\b|one of (?:the )?(?:two|three|four|five|six|seven|eight|\w+ (?:kids|children|siblings|founders|owners))|part of (?:a|an|the|our|my)|"
    r"(?:halfway|midway) through (?:a|an|my)|in (?:my|his|her|our|their|the|a|an) [\w -]*(?:year|semester|term|grade|band|choir|team|union|program|course|residency|fifties|sixties|seventies|eighties|forties|thirties|twenties)\b|(?:full|part)[- ]time (?:at|in|with|as)\b|on (?:nights|days|call|earlies|lates|the night shift|early shifts|late shifts)\b|back (?:on (?!track|line|it\b|the\b)\w+|to \w+ing\b)|on (?:my|his|her|our) (?:second|third|fourth|fifth|sixth|last)\b|on (?:a|an|the|my) [\w -]*(?:team|board|committee|council|wait(?:ing )?list|register|payroll|roster|spectrum|diet|visa|medication|plan|crew|leave)\b|off (?:at|to) (?:uni|college|university|school)|"
    r"with (?:the|a|an) [\w -]*(?:company|firm|bank|agency|team|union|hospital|council)|away at (?:uni|college|school|university))"
)
#: What "have" takes that nobody owns.
NOT_HAD = re.compile(
    r"^(?:(?:an?|the|no|any|some|one|two|three|four|five|six|ten|fifteen|twenty|thirty|\d+|few|lots? of|many|more|one|another|several|such|so (?:many|much)|very|really|little|bad|slight|quick|small|big|huge|good|great|nice|busy|long|new|weird|terrible|splitting|bit of) )*"
    r"(?:questions?|ideas?|problems?|issues?|troubles?|doubts?|feelings?|hunch|points?|clues?|suggestions?|thoughts?|minutes?|seconds?|moments?|secs?|time|times|meetings?|calls?|class|headaches?|colds?|fever|cough|throat|hangover|days?|mornings?|nights?|evenings?|weeks?|weekends?|lots?|bit|chance|choices?|choice|right|looks?|go|try|talks?|chats?|naps?|"
    r"breaks?|snacks?|lunch|dinner|breakfast|drinks?|beers?|coffees?|fun|blast|plans?|reasons?|preferences?|opinions?|requests?|favors?|favours?|tasks?|assignments?|homework|lists?|text|emails?|words?|numbers?|dates?|deadlines?|luck|hope|faith|energy|mood|guests?|company|crush|dream|nightmare|news|regrets?|complaints?|"
    r"sense|effect|impact|point|business|memory|recollection|recipe|options?|customers?|users?|patients?|bugs?|data|case|project|stuff|things?|everything|nothing|enough|to|been|a (?:go|look|think|word|seat)|it|you|got|\w+ problem|(?:left )?(?:feet|hands|eyes|ears))\b"
)
LONG_AGO = re.compile(
    r"\b(?:growing up|as a (?:kid|child|teen\w*|student|girl|boy)|when i was|back in|back when|in (?:college|high school|middle school|grade school|university|uni|the (?:army|navy|military|\w+ties|\d0s)|my (?:teens|twenties|thirties|youth))|before (?:i|we)|until i|at (?:\d\d|twenty|thirty|forty|fifty|sixty|seventy)\b|as an adult|for (?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|\d+|many|several|most of)(?: [\w-]+){0,2} (?:years?|decades?|months|life|childhood)|"
    r"(?:a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|\d+|several|many) (?:years?|decades?|summers|winters|seasons)|all my life|my (?:whole|entire) (?:life|childhood|career))\b",
    re.IGNORECASE,
)
PAST_VERB = re.compile(
    r"^(?:\w+ed|spent|grew|went|ran|did|spoke|taught|had|was|were|sang|swam|drove|rode|sold|built|wrote|kept|led|slept|ate|got|left|came|fought|flew|met|took|made|wore|won|lost)\b"
)
UNDONE = re.compile(
    r"^(?:have |has )?never (?:really |actually |even |quite )?(?P<what>(?!mind|know|knew|thought|said|heard|saw|seen|understood|asked|told|wanted|felt|got(?! (?:my|a|into))|been able|noticed|realized|expected|happened|worked(?! (?:in|at|for|as))|imagined|meant|tried (?:this|that|it)\b)[a-z]+(?:ed|t|d|n|en|k|e|m|g)?\b.+)$"
)
UNABLE = re.compile(
    r"^(?:can (?:not|barely|hardly|only)|(?:have |has )?never been able to|could never|am (?:not able|unable) to|is (?:not able|unable) to|do not know how to) (?P<what>.+)$"
)
#: What one can never do, though the verb alone would be of this moment: "can't hear well out of my right ear".
FOR_GOOD = re.compile(
    r"\b(?:well|properly|very far|far|out of|from (?:far|a distance)|in the dark|at night|without|for long|before|after|with my|spicy|on my own|more than)\b"
)
NOT_USUAL = re.compile(
    r"^(?:be|been|am|is|are|was|were|have|has|had|do(?! (?:my|the|our|most|all|almost|some|a lot|yoga|pilates|\w+ing|(?:much |far )?(?:better|best|well|worse|poorly|fine) (?:with|in|on|without|under|when)))|does(?! (?:all|most|the|my|our|\w+ing))|did|can|could|would|will|shall|should|may|might|must|need|needs|want|wants|seem|seems|look|looks|sound|sounds|stay|wait|request|require|insist|demand|object|quote|thank|apologi[sz]e|promise|accept|"
    r"reject|refuse|confirm|deny|admit|propose|agree|disagree|understand|ask|asks|say|says|tell|tells|call|find|finds|figure|forget|lose|try|tries|give|gives|come|comes|last|long|just|not|never|to|the|a|an|and|or|of|in|on|at|for|with|who|which|so|too|please|cannot|got|went|saw|made|took|ate|came|said|told|met|ran|won|lost|left|quit|found|"
    r"thought|knew|felt|gave|kept|sent|sat|stood|bought|brought|caught|fell|forgot|broke|spoke|wrote|drove|rode|threw|grew|flew|drew|paid|slept|swam|sang|began|drank|woke|wore|spent|heard|held|led|meant|totally|completely|really|also|test|check|click|type|press|open|close|start|stop|keep|keeps|get (?:it|the|that|what|why|how|an? (?:error|blank|message))|gets)\b"
)
VERB = re.compile(
    r"^(?P<not>do not |does not )?(?:(?:barely|hardly|rarely|mostly|mainly|still|only|usually) )?(?P<verb>[a-z-]+)\b ?(?P<rest>.*)$"
)
NO_THING = re.compile(
    r"\b(?:question|point|guess|opinion|thoughts?|feeling|answer|turn|idea|concern|message|homework|assignment|phone|battery|screen|laptop|computer|app|wifi|internet|connection|browser|keyboard|order|package|day|morning|life|luck|mood|brain|head|heart|stomach|mind|god|program|model|bus|train|flight|food|pizza|coffee|tea|tooth|boss)\b"
)


PARTICIPLE = re.compile(
    r"^(?:always |only |never |just |recently |mostly )*(?:[a-z]+ed|worn|been|had|gone|done|seen|taken|known|kept|made|run|driven|eaten|grown|held|led|written|read|spoken|taught|sung|swum|drunk|lost|won|met|become|got|gotten|put|left|spent|built|bought|sold|told|heard|felt|thought|said|come|slept|stuck|stood|flown|ridden|broken|given|chosen|forgotten|found|sent|paid|caught|brought)\b"
)
SINCE = re.compile(
    r"\bsince\b|\bfor (?:a|an|the|my|\w+|\d+)(?: [\w-]+){0,2} (?:years?|decades?|months?|life)\b|\ball my life\b|^always\b"
)


def plain(scene: Scene) -> Finding | None:
    """What was plainly said of somebody and lasts, by how it was said; None when a reason speaks against it."""
    said = RELATIVE.sub(r"\1 who ", ASIDE.sub("", scene.clause.said))
    asks = scene.sentence.rstrip().endswith(("?", "!?"))
    if not scene.who or asks or any(speaks_against(scene, said) for speaks_against in REASONS):
        return None
    for tells in (_of_theirs,) if scene.thing else KINDS:
        found = tells(scene)
        if found is not None:
            return found
    return None


#: What somebody has done a moment ago, if it is not what a life turns on.
JUST_NOW = re.compile(
    r"^(?:have |has )?just (?:put|made|had|finished|got (?:home|back|in|up|here|off|out)|come|came|woken|woke|eaten|ate|been|seen|heard|read|sat|walked|arrived|realized|realised|noticed|turned|dropped|spilled|poured|ordered|called|texted|sent|taken|took)\b"
)


def _passing(scene: Scene, said: str) -> bool:
    if JUST_NOW.match(said):
        return True
    return bool(PASSING.search(said)) and not scene.recurring


def _of_the_talk(scene: Scene, said: str) -> bool:
    alone = re.search(r"\b(?:them|they|him)\b", said) and not re.search(r"\b(?:my|our)\b", said)
    return bool(alone or OF_THE_TALK.search(said))


def _of_the_mind(scene: Scene, said: str) -> bool:
    """Thought, hoped, guessed, or what should be."""
    return bool(VAGUE.search(said) or EMOTIVE_VERBS.match(re.sub("^do(?:es)? not ", "", said)))


REASONS: tuple[Callable[[Scene, str], bool], ...] = (_passing, _of_the_talk, _of_the_mind)


def _is(scene: Scene) -> Finding | None:
    """ "I'm the only vegetarian in the family", "my uncle was a fisherman", "I'm clumsy"."""
    found = re.match(
        r"^(?P<be>am|is|are|was|were|have been|has been) (?P<not>not )?(?:really |actually |still |always |currently )*(?P<what>.+)$",
        scene.said,
    )
    if (
        not found
        or MOODS.match(found["what"])
        and not PLACED.match(found["what"])
        or EMPTY.match(found["what"])
    ):
        return None
    what, negated = found["what"], bool(found["not"])
    posted = scene.who != USER and re.match(r"^\w+ed (?:till|until|through|overseas|abroad|in|at|to)\b", what)
    if posted and not negated:
        return Finding(memory_type="FACT", confidence=0.55)
    away = (
        scene.who != USER
        and re.search(r"\bin (?:the )?[A-Z][a-z]", scene.clause.original)
        and what.startswith("in ")
    )
    if away and not negated:
        return Finding(memory_type="FACT", confidence=0.55)
    if found["be"] in ("was", "were"):
        role = re.match(r"^(?:an?|the) (?!\w+ed\b)\w", what) and not EVALUATED.match(what)
        return Finding(memory_type="FACT", confidence=0.6) if role else None
    no_such = negated and re.match(r"^an? \w", what) and not EVALUATED.match(re.sub(r"^an? ", "", what))
    if CHARACTER.match(what) or PLACED.match(what) or no_such:
        return Finding(
            memory_type="PROFILE", slot=many(scene.who, "trait", value(what), negated=negated), confidence=0.6
        )
    return None


def _has(scene: Scene) -> Finding | None:
    """ "We've got three goats", "I have no siblings", "we have a table booked for Saturday"."""
    found = re.match(
        r"^(?P<not>do not |does not )?(?:have got|has got|have|has|own|owns) (?P<what>.+)$", scene.said
    )
    if not found:
        return None
    what = found["what"]
    if PARTICIPLE.match(what):
        return Finding(memory_type="FACT", confidence=0.6) if SINCE.search(what) else None
    if scene.dated:
        set_aside = re.search(
            r"\b(?:booked|reserved|scheduled|lined up|planned|tickets?|reservations?)\b", what
        )
        on_a_day = re.search(r"\bon (?:the \d|\w+day)|\bnext \w+", what) and not NOT_HAD.match(what)
        booked = scene.well_dated and (set_aside or on_a_day)
        return Finding(memory_type="EVENT", course="event", confidence=0.7) if booked else None
    one = re.match(r"(?:one|the same) (?!of\b|more\b|last\b|thing\b|question\b)\w", what)
    if NOT_HAD.match(what) or EMPTY.match(what) and not one or re.search(r"\w+ing\b(?= me\b)", what):
        return None
    none = bool(found["not"]) or what.startswith("no ")
    what = re.sub(r"^(?:no|any) ", "", what)
    return Finding(
        memory_type="PROFILE", slot=many(scene.who, "has", value(what), negated=none), confidence=0.6
    )


def _cannot(scene: Scene) -> Finding | None:
    """ "I can't hear well out of my right ear"."""
    found = UNABLE.match(scene.said) or UNABLE.match(scene.clause.said)
    if not found or BLANK_CANNOT.match(found["what"]) and not FOR_GOOD.search(found["what"]):
        return None
    return Finding(
        memory_type="FACT", slot=many(scene.who, "skill", value(found["what"]), negated=True), confidence=0.6
    )


def _was_long(scene: Scene) -> Finding | None:
    """ "I spent ten years in the navy", "growing up, we spoke Cantonese at home", "I never finished college"."""
    if re.match(r"^(?:first )?met (?:in|at|through|on|when|while|as)\b", scene.said) and re.search(
        r"\b(?:we|and i)$", scene.clause.shown, re.IGNORECASE
    ):
        return Finding(memory_type="FACT", course="event", confidence=0.6)
    if re.match(
        r"^(?:was|were) (?:adopted|homeschooled|bullied|orphaned|drafted|held back|raised|brought up|stationed|deployed)\b",
        scene.said,
    ):
        return Finding(memory_type="FACT", course="event", confidence=0.6)
    if re.match(r"^used to (?!be (?:so|very|really)\b)\w+", scene.said):
        return Finding(memory_type="FACT", confidence=0.6)
    if (
        UNDONE.match(scene.clause.said)
        and not scene.dated
        and PAST_VERB.match(
            re.sub(r"^(?:have |has )?never (?:really |actually |even |quite )?", "", scene.clause.said)
        )
    ):
        return Finding(memory_type="FACT", confidence=0.6)
    if NEGATED.search(scene.said) or not PAST_VERB.match(scene.said) or not LONG_AGO.search(scene.full):
        return None
    return Finding(memory_type="FACT", course="event", confidence=0.6)


ACQUIRED = re.compile(
    r"^(?:have |has |just |finally |recently )*(?:got|bought|adopted|built|inherited|installed|put in|set up|joined|opened|closed|shut down|sold|got rid of|gave away|donated|totall?ed|wrecked|moved into|paid off|remodell?ed|renovated|traded in|replaced|switched to|moved to|upgraded to|signed up for) (?P<what>(?:an?|our|my|the|two|three|new|some) .+)$"
)
SPENT = re.compile(
    r"\b(?:tickets?|groceries|milk|bread|eggs|coffee|pizza|sandwich|takeout|popup|notification|letter|package|haircut|spot|seat|cab|taxi|ride|text|voicemail|discount|refund|reply|result|window|door|tab|page|app|fridge door|store|game|deal)\b"
)


def _acquired(scene: Scene) -> Finding | None:
    """ "We sold the van and got an e-bike": what came or went and is so since."""
    found = ACQUIRED.match(scene.clause.said)
    if not found or NOT_HAD.match(found["what"]) or SPENT.search(found["what"]):
        return None
    return Finding(memory_type="EVENT", course="event", confidence=0.55)


NEEDS = re.compile(
    r"^needs? (?P<what>(?!to\b|it\b|this\b|that\b|you\b|help\b|advice\b)[a-z].+?) (?:to|in order to|before i can) (?:sleep|fall asleep|focus|concentrate|function|work|study|read|relax|see|drive|wake up|think|write|eat|feel|get going)\b"
)


def _needs(scene: Scene) -> Finding | None:
    """ "I need absolute silence to sleep"."""
    found = NEEDS.match(scene.said)
    return (
        Finding(memory_type="FACT", slot=many(scene.who, "needs", value(found["what"])), confidence=0.6)
        if found
        else None
    )


FINDS = re.compile(
    r"^finds? (?P<what>(?!it\b|this\b|that\b|the\b|an?\b|my\b|out\b|you\b)[a-z][\w -]+?) (?:(?:really|so|very|too|a bit|a little|quite|pretty|kind of) )?(?P<how>\w+(?:able|ing|ible|ful|less|ous|ive|some)|hard|awkward|gross|creepy|weird|difficult)$"
)


def _finds(scene: Scene) -> Finding | None:
    """ "I find open offices unbearable"."""
    found = FINDS.match(scene.said)
    return Finding(memory_type="PREFERENCE", confidence=0.6) if found else None


def _does(scene: Scene) -> Finding | None:
    """The English present is what is usual: "I get on better with paper notebooks", "I barely watch TV"."""
    found = VERB.match(
        re.sub(
            r"^(do|does) not (?:really|usually|actually|even|ever|often|typically) ", r"\1 not ", scene.said
        )
    )
    if not found or scene.sentence.rstrip().endswith("!"):
        return None
    act = found[0].removeprefix(found["not"] or "")
    abstains = found["not"] and found["verb"] == "do" and re.match(r"[a-z]+", found["rest"])
    usual = (abstains or not NOT_USUAL.match(act)) and not found["verb"].endswith(("ed", "ing"))
    once = (
        scene.dated
        and not scene.recurring
        and not re.search(r"\bon (?:\w+day)s?\b|\bin (?:19|20)\d\d\b", act)
    )
    rest = re.sub(r"^the same (?=\w)", "", found["rest"])
    if not usual or once or EMPTY.match(rest) or not rest:
        return None
    return Finding(
        memory_type="HABIT" if scene.recurring or re.search(r"day nights?\b", act) else "FACT",
        slot=many(scene.who, "does", activity(act), negated=bool(found["not"])),
        confidence=0.55,
    )


def _of_theirs(scene: Scene) -> Finding | None:
    """ "Our garden gets no sun", "my landlord's lease allows no pets"."""
    found = VERB.match(scene.said)
    named = scene.thing.split()[-1]
    had = re.match(r"^(?:does not have|do not have|has) (?P<what>.+)$", scene.said)
    own = not NO_THING.search(scene.thing) and not NOT_ATTRIBUTES.match(named) and not scene.dated
    if had and own and not NOT_HAD.match(had["what"]) and not PARTICIPLE.match(had["what"]):
        return Finding(memory_type="FACT", confidence=0.55)
    if not found or NOT_ATTRIBUTES.match(named) or NO_THING.search(scene.thing) or scene.dated:
        return None
    present = found["verb"].endswith("s") or bool(found["not"])
    passing = re.match(
        r"^(?:is|was|has|does|keeps|looks|seems|sounds|feels|needs|wants|says|works|goes|comes|takes|hurts|gets|makes|smells|stops|freezes|crashes|fails|shows|means|thinks)$",
        found["verb"],
    )
    if not present or passing or not found["rest"] or EMPTY.match(found["rest"]):
        return None
    return Finding(memory_type="FACT", confidence=0.55)


KINDS: tuple[Callable[[Scene], Finding | None], ...] = (
    _is,
    _has,
    _cannot,
    _was_long,
    _acquired,
    _needs,
    _finds,
    _does,
)
