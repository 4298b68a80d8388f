"""What one extraction has cost."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Used:
    """Model calls made and tokens read and written, as the endpoint counted them."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Used") -> "Used":
        return Used(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )
