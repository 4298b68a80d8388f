"""Every address and every tool with Minji's ids, asked by Jiho, by another service and by a signed-in stranger.

First by Minji herself, so that each one is known to lead somewhere; then nothing is told or changed.
"""

import json
import re
import time
from collections.abc import Callable, Iterable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import get_resolver

from memoryapp import (
    mcp_contexts,
    mcp_server,
    mcp_tools,
    members,
)
from memoryapp.contexts.call import TOOLS
from memoryapp.models import ChatService
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime
from tests.doors.conftest import MARK, OURS
from tests.doors.walk import (
    ALL_SERVICES,
    API,
    CONSOLE,
    MCP,
    ME,
    NOBODYS,
    SESSION_MCP,
    Call,
    address,
    addresses,
    filled,
    patterns,
)

#: Pages that lead on to others, which ask to sign in.
AFTER_LEAVING = {"me/", "me/erased/", "me/erased/erasure-certificate.json"}
#: Addresses that name one row, whoever is asked for: what is somebody else's is refused there and not merely empty.
ONE_ROW = re.compile(r"<\w+:(?:memory_id|turn_id|person_id|identity_id|rollback_id|user_id)>")
REFUSED = {301, 302, 400, 403, 404, 405, 406, 409, 410, 412, 415, 422}
Send = Callable[[Call, dict[str, str]], Any]


# ------------------------------------------------------------------ who asks


def by_key(client: Client, runtime: Runtime, assertion: str = "") -> Send:
    """A service with its key, and perhaps a signature of who its user is."""
    head = {"Authorization": f"Bearer {runtime.secret}"}
    head |= {"X-User-Assertion": assertion} if assertion else {}

    def send(call: Call, ids: dict[str, str]) -> Any:
        place, given = f"/api/v1/{address(call, ids)}", filled(call.given, ids)
        if call.method in ("get", "delete"):
            return getattr(client, call.method)(place, query_params=given, headers=head)
        body = json.dumps(given)
        return getattr(client, call.method)(place, body, content_type="application/json", headers=head)

    return send


def by_browser(login: User) -> Send:
    browser = Client(raise_request_exception=False)
    browser.force_login(login)

    def send(call: Call, ids: dict[str, str]) -> Any:
        return getattr(browser, call.method)(f"/{address(call, ids)}", filled(call.given, ids))

    return send


def assertion_of(user_id: str, key: Ed25519PrivateKey) -> str:
    claims = {"sub": user_id, "aud": "assistant", "exp": int(time.time()) + 300}
    return jwt.encode(claims, key, algorithm="EdDSA", headers={"kid": "k1"})


# ------------------------------------------------------------------ what is seen


def rows_of(person: Person, service: ChatService | None = None) -> str:
    """All rows of a person, also those that hang on one of theirs; of one service, if it is named."""
    parts = []
    for model in apps.get_models():
        path = _path_to_person(model)
        if path is None or (service and not _has_service(model)):
            continue
        rows = model._default_manager.filter(**{path: person.pk}).order_by("pk")
        parts.append((model.__name__, list((rows.filter(service=service) if service else rows).values())))
    return repr(parts)


def _path_to_person(model: type[Model], depth: int = 2) -> str | None:
    if model is Person:
        return "pk"
    for key in model._meta.concrete_fields:
        if key.remote_field and key.related_model is Person:
            return key.name
    for key in model._meta.concrete_fields if depth else ():
        if isinstance(key.related_model, type) and key.related_model not in (User, ChatService, model):
            further = _path_to_person(key.related_model, depth - 1)
            if further:
                return f"{key.name}__{further}"
    return None


def _has_service(model: type[Model]) -> bool:
    return any(
        key.name == "service" and key.related_model is ChatService for key in model._meta.concrete_fields
    )


def text_of(answer: Any) -> str:
    return (b"".join(answer) if answer.streaming else answer.content).decode()


def walk(
    send: Send,
    calls: Iterable[Call],
    ids: dict[str, str],
    *,
    whole: Callable[[], str],
    words: tuple[str, ...] = (MARK, OURS),
    status: Callable[[int], bool] = lambda code: code < 500,
) -> list[str]:
    """Ask each, and put everything back each time. → what was told or done that should not, with where"""
    wrong = []
    before = whole()
    for call in calls:
        with transaction.atomic():
            answer = send(call, ids)
            text = text_of(answer)
            if not status(answer.status_code) or any(word in text for word in words) or whole() != before:
                wrong.append(f"{call.method} {call.path}: {answer.status_code} {text[:60]!r}")
            transaction.set_rollback(True)
    return wrong


def reached(send: Send, calls: Iterable[Call], ids: dict[str, str]) -> list[str]:
    """Ask each as whose it is, and put everything back each time. → where it was answered otherwise than it says"""
    wrong = []
    for call in calls:
        with transaction.atomic():
            answer = send(call, ids)
            if answer.status_code != call.own:
                wrong.append(f"{call.method} {call.path}: {answer.status_code} {text_of(answer)[:60]!r}")
            transaction.set_rollback(True)
    return wrong


