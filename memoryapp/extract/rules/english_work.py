"""What somebody works at or studies, in English clauses."""

import re

from memoryapp.extract.rules.english_lexicon import (
    EMPTY,
    PLACES,
)
from memoryapp.extract.rules.english_scene import NEGATED, Scene, value
from memoryapp.extract.rules.slots import Finding, many, one


def working(scene: Scene) -> Finding | None:
    if scene.thing:
        return None
    said = scene.said
    negated = bool(NEGATED.search(said))
    plain = re.sub(
        r"^(?:(?:do|does|am|is|are|have|has) )?(?:not|never|no longer) |^(?:have|has) been |^(?:have|has) ",
        "",
        said,
    )
    if re.match(r"^(?:work|works|working|worked)\b", plain):
        if said.startswith("worked"):
            return (
                Finding(memory_type="FACT", course="event")
                if re.match(r"^worked (?:at|for|as|in)\b", said)
                else None
            )
        return at_work(scene, plain, negated)
    if (
        re.match(
            r"^(?:left|quit|resigned from|retired from|was laid off from|got laid off from|got fired from|departed)\b",
            plain,
        )
        and not negated
    ):
        rest = re.sub(r"^\w+(?: from| off from)? ?", "", plain)
        if (
            _employs(scene, rest)
            and re.match(
                r"^(?:my job|the company|my (?:old |previous |last )?(?:company|position|role|firm)|(?:[A-Z]?\w+)(?:$| (?:last|in|after|this|yesterday|two|to|at|a|and)))",
                rest,
            )
            and not re.match(
                r"^(?:home|early|smoking|drinking|coffee|alcohol|sugar|the (?:house|party|room|office early)|it|him|her|them|work early|gym|for|school early)",
                rest,
            )
        ):
            return Finding(
                memory_type="EVENT",
                slot=one(scene.who, "employer", negated=True),
                ends=True,
                course="event",
                confidence=0.85,
            )
    joined = re.match(
        r"^(?:have |has )?(?:just |recently )?(?:joined|started (?:a new job|working|work)? ?(?:at|for|as|with)|got (?:a|an|my)(?: new)? (?:job|offer|position|role|internship)|accepted (?:a|an|the) (?:job|offer|position|role)|started (?:a|my) new (?:job|role|position)|was hired|got hired|switched jobs|changed jobs)\b(?P<rest>.*)",
        said,
    )
    if joined and re.match(
        r"^(?:have |has )?(?:just |recently )?joined (?:an?|my|our|this|that|the (?!team at))\b", said
    ):
        return Finding(memory_type="EVENT", course="event")
    if joined:
        rest = said
        if said.startswith(("joined", "have joined")) and re.search(
            r"\b(?:gym|club|class|band|choir|team (?:chat|call)|call|meeting|group|church|league|discord|slack)\b",
            said,
        ):
            return Finding(memory_type="EVENT", course="event")
        place = re.search(r"\b(?:at|joined|with|for) (?P<at>[\w&' .-]+)", rest)
        if place and not re.match(r"^(?:work|the moment)", place["at"]):
            return Finding(
                memory_type="PROFILE", slot=one(scene.who, "employer"), course="event", confidence=0.85
            )
        if re.search(r"\bas (?:a|an|the)\b", rest):
            return Finding(
                memory_type="PROFILE", slot=one(scene.who, "occupation"), course="event", confidence=0.85
            )
        return Finding(memory_type="EVENT", course="event")
    if re.match(
        r"^(?:lead|leads|manage|manages|run|runs|head|heads|oversee|oversees|supervise|supervises|own|owns|founded|co-founded|cofounded|direct|directs)\b (?:a|an|the|our|my|\w+ (?:at|for)|at|two|three|several|\d+|\w+(?: \w+)? (?:team|department|company|business|shop|project|division|group|engineering|marketing|sales|design)|\w+ at)\b",
        plain,
    ) and not re.match(
        r"^(?:run|runs|own|owns) (?:a (?:mile|marathon|half|5k|10k|car|house|bike|boat|dog|cat|tesla|test|query|script)|an? (?:error|issue|electric)|the (?:code|test|script|dishwasher))",
        plain,
    ):
        slot = (
            one(scene.who, "business")
            if re.match(r"^(?:own|owns|run|runs|founded|co-?founded) (?:a|an|my|our)", plain)
            else one(scene.who, "occupation")
        )
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.85)
    if re.match(r"^(?:teach|teaches)\b", plain):
        return (
            Finding(memory_type="PROFILE", slot=one(scene.who, "occupation"), confidence=0.85)
            if not re.match(r"^teach(?:es)? (?:me|you|him|her|us|them|myself)", plain)
            else None
        )
    if re.match(
        r"^(?:study|studies|studied|major|majors|attend|attends|attended|go to|goes to|majored|graduated|minored)\b",
        plain,
    ):
        return _studying(scene, plain, negated)
    if re.match(r"^report(?:s)? to ", plain):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "reports_to"))
    return None


