"""Take back what a person said before, when they ask for it in words: "방금 한 말은 기억하지 마"."""

from django.db.models import QuerySet

from memoryapp import rollback
from memoryapp.extract.rules import taking_back
from memoryapp.models import WITHDRAWN, Turn
from memoryapp.pairs import place
from memoryapp.permit import Permit
from memoryapp.rollback import Source
from memoryapp.vault import box_of


def heed(permit: Permit, turn: Turn) -> int:
    """Withdraw the turn before this one, or all of its session, if its words ask for that. → turns withdrawn

    Like every roll-back it can be undone on the person's page for a while.
    """
    said = box_of(permit.person).open(turn.content, place(turn))["user_text"]
    reach = taking_back.reach(said)
    if reach is None:
        return 0
    said_before = list(_before(turn)[: rollback.MOST_TURNS if reach == "session" else 1])
    # Read a second time, this finds the same turns, and none before them in their place.
    meant = [one for one in said_before if one.error != WITHDRAWN]
    if meant:
        source = Source(kind=rollback.SESSION, id=turn.session_id) if reach == "session" else None
        rollback.withdraw_turns(permit.person, meant, source=source, actor=permit.caller.name)
    return len(meant)


def _before(turn: Turn) -> QuerySet[Turn]:
    """What was said in the same session until then, the last first."""
    session = Turn.objects.filter(person=turn.person, service=turn.service, session_id=turn.session_id)
    return session.filter(occurred_at__lt=turn.occurred_at).order_by("-occurred_at")
