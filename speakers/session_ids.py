"""Which ids a session can have."""

import re

#: What may follow a session id in an address of the API: /sessions/<id>/contexts/<label>, /sessions/<id>/prompt …
_FOLLOWS = re.compile(r".*/(contexts|entries|prompt|tools)(/.*)?", re.DOTALL)

WHY = "Must not have contexts, entries, prompt or tools after a slash: that is the address of another session's."


def addressable(session_id: str) -> bool:
    """Ids may have slashes, but the session `a/prompt` could not be told from the prompt of `a`."""
    return not _FOLLOWS.fullmatch(session_id)
