"""The only writer of consent: grant, withdraw, expire. Each decision leaves a receipt, chained by hash."""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.dispatch import Signal
from django.utils import timezone

from consent.domains import FOLLOWS_MASTER, MASTER, Domain
from consent.models import ConsentEvent, ConsentState, Notice
from consent.notices import canonical, shown
from speakers.locks import lock_person
from speakers.models import Person

log = logging.getLogger(__name__)

#: Sent after a withdrawal is committed, with `person`, `domain` and `service` (slug, empty = all).
withdrawn = Signal()


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How one domain stands for one person at one service."""

    domain: Domain
    granted: bool
    since: datetime | None = None
    expires_at: datetime | None = None
    notice_version: int | None = None
    source: str | None = None
    renew: bool = False  # granted once, but the notice has changed since


@dataclass(frozen=True)
class Standings:
    """All domains of one person at one service. The master is above the others."""

    by_domain: Mapping[Domain, Standing]

    def allows(self, domain: Domain) -> bool:
        return self.by_domain[MASTER].granted and self.by_domain[domain].granted

    def forbids(self, domain: Domain) -> bool:
        """Whether the person decided, and the decision is not a yes; never asked is neither yes nor no."""
        standing = self.by_domain[domain]
        return standing.since is not None and not standing.granted

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.by_domain.values())


def standings(person: Person | None, service: str = "", at: datetime | None = None) -> Standings:
    """What this person has allowed, in one query. Nobody (None) has allowed nothing."""
    rows = _states(person, service) if person else []
    return Standings(_combine(rows, service, at or timezone.now()))


def decide(
    person: Person,
    domain: Domain,
    granted: bool,
    *,
    actor: str,
    source: str,
    service: str = "",
    evidence: Mapping[str, Any] | None = None,
    expires_at: datetime | None = None,
    notice_version: int | None = None,
) -> ConsentEvent:
    """Record a decision and make it hold at once. When this returns, nobody is still acting on the old one.

    `notice_version` is the text that was shown, None = the one published now. Raises notices.Outdated, and decides
    nothing, for a yes to another text than that.
    """
    with transaction.atomic():
        lock_person(person)
        notice = shown(domain, notice_version, granted=granted)
        event = _append(
            person, domain, granted, notice, actor, source, service, dict(evidence or {}), expires_at
        )
        ConsentState.objects.update_or_create(
            person=person,
            domain=domain,
            service=service,
            defaults={
                "granted": granted,
                "since": event.at,
                "expires_at": expires_at if granted else None,
                "notice_version": event.notice_version,
                "source": source,
            },
        )
        if not granted:
            transaction.on_commit(
                lambda: withdrawn.send(ConsentState, person=person, domain=domain, service=service)
            )
    return event


def expire(now: datetime | None = None) -> int:
    """Turn time-boxed consent that has run out into a recorded withdrawal. → how many.

    One that cannot be recorded is told; it holds no longer all the same (`_standing`), and costs no other its receipt.
    """
    due = ConsentState.objects.filter(granted=True, expires_at__lte=now or timezone.now())
    return sum(_expire(state, due) for state in due.select_related("person").order_by("pk"))


def receipt(event: ConsentEvent) -> dict[str, Any]:
    """The receipt of a decision: everything its hash covers, and the hash."""
    return {**_body(event), "sha256": event.sha256}


def verify(receipts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Check a person's receipts of one domain, oldest first, without a database. → what is wrong, [] if sound."""
    faults: list[str] = []
    previous = None
    for item in receipts:
        body = {key: value for key, value in item.items() if key != "sha256"}
        if previous is None and item["previous_sha256"]:
            faults.append(f"{item['receipt_id']}: the receipts before it are not here")
        elif item["previous_sha256"] != (previous or ""):
            faults.append(f"{item['receipt_id']}: does not follow the receipt before it")
        if hashlib.sha256(canonical(body)).hexdigest() != item["sha256"]:
            faults.append(f"{item['receipt_id']}: has been altered")
        previous = item["sha256"]
    return faults


