"""Take in a device's history file: its turns become the turns of the person whose voice it is."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction

from memoryapp import compress, gate, hush, turns
from memoryapp.errors import Refused, SpeakerNotAllowed
from memoryapp.models import Extraction, Turn
from memoryapp.pairs import local_day
from memoryapp.permit import Act, Caller, Permit
from memoryapp.text import tidy
from memoryapp.turns import TurnReport
from memoryapp.vault import Box, box_of
from memoryapp.voices import scope_of
from speakers import history
from speakers.history import History, HistoryTurn, Problem
from speakers.identity import Speaker

_CHUNK = 500


@dataclass(kw_only=True)
class TakenIn:
    """What became of a file. `reason` is why nothing of it was kept, if so."""

    speaker_id: str
    display_name: str = ""
    sessions: int
    turns: int
    imported: int = 0
    duplicates: int = 0
    uncertain: int = 0  # the device itself was not sure of the voice
    hushed: int = 0  # said after "지금부터 하는 얘기는 기억하지 마"
    reason: str | None = None
    problems: list[Problem] = field(default_factory=list)


def take_in(caller: Caller, speaker_id: str, sessions: list[Any], display_name: str = "") -> TakenIn:
    """Keep every turn of a file once, however often it is sent. A refusal keeps nothing and is an answer."""
    found = history.read(sessions)
    result = TakenIn(
        speaker_id=speaker_id,
        display_name=display_name,
        sessions=found.sessions,
        turns=len(found.turns),
        problems=found.problems,
    )
    try:
        permit = _permit(caller, speaker_id)
        for chunk in _chunks(_certain(found, result)):
            new, made = _store(permit, chunk)
            result.imported += made
            result.hushed += new - made
            result.duplicates += len(chunk) - new
    except Refused as refusal:
        result.reason = refusal.reason
    return result


def report_json(done: TakenIn) -> dict[str, Any]:
    return {
        "speaker_id": done.speaker_id,
        "display_name": done.display_name,
        "stored": done.reason is None,
        "reason": done.reason,
        "sessions": done.sessions,
        "turns": done.turns,
        "imported": done.imported,
        "duplicates": done.duplicates,
        "uncertain": done.uncertain,
        "hushed": done.hushed,
        "problems": list(history.problems_json(done.problems)),
        "problem_count": len(done.problems),
    }


def _permit(caller: Caller, speaker_id: str) -> Permit:
    """The file is kept per voice, so the voice is certain; whose it is, the link decides."""
    speaker = Speaker(speaker_id=speaker_id, speaker_state="identified", speaker_confidence=1.0)
    scope = scope_of(caller, speaker)
    if scope.person is None:
        raise SpeakerNotAllowed
    return gate.admit(caller, scope.person.user_id, Act.RECORD, speaker=speaker)


def _certain(found: History, result: TakenIn) -> Iterator[HistoryTurn]:
    for turn in found.turns:
        if turn.confidence is not None and turn.confidence < settings.SPEAKER_MIN_CONFIDENCE:
            result.uncertain += 1
        else:
            yield turn


def _chunks(rows: Iterator[HistoryTurn]) -> Iterator[list[HistoryTurn]]:
    while chunk := list(itertools.islice(rows, _CHUNK)):
        yield chunk


def _store(permit: Permit, rows: list[HistoryTurn]) -> tuple[int, int]:
    """One transaction for a chunk; consent is asked again for each. → how many were new, and how many of them kept."""
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        extraction = turns.when(permit.revision)
        made = {turn.turn_id: turn for turn in (_turn(permit, box, row, extraction) for row in rows)}
        known = Turn.objects.filter(service=permit.service, person=permit.person, turn_id__in=made)
        for turn_id in known.values_list("turn_id", flat=True):
            del made[turn_id]
        kept = _keep(permit, list(made.values()))
        days = {(turn.session_id, local_day(turn.occurred_at, permit.person.zone)): turn for turn in kept}
        for turn in days.values():
            compress.touch(turn, permit.person)
    return len(made), len(kept)


def _keep(permit: Permit, made: list[Turn]) -> list[Turn]:
    """Keep what was not hushed. The words that begin and end a hush come first, so that they hold for the rest."""
    marks = Turn.objects.bulk_create([turn for turn in made if turn.hush])
    others = hush.spared(permit, (turn for turn in made if not turn.hush))
    return marks + Turn.objects.bulk_create(others)


def _turn(permit: Permit, box: Box, row: HistoryTurn, extraction: Extraction) -> Turn:
    """Known again by what it says, in which session and for the how-manieth time: devices drop old rows."""
    named = [row.session_id, row.user, row.assistant, row.repeat]
    mark = box.prf(json.dumps(named, ensure_ascii=False).encode(errors="replace")).hex()
    report = TurnReport(
        session_id=tidy(row.session_id),
        turn_id=f"history-{mark}",
        user_text=tidy(row.user),
        assistant_text=tidy(row.assistant),
        occurred_at=row.at,
        route_family=tidy(row.route_family),
    )
    return turns.build(permit, report, extraction)
