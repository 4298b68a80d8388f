"""Who somebody is in English clauses: name, home, family, health, and any "my X is Y"."""

import re

from memoryapp.extract.rules.english_lexicon import (
    ATTRIBUTES,
    BLANK_CANNOT,
    CHILDREN,
    CONDITIONS,
    EMPTY,
    EVENTS,
    MANY_VALUED,
    MOODS,
    NOT_ATTRIBUTES,
    PETS,
)
from memoryapp.extract.rules.english_scene import Scene, value
from memoryapp.extract.rules.slots import CONTACTS, Finding, contact, favourite, many, one

THINGS = frozenset(("employer", "team", "workplace", "car", "computer", "laptop", "residence", "phone_model"))
THINGS_ARE = re.compile(
    r"^(?:an?|the|called|named|in|at|near|on|my|our|based|located|about|just|close|right|two|three|\d|[A-Z])"
)


ABSTRACT = re.compile(
    r"\b(?:job|work|passion|weakness|goal|thing|escape|habit|fear|talent|sport|specialty|field|focus|resolution|secret|trick|comfort|routine|outlet|hobby|calling|love|strength|exercise|therapy|background|experience|background)s?$"
)


def attribute(scene: Scene) -> Finding | None:
    """ "My name is", "my daughter's birthday is", "my favorite color is", any "my X is Y"."""
    thing = scene.thing
    if not thing:
        return None
    is_a = re.match(
        r"^(?:is|are|was|'s|is called|starts?|ends?|has changed to|changed to|is now|falls?|runs?|got moved to|(?:has been|was|got) (?:moved|rescheduled|pushed|postponed) to)\b\s*(?P<value>.*)",
        scene.said,
    )
    if not is_a or not is_a["value"]:
        return _thing_does(scene)
    if re.match(r"^(?:starts?|ends?|falls?)\b", scene.said) and scene.dated:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    said = re.sub(
        r"^(?:still|now|actually|currently|definitely|probably|always|usually|also|just) ", "", is_a["value"]
    )
    if MOODS.match(said) and thing not in ATTRIBUTES:
        return None
    negated = said.startswith("not ")
    liked = re.match(
        r"^(?:absolute |all-time |current |new )?(?:favou?rite|fave|preferred|least favou?rite|go-to|usual)\s+(?P<what>.+)$",
        thing,
    )
    if liked:
        if thing.startswith("least"):
            return Finding(
                memory_type="PREFERENCE",
                slot=one(scene.who, f"least favourite:{liked['what']}"),
                confidence=0.9,
            )
        if re.match(r"^(?:part|thing about|line|scene|moment|one)\b", liked["what"]):
            return None
        return Finding(memory_type="PREFERENCE", slot=favourite(scene.who, liked["what"]), confidence=0.9)
    if re.fullmatch(
        r"(?:bed)?room|side of the bed|desk|spot|corner|place|seat|hideout|den|study", thing
    ) and re.search(
        r"\b(?:room|bedroom|floor|attic|basement|study|den|office|garage|side|corner|master|upstairs|downstairs)\b",
        said,
    ):
        return Finding(memory_type="ALIAS", slot=one(scene.who, f"alias:my {thing}"), confidence=0.85)
    if thing.endswith(" allergy"):
        return Finding(
            memory_type="PROFILE",
            slot=many(
                scene.who,
                "allergy",
                thing[: -len(" allergy")],
                negated=bool(re.search(r"\b(?:gone|cured|better|no longer|disappeared)\b", said)),
            ),
            confidence=0.85,
        )
    if thing in ("allergies", "allergy"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "allergy", value(said)), confidence=0.9)
    known = ATTRIBUTES.get(
        re.sub(r"^(?:new|current|cell|mobile|home|work|old|personal|full|real) (?=\w)", "", thing)
    )
    if known:
        if known in (
            "employer",
            "team",
            "workplace",
            "car",
            "computer",
            "laptop",
            "residence",
            "phone_model",
        ) and re.match(
            r"^(?:not |so |very |too |dying|charging|ringing|frozen|almost|out of|at \d|on \d|low|old|new|here|there|under|parked|locked|buzzing|glitching|lagging|overheating|broken|slow|down|great|good|bad|awful|terrible|being|acting|making|in the shop|dead|stuck)",
            said,
        ):
            return None
        spoken = re.sub(
            r"^.*?(?:'s|\b(?:is|are|was)) (?:now |still |actually |not )*", "", scene.clause.original
        )
        if known in THINGS and not THINGS_ARE.match(spoken):
            return None  # "My car is dirty" says nothing lasting
        if known in CONTACTS and not negated:
            reached = contact(scene.who, known, value(said), scene.clause.text)
            return Finding(memory_type="PROFILE", slot=reached, confidence=0.9)
        slot = (
            many(scene.who, known, value(said), negated=negated)
            if known in MANY_VALUED
            else one(scene.who, known, negated=negated)
        )
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.9)
    if scene.dated and re.match(
        r"^(?:now )?(?:scheduled|set|booked|moved|rescheduled|postponed|planned)\b", said
    ):
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    if re.match(
        r"^(?:boarding|leaving|coming|arriving|starting|ending|waiting|loading|ringing|beeping|leaking|delayed|landing|departing|closing|opening|happening|hiring|asking|calling|barking|crying|sleeping)\b",
        said,
    ):
        return None
    of_what = re.sub(r" (?:to|from|with|for|at|in) .+$", "", thing)  # "my flight to Lisbon"
    if EVENTS.search(of_what.split()[-1]) and scene.dated:
        kind = "TASK" if "deadline" in thing else "EVENT"
        return Finding(memory_type=kind, course="task" if kind == "TASK" else "event", confidence=0.85)
    if re.match(r"^due (?:soon|any|shortly)\b", said):
        return None
    if re.match(r"^due\b", said) and (scene.dated):
        return Finding(memory_type="TASK", course="task", confidence=0.85)
    if scene.recurring and EVENTS.search(thing):
        return Finding(memory_type="HABIT", slot=many(scene.who, "routine", thing))
    last = thing.split()[-1]
    if re.match(r"^(?:still )?\w+ing\b", said) and not ABSTRACT.search(thing):
        return None  # "my toast is burning": of this moment
    if (
        NOT_ATTRIBUTES.match(last)
        or NOT_ATTRIBUTES.match(thing)
        or EMPTY.match(said)
        or re.match(
            r"^(?:not )?(?:so|too|very|really|pretty|quite|acting|being|killing|driving me|making|broken|down|great|good|bad|awful|terrible|late|full|gone|missing|slow|hurting|fine|okay|ok|cold|noisy|loud|amazing|awesome|over|done|dead|on fire|a mess|nice|weird|worse|better|stuck|running|crashing|failing|dying|giving|getting)\b",
            said,
        )
    ):
        return None
    if re.match(r"^(?:to|that|how|why|what|whether)\b", said) and not re.search(
        r"resolution|plan|habit|policy|routine|rule|ambition", thing
    ):
        return None
    kind = "PREFERENCE" if re.search(r"prefer|comfort|policy|style", thing) else "FACT"
    return Finding(memory_type=kind, slot=one(scene.who, thing), confidence=0.75)


