"""What others did for the user and what has been going on, in English clauses."""

import re

from memoryapp.extract.rules.english_lexicon import EMPTY
from memoryapp.extract.rules.english_scene import Scene, activity, value
from memoryapp.extract.rules.slots import USER, Finding, many

RAISED = re.compile(
    r"^(?:raised|brought up|adopted|named|taught|homeschooled|trained|introduced) (?:me|us|my (?:\w+))\b(?! (?:that|how|a lesson|not))"
)
SWORN = re.compile(r"^(?:told|promised|assured) (?P<whom>(?:my |our )?[a-z-]+) (?:that )?i (?:would|will)\b")
BEEN = re.compile(
    r"^(?:have|has) (?:always |recently |lately )?been (?P<what>(?!thinking|wondering|looking|trying|hoping|feeling|waiting|having|getting|meaning|dying|wanting|working|living|telling|saying|asking|talking|sitting|standing|wanting)[a-z]+ing\b.*)$"
)
SINCE = re.compile(
    r"\b(?:since|for (?:about |over |almost |nearly |more than |around |the (?:past|last) )*(?:\d+|a|an|two|three|four|five|six|seven|eight|nine|ten|several|many|few) (?:few )?(?:years?|months?|weeks?|decades?)|lately|these days|for years|for ages)\b"
)


FORMERLY = re.compile(
    r"^used to (?:be (?:a |an )?(?P<was>smoker|drinker|vegetarian|vegan)|(?P<verb>smoke|drink|vape|eat|play|go to|do|run|swim|bike|practice|collect|attend|take)\b ?(?P<what>.*))$"
)
KINDS = {"smoke": "smokes", "vape": "smokes", "drink": "drinks", "eat": "eats"}


def formerly(scene: Scene) -> Finding | None:
    """ "I used to smoke (but quit)": what is no longer so."""
    found = FORMERLY.match(scene.clause.said)
    if scene.thing or not found or not scene.who:
        return None
    verb, what = found["verb"] or "", value(found["what"] or "")
    if found["was"]:
        return Finding(memory_type="FACT", confidence=0.7)
    what = re.sub(r"^(?:but|until|till|when|before|back)\b.*", "", what) or {
        "smoke": "cigarettes",
        "vape": "cigarettes",
        "drink": "alcohol",
    }.get(verb, verb)
    if EMPTY.match(what):
        return None
    return Finding(
        memory_type="HABIT",
        slot=many(scene.who, KINDS.get(verb, "does"), what, negated=True),
        ends=True,
        confidence=0.75,
    )


def raised(scene: Scene) -> Finding | None:
    """ "My grandmother raised me", "my dad taught me the piano"."""
    if scene.thing or scene.who in ("", USER) or not RAISED.match(scene.said):
        return None
    return Finding(memory_type="FACT", confidence=0.7)


def sworn(scene: Scene) -> Finding | None:
    """ "I told Mark I'd lend him my drill"."""
    found = SWORN.match(scene.said)
    if scene.who != USER or scene.thing or not found or found["whom"] in ("you", "it", "myself"):
        return None
    return Finding(memory_type="AGREEMENT", course="event")


def ongoing(scene: Scene) -> Finding | None:
    """ "I've been journaling every night for a year"."""
    found = BEEN.match(scene.said)
    if scene.thing or not found or EMPTY.match(found["what"].split(" ", 1)[-1]):
        return None
    if not (scene.recurring or SINCE.search(found["what"])):
        return None
    slot = many(scene.who, "does", activity(re.sub(SINCE, "", found["what"])))
    return Finding(memory_type="HABIT" if scene.recurring else "FACT", slot=slot)