# ------------------------------------------------------------------ the lists hold everything


def test_every_address_is_in_the_lists():
    """A new address or method without an entry fails here."""
    offered = {
        (method, path.removeprefix("api/v1/"))
        for path, view in addresses("api/v1/").items()
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(getattr(view, "cls", None), method)
    }
    assert {one for one in offered if one[1] not in NOBODYS} == {(call.method, call.path) for call in API}
    assert set(addresses("me/")) == {call.path for call in ME}
    of_one_service = {path for path in addresses("console/") if "<slug:slug>" in path}
    assert of_one_service == {call.path for call in CONSOLE}
    assert {path for path in addresses("console/") if not path.startswith("console/system/")} == (
        of_one_service | ALL_SERVICES
    )
    # Pages about nobody: whose ids there are, if any, are looked after by others.
    others = ("accounts/", "admin/", "docs/", "language/", "healthz", "readyz", "metrics", ".well-known/", "")
    walked = ("api/v1/", "me/", "console/")
    unknown = {path for path, _ in patterns(get_resolver()) if not path.startswith((*walked, *others[:-1]))}
    assert unknown == {""}


def test_every_tool_is_in_the_lists():
    assert set(mcp_tools.TOOLS) == set(MCP)
    assert set(TOOLS) == set(SESSION_MCP)


# ------------------------------------------------------------------ Minji's own way


def test_the_assistant_reaches_all_of_it_for_minji(ids, assistant, client, signed):
    client.raise_request_exception = False
    rows = rows_of(Person.objects.get(user_id="minji"))
    for kind in (
        "Memory",
        "MemoryHistory",
        "Turn",
        "ContextEntry",
        "Rollback",
        "Workflow",
        "Device",
        "Replay",
    ):
        assert f"('{kind}', [{{" in rows, f"no {kind} of Minji's would be missed"
    assert reached(by_key(client, assistant), API, ids) == []
    asserted = by_key(client, assistant, assertion_of("minji", signed))
    assert reached(asserted, API, ids) == []


def test_minji_reaches_all_of_it_on_her_pages(ids):
    assert reached(by_browser(User.objects.get(username="minji")), ME, ids) == []


def test_an_admin_of_the_assistant_reaches_all_of_it_in_the_console(ids, assistant):
    for name in ("sora", "minji"):
        User.objects.filter(username=name).exists() or User.objects.create_user(name, password=PASSWORD)
        members.add(assistant.service, name)
    again = {**ids, "asked": "jiho"}
    assert reached(by_browser(User.objects.get(username="sora")), CONSOLE, again) == []


# ------------------------------------------------------------------ everybody else's


def test_jiho_reaches_nothing_of_minji_s_by_the_same_service(ids, assistant, client):
    """Named by the service; where the address or a voice names somebody, it takes a signature (below)."""
    client.raise_request_exception = False
    minji = Person.objects.get(user_id="minji")
    calls = [call for call in API if not call.trusted]
    as_jiho = {**ids, "asked": "jiho"}
    assert walk(by_key(client, assistant), calls, as_jiho, whole=lambda: rows_of(minji)) == []


@pytest.mark.parametrize("asked", ["jiho", "minji"])
def test_jiho_s_signature_opens_nothing_of_minji_s(ids, assistant, client, signed, asked):
    client.raise_request_exception = False
    minji = Person.objects.get(user_id="minji")
    send = by_key(client, assistant, assertion_of("jiho", signed))
    as_asked = {**ids, "asked": asked}
    assert walk(send, API, as_asked, whole=lambda: rows_of(minji)) == []
    named = [call for call in API if ONE_ROW.search(call.path)]
    assert len(named) > 10
    assert walk(send, named, as_asked, whole=lambda: "", status=lambda code: code in {403, 404}) == []


def test_another_service_reaches_nothing_of_this_service_s(ids, homebot, assistant, client):
    """The homebot may act for Minji, but what she has with the assistant is not its own."""
    client.raise_request_exception = False
    minji = Person.objects.get(user_id="minji")
    calls = [call for call in API if call.service]
    assert len(calls) > 15
    whole = lambda: rows_of(minji, assistant.service)  # noqa: E731
    assert walk(by_key(client, homebot), calls, ids, whole=whole, words=(OURS,)) == []
    named = [call for call in calls if ONE_ROW.search(call.path) or "workflow_id" in call.path]
    assert len(named) > 4
    assert walk(by_key(client, homebot), named, ids, whole=lambda: "", status=lambda code: code == 404) == []
    everything = [call for call in API if call.method == "get"]
    assert walk(by_key(client, homebot), everything, ids, whole=whole, words=(OURS,)) == []


def test_without_a_key_there_is_nothing(ids, client, assistant):
    minji = Person.objects.get(user_id="minji")
    nobody = by_key(client, Runtime(assistant.service, "mk_nonsense", client))
    assert walk(nobody, API, ids, whole=lambda: rows_of(minji), status=lambda code: code == 401) == []


