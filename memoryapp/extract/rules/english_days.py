"""What happens when in English clauses: duties, plans, agreements, events, habits."""

import re

from memoryapp.extract.rules import things
from memoryapp.extract.rules.english_lexicon import (
    DATED_VERBS,
    EMOTIVE_VERBS,
    EMPTY,
    LIFE_VERBS,
    MOODS,
)
from memoryapp.extract.rules.english_scene import NEGATED, Scene, activity, value
from memoryapp.extract.rules.slots import USER, Finding, many, marital, one


def agreement(scene: Scene) -> Finding | None:
    if (
        re.match(
            r"^(?:have |has |had )?(?:agreed|promised|decided|settled on|committed to|chose to|made a deal|shook hands|resolved|made a pact|arranged)\b",
            scene.said,
        )
        and not scene.thing
    ):
        if re.match(r"^(?:have )?agreed with (?:you|that|this)", scene.said):
            return None
        return Finding(memory_type="AGREEMENT", course="event", confidence=0.85)
    return None


def duty(scene: Scene) -> Finding | None:
    found = re.match(
        r"^(?:(?:really|still|also) )?(?:need to|needs to|have to|has to|must|have got to|got to|ought to|should|am supposed to|is supposed to|am required to|have until|need|am due to|am scheduled to|is scheduled to)\b\s*(?P<what>.+)$",
        scene.said,
    )
    if not found or scene.thing or scene.who != USER:
        return None
    what = found["what"]
    if re.match(
        r"^(?:know|ask|go now|say|admit|be honest|understand|think|your|help|some help|to know|a (?:quick|favor|hand|second|recipe|list|summary|name|way|idea|break|coffee|drink|nap)|you|an? (?:answer|example|idea)|it|this|that|more (?:info|time|details)|have a|advice|sleep|rest|eat something|run\b|stop|see (?:this|it)|figure|find out)\b",
        what,
    ):
        return None
    if re.match(r"^\w+ (?:it|this|that|them)$", what):
        return None  # "I still need to send it": what is not in the clause
    if scene.dated and (scene.well_dated or any(w.bound == "until" for w in scene.whens)):
        return Finding(memory_type="TASK", course="task", confidence=0.85)
    if scene.recurring:
        return Finding(memory_type="HABIT")
    strong = re.match(
        r"^(?:(?:finish|submit|renew|book|pay|return|call|buy|pick up|schedule|file|send|prepare|complete|register|cancel|apply|fix|replace|order|mail|sign|write|update|review|deliver|clean|repair|turn in|drop off|hand in|find (?:a|an)|get (?:my|the|a|an|our|new)|follow up|reschedule|cut|lose|avoid|wear|take|see a|visit|refinance|hire|plan|organize|move|switch|study for|learn)\b)",
        what,
    )
    if (
        strong
        and not scene.said.startswith("should")
        and not scene.said.startswith("need ")
        or strong
        and scene.said.startswith("need to")
    ):
        return Finding(memory_type="TASK", course="task", confidence=0.7)
    return None


