"""What a call to the service can end in. Messages name codes and fields, never what was sent."""

from collections.abc import Mapping
from typing import Any


class MemoryServiceError(Exception):
    """The memory service could not do what was asked."""


class Unreachable(MemoryServiceError):
    """The memory service did not answer in time, after all retries."""


class Refusal(MemoryServiceError):
    """The service answered with a problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", "unknown"))
        self.title = str(problem.get("title", "The service refused."))
        self.detail = str(problem.get("detail", ""))
        self.errors: dict[str, list[str]] = dict(problem.get("errors") or {})
        fields = f" ({', '.join(sorted(self.errors))})" if self.errors else ""
        super().__init__(f"{status} {self.code}: {self.detail or self.title}{fields}")


class ConsentRequired(Refusal):
    """The person has not agreed to this. Do not ask again on your own; they decide on their page."""


class NotFound(Refusal):
    """There is no such thing, or it is not yours."""


class CursorExpired(Refusal):
    """This cursor is unknown or has expired: start again."""


def refusal(status: int, problem: Mapping[str, Any]) -> Refusal:
    """The most telling class for a problem document."""
    kinds: dict[str, type[Refusal]] = {
        "consent-required": ConsentRequired,
        "not-found": NotFound,
        "cursor-expired": CursorExpired,
    }
    return kinds.get(str(problem.get("code")), Refusal)(status, problem)
