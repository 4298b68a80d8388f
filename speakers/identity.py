"""From a voice to a person: who is speaking, how sure that is, and whether it may be acted on."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Prefetch

from speakers.models import (
    ACTIVE_LINKS,
    Identity,
    IdentityKind,
    IdentityLink,
    IdentityLinkChange,
    LinkState,
    Person,
)

#: The legal moves of a link. `revoked` ends a link; a new suggestion starts it afresh.
MOVES: dict[str, frozenset[str]] = {
    LinkState.UNLINKED: frozenset(
        {LinkState.CANDIDATE, LinkState.LINKED, LinkState.VERIFIED, LinkState.REVOKED}
    ),
    LinkState.CANDIDATE: frozenset(
        {LinkState.UNLINKED, LinkState.LINKED, LinkState.VERIFIED, LinkState.REVOKED}
    ),
    LinkState.LINKED: frozenset({LinkState.VERIFIED, LinkState.REVOKED, LinkState.UNLINKED}),
    LinkState.VERIFIED: frozenset({LinkState.LINKED, LinkState.REVOKED, LinkState.UNLINKED}),
    LinkState.REVOKED: frozenset({LinkState.CANDIDATE}),
}


class IllegalMove(Exception):
    """A link cannot go from its state to that one."""


class AlreadyLinked(Exception):
    """This identity is linked to another person; undo that link first."""


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """What a device says of the voice it heard."""

    speaker_id: str = ""
    speaker_state: str = "unknown"  # identified | unknown | ambiguous
    speaker_confidence: float = 0.0
    multi_speaker: bool = False
    overlap: bool = False


@dataclass(frozen=True, kw_only=True)
class SpeakerScope:
    """Whose memory a voice may reach. `person` is None unless all conditions hold.

    `certain` says that one voice was recognised well enough, whoever's it may be.
    """

    speaker_id: str
    person: Person | None
    link_state: str
    confidence: float
    allowed: bool
    certain: bool = False


def resolve(speaker: Speaker) -> SpeakerScope:
    """Find the person behind a voice, in at most one query.

    A voice that is not certain is answered like an unknown one: not even that a link exists is told.
    """
    certain = is_certain(speaker)
    link = _active_link(speaker.speaker_id) if certain else None
    allowed = link is not None and link.state in ACTIVE_LINKS
    return SpeakerScope(
        speaker_id=speaker.speaker_id,
        person=link.person if link and allowed else None,
        link_state=link.state if link else LinkState.UNLINKED,
        confidence=speaker.speaker_confidence,
        allowed=allowed,
        certain=certain,
    )


def is_certain(speaker: Speaker) -> bool:
    """Whether one voice, and no other, was recognised well enough to be acted on."""
    return bool(
        speaker.speaker_id
        and speaker.speaker_state == "identified"
        and not speaker.multi_speaker
        and not speaker.overlap
        and speaker.speaker_confidence >= settings.SPEAKER_MIN_CONFIDENCE
    )


def stranger(scope: SpeakerScope) -> SpeakerScope:
    """The same voice as somebody we know nothing of."""
    return replace(scope, person=None, link_state=LinkState.UNLINKED, allowed=False)


def _active_link(speaker_id: str) -> IdentityLink | None:
    links = list(
        IdentityLink.objects.filter(identity__kind=IdentityKind.VOICE, identity__external_id=speaker_id)
        .select_related("person")
        .order_by("-updated_at")
    )
    active = [link for link in links if link.state in ACTIVE_LINKS]
    # The same voice id at two providers pointing at two people is no evidence of either.
    if len({link.person_id for link in active}) > 1:
        return None
    return active[0] if active else (links[0] if links else None)


def attach(person: Person, *, kind: str, external_id: str, provider: str = "") -> tuple[IdentityLink, bool]:
    """Note that an identity may be this person's; `unlinked`, it means nothing yet. → (link, made?)"""
    identity, _ = Identity.objects.get_or_create(kind=kind, provider=provider, external_id=external_id)
    return IdentityLink.objects.select_related("identity").get_or_create(identity=identity, person=person)


def voices_of(person: Person) -> set[str]:
    """The ids of the voices that may act for this person."""
    links = IdentityLink.objects.filter(
        person=person, state__in=ACTIVE_LINKS, identity__kind=IdentityKind.VOICE
    )
    return set(links.values_list("identity__external_id", flat=True))


def move(
    link: IdentityLink, state: str, *, actor: str, evidence: dict[str, Any] | None = None
) -> IdentityLink:
    """Take a link to another state and keep the step. Raises IllegalMove or AlreadyLinked."""
    with transaction.atomic():
        Identity.objects.select_for_update().get(pk=link.identity_id)
        link = IdentityLink.objects.select_related("identity", "person").get(pk=link.pk)
        if state == link.state:
            return link
        if state not in MOVES[link.state]:
            raise IllegalMove(f"{link.state} → {state}")
        taken = IdentityLink.objects.filter(identity_id=link.identity_id, state__in=ACTIVE_LINKS)
        if state in ACTIVE_LINKS and taken.exclude(pk=link.pk).exists():
            raise AlreadyLinked
        IdentityLinkChange.objects.create(
            link=link, from_state=link.state, to_state=state, actor=actor, evidence=evidence or {}
        )
        link.state, link.evidence = state, evidence or link.evidence
        link.save(update_fields=["state", "evidence", "updated_at"])
    return link


def links_of(person: Person) -> list[IdentityLink]:
    """A person's links with their identities and history, newest first."""
    return list(
        person.links.select_related("identity")
        .prefetch_related(Prefetch("changes", IdentityLinkChange.objects.order_by("pk")))
        .order_by("-updated_at")
    )