def _thing_does(scene: Scene) -> Finding | None:
    """ "My flight leaves on Friday", "our team meets every Monday", "my lease expires in September"."""
    if scene.well_dated and re.match(
        r"^(?:broke down|broke|died|crashed|got (?:broken into|robbed|stolen|towed|damaged|hacked|cancel+ed|approved|rejected|accepted|delayed|hit)|was (?:stolen|towed|damaged|hacked|cancel+ed|approved|rejected|accepted|delivered|born|hit)|arrived|expired|burned down|flooded)\b",
        scene.said,
    ):
        return Finding(memory_type="EVENT", course="event")
    if re.match(
        r"^(?:leaves?|arrives?|expires?|opens?|closes?|meets?|takes? place|begins?|comes?|goes|renews?|lands?|departs?|delivers?|runs out|needs?|has|have|uses?)\b",
        scene.said,
    ):
        if scene.recurring:
            return Finding(memory_type="HABIT")
        if (
            scene.dated
            and scene.well_dated
            and re.match(
                r"^(?:leaves?|arrives?|expires?|begins?|takes? place|renews?|lands?|departs?|opens?)",
                scene.said,
            )
        ):
            return Finding(memory_type="EVENT", course="event")
        if re.match(r"^(?:uses?)\b", scene.said) and re.search(r"team|company|office|school", scene.thing):
            return Finding(
                memory_type="FACT",
                slot=many(scene.who, f"{scene.thing} uses", value(scene.said.split(" ", 1)[1])),
            )
    return None


