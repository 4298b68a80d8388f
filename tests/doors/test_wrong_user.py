"""Every address with Minji's ids, asked by Jiho, by another service and by a signed-in stranger: nothing is told or changed."""

import hashlib
import json
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from memoryapp import gate, replay, replay_grants, revisions
from memoryapp.models import ContextBlock, Memory, ServiceMember, Turn
from memoryapp.pairs import local_day
from memoryapp.permit import Act
from speakers.models import IdentityLink, User
from tests.conftest import PASSWORD
from tests.memoryapp.test_vault import dump

MARK = "zebra-7731"
METHODS = ("get", "post", "put", "patch", "delete")
REFUSED = {301, 302, 400, 403, 404, 405, 406, 409, 410, 412, 415, 422}
#: Addresses that name no row: they answer for whoever asks, about the one who asks.
NO_ID = re.compile(r"<(?:\w+:)?(?:domain|label|key|tool|number|slug|to_session_id)>")


def patterns(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for part in resolver.url_patterns:
        path = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from patterns(part, path)
        elif isinstance(part, URLPattern):
            yield path


def addresses(prefix: str) -> list[str]:
    return [path for path in patterns(get_resolver()) if path.startswith(prefix)]


@pytest.fixture
def ids(assistant, minji, jiho, work) -> dict[str, str]:
    """Minji's things, by the name that an address gives them."""
    memory = assistant.save("minji", f"제 별명은 {MARK} 이에요").json()["memory"]["memory_id"]
    assistant.save("minji", f"서비스 별명은 {MARK} 이에요", scope="service")
    assistant.report("minji", f"저는 {MARK} 회사에 다녀요", "minji-turn", session_id="minji-session")
    work()
    block = {"user_id": "minji", "kind": "writable", "content": MARK}
    assert assistant.put("sessions/minji-session/contexts/notes", block).status_code in (200, 201)
    identity = assistant.post(
        f"persons/{minji.public_id}/identities", {"kind": "voice", "external_id": "v-minji"}
    ).json()
    return {
        "memory_id": memory,
        "turn_id": "minji-turn",
        "session_id": "minji-session",
        "to_session_id": "jiho-session",
        "label": "notes",
        "key": "notes",
        "tool": "set_context",
        "domain": "long_term_memory",
        "person_id": str(minji.public_id),
        "identity_id": identity["identity_id"],
        "link_id": str(IdentityLink.objects.get(person=minji).pk),
        "turn_pk": str(Turn.objects.get(turn_id="minji-turn").pk),
        "block_id": str(ContextBlock.objects.get().pk),
        "entry_id": memory,
        "rollback_id": memory,
        "batch_id": memory,
        "workflow_id": "minji-workflow",
        "user_id": "minji",
        "login_id": str(minji.login_id),
        "slug": "assistant",
        "number": "2",
        "key_id": str(assistant.service.keys.get().pk),
        "key_pk": "1",
        "replay_id": str(_tried(minji, assistant)),
        "device_id": "d1",
    }


def _tried(minji, assistant) -> uuid.UUID:
    """A trial of a draft on what Minji said, by her leave."""
    replay_grants.give(minji, assistant.service)
    turn = Turn.objects.get(turn_id="minji-turn")
    permit = gate.admit(assistant.caller, "minji", Act.REPLAY)
    draft = revisions.draft(assistant.service)
    made = replay.start(permit, draft, local_day(turn.occurred_at, minji.zone))
    replay.run(made.pk)
    return made.pk


def filled(path: str, ids: dict[str, str]) -> str | None:
    """The address with Minji's ids in it; None when it names something this test does not know."""
    names = re.findall(r"<(?:\w+:)?(\w+)>", path)
    if not names or not set(names) <= set(ids):
        return None
    whole = re.sub(r"<int:user_id>", ids["login_id"], path)
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: ids[match[1]], whole)


def state() -> str:
    """All of everybody's rows, but for what merely notes that somebody called."""
    lines = sorted(line for line in dump().splitlines() if "mk_" not in line)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def bodies(user_id: str, ids: dict[str, str]) -> list[dict[str, object]]:
    """What would change or tell something if it were let through."""
    return [
        {"user_id": user_id},
        {"user_id": user_id, "statement": "taken over"},
        {"user_id": user_id, "arguments": {"label": "notes", "content": "taken over"}},
        {"user_id": user_id, "to_session_id": "jiho-session", "mode": "read"},
        {"user_id": user_id, "source": {"kind": "pair", "id": ids["turn_pk"]}},
        {"user_id": user_id, "ids": [ids["memory_id"]]},
    ]


def walk(send: Callable[..., Any], user_id: str, ids: dict[str, str]) -> list[str]:
    """Call each address that names a row, by each method. → what was told or done, with where."""
    wrong = []
    for path in addresses("api/v1/"):
        address = filled(path, ids)
        if address is None or not NO_ID.sub("", path).count("<"):
            continue
        for method in METHODS:
            for body in bodies(user_id, ids) if method in ("post", "patch") else [{"user_id": user_id}]:
                wrong += told(send(method, address, body), f"{method} {path}")
    return wrong


def told(answer: Any, where: str) -> list[str]:
    """What is wrong with an answer: an error of ours, or Minji's words in it."""
    text = (b"".join(answer) if answer.streaming else answer.content).decode()
    return [f"{where}: {answer.status_code}"] if answer.status_code >= 500 or MARK in text else []


