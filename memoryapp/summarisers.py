"""Which summariser writes: the built-in extractive one, or the language model a revision has chosen."""

from memoryapp.permit import Permit
from memoryapp.summarise import Extractive, Summariser


def chosen(permit: Permit) -> Summariser:
    """The summariser of the deployed revision."""
    return Extractive()
