"""Who administers a service."""

from django.db import transaction

from memoryapp import audit
from memoryapp.errors import Conflict, NotFound
from memoryapp.models import ChatService, ServiceMember
from speakers.models import User


def add(service: ChatService, username: str, *, by: User | None = None) -> User:
    """Make a login an admin of this service. Raises NotFound for an unknown or inactive login."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise NotFound("no such login")
    with transaction.atomic():
        _, made = ServiceMember.objects.get_or_create(service=service, user=user)
        if made:
            audit.note(by, "member.add", service=service.slug, object_id=user.pk)
    return user


def remove(service: ChatService, user_id: int, *, by: User | None = None) -> None:
    """Take a login off. Raises Conflict for the last one: a service is never left without an admin."""
    with transaction.atomic():
        # One removal at a time, or two could each leave the other's as the last one.
        ChatService.objects.select_for_update().get(pk=service.pk)
        members = ServiceMember.objects.filter(service=service)
        row = members.filter(user_id=user_id).first()
        if row is None:
            raise NotFound("no such member")
        if members.count() == 1:
            raise Conflict("the last admin cannot be removed")
        row.delete()
        audit.note(by, "member.remove", service=service.slug, object_id=user_id)
