"""What somebody is, in English clauses: "I am …", "my sister is …"."""

import re

from memoryapp.extract.rules.english_clauses import IS_NAMED
from memoryapp.extract.rules.english_lexicon import (
    EMPTY,
    FREQUENCY,
    JOBS,
    MOODS,
    NATIONS,
    TRAITS,
)
from memoryapp.extract.rules.english_scene import Scene, value
from memoryapp.extract.rules.english_work import at_work
from memoryapp.extract.rules.slots import USER, Finding, many, marital, one

NUMBER = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"


def identity(scene: Scene) -> Finding | None:
    """ "I am …", "she is …"."""
    if scene.thing:
        return None
    found = re.match(
        r"^(?:am|is|are|'m|have been|has been|was|were|became|have become)\s+(?P<rest>.+)$", scene.said
    )
    if not found:
        return None
    rest = re.sub(
        r"^(?:(?:still|now|currently|also|actually|already|officially|really|just|originally|basically|definitely|both|all) )+",
        "",
        found["rest"],
    )
    if re.match(
        r"^(?:(?:always|still|just|often) )+(?:thinking|wondering|looking|trying|hoping|feeling|amazed|impressed|happy|glad)\b",
        rest,
    ):
        return None
    past = scene.said.startswith(("was ", "were "))
    negated = bool(re.match(r"^(?:not|no longer|never)\b", rest))
    titled = bool(re.match(r"^(?:not|no longer|never) (?:really |actually )?(?:an?|the|our|on|in)\b", rest))
    rest = (
        re.sub(r"^(?:not|no longer|never) (?:a |an |really |actually )?", "", rest).strip()
        if negated
        else rest
    )
    who = scene.who
    if (
        MOODS.match(rest)
        and not re.match(r"^(?:at|in|on) (?:home|work)", rest)
        or re.match(r"^(?:the one|someone|a (?:bit|little|mess|huge problem))\b", rest)
    ):
        return None
    if who != USER and re.match(r"^(?:named|called)\s+\w+", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "name"), confidence=0.9)
    if who != USER and not NATIONS.match(rest) and IS_NAMED.match(scene.clause.original.strip(" .,!")):
        return Finding(memory_type="PROFILE", slot=one(who, "name"), confidence=0.85)
    if re.search(r"\ballergic to\b", rest):
        return Finding(
            memory_type="PROFILE",
            slot=many(who, "allergy", value(re.split(r"allergic to ", rest, maxsplit=1)[1]), negated=negated),
            confidence=0.9,
        )
    if who != USER and re.match(
        rf"^(?:{NUMBER})(?:,? (?:and )?(?:{NUMBER}))*(?: now| already)?$",
        rest,
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.85)
    if re.match(
        r"^(?:\d{1,2}|twenty|thirty|forty|fifty|sixty|eighteen|nineteen)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?: (?:years?|yrs?|months?)(?: |-)old)?(?:$| this| now| and|,)|^in (?:my|his|her) (?:early |mid|late )?-?(?:teens|twenties|thirties|forties|fifties|sixties|\d0s)",
        rest,
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.9)
    if re.match(
        r"^the (?:oldest|eldest|youngest|middle|second|third|only|first) (?:child|one|son|daughter|kid|of|in|boy|girl|woman|man|person)\b",
        rest,
    ) and not re.search(r"\b(?:problem|thing|reason|to|who|here)\b", rest):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated))
    if scene.clause.joined == "but" and re.match(r"^in [a-z .]+ (?:now|these days|nowadays)$", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "residence"), confidence=0.8)
    if re.match(
        r"^doing (?:a|my|an|his|her) (?:phd|master|degree|mba|residency|apprenticeship|doctorate|bachelor)",
        rest,
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "major"), confidence=0.85)
    if re.match(r"^\d{3} ?(?:cm|centimeters)|^\d['’] ?\d|^\d (?:feet|foot|ft)", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "height"), confidence=0.85)
    if re.match(r"^(?:originally )?from\b", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "hometown"), confidence=0.85)
    if re.match(r"^(?:living|based|located|residing|settled)\b (?:in|at|near|out of|with)", rest):
        return Finding(
            memory_type="PROFILE",
            slot=one(who, "residence", negated=negated),
            ends=scene.ended,
            confidence=0.9,
        )
    if re.match(r"^born\b", rest):
        if who != USER and scene.dated:
            return Finding(memory_type="EVENT", course="event")
        place = re.search(r"\bin (?!19|20|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", rest)
        return Finding(
            memory_type="PROFILE",
            slot=one(who, "hometown" if place and not scene.dated else "birthday"),
            confidence=0.85,
        )
    status = re.match(r"^(?:(?P<married>married)|engaged|divorced|single|widowed|separated)\b", rest)
    if status and not past:
        slot = marital(who, married=bool(status["married"]) and not negated)
        ends = negated and not status["married"]  # "I'm not single anymore" does not say married
        return Finding(memory_type="PROFILE", slot=slot, ends=ends, confidence=0.9)
    if re.match(
        r"^(?:(?:a|an|strictly|mostly) )*(?:vegetarian|vegan|pescatarian|flexitarian|keto|halal|kosher|gluten-?free|on a (?:diet|keto|low[- ]carb|vegan|gluten|\w+(?:[- ]\w+)? diet))",
        rest,
    ):
        return Finding(
            memory_type="PROFILE", slot=one(who, "diet", negated=negated), ends=scene.ended, confidence=0.9
        )
    if NATIONS.match(value(rest)):
        nation = one(who, "nationality", negated=negated)
        return Finding(
            memory_type="PROFILE", slot=nation, ends=negated, confidence=0.85, names=(value(rest),)
        )
    if scene.dated and re.match(r"^due\b", rest):
        return Finding(memory_type="EVENT", course="event")
    if re.match(r"^(?:[\w-]+ (?:months?|weeks?) )?(?:pregnant|sober|along)\b", rest):
        return Finding(
            memory_type="PROFILE",
            slot=many(
                who,
                "trait",
                rest.split(" ", 3)[-1] if "pregnant" not in rest else "pregnant",
                negated=negated,
            ),
            confidence=0.85,
        )
    if TRAITS.match(rest):
        return Finding(
            memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated), confidence=0.9
        )
    if re.match(r"^[ei][ns][tf][jp]\b|^an? [ei][ns][tf][jp]\b", rest):
        return Finding(memory_type="PROFILE", slot=one(who, "mbti"), confidence=0.9)
    liked = re.match(
        r"^(?:(?:a )?(?:huge |big |massive |die-hard |lifelong |real |much of a )?(?:fan|lover|fanatic) of|(?:really |very |super )?into|fond of|obsessed with|crazy about|keen on|passionate about|interested in|hooked on|partial to|addicted to)\s+(?P<what>.+)",
        rest,
    )
    if liked and not EMPTY.match(liked["what"]):
        return Finding(
            memory_type="PREFERENCE",
            slot=many(who, "likes", value(liked["what"]), negated=negated),
            confidence=0.85,
        )
    fan = re.match(
        r"^an? (?:huge |big |massive |die-hard |lifelong )?(?P<what>[\w ]+?) (?:fan|lover|enthusiast|buff|nerd|geek|addict|junkie|person|snob)\b",
        rest,
    )
    if fan and not re.match(r"^(?:good|bad|nice|people|busy)$", fan["what"]):
        return Finding(memory_type="PREFERENCE", slot=many(who, "likes", fan["what"], negated=negated))
    if re.match(r"^(?:afraid|scared|terrified) of ", rest):
        return (
            Finding(memory_type="PROFILE", slot=many(who, "fears", value(rest.split(" of ", 1)[1])))
            if not EMPTY.match(rest.split(" of ", 1)[1])
            else None
        )
    if re.match(r"^(?:fluent|good|great|bad|terrible|excellent) (?:in|at) ", rest) and not re.match(
        r"^.*(?:this|that)\b", rest
    ):
        return Finding(
            memory_type="FACT",
            slot=many(
                who,
                "skill",
                value(re.split(r" (?:in|at) ", rest, maxsplit=1)[1]),
                negated=negated or rest.startswith(("bad", "terrible")),
            ),
        )
    if re.match(
        r"^(?:being treated for|undergoing|recovering from|in treatment for|getting treatment for)\b", rest
    ):
        return Finding(
            memory_type="PROFILE",
            slot=many(who, "health", value(re.sub(r"^.*?\b(?:for|from|undergoing) ", "", rest))),
        )
    if re.match(r"^working on\b", rest):
        return _doing(scene, rest)
    if re.match(r"^(?:working|employed)\b", rest):
        return at_work(scene, "work" + rest[rest.index(" ") :] if " " in rest else "work", negated)
    if re.match(
        r"^(?:away|abroad|out of town|on vacation|on leave|on a business trip|in [a-z]+)\b", rest
    ) and any(w.bound == "until" or w.precision in ("week", "range", "month") for w in scene.whens):
        return Finding(memory_type="FACT")
    if re.match(
        r"^on (?:[\w-]+ ){0,3}(?:medication|meds|pills|inhalers?|antibiotics|insulin|parental leave|maternity leave|paternity leave|sabbatical|a visa|the pill|blood thinners|antidepressants|statins|the \w+ (?:team|committee|board))",
        rest,
    ):
        return Finding(memory_type="FACT")
    if (
        re.match(
            r"^(?:learning|studying|leading|managing|organizing|supervising|overseeing|training|preparing|retraining|apprenticing|working towards?|saving (?:up )?for|reading|writing|building|taking|trying to|working on|renovating|planning|practicing|teaching|raising|caring for|taking care of|remodeling|restoring|developing|launching|looking for a|applying (?:to|for)|recovering from|cutting (?:back|down|out)|dating|seeing a|running a|doing (?:a|my|an)|pursuing|getting (?:married|divorced|a|my|our|the|his|her|their|into|ready for a)|expecting|house hunting|job hunting|switching|moving|going|flying|traveling|travelling|visiting|having|meeting|presenting|starting|leaving|attending|hosting|volunteering|seeing|speaking|heading|taking the|buying|selling|homeschooling|fostering|growing|organizing|interviewing|competing|retiring|joining|coaching|mentoring|staying|returning|coming|celebrating|driving|throwing|giving a|doing the|submitting|hiking|camping|running|playing|performing|swimming|defending|quitting|closing on)\b",
            rest,
        )
        and not negated
    ):
        return _doing(scene, rest)
    job = JOBS.search(rest)
    if (
        job
        and not past
        and (
            titled
            or re.match(
                r"^(?:an?|the|our|one of|co-|senior|junior|head|lead|chief|vice|cto|ceo|cfo|coo|vp|retired|unemployed|self-employed|currently|in charge|director|president|manager|professor|student|engineer|head of)\b",
                rest,
            )
        )
    ):
        return Finding(
            memory_type="PROFILE",
            slot=one(who, "occupation", negated=negated),
            ends=scene.ended or negated,
            confidence=0.9,
            names=(job[0],),  # "not a team lead" ends no other occupation
        )
    if (
        FREQUENCY.search(scene.full)
        and re.match(
            r"^(?:always|usually|generally|normally|typically|often|never|up|awake|asleep|in bed|at|in|out|on) ?(?:in|at|up|on|out|awake|asleep|by|before|until|off)?\b",
            rest,
        )
        and not MOODS.match(re.sub(r"^(?:always|usually|often) ", "", rest))
    ):
        return Finding(memory_type="HABIT")
    if re.match(
        r"^in (?:(?:the )?\w+ grade|the (?:army|navy|air force|marines|military|reserves|hospital|choir|orchestra|hr|sales|marketing|finance|process of|\w+ (?:department|team|business|industry|grade|band|club))|(?:\w+ )?(?:college|university|high school|middle school|grad school|law school|med school|medical school|elementary school|kindergarten|preschool|prison|rehab|therapy|remission|recovery|sales|hr|marketing|finance|tech)|(?:my|his|her|their) (?:\w+ year|final year|last year|first year|junior year|senior year)|a (?:band|choir|wheelchair|relationship|long-distance relationship|nursing home|book club|league|\w+ club|\w+ league))\b",
        rest,
    ):
        return Finding(memory_type="FACT" if who != USER else "PROFILE", slot=None)
    if re.match(
        r"^(?:between jobs|out of work|on (?:disability|welfare|furlough|probation|parole|unemployment)|on a (?:gap year|break from (?:work|school|college)|student visa|work visa|working holiday))\b",
        rest,
    ):
        return Finding(
            memory_type="PROFILE", slot=one(who, "occupation") if "job" in rest or "work" in rest else None
        )
    if re.match(r"^in charge of|^responsible for", rest):
        return Finding(
            memory_type="PROFILE",
            slot=many(who, "responsibility", value(re.split(r" (?:of|for) ", rest, maxsplit=1)[1])),
        )
    if re.match(
        r"^(?:a|an) (?:member|volunteer|alum\w*|graduate|resident|native|citizen|parent|subscriber|vet|[\w-]+ (?:major|minor|alum|graduate|citizen|resident|speaker|learner|instructor|member|player|runner|cyclist|eater|sleeper|driver|drinker|reader|gamer|collector|worker))\b",
        rest,
    ):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated))
    if (
        who == USER
        and not negated
        and re.match(
            r"^(?:am|'m) [A-Z][a-z]+(?: [A-Z][a-z]+)?(?:, (?:an?|the)\b.*)?$",
            re.sub(r"^'m", "'m", scene.clause.original.strip(" .,!")),
        )
        and not NATIONS.match(rest)
    ):
        return Finding(memory_type="PROFILE", slot=one(USER, "name"), confidence=0.85)
    if (
        re.match(
            r"^(?:an?) (?!bit|little|lot|mess|problem|pain|huge|joke|big (?:deal|problem|mistake)|good (?:idea|question|point)|great (?:idea|question|point)|bad idea|nice|few|while|minute|second|disaster|nightmare|shame|pity|genius|idiot|moron|fool|great (?:help|day)|good (?:day|boy|girl|person)|bad (?:day|person)|lovely|wonderful|terrible|horrible|beautiful|cute|funny|sweet|kind|total|complete|wreck|way|step|place|part|result|thing)[\w-]+",
            rest,
        )
        and not re.search(r"\b(?:lol|haha|sometimes|today|right now|this|that|you|your)\b", rest)
        and not past
    ):
        return Finding(
            memory_type="PROFILE", slot=many(who, "trait", value(rest), negated=negated), confidence=0.65
        )
    if (
        re.match(r"^(?:my|our) (?:older |younger |best |little |big |new |ex-?)?(?P<r>\w[\w-]*)$", rest)
        and who != USER
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "relation"))
    return None


