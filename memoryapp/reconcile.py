"""Decide what a new fact does to what is already known: insert, merge, update, replace, expire or nothing.

Pure: it reads facts, proposes operations and never writes. Whoever calls it holds the person's lock,
so that what it was shown still holds when its decision is carried out.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from memoryapp.content import Content
from memoryapp.extract import matters
from memoryapp.extract.base import Settling
from memoryapp.models import Memory, MemoryType, Origin, Status


class Operation(StrEnum):
    INSERT = "insert"
    MERGE = "merge"  # the same fact again: more evidence
    UPDATE = "update"  # the same fact in more detail
    REPLACE = "replace"  # the other value of the same attribute, or its contradiction
    EXPIRE = "expire"  # what was said no longer holds
    NOOP = "noop"


@dataclass(frozen=True, kw_only=True)
class Known:
    """A memory as it is now, with its content open."""

    memory: Memory
    content: Content
    fingerprint: int


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A fact that somebody proposes to remember."""

    content: Content
    fingerprint: int
    said_at: datetime
    holds_from: datetime
    begins: datetime | None = None  # as far as it is said: None for what is only known to end
    until: datetime | None = None
    origin: str
    ends: bool = False
    about: uuid.UUID | None = None
    event_ids: tuple[str, ...] = ()
    tentative: bool = False  # held back: it may wait for approval, and change nothing that is believed
    settles: Settling | None = None


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What is to be done, to which memories, and why (a code)."""

    operation: Operation
    reason: str
    targets: tuple[Known, ...] = ()
    late: bool = False  # true of the past only: something newer already stands in its place
    closes_at: datetime | None = None
    opens_at: datetime | None = None  # of the past, where it is known that it did not hold before
    successor: Known | None = field(default=None)
    follows: Known | None = (
        None  # of the past: what it took the place of then, whose time ends where its own begins
    )
    approves: Known | None = (
        None  # the candidate that said so before: it is confirmed instead of a second one
    )


#: Attributes of what somebody does time and again, where another time is another habit.
_DEEDS = frozenset({"does", "takes"})
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
#: Attributes by the names that models are asked for. Two of them are never one, while "home" may be "residence".
_ATTRIBUTES = frozenset(
    "residence employer workplace occupation name age birthday allergy likes eats drinks health family pet does".split()
)
#: Words that only name an attribute: "I live in Busan" and "my home is in Busan" tell the same.
_NAMING = frozenset(
    "집 직장 회사 직업 이름 나이 이사 live lives living home house name job work works working moved move".split()
)
#: What may be called off, moved or done.
PLANS = frozenset({MemoryType.EVENT, MemoryType.TASK, MemoryType.AGREEMENT})
#: Why nothing came of "보고서 냈어": no report was due, and it is no news by itself.
NOTHING_TO_SETTLE = "nothing-to-settle"
A_DAY = timedelta(days=1)
#: How many memories one turn may close, so that one odd sentence cannot wipe a life.
MAX_CLOSED = 3


def decide(proposal: Proposal, known: Sequence[Known]) -> Decision:
    """Compare a proposal with the memories of the same person and scope that share its fingerprint or slot."""
    confirmed = [item for item in known if item.memory.status == Status.CONFIRMED]
    current = [item for item in confirmed if not _apart(proposal, item.memory)]
    waiting = [item for item in known if item.memory.status == Status.CANDIDATE]
    same, waiting = (
        [item for item in group if item.fingerprint == proposal.fingerprint] for group in (current, waiting)
    )
    if proposal.tentative:
        return _wait(proposal, same, waiting)
    settled = _settled(proposal, confirmed)
    if proposal.settles and (done := _settle(proposal, proposal.settles, known, settled)):
        return done
    if proposal.ends:
        return _end(proposal, current, same)
    if same:
        return _again(proposal, same[0])
    if over := next((item for item in known if _ended_since(proposal, item)), None):
        return Decision(operation=Operation.NOOP, reason="ended-since", targets=(over,))
    present = [] if proposal.until and proposal.until <= proposal.said_at else current
    rivals = [item for item in present if _competes(proposal.content, item.content)]
    rivals = rivals or [
        item for item in present if item.memory.pk == proposal.about and _other(proposal, item)
    ]
    rivals += [item for item in settled if item not in rivals]
    free = next((item for item in waiting if not item.memory.quarantine), None)
    if rivals:
        return _contest(proposal, rivals, _former(proposal, known), free)
    if free is not None:
        return _again(proposal, free)
    twins = [
        item
        for item in current
        if not _competes(proposal.content, item.content)
        and (
            (item.memory.pk == proposal.about and not _strangers(proposal.content, item.content))
            or _says_the_same(proposal.content, item.content)
        )
    ]
    if twins:
        return _detail(proposal, twins[0])
    return Decision(operation=Operation.INSERT, reason="new")


def replaced_by(content: Content, fingerprint: int, known: Sequence[Known]) -> tuple[Known, ...]:
    """What an approved candidate takes the place of: its doubles and the other values of its attribute."""
    current = [item for item in known if item.memory.status == Status.CONFIRMED]
    return tuple(
        item for item in current if item.fingerprint == fingerprint or _competes(content, item.content)
    )


def _apart(proposal: Proposal, memory: Memory) -> bool:
    """Whether the one had ended before the other begins: then the same words are said of another time."""
    ended = memory.valid_to is not None and proposal.begins is not None and memory.valid_to <= proposal.begins
    over = (
        proposal.until is not None and memory.valid_from is not None and proposal.until <= memory.valid_from
    )
    return ended or over


def _wait(proposal: Proposal, same: list[Known], waiting: list[Known]) -> Decision:
    if same:
        return Decision(operation=Operation.NOOP, reason="known", targets=(same[0],))
    return _again(proposal, waiting[0]) if waiting else Decision(operation=Operation.INSERT, reason="new")


def _again(proposal: Proposal, item: Known) -> Decision:
    seen = set(item.memory.sources.get("event_ids", []))
    if proposal.event_ids and seen.issuperset(proposal.event_ids):
        return Decision(operation=Operation.NOOP, reason="same-source", targets=(item,))
    return Decision(operation=Operation.MERGE, reason="same-fact", targets=(item,))


def _former(proposal: Proposal, known: Sequence[Known]) -> list[Known]:
    """The earlier values of the same attribute, which others have taken the place of."""
    return [
        item
        for item in known
        if item.memory.status == Status.SUPERSEDED and _competes(proposal.content, item.content)
    ]


def _ended_since(proposal: Proposal, item: Known) -> bool:
    """Whether the same was known once and ended after this was said: then this is older talk and news of nothing."""
    if item.memory.status not in (Status.EXPIRED, Status.SUPERSEDED):
        return False
    if item.memory.valid_to is None:
        return False
    same = item.fingerprint == proposal.fingerprint or _same_value(proposal.content, item.content)
    # An end that is still to come was announced at the latest when it was written down.
    return same and min(item.memory.valid_to, item.memory.updated_at) > proposal.said_at


def _contest(
    proposal: Proposal, rivals: list[Known], former: list[Known], candidate: Known | None
) -> Decision:
    """Two values of one attribute: the one that was said later is current, whatever came in first."""
    if any(item.memory.said_at > proposal.said_at for item in rivals):
        return _late(proposal, [*rivals, *former])
    if _outranked(proposal, rivals):
        return Decision(operation=Operation.NOOP, reason="corrected-by-person", targets=tuple(rivals))
    return Decision(
        operation=Operation.REPLACE,
        reason="other-value",
        targets=tuple(rivals[:MAX_CLOSED]),
        closes_at=_now(proposal) if proposal.settles else proposal.holds_from,
        approves=candidate,
    )


def _late(proposal: Proposal, line: list[Known]) -> Decision:
    """An older statement that comes in late has its place in the line of values, and never the present.

    Where a newer word covers its own time too, it is kept as something that was said and held for no time.
    """
    later = [item for item in line if item.memory.said_at > proposal.said_at]
    after = [item for item in later if since(item.memory) > proposal.holds_from]
    in_turn = sorted(after or later, key=lambda item: since(item.memory))
    first = in_turn[0] if after else in_turn[-1]
    before = [item for item in line if _holds_at(item.memory, proposal.holds_from)] if after else []
    return Decision(
        operation=Operation.INSERT,
        reason="older-statement",
        late=True,
        closes_at=max(since(first.memory), proposal.holds_from),
        opens_at=proposal.holds_from if before or not after else None,
        successor=first,
        follows=max(before, key=lambda item: since(item.memory), default=None),
    )


def _holds_at(memory: Memory, at: datetime) -> bool:
    return since(memory) < at and memory.valid_to is not None and memory.valid_to > at


def _outranked(proposal: Proposal, rivals: list[Known]) -> bool:
    """A person's own correction stands against talk from before it."""
    return proposal.origin == Origin.EXTRACTION and any(
        item.memory.origin == Origin.PERSON and item.memory.updated_at > proposal.said_at for item in rivals
    )


