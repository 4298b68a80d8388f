"""Call one of a session's tools on behalf of a model, whichever door the call came through."""

from collections.abc import Callable
from typing import Any

from memoryapp.contexts import leave, texts
from memoryapp.contexts.load_context import Pick, load_context, unload_context
from memoryapp.contexts.said import Cannot, Said
from memoryapp.contexts.search_context import Search, search_context
from memoryapp.contexts.set_context import Write, set_context
from memoryapp.errors import NotFound, Refused
from memoryapp.permit import Caller

TOOLS: dict[str, Callable[..., Said]] = {
    "set_context": set_context,
    "search_context": search_context,
    "load_context": load_context,
    "unload_context": unload_context,
}


def call(caller: Caller, user_id: str, session_id: str, tool: str, arguments: Write | Search | Pick) -> Said:
    """What the tool says. Without leave, reading says that nothing is available; writing raises.

    Raises NotFound for an unknown tool, Refused for a write that the person has not allowed.
    """
    if tool not in TOOLS:
        raise NotFound("no such tool")
    writing = tool == "set_context"
    try:
        permit = leave.admit(caller, user_id, leave.WRITE if writing else leave.USE)
        return TOOLS[tool](permit, session_id, arguments)
    except Refused as refusal:
        if writing:
            raise
        return Said(texts.result("nothing_available"), reason=refusal.reason)
    except Cannot as failure:
        return Said(str(failure), is_error=True)


def arguments_of(tool: str, given: dict[str, Any]) -> Write | Search | Pick:
    """Validated arguments as the tool takes them."""
    if tool == "set_context":
        metadata = given.get("metadata") or {}
        return Write(
            label=given["label"],
            content=given["content"],
            append=given["action"] == "append",
            title=metadata.get("title") or "",
            description=metadata.get("description"),
        )
    return Search(**given) if tool == "search_context" else Pick(**given)
