"""Fetch the public keys of services from where they publish them, and follow what changed there.

A set that cannot be had changes nothing, however long that lasts. One that was fetched well is the truth about the
keys that came from it, and says nothing about those that an admin has pasted, or has revoked by hand.
"""

import logging

from django.db import transaction
from django.utils import timezone

from memoryapp import assertion_keys, audit, claims, fetch, public_keys
from memoryapp.models import AssertionKey, ChatService, KeyUrl

log = logging.getLogger(__name__)

EVERY_SECONDS = 600


def due() -> list[int]:
    """Ids of services whose keys are to be fetched: asked for, or not looked at for ten minutes."""
    rows = KeyUrl.objects.filter(claims.given_up(timezone.now(), EVERY_SECONDS))
    return list(rows.values_list("service_id", flat=True))


def refresh(service_pk: int) -> None:
    """Fetch the keys, if they are due, and follow. Safe to run twice, at once, or after a crash."""
    row = _claim(service_pk)
    if row is None:
        return
    try:
        named = public_keys.fetched(fetch.document(row.url))
    except fetch.Failed as failure:
        _tell(row, failure.code)
    else:
        _follow(row, named)


def _claim(service_pk: int) -> KeyUrl | None:
    now = timezone.now()
    rows = KeyUrl.objects.filter(service=service_pk)
    if not rows.filter(claims.given_up(now, EVERY_SECONDS)).update(claimed_at=now):
        return None
    return rows.filter(claimed_at=now).select_related("service").first()


def _tell(row: KeyUrl, code: str) -> None:
    """Keep why it failed and since when, if nobody has asked or claimed anew meanwhile."""
    mine = KeyUrl.objects.filter(pk=row.pk, claimed_at=row.claimed_at)
    mine.update(error=code, failing_since=row.failing_since or timezone.now())
    # The host alone: the rest of an address may hold a secret.
    log.warning("no keys of %s from %s: %s", row.service.slug, fetch.host_of(row.url), code)


def _follow(row: KeyUrl, named: dict[str, str]) -> None:
    """Make the keys from the URL what the set (kid → PEM) says."""
    with transaction.atomic():
        service = assertion_keys.locked(row.service)
        # Claimed or asked for anew meanwhile, or another address: what was fetched may be older than theirs.
        current = KeyUrl.objects.filter(pk=row.pk, claimed_at=row.claimed_at).first()
        if current is None:
            return
        known = {key.kid: key for key in AssertionKey.objects.filter(service=service)}
        for key in known.values():
            if key.from_url and key.revoked_at is None and key.kid not in named:
                assertion_keys.drop(service, key)
        not_taken = [kid for kid, pem in named.items() if not _take(service, known.get(kid), kid, pem)]
        current.fetched_at, current.failing_since, current.error = timezone.now(), None, ""
        current.not_taken = not_taken
        current.save(update_fields=["fetched_at", "failing_since", "error", "not_taken"])


def _take(service: ChatService, key: AssertionKey | None, kid: str, pem: str) -> bool:
    """Keep one key of the set. → False where its kid is that of a pasted key, or of one revoked by hand."""
    if key is None:
        key = AssertionKey.objects.create(service=service, kid=kid, public_key=pem, from_url=True)
        audit.note(None, "assertion-key.fetch", service=service.slug, object_id=key.pk)
        return True
    if not key.from_url or (key.revoked_at and not key.dropped):
        return False
    if key.public_key != pem or key.dropped:
        changed = [] if key.public_key == pem else ["public_key"]
        key.public_key, key.revoked_at, key.dropped = pem, None, False
        key.save(update_fields=["public_key", "revoked_at", "dropped"])
        audit.note(None, "assertion-key.fetch", service=service.slug, object_id=key.pk, changed=changed)
    return True