def having(scene: Scene) -> Finding | None:
    found = re.match(
        r"^(?P<not>do not |does not |never |no longer )?(?:have|has|have got|has got|own|owns|suffer from|suffers from|was diagnosed with|were diagnosed with|have been diagnosed with|struggle with|live with|deal with|keep|keeps|raise|raises|had)\s+(?P<what>.+)$",
        scene.said,
    )
    if not found or scene.thing or re.match(r"^(?:to|got to|been)\b", found["what"]):
        return None
    what = found["what"]
    negated = bool(found["not"]) or bool(re.match(r"^no ", what))
    what = re.sub(r"^(?:no|any) ", "", what)
    past = scene.said.startswith("had ")
    allergy = re.match(
        r"^(?:an? )?(?:severe |bad |mild |serious |terrible |slight )*(?:(?P<a>[\w ]+?) allerg(?:y|ies)|allerg(?:y|ies) to (?P<b>.+))",
        what,
    )
    if allergy:
        return Finding(
            memory_type="PROFILE",
            slot=many(
                scene.who,
                "allergy",
                value(re.sub(r"^(?:an?|severe|bad) ", "", allergy["a"] or allergy["b"])),
                negated=negated,
            ),
            ends=scene.ended,
            confidence=0.9,
        )
    condition = CONDITIONS.search(what)
    if (
        condition
        and (not past or scene.dated)
        and not re.search(r"surgery|operation|transplant|biopsy|test|scan", what)
    ):
        return Finding(
            memory_type="PROFILE",
            slot=many(scene.who, "health", condition[0], negated=negated),
            confidence=0.85,
        )
    if past:
        return None
    head = [w.strip(",.") for w in what.split()[:5]]
    for word in head:
        if re.search(r"\b(?:this|you)\b", what) or "that" in head[:1]:
            break
        if word in PETS and not re.search(r"\b(?:food|question|problem)\b", what):
            return Finding(
                memory_type="PROFILE",
                slot=many(scene.who, "pet", word.rstrip("s") if word != "pets" else "pet", negated=negated),
                confidence=0.9,
            )
        if word in CHILDREN:
            return Finding(
                memory_type="PROFILE",
                slot=many(scene.who, "family", _single(word), negated=negated),
                confidence=0.9,
            )
    if re.match(
        r"^(?:an? |\w+ )?(?:\w+|\d+)[- ](?:year|month|week)[- ]olds?\b(?! (?:car|phone|laptop|house|dog|cat|bike))",
        what,
    ):
        return Finding(
            memory_type="PROFILE", slot=many(scene.who, "family", "child", negated=negated), confidence=0.85
        )
    if re.search(r"\b(?:named|called)\s+\w+", what) or re.search(
        r"\b(?:retriever|terrier|shepherd|spaniel|bulldog|collie|dachshund|shih tzu|maltese|pomeranian|chihuahua|poodle|siamese|persian|tabby|mutt|rescue (?:dog|cat)|guinea pig)s?\b",
        what,
    ):
        return Finding(
            memory_type="PROFILE",
            slot=many(scene.who, "pet", value(re.split(r" (?:named|called) ", what)[0]), negated=negated),
            confidence=0.85,
        )
    if (
        scene.recurring
        and not negated
        and re.search(
            r"\b(?:group|club|circle|practice|training|rehearsal|therapy|church|choir|shift|night|day off|headaches?)\b",
            what,
        )
    ):
        return Finding(memory_type="HABIT", slot=many(scene.who, "routine", value(what)))
    if EVENTS.search(" ".join(head)) and not negated:
        if scene.recurring:
            return Finding(memory_type="HABIT", slot=many(scene.who, "routine", value(what)))
        if (
            scene.dated
            and scene.well_dated
            or scene.dated
            and re.search(r"appointment|interview|exam|surgery", what)
        ):
            return Finding(memory_type="EVENT", course="event", confidence=0.85)
        return None
    if (
        scene.said.startswith(("own", "does not own", "do not own"))
        or re.search(
            r"\b(?:driver'?s licen[cs]e|licen[cs]e|degree|phd|master'?s|mba|bachelor'?s|visa|green card|passport|citizenship|car|motorcycle|bike|house|condo|apartment|boat|mortgage|braces|stutter|lisp|limp|birthmark|prosthetic|food truck|tattoo|pilot|certification|garden|cabin|black belt|piano|electric|truck|sweet tooth|green thumb|photographic memory|accent|farm|podcast|blog|youtube channel|newsletter|side business|student loans?|\w+ years of experience|experience (?:in|with)|blood type|type [ab0o])\b",
            what,
        )
        and not EMPTY.match(what)
    ):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "has", value(what), negated=negated))
    return None


def _single(word: str) -> str:
    return {"children": "child", "kids": "child", "kid": "child", "wives": "wife"}.get(
        word, word.rstrip("s") if word not in ("twins",) else word
    )


