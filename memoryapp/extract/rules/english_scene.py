"""One English clause being judged, and what every rule asks of it."""

import re
from dataclasses import dataclass
from datetime import date

from memoryapp.dates import When
from memoryapp.extract.rules.english_clauses import Clause
from memoryapp.extract.rules.english_lexicon import (
    FREQUENCY,
)

ADVERBS = re.compile(
    r"^(?:(?:really|just|actually|currently|now|also|still|recently|both|absolutely|truly|definitely|honestly|simply|finally|basically|personally|mainly|primarily|already|only|officially|happily|totally|"
    r"usually|always|often|generally|normally|typically|mostly|sometimes|regularly|rarely|almost|probably|seriously|deeply|strongly|even|ever|kind of|sort of|particularly|especially|completely|strictly|secretly|certainly|have always|have never|used to always|have long|have recently|have just|have now|do(?= (?:like|love|enjoy|prefer|have|live|work|hate))) )+"
)
NEGATED = re.compile(
    r"^(?:do|does|did|am|is|are|can|could|would|will|have|has|was)? ?(?:not|never|no longer)\b|\bno longer\b|^never\b"
)
TAIL = re.compile(
    r"(?:,.*$|\s+(?:for (?:\w+ ){1,2}reasons|due to|thanks to|because|since|so|but|when|if|after|before|while|although|though|as|and (?:i|my|we)|anymore|any more|any longer|very much|a lot|the most|too|as well|at all|now|these days|lately|right now|currently|again|more than|over|instead of|rather than|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)|in the (?:morning|evening|afternoon)|at night|for (?:\d+|a|two|three|four|five|many|several|about|over|almost|the)|daily|last (?:week|month|year|spring|summer|fall|winter)|next (?:week|month|year)|yesterday|tomorrow|this (?:week|month|year|summer)|in (?:19|20)\d\d|since)\b.*$)"
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
        return any(
            self.sentence[w.begin : w.stop].lower()
            not in ("today", "tonight", "this morning", "this afternoon", "this evening", "this week")
            for w in self.whens
        )

    @property
    def ahead(self) -> bool:
        return any(w.bound == "until" or w.end > w.start for w in self.whens) and self.well_dated

    @property
    def ended(self) -> bool:
        return bool(
            re.search(
                r"\bno longer\b|\b(?:not|never)\b.*\b(?:anymore|any more|any longer)\b|^(?:have )?(?:stopped|quit|given up|gave up|left)\b",
                self.full,
            )
        )

    @property
    def recurring(self) -> bool:
        return bool(FREQUENCY.search(self.full))


def value(text: str) -> str:
    """The object of a slot out of what follows the verb: without tail clauses and articles."""
    text = TAIL.sub("", text.strip())
    text = re.sub(
        r"^(?:(?:the|a|an|my|our|any|some|all|most|really|very|eating|drinking|having|to (?:eat|drink|have)) )+",
        "",
        text,
    )
    return re.sub(r"\s+", " ", text).strip(" .,!;:'\"")


def activity(said: str) -> str:
    """What is done, however the verb is: "go to the gym", "do yoga", "play tennis" → gym, yoga, tennis."""
    bare = re.sub(
        r"^(?:(?:always|usually|often|never|ever|regularly) )*(?:do|does|doing|go|goes|going|play|plays|playing|practice|practices|practicing|attend|attends|attending|take|takes|taking|have|having)\b ?(?:to )?(?:the |my |a |an |some )?",
        "",
        said,
    )
    return value(bare) or value(said)
