"""What somebody scored, passed or measures, in English clauses: "scored 7.5 on the IELTS", "five foot four"."""

import re

from memoryapp.extract.rules.english_scene import Scene
from memoryapp.extract.rules.slots import Finding, many, one

EXAM = r"(?:ielts|toefl|toeic|sat|act|gre|gmat|lsat|mcat|jlpt|hsk|topik|dele|delf|opic|csat|bar(?: exam)?|cpa(?: exam)?|gpa|iq test|driving test|finals?|midterms?|exam|test|a-levels?|aps?|[a-z]+ exam|[a-z]+ test)"
SCORED = re.compile(
    rf"^(?:have |has |just )*(?:scored|got|received|earned|hit|achieved|made|have|has|passed|placed|ranked) (?:an? |the |my )?(?:overall |total |perfect )?(?P<mark>\d[\d.,/%]*|band \d[\d.]*|[a-d][+-]?|level \d|n[1-5]|(?:\w+ ){{0,2}}score)(?: (?:score|points?|percent|overall|total|out of \d+))? (?:on|in|for|at) (?:the |my )?(?:\w+ )?(?P<exam>{EXAM})\b",
)
PASSED = re.compile(
    rf"^(?:have |has |just |finally )*(?:passed|cleared|failed|aced) (?:the |my |level )?(?P<exam>(?:jlpt|hsk|topik|ielts|toefl|bar|cpa|{EXAM})\b.*)$"
)
GPA = re.compile(
    r"^(?:have|has|got|graduated with) an? (?:\d\.\d+|\d{2,3}) (?P<what>gpa|iq|handicap|elo|rating|credit score)\b"
)
HEIGHT = re.compile(
    r"^(?:am|is|are|stand|stands) (?:about |around |only |almost |nearly )?(?:(?:four|five|six|seven|\d)[ -](?:foot|feet|ft)(?:[ -](?:\w+|\d+))?|\d'\d|\d{3} ?cm|\d\.\d+ ?m(?:eters)?)(?: tall)?$"
)
SIZE = re.compile(r"^(?:wear|wears|take|takes|am|is) (?:an? )?size (?P<size>[\w.]+)(?: in)?(?P<what>.*)$")


def score(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    said = scene.said
    scored, passed, gpa = SCORED.match(said), PASSED.match(said), GPA.match(said)
    if scored:
        return Finding(memory_type="PROFILE", slot=one(scene.who, f"score:{scored['exam']}"), course="event")
    if gpa:
        return Finding(memory_type="PROFILE", slot=one(scene.who, gpa["what"]))
    if passed:
        return Finding(memory_type="EVENT", course="event")
    if HEIGHT.match(said):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "height"), confidence=0.85)
    size = SIZE.match(said)
    if size:
        return Finding(memory_type="PROFILE", slot=many(scene.who, "size", size["what"].strip() or "size"))
    return None