def _doing(scene: Scene, rest: str) -> Finding | None:
    """Present participles: with a date ahead they are plans, the lasting ones are under way now."""
    if re.match(r"^(?:going|flying|traveling|travelling|heading|moving) to\b", rest) and re.search(
        r"\bfor (?:my|our|a|the) (?:[\w']+ )?(?:vacation|holiday|honeymoon|trip|wedding|conference|internship|semester|job|reunion|birthday|anniversary)",
        rest,
    ):
        return Finding(memory_type="EVENT", course="event", confidence=0.75)
    future = any(
        w.start.date() > scene.today
        or w.precision in ("month", "season", "year")
        and w.end.date() > scene.today
        for w in scene.whens
    )
    if future and scene.well_dated:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    lasting = re.match(
        r"^(?:learning|studying|leading|managing|running|organizing|supervising|overseeing|training for|training to|preparing|working towards?|hoping to adopt|saving|writing (?:a|my)|building (?:a|an|my)|taking (?:a|an|\w+ (?:lessons|classes|course))|trying to (?!find|understand|figure|fix|get (?!in|fit|better|pregnant)|solve|use|make|open|install|log|connect|do|see|say|remember|decide|be|access|download|reach|help|debug|run|work|explain|write|think|set|read|send|print)\w+|working on (?:a|my|an)|renovating|planning (?:a|my|our|to)|practicing|teaching|raising|caring|taking care|remodeling|restoring|developing|looking for a (?:new )?(?:job|house|apartment|place|roommate|nanny|tutor)|applying|recovering|cutting|dating|seeing a (?:therapist|dietitian)|running a|doing (?:a|my|an) (?:phd|master|degree|mba|internship|course)|pursuing|getting (?:married|divorced)|getting (?:my|his|her|their|a) (?:phd|master|degree|mba|doctorate|bachelor|licen[cs]e|teaching|nursing)|expecting|house hunting|job hunting|reading|volunteering|homeschooling|fostering|growing|coaching|mentoring|switching to|moving to)\b",
        rest,
    )
    if not lasting or re.search(
        r"\b(?:this (?:error|bug|issue|code|question|task|function|problem|essay|sentence)|right now)\b", rest
    ):
        return None
    if re.match(r"^(?:planning to|getting married|expecting|moving to)", rest):
        return Finding(memory_type="EVENT", course="event")
    what = value(
        re.sub(
            r"^(?:learning|studying|training for|preparing for|saving (?:up )?for|taking|practicing|teaching|reading|working on)\s+",
            "",
            rest,
        )
    )
    return Finding(memory_type="HABIT" if scene.recurring else "FACT", slot=many(scene.who, "does", what))
