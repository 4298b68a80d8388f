"""Leave to use a person's session contexts at one service."""

from memoryapp import gate
from memoryapp.errors import NoConsent
from memoryapp.models import Scope
from memoryapp.permit import Act, Caller, Permit

#: Blocks are what a service remembers: writing them is saving, using them is recalling.
WRITE, USE = Act.SAVE, Act.RECALL


def admit(caller: Caller, user_id: str, act: Act) -> Permit:
    """Ask the gate. Raises Refused, also when the person lets services keep no memory of their own."""
    return _with_service_memory(gate.admit(caller, user_id, act))


def again(permit: Permit) -> Permit:
    """Ask once more, inside the writing transaction and under the person's lock."""
    return _with_service_memory(gate.again(permit))


def _with_service_memory(permit: Permit) -> Permit:
    if Scope.SERVICE not in permit.scopes:
        raise NoConsent
    return permit


def may_recall(permit: Permit) -> bool:
    """A key without the permission `recall` gets at memories no more through a block than directly."""
    key = permit.caller.key
    return key is None or "recall" in key.permissions
