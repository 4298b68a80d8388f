"""Who administers a service."""

from memoryapp.errors import Conflict, NotFound
from memoryapp.models import ChatService, ServiceMember
from speakers.models import User


def add(service: ChatService, username: str) -> User:
    """Make a login an admin of this service. Raises NotFound for an unknown or inactive login."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise NotFound("no such login")
    ServiceMember.objects.get_or_create(service=service, user=user)
    return user


def remove(service: ChatService, user_id: int) -> None:
    """Take a login off. Raises Conflict for the last one: a service is never left without an admin."""
    members = ServiceMember.objects.filter(service=service)
    row = members.filter(user_id=user_id).first()
    if row is None:
        raise NotFound("no such member")
    if members.count() == 1:
        raise Conflict("the last admin cannot be removed")
    row.delete()