def _end(proposal: Proposal, current: list[Known], same: list[Known]) -> Decision:
    meant = [
        item
        for item in current
        if (item.memory.pk == proposal.about and not _strangers(proposal.content, item.content))
        or _same_slot(proposal.content, item.content, any_polarity=True)
    ]
    meant = [
        item for item in meant if item not in same and not _names_another(proposal.content, item.content)
    ]
    ended = [item for item in meant if item.memory.said_at <= proposal.said_at]
    if not ended:
        if meant:  # it was said again since
            return Decision(operation=Operation.NOOP, reason="older-statement", targets=(meant[0],))
        return (
            _again(proposal, same[0])
            if same
            else Decision(operation=Operation.INSERT, reason="nothing-to-end")
        )
    return Decision(
        operation=Operation.EXPIRE,
        reason="ended",
        targets=tuple(ended[:MAX_CLOSED]),
        closes_at=proposal.holds_from,
    )


def _settled(proposal: Proposal, current: list[Known]) -> list[Known]:
    """The one plan or duty that a sentence settles; none where it may be either of two."""
    if proposal.settles is None:
        return []
    meant = [item for item in current if _is_settled_by(proposal, proposal.settles, item)]
    done = proposal.settles.how == "done"
    likelier = [item for item in meant if (item.memory.memory_type == MemoryType.TASK) == done] or meant
    return likelier if len({item.content.normalized for item in likelier}) == 1 else []