def by_key(client: Client, secret: str) -> Callable[..., Any]:
    def send(method: str, address: str, body: dict[str, object]) -> Any:
        head = {"Authorization": f"Bearer {secret}"}
        if method in ("get", "delete"):
            return getattr(client, method)(f"/{address}?user_id={body['user_id']}", headers=head)
        return getattr(client, method)(
            f"/{address}", json.dumps(body), content_type="application/json", headers=head
        )

    return send


def memories_of_minji() -> str:
    rows = Memory.objects.filter(person__user_id="minji").order_by("pk")
    turns = Turn.objects.filter(person__user_id="minji").order_by("pk")
    blocks = ContextBlock.objects.order_by("pk")
    return repr(
        [list(rows.values()), list(turns.values()), list(blocks.filter(person__user_id="minji").values())]
    )


def test_the_walk_reaches_the_addresses(ids):
    reached = [path for path in addresses("api/v1/") if filled(path, ids)]
    unknown = [path for path in addresses("api/v1/") if "<" in path and not filled(path, ids)]
    assert len(reached) > 20
    assert unknown == []
    pages = [path for path in addresses("me/") + addresses("console/") if "<" in path]
    assert [path for path in pages if not filled(path, ids)] == []


def test_jiho_reaches_nothing_of_minji_s_by_the_same_service(ids, assistant, client):
    client.raise_request_exception = False
    before = memories_of_minji()
    without = {
        name: value for name, value in ids.items() if name not in ("user_id", "person_id", "identity_id")
    }
    assert walk(by_key(client, assistant.secret), "jiho", without) == []
    assert memories_of_minji() == before


def test_another_service_reaches_nothing_of_this_service_s(ids, homebot, client, minji):
    """The homebot may act for Minji, but neither her turns nor her service memories with the assistant are its."""
    client.raise_request_exception = False
    service_memory = Memory.objects.get(service__slug="assistant")
    only = {**ids, "memory_id": str(service_memory.pk), "rollback_id": str(service_memory.pk)}
    kept = {k: v for k, v in only.items() if k not in ("user_id", "person_id", "identity_id", "session_id")}
    before = memories_of_minji()
    assert walk(by_key(client, homebot.secret), "minji", kept) == []
    assert memories_of_minji() == before
    assert homebot.get("turns/minji-turn", user_id="minji").status_code == 404


def test_without_a_key_there_is_nothing(ids, client):
    before = state()
    for path in addresses("api/v1/"):
        address = filled(path, ids) or (path if "<" not in path and not path.endswith("/v1/") else None)
        if address is None or "schema" in address:
            continue
        for method in METHODS:
            assert getattr(client, method)(f"/{address}").status_code in (401, 404), f"{method} {path}"
    assert state() == before


def test_jiho_s_browser_reaches_nothing_of_minji_s_pages(ids, jiho):
    browser = Client(raise_request_exception=False)
    browser.force_login(jiho.login)
    browser.get("/me/memories/")
    before = memories_of_minji()
    for path in [path for path in addresses("me/") if "<" in path and "<str:domain>" not in path]:
        address = filled(path, ids)
        for method, body in (("get", {}), ("post", {"statement": "taken over", "ids": [ids["memory_id"]]})):
            answer = getattr(browser, method)(f"/{address}", body)
            assert answer.status_code in REFUSED - {302}, f"{method} {path}: {answer.status_code}"
            assert told(answer, path) == []
    answer = browser.post("/me/memories/delete/", {"ids": [ids["memory_id"]], "confirm": "on"})
    assert memories_of_minji() == before
    assert told(answer, "delete") == []


def test_somebody_who_administers_nothing_reaches_no_console(ids, jiho):
    browser = Client(raise_request_exception=False)
    browser.force_login(jiho.login)
    before = state_of_services()
    for path in addresses("console/"):
        address = filled(path, ids) or path
        for method in ("get", "post"):
            answer = getattr(browser, method)(f"/{address}", {"username": "jiho", "permissions": ["recall"]})
            assert answer.status_code in REFUSED, f"{method} {path}: {answer.status_code}"
    assert state_of_services() == before


def test_an_admin_of_the_homebot_reaches_nothing_of_the_assistant(ids, homebot):
    sora = User.objects.create_user("sora", password=PASSWORD)
    ServiceMember.objects.create(service=homebot.service, user=sora)
    browser = Client(raise_request_exception=False)
    browser.force_login(sora)
    before = state_of_services()
    for path in [path for path in addresses("console/") if "<slug" in path]:
        for method in ("get", "post"):
            answer = getattr(browser, method)(f"/{filled(path, ids)}", {"username": "sora"})
            assert answer.status_code == 404, f"{method} {path}: {answer.status_code}"
    assert browser.get("/console/services/homebot/").status_code == 200
    assert state_of_services() == before


def test_signed_out_every_page_asks_to_sign_in(ids, client):
    for path in addresses("me/") + addresses("console/"):
        answer = client.get(f"/{filled(path, ids) or path}")
        assert answer.status_code in (302, 301, 405), path
    for path in ("me/memories/delete/", f"me/memories/{ids['memory_id']}/correct/", "me/erase/"):
        assert client.post(f"/{path}").status_code == 302


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
            "replaygrant",
            "replay",
            "replayedturn",
        ):
            cursor.execute(f"SELECT t::text FROM memoryapp_{table} t ORDER BY 1")  # noqa: S608
            parts += [row for (row,) in cursor.fetchall()]
    return "\n".join(line for line in parts)
