"""Everything that can be refused. A class's docstring is its title; code and status are the API's (RFC 9457)."""

from collections.abc import Mapping
from typing import ClassVar


class Problem(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "invalid"
    status: ClassVar[int] = 400
    #: Seconds until it is worth trying again; 0 = it is not a matter of time.
    wait: int = 0

    def __init__(self, detail: str = "", errors: Mapping[str, list[str]] | None = None) -> None:
        """`detail` must never repeat content; `errors` maps a field to what is wrong with it."""
        super().__init__(detail)
        self.detail = detail
        self.errors = dict(errors or {})

    @property
    def title(self) -> str:
        return (type(self).__doc__ or "").splitlines()[0]


class Invalid(Problem):
    """The request is not valid."""


class Unauthenticated(Problem):
    """A valid service key is needed."""

    code = "unauthenticated"
    status = 401


class Forbidden(Problem):
    """This key may not do that."""

    code = "forbidden"
    status = 403


class NotFound(Problem):
    """There is no such thing."""

    code = "not-found"
    status = 404


class Conflict(Problem):
    """It has changed in the meantime."""

    code = "conflict"
    status = 409


class Stale(Conflict):
    """The version named in If-Match is not the current one."""

    status = 412


class TooLarge(Problem):
    """The request is too large."""

    status = 413


class CursorExpired(Problem):
    """This cursor is unknown or has expired: start again."""

    code = "cursor-expired"
    status = 410


class RateLimited(Problem):
    """Too many requests."""

    code = "rate-limited"
    status = 429

    def __init__(self, detail: str = "", *, wait: int = 60) -> None:
        """`wait`: seconds until it is worth trying again."""
        super().__init__(detail)
        self.wait = wait


class IndexUnavailable(Problem):
    """The index cannot follow; nothing was changed."""

    code = "index-unavailable"
    status = 503


class DatabaseUnavailable(Problem):
    """The database cannot be used just now."""

    code = "database-unavailable"
    status = 503
    wait = 5


class VaultUnavailable(Problem):
    """The content key is missing or does not fit; nothing can be read."""

    code = "vault-unavailable"
    status = 503


class Refused(Problem):
    """Memory may not be used here."""

    code = "forbidden"
    status = 403
    reason: ClassVar[str] = ""


class NoConsent(Refused):
    """The person has not agreed to this."""

    code = "consent-required"
    reason = "no-consent"


class MemoryOff(Refused):
    """Memory is switched off for this service."""

    code = "memory-off"
    reason = "memory-off"


class SpeakerNotAllowed(Refused):
    """Personal records cannot be used with this speaker."""

    code = "speaker-not-allowed"
    reason = "speaker-not-allowed"


class Incognito(Refused):
    """This was said off the record."""

    reason = "incognito"
