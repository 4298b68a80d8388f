"""What others did for the user and what has been going on, in English clauses."""

import re

from memoryapp.extract.rules import things
from memoryapp.extract.rules.english_lexicon import ATTRIBUTES, EMPTY, MANY_VALUED
from memoryapp.extract.rules.english_scene import Scene, activity, value
from memoryapp.extract.rules.slots import CONTACTS, USER, Finding, many, one

RAISED = re.compile(
    r"^(?:raised|brought up|adopted|named|taught|homeschooled|trained|introduced) (?:me|us|my (?:\w+))\b(?! (?:that|how|a lesson|not))"
)
KNOWS = re.compile(
    r"^knows? (?:some |a little |a bit of |basic |enough )?(?P<what>(?:[a-z]+ )?(?:sign language|morse code|braille|karate|judo|taekwondo|cpr|first aid|latin|french|german|spanish|italian|japanese|chinese|mandarin|korean|arabic|russian|python|java|javascript|sql|excel|html))\b"
)
ABSTAINS = re.compile(
    r"^(?:do|does) not (?P<what>drive|swim|cook|smoke|drink|vape|gamble|dance|sing|eat out|wear makeup|own a tv|watch tv|use social media|speak \w+)(?: (?:at all|much|anymore|alcohol))?$"
)
SIDE_JOB = re.compile(
    r"^(?:do|does) (?:some |a bit of )?(?:freelance|part-time|volunteer|contract|consulting|pro bono|shift|night|warehouse|delivery|construction|admin) ?\w+"
)


def doing(scene: Scene) -> Finding | None:
    """ "I know some sign language", "I don't drive", "I do freelance photography on the side"."""
    if scene.thing or not scene.who:
        return None
    knows, abstains = KNOWS.match(scene.said), ABSTAINS.match(scene.said)
    if knows:
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", knows["what"]))
    if abstains:
        kind, what = {"smoke": ("smokes", "cigarettes"), "drink": ("drinks", "alcohol")}.get(
            abstains["what"], ("does", abstains["what"])
        )
        return Finding(memory_type="HABIT", slot=many(scene.who, kind, what, negated=True), ends=scene.ended)
    if SIDE_JOB.match(scene.said):
        return Finding(
            memory_type="PROFILE", slot=many(scene.who, "does", value(scene.said.split(" ", 1)[1]))
        )
    return None


NEEDS = re.compile(
    r"^(?:need|needs|require|requires|rely on|relies on|depend on|depends on) (?P<what>(?:my |an? )?(?:reading )?(?:glasses|contacts|hearing aids?|wheelchair|cane|inhaler|medication|insulin|subtitles|silence|white noise|earplugs|a cpap|eight hours|\w+ hours)(?: (?:to|for|when|while|at|of|every|because)\b.*)?)$"
)
VISITS = re.compile(
    r"^see(?:s)? (?:an? |my |our )?(?:\w+ )?(?:therapist|doctor|psychiatrist|psychologist|counsel+or|dietitian|chiropractor|dentist|specialist|tutor|coach|parents|family|grandparents|kids)\b"
)


def needing(scene: Scene) -> Finding | None:
    """ "I need glasses to read", "I see a therapist every two weeks"."""
    needs = NEEDS.match(scene.said)
    if scene.thing or not scene.who:
        return None
    if needs and not scene.dated and not re.search(r"\b(?:now|today|new|buy|find)\b", needs["what"]):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "needs", value(needs["what"])))
    if VISITS.match(scene.said) and scene.recurring:
        return Finding(memory_type="HABIT", slot=many(scene.who, "does", value(scene.said.split(" ", 1)[1])))
    return None


SWORN = re.compile(r"^(?:told|promised|assured) (?P<whom>(?:my |our )?[a-z-]+) (?:that )?i (?:would|will)\b")
BEEN = re.compile(
    r"^(?:have|has) (?:always |recently |lately )?been (?P<what>(?!thinking|wondering|looking|trying|hoping|feeling|waiting|having|getting|meaning|dying|wanting|working|living|telling|saying|asking|talking|sitting|standing|wanting)[a-z]+ing\b.*)$"
)
SINCE = re.compile(
    r"\b(?:since|for (?:about |over |almost |nearly |more than |around |the (?:past|last) )*(?:\d+|[a-z-]+) (?:few |good )?(?:years?|months?|weeks?|decades?)|lately|these days|for years|for ages)\b"
)


FORMERLY = re.compile(
    r"^used to (?:be (?:a |an )?(?P<was>smoker|drinker|vegetarian|vegan)|(?P<verb>smoke|drink|vape|eat|play|go to|do|run|swim|bike|practice|collect|attend|take)\b ?(?P<what>.*))$"
)
KINDS = {"smoke": "smokes", "vape": "smokes", "drink": "drinks", "eat": "eats"}


WAS = re.compile(
    r"^used to (?:be (?:an? |the |in |on |really |so |very )|have |own |teach |work |live |study |drive )\w+"
)
KICKED = re.compile(
    r"^(?:have |has |finally )*(?:kicked|broke|gave up|given up|dropped|beat) (?:my|the|his|her) (?P<what>[\w -]+?)(?: (?:habit|addiction))?(?: (?:in|last|this|two|three|a|for|after|on)\b.*)?$"
)


