"""What a runtime asks about one present utterance, and whose memory that may concern."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp import rfc3339
from memoryapp.a2a.contract import NAME, PAIRS, SPOKEN
from memoryapp.a2a.sieve import Sieve
from memoryapp.permit import Caller
from memoryapp.voices import scope_of
from speakers.identity import Speaker, SpeakerScope, stranger
from speakers.models import Person
from speakers.session_ids import addressable

_SPEAKER = frozenset({"speaker_id", "speaker_state", "speaker_confidence", "multi_speaker", "overlap"})
_STATES = frozenset({"identified", "unknown", "ambiguous"})


@dataclass(frozen=True, kw_only=True)
class Voice:
    """The parts of a `voice_context` that mean something here, typed and bounded."""

    text: str
    session_id: str
    turn_id: str
    device_id: str
    closed: bool  # the session ends with this turn
    occurred_at: datetime | None
    snapshot: Any
    speaker: Speaker | None


@dataclass(frozen=True, kw_only=True)
class Who:
    """Whose memory may be asked for. `scope` is None when no speaker was given; `user_id` None = nobody's."""

    scope: SpeakerScope | None = None
    user_id: str | None = None

    @property
    def person(self) -> Person | None:
        return self.scope.person if self.scope else None

    @property
    def refused(self) -> bool:
        """A speaker was given, and may not be served anything personal."""
        return self.scope is not None and not self.scope.allowed


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One call of the A2A contract."""

    voice: Voice
    user_id: str | None = None
    max_tokens: int = 2000
    no_read: bool = False
    no_write: bool = False


def voice_of(data: dict[str, Any], device: dict[str, Any], speaker: Speaker | None) -> Voice:
    """Read a `voice_context`. Never raises: what has the wrong type is as if it were missing."""
    sieve = Sieve()
    return Voice(
        text=sieve.text(data.get("recognized_text"), SPOKEN),
        session_id=_session_id(sieve, data.get("session_id")),
        turn_id=_id(sieve, data.get("turn_id")),
        device_id=_id(sieve, data.get("device_id")) or _id(sieve, device.get("device_id")),
        closed=sieve.flag(data.get("session_closed"), otherwise=False),
        occurred_at=_moment(sieve, data.get("occurred_at")),
        snapshot=data.get("memory_snapshot"),
        speaker=speaker or _speaker(sieve, data),
    )


def whose(caller: Caller, asked: Asked) -> Who:
    """A speaker decides, if one was given; else the user the service names.

    A voice that is somebody else's than the named user's is a stranger's: neither memory is used.
    """
    named = asked.user_id or caller.asserted_user_id
    if asked.voice.speaker is None:
        return Who(user_id=named)
    scope = scope_of(caller, asked.voice.speaker)
    if scope.person is None:
        return Who(scope=scope)
    if named is not None and named != scope.person.user_id:
        return Who(scope=stranger(scope))
    return Who(scope=scope, user_id=scope.person.user_id)


def said_before(snapshot_context: dict[str, Any]) -> str:
    """What the assistant said last, by the device's own account: a "yes" may answer it."""
    pairs: list[dict[str, Any]] = snapshot_context["short_term"]["recent_pairs"][-PAIRS:]
    return str(pairs[-1]["assistant"]) if pairs else ""


def _speaker(sieve: Sieve, data: dict[str, Any]) -> Speaker | None:
    """From `speaker_context`, `speaker`, or the same names in the voice_context itself. None = none given."""
    given = next((data[name] for name in ("speaker_context", "speaker") if data.get(name) is not None), None)
    if given is None:
        given = {name: data[name] for name in _SPEAKER if data.get(name) is not None} or None
    if given is None:
        return None
    table = sieve.table(given, _SPEAKER)
    state = sieve.text(table.get("speaker_state"), NAME)
    return Speaker(
        speaker_id=_id(sieve, table.get("speaker_id")),
        speaker_state=state if state in _STATES else "unknown",
        speaker_confidence=sieve.number(table.get("speaker_confidence"), 0, 1) or 0.0,
        # A flag that cannot be read counts against acting on the voice.
        multi_speaker=sieve.flag(table.get("multi_speaker"), otherwise=True),
        overlap=sieve.flag(table.get("overlap"), otherwise=True),
    )


def _id(sieve: Sieve, value: Any) -> str:
    """An id as it is, or none at all: half an id is another id."""
    text = sieve.text(value, NAME)
    return (
        text if isinstance(value, str) and len(value) <= NAME and text.strip() and text.isprintable() else ""
    )


def _session_id(sieve: Sieve, value: Any) -> str:
    text = _id(sieve, value)
    return text if addressable(text) else ""


def _moment(sieve: Sieve, value: Any) -> datetime | None:
    moment = rfc3339.read(sieve.text(value, NAME))
    return moment if moment is not None and 1970 <= moment.year < 9999 else None
