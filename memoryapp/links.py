"""Whose voice, face or account: links between identities and people, and what ends with a link.

A voice that was linked to the wrong person taught that person what somebody else had said. When the link
ends, all of it leaves that person's memory in one batch, which can be undone as long as it is kept.
"""

import uuid
from typing import Any

from django.db import transaction

from memoryapp import rollback
from memoryapp.errors import Conflict, NotFound
from memoryapp.models import Workflow
from memoryapp.rollback import LINK, Source
from speakers import identity
from speakers.identity import AlreadyLinked, IllegalMove
from speakers.locks import lock_person
from speakers.models import ACTIVE_LINKS, IdentityKind, IdentityLink, LinkState, Person


def change(
    link_id: uuid.UUID, state: str, *, actor: str, evidence: dict[str, Any], person: Person | None = None
) -> IdentityLink:
    """Take a link to another state. Raises NotFound, or Conflict for an illegal move.

    `person` limits it to that person's links. The person's lock is held, so that whoever is storing a turn
    of this voice has either stored it before, and it is taken back, or finds the link gone.
    """
    link = _link(link_id, person)
    with transaction.atomic():
        lock_person(link.person)
        acted = _link(link_id, person).state in ACTIVE_LINKS
        try:
            link = identity.move(link, state, actor=actor, evidence=evidence)
        except IllegalMove as error:
            raise Conflict(f"a link cannot go {error}") from error
        except AlreadyLinked as error:
            raise Conflict("this identity is linked to another person; undo that link first") from error
        if acted and link.state not in ACTIVE_LINKS:
            _take_back(link, actor)
    return link


def mine(person: Person) -> list[IdentityLink]:
    """A person's links with identity and history, for their own page."""
    return identity.links_of(person)


def confirm(person: Person, link_id: uuid.UUID) -> IdentityLink:
    """The person says: yes, this is me. Raises NotFound, Conflict."""
    return change(link_id, LinkState.VERIFIED, actor="person", evidence={"said": "this is me"}, person=person)


def reject(person: Person, link_id: uuid.UUID) -> IdentityLink:
    """The person says: this is not me. What it taught leaves their memory. Raises NotFound, Conflict."""
    return change(
        link_id, LinkState.REVOKED, actor="person", evidence={"said": "this is not me"}, person=person
    )


def _link(link_id: uuid.UUID, person: Person | None) -> IdentityLink:
    links = IdentityLink.objects.select_related("identity", "person")
    link = (links if person is None else links.filter(person=person)).filter(pk=link_id).first()
    if link is None:
        raise NotFound("no such identity")
    return link


def _take_back(link: IdentityLink, actor: str) -> None:
    """Only a voice speaks turns; a face or an account that is unlinked taught nothing."""
    if link.identity.kind != IdentityKind.VOICE:
        return
    voice = link.identity.external_id
    turns = list(rollback.turns_of_voice(link.person, voice))
    if turns:
        rollback.withdraw_turns(link.person, turns, source=Source(kind=LINK, id=str(link.pk)), actor=actor)
    Workflow.objects.filter(person=link.person, speaker_id=voice).update(person=None)
