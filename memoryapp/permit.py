"""The permit: proof that the gate was asked. Verbs take one; only gate.py can make one."""

from dataclasses import dataclass, field
from enum import StrEnum

from memoryapp.models import ChatService, ServiceKey, ServiceRevision
from speakers.identity import SpeakerScope
from speakers.models import Person


class Act(StrEnum):
    """What somebody wants to do with a person's memory."""

    RECORD = "record"  # keep a turn
    EXTRACT = "extract"  # learn from a turn
    SAVE = "save"  # store a fact
    RECALL = "recall"  # use memories
    REPLAY = "replay"  # try settings on what was said, and show the service what is found
    SEE = "see"  # list, read, export: consent or not, the rows stay the person's to see
    CORRECT = "correct"
    FORGET = "forget"
    ERASE = "erase"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks, from verified credentials only. Without a service it is the person on their own page."""

    service: ChatService | None = None
    revision: ServiceRevision | None = None  # the deployed one; of a replay, the one being tried
    key: ServiceKey | None = None
    asserted_user_id: str | None = None  # from a signed assertion

    @property
    def name(self) -> str:
        return f"service:{self.service.slug}" if self.service else "person"


_FROM_THE_GATE = object()


@dataclass(frozen=True, kw_only=True)
class Permit:
    """Leave to do one thing with one person's memory, within the scopes named."""

    act: Act
    person: Person
    caller: Caller
    scopes: frozenset[str]
    speaker: SpeakerScope | None = None
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _FROM_THE_GATE:
            raise TypeError("only gate.py makes a Permit")

    @property
    def service(self) -> ChatService:
        """The calling service. The person's own page has none and never asks for it."""
        if self.caller.service is None:
            raise LookupError("this permit is not a service's")
        return self.caller.service

    @property
    def revision(self) -> ServiceRevision:
        if self.caller.revision is None:
            raise LookupError("no revision is deployed")
        return self.caller.revision
