"""While somebody wants nothing remembered, from "지금부터 하는 얘기는 기억하지 마" on.

It ends with "이제 다시 기억해도 돼", or with the session. Talk that names no session has none to end with: there it
holds for 24 hours from those words, for all that the person says to that service without a session, on whichever device.
Longer than they may have meant is the smaller harm, and for ever is not what they asked.
"""

from collections.abc import Iterable
from datetime import datetime

from memoryapp import pairs, rollback
from memoryapp.errors import Incognito
from memoryapp.extract.rules import hushing
from memoryapp.models import Turn
from memoryapp.permit import Permit


def mark(user_text: str) -> str:
    """What the words of a turn do to those after it in the session: "from", "until", or "" for nothing."""
    return hushing.mark(user_text)


def covers(turn: Turn) -> bool:
    """Whether the turn was said while its session was hushed. The words that begin or end a hush are none of it."""
    if turn.hush:
        return False
    marks = pairs.said_before(turn).exclude(hush="")
    return marks.values_list("hush", flat=True).first() == "from"


def refuse(permit: Permit, session_id: str, at: datetime) -> None:
    """Nothing that was concluded from hushed talk is kept either. Raises Incognito."""
    if covers(Turn(person=permit.person, service=permit.service, session_id=session_id, occurred_at=at)):
        raise Incognito


def spared(permit: Permit, turns: Iterable[Turn]) -> list[Turn]:
    """Of turns that come in together, those that were not hushed; the words that hush them are kept already."""
    ever = Turn.objects.filter(person=permit.person, service=permit.service).exclude(hush="").exists()
    return [turn for turn in turns if not (ever and covers(turn))]


def heed(permit: Permit, turn: Turn) -> bool:
    """Empty a turn that came in before the words that hush it. → whether it was hushed"""
    if not covers(turn):
        return False
    rollback.withdraw_turns(permit.person, [turn], actor=permit.caller.name)
    return True