def living(scene: Scene) -> Finding | None:
    said = scene.said
    if scene.thing:
        return None
    found = re.match(
        r"^(?P<not>do not |does not |no longer |never )?(?:have |has )?(?:live|lives|reside|resides|lived|been living|been based|stay|stays)\b(?P<rest>.*)$",
        said,
    )
    if found and not said.startswith("lived"):
        rest = found["rest"].strip()
        if re.match(r"^(?:with|alone|by myself|on my own|together)", rest):
            return Finding(
                memory_type="PROFILE",
                slot=one(scene.who, "lives_with", negated=bool(found["not"])),
                confidence=0.85,
            )
        if (
            re.match(r"^(?:in|at|near|on|close|outside|by|around|just|out|across|here|within|about)\b", rest)
            and not re.match(r"^(?:in (?:the moment|fear|peace|a simulation|hope))", rest)
            and not said.startswith(("stay up", "stay at home today"))
        ):
            return Finding(
                memory_type="PROFILE",
                slot=one(scene.who, "residence", negated=bool(found["not"])),
                ends=scene.ended,
                confidence=0.9,
            )
        return None
    if re.match(r"^(?:used to live|lived|grew up|was raised|was born and raised)\b", said):
        if re.match(r"^(?:grew up|was raised|was born and)", said):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "hometown"), confidence=0.85)
        return (
            Finding(memory_type="FACT", course="event")
            if re.search(r"\b(?:in|near|at|with)\b", said)
            else None
        )
    if re.match(r"^(?:come|comes|hail|hails) from\b", said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "hometown"), confidence=0.85)
    moved = re.match(r"^(?:have |has )?(?:moved|relocated|emigrated|immigrated)\b(?P<rest>.*)$", said)
    if moved and re.match(
        r" (?:my|our|the|a|an|some|his|her) (?!famil|wife|husband|kids|girlfriend|boyfriend|whole)",
        moved["rest"],
    ):
        return None  # "I moved my haircut to Friday"
    if moved:
        place = re.search(r"\bto (?P<place>(?:a |an |the )?[\w ,'-]+)", moved["rest"]) or re.search(
            r"\binto\b", moved["rest"]
        )
        if (
            re.search(r"\bon\b|\bto (?:the next|a new (?:team|role|desk|project))", moved["rest"])
            and not scene.dated
        ):
            return None
        if place and not re.search(r"\bto (?:a new (?:apartment|house|place|flat))", moved["rest"]):
            return Finding(
                memory_type="PROFILE", slot=one(scene.who, "residence"), course="event", confidence=0.9
            )
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    return None


def called(scene: Scene) -> Finding | None:
    """ "I go by Sam", "people call me Jay", "when I say HQ I mean the Mapo office"."""
    if re.match(r"^(?:go by|goes by|am called|am known as|am named)\b", scene.said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "called"), confidence=0.9)
    found = re.match(
        r"^(?:call|calls|refer to|nicknamed?)\s+(?P<what>.+?)\s+(?:as\s+)?(?:['\"“].+|\"?the .+|\"?[a-z]+\"?)$",
        scene.said,
    )
    if (
        found
        and not re.match(
            r"^(?:you|me|him|her|it (?:a|quits)|the (?:police|doctor)|my (?:mom|dad|mother|father|parents) (?:every|on|at))",
            found["what"],
        )
        and not scene.recurring
        and (
            re.search(r"['\"“]|\bmy\b|\bour\b", scene.said)
            or re.match(r"^the .+ the \w", scene.said.split(" ", 1)[1])
        )
    ):
        return Finding(
            memory_type="ALIAS", slot=one(scene.who, f"alias:{value(found['what'])}"), confidence=0.85
        )
    return None


def skill(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    found = re.match(
        r"^(?:can |am able to |know how to |knows how to |used to )?(?P<verb>speak|speaks|play|plays|code|codes|program|swim|juggle|knit|sew|dance|sing|ski|surf|skate|type|drive|cook|draw|paint|ride)\b ?(?P<what>.*)$",
        scene.said,
    )
    able = re.match(r"^(?:can|am able to|know how to|knows how to)\b", scene.said)
    if found and (able or found["verb"].startswith(("speak", "play"))) and not scene.dated:
        if (
            found["verb"].startswith("speak")
            and re.match(r"^(?:to|with|of|about|now)\b", found["what"])
            or EMPTY.match(found["what"] or "x")
        ):
            return None
        if scene.recurring and not able:
            return None
        if found["verb"].startswith("play") and re.match(r"^(?:a role|with|it|around|dumb)", found["what"]):
            return None
        return Finding(
            memory_type="FACT",
            slot=many(scene.who, "skill", f"{found['verb'].rstrip('s')} {value(found['what'])}".strip()),
        )
    barely = re.match(
        r"^can (?:barely|hardly|only|not really) (?P<what>(?:see|hear|walk|swim|run|read|lift|bend|cook|eat|drink|sleep|speak|move|smell|taste)\b.*)$",
        scene.said,
    )
    if barely and not re.search(r"\b(?:you|this|today|right now|tonight|it)\b", barely["what"]):
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value(barely["what"]), negated=True))
    unable = re.match(
        r"^(?:can not|do not know how to|does not know how to|am not able to|am unable to|never learned to|could never)\s+(?P<what>.+)$",
        scene.said,
    )
    if (
        unable
        and not BLANK_CANNOT.match(unable["what"])
        and not re.search(r"\b(?:this|today|right now|anymore because|your|you)\b", unable["what"])
    ):
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value(unable["what"]), negated=True))
    return None
