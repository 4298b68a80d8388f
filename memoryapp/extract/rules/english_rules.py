"""What an English clause tells about a person: one function per kind of statement, the first that answers counts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from memoryapp.dates import When
from memoryapp.extract.rules.english_clauses import Clause
from memoryapp.extract.rules.english_lexicon import (
    ATTRIBUTES,
    BLANK_CANNOT,
    CHILDREN,
    CONDITIONS,
    DATED_VERBS,
    EMOTIVE_VERBS,
    EMPTY,
    EVENTS,
    FREQUENCY,
    JOBS,
    LIFE_VERBS,
    MANY_VALUED,
    MOODS,
    NATIONS,
    NOT_ATTRIBUTES,
    PETS,
    PLACES,
    TRAITS,
)
from memoryapp.extract.rules.slots import USER, Finding, favourite, many, one, preferred

ADVERBS = re.compile(
    r"^(?:(?:really|just|actually|currently|now|also|still|recently|both|absolutely|truly|definitely|honestly|simply|finally|basically|personally|mainly|primarily|already|only|officially|happily|totally|"
    r"usually|always|often|generally|normally|typically|mostly|sometimes|regularly|rarely|almost|probably|seriously|deeply|strongly|even|ever|kind of|sort of|particularly|especially|completely|strictly|secretly|certainly|have always|have never|used to always|have long|have recently|have just|have now|do(?= (?:like|love|enjoy|prefer|have|live|work|hate))) )+"
)
NEGATED = re.compile(r"^(?:do|does|did|am|is|are|can|could|would|will|have|has|was)? ?(?:not|never|no longer)\b|\bno longer\b|^never\b")
TAIL = re.compile(
    r"(?:,.*$|\s+(?:because|since|so|but|when|if|after|before|while|although|though|as|and (?:i|my|we)|anymore|any more|any longer|very much|a lot|the most|too|as well|at all|now|these days|lately|right now|currently|again|more than|over|instead of|rather than|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)|in the (?:morning|evening|afternoon)|at night|for (?:\d+|a|two|three|four|five|many|several|about|over|almost|the)|daily|last (?:week|month|year|spring|summer|fall|winter)|next (?:week|month|year)|yesterday|tomorrow|this (?:week|month|year|summer)|in (?:19|20)\d\d|since)\b.*$)"
)


@dataclass(slots=True)
class Scene:
    """One clause being judged, with the dates in it."""

    clause: Clause
    whens: list[When]
    sentence: str
    today: date

    @property
    def who(self) -> str:
        return self.clause.who

    @property
    def thing(self) -> str:
        return self.clause.thing

    @property
    def said(self) -> str:
        return ADVERBS.sub("", self.clause.said)

    @property
    def full(self) -> str:
        return self.clause.whole

    @property
    def dated(self) -> bool:
        return bool(self.whens)

    @property
    def well_dated(self) -> bool:
        return any(self.sentence[w.begin : w.stop].lower() not in ("today", "tonight", "this morning", "this afternoon", "this evening", "this week") for w in self.whens)

    @property
    def ahead(self) -> bool:
        return any(w.bound == "until" or w.end > w.start for w in self.whens) and self.well_dated

    @property
    def ended(self) -> bool:
        return bool(re.search(r"\bno longer\b|\b(?:not|never)\b.*\b(?:anymore|any more|any longer)\b|^(?:have )?(?:stopped|quit|given up|gave up|left)\b", self.full))

    @property
    def recurring(self) -> bool:
        return bool(FREQUENCY.search(self.full))


Rule = Callable[[Scene], Finding | None]


def judge(scene: Scene) -> Finding | None:
    for rule in RULES:
        found = rule(scene)
        if found is not None:
            return found
    return None


def value(text: str) -> str:
    """The object of a slot out of what follows the verb: without tail clauses and articles."""
    text = TAIL.sub("", text.strip())
    text = re.sub(r"^(?:(?:the|a|an|my|our|any|some|all|most|really|very|eating|drinking|having|to (?:eat|drink|have)) )+", "", text)
    return re.sub(r"\s+", " ", text).strip(" .,!;:'\"")


def attribute(scene: Scene) -> Finding | None:
    """ "My name is", "my daughter's birthday is", "my favorite color is", any "my X is Y"."""
    thing = scene.thing
    if not thing:
        return None
    is_a = re.match(r"^(?:is|are|was|'s|is called|starts?|ends?|has changed to|changed to|is now|falls?|runs?|got moved to|(?:has been|was|got) (?:moved|rescheduled|pushed|postponed) to)\b\s*(?P<value>.*)", scene.said)
    if not is_a or not is_a["value"]:
        return _thing_does(scene)
    if re.match(r"^(?:starts?|ends?|falls?)\b", scene.said) and scene.dated:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    said = re.sub(r"^(?:still|now|actually|currently|definitely|probably|always|usually|also|just) ", "", is_a["value"])
    if MOODS.match(said) and thing not in ATTRIBUTES:
        return None
    negated = said.startswith("not ")
    liked = re.match(r"^(?:absolute |all-time |current |new )?(?:favou?rite|fave|preferred|least favou?rite|go-to|usual)\s+(?P<what>.+)$", thing)
    if liked:
        if thing.startswith("least"):
            return Finding(memory_type="PREFERENCE", slot=one(scene.who, f"least favourite:{liked['what']}"), confidence=0.9)
        if re.match(r"^(?:part|thing about|line|scene|moment|one)\b", liked["what"]):
            return None
        return Finding(memory_type="PREFERENCE", slot=favourite(scene.who, liked["what"]), confidence=0.9)
    if re.fullmatch(r"(?:bed)?room|side of the bed|desk|spot|corner|place|seat|hideout|den|study", thing) and re.search(r"\b(?:room|bedroom|floor|attic|basement|study|den|office|garage|side|corner|master|upstairs|downstairs)\b", said):
        return Finding(memory_type="ALIAS", slot=one(scene.who, f"alias:my {thing}"), confidence=0.85)
    if thing.endswith(" allergy"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "allergy", thing[: -len(" allergy")], negated=bool(re.search(r"\b(?:gone|cured|better|no longer|disappeared)\b", said))), confidence=0.85)
    if thing in ("allergies", "allergy"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "allergy", value(said)), confidence=0.9)
    known = ATTRIBUTES.get(thing)
    if known:
        if known in ("employer", "team", "workplace", "car", "computer", "laptop", "residence", "phone_model") and re.match(r"^(?:not |so |very |too |broken|slow|down|great|good|bad|awful|terrible|being|acting|making|in the shop|dead|stuck)", said):
            return None
        slot = many(scene.who, known, value(said), negated=negated) if known in MANY_VALUED else one(scene.who, known, negated=negated)
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.9)
    if scene.dated and re.match(r"^(?:now )?(?:scheduled|set|booked|moved|rescheduled|postponed|planned)\b", said):
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    if EVENTS.search(thing.split()[-1]) and scene.dated:
        kind = "TASK" if "deadline" in thing else "EVENT"
        return Finding(memory_type=kind, course="task" if kind == "TASK" else "event", confidence=0.85)
    if re.match(r"^due\b", said) and (scene.dated):
        return Finding(memory_type="TASK", course="task", confidence=0.85)
    if scene.recurring and EVENTS.search(thing):
        return Finding(memory_type="HABIT", slot=many(scene.who, "routine", thing))
    last = thing.split()[-1]
    if NOT_ATTRIBUTES.match(last) or NOT_ATTRIBUTES.match(thing) or EMPTY.match(said) or re.match(r"^(?:not )?(?:so|too|very|really|pretty|quite|acting|being|killing|driving me|making|broken|down|great|good|bad|awful|terrible|late|full|gone|missing|slow|hurting|fine|okay|ok|cold|noisy|loud|amazing|awesome|over|done|dead|on fire|a mess|nice|weird|worse|better|stuck|running|crashing|failing|dying|giving|getting)\b", said):
        return None
    if re.match(r"^(?:to|that|how|why|what|whether)\b", said) and not re.search(r"resolution|plan|habit|policy|routine|rule|ambition", thing):
        return None
    kind = "PREFERENCE" if re.search(r"prefer|comfort|policy|style", thing) else "FACT"
    return Finding(memory_type=kind, slot=one(scene.who, thing), confidence=0.75)


def _thing_does(scene: Scene) -> Finding | None:
    """ "My flight leaves on Friday", "our team meets every Monday", "my lease expires in September"."""
    if re.match(r"^(?:leaves?|arrives?|expires?|opens?|closes?|meets?|takes? place|begins?|comes?|goes|renews?|lands?|departs?|delivers?|runs out|needs?|has|have|uses?)\b", scene.said):
        if scene.recurring:
            return Finding(memory_type="HABIT")
        if scene.dated and scene.well_dated and re.match(r"^(?:leaves?|arrives?|expires?|begins?|takes? place|renews?|lands?|departs?|opens?)", scene.said):
            return Finding(memory_type="EVENT", course="event")
        if re.match(r"^(?:uses?)\b", scene.said) and re.search(r"team|company|office|school", scene.thing):
            return Finding(memory_type="FACT", slot=many(scene.who, f"{scene.thing} uses", value(scene.said.split(" ", 1)[1])))
    return None


def identity(scene: Scene) -> Finding | None:
    """ "I am …", "she is …"."""
    if scene.thing:
        return None
    found = re.match(r"^(?:am|is|are|'m|have been|has been|was|became|have become)\s+(?P<rest>.+)$", scene.said)
    if not found:
        return None
    rest = re.sub(r"^(?:(?:still|now|currently|also|actually|already|officially|really|just|originally|basically|definitely) )+", "", found["rest"])
    past = scene.said.startswith("was ")
    negated = bool(re.match(r"^(?:not|no longer|never)\b", rest))
    rest = re.sub(r"^(?:not|no longer|never) (?:a |an |really |actually )?", "", rest).strip() if negated else rest
    who = scene.who
    if MOODS.match(rest) and not re.match(r"^(?:at|in|on) (?:home|work)", rest) or re.match(r"^(?:the one|someone|a (?:bit|little|mess|huge problem))\b", rest):
        return None
    if re.search(r"\ballergic to\b", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "allergy", value(re.split(r"allergic to ", rest, maxsplit=1)[1]), negated=negated), confidence=0.9)
    if who != USER and re.match(r"^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2} and \d{1,2})(?: now| already)?$", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.85)
    if re.match(r"^(?:\d{1,2}|twenty|thirty|forty|fifty|sixty|eighteen|nineteen)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?: (?:years?|yrs?|months?)(?: |-)old)?(?:$| this| now| and|,)|^in (?:my|his|her) (?:early |mid|late )?-?(?:teens|twenties|thirties|forties|fifties|sixties|\d0s)", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.9)
    if re.match(r"^\d{3} ?(?:cm|centimeters)|^\d['’] ?\d|^\d (?:feet|foot|ft)", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "height"), confidence=0.85)
    if re.match(r"^(?:originally )?from\b", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "hometown"), confidence=0.85)
    if re.match(r"^(?:living|based|located|residing|settled)\b (?:in|at|near|out of|with)", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "residence", negated=negated), ends=scene.ended, confidence=0.9)
    if re.match(r"^born\b", rest):
        place = re.search(r"\bin (?!19|20|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", rest)
        return Finding(memory_type="PROFILE", slot=one(who, "hometown" if place and not scene.dated else "birthday"), confidence=0.85)
    if re.match(r"^(?:married|engaged|divorced|single|widowed|separated)\b", rest) and not past:
        return Finding(memory_type="PROFILE", slot=one(who, "marital_status", negated=negated), confidence=0.9)
    if re.match(r"^(?:(?:a|an|strictly|mostly) )*(?:vegetarian|vegan|pescatarian|flexitarian|keto|halal|kosher|gluten-?free|on a (?:diet|keto|low[- ]carb|vegan|gluten))", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "diet", negated=negated), ends=scene.ended, confidence=0.9)
    if NATIONS.match(value(rest)):
        return Finding(memory_type="PROFILE", slot=one(who, "nationality", negated=negated), confidence=0.85)
    if scene.dated and re.match(r"^due\b", rest):
        return Finding(memory_type="EVENT", course="event")
    if re.match(r"^(?:[\w-]+ (?:months?|weeks?) )?(?:pregnant|sober|along)\b", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", rest.split(" ", 3)[-1] if "pregnant" not in rest else "pregnant", negated=negated), confidence=0.85)
    if TRAITS.match(rest):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated), confidence=0.9)
    if re.match(r"^[ei][ns][tf][jp]\b|^an? [ei][ns][tf][jp]\b", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "mbti"), confidence=0.9)
    liked = re.match(r"^(?:(?:a )?(?:huge |big |massive |die-hard |lifelong |real |much of a )?(?:fan|lover|fanatic) of|(?:really |very |super )?into|fond of|obsessed with|crazy about|keen on|passionate about|interested in|hooked on|partial to|addicted to)\s+(?P<what>.+)", rest)
    if liked and not EMPTY.match(liked["what"]):
        return Finding(memory_type="PREFERENCE", slot=many(who, "likes", value(liked["what"]), negated=negated), confidence=0.85)
    fan = re.match(r"^an? (?:huge |big |massive |die-hard |lifelong )?(?P<what>[\w ]+?) (?:fan|lover|enthusiast|buff|nerd|geek|addict|junkie|person|snob)\b", rest)
    if fan and not re.match(r"^(?:good|bad|nice|people|busy)$", fan["what"]):
        return Finding(memory_type="PREFERENCE", slot=many(who, "likes", fan["what"], negated=negated))
    if re.match(r"^(?:afraid|scared|terrified) of ", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "fears", value(rest.split(" of ", 1)[1]))) if not EMPTY.match(rest.split(" of ", 1)[1]) else None
    if re.match(r"^(?:fluent|good|great|bad|terrible|excellent) (?:in|at) ", rest) and not re.match(r"^.*(?:this|that)\b", rest):
        return Finding(memory_type="FACT", slot=many(who, "skill", value(re.split(r" (?:in|at) ", rest, maxsplit=1)[1]), negated=negated or rest.startswith(("bad", "terrible"))))
    if re.match(r"^(?:working|employed)\b", rest):
        return _work(scene, "work" + rest[rest.index(" ") :] if " " in rest else "work", negated)
    if re.match(r"^(?:away|abroad|out of town|on vacation|on leave|on a business trip|in [a-z]+)\b", rest) and any(w.bound == "until" or w.precision in ("week", "range", "month") for w in scene.whens):
        return Finding(memory_type="FACT")
    if re.match(r"^on (?:[\w-]+ ){0,3}(?:medication|meds|pills|inhalers?|antibiotics|insulin|parental leave|maternity leave|paternity leave|sabbatical|a visa|the pill|blood thinners|antidepressants|statins|the \w+ (?:team|committee|board))", rest):
        return Finding(memory_type="FACT")
    if re.match(r"^(?:learning|studying|training|preparing|working towards?|saving (?:up )?for|reading|writing|building|taking|trying to|working on|renovating|planning|practicing|teaching|raising|caring for|taking care of|remodeling|restoring|developing|launching|looking for a|applying (?:to|for)|recovering from|cutting (?:back|down|out)|dating|seeing a|running a|doing (?:a|my|an)|pursuing|getting (?:married|divorced|a|my|into|ready for a)|expecting|house hunting|job hunting|switching|moving|going|flying|traveling|travelling|visiting|having|meeting|presenting|starting|leaving|attending|hosting|volunteering|seeing|speaking|heading|taking the|buying|selling|homeschooling|fostering|growing|organizing|interviewing|competing|retiring|joining|coaching|mentoring|staying|returning|coming|celebrating|driving|throwing|giving a|doing the|submitting|hiking|camping|running|playing|performing|swimming|defending|quitting|closing on)\b", rest) and not negated:
        return _doing(scene, rest)
    job = JOBS.search(rest)
    if job and not past and re.match(r"^(?:an?|the|our|one of|co-|senior|junior|head|lead|chief|vice|cto|ceo|cfo|coo|vp|retired|unemployed|self-employed|currently|in charge|director|president|manager|professor|student|engineer|head of)\b", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "occupation", negated=negated), ends=scene.ended, confidence=0.9)
    if FREQUENCY.search(scene.full) and re.match(r"^(?:always|usually|generally|normally|typically|often|never|up|awake|asleep|in bed|at|in|out|on) ?(?:in|at|up|on|out|awake|asleep|by|before|until|off)?\b", rest) and not MOODS.match(re.sub(r"^(?:always|usually|often) ", "", rest)):
        return Finding(memory_type="HABIT")
    if re.match(r"^in (?:the (?:army|navy|air force|marines|military|reserves|hospital|choir|orchestra|hr|sales|marketing|finance|process of|\w+ (?:department|team|business|industry|grade|band|club))|(?:\w+ )?(?:college|university|high school|middle school|grad school|law school|med school|medical school|elementary school|kindergarten|preschool|prison|rehab|therapy|remission|recovery|sales|hr|marketing|finance|tech)|(?:my|his|her|their) (?:\w+ year|final year|last year|first year|junior year|senior year)|a (?:band|choir|wheelchair|relationship|long-distance relationship|nursing home|book club|league|\w+ club|\w+ league))\b", rest):
        return Finding(memory_type="FACT" if who != USER else "PROFILE", slot=None)
    if re.match(r"^in charge of|^responsible for", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "responsibility", value(re.split(r" (?:of|for) ", rest, maxsplit=1)[1])))
    if re.match(r"^(?:a|an) (?:member|volunteer|alum\w*|graduate|resident|native|citizen|parent|subscriber|vet|[\w-]+ (?:major|minor|alum|graduate|citizen|resident|speaker|learner|instructor|member|player|runner|cyclist|eater|sleeper|driver|drinker|reader|gamer|collector|worker))\b", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated))
    if who == USER and not negated and re.match(r"^(?:am|'m) [A-Z][a-z]+(?: [A-Z][a-z]+)?$", re.sub(r"^'m", "'m", scene.clause.original.strip(" .,!"))) and not NATIONS.match(rest):
        return Finding(memory_type="PROFILE", slot=one(USER, "name"), confidence=0.85)
    if re.match(r"^(?:an?) (?!bit|little|lot|mess|problem|pain|huge|joke|big (?:deal|problem|mistake)|good (?:idea|question|point)|great (?:idea|question|point)|bad idea|nice|few|while|minute|second|disaster|nightmare|shame|pity|genius|idiot|moron|fool|great (?:help|day)|good (?:day|boy|girl|person)|bad (?:day|person)|lovely|wonderful|terrible|horrible|beautiful|cute|funny|sweet|kind|total|complete|wreck|way|step|place|part|result|thing)[\w-]+", rest) and not re.search(r"\b(?:lol|haha|sometimes|today|right now|this|that|you|your)\b", rest) and not past:
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated), confidence=0.65)
    if re.match(r"^(?:my|our) (?:older |younger |best |little |big |new |ex-?)?(?P<r>\w[\w-]*)$", rest) and who != USER:
        return Finding(memory_type="PROFILE", slot=one(who, "relation"))
    return None


def _doing(scene: Scene, rest: str) -> Finding | None:
    """Present participles: with a date ahead they are plans, the lasting ones are under way now."""
    if re.match(r"^(?:going|flying|traveling|travelling|heading|moving) to\b", rest) and re.search(r"\bfor (?:my|our|a|the) (?:[\w']+ )?(?:vacation|holiday|honeymoon|trip|wedding|conference|internship|semester|job|reunion|birthday|anniversary)", rest):
        return Finding(memory_type="EVENT", course="event", confidence=0.75)
    future = any(w.start.date() > scene.today for w in scene.whens)
    if future and scene.well_dated:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    lasting = re.match(
        r"^(?:learning|studying|training for|training to|preparing|working towards?|hoping to adopt|saving|writing (?:a|my)|building (?:a|an|my)|taking (?:a|an|\w+ (?:lessons|classes|course))|trying to (?!find|understand|figure|fix|get (?!in|fit|better|pregnant)|solve|use|make|open|install|log|connect|do|see|say|remember|decide|be|access|download|reach|help|debug|run|work|explain|write|think|set|read|send|print)\w+|working on (?:a|my|an)|renovating|planning (?:a|my|our|to)|practicing|teaching|raising|caring|taking care|remodeling|restoring|developing|looking for a (?:new )?(?:job|house|apartment|place|roommate|nanny|tutor)|applying|recovering|cutting|dating|seeing a (?:therapist|dietitian)|running a|doing (?:a|my|an) (?:phd|master|degree|mba|internship|course)|pursuing|getting (?:married|divorced)|expecting|house hunting|job hunting|reading|volunteering|homeschooling|fostering|growing|coaching|mentoring|switching to|moving to)\b",
        rest,
    )
    if not lasting or re.search(r"\b(?:this (?:error|bug|issue|code|question|task|function|problem|essay|sentence)|right now)\b", rest):
        return None
    if re.match(r"^(?:planning to|getting married|expecting|moving to)", rest):
        return Finding(memory_type="EVENT", course="event")
    what = value(re.sub(r"^(?:learning|studying|training for|preparing for|saving (?:up )?for|taking|practicing|teaching|reading|working on)\s+", "", rest))
    return Finding(memory_type="HABIT" if scene.recurring else "FACT", slot=many(scene.who, "does", what))


def liking(scene: Scene) -> Finding | None:
    said = scene.said
    over = re.match(r"^would (?:always )?(?:take|choose|pick) (?P<what>.+?) over (?P<other>.+)$", said)
    if over:
        return Finding(memory_type="PREFERENCE", slot=preferred(scene.who, value(over["what"])))
    wants = re.match(r"^would (?P<not>not )?(?P<verb>like|prefer|rather|love|appreciate)(?P<not2> not)? (?P<what>.+)$", said)
    if wants:
        return _would(scene, wants)
    found = re.match(r"^(?P<not>(?:do|does) (?:not|never) |never |no longer |can not |could never )?(?:really |particularly |much |even |actually |especially |usually |always |generally |still )*(?P<verb>like|likes|love|loves|enjoy|enjoys|prefer|prefers|adore|adores|hate|hates|dislike|dislikes|detest|detests|loathe|loathes|stand|bear|tolerate|care for|cares for|am not a fan of|mind|minds)\s+(?P<what>.+)$", said)
    if not found or scene.thing:
        return None
    what = found["what"]
    verb = found["verb"]
    if verb in ("stand", "bear", "tolerate") and not (found["not"] or "").startswith(("can", "could")) or verb.startswith("mind"):
        return None
    what = re.sub(r"^it when (?!you)", "when ", what)
    if EMPTY.match(what) or re.search(r"\byou\b(?!r? know)", what) and not re.search(r"when you|you to|your (?:answers|replies|responses)", what) or re.match(r"^(?:if|that)\b", what) and "when you" not in what:
        return None
    disliked = verb.startswith(("hate", "dislike", "detest", "loathe", "stand", "bear", "tolerate"))
    negated = disliked if verb in ("stand", "bear", "tolerate") else disliked != bool(found["not"])
    target = value(re.sub(r"^to ", "", what))
    if not target:
        return None
    if re.search(r"\b(?:answers?|replies|responses?|explanations?|when you|you to|your)\b", what):
        return Finding(memory_type="RULE", slot=many(scene.who, "rule:answers", target, negated=negated))
    compared = verb.startswith("prefer") or re.search(r"\b(?:more than|over|better than)\b", what)
    slot = preferred(scene.who, value(re.split(r" (?:over|to|rather than|more than|instead of) ", target)[0])) if compared and not negated else many(scene.who, "likes", target, negated=negated)
    return Finding(memory_type="PREFERENCE", slot=slot, ends=scene.ended, confidence=0.9)


def _would(scene: Scene, wants: re.Match[str]) -> Finding | None:
    """Wishes are no facts, but "I would not like calls before 9" and "I'd prefer short answers" are rules."""
    what = wants["what"]
    negated = bool(wants["not"] or wants["not2"])
    conduct = re.search(r"\b(?:answers?|repl(?:y|ies)|responses?|calls?|meetings?|emails?|texts?|notifications?|messages?|reminders?|you to|you (?:not|always|never|would|did)|summar(?:y|ies)|bullet|emojis?|be (?:called|contacted|disturbed|addressed))\b", what)
    if not conduct or re.match(r"^(?:to (?:know|see|book|make|order|schedule|send|call|write|ask)\b(?! me))", what) or re.search(r"\byou to (?!always|never|call me|use|keep|answer|respond|reply|speak|be|address|avoid|stop)", what):
        return None
    if re.search(r"\b(?:this|today|tomorrow|now)\b", what) and not re.search(r"from now on|always|never", scene.full):
        return None
    return Finding(memory_type="RULE", slot=many(scene.who, "rule:conduct", value(what), negated=negated), confidence=0.85)


def eating(scene: Scene) -> Finding | None:
    found = re.match(r"^(?P<lead>(?:have )?(?:started|began|begun) |(?:do|does|can|could|will) (?:not|never) |never |no longer |can only |only |have (?:stopped|quit|given up) |stopped |quit |gave up |am off |have not (?:eaten|had|drunk|touched|smoked) |(?:am|is) not (?:eating|drinking|smoking) |avoid |avoids |am (?:eating|drinking) |can )?(?:really |usually |always |ever |often |even |eat(?:ing)? or |touch or )*(?P<verb>eat|eats|eating|drink|drinks|drinking|have|smoke|smokes|smoking|vape|consume|consuming|touch|tolerate|handle|digest|take|takes|taking|cook|cooks)?\b ?(?P<what>.*)$", scene.said)
    if not found or scene.thing:
        return None
    lead, verb, what = (found["lead"] or "").strip(), found["verb"] or "", found["what"]
    if re.match(r"^(?:can )?only\b", scene.clause.said):
        lead = "only"
    begun = re.match(r"^(?:have )?(?:started|began|begun) (?P<v>eating|drinking|smoking) (?P<w>.+)$", scene.said)
    if begun and not EMPTY.match(begun["w"]):
        return Finding(memory_type="HABIT", slot=many(scene.who, {"e": "eats", "d": "drinks", "s": "smokes"}[begun["v"][0]], value(begun["w"])), course="event")
    if verb == "" and lead not in ("quit", "gave up", "have given up", "have quit", "am off", "avoid", "avoids", "stopped") and not lead.startswith("have not"):
        return None
    kind = {"eat": "eats", "drin": "drinks", "smok": "smokes", "vape": "smokes", "cons": "eats", "touc": "eats", "dige": "eats", "hand": "eats", "take": "takes", "taki": "takes"}.get(verb[:4], "")
    target = value(what)
    if verb.startswith(("smok", "vape")) and not target:
        target = "cigarettes"
    if verb.startswith("drink") and not target:
        target = "alcohol"
    stopping = lead in ("quit", "gave up", "stopped", "have quit", "have given up", "have stopped")
    if stopping and not verb:
        habit = re.match(r"^(?:my job|work|the|school|college|university|trying|by|here|at|in)\b", target)
        if habit or not target:
            return None
        kind = "smokes" if "smok" in target or "cigar" in target else "drinks" if re.search(r"coffee|alcohol|drink|beer|wine|soda|caffeine", target) else "eats" if lead not in ("stopped",) and not target.endswith("ing") else "does"
        return Finding(memory_type="HABIT", slot=many(scene.who, kind, target, negated=True), ends=True, course="event", confidence=0.85)
    negative = bool(re.search(r"\b(?:not|never|no longer|avoid|avoids|off)\b", lead)) or stopping
    if verb in ("have", "take", "takes", "taking", "cook", "cooks", "handle", "tolerate", "touch") and not negative and not scene.recurring and verb not in ("take", "takes"):
        return None
    if verb == "have" and (not scene.recurring or not re.match(r"^(?:a |an |my |some |two |\d )?(?:\w+ ){0,2}(?:beer|coffee|tea|wine|smoothie|breakfast|lunch|dinner|salad|snack|drink|cup|glass|bowl|oatmeal|toast|eggs?|fruit|yogurt|soup|cereal|espresso|latte|meal|sandwich|juice|milk|water|shake)\b", what)):
        return None
    if negative and re.match(r"^(?:anything|after|before|past|at night)", target or what) and re.search(r"\b(?:after|before|past|at night|between)\b", what):
        return Finding(memory_type="HABIT")
    if not target or EMPTY.match(target) or re.match(r"^(?:care|place|time|part|long|notes|lead|a (?:look|break|seat|shower|nap|while|picture|photo)|look|break)\b", what):
        return None
    if verb in ("take", "takes", "taking"):
        medicine = re.search(r"\b(?:mg|pills?|vitamins?|medication|medicine|insulin|supplements?|omega|iron|metformin|aspirin|ibuprofen|lexapro|statins?|probiotics?|melatonin|antihistamines?|thyroxine|levothyroxine|inhaler|prozac|zoloft|adderall|ritalin)\b", what)
        return Finding(memory_type="HABIT", slot=many(scene.who, "takes", target, negated=negative)) if medicine else None
    if verb in ("handle", "tolerate", "touch") and not re.search(r"\b(?:food|spicy|dairy|lactose|gluten|alcohol|caffeine|meat|pork|seafood|heat|milk|sugar|cold|noise)\b", what):
        return None
    kind = kind or "eats"
    if re.search(r"\b(?:coffee|tea|alcohol|beer|wine|soda|milk|caffeine)\b", target) and verb == "":
        kind = "drinks"
    if negative:
        conditional = re.search(r"\b(?:after|before|at night|in the (?:evening|morning)|on (?:mon|tues|wed|thurs|fri|sat|sun|week)|when|if|unless|past \d)\b", scene.full)
        slot = None if conditional and not scene.ended else many(scene.who, kind, target, negated=True)
        return Finding(memory_type="HABIT" if stopping or slot is None else "PREFERENCE", slot=slot, ends=scene.ended, confidence=0.9)
    if scene.recurring or lead in ("only", "can only") or kind == "smokes":
        return Finding(memory_type="HABIT", slot=many(scene.who, kind, target))
    return None


def having(scene: Scene) -> Finding | None:
    found = re.match(r"^(?P<not>do not |does not |never |no longer )?(?:have|has|have got|has got|own|owns|suffer from|suffers from|was diagnosed with|were diagnosed with|have been diagnosed with|struggle with|live with|deal with|keep|keeps|raise|raises|had)\s+(?P<what>.+)$", scene.said)
    if not found or scene.thing or re.match(r"^(?:to|got to|been)\b", found["what"]):
        return None
    what = found["what"]
    negated = bool(found["not"]) or bool(re.match(r"^no ", what))
    what = re.sub(r"^(?:no|any) ", "", what)
    past = scene.said.startswith("had ")
    allergy = re.match(r"^(?:an? )?(?:severe |bad |mild |serious |terrible |slight )*(?:(?P<a>[\w ]+?) allerg(?:y|ies)|allerg(?:y|ies) to (?P<b>.+))", what)
    if allergy:
        return Finding(memory_type="PROFILE", slot=many(scene.who, "allergy", value(re.sub(r"^(?:an?|severe|bad) ", "", allergy["a"] or allergy["b"])), negated=negated), ends=scene.ended, confidence=0.9)
    if CONDITIONS.search(what) and (not past or scene.dated) and not re.search(r"surgery|operation|transplant|biopsy|test|scan", what):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "health", CONDITIONS.search(what)[0], negated=negated), confidence=0.85)  # type: ignore[index]
    if past:
        return None
    head = [w.strip(",.") for w in what.split()[:5]]
    for word in head:
        if word in PETS and not re.search(r"\b(?:food|question|problem)\b", what):
            return Finding(memory_type="PROFILE", slot=many(scene.who, "pet", word.rstrip("s") if word != "pets" else "pet", negated=negated), confidence=0.9)
        if word in CHILDREN:
            return Finding(memory_type="PROFILE", slot=many(scene.who, "family", _single(word), negated=negated), confidence=0.9)
    if re.search(r"\b(?:named|called)\s+\w+", what) or re.search(r"\b(?:retriever|terrier|shepherd|spaniel|bulldog|collie|dachshund|shih tzu|maltese|pomeranian|chihuahua|poodle|siamese|persian|tabby|mutt|rescue (?:dog|cat)|guinea pig)s?\b", what):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "pet", value(re.split(r" (?:named|called) ", what)[0]), negated=negated), confidence=0.85)
    if EVENTS.search(" ".join(head)) and not negated:
        if scene.recurring:
            return Finding(memory_type="HABIT", slot=many(scene.who, "routine", value(what)))
        if scene.dated and scene.well_dated or scene.dated and re.search(r"appointment|interview|exam|surgery", what):
            return Finding(memory_type="EVENT", course="event", confidence=0.85)
        return None
    if scene.said.startswith(("own", "does not own", "do not own")) or re.search(r"\b(?:driver'?s licen[cs]e|licen[cs]e|degree|phd|master'?s|mba|bachelor'?s|visa|green card|passport|citizenship|car|motorcycle|bike|house|condo|apartment|boat|mortgage|tattoo|pilot|certification|garden|cabin|black belt|piano|electric|truck|sweet tooth|green thumb|photographic memory|accent|farm|podcast|blog|youtube channel|newsletter|side business|student loans?|\w+ years of experience|experience (?:in|with)|blood type|type [ab0o])\b", what) and not EMPTY.match(what):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "has", value(what), negated=negated))
    return None


def _single(word: str) -> str:
    return {"children": "child", "kids": "child", "kid": "child", "wives": "wife"}.get(word, word.rstrip("s") if word not in ("twins",) else word)


def living(scene: Scene) -> Finding | None:
    said = scene.said
    if scene.thing:
        return None
    found = re.match(r"^(?P<not>do not |does not |no longer |never )?(?:have |has )?(?:live|lives|reside|resides|lived|been living|been based|stay|stays)\b(?P<rest>.*)$", said)
    if found and not said.startswith("lived"):
        rest = found["rest"].strip()
        if re.match(r"^(?:with|alone|by myself|on my own|together)", rest):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "lives_with", negated=bool(found["not"])), confidence=0.85)
        if re.match(r"^(?:in|at|near|on|close|outside|by|around|just|out|across|here|within|about)\b", rest) and not re.match(r"^(?:in (?:the moment|fear|peace|a simulation|hope))", rest) and not said.startswith(("stay up", "stay at home today")):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "residence", negated=bool(found["not"])), ends=scene.ended, confidence=0.9)
        return None
    if re.match(r"^(?:used to live|lived|grew up|was raised|was born and raised)\b", said):
        if re.match(r"^(?:grew up|was raised|was born and)", said):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "hometown"), confidence=0.85)
        return Finding(memory_type="FACT", course="event") if re.search(r"\b(?:in|near|at|with)\b", said) else None
    if re.match(r"^(?:come|comes|hail|hails) from\b", said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "hometown"), confidence=0.85)
    moved = re.match(r"^(?:have |has )?(?:moved|relocated|emigrated|immigrated)\b(?P<rest>.*)$", said)
    if moved:
        place = re.search(r"\bto (?P<place>(?:a |an |the )?[\w ,'-]+)", moved["rest"]) or re.search(r"\binto\b", moved["rest"])
        if re.search(r"\bon\b|\bto (?:the next|a new (?:team|role|desk|project))", moved["rest"]) and not scene.dated:
            return None
        if place and not re.search(r"\bto (?:a new (?:apartment|house|place|flat))", moved["rest"]):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "residence"), course="event", confidence=0.9)
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    return None


def working(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    said = scene.said
    negated = bool(NEGATED.search(said))
    plain = re.sub(r"^(?:(?:do|does|am|is|are|have|has) )?(?:not|never|no longer) |^(?:have|has) been |^(?:have|has) ", "", said)
    if re.match(r"^(?:work|works|working|worked)\b", plain):
        if said.startswith("worked"):
            return Finding(memory_type="FACT", course="event") if re.match(r"^worked (?:at|for|as|in)\b", said) else None
        return _work(scene, plain, negated)
    if re.match(r"^(?:left|quit|resigned from|retired from|was laid off from|got laid off from|got fired from|departed)\b", plain) and not negated:
        rest = re.sub(r"^\w+(?: from| off from)? ?", "", plain)
        if re.match(r"^(?:my job|the company|my (?:old |previous |last )?(?:company|position|role|firm)|(?:[A-Z]?\w+)(?:$| (?:last|in|after|this|yesterday|two|to|at|a|and)))", rest) and not re.match(r"^(?:home|early|smoking|drinking|coffee|alcohol|sugar|the (?:house|party|room|office early)|it|him|her|them|work early|gym|for|school early)", rest):
            return Finding(memory_type="EVENT", slot=one(scene.who, "employer", negated=True), ends=True, course="event", confidence=0.85)
    joined = re.match(r"^(?:have |has )?(?:just |recently )?(?:joined|started (?:a new job|working|work)? ?(?:at|for|as|with)|got (?:a|an|my)(?: new)? (?:job|offer|position|role|internship)|accepted (?:a|an|the) (?:job|offer|position|role)|started (?:a|my) new (?:job|role|position)|was hired|got hired|switched jobs|changed jobs)\b(?P<rest>.*)", said)
    if joined:
        rest = said
        if said.startswith(("joined", "have joined")) and re.search(r"\b(?:gym|club|class|band|choir|team (?:chat|call)|call|meeting|group|church|league|discord|slack)\b", said):
            return Finding(memory_type="EVENT", course="event")
        place = re.search(r"\b(?:at|joined|with|for) (?P<at>[\w&' .-]+)", rest)
        if place and not re.match(r"^(?:work|the moment)", place["at"]):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "employer"), course="event", confidence=0.85)
        if re.search(r"\bas (?:a|an|the)\b", rest):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation"), course="event", confidence=0.85)
        return Finding(memory_type="EVENT", course="event")
    if re.match(r"^(?:lead|leads|manage|manages|run|runs|head|heads|oversee|oversees|supervise|supervises|own|owns|founded|co-founded|cofounded|direct|directs)\b (?:a|an|the|our|my|\w+ (?:at|for)|at|two|three|several|\d+|\w+(?: \w+)? (?:team|department|company|business|shop|project|division|group|engineering|marketing|sales|design)|\w+ at)\b", plain) and not re.match(r"^(?:run|runs|own|owns) (?:a (?:mile|marathon|half|5k|10k|car|house|bike|boat|dog|cat|tesla|test|query|script)|an? (?:error|issue|electric)|the (?:code|test|script|dishwasher))", plain):
        slot = one(scene.who, "business") if re.match(r"^(?:own|owns|run|runs|founded|co-?founded) (?:a|an|my|our)", plain) else one(scene.who, "occupation")
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.85)
    if re.match(r"^(?:teach|teaches)\b", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation"), confidence=0.85) if not re.match(r"^teach(?:es)? (?:me|you|him|her|us|them|myself)", plain) else None
    if re.match(r"^(?:study|studies|studied|major|majors|attend|attends|attended|go to|goes to|majored|graduated|minored)\b", plain):
        return _studying(scene, plain, negated)
    if re.match(r"^report(?:s)? to ", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "reports_to"))
    return None


def _work(scene: Scene, plain: str, negated: bool) -> Finding | None:
    rest = re.sub(r"^work(?:s|ing|ed)? ?", "", plain)
    if re.match(r"^(?:on (?:this|it|that|the (?:bug|code|problem|issue|task|essay))|hard|out(?! of)|fine|well|best|great|for me|like)\b", rest):
        return Finding(memory_type="HABIT", slot=many(scene.who, "does", "work out")) if rest.startswith("out") and scene.recurring else None
    if re.match(r"^(?:from home|remotely|nights?|night shifts?|part[- ]time|full[- ]time|freelance|shifts|weekends|late|overtime|the night|\d+ hours|mon)", rest):
        return Finding(memory_type="HABIT" if scene.recurring else "PROFILE", slot=one(scene.who, "work_mode", negated=negated), ends=scene.ended)
    where = re.search(r"\b(?P<prep>at|for|in|with|out of|near) (?P<at>(?:a |an |the )?[\w&'. -]+)", rest)
    role = re.search(r"\bas (?:a|an|the)?\b", rest)
    if where and where["prep"] in ("at", "for", "with") and not re.match(r"^(?:home|night|the moment|least|a while|\d+ years|years|many years|(?:over |about |almost )?(?:a (?:year|month|week|long|few|couple|decade|while)|(?:two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty) (?:years|months|weeks|decades)))\b", where["at"]):
        place = value(where["at"])
        area = place.split()[-1] in PLACES if place else False
        return Finding(memory_type="PROFILE", slot=one(scene.who, "workplace" if area else "employer", negated=negated), ends=scene.ended, confidence=0.9)
    if where and where["prep"] in ("in", "near", "out of"):
        field = re.match(r"^in (?:it|tech|finance|marketing|sales|hr|healthcare|education|advertising|construction|hospitality|logistics|real estate|publishing|insurance|software|retail|law|consulting|biotech|design|fashion|film|gaming|banking|customer \w+|human resources|public relations|data|research|accounting|engineering|product|the \w+ (?:industry|sector|field|department))\b", rest)
        return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation" if field else "workplace", negated=negated), ends=scene.ended, confidence=0.9)
    if role:
        return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation", negated=negated), ends=scene.ended, confidence=0.9)
    if negated and (not rest or re.match(r"^(?:there|here|anymore)", rest)) and scene.ended:
        return Finding(memory_type="PROFILE", slot=one(scene.who, "employer", negated=True), ends=True)
    if scene.recurring or (re.match(r"^on (?:mon|tue|wed|thu|fri|sat|sun|week)", rest)):
        return Finding(memory_type="HABIT")
    return None


def _studying(scene: Scene, plain: str, negated: bool) -> Finding | None:
    if re.match(r"^graduated", plain):
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    if re.match(r"^(?:major|majors|majored|minored) in", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "major"), confidence=0.9)
    if re.match(r"^(?:studied|attended)\b", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "major"), course="event") if re.search(r"\b(?:at|in)\b|university|college|school", plain) else None
    if re.match(r"^(?:study|studies) (?:at|in) ", plain) or re.search(r"\b(?:university|college|school|academy|institute|kindergarten|high school)\b", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "school", negated=negated), ends=scene.ended, confidence=0.85)
    if re.match(r"^(?:study|studies) ", plain) and not scene.recurring:
        return Finding(memory_type="PROFILE", slot=one(scene.who, "major")) if not EMPTY.match(plain.split(" ", 1)[1]) else None
    return None


def agreement(scene: Scene) -> Finding | None:
    if re.match(r"^(?:have |has |had )?(?:agreed|promised|decided|settled on|committed to|chose to|made a deal|shook hands|resolved|made a pact|arranged)\b", scene.said) and not scene.thing:
        if re.match(r"^(?:have )?agreed with (?:you|that|this)", scene.said):
            return None
        return Finding(memory_type="AGREEMENT", course="event", confidence=0.85)
    return None


def duty(scene: Scene) -> Finding | None:
    found = re.match(r"^(?:(?:really|still|also) )?(?:need to|needs to|have to|has to|must|have got to|got to|gotta|ought to|should|am supposed to|is supposed to|am required to|have until|need|am due to|am scheduled to|is scheduled to)\b\s*(?P<what>.+)$", scene.said)
    if not found or scene.thing or scene.who != USER:
        return None
    what = found["what"]
    if re.match(r"^(?:know|ask|go now|say|admit|be honest|understand|think|your|help|some help|to know|a (?:quick|favor|hand|second|recipe|list|summary|name|way|idea|break|coffee|drink|nap)|you|an? (?:answer|example|idea)|it|this|that|more (?:info|time|details)|have a|advice|sleep|rest|eat something|run\b|stop|see (?:this|it)|figure|find out)\b", what):
        return None
    if scene.dated and (scene.well_dated or any(w.bound == "until" for w in scene.whens)):
        return Finding(memory_type="TASK", course="task", confidence=0.85)
    if scene.recurring:
        return Finding(memory_type="HABIT")
    strong = re.match(r"^(?:(?:finish|submit|renew|book|pay|return|call|buy|pick up|schedule|file|send|prepare|complete|register|cancel|apply|fix|replace|order|mail|sign|write|update|review|deliver|clean|repair|turn in|drop off|hand in|find (?:a|an)|get my|follow up|reschedule|cut|lose|avoid|wear|take|see a|visit|refinance|hire|plan|organize|move|switch|study for|learn)\b)", what)
    if strong and not scene.said.startswith("should") and not scene.said.startswith("need ") or strong and scene.said.startswith("need to"):
        return Finding(memory_type="TASK", course="task", confidence=0.7)
    return None


def plan(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(r"^(?:am|is|are) (?:going|planning|hoping|set|about|looking forward) to\s+(?P<what>.+)$|^(?:will|plan to|plans to|intend to|hope to|want to|wants to|aim to|have (?:decided|booked|scheduled|planned|signed up|registered)|am booked|is getting|am getting|leave|leaves|fly|flies|start|starts|graduate|graduates|turn|turns|depart|arrive|retire|move)\b\s*(?P<what2>.*)$", scene.said)
    if not found:
        return None
    what = found["what"] or found["what2"] or ""
    if re.match(r"^(?:not |be (?:back|here|there|honest|fine|ok|late)|ask|try|see|check|let you|need|know|say|go (?:ahead|with|now)|take (?:it|that|a look)|think|use|do (?:it|that|this)|tell|talk|call you|get back|sleep|bed|eat|stop|never know|assume)\b", what):
        return None
    wishful = scene.said.startswith(("want", "hope", "am hoping"))
    if scene.dated and scene.well_dated and (not wishful or any(w.precision in ("day", "month", "year", "week", "season") for w in scene.whens)):
        return Finding(memory_type="EVENT", course="event", confidence=0.6 if wishful else 0.85)
    if re.match(r"^(?:will|am going to|am planning to|plan to|plans to|intend to|is planning to) (?:be )?(?:move|moving|marry|get married|getting married|have a baby|retire|quit|start a|open a|study abroad|propose|buy a (?:house|car)|adopt|apply|run a marathon|visit|travel|take a|switch)\b", scene.said):
        return Finding(memory_type="EVENT", course="event", confidence=0.7)
    return None


def happened(scene: Scene) -> Finding | None:
    said = re.sub(r"^(?:have|has) (?:just |recently |finally |already |now )?(?=\w+(?:ed|t|d|n|en)\b)", "", scene.said)
    if scene.thing or NEGATED.search(scene.said) or re.match(r"^(?:would|could|should|might|may)\b", scene.said):
        return None
    if LIFE_VERBS.match(said) and not re.search(r"\b(?:error|bug|code|message|email (?:from|that)|idea|joke)\b", said):
        if re.match(r"^(?:won|bought|gave up|became|lost|published|started|joined)\b", said) and re.search(r"^(?:\w+) (?:it|that|this|out|something|some|the (?:game|lottery joke)|trying|to|over|a coffee|coffee|lunch|milk|groceries|a (?:snack|sandwich|drink))\b", said) and not scene.well_dated:
            return None
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    if scene.dated and scene.well_dated and DATED_VERBS.match(said):
        if re.match(r"^(?:had|got|went|did|took|saw|ate|made) (?:to bed|a (?:bad|great|good|long|rough|nice|terrible|weird|headache|lot|strange|busy)|some|it|that|this|nothing|no |so |too |home|sick|back to sleep|up|lost|wet|a nap|tired|pizza|lunch|breakfast|coffee|fun|the worst)\b", said):
            return None
        return Finding(memory_type="EVENT", course="event")
    return None


def skill(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(r"^(?:can |am able to |know how to |knows how to |used to )?(?P<verb>speak|speaks|play|plays|code|codes|program|swim|juggle|knit|sew|dance|sing|ski|surf|skate|type|drive|cook|draw|paint|ride)\b ?(?P<what>.*)$", scene.said)
    able = re.match(r"^(?:can|am able to|know how to|knows how to)\b", scene.said)
    if found and (able or found["verb"].startswith(("speak", "play"))) and not scene.dated:
        if found["verb"].startswith("speak") and re.match(r"^(?:to|with|of|about|now)\b", found["what"]) or EMPTY.match(found["what"] or "x"):
            return None
        if scene.recurring and not able:
            return None
        if found["verb"].startswith("play") and re.match(r"^(?:a role|with|it|around|dumb)", found["what"]):
            return None
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", f"{found['verb'].rstrip('s')} {value(found['what'])}".strip()))
    barely = re.match(r"^can (?:barely|hardly|only|not really) (?P<what>(?:see|hear|walk|swim|run|read|lift|bend|cook|eat|drink|sleep|speak|move|smell|taste)\b.*)$", scene.said)
    if barely and not re.search(r"\b(?:you|this|today|right now|tonight|it)\b", barely["what"]):
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value(barely["what"]), negated=True))
    unable = re.match(r"^(?:can not|do not know how to|does not know how to|am not able to|am unable to|never learned to|could never)\s+(?P<what>.+)$", scene.said)
    if unable and not BLANK_CANNOT.match(unable["what"]) and not re.search(r"\b(?:this|today|right now|anymore because|your|you)\b", unable["what"]):
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value(unable["what"]), negated=True))
    return None


def using(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(r"^(?P<verb>use|uses|drive|drives|ride|rides|wear|wears|commute|commutes|subscribe|subscribes|collect|collects|volunteer|volunteers|practice|practices|follow|follows|support|supports|take the|takes the|bike to|walk to|carry|carries|listen to|code in|program in|write in|switched to|bank with|am using|invest in|root for|grow|grows|host|hosts|foster|coach|coaches|sing in|play for|belong to|weigh|weighs|measure|wake up|wakes up|get up|go to bed|go to sleep|fall asleep|sleep|follow a|do)\b ?(?P<what>.+)$", scene.said)
    if not found or EMPTY.match(found["what"]) or re.match(r"^(?:a (?:lot|bit)|up on|through|out|your)\b", found["what"]):
        return None
    verb = found["verb"]
    if verb in ("do", "sleep", "wake up", "wakes up", "get up", "go to bed", "go to sleep", "fall asleep") and not (scene.recurring or re.match(r"^(?:at|around|early|late|by|on my) ?", found["what"]) and verb != "do"):
        return None
    attribute_name = {"driv": "car", "weig": "weight", "comm": "commute", "take": "commute"}.get(verb[:4])
    slot = one(scene.who, attribute_name) if attribute_name else many(scene.who, "uses" if verb.startswith(("use", "am using", "switched")) else "does", value(found["what"]))
    if verb in ("wake up", "wakes up", "get up", "go to bed", "go to sleep", "fall asleep", "sleep"):
        slot = one(scene.who, "wake_time" if "up" in verb else "sleep_time")
    return Finding(memory_type="HABIT" if scene.recurring or attribute_name == "commute" else "FACT", slot=slot)


def activity(said: str) -> str:
    """What is done, however the verb is: "go to the gym", "do yoga", "play tennis" → gym, yoga, tennis."""
    bare = re.sub(r"^(?:(?:always|usually|often|never|ever|regularly) )*(?:do|does|doing|go|goes|going|play|plays|playing|practice|practices|practicing|attend|attends|attending|take|takes|taking|have|having)\b ?(?:to )?(?:the |my |a |an |some )?", "", said)
    return value(bare) or value(said)


def habit(scene: Scene) -> Finding | None:
    if scene.thing or not scene.recurring or EMOTIVE_VERBS.match(scene.said) or re.match(r"^(?:am|is|are|was|were|would|could|should|might|may|will|can|want|need|did|had)\b(?! to bed)", scene.said):
        return None
    verb = re.match(r"^(?P<not>do not |does not |never )?(?P<verb>[a-z]+)\b", scene.said)
    if not verb or verb["verb"].endswith("ed") and verb["verb"] not in ("need", "feed") or verb["verb"] in ("went", "got", "saw", "made", "took", "ate", "came", "the", "a", "to", "and", "it", "that", "have", "has", "said", "told"):
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", activity(re.sub(r"^(?:do not|does not|never) ", "", scene.said)), negated=bool(verb["not"])), ends=scene.ended)


def never(scene: Scene) -> Finding | None:
    """ "I never skip breakfast"."""
    found = re.match(r"^(?:have )?never (?P<what>(?!mind|know|knew|thought|said|heard|seen|saw|understood|understand|been able|mention|asked|told|want|felt|got)[a-z].+)$", scene.clause.said)
    if not found or scene.thing or scene.dated or EMPTY.match(found["what"].split(" ", 1)[-1]):
        return None
    return Finding(memory_type="FACT" if scene.clause.said.startswith("have") else "HABIT", slot=many(scene.who, "does", value(found["what"]), negated=True), confidence=0.75)


def stopped(scene: Scene) -> Finding | None:
    if scene.thing or not scene.ended:
        return None
    found = re.match(r"^(?:do not |does not |never |no longer |am no longer |am not |is no longer |have stopped |stopped |have quit |quit |used to )(?P<what>[a-z].+)$", scene.said)
    if not found or EMOTIVE_VERBS.match(found["what"]) or EMPTY.match(found["what"]) or MOODS.match(found["what"]):
        return None
    target = re.sub(r"\b(?:anymore|any more|any longer)\b", "", found["what"])
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", activity(target.strip()), negated=True), ends=True)


def called(scene: Scene) -> Finding | None:
    """ "I go by Sam", "people call me Jay", "when I say HQ I mean the Mapo office"."""
    if re.match(r"^(?:go by|goes by|am called|am known as|am named)\b", scene.said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "called"), confidence=0.9)
    found = re.match(r"^(?:call|calls|refer to|nicknamed?)\s+(?P<what>.+?)\s+(?:as\s+)?(?:['\"“].+|\"?the .+|\"?[a-z]+\"?)$", scene.said)
    if found and not re.match(r"^(?:you|me|him|her|it (?:a|quits)|the (?:police|doctor)|my (?:mom|dad|mother|father|parents) (?:every|on|at))", found["what"]) and re.search(r"['\"“]|\bmy\b|\bour\b", scene.said):
        return Finding(memory_type="ALIAS", slot=one(scene.who, f"alias:{value(found['what'])}"), confidence=0.85)
    return None


ACTIVE = re.compile(
    r"^(?:do not |does not )?(?:make|makes|shop|shops|bake|bakes|cook|cooks|pray|prays|fast|fasts|snore|snores|garden|gardens|paint|paints|dance|dances|sing|sings|invest|invests|donate|donates|tutor|tutors|mentor|mentors|babysit|babysits|nap|naps|gamble|gambles|meditate|meditates|journal|journals|"
    r"sew|sews|knit|knits|brew|brews|roast|roasts|hunt|hunts|fish|fishes|camp|camps|hike|hikes|climb|climbs|run|runs|swim|swims|box|boxes|lift|lifts|stretch|stretches|jog|jogs|cycle|cycles|skate|skates|ski|skis|surf|surfs|sail|sails|golf|golfs|bowl|bowls|travel|travels|blog|blogs|stream|streams|"
    r"compost|recycle|carpool|rent|rents|lease|leases|pay|pays|vote|votes|tip|snack|skip|skips|keep|keeps|breed|breeds|raise|raises|build|builds|repair|repairs|restore|restores|trade|trades|sell|sells|design|designs|edit|edits|translate|translates|write|writes|photograph|shoot|shoots|compose|perform|performs|"
    r"budget|save|saves|tithe|read|reads|watch|watches|listen|bank|banks|store|stores|wear|wears|bleed|bruise|sunburn|get carsick|gets carsick|get seasick|get motion sick|get migraines|get hay fever|have trouble sleeping|struggle with)\b ?(?P<what>.*)$"
)


def active(scene: Scene) -> Finding | None:
    """A plain present statement of what somebody does: "I shop at Costco", "I bake my own bread"."""
    found = ACTIVE.match(scene.said)
    if not found or scene.thing or scene.dated or not scene.who or re.search(r"\b(?:this|that|these|it|you|your|right now|today|something|up with|sense|sure|a (?:mistake|decision|point|difference)|out of|for now|track|in mind|going|getting|saying|asking|having|happening)\b", found["what"]):
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", activity(re.sub(r"^(?:do|does) not ", "", scene.said)), negated=bool(NEGATED.search(scene.said))), confidence=0.65)


DEICTIC = re.compile(
    r"\b(?:this|that|these|those|it|you|your|yours|here|there|now|today|tonight|question|error|bug|code|file|link|page|answer|example|problem|issue|idea|sentence|word|help|moment|right away|something|anything|someone|result|message|request|output|function|screen|lol|haha|again)\b"
)
NOT_LASTING = re.compile(
    r"^(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|would|will|shall|should|may|might|must|need|needs|want|wants|seem|seems|look|looks|sound|sounds|went|got|saw|made|took|ate|came|said|told|met|ran|won|lost|left|quit|found|thought|knew|felt|gave|kept|put|read|cut|hit|let|set|hurt|cost|shut|spent|sent|sat|stood|bought|brought|caught|"
    r"fell|forgot|broke|spoke|wrote|drove|rode|rose|threw|grew|flew|drew|paid|slept|swam|sang|began|drank|woke|wore|stole|chose|heard|held|led|meant|missed|just|not|never|to|the|a|an|and|or|of|in|on|at|for|with|who|which|so|too|please|go|come|get|gets|try|tries|ask|asks|say|says|tell|tells|give|gives|call|calls|find|finds|figure|request|require|"
    r"insist|demand|object|quote|thank|apologize|promise|accept|reject|refuse|confirm|deny|admit|propose|vote|love|like|hate|wait|stand|sit|stay|start|stop|finish|open|close|click|type|press|test|check|fail|forget|lose|agree|understand|totally|completely|really|too|also)$"
)


def lasting(scene: Scene) -> Finding | None:
    """Any other plain present statement in the first person or of kin: the English present is what is usual."""
    found = re.match(r"^(?P<not>do not |does not )?(?P<verb>[a-z]+) (?P<rest>\S.+)$", scene.said)
    if not found or scene.thing or scene.dated or not scene.who or EMOTIVE_VERBS.match(scene.said.removeprefix("do not ")) or DEICTIC.search(scene.full):
        return None
    verb = found["verb"]
    if NOT_LASTING.match(verb) or verb.endswith(("ed", "ing")) or scene.sentence.rstrip().endswith("!"):
        return None
    return Finding(memory_type="FACT", slot=many(scene.who, "does", activity(found[0].removeprefix(found["not"] or "")), negated=bool(found["not"])), confidence=0.55)


RULES: tuple[Rule, ...] = (
    attribute, identity, agreement, liking, having, living, working, called, eating, duty, skill, plan, happened, using, never, stopped, habit, active, lasting,
)  # fmt: skip