def kicked(scene: Scene) -> Finding | None:
    """ "I finally kicked my smoking habit"."""
    found = KICKED.match(scene.clause.said) or KICKED.match(scene.said)
    if scene.thing or not found or not re.search(r"habit|addiction", scene.said):
        return None
    what = re.sub(r"^smoking$", "cigarettes", found["what"])
    kind = "smokes" if what == "cigarettes" else "does"
    return Finding(
        memory_type="HABIT", slot=many(scene.who, kind, what, negated=True), ends=True, course="event"
    )


def formerly(scene: Scene) -> Finding | None:
    """ "I used to smoke (but quit)": what is no longer so."""
    found = FORMERLY.match(scene.clause.said)
    if not found and WAS.match(scene.clause.said) and scene.who and not scene.thing:
        return Finding(memory_type="FACT", confidence=0.7)
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


STRUGGLES = re.compile(
    r"^(?:have|has) (?:a (?:really )?(?:hard|tough|difficult) time|trouble|difficulty|problems) (?:with )?(?P<what>\w+ing\b.*)$"
)
GONE = re.compile(
    r"^(?:have|has|went) (?:recently |finally )?(?:gone )?(?:completely |fully |totally |mostly |all )?(?P<what>\w+-free|vegan|vegetarian|sober|keto|paleo|plant-based|cold turkey|gluten free|dairy free|off-grid)\b"
)


def struggling(scene: Scene) -> Finding | None:
    """ "I have a hard time hearing high-pitched sounds", "I've gone caffeine-free"."""
    hard, gone = STRUGGLES.match(scene.said), GONE.match(scene.said)
    if scene.thing or not scene.who or re.search(r"\b(?:this|that|your|you|right now|today)\b", scene.said):
        return None
    if hard and not re.match(
        r"(?:finding|understanding|deciding|logging|opening|loading|installing)\b", hard["what"]
    ):
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value(hard["what"]), negated=True))
    return (
        Finding(memory_type="PROFILE", slot=many(scene.who, "diet", gone["what"]), course="event")
        if gone
        else None
    )


RENEWED = re.compile(
    r"^(?:have |has )?(?:legally |officially |finally )?(?:changed|switched) (?:my|our|his|her|their) (?:(?P<whose>[a-z]+)'s )?(?P<what>[a-z ]+?) (?:from .+ )?to (?!be\b)\S"
)


SWITCHED = re.compile(
    r"^(?:have )?traded (?:in )?(?:my|our|the) [\w ]+? for (?P<traded>.+)$|^(?:have )?(?:switched|upgraded|changed|moved)(?: (?:over|from [\w ]+?))? to (?P<what>.+)$"
)
ON_TEAM = re.compile(
    r"^am (?:now )?(?:on|in|part of) the (?P<what>[\w&' -]{2,30}?) (?:team|department|dept)(?: now)?$"
)


SOLD = re.compile(
    r"^(?:have )?(?:(?:just|finally|recently) )?(?:sold|got rid of|gave away|scrapped|totaled|totalled) (?:my|our) (?:old )?(?P<what>car|phone|laptop)\b"
)


def parted_with(scene: Scene) -> Finding | None:
    """ "I sold my car": what was had is had no more."""
    found = SOLD.match(scene.said)
    if not found or scene.thing or scene.who in ("", "you"):
        return None
    attribute = {"phone": "phone_model"}.get(found["what"], found["what"])
    slot = one(scene.who, attribute, negated=True)
    return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)


def renewed(scene: Scene) -> Finding | None:
    """ "I changed my name to Seoyeon": another value of what somebody has one of."""
    switched = SWITCHED.match(scene.said)
    owned = (
        things.owned_once(value(switched["what"] or switched["traded"]))
        if switched and not scene.thing
        else ""
    )
    if owned:
        return Finding(memory_type="EVENT", slot=one(scene.who, owned), course="event", confidence=0.85)
    if scene.who == USER and not scene.thing and ON_TEAM.match(scene.clause.said):
        return Finding(memory_type="PROFILE", slot=one(USER, "team"), confidence=0.85)
    found = RENEWED.match(scene.said)
    attribute = ATTRIBUTES.get(found["what"]) if found and not scene.thing else None
    if found is None or attribute is None or attribute in MANY_VALUED - CONTACTS:
        return None
    slot = one(found["whose"] or scene.who, attribute)
    return Finding(memory_type="PROFILE", slot=slot, course="event", confidence=0.85)


DATING = re.compile(
    r"^(?:(?:am|have been|started) (?:dating|going out with)|have been seeing (?!an? |the |my )|am in a relationship with|have an? (?:boyfriend|girlfriend|partner))\b(?! (?:a )?(?:doctor|therapist|dentist|specialist|physio\w*|counsel+or))"
)
PARTED = re.compile(r"^(?:have )?(?:(?:just|recently|finally) )?(?:broke up|broken up|split up|separated)\b")


def couple(scene: Scene) -> Finding | None:
    """ "I've been dating Jake for two years", "we broke up"."""
    if scene.thing or scene.who != USER:
        return None
    if DATING.match(scene.said):
        return Finding(memory_type="PROFILE", slot=one(USER, "partner"), confidence=0.8)
    if PARTED.match(scene.said) and not re.search(r"\bfight|kids|argument\b", scene.said):
        slot = one(USER, "partner", negated=True)
        return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)
    return None


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
