"""Read a device's history file: sessions of turns, as `speaker_id/<name>/history.txt` keeps them. Pure.

One bad row is reported with its place and costs no other row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from speakers.session_ids import WHY, addressable

LONGEST_ID, LONGEST_TEXT, MOST_TURNS = 255, 32 * 1024, 50_000


@dataclass(frozen=True, kw_only=True)
class HistoryTurn:
    """One turn of the file. `confidence` is how sure the device was of the voice; None = it did not say."""

    session_id: str
    user: str
    assistant: str
    route_family: str
    confidence: float | None
    at: datetime
    repeat: int  # how often these very words stood in this session before


@dataclass(frozen=True)
class Problem:
    """What is wrong, and where: `sessions.0.turns.3.user`."""

    at: str
    error: str


@dataclass(kw_only=True)
class History:
    """What could be read of a file, and what could not."""

    sessions: int = 0
    turns: list[HistoryTurn] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _Bad(Exception):
    """A row cannot be read."""

    def __init__(self, name: str, error: str) -> None:
        super().__init__(error)
        self.name, self.error = name, error


def read(sessions: list[Any]) -> History:
    """The turns of a file in order. Never raises."""
    history = History()
    for number, session in enumerate(sessions):
        place = f"sessions.{number}"
        try:
            session_id, start, rows = _session(session)
        except _Bad as bad:
            history.problems.append(Problem(f"{place}{bad.name}", bad.error))
            continue
        history.sessions += 1
        _read_turns(history, place, session_id, start, rows)
    return history


def _session(session: Any) -> tuple[str, datetime, list[Any]]:
    if not isinstance(session, dict):
        raise _Bad("", "Must be an object.")
    session_id = _text(session, "session_id", LONGEST_ID)
    if not session_id.strip():
        raise _Bad(".session_id", "Must not be blank.")
    if not addressable(session_id):
        raise _Bad(".session_id", WHY)
    rows = session.get("turns", [])
    if not isinstance(rows, list):
        raise _Bad(".turns", "Must be a list.")
    return session_id, _moment(session), rows


def _read_turns(history: History, place: str, session_id: str, start: datetime, rows: list[Any]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows):
        if len(history.turns) >= MOST_TURNS:
            history.problems.append(
                Problem(f"{place}.turns.{number}", f"At most {MOST_TURNS} turns at once.")
            )
            return
        try:
            user, assistant = _words(row)
            repeat = seen.get((user, assistant), 0)
            history.turns.append(
                HistoryTurn(
                    session_id=session_id,
                    user=user,
                    assistant=assistant,
                    route_family=_text(row, "route_family", 64),
                    confidence=_confidence(row),
                    # The file dates sessions, not turns: a second apart keeps them in order.
                    at=start + timedelta(seconds=number),
                    repeat=repeat,
                )
            )
            seen[user, assistant] = repeat + 1
        except _Bad as bad:
            history.problems.append(Problem(f"{place}.turns.{number}{bad.name}", bad.error))


def _words(row: Any) -> tuple[str, str]:
    if not isinstance(row, dict):
        raise _Bad("", "Must be an object.")
    user, assistant = _text(row, "user", LONGEST_TEXT), _text(row, "assistant", LONGEST_TEXT)
    if not user.strip() and not assistant.strip():
        raise _Bad(".user", "Nothing was said.")
    return user, assistant


def _text(row: dict[str, Any], name: str, limit: int) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Bad(f".{name}", "Must be a string.")
    if len(value.encode(errors="replace")) > limit:
        raise _Bad(f".{name}", f"At most {limit} bytes.")
    return value


def _confidence(row: dict[str, Any]) -> float | None:
    value = row.get("speaker_confidence")
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise _Bad(".speaker_confidence", "Must be a number from 0 to 1.")
    return float(value)


def _moment(session: dict[str, Any]) -> datetime:
    try:
        moment = datetime.fromisoformat(str(session.get("time")))
    except ValueError:
        raise _Bad(".time", "Must be an RFC 3339 time.") from None
    if moment.tzinfo is None:
        raise _Bad(".time", "Must carry an offset, e.g. +09:00 or Z.")
    if not 1970 <= moment.year < 9999:
        raise _Bad(".time", "No device is that old.")
    return moment


def problems_json(problems: list[Problem], limit: int = 100) -> Iterator[dict[str, str]]:
    """The first problems, for a door."""
    for problem in problems[:limit]:
        yield {"at": problem.at, "error": problem.error}
