"""Where a service publishes its public keys: set it, take it away, or have it looked at at once.

The row is the job: a worker fetches what is due (key_refresh.py), never a request.
"""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp import assertion_keys, audit, claims, fetch
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.hurry import hurry
from memoryapp.models import AssertionKey, ChatService, KeyUrl
from speakers.models import User

#: Nobody makes us ask somebody else's server more often than that.
ASKED_AGAIN_AFTER = timedelta(seconds=60)


def put(service: ChatService, url: str, *, by: User | None = None) -> None:
    """Take the keys from this address from now on. Raises Invalid, with a code of `fetch.checked` for `url`."""
    try:
        fetch.checked(url)
    except fetch.Failed as failure:
        raise Invalid("not an address for keys", {"url": [failure.code]}) from failure
    with transaction.atomic():
        service = assertion_keys.locked(service)
        if KeyUrl.objects.filter(service=service, url=url).exists():
            ask(service)
            return
        anew: dict[str, Any] = {"url": url, "asked_at": timezone.now()}
        anew |= {"claimed_at": None, "fetched_at": None, "failing_since": None, "error": "", "not_taken": []}
        row, _ = KeyUrl.objects.update_or_create(service=service, defaults=anew)
        audit.note(by, "key-url.set", service=service.slug, object_id=row.pk)
        _hurry(service)


def remove(service: ChatService, *, by: User | None = None) -> None:
    """Forget the address and end its keys. Raises NotFound, or Conflict where only they let anybody in."""
    with transaction.atomic():
        service = assertion_keys.locked(service)
        row = KeyUrl.objects.filter(service=service).first()
        if row is None:
            raise NotFound("no key URL")
        live = AssertionKey.objects.filter(service=service, revoked_at__isnull=True)
        if service.assertion_required and not live.filter(from_url=False).exists():
            raise Conflict("nobody could be let in without a key")
        for key in live.filter(from_url=True):
            assertion_keys.drop(service, key, by=by)
        audit.note(by, "key-url.remove", service=service.slug, object_id=row.pk)
        row.delete()


def ask(service: ChatService) -> bool:
    """Have the keys fetched at once, unless that was asked for less than a minute ago. → whether they will be."""
    now = timezone.now()
    may = Q(asked_at__lt=now - ASKED_AGAIN_AFTER) | Q(asked_at__gt=now + claims.SKEW)
    # What is being fetched at this moment counts no more: it may be older than what made somebody ask.
    if not KeyUrl.objects.filter(may, service=service).update(asked_at=now, claimed_at=None):
        return False
    _hurry(service)
    return True


def _hurry(service: ChatService) -> None:
    hurry("memoryapp.fetch_keys", service.pk)
