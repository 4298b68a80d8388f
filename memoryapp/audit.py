"""The audit of what administrators do."""

from collections.abc import Sequence

from memoryapp.models import AdminAction
from speakers.models import User


def note(
    by: User | None, action: str, *, service: str = "", object_id: object = "", changed: Sequence[str] = ()
) -> None:
    """Write down one action, in the transaction that does it. Names and ids only, never values or content."""
    AdminAction.objects.create(
        actor=by,
        actor_name=by.get_username() if by else "",
        action=action,
        service=service,
        object_id=str(object_id),
        changed=list(changed),
    )
