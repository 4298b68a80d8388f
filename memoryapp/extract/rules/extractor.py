"""One turn in, the user's own facts out: guard, split by language, read, label, drop doubles."""

import re
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memoryapp import sensitivity
from memoryapp.extract.base import Fact, Utterance
from memoryapp.extract.rules import english, guard, implied, korean

HANGUL = re.compile(r"[가-힣]")
PIECE = re.compile(r"(?<=[.!?。…])\s+(?=\S)|\n+")
SUSPICIOUS = "looks like an injected instruction"
UNSAID = re.compile(  # "Prefers window seats": the user, left out
    r"^(?:likes|loves|prefers|hates|lives|works|has|is|was|wants|needs|enjoys|dislikes|owns|uses|speaks|drinks|eats|plays|plans|avoids|takes|drives|studies|can|cannot|can't|does not|doesn't|does|no longer|started|moved|used to)\b(?!.*\?$)",
    re.IGNORECASE,
)
LONGEST_STATEMENT = 1000  # a longer one is a document: kept as it is, not read
LONGEST_SENTENCE = 500
LONGEST_RUN = 1500
MOST = 12  # facts of one turn; a longer list is a pasted document


class RulesExtractor:
    """Facts by rules. Reads `user_text` only: what the assistant said is never the user's fact."""

    def extract(self, utterance: Utterance) -> list[Fact]:
        text = guard.own_words(utterance.user_text)
        if not text or guard.off_the_record(utterance.user_text) or guard.joking(text):
            return []
        found: list[Fact] = []
        for language, run in _runs(text):
            read = korean.facts if language == "ko" else english.facts
            for part in (run, *implied.in_question(run)):
                read_now = map(labelled, read(part, utterance.occurred_at, utterance.zone))
                found = _distinct([*found, *read_now])
            if len(found) >= MOST:
                break
        return found[:MOST]


def read_statement(text: str, occurred_at: datetime, zone: ZoneInfo) -> Fact:
    """One finished statement as one fact, never refused: for an explicit save.

    Third-person statements about "사용자" / "User" are about the user. When the statement holds several facts it
    is kept whole and competes for no slot.
    """
    text = guard.clean(text)
    if len(text) > LONGEST_STATEMENT:
        return labelled(
            Fact(statement=text, memory_type="FACT", normalized=text.lower(), slot=None, confidence=0.9)
        )
    language = "ko" if HANGUL.search(text) else "en"
    plain = korean.strip_remember(text)[0] if language == "ko" else english.strip_remember(text)[0]
    plain = plain or text
    whole = f"User {plain[:1].lower()}{plain[1:]}" if UNSAID.match(plain) else plain
    found = (korean.facts if language == "ko" else english.facts)(whole, occurred_at, zone)
    slots = {fact.slot for fact in found}
    if not found:
        fact = Fact(statement=plain, memory_type="FACT", normalized=normalized(plain), slot=None)
    else:
        fact = replace(
            found[0],
            statement=plain,
            normalized=normalized(plain),
            slot=found[0].slot if len(slots) == 1 else None,
            settles=found[0].settles and replace(found[0].settles, alone=False),  # what is saved is kept
        )
    reason = SUSPICIOUS if guard.injected(text) else fact.quarantine
    return labelled(replace(fact, confidence=0.9, quarantine=reason))


def normalized(text: str) -> str:
    """The canonical form by which two wordings of one fact are seen to be the same, in either language."""
    found = korean.normalized(text) if HANGUL.search(text) else english.normalized(text)
    return found or text.strip().lower()


def _runs(text: str) -> list[tuple[str, str]]:
    """The text in its order as runs of one language."""
    runs: list[tuple[str, str]] = []
    for piece in PIECE.split(text):
        if not piece.strip() or len(piece) > LONGEST_SENTENCE:
            continue
        language = "ko" if len(HANGUL.findall(piece)) * 2 > len(re.findall(r"[A-Za-z]{2,}", piece)) else "en"
        if runs and runs[-1][0] == language and len(runs[-1][1]) < LONGEST_RUN:
            runs[-1] = (language, runs[-1][1] + "\n" + piece.strip())
        else:
            runs.append((language, piece.strip()))
    return runs


def labelled(fact: Fact) -> Fact:
    """Sensitivity from the detectors; a password or key is held apart as a credential."""
    named = fact.slot.object if fact.slot else ""
    texts = (fact.statement, named, *fact.keywords, *fact.entities)
    label = sensitivity.raise_to(fact.sensitivity, sensitivity.detect_in(texts))
    kinds = {span.kind for span in sensitivity.spans(fact.statement)}
    reason = fact.quarantine or (SUSPICIOUS if guard.injected(fact.statement) else "")
    reason = reason or ("holds a credential" if kinds & {"password", "secret", "otp"} else "")
    return replace(fact, sensitivity=label, quarantine=reason)


def _distinct(facts: list[Fact]) -> list[Fact]:
    seen: dict[str, Fact] = {}
    for fact in facts:
        seen.setdefault(fact.normalized, fact)
    return list(seen.values())
