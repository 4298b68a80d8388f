"""What somebody likes, eats, avoids, in English clauses."""

import re

from memoryapp.extract.rules.english_lexicon import (
    EMPTY,
)
from memoryapp.extract.rules.english_scene import Scene, value
from memoryapp.extract.rules.slots import Finding, many, preferred
from memoryapp.extract.rules.things import MEDICINE

GETTING_INTO = re.compile(
    r"^(?:have )?(?:gotten|got|been getting|been) (?:really |very )?into (?P<what>(?!the\b|a\b|an\b|trouble|it\b|this|that|my|bed|college|university|law|med)\w.*)$"
)
KEEPING_OFF = re.compile(
    r"^try (?:not to|to (?:avoid|stay away from|limit|cut (?:down|back) on|steer clear of|reduce))\s+(?:eat(?:ing)?|drink(?:ing)?|consume|have)?\s*(?P<what>\w.*)$"
)


def leaning(scene: Scene) -> Finding | None:
    """ "I've gotten into jazz", "I try to stay away from processed food"."""
    liked, avoided = GETTING_INTO.match(scene.said), KEEPING_OFF.match(scene.said)
    found = liked or avoided
    if not found or scene.thing or EMPTY.match(found["what"]):
        return None
    if liked:
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value(found["what"])))
    return Finding(
        memory_type="HABIT", slot=many(scene.who, "eats", value(found["what"]), negated=True), confidence=0.75
    )


#: "everything except mushrooms": what is left out is what is told.
LEFT_OUT = re.compile(
    r"^(?:can )?(?P<verb>like|likes|love|loves|enjoy|enjoys|eat|eats|drink|drinks) (?:(?:almost|nearly|pretty much|basically|just about) )?(?:everything|anything|all (?:kinds of )?[\w-]+(?: [\w-]+)?) (?:except(?: for)?|but|apart from|other than|besides) (?P<what>(?!the (?:last|first)\b|when\b|that\b|this\b|you\b|to\b|for\b)[\w -]{2,40})$"
)


def leaving_out(scene: Scene) -> Finding | None:
    """ "I eat everything but pork"."""
    found = LEFT_OUT.match(scene.said)
    if not found or scene.thing:
        return None
    verb = {"ea": "eats", "dr": "drinks"}.get(found["verb"][:2], "likes")
    slot = many(scene.who, verb, value(found["what"]), negated=True)
    return Finding(memory_type="PREFERENCE", slot=slot, confidence=0.85)


def liking(scene: Scene) -> Finding | None:
    said = scene.said
    over = re.match(r"^would (?:always )?(?:take|choose|pick) (?P<what>.+?) over (?P<other>.+)$", said)
    if over:
        return Finding(memory_type="PREFERENCE", slot=preferred(scene.who, value(over["what"])))
    wants = re.match(
        r"^would (?P<not>not )?(?P<verb>like|prefer|rather|love|appreciate)(?P<not2> not)? (?P<what>.+)$",
        said,
    )
    if wants:
        return _would(scene, wants)
    found = re.match(
        r"^(?P<not>(?:do|does) (?:not|never) |never |no longer |can not |could never )?(?:really |particularly |much |even |actually |especially |usually |always |generally |still )*(?P<verb>like|likes|love|loves|enjoy|enjoys|prefer|prefers|adore|adores|hate|hates|dislike|dislikes|detest|detests|loathe|loathes|stand|bear|tolerate|care for|cares for|am not a fan of|mind|minds)\s+(?P<what>.+)$",
        said,
    )
    if not found or scene.thing:
        return None
    what = found["what"]
    verb = found["verb"]
    if (
        verb in ("stand", "bear", "tolerate")
        and not (found["not"] or "").startswith(("can", "could"))
        or verb.startswith("mind")
    ):
        return None
    what = re.sub(r"^it when (?!you)", "when ", what)
    what = re.sub(r"^(?:anything|everything) (?=(?:too )?\w+$|with \w+$)", "", what)
    if (
        EMPTY.match(what)
        and not re.match(r"^when (?!you)", what)
        or re.search(r"\byou\b(?!r? know)", what)
        and not re.search(r"when you|you to|your (?:answers|replies|responses)", what)
        or re.match(r"^(?:if|that)\b", what)
        and "when you" not in what
    ):
        return None
    disliked = verb.startswith(("hate", "dislike", "detest", "loathe", "stand", "bear", "tolerate"))
    negated = disliked if verb in ("stand", "bear", "tolerate") else disliked != bool(found["not"])
    target = value(re.sub(r"^to ", "", what))
    if not target or target in ("to", "it", "so", "that", "this", "them"):
        return None
    if re.search(r"\b(?:answers?|replies|responses?|explanations?|when you|you to|your)\b", what):
        return Finding(memory_type="RULE", slot=many(scene.who, "rule:answers", target, negated=negated))
    compared = verb.startswith("prefer") or re.search(r"\b(?:more than|over|better than)\b", what)
    slot = (
        preferred(scene.who, value(re.split(r" (?:over|to|rather than|more than|instead of) ", target)[0]))
        if compared and not negated
        else many(scene.who, "likes", target, negated=negated)
    )
    return Finding(memory_type="PREFERENCE", slot=slot, ends=scene.ended, confidence=0.9)