def _employs(scene: Scene, what: str) -> bool:
    """ "I quit Samsung" and "I left the company", but "I quit yoga"."""
    named = re.search(r"\b(?:left|quit|from|departed) (?:the )?[A-Z]", scene.clause.original)
    return bool(named) or bool(re.match(r"(?:my|the|a|an) |work\b|school teaching", what))


def at_work(scene: Scene, plain: str, negated: bool) -> Finding | None:
    rest = re.sub(r"^work(?:s|ing|ed)? ?", "", plain)
    if re.match(
        r"^(?:on (?:this|it|that|the (?:bug|code|problem|issue|task|essay))|hard|out(?! of)|fine|well|best|great|for me|like|with (?:what|it|this|that|you))\b",
        rest,
    ):
        return (
            Finding(memory_type="HABIT", slot=many(scene.who, "does", "work out"))
            if rest.startswith("out") and scene.recurring
            else None
        )
    if re.match(
        r"^(?:from home|remotely|nights?|night shifts?|part[- ]time|full[- ]time|freelance|shifts|weekends|late|overtime|the night|\d+ hours|mon)",
        rest,
    ):
        return Finding(
            memory_type="HABIT" if scene.recurring else "PROFILE",
            slot=one(scene.who, "work_mode", negated=negated),
            ends=scene.ended,
        )
    where = re.search(r"\b(?P<prep>at|for|in|with|out of|near) (?P<at>(?:a |an |the )?[\w&'. -]+)", rest)
    role = re.search(r"\bas (?:a|an|the)?\b", rest)
    if (
        where
        and where["prep"] in ("at", "for", "with")
        and not re.match(
            r"^(?:home|night|the moment|least|a while|\d+ years|years|many years|(?:over |about |almost )?(?:a (?:year|month|week|long|few|couple|decade|while)|(?:two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty) (?:years|months|weeks|decades)))\b",
            where["at"],
        )
    ):
        place = value(where["at"])
        area = place.split()[-1] in PLACES if place else False
        return Finding(
            memory_type="PROFILE",
            slot=one(scene.who, "workplace" if area else "employer", negated=negated),
            ends=scene.ended,
            confidence=0.9,
        )
    if where and where["prep"] in ("in", "near", "out of"):
        field = re.match(
            r"^in (?:it|tech|finance|marketing|sales|hr|healthcare|education|advertising|construction|hospitality|logistics|real estate|publishing|insurance|software|retail|law|consulting|biotech|design|fashion|film|gaming|banking|customer \w+|human resources|public relations|data|research|accounting|engineering|product|the \w+ (?:industry|sector|field|department))\b",
            rest,
        )
        return Finding(
            memory_type="PROFILE",
            slot=one(scene.who, "occupation" if field else "workplace", negated=negated),
            ends=scene.ended,
            confidence=0.9,
        )
    if role:
        return Finding(
            memory_type="PROFILE",
            slot=one(scene.who, "occupation", negated=negated),
            ends=scene.ended,
            confidence=0.9,
        )
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
        return (
            Finding(memory_type="PROFILE", slot=one(scene.who, "major"), course="event")
            if re.search(r"\b(?:at|in)\b|university|college|school", plain)
            else None
        )
    if re.match(r"^(?:study|studies) (?:at|in) ", plain) or re.search(
        r"\b(?:university|college|school|academy|institute|kindergarten|high school)\b", plain
    ):
        return Finding(
            memory_type="PROFILE",
            slot=one(scene.who, "school", negated=negated),
            ends=scene.ended,
            confidence=0.85,
        )
    if re.match(r"^(?:study|studies) ", plain) and not scene.recurring:
        return (
            Finding(memory_type="PROFILE", slot=one(scene.who, "major"))
            if not EMPTY.match(plain.split(" ", 1)[1])
            else None
        )
    return None
