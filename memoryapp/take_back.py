"""Take back what a person said before, when they ask for it in words: "방금 한 말은 기억하지 마"."""

from memoryapp import rollback
from memoryapp.extract.rules import taking_back
from memoryapp.models import WITHDRAWN, Turn
from memoryapp.pairs import place, said_before
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
    earlier = list(said_before(turn)[: rollback.MOST_TURNS if reach == "session" else 1])
    # Read a second time, this finds the same turns, and none before them in their place.
    meant = [one for one in earlier if one.error != WITHDRAWN]
    if meant:
        source = Source(kind=rollback.SESSION, id=turn.session_id) if reach == "session" else None
        rollback.withdraw_turns(permit.person, meant, source=source, actor=permit.caller.name)
    return len(meant)