def _would(scene: Scene, wants: re.Match[str]) -> Finding | None:
    """Wishes are no facts, but "I would not like calls before 9" and "I'd prefer short answers" are rules."""
    what = wants["what"]
    negated = bool(wants["not"] or wants["not2"])
    conduct = re.search(
        r"\b(?:answers?|repl(?:y|ies)|responses?|calls?|meetings?|emails?|texts?|notifications?|messages?|reminders?|you to|you (?:not|always|never|would|did)|summar(?:y|ies)|bullet|emojis?|be (?:called|contacted|disturbed|addressed))\b",
        what,
    )
    if (
        not conduct
        or re.match(r"^you (?:did|would)(?: not)?$", what)
        or re.match(r"^(?:to (?:know|see|book|make|order|schedule|send|call|write|ask)\b(?! me))", what)
        or re.search(
            r"\byou to (?!always|never|call me|use|keep|answer|respond|reply|speak|be|address|avoid|stop)",
            what,
        )
    ):
        return None
    if re.search(r"\b(?:this|today|tomorrow|now)\b", what) and not re.search(
        r"from now on|always|never", scene.full
    ):
        return None
    return Finding(
        memory_type="RULE",
        slot=many(scene.who, "rule:conduct", value(what), negated=negated),
        confidence=0.85,
    )


EATEN = re.compile(
    r"\b(?:meat|beef|pork|chicken|fish|seafood|sugar|gluten|dairy|cheese|bread|carbs?|rice|pasta|sweets?|candy|chocolate|desserts?|cakes?|cookies|snacks?|snacking|chips|fries|ramen|noodles|pizza|burgers?|salt|butter|eggs?|nuts|wheat|flour|ice cream|food|fruit|soy|grains?)$"
)
ONLY_WHEN = re.compile(
    r"(?:(?:in|on|since|last|this) \w+|(?:for )?(?:(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|many|couple|of) ){1,3}(?:years?|months?|weeks?|days?)(?: ago)?|recently|for good)(?: \w+)?"
)
#: What was not so before: "I can eat spicy food now".
AGAIN = re.compile(
    r"^can (?:now |finally )?(?:eat|drink|have|tolerate|handle|take) .*\b(?:now|again|these days|fine)$|^can (?:now|finally) "
)