def _expire(state: ConsentState, due: QuerySet[ConsentState]) -> bool:
    try:
        return _withdraw(state, due)
    except (OperationalError, InterfaceError):  # the database is away, for all of them
        raise
    except Exception:
        log.error("the end of consent %s cannot be recorded", state.pk, exc_info=True)
        return False


def _withdraw(state: ConsentState, due: QuerySet[ConsentState]) -> bool:
    """Withdraw one that is still due under the person's lock: it may have been renewed, or ended by another sweep."""
    with transaction.atomic():
        lock_person(state.person)
        if not due.filter(pk=state.pk).exists():
            return False
        domain = Domain(state.domain)
        decide(state.person, domain, False, actor="system", source="expiry", service=state.service)
    return True


def _append(
    person: Person,
    domain: Domain,
    granted: bool,
    notice: Notice,
    actor: str,
    source: str,
    service: str,
    evidence: dict[str, Any],
    expires_at: datetime | None,
) -> ConsentEvent:
    before = ConsentEvent.objects.filter(person=person, domain=domain).order_by("-pk").first()
    event = ConsentEvent(
        person=person,
        domain=domain,
        service=service,
        granted=granted,
        at=timezone.now(),
        expires_at=expires_at if granted else None,
        notice_version=notice.version,
        notice_sha256=notice.sha256,
        actor=actor,
        source=source,
        evidence=evidence,
        previous_sha256=before.sha256 if before else "",
    )
    event.sha256 = hashlib.sha256(canonical(_body(event))).hexdigest()
    event.save(force_insert=True)
    return event


def _body(event: ConsentEvent) -> dict[str, Any]:
    return {
        "receipt_id": str(event.receipt_id),
        "person_id": str(event.person.public_id),
        "domain": event.domain,
        "service": event.service,
        "granted": event.granted,
        "at": event.at.isoformat(),
        "expires_at": event.expires_at.isoformat() if event.expires_at else None,
        "notice_version": event.notice_version,
        "notice_sha256": event.notice_sha256,
        "actor": event.actor,
        "source": event.source,
        "evidence": event.evidence,
        "previous_sha256": event.previous_sha256,
    }


def _states(person: Person, service: str) -> list[ConsentState]:
    needed = Notice.objects.filter(domain=OuterRef("domain"), material=True).order_by("-version")
    return list(
        ConsentState.objects.filter(Q(service="") | Q(service=service), person=person)
        .annotate(needed_version=Subquery(needed.values("version")[:1]))
        .order_by("service")
    )


def _combine(rows: list[ConsentState], service: str, at: datetime) -> dict[Domain, Standing]:
    """A decision for one service can only narrow what holds for all of them."""
    general = {row.domain: _standing(row, at) for row in rows if not row.service}
    own = {row.domain: _standing(row, at) for row in rows if service and row.service == service}
    master = _narrow(general.get(MASTER), own.get(MASTER), Standing(domain=MASTER, granted=False))
    result = {MASTER: master}
    for domain in Domain:
        if domain != MASTER:
            default = _default(domain, master)
            result[domain] = _narrow(general.get(domain), own.get(domain), default)
    return result


def _default(domain: Domain, master: Standing) -> Standing:
    if domain in FOLLOWS_MASTER and master.granted:
        return Standing(
            domain=domain,
            granted=True,
            since=master.since,
            expires_at=master.expires_at,
            notice_version=master.notice_version,
            source=MASTER.value,
        )
    return Standing(domain=domain, granted=False)


def _narrow(general: Standing | None, own: Standing | None, default: Standing) -> Standing:
    base = general or default
    return own if own is not None and not own.granted else base


def _standing(row: ConsentState, at: datetime) -> Standing:
    current = row.granted and (row.expires_at is None or row.expires_at > at)
    needed: int = getattr(row, "needed_version", None) or 0
    renew = current and row.notice_version < needed
    return Standing(
        domain=Domain(row.domain),
        granted=current and not renew,
        since=row.since,
        expires_at=row.expires_at,
        notice_version=row.notice_version,
        source=row.source,
        renew=renew,
    )