def _is_settled_by(proposal: Proposal, settling: Settling, item: Known) -> bool:
    memory = item.memory
    if memory.memory_type not in PLANS or memory.said_at > proposal.said_at:
        return False
    if settling.how == "done" and proposal.holds_from + A_DAY < memory.said_at:
        return False  # done long before it was planned: another time
    if item.fingerprint == proposal.fingerprint or not matters.means(settling, item.content.statement):
        return False
    if memory.memory_type == MemoryType.TASK or memory.occurred_at == memory.said_at:
        return True
    ahead = memory.occurred_at - proposal.said_at
    return ahead < A_DAY if settling.how == "done" else ahead > -A_DAY


def _settle(
    proposal: Proposal, settling: Settling, known: Sequence[Known], settled: list[Known]
) -> Decision | None:
    """Close what is off or done; None where the sentence itself is news too, and may take its place."""
    if settled and (settling.how == "off" or settling.alone and settling.how == "done"):
        return Decision(
            operation=Operation.EXPIRE, reason="settled", targets=tuple(settled), closes_at=_now(proposal)
        )
    if not settled and any(_closed_by(proposal, item) for item in known):
        return Decision(operation=Operation.NOOP, reason="same-source")
    if not settled and settling.alone:
        return Decision(operation=Operation.NOOP, reason=NOTHING_TO_SETTLE)
    return None


def _closed_by(proposal: Proposal, item: Known) -> bool:
    """Whether this very turn has closed a plan before, and is read once more."""
    closed = item.memory.status == Status.EXPIRED and item.memory.memory_type in PLANS
    named = set(item.memory.sources.get("event_ids", []))
    return closed and bool(proposal.event_ids) and named.issuperset(proposal.event_ids)


def _now(proposal: Proposal) -> datetime:
    """When it was said, or happened: never the day of a plan that is still to come."""
    return min(proposal.said_at, proposal.holds_from)


def _says_the_same(new: Content, old: Content) -> bool:
    """The same attribute in other words; pills in the morning and pills at night are two habits."""
    if not _same_slot(new, old):
        return False
    one, other = set(new.normalized.split()), set(old.normalized.split())
    return (new.slot or {}).get("attribute") not in _DEEDS or one <= other or other <= one


