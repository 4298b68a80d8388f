"""Facts from English sentences: cut into clauses, judge each, put dates and statements to what is worth keeping."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from zoneinfo import ZoneInfo

from memoryapp import dates
from memoryapp.extract.base import Fact
from memoryapp.extract.rules import (
    english_renewed,
    english_requests,
    english_settled,
    english_spoken,
    guard,
    normalize,
)
from memoryapp.extract.rules.english_allergies import one_by_one
from memoryapp.extract.rules.english_clauses import (
    LEAD,
    NOBODY,
    Clause,
    Topic,
    clauses,
    sentences,
)
from memoryapp.extract.rules.english_rules import judge
from memoryapp.extract.rules.english_scene import Scene
from memoryapp.extract.rules.english_whole import whole
from memoryapp.extract.rules.slots import USER, Finding, once, one
from memoryapp.extract.rules.times import place

REMEMBER = re.compile(
    r"^(?:(?:please|pls|also|and|ok|okay|hey|can you|could you|will you|would you|i(?:'d| would) like you to|i want you to|i need you to|make sure (?:to|you)|just)\s+)*(?:remember|note|keep in mind|make a note|take note|bear in mind|(?:(?:you )?(?:must not|mustn'?t|should never)|do not|don'?t|never|let'?s not) (?:ever )?forget|save|store|write down|jot down|record|fyi|for the record|for your information|memori[sz]e)\b(?:\s+(?:this|the following|for (?:later|me|next time|future reference)|down))*\s*(?:,?\s*that\b|[:,\-]|(?=\s(?:i|my|we|our|i'm)\b))\s*(?:that\s+)?",
    re.IGNORECASE,
)
#: "You know I'm allergic to peanuts, right?": told once more, not asked.
KNOWN = re.compile(
    r"^you (?:already )?know,? (?:that )?(?P<told>(?:i|my|we|our)\b.+?),? (?:right|don'?t you|remember)\?$",
    re.IGNORECASE,
)
REMEMBER_TAIL = re.compile(
    r"[.,;!\s]*\b(?:(?:please|so please|so)\s+)?(?:remember (?:that|this|it)|keep (?:that|this|it) in mind|make a note(?: of (?:that|this|it))?|note (?:that|this) down|don'?t forget (?:that|this|it))(?:,? (?:please|ok|okay))?[.!]*$",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"^(?:(?:so|and|but|ok|okay|hey|hi|well|btw|by the way|also|then|sorry)[, ]+)*(?:what|who|whom|whose|where|when(?! i| you| we| my)|why|how|which|is|are|am i|was|were|do|does|did|can|could|would|will|should|shall|may i|have you|has|had|isn't|aren't|don't you|doesn't|didn't|can't you|won't|wouldn't you|any (?:idea|tips|suggestions|recommendations))\b(?!['’])",
    re.IGNORECASE,
)
HYPOTHETICAL = re.compile(
    r"^(?:if|suppose|supposing|imagine|what if|let's say|say|pretend|assume|assuming|hypothetically|in theory|were i|had i|unless)\b|\bif i (?:were|was|had|could|won|lived|moved|became|got)\b|\bi wish\b|\bi might\b|\bi may\b|\bmaybe i\b|\bperhaps i\b|\bi could (?:be|have|move)\b|\bwould have (?:been|had)\b|\bin (?:the|a|my) (?:story|novel|movie|book|dream|game|role-?play|scenario)\b|\bi (?:dreamed|dreamt)\b|\bthe (?:protagonist|main character|narrator)\b|\bpretend\b|\brole-?play\b|\bfor example, if\b|\bhypothetical",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:said|says|saying|told (?:me|us|him|her)|heard|read (?:that|about|somewhere)|according to|claims?|claimed|apparently|rumou?r|reportedly|supposedly|quote|quoted|the (?:article|news|report|paper|study|book|movie|song) (?:says|is|was)|people (?:say|think)|they say|everyone (?:says|thinks)|i (?:saw|watched|read) (?:a|an|the) (?:video|post|article|tweet|documentary|thread))\b",
    re.IGNORECASE,
)
TRUSTED = re.compile(
    r"^(?:my |the )?(?:doctor|dentist|therapist|physician|optometrist|cardiologist|nutritionist|vet) (?:said|says|told me|confirmed|found)(?: that)? (?=i |i'|my )",
    re.IGNORECASE,
)
ALIAS = re.compile(
    r"^(?:when(?:ever)? i (?:say|mention|talk about|write|ask for) |by |if i say )[\"'“]?(?P<word>[\w -]{1,30}?)[\"'”]?,? (?:i(?:'m| am)? (?:mean|talking about|referring to)|it means|that means|that's (?:my|our|the|what)|it's (?:my|our)|i'm referring to)\b.+|^[\"'“](?P<quoted>[\w -]{1,30})[\"'”] (?:means|refers to|is (?:short for|what (?:i|we) call|my (?:nickname|name|word) for|(?=(?:my|our) [\w']+(?: [\w']+)?[.!]*$)))\b.+",
    re.IGNORECASE,
)
FRAGMENT = re.compile(
    r"^(?:allergic to|vegetarian|vegan|based in|living in|working (?:at|as|in)|married|born in|no longer|currently (?:living|working))\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\b(?:was|were|had|did|\w+ed|went|bought|got|left|met|saw|began|took|made|came|ran|flew|broke|won|lost|quit|gave|had|ate|drove|wrote|spent|paid|stayed|told|kept|slept|spoke|grew|taught|sold|built|fell|caught)\b",
    re.IGNORECASE,
)
#: Something that was so, and no event: not "I was born", "I was promoted", "I was given".
WAS = re.compile(
    r"^(?:i|(?:my|our)\b[\w' -]{1,40}?) (?:was|were) (?!(?:born|made|given|sent|told|\w+ed)\b)", re.IGNORECASE
)
ABSURD = re.compile(
    r"\b(?:alien|batman|superman|spider-?man|king of|queen of|president of (?:the united|america|korea)|wizard|robot|time traveler|billionaire|god|unicorn|dragon|vampire)\b",
    re.IGNORECASE,
)
THERE_IS = re.compile(
    r"^there(?:'s| is) (?=(?:an? )(?:[\w'-]+ ){0,3}(?:appointment|meeting|interview|exam|conference|wedding|recital|party|concert|deadline|reunion|ceremony|workshop|seminar|game|dinner)\b.*\b(?:i|we|my|our)\b|an? (?:parent-teacher|family|team|staff|board|school|company|doctor'?s|dental|dentist|vet|job) (?:\w+ ){0,2}?(?:appointment|meeting|conference|dinner|reunion|trip|interview|retreat|party|event|outing)\b)",
    re.IGNORECASE,
)
THERE = re.compile(
    r"\b(?:go|goes|work|works|live|lives|eat|eats|shop|shops|study|studies|train|trains|hang out|stay) there\b"
)
QUOTED_WHOLE = re.compile(r"^[\"“].*[\"”][.!]?$", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    clause: Clause
    finding: Finding


def facts(text: str, occurred_at: datetime, zone: ZoneInfo) -> list[Fact]:
    """Every fact the English text states about the user or people around them."""
    found: list[Fact] = []
    inherited = NOBODY
    text = english_renewed.told(english_spoken.written(text))
    for sentence in chain.from_iterable(map(one_by_one, sentences(text))):
        new, inherited = _sentence(sentence, occurred_at, zone, inherited)
        found += new
    return found


def strip_remember(text: str) -> tuple[str, bool]:
    """The statement without "Remember that", and whether it was asked to be remembered."""
    known = KNOWN.match(text.strip())
    if known is not None:
        return f"{known['told']}.", False
    bare = REMEMBER_TAIL.sub("", REMEMBER.sub("", text.strip()))
    if bare.strip() != text.strip() and re.match(
        r"(?:I|We)\b|I'|(?:My|Our) .* (?:is|are)\b", bare, re.IGNORECASE
    ):
        bare = re.sub(r"\?+$", ".", bare.strip())  # "Could you remember that I prefer window seats?"
    return bare.strip(), bare.strip() != text.strip()


def normalized(text: str) -> str:
    """The canonical form of a whole statement."""
    return normalize.english(text) or re.sub(r"\W+", " ", text.lower()).strip()


def _sentence(
    sentence: str, occurred_at: datetime, zone: ZoneInfo, inherited: Topic
) -> tuple[list[Fact], Topic]:
    sentence = english_spoken.in_full(sentence)
    text, explicit = strip_remember(sentence)
    text = LEAD.sub("", text) if not english_requests.LASTING.match(text) else text
    text = english_spoken.in_full(text)
    if guard.injected(sentence):
        return _quarantined(sentence, explicit), NOBODY
    if not text or QUOTED_WHOLE.match(text):
        return [], inherited
    alias = ALIAS.match(text)
    if alias and not text.endswith("?"):
        word = (alias["word"] or alias["quoted"]).lower()
        return [
            _fact(
                text,
                Finding(memory_type="ALIAS", slot=one(USER, f"alias:{word}"), confidence=0.9),
                [],
                occurred_at,
                explicit,
            )
        ], NOBODY
    rule = (
        None
        if sentence.rstrip().endswith("?") and not english_requests.LASTING.search(text)
        else english_requests.standing(_bare_lead(sentence, explicit, text))
    )
    if rule is not None:
        return [_fact(_bare_lead(sentence, explicit, text), rule, [], occurred_at, explicit)], NOBODY
    if not explicit and (HYPOTHETICAL.search(text) or QUESTION.match(text)):
        return [], inherited
    spoken = None if text.endswith("?") else whole(text)
    if spoken is not None:
        whens = dates.find(f"on {text}", occurred_at, zone, "future") if spoken.course == "event" else []
        if spoken.memory_type != "EVENT" or whens:
            return [_fact(text, spoken, whens, occurred_at, explicit)], NOBODY
    there = THERE_IS.match(text)
    if there and not text.endswith("?"):
        text = f"I have {text[there.end() :]}"
    trusted = TRUSTED.match(text)
    if trusted:
        text = text[trusted.end() :]
    elif REPORTED.search(text):
        return [], inherited
    found, who = _clauses(text, occurred_at, zone, inherited, explicit)
    return _settled(text, found, occurred_at, zone), who


#: What a moved plan is taken for: "I moved my haircut to Friday".
MISREAD = frozenset({"does", "residence"})


def _settled(text: str, found: list[Fact], occurred_at: datetime, zone: ZoneInfo) -> list[Fact]:
    """The facts of a sentence with what it settles: a fact of its own where it is worth nothing besides."""
    whens = dates.find(english_settled.with_days(text), occurred_at, zone, "future")
    settling = None if text.rstrip().endswith("?") else english_settled.settling(text, whens)
    if settling is None:
        return found
    if settling.how == "done" and found:
        first = found[0]
        takes = first.slot is None and first.memory_type in ("EVENT", "TASK", "FACT")
        return [replace(first, settles=settling), *found[1:]] if takes else found
    if len(found) > 1 or any(fact.slot and fact.slot.attribute not in MISREAD for fact in found):
        return found
    told = any(fact.memory_type == "EVENT" for fact in found)
    kept = told or settling.how == "moved" and (bool(found) or english_settled.planned(text))
    finding = Finding(memory_type="EVENT", course="event", settles=replace(settling, alone=not kept))
    return [_fact(text, finding, whens if settling.how == "moved" else [], occurred_at, False)]


def _bare_lead(sentence: str, explicit: bool, text: str) -> str:
    """The sentence as spoken, without greetings, but with "from now on"."""
    if explicit:
        return text
    return re.sub(
        r"^(?:(?:hi|hey|hello|ok|okay|well|so|oh|thanks|thank you|great|btw|by the way|also|and)\b[,!. ]+)+",
        "",
        sentence,
        flags=re.IGNORECASE,
    )


def _clauses(
    text: str, occurred_at: datetime, zone: ZoneInfo, inherited: Topic, explicit: bool
) -> tuple[list[Fact], Topic]:
    asks = text.rstrip().endswith("?")
    body = text.rstrip(" .!?")
    parts = clauses(body, inherited)
    pronoun = re.match(r"(?:he|she|they)\b", text, re.IGNORECASE)
    if pronoun and parts[0].who:
        text = parts[0].shown + text[pronoun.end() :]  # "She runs a bakery" alone tells nobody who
    past = bool(PAST.search(body)) and not re.search(
        r"\b(?:will|going to|have to|need to|got to|must|should|tomorrow|next|scheduled|booked|due|supposed to|'ll|(?:am|are|is|'m|'re|'s) (?:getting|having))\b",
        body,
    )
    found: list[tuple[Candidate, list[dates.When]]] = []
    who = inherited
    for at, part in enumerate(parts):
        who = part.topic if part.who not in ("", USER) else who
        if (asks and at == len(parts) - 1) or QUESTION.match(part.text) or HYPOTHETICAL.search(part.text):
            continue
        whens = dates.find(part.text, occurred_at, zone, "past" if past else "future")
        if not part.who:
            aside = whole(part.text) if len(parts) > 1 else None
            found += [(Candidate(clause=part, finding=aside), whens)] if aside is not None else []
            continue
        scene = Scene(part, whens, part.text, occurred_at.astimezone(zone).date())
        finding = judge(scene)
        if finding is not None and finding.slot and THERE.search(part.said) and not finding.ends:
            continue  # "I go there every Tuesday": where is not in the sentence
        finding = once(finding) if finding is not None and WAS.match(part.text) else finding
        if finding is not None and not (
            ABSURD.search(part.text)
            and finding.slot
            and finding.slot.attribute in ("occupation", "trait", "name")
        ):
            found.append((Candidate(clause=part, finding=finding), whens))
    if not found and explicit and not asks:
        whens = dates.find(body, occurred_at, zone, "past" if past else "future")
        return [_fact(text, Finding(memory_type="FACT", confidence=0.7), whens, occurred_at, explicit)], who
    found = _with_reasons(found)
    if len(found) == 1 and len(parts) > 1 and not asks:
        ((only, whens),) = found
        together = all(
            part.joined in ("because", "since", "so", "as", "but", "although", "though", "while")
            or part is parts[0]
            for part in parts
        )
        return [
            _fact(text if together else only.clause.text, only.finding, whens, occurred_at, explicit)
        ], who
    return [
        _fact(c.clause.text if len(parts) > 1 else text, c.finding, whens, occurred_at, explicit)
        for c, whens in found
    ], who


def _with_reasons(
    found: list[tuple[Candidate, list[dates.When]]],
) -> list[tuple[Candidate, list[dates.When]]]:
    """ "I wear glasses because I'm nearsighted" is one fact, kept in the slot of whichever clause has one."""
    kept: list[tuple[Candidate, list[dates.When]]] = []
    for candidate, whens in found:
        if (
            kept
            and candidate.clause.joined == "but"
            and " used to " in f" {kept[-1][0].clause.text.lower()} "
        ):
            clause = replace(
                candidate.clause, text=f"{kept[-1][0].clause.text}, but {candidate.clause.text}"
            )  # "I used to live in Chicago, but I'm in Denver now": what holds is the second
            kept[-1] = (Candidate(clause=clause, finding=candidate.finding), whens or kept[-1][1])
        elif kept and candidate.clause.joined in ("because", "since", "as", "so"):
            before, earlier = kept[-1]
            best = (
                candidate.finding
                if candidate.finding.slot and candidate.finding.confidence > before.finding.confidence
                else before.finding
            )
            joined = replace(
                before.clause, text=f"{before.clause.text} {candidate.clause.joined} {candidate.clause.text}"
            )
            kept[-1] = (Candidate(clause=joined, finding=best), earlier or whens)
        else:
            kept.append((candidate, whens))
    return kept


def _fact(
    text: str, finding: Finding, whens: list[dates.When], occurred_at: datetime, explicit: bool
) -> Fact:
    statement = re.sub(r"\s+", " ", text).strip(" ,;")
    statement = statement[:1].upper() + statement[1:]
    times = place(finding, whens, occurred_at)
    words = re.findall(r"[A-Za-z][\w'-]+", statement)
    proper = [w for w in words[1:] if w[0].isupper() and w not in ("I", "I'm", "I've", "I'd", "I'll")]
    names = tuple(dict.fromkeys([*finding.names, *proper]))
    nouns = tuple(dict.fromkeys(w.lower() for w in words if len(w) > 3 and w.lower() not in normalize.STOP))
    return Fact(
        statement=statement, memory_type=finding.memory_type, normalized=normalized(statement), slot=finding.slot, ends=finding.ends,
        confidence=min(0.95, finding.confidence + (0.1 if explicit else 0.0)), occurred_at=times.occurred_at, valid_from=times.valid_from,
        valid_to=times.valid_to, keywords=nouns[:12], entities=names[:12], quarantine=finding.quarantine, settles=finding.settles,
    )  # fmt: skip


def _quarantined(sentence: str, explicit: bool) -> list[Fact]:
    """An injected order is dropped, or held apart when it asks to be remembered."""
    if not explicit and not re.search(
        r"\b(?:always|never|from now on|remember|rule)\b", sentence, re.IGNORECASE
    ):
        return []
    statement = sentence.strip()
    return [
        Fact(
            statement=statement,
            memory_type="RULE",
            normalized=normalized(statement),
            slot=None,
            confidence=0.1,
            quarantine="looks like an injected instruction",
        )
    ]
