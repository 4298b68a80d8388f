"""Service keys: issue (shown once), recognise, rotate, revoke."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Prefetch, Q
from django.utils import timezone

from memoryapp import audit
from memoryapp.models import ChatService, RevisionState, ServiceKey, ServiceRevision
from memoryapp.permit import Caller
from speakers.models import User

PERMISSIONS = ("recall", "save", "turns", "manage", "erase", "consents", "speakers", "contexts")
_PREFIX = "mk_"
_TOUCH = timedelta(minutes=1)


def issue(
    service: ChatService,
    permissions: Sequence[str] = PERMISSIONS,
    *,
    name: str = "",
    expires_at: datetime | None = None,
    by: User | None = None,
    action: str = "key.issue",
) -> tuple[ServiceKey, str]:
    """Make a key. → (its row, the secret); the secret is shown once and cannot be had again."""
    secret = _PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        key = ServiceKey.objects.create(
            service=service,
            name=name,
            prefix=secret[:10],
            sha256=_hash(secret),
            permissions=[item for item in PERMISSIONS if item in permissions],
            expires_at=expires_at,
        )
        audit.note(by, action, service=service.slug, object_id=key.pk, changed=key.permissions)
    return key, secret


def rotate(
    key: ServiceKey, *, overlap: timedelta = timedelta(0), by: User | None = None
) -> tuple[ServiceKey, str]:
    """Issue a successor with the same permissions; the old key works on for `overlap`, then no more."""
    with transaction.atomic():
        new, secret = issue(key.service, key.permissions, name=key.name, by=by, action="key.rotate")
        key.expires_at = timezone.now() + overlap
        key.save(update_fields=["expires_at"])
    return new, secret


def revoke(key: ServiceKey, *, by: User | None = None) -> None:
    """End a key at once."""
    with transaction.atomic():
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        audit.note(by, "key.revoke", service=key.service.slug, object_id=key.pk)


def recognise(secret: str) -> Caller | None:
    """The caller behind a secret, with the service's deployed revision, in two queries. None if unknown or ended."""
    now = timezone.now()
    deployed = ServiceRevision.objects.filter(state=RevisionState.DEPLOYED)
    key = (
        ServiceKey.objects.select_related("service")
        .prefetch_related(Prefetch("service__revisions", deployed, to_attr="deployed"))
        .filter(
            Q(expires_at__isnull=True) | Q(expires_at__gt=now), sha256=_hash(secret), revoked_at__isnull=True
        )
        .first()
    )
    if key is None:
        return None
    _touch(key, now)
    revisions: list[ServiceRevision] = key.service.deployed  # type: ignore[attr-defined]
    return Caller(service=key.service, revision=revisions[0] if revisions else None, key=key)


def _touch(key: ServiceKey, now: datetime) -> None:
    """Note the use, at most once a minute: a recall should not wait for a write."""
    if key.last_used_at is None or now - key.last_used_at > _TOUCH:
        ServiceKey.objects.filter(pk=key.pk).update(last_used_at=now)


def _hash(secret: str) -> str:
    # The secret has 256 random bits: a plain hash cannot be searched, and costs nothing per request.
    return hashlib.sha256(secret.encode()).hexdigest()
