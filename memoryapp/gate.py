"""The gate: key + deployed revision + person + speaker + consent → a Permit, or Refused with a reason.

Nothing else makes a Permit, and every verb needs one, so a forgotten check is a missing argument.
"""

from django.db.models import QuerySet
from django.utils import timezone

from consent import ledger
from consent.domains import Domain
from memoryapp import permit as permits
from memoryapp.errors import Forbidden, Incognito, MemoryOff, NoConsent, NotFound, SpeakerNotAllowed
from memoryapp.models import ReplayGrant, Scope
from memoryapp.permit import Act, Caller, Permit
from memoryapp.voices import scope_of
from speakers.identity import Speaker, SpeakerScope, voices_of
from speakers.locks import lock_person
from speakers.models import Person

#: What needs the person's consent and a service whose memory is on.
NEEDS_CONSENT = frozenset({Act.RECORD, Act.EXTRACT, Act.SAVE, Act.RECALL, Act.REPLAY})
#: What a service needs consent for, though the person themself does not.
SERVICE_NEEDS_CONSENT = NEEDS_CONSENT | {Act.CORRECT}

BOTH = frozenset({Scope.PERSONAL.value, Scope.SERVICE.value})


def admit(
    caller: Caller,
    user_id: str,
    act: Act,
    *,
    speaker: Speaker | None = None,
    incognito: bool = False,
) -> Permit:
    """Ask for leave on behalf of a service. Raises a Refused, which tells why and nothing else.

    An unknown user_id has consented to nothing, and is told so in the same words as a known one.
    """
    if caller.asserted_user_id is not None and caller.asserted_user_id != user_id:
        raise Forbidden("user_id is not the user of the assertion")
    if incognito:
        raise Incognito
    if act in SERVICE_NEEDS_CONSENT:
        _memory_is_on(caller)
    scope = _speaker_is_the_person(caller, speaker, user_id) if speaker else None
    person = find(user_id)
    if act not in SERVICE_NEEDS_CONSENT:
        if person is None:
            raise NotFound("no such user_id")
        return _make(act, person, caller, BOTH, scope)
    return _make(act, *_consented(act, person, caller), scope)


def own(person: Person, act: Act) -> Permit:
    """Leave for the person on their own page: their rows are theirs to see, correct and delete."""
    if act in NEEDS_CONSENT:
        _consented(act, person, Caller())
    return _make(act, person, Caller(), BOTH, None)


def again(permit: Permit) -> Permit:
    """Ask once more inside the transaction that is about to write, holding the person's lock.

    Between the first question and the write, consent may have been withdrawn or the person erased.
    """
    lock_person(permit.person)
    person = _people().filter(pk=permit.person.pk).first()
    if person is None:
        raise NoConsent
    if permit.speaker is not None and permit.speaker.speaker_id not in voices_of(person):
        raise SpeakerNotAllowed  # the voice was unlinked meanwhile
    needs = NEEDS_CONSENT if permit.caller.service is None else SERVICE_NEEDS_CONSENT
    if permit.act not in needs:
        return _make(permit.act, person, permit.caller, permit.scopes, permit.speaker)
    return _make(permit.act, *_consented(permit.act, person, permit.caller), permit.speaker)


def find(user_id: str) -> Person | None:
    """The person a service calls by this id, with their key, in one query. Never makes one."""
    return _people().filter(user_id=user_id).first()


def _people() -> QuerySet[Person]:
    return Person.objects.select_related("key")


def _memory_is_on(caller: Caller) -> None:
    if caller.service is not None and (caller.revision is None or not caller.revision.memory_enabled):
        raise MemoryOff


def _speaker_is_the_person(caller: Caller, speaker: Speaker, user_id: str) -> SpeakerScope:
    scope = scope_of(caller, speaker)
    if not scope.allowed or scope.person is None or scope.person.user_id != user_id:
        raise SpeakerNotAllowed
    return scope


def _consented(act: Act, person: Person | None, caller: Caller) -> tuple[Person, Caller, frozenset[str]]:
    slug = caller.service.slug if caller.service else ""
    standings = ledger.standings(person, slug)
    if person is None or not standings.allows(Domain.LONG_TERM_MEMORY):
        raise NoConsent
    if act == Act.REPLAY and not _agreed_to_replays(person, caller):
        raise NoConsent
    service_too = standings.allows(Domain.SERVICE_MEMORY)
    return person, caller, BOTH if service_too else frozenset({Scope.PERSONAL.value})


def _agreed_to_replays(person: Person, caller: Caller) -> bool:
    """Consent to memory is not enough for others to look on: that takes a leave of its own, for a time."""
    grants = ReplayGrant.objects.filter(person=person, service=caller.service, until__gt=timezone.now())
    return grants.exists()


def _make(
    act: Act, person: Person, caller: Caller, scopes: frozenset[str], speaker: SpeakerScope | None
) -> Permit:
    return Permit(
        act=act,
        person=person,
        caller=caller,
        scopes=scopes,
        speaker=speaker,
        seal=permits._FROM_THE_GATE,
    )