def plan(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(
        r"^(?:am|is|are) (?:(?:going|planning|hoping|set|about|looking forward) to|thinking (?:of|about)|considering|planning on)\s+(?P<what>.+)$|^(?:will|plan to|plans to|intend to|hope to|want to|wants to|aim to|have (?:decided|booked|scheduled|planned|signed up|registered)|am booked|is getting|am getting|leave|leaves|fly|flies|start|starts|graduate|graduates|turn|turns|depart|arrive|retire|move)\b\s*(?P<what2>.*)$",
        scene.said,
    )
    if not found:
        return None
    what = found["what"] or found["what2"] or ""
    if re.match(
        r"^(?:not |be (?:back|here|there|honest|fine|ok|late)|ask|try|see|check|let you|need|know|say|go (?:ahead|with|now)|take (?:it|that|a look)|think|use|do (?:it|that|this)|tell|talk|call you|get back|sleep|bed|eat|stop|never know|assume)\b",
        what,
    ):
        return None
    wishful = scene.said.startswith(("want", "hope", "am hoping"))
    if (
        scene.dated
        and scene.well_dated
        and (
            not wishful or any(w.precision in ("day", "month", "year", "week", "season") for w in scene.whens)
        )
    ):
        return Finding(memory_type="EVENT", course="event", confidence=0.6 if wishful else 0.85)
    if re.match(
        r"^(?:will|am going to|am planning to|plan to|plans to|intend to|is planning to) (?:be )?(?:move|moving|marry|get married|getting married|have a baby|retire|quit|start a|open a|study abroad|propose|buy a (?:house|car)|adopt|apply|run a marathon|visit|travel|take a|switch)\b",
        scene.said,
    ):
        return Finding(memory_type="EVENT", course="event", confidence=0.7)
    return None


def happened(scene: Scene) -> Finding | None:
    said = re.sub(
        r"^(?:have|has) (?:just |recently |finally |already |now )?(?=\w+(?:ed|t|d|n|en)\b)", "", scene.said
    )
    if (
        scene.thing
        or NEGATED.search(scene.said)
        or re.match(r"^(?:would|could|should|might|may)\b", scene.said)
    ):
        return None
    if re.match(
        r"^turned (?:\d+|\w+)(?:-\w+)?(?: (?:last|this|yesterday|today|in|on|a)\b.*)?$", said
    ) and LIFE_VERBS.match(said):
        if scene.dated:
            return Finding(memory_type="EVENT", course="event")
        return Finding(memory_type="PROFILE", slot=one(scene.who, "age"), confidence=0.85)
    given_up = stopped(scene) if re.match(r"^(?:have )?(?:stopped|quit) \w+ing\b", said) else None
    if given_up is not None:
        return given_up
    if LIFE_VERBS.match(said) and not re.search(
        r"\b(?:error|bug|code|message|email (?:from|that)|idea|joke)\b", said
    ):
        if (
            re.match(r"^(?:won|bought|gave up|became|lost|published|started|joined)\b", said)
            and re.search(
                r"^(?:\w+) (?:it|that|this|out|something|some|the (?:game|lottery joke)|trying|to|over|a coffee|coffee|lunch|milk|groceries|a (?:snack|sandwich|drink))\b",
                said,
            )
            and not scene.well_dated
        ):
            return None
        wed = re.match(r"^(?:got )?(?:(?P<married>married|remarried|eloped)|divorced|separated)\b", said)
        slot = marital(scene.who, married=bool(wed["married"])) if wed else None
        return Finding(memory_type="EVENT", slot=slot, course="event", confidence=0.85)
    if re.match(r"^\w+ (?:this|that|it|them)(?= (?:yesterday|last|this|on|in|at)\b|$)", said):
        return None
    if scene.dated and scene.well_dated and DATED_VERBS.match(said):
        if re.match(
            r"^(?:had|got|went|did|took|saw|ate|made) (?:to bed|a (?:bad|great|good|long|rough|nice|terrible|weird|headache|lot|strange|busy)|some|it|that|this|nothing|no |so |too |home|sick|back to sleep|up|lost|wet|a nap|tired|pizza|lunch|breakfast|coffee|fun|the worst)\b",
            said,
        ):
            return None
        return Finding(memory_type="EVENT", course="event")
    return None


USED = frozenset({"use", "uses", "am using", "switched to"})


def using(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(
        r"^(?P<verb>use|uses|drive|drives|ride|rides|wear|wears|commute|commutes|subscribe|subscribes|collect|collects|volunteer|volunteers|practice|practices|follow|follows|support|supports|take the|takes the|bike to|walk to|carry|carries|listen to|code in|program in|write in|switched to|bank with|am using|invest in|root for|grow|grows|host|hosts|foster|coach|coaches|sing in|play for|belong to|weigh|weighs|measure|wake up|wakes up|get up|go to bed|go to sleep|fall asleep|sleep|follow a|do)\b ?(?P<what>.+)$",
        scene.said,
    )
    if (
        not found
        or EMPTY.match(found["what"])
        or re.match(r"^(?:a (?:lot|bit)|up on|through|out|your)\b", found["what"])
    ):
        return None
    verb = found["verb"]
    if verb in (
        "do",
        "sleep",
        "wake up",
        "wakes up",
        "get up",
        "go to bed",
        "go to sleep",
        "fall asleep",
    ) and not (
        scene.recurring or re.match(r"^(?:at|around|early|late|by|on my) ?", found["what"]) and verb != "do"
    ):
        return None
    owned = things.owned_once(value(found["what"])) if verb in USED else ""
    attribute_name = owned or {"driv": "car", "weig": "weight", "comm": "commute"}.get(verb[:4])
    if verb in ("take the", "takes the") and re.match(
        r"(?:\S+ ){0,2}(?:bus|train|subway|metro|tram|ferry|shuttle|ktx)\b", found["what"]
    ):
        attribute_name = "commute"
    slot = (
        one(scene.who, attribute_name)
        if attribute_name
        else many(
            scene.who,
            "uses" if verb.startswith(("use", "am using", "switched")) else "does",
            value(found["what"]),
        )
    )
    if verb in ("wake up", "wakes up", "get up", "go to bed", "go to sleep", "fall asleep", "sleep"):
        slot = one(scene.who, "wake_time" if "up" in verb else "sleep_time")
    return Finding(
        memory_type="HABIT" if scene.recurring or attribute_name == "commute" else "FACT", slot=slot
    )


def habit(scene: Scene) -> Finding | None:
    if (
        scene.thing
        or not scene.recurring
        or EMOTIVE_VERBS.match(scene.said)
        or re.match(
            r"^(?:am|is|are|was|were|would|could|should|might|may|will|can|want|need|did|had)\b(?! to bed)",
            scene.said,
        )
    ):
        return None
    verb = re.match(r"^(?P<not>do not |does not |never )?(?P<verb>[a-z]+)\b", scene.said)
    if re.match(r"^(?:do not |does not |never )?\w+ (?:it|them|him|her)\b(?! \w+ing)", scene.said):
        return None  # "I wear it every day": what is not in the clause
    if re.search(r"\b(?:this|that|these|those)$", scene.clause.front) or re.match(
        r"^\w+ (?:this|that|these)$", scene.said
    ):
        return None
    if (
        not verb
        or verb["verb"].endswith("ed")
        and verb["verb"] not in ("need", "feed")
        or verb["verb"]
        in (
            "went",
            "got",
            "saw",
            "made",
            "took",
            "ate",
            "came",
            "the",
            "a",
            "to",
            "and",
            "it",
            "that",
            "have",
            "has",
            "said",
            "told",
        )
    ):
        return None
    return Finding(
        memory_type="HABIT",
        slot=many(
            scene.who,
            "does",
            activity(re.sub(r"^(?:do not|does not|never) ", "", scene.said)),
            negated=bool(verb["not"]),
        ),
        ends=scene.ended,
    )


def never(scene: Scene) -> Finding | None:
    """ "I never skip breakfast"."""
    found = re.match(
        r"^(?:have )?never (?P<what>(?!mind|know|knew|thought|said|heard|seen|saw|understood|understand|been able|mention|asked|told|want|felt|got)[a-z].+)$",
        scene.clause.said,
    )
    if not found or scene.thing or scene.dated or EMPTY.match(found["what"].split(" ", 1)[-1]):
        return None
    return Finding(
        memory_type="FACT" if re.match(r"have|never [a-z]+ed\b", scene.clause.said) else "HABIT",
        slot=many(scene.who, "does", value(found["what"]), negated=True),
        confidence=0.75,
    )


def stopped(scene: Scene) -> Finding | None:
    if scene.thing or not scene.ended:
        return None
    found = re.match(
        r"^(?:do not |does not |never |no longer |am no longer |am not |is no longer |have stopped |stopped |have quit |quit |used to )(?P<what>[a-z].+)$",
        scene.said,
    )
    if (
        not found
        or EMOTIVE_VERBS.match(found["what"])
        or EMPTY.match(found["what"])
        or MOODS.match(found["what"])
    ):
        return None
    target = re.sub(r"\b(?:anymore|any more|any longer)\b", "", found["what"])
    return Finding(
        memory_type="HABIT", slot=many(scene.who, "does", activity(target.strip()), negated=True), ends=True
    )


ACTIVE = re.compile(
    r"^(?:do not |does not )?(?:make|makes|shop|shops|bake|bakes|cook|cooks|pray|prays|fast|fasts|snore|snores|garden|gardens|paint|paints|dance|dances|sing|sings|invest|invests|donate|donates|tutor|tutors|mentor|mentors|babysit|babysits|nap|naps|gamble|gambles|meditate|meditates|journal|journals|"
    r"sew|sews|knit|knits|brew|brews|roast|roasts|hunt|hunts|fish|fishes|camp|camps|hike|hikes|climb|climbs|run|runs|swim|swims|box|boxes|lift|lifts|stretch|stretches|jog|jogs|cycle|cycles|skate|skates|ski|skis|surf|surfs|sail|sails|golf|golfs|bowl|bowls|travel|travels|blog|blogs|stream|streams|"
    r"compost|recycle|carpool|rent|rents|lease|leases|pay|pays|vote|votes|tip|snack|skip|skips|keep|keeps|breed|breeds|raise|raises|build|builds|repair|repairs|restore|restores|trade|trades|sell|sells|design|designs|edit|edits|translate|translates|write|writes|photograph|shoot|shoots|compose|perform|performs|"
    r"budget|save|saves|tithe|read|reads|watch|watches|listen|bank|banks|store|stores|wear|wears|bleed|bruise|sunburn|get carsick|gets carsick|get seasick|get motion sick|get migraines|get hay fever|have trouble sleeping|struggle with)\b ?(?P<what>.*)$"
)


HOUSED = re.compile(
    r"^(?:rents?|owns?|shares?|leases?) (?:an?|our|my|his|her|their|the) (?:[\w-]+ ){0,3}(?:flat|apartment|house|studio|condo|cottage|bungalow|room|townhouse|duplex|loft|maisonette|place)\b"
)
TAKEN_WITH = re.compile(
    r"^(?:take|takes|drink|drinks|have|has|like|likes) (?:my|his|her|their) (?P<what>(?:morning |iced )?(?:tea|coffee|steak|eggs|toast|espresso|burgers?|noodles|ramen|whisky|whiskey|water|curry)) (?P<how>.+)$"
)


def taken_with(scene: Scene) -> Finding | None:
    """ "I take my tea with two sugars", "I like my steak rare"."""
    found = TAKEN_WITH.match(scene.said)
    if not found or not scene.who or scene.dated or scene.thing:
        return None
    return Finding(memory_type="PREFERENCE", slot=one(scene.who, f"takes:{found['what']}"), confidence=0.8)


def active(scene: Scene) -> Finding | None:
    """A plain present statement of what somebody does: "I shop at Costco", "I bake my own bread"."""
    found = ACTIVE.match(scene.said)
    if (
        not found
        or re.match(r"^keeps? \w+ing\b", scene.said)
        or scene.thing
        or scene.dated
        or not scene.who
        or re.search(
            r"\b(?:this|that|these|it|you|your|right now|today|something|up with|sense|sure|a (?:mistake|decision|point|difference)|out of|for now|track|in mind|going|getting|saying|asking|having|happening)\b",
            found["what"],
        )
    ):
        return None
    if HOUSED.match(scene.said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "housing"), confidence=0.8)
    return Finding(
        memory_type="HABIT",
        slot=many(
            scene.who,
            "does",
            activity(re.sub(r"^(?:do|does) not ", "", scene.said)),
            negated=bool(NEGATED.search(scene.said)),
        ),
        confidence=0.65,
    )


DEICTIC = re.compile(
    r"\b(?:this|that|these|those|it|you|your|yours|here|there|now|today|tonight|question|error|bug|code|file|link|page|answer|example|problem|issue|idea|sentence|word|help|moment|right away|something|anything|someone|result|message|request|output|function|screen|lol|haha|again|them|him|her|they|ya|btw)\b"
)
NOT_LASTING = re.compile(
    r"^(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|would|will|shall|should|may|might|must|need|needs|want|wants|seem|seems|look|looks|sound|sounds|went|got|saw|made|took|ate|came|said|told|met|ran|won|lost|left|quit|found|thought|knew|felt|gave|kept|put|read|cut|hit|let|set|hurt|cost|shut|spent|sent|sat|stood|bought|brought|caught|"
    r"fell|forgot|broke|spoke|wrote|drove|rode|rose|threw|grew|flew|drew|paid|slept|swam|sang|began|drank|woke|wore|fought|hid|fed|bit|dug|hung|lit|shot|sank|spun|stuck|struck|swept|wept|bent|bet|dealt|fled|laid|lent|rang|shook|slid|split|spread|swung|tore|stole|chose|heard|held|led|meant|missed|last|long|time|since|ago|just|not|never|to|the|a|an|and|or|of|in|on|at|for|with|who|which|so|too|please|go|come|get|gets|try|tries|ask|asks|say|says|tell|tells|give|gives|call|calls|find|finds|figure|request|require|"
    r"insist|demand|object|quote|thank|apologize|promise|accept|reject|refuse|confirm|deny|admit|propose|vote|love|like|hate|wait|stand|sit|stay|start|stop|finish|open|close|click|type|press|test|check|fail|forget|lose|agree|understand|totally|completely|really|too|also)$"
)


def lasting(scene: Scene) -> Finding | None:
    """Any other plain present statement in the first person or of kin: the English present is what is usual."""
    found = re.match(r"^(?P<not>do not |does not )?(?P<verb>[a-z]+) (?P<rest>\S.+)$", scene.said)
    if (
        not found
        or scene.thing
        or scene.dated
        or not scene.who
        or EMOTIVE_VERBS.match(scene.said.removeprefix("do not "))
        or DEICTIC.search(scene.full)
    ):
        return None
    verb = found["verb"]
    if NOT_LASTING.match(verb) or verb.endswith(("ed", "ing")) or scene.sentence.rstrip().endswith("!"):
        return None
    return Finding(
        memory_type="FACT",
        slot=many(
            scene.who, "does", activity(found[0].removeprefix(found["not"] or "")), negated=bool(found["not"])
        ),
        confidence=0.55,
    )