def _names_another(new: Content, old: Content) -> bool:
    """ "No longer at Narae" ends nothing that is known of Haneul."""
    one, other = _named(new), _named(old)
    return bool(one and other) and not one & other


def _detail(proposal: Proposal, item: Known) -> Decision:
    """The same attribute, the same side, other words: the wording that tells more stays."""
    if item.memory.origin == Origin.PERSON and proposal.origin == Origin.EXTRACTION:
        return Decision(operation=Operation.MERGE, reason="corrected-by-person", targets=(item,))
    if proposal.said_at < item.memory.said_at:
        return Decision(operation=Operation.MERGE, reason="older-statement", targets=(item,))
    single = bool((proposal.content.slot or {}).get("single"))
    told = _telling(proposal.content) - _telling(item.content) if single else True
    if told and len(proposal.content.normalized) > len(item.content.normalized):
        return Decision(operation=Operation.UPDATE, reason="more-detail", targets=(item,))
    return Decision(operation=Operation.MERGE, reason="less-detail", targets=(item,))


def _competes(new: Content, old: Content) -> bool:
    if not new.slot or not old.slot or not _same_slot(new, old, any_polarity=True):
        return False
    contradicts = bool(new.slot.get("negated")) != bool(old.slot.get("negated"))
    other_value = bool(new.slot.get("single")) and new.slot.get("object") != old.slot.get("object")
    other_words = bool(new.slot.get("single")) and not _same_value(new, old)
    return contradicts or other_value or other_words or (_same_slot(new, old) and _other_number(new, old))


def _other_number(new: Content, old: Content) -> bool:
    """ "Two cats", then "three cats": neither tells more than the other, so the later one holds."""
    one, other = (set(_NUMBER.findall(content.normalized)) for content in (new, old))
    return bool(one - other and other - one)


def _same_value(new: Content, old: Content) -> bool:
    """One value of a single-valued attribute in two wordings: it names the same, and neither contradicts the other.

    "I work at Google as an engineer" and "… as a manager" name one employer, and are two values.
    """
    if new.normalized == old.normalized:
        return bool(new.normalized)
    if not (new.slot and new.slot.get("single") and _same_slot(new, old)) or _other_number(new, old):
        return False
    one, other = (_named(content) or _telling(content) for content in (new, old))
    told, known = _telling(new) - one, _telling(old) - other
    return bool(one) and one == other and (told <= known or known <= told)


def _named(content: Content) -> set[str]:
    return {_fold(name) for name in content.entities}


def _telling(content: Content) -> set[str]:
    """What a wording tells besides which attribute it is about."""
    return {_fold(word) for word in content.keywords} - _NAMING


def _other(proposal: Proposal, item: Known) -> bool:
    """A model points at a memory: unless the new wording holds all of the old one, it is another value."""
    if _strangers(proposal.content, item.content):
        return False
    old, new = set(item.content.normalized.split()), set(proposal.content.normalized.split())
    return not old <= new


def _strangers(new: Content, old: Content) -> bool:
    """Facts of two people, or of two attributes that both are well known, whatever a model says they have in common."""
    if not new.slot or not old.slot:
        return False
    if _fold(new.slot.get("subject")) != _fold(old.slot.get("subject")):
        return True
    attributes = {_fold(new.slot.get("attribute")), _fold(old.slot.get("attribute"))}
    return len(attributes) == 2 and attributes <= _ATTRIBUTES


def _same_slot(new: Content, old: Content, *, any_polarity: bool = False) -> bool:
    if not new.slot or not old.slot:
        return False
    keys = ["subject", "attribute"] if new.slot.get("single") else ["subject", "attribute", "object"]
    same = all(_fold(new.slot.get(key)) == _fold(old.slot.get(key)) for key in keys)
    return same and (any_polarity or bool(new.slot.get("negated")) == bool(old.slot.get("negated")))


def _fold(value: object) -> str:
    return str(value or "").casefold()


def since(memory: Memory) -> datetime:
    """From when a memory holds: its interval's start, else when it was said."""
    return memory.valid_from or memory.occurred_at
