"""From a voice to whose memory it may reach at one service."""

from typing import Any

from consent import ledger
from consent.domains import Domain
from memoryapp.permit import Caller
from speakers.identity import Speaker, SpeakerScope, resolve, stranger


def scope_of(caller: Caller, speaker: Speaker) -> SpeakerScope:
    """Whose memory this voice may reach. Somebody who forbade being recognised by voice is a stranger.

    A link is the permission to act on a voice; the consent domain `voice` is how its person takes it back.
    """
    scope = resolve(speaker)
    if scope.person is None:
        return scope
    if caller.asserted_user_id is not None and caller.asserted_user_id != scope.person.user_id:
        return stranger(scope)
    slug = caller.service.slug if caller.service else ""
    return stranger(scope) if ledger.standings(scope.person, slug).forbids(Domain.VOICE) else scope


def may_use(caller: Caller, scope: SpeakerScope, domain: Domain) -> bool:
    """Whether data of a domain may be used for this voice: known, linked, alone, and its person agrees (S3)."""
    if scope.person is None:
        return False
    slug = caller.service.slug if caller.service else ""
    return ledger.standings(scope.person, slug).allows(domain)


def scope_json(scope: SpeakerScope) -> dict[str, Any]:
    """The contract's speaker_scope."""
    return {
        "speaker_id": scope.speaker_id,
        "person_id": str(scope.person.public_id) if scope.person else None,
        "identity_link_state": scope.link_state,
        "speaker_confidence": scope.confidence,
        "personalization_allowed": scope.allowed,
    }