def eating(scene: Scene) -> Finding | None:
    found = re.match(
        r"^(?P<lead>(?:have )?(?:started|began|begun) |(?:do|does|can|could|will) (?:not|never) |refuses? to |never |no longer |can only |only |have (?:stopped|quit|given up) |stopped |quit |gave up |am off |have not (?:eaten|had|drunk|touched|smoked) |(?:am|is) not (?:eating|drinking|smoking) |avoid |avoids |am (?:eating|drinking) |can )?(?:really |usually |always |ever |often |even |eat(?:ing)? or |touch or )*(?P<verb>eat|eats|eating|drink|drinks|drinking|have|smoke|smokes|smoking|vape|consume|consuming|touch|tolerate|handle|digest|take|takes|taking|cook|cooks)?\b ?(?P<what>.*)$",
        scene.said,
    )
    if not found or scene.thing:
        return None
    lead, verb, what = (found["lead"] or "").strip(), found["verb"] or "", found["what"]
    what, plenty = re.subn(r"^(?:a lot of|lots of|tons of|plenty of|too much) ", "", what)
    if re.match(r"^(?:can )?only\b", scene.clause.said):
        lead = "only"
    begun = re.match(
        r"^(?:have )?(?:started|began|begun) (?P<v>eating|drinking|smoking) (?P<w>.+)$", scene.said
    )
    if begun and not EMPTY.match(begun["w"]):
        return Finding(
            memory_type="HABIT",
            slot=many(
                scene.who, {"e": "eats", "d": "drinks", "s": "smokes"}[begun["v"][0]], value(begun["w"])
            ),
            course="event",
        )
    if (
        verb == ""
        and lead
        not in ("quit", "gave up", "have given up", "have quit", "am off", "avoid", "avoids", "stopped")
        and not lead.startswith("have not")
    ):
        return None
    kind = {
        "eat": "eats",
        "drin": "drinks",
        "smok": "smokes",
        "vape": "smokes",
        "cons": "eats",
        "touc": "eats",
        "dige": "eats",
        "hand": "eats",
        "take": "takes",
        "taki": "takes",
    }.get(verb[:4], "")
    what = re.sub(
        r"^(?:anything|any food|foods?|things|dishes|stuff) (?:with|containing|made (?:with|from)|that (?:has|have|contains?)) (?P<w>.+?)(?: in (?:it|them))?$",
        r"\g<w>",
        what,
    )
    what = re.sub(r"^anything (?P<how>green|spicy|sweet|fishy|raw|fried|sour|bitter)$", r"\g<how> food", what)
    target = "" if ONLY_WHEN.fullmatch(what) else value(what)
    if verb.startswith(("smok", "vape")) and not target:
        target = "cigarettes"
    if verb.startswith("drink") and not target:
        target = "alcohol"
    stopping = lead in ("quit", "gave up", "stopped", "have quit", "have given up", "have stopped")
    if stopping and not verb:
        habit = re.match(r"^(?:my job|work|the|school|college|university|trying|by|here|at|in)\b", target)
        if habit or not target:
            return None
        kind = (
            "smokes"
            if "smok" in target or "cigar" in target
            else "drinks"
            if re.search(
                r"coffee|alcohol|drink|beer|wine|soda|caffeine|\btea\b|milk|juice|cola|coke|soju|whisky|whiskey|vodka|matcha|latte|espresso",
                target,
            )
            else "takes"
            if MEDICINE.search(target)
            else "eats"
            if EATEN.search(target)
            else "does"
        )
        return Finding(
            memory_type="HABIT",
            slot=many(scene.who, kind, target, negated=True),
            ends=True,
            course="event",
            confidence=0.85,
        )
    if not stopping and AGAIN.match(scene.clause.said) and kind in ("eats", "drinks", "") and target:
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, kind or "eats", target))
    negative = bool(re.search(r"\b(?:not|never|no longer|avoid|avoids|off|refuses?)\b", lead)) or stopping
    if (
        verb in ("have", "take", "takes", "taking", "cook", "cooks", "handle", "tolerate", "touch")
        and not negative
        and not scene.recurring
        and verb not in ("take", "takes")
    ):
        return None
    if verb == "have" and (
        not scene.recurring
        or not re.match(
            r"^(?:a |an |my |some |two |\d )?(?:\w+ ){0,2}(?:beer|coffee|tea|wine|smoothie|breakfast|lunch|dinner|salad|snack|drink|cup|glass|bowl|oatmeal|toast|eggs?|fruit|yogurt|soup|cereal|espresso|latte|meal|sandwich|juice|milk|water|shake)\b",
            what,
        )
    ):
        return None
    if (
        negative
        and re.match(r"^(?:anything|after|before|past|at night)", target or what)
        and re.search(r"\b(?:after|before|past|at night|between)\b", what)
    ):
        return Finding(memory_type="HABIT")
    if (
        not target
        or EMPTY.match(target)
        or re.match(
            r"^(?:care|place|time|part|long|notes|lead|a (?:look|break|seat|shower|nap|while|picture|photo)|look|break)\b",
            what,
        )
    ):
        return None
    if verb in ("take", "takes", "taking"):
        slot = many(scene.who, "takes", target, negated=negative)
        ended = stopping or scene.ended
        return Finding(memory_type="HABIT", slot=slot, ends=ended) if MEDICINE.search(what) else None
    if verb in ("handle", "tolerate", "touch") and not re.search(
        r"\b(?:food|spicy|dairy|lactose|gluten|alcohol|caffeine|meat|pork|seafood|heat|milk|sugar|cold|noise)\b",
        what,
    ):
        return None
    kind = kind or "eats"
    if (
        re.search(r"\b(?:coffee|tea|alcohol|beer|wine|soda|milk|caffeine|juice|cola|coke)\b", target)
        and verb == ""
    ):
        kind = "drinks"
    if MEDICINE.search(target) and verb == "":
        kind = "takes"
    if negative:
        conditional = re.search(
            r"\b(?:after|before|at night|in the (?:evening|morning)|on (?:mon|tues|wed|thurs|fri|sat|sun|week)\w*|when|if|unless|past \d)\b",
            scene.full,
        )
        slot = None if conditional and not scene.ended else many(scene.who, kind, target, negated=True)
        return Finding(
            memory_type="HABIT" if stopping or slot is None else "PREFERENCE",
            slot=slot,
            ends=scene.ended or lead == "am off",
            course="event" if stopping else "state",
            confidence=0.9,
        )
    if scene.recurring or plenty or lead in ("only", "can only") or kind == "smokes":
        return Finding(memory_type="HABIT", slot=many(scene.who, kind, target))
    return None
