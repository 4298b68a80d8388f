"""What happens elsewhere because something happened here."""

from typing import Any

from django.dispatch import receiver

from consent.domains import MASTER
from consent.ledger import withdrawn
from memoryapp import turns
from speakers.models import Person


@receiver(withdrawn)
def stop_reading(sender: Any, person: Person, domain: str, service: str, **kwargs: Any) -> None:
    """A withdrawal stops what waits to be read; it erases nothing."""
    if domain == MASTER:
        turns.skip_waiting(person, service)
