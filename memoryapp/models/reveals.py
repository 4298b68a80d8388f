"""That somebody looked at a masked value. Their own page shows it to them."""

from django.db import models

from memoryapp.models.memories import Memory
from speakers.models import Person


class Reveal(models.Model):
    """One look at one guarded memory, by its owner: who, which, when; never what was seen."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="reveals")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="reveals")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["person", "-at"], name="reveal_newest")]
