"""While somebody wants nothing remembered, from "지금부터 하는 얘기는 기억하지 마" on.

It ends with "이제 다시 기억해도 돼", or with the session.
"""

from memoryapp import rollback
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
    session = Turn.objects.filter(person=turn.person, service=turn.service, session_id=turn.session_id)
    marks = session.filter(occurred_at__lt=turn.occurred_at).exclude(hush="").order_by("-occurred_at")
    return marks.values_list("hush", flat=True).first() == "from"


def heed(permit: Permit, turn: Turn) -> bool:
    """Empty a turn that came in before the words that hush it. → whether it was hushed"""
    if not covers(turn):
        return False
    rollback.withdraw_turns(permit.person, [turn], actor=permit.caller.name)
    return True
