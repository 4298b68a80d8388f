"""Receipts of consent to take away: a chain per domain, and a signed head that says where each chain ended.

The chain alone shows that no receipt was changed or taken out of its middle. That the last ones are there too, and
that nobody wrote the whole chain anew, is what the head's signature shows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from consent import ledger, notices
from consent.domains import Domain
from consent.models import ConsentEvent
from memoryapp import signing
from speakers.models import Person

HEAD = "consent_head"


@dataclass(frozen=True)
class Papers:
    """What a file of receipts holds: the receipts, oldest first within each domain, and their signed heads."""

    receipts: list[Mapping[str, Any]] = field(default_factory=list)
    heads: list[Mapping[str, Any]] = field(default_factory=list)


def events(person: Person | None, domain: Domain | None = None) -> list[ConsentEvent]:
    """Every decision of a person, or those on one domain, oldest first. Nobody has decided anything."""
    rows = ConsentEvent.objects.filter(person=person).select_related("person").order_by("pk")
    return list(rows if domain is None else rows.filter(domain=domain))


def head(decided: Iterable[ConsentEvent]) -> dict[str, Any] | None:
    """Where the chain of each domain ends, signed; None when nothing was decided. Raises VaultUnavailable.

    → {kind, person_id, at, chains: [{domain, count, last_sha256}], signed_by, public_key, signature}
    """
    chains: dict[str, dict[str, Any]] = {}
    person = None
    for event in decided:
        person = event.person
        count = chains[event.domain]["count"] + 1 if event.domain in chains else 1
        chains[event.domain] = {"domain": event.domain, "count": count, "last_sha256": event.sha256}
    if person is None:
        return None
    return signing.sign(
        {
            "kind": HEAD,
            "person_id": str(person.public_id),
            "at": timezone.now().isoformat(),
            "chains": list(chains.values()),
        }
    )


def faults(papers: Papers, is_signed: Callable[[Mapping[str, Any]], bool]) -> list[str]:
    """What is wrong with the papers, [] if sound. Without a head the chains alone are looked at.

    `is_signed` tells whether somebody who is believed has signed a head.
    """
    chains = _chains(papers.receipts)
    found = [fault for chain in chains.values() for fault in ledger.verify(chain)]
    found += _other_notices(papers.receipts)
    for one in papers.heads:
        if not is_signed(one):
            found.append("the signed head is not signed by the key that is believed, or has been altered")
    return found + (_against_heads(chains, papers.heads) if papers.heads else [])


def _chains(receipts: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    """Receipts chain per person and domain."""
    chains: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for receipt in receipts:
        chains[receipt["person_id"], receipt["domain"]].append(receipt)
    return chains


def _against_heads(
    chains: Mapping[tuple[str, str], list[Mapping[str, Any]]], heads: Iterable[Mapping[str, Any]]
) -> list[str]:
    found, covered = [], dict.fromkeys(chains, 0)
    for one in heads:
        for end in one["chains"]:
            key, count = (one["person_id"], end["domain"]), end["count"]
            chain = chains.get(key, [])
            covered[key] = max(covered.get(key, 0), count)
            if len(chain) < count:
                found.append(f"{end['domain']}: {count} receipts are signed for, {len(chain)} are here")
            elif count < 1 or chain[count - 1]["sha256"] != end["last_sha256"]:
                found.append(f"{end['domain']}: these are not the receipts that were signed for")
    for key, chain in chains.items():
        if len(chain) > covered[key]:
            found.append(f"{key[1]}: {len(chain) - covered[key]} receipts are not signed for")
    return found


def _other_notices(receipts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Receipts over a text that is not the one in this installation's files; other texts are not known here."""
    known = notices.fingerprints()
    return [
        f"{receipt['receipt_id']}: its notice is not the one published under this version"
        for receipt in receipts
        if receipt["notice_sha256"]
        != known.get((receipt["domain"], receipt["notice_version"]), receipt["notice_sha256"])
    ]
