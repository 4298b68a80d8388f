"""What happens elsewhere because something happened here."""

from typing import Any

from django.dispatch import receiver

from consent.domains import MASTER
from consent.ledger import withdrawn
from memoryapp import replay_grants, turns
from memoryapp.contexts.unsay import unsay
from memoryapp.lifecycle import unsaid
from memoryapp.vault import Box
from speakers.models import Person


@receiver(withdrawn)
def stop_reading(sender: Any, person: Person, domain: str, service: str, **kwargs: Any) -> None:
    """A withdrawal stops what waits to be read and ends the leave for trials; it erases no memory."""
    if domain == MASTER:
        turns.skip_waiting(person, service)
        replay_grants.take_back(person, service)


@receiver(unsaid)
def take_out_of_contexts(sender: Any, person_id: int, box: Box, statement: str, **kwargs: Any) -> None:
    """What is deleted or corrected leaves the blocks and prompts that it was copied to."""
    unsay(person_id, box, statement)