def test_jiho_s_browser_reaches_nothing_of_minji_s_pages(ids, jiho):
    minji = Person.objects.get(user_id="minji")
    calls = [call for call in ME if call.path != "me/"]
    assert walk(by_browser(jiho.login), calls, ids, whole=lambda: rows_of(minji)) == []
    named = [call for call in calls if "<" in call.path and "<str:domain>" not in call.path]
    assert len(named) > 15
    refused = walk(
        by_browser(jiho.login), named, ids, whole=lambda: "", status=lambda code: code in REFUSED - {302}
    )
    assert refused == []


def test_somebody_who_administers_nothing_reaches_no_console(ids, jiho):
    send = by_browser(jiho.login)
    system = [
        Call(method, path, {"provider": "e5"})
        for path in addresses("console/")
        if path not in {call.path for call in CONSOLE}
        for method in ("get", "post")
    ]
    assert len(system) > 10
    calls = [*CONSOLE, *system]
    assert walk(send, calls, ids, whole=state_of_services, status=lambda code: code in REFUSED) == []


def test_an_admin_of_the_homebot_reaches_nothing_of_the_assistant(ids, homebot):
    sora = User.objects.create_user("sora", password=PASSWORD)
    members.add(homebot.service, "sora")
    send = by_browser(sora)
    assert walk(send, CONSOLE, ids, whole=state_of_services, status=lambda code: code == 404) == []
    # With the homebot's own name, but ids of the assistant's.
    mixed = {**ids, "slug": "homebot"}
    named = [call for call in CONSOLE if call.path.count("<") > 1 and "number" not in call.path]
    assert walk(send, named, mixed, whole=state_of_services, status=lambda code: code in {404, 302}) == []
    assert not walk(
        send,
        [Call("get", "console/services/<slug:slug>/revisions/<int:number>/replay/<uuid:replay_id>/")],
        {**mixed, "number": "1"},
        whole=state_of_services,
        status=lambda code: code == 404,
    )


def test_signed_out_every_page_asks_to_sign_in(ids, client):
    for call in (*ME, *CONSOLE):
        answer = getattr(client, call.method)(f"/{address(call, ids)}", filled(call.given, ids))
        assert answer.status_code in (302, 405), call
        if answer.status_code == 302 and call.path not in AFTER_LEAVING:
            assert "/accounts/login/" in answer["Location"], call


# ------------------------------------------------------------------ the tools


def visitor(runtime: Runtime, user_id: str, assertion: str = "") -> mcp_tools.Visitor:
    head = {"authorization": f"Bearer {runtime.secret}", "x-memory-user": user_id}
    return mcp_server.visitor(head | ({"x-user-assertion": assertion} if assertion else {}))


def told_by_tools(who: mcp_tools.Visitor, ids: dict[str, str]) -> dict[str, tuple[bool, str]]:
    """Tool → whether it failed, and what it said; everything is put back each time."""
    said = {}
    for name, given in {**MCP, **SESSION_MCP}.items():
        with transaction.atomic():
            arguments = filled(given, ids)
            result = (
                mcp_tools.call(who, name, arguments)
                if name in MCP
                else mcp_contexts._call(who, ids["session_id"], name, arguments)
            )
            said[name] = bool(result.is_error), result.model_dump_json()
            transaction.set_rollback(True)
    return said


def test_minji_s_tools_work(ids, assistant):
    said = told_by_tools(visitor(assistant, "minji"), ids)
    failed = {name: words for name, (is_error, words) in said.items() if is_error}
    assert set(failed) <= {"unload_context"}  # nothing is loaded
    assert MARK in said["recall"][1]
    assert MARK in said["detail"][1]
    assert OURS in said["search_context"][1]
    assert OURS in said["load_context"][1]


def test_tools_tell_jiho_and_another_service_nothing(ids, assistant, homebot, signed):
    minji = Person.objects.get(user_id="minji")
    before = rows_of(minji)
    for who in (visitor(assistant, "jiho"), visitor(assistant, "jiho", assertion_of("jiho", signed))):
        for name, (_, words) in told_by_tools(who, ids).items():
            assert MARK not in words, name
            assert OURS not in words, name
    for name, (_, words) in told_by_tools(visitor(homebot, "minji"), ids).items():
        assert OURS not in words, name
    assert rows_of(minji) == before


def state_of_services() -> str:
    with connection.cursor() as cursor:
        parts = []
        for table in (
            "chatservice",
            "servicerevision",
            "servicekey",
            "servicemember",
            "systemsettings",
            "assertionkey",
            "keyurl",
            "replaygrant",
            "replay",
            "replayedturn",
        ):
            cursor.execute(f"SELECT t::text FROM memoryapp_{table} t ORDER BY 1")  # noqa: S608
            parts += [row for (row,) in cursor.fetchall()]
    return "\n".join(parts)
