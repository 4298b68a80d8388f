"""What a tool says to the model: a result, or what it cannot do and why."""

from dataclasses import dataclass

from memoryapp.contexts import texts


@dataclass(frozen=True)
class Said:
    """A tool's answer. `reason` is set when memory may not be used here."""

    result: str
    is_error: bool = False
    reason: str | None = None


class Cannot(Exception):
    """A tool cannot do what the model asked; nothing was changed. Its text is for the model."""

    def __init__(self, failure: str, **values: object) -> None:
        self.failure, self.values = failure, values
        super().__init__(texts.failure(failure, **values))
