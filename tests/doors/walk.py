"""What is asked at each address and of each tool about Minji's things, and what she herself gets there.

An address or a tool that is not in these lists fails `test_wrong_user.py`: somebody has to decide what is asked there.
`{name}` stands for the id of one of Minji's rows, `{asked}` for the user who is named.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

HEARD = {"speaker_id": "{voice}", "speaker_state": "identified", "speaker_confidence": 0.9}
VOICE = {
    "recognized_text": "불 켜줘",
    "session_id": "{session_id}",
    "device_id": "{device_id}",
    "speaker": HEARD,
}
ENTRY = {"content": "hello", "author": "user", "timestamp": "2026-01-01T00:00:00Z"}
USER = {"user_id": "{asked}"}
PAIR = {**USER, "source": {"kind": "pair", "id": "{turn_id}"}}
BLOCK = "sessions/<path:session_id>/contexts/<str:label>"


@dataclass(frozen=True)
class Call:
    """One request about Minji. `given` is its body, or the query of a GET or DELETE."""

    method: str
    path: str
    given: Mapping[str, Any] = field(default_factory=dict)
    #: What Minji gets, asked for by the service that is hers to use.
    own: int = 200
    #: It names what only the service that made it may reach, even for Minji.
    service: bool = False
    #: The address itself, or a voice, names the person: without an assertion the service is trusted to.
    trusted: bool = False
    #: Which of Minji's things, where an address has several of a kind.
    ids: Mapping[str, str] = field(default_factory=dict)


SHELF = {"label": "shelf"}
API = [
    Call("post", "persons", USER),
    Call("get", "consents", USER),
    Call("put", "consents/<str:domain>", {**USER, "granted": False}),
    Call("get", "consents/<str:domain>/receipts", USER),
    Call("delete", "users/<path:user_id>", trusted=True),
    Call("get", "export", USER),
    Call(
        "post",
        "turns",
        {**USER, "session_id": "{session_id}", "turn_id": "{turn_id}", "user_text": "taken over"},
        own=202,
    ),
    Call("get", "turns/<path:turn_id>", USER, service=True),
    Call("post", "recall", {**USER, "query": "별명이 뭐야?"}),
    Call("get", "memories", USER),
    Call("post", "memories", {**USER, "fact": "저는 부산에서 살아요"}, own=201),
    Call("post", "memories/delete", {**USER, "ids": ["{service_memory}"]}, service=True),
    Call("get", "memories/<str:memory_id>", USER, service=True, ids={"memory_id": "{service_memory}"}),
    Call("patch", "memories/<str:memory_id>", {**USER, "statement": "taken over"}),
    Call("delete", "memories/<str:memory_id>", USER, service=True, ids={"memory_id": "{service_memory}"}),
    Call("get", "memories/<str:memory_id>/history", USER),
    Call("post", "memories/<str:memory_id>/approve", USER, ids={"memory_id": "{candidate}"}),
    Call("post", "memories/<str:memory_id>/decline", USER, ids={"memory_id": "{candidate}"}),
    Call("post", "entries", {**USER, "entry": ENTRY}, own=201),
    Call("post", "entries/search", {**USER, "query": "별명"}),
    Call("post", "entries/delete", {**USER, "query": "별명"}),
    Call("post", "import", {**USER, "source": "chatgpt", "text": "저는 부산에서 살아요"}, own=201),
    Call(
        "post",
        "store/batch",
        {**USER, "operations": [{"op": "get", "namespace": ["p"], "key": "{store_key}"}]},
    ),
    Call(
        "post", "sessions/<path:session_id>/entries", {**USER, "entries": [ENTRY]}, own=201
    ),  # a session is its user's: another's of the same name is another one
    Call("get", "sessions/<path:session_id>/contexts", USER, service=True),
    Call("get", BLOCK, USER, service=True),
    Call("put", BLOCK, {**USER, "kind": "writable", "content": "taken over"}, service=True),
    Call("delete", BLOCK, USER, service=True),
    Call("post", f"{BLOCK}/entries/delete", {**USER, "key": "{entry_key}"}, service=True, ids=SHELF),
    Call("post", f"{BLOCK}/grants", {**USER, "to_session_id": "third"}, own=201, service=True),
    Call("delete", f"{BLOCK}/grants/<path:to_session_id>", USER, service=True),
    Call("get", "sessions/<path:session_id>/prompt", USER, service=True),
    Call("post", "sessions/<path:session_id>/prompt/refresh", USER, service=True),
    Call("get", "sessions/<path:session_id>/tools", USER, service=True),
    Call(
        "post",
        "sessions/<path:session_id>/tools/<str:tool>",
        {**USER, "arguments": {"label": "notes", "content": "taken over"}},
        service=True,
    ),
    Call("delete", "sessions/<path:session_id>", USER, service=True),
    Call("post", "a2a/context", {**USER, "voice_context": VOICE}),
    Call("post", "a2a/context", {"voice_context": VOICE}, trusted=True),
    Call("post", "a2a/update", {**USER, "voice_context": VOICE, "route_result": {}}),
    Call("post", "a2a/update", {"voice_context": VOICE, "route_result": {}}, trusted=True),
    Call("get", "persons/<str:person_id>", trusted=True),
    Call(
        "post",
        "persons/<str:person_id>/identities",
        {"kind": "face", "external_id": "taken"},
        own=201,
        trusted=True,
    ),
    Call("patch", "identities/<str:identity_id>", {"state": "revoked"}, trusted=True),
    Call("post", "speakers/resolve", {"speaker": HEARD}, trusted=True),
    Call(
        "post",
        "speakers/history",
        {
            "speaker_id": "{voice}",
            "sessions": [
                {
                    "session_id": "old",
                    "turns": [{"user": "taken over", "assistant": "네", "speaker_confidence": 0.9}],
                }
            ],
        },
        trusted=True,
    ),
    Call("post", "rollbacks", PAIR, own=201, service=True),
    Call("post", "rollbacks/preview", PAIR, service=True),
    Call("post", "rollbacks/<str:rollback_id>/undo", USER, service=True),
    Call("get", "sync", {**USER, "device_id": "{device_id}"}),
    Call(
        "post",
        "sync",
        {
            **USER,
            "device_id": "{device_id}",
            "writes": [
                {
                    "client_id": "c9",
                    "kind": "memory",
                    "payload": {"memory_id": "{memory_id}", "statement": "taken over"},
                    "base_version": 1,
                }
            ],
        },
    ),
    Call("post", "workflows", {"workflow_id": "{workflow_id}", "speaker": HEARD}, trusted=True, service=True),
    Call(
        "post",
        "workflows/<path:workflow_id>/authorize",
        {"speaker": HEARD, "action": "cancel"},
        trusted=True,
        service=True,
    ),
    Call("delete", "workflows/<path:workflow_id>", own=204, trusted=True, service=True),
]
#: Addresses about nobody.
NOBODYS = {"schema/", "capabilities", ""}

_memory = "me/memories/<uuid:memory_id>/"
_block = "me/contexts/<uuid:block_id>/"
_entry = {"block_id": "{shelf_id}"}
CANDIDATE = {"memory_id": "{candidate}"}
ME = [
    Call("get", "me/", own=302),
    Call("get", "me/memories/"),
    Call("get", "me/memories/search/", own=302),
    Call("post", "me/memories/search/", {"q": "별명"}),
    Call("post", "me/memories/add/", own=422),  # nothing was typed
    Call("post", "me/memories/judge/", {"ids": ["{candidate}"], "verdict": "approve"}, own=302),
    Call("post", "me/memories/delete/", {"ids": ["{memory_id}"], "confirmed": "yes"}, own=302),
    Call("get", _memory),
    Call("get", _memory + "correct/"),
    Call(
        "post",
        _memory + "correct/",
        {"version": "1", "statement": "taken over", "sensitivity": "normal"},
        own=302,
    ),
    Call("get", _memory + "correct/json/"),
    Call("post", _memory + "correct/json/", {"version": "1", "document": "{{}}"}, own=422),
    Call("post", _memory + "reveal/", own=302),
    Call("post", _memory + "approve/", own=302, ids=CANDIDATE),
    Call("post", _memory + "decline/", own=302, ids=CANDIDATE),
    Call("get", "me/consent/"),
    Call("post", "me/consent/trials/", {"granted": "off", "service": "{slug}"}, own=302),
    Call("post", "me/consent/<str:domain>/", {"granted": "off"}, own=302),
    Call("get", "me/consent/<str:domain>/receipts.json"),
    Call("get", "me/activity/"),
    Call("get", "me/contexts/"),
    Call("get", _block),
    Call("get", _block + "edit/"),
    Call("post", _block + "edit/", {"version": "1", "text": "taken over"}, own=302),
    Call("post", _block + "delete/", {"confirmed": "yes"}, own=302),
    Call("get", _block + "entries/<uuid:entry_id>/edit/", ids=_entry),
    Call(
        "post",
        _block + "entries/<uuid:entry_id>/edit/",
        {"version": "{shelf_version}", "text": "x"},
        own=302,
        ids=_entry,
    ),
    Call("post", _block + "entries/<uuid:entry_id>/delete/", {"confirmed": "yes"}, own=302, ids=_entry),
    Call("get", "me/voices/"),
    Call("post", "me/voices/<uuid:link_id>/confirm/", own=302),
    Call("post", "me/voices/<uuid:link_id>/reject/", own=302),
    Call("get", "me/undo/"),
    Call("get", "me/undo/turn/<uuid:turn_pk>/"),
    Call("post", "me/undo/turn/<uuid:turn_pk>/", own=302),
    Call("post", "me/undo/<uuid:batch_id>/put-back/", own=302),
    Call("get", "me/settings/"),
    Call("get", "me/import/"),
    Call("get", "me/export/"),
    Call("get", "me/export/memory-export.ndjson", own=303),  # these sessions have given no password just now
    Call("get", "me/erase/"),
    # Nobody's: they show what the browser's own session keeps after an erasure, and lead back without it.
    Call("get", "me/erased/", own=302),
    Call("get", "me/erased/erasure-certificate.json", own=302),
]

_service = "console/services/<slug:slug>/"
_draft = {"number": "{draft}"}
CONSOLE = [
    Call("get", _service),
    Call("post", _service + "revisions/draft/", own=302),
    Call("get", _service + "revisions/<int:number>/", ids=_draft),
    Call("post", _service + "revisions/<int:number>/", {"recall_top_k": "3"}, own=422, ids=_draft),
    Call("post", _service + "revisions/<int:number>/preview/", {"recall_top_k": "3"}, ids=_draft),
    Call("post", _service + "revisions/<int:number>/deploy/", own=302, ids=_draft),
    Call("get", _service + "revisions/<int:number>/replay/", ids=_draft),
    Call("get", _service + "revisions/<int:number>/replay/<uuid:replay_id>/", ids=_draft),
    Call("get", _service + "keys/"),
    Call("post", _service + "keys/", {"name": "taken", "permissions": ["recall"]}, own=201),
    Call("post", _service + "keys/<uuid:key_id>/rotate/", {"hours": "0"}, own=201),
    Call("post", _service + "keys/<uuid:key_id>/revoke/", own=302),
    Call("get", _service + "assertions/"),
    Call("post", _service + "assertions/url/", {"url": "https://keys.example/taken.json"}, own=302),
    Call("post", _service + "assertions/url/fetch/", own=302),
    Call("post", _service + "assertions/url/remove/", own=302),
    Call("post", _service + "assertions/require/", {"required": "on"}, own=302),
    Call("post", _service + "assertions/<int:key_pk>/revoke/", own=302),
    Call("get", _service + "extraction/"),
    Call("post", _service + "extraction/retry/", {"all": "1"}, own=302),
    Call("get", _service + "cost/"),
    Call("post", _service + "cost/", {"tokens": "1"}, own=302),
    Call("get", _service + "cost/cost.csv"),
    Call("get", _service + "members/"),
    Call("post", _service + "members/", {"username": "{asked}"}, own=302),
    Call("post", _service + "members/<int:user_id>/remove/", own=302, ids={"user_id": "{login_id}"}),
]
#: Pages of the console about no single service.
ALL_SERVICES = {"console/", "console/services/"}

MCP = {
    "recall": {"query": "별명이 뭐야?"},
    "detail": {"memory_id": "{memory_id}"},
    "save": {"fact": "저는 부산에서 살아요"},
}
SESSION_MCP = {
    "set_context": {"label": "notes", "content": "taken over"},
    "search_context": {"label": "shelf", "query": "okapi"},
    "load_context": {"label": "skills", "key": "{skill_key}"},
    "unload_context": {"label": "skills", "key": "{skill_key}"},
}


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every address with its view."""
    for part in resolver.url_patterns:
        path = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from patterns(part, path)
        elif isinstance(part, URLPattern):
            yield path, part.callback


def addresses(prefix: str) -> dict[str, Any]:
    """Address below the prefix → its view."""
    return {path: view for path, view in patterns(get_resolver()) if path.startswith(prefix)}


def address(call: Call, ids: Mapping[str, str]) -> str:
    """The address with Minji's ids in it."""
    named = {**ids, **filled(dict(call.ids), ids)}
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: named[match[1]], call.path)


def filled(given: Any, ids: Mapping[str, str]) -> Any:
    """The body with Minji's ids in it."""
    if isinstance(given, Mapping):
        return {name: filled(value, ids) for name, value in given.items()}
    if isinstance(given, list):
        return [filled(value, ids) for value in given]
    return given.format_map(ids) if isinstance(given, str) else given
