"""Content stays where it belongs: no log, problem, page of an operator, metric, message or address repeats it."""

import io
import logging
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.db import DataError, OperationalError
from django.test import Client

from memoryapp import logs, reading, turns
from memoryapp.celery import app
from memoryapp.extract.base import BadOutput
from memoryapp.index import embed
from memoryapp.providers.base import EmbedderDown
from speakers.models import User
from tests.conftest import Runtime

MARK = "zebra-7731"


class Broken(Exception):
    """An error as careless libraries raise it: with the value in its words."""


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything that every logger says, by the formatter the product uses, from DEBUG on."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.Line())
    root = logging.getLogger()
    level = root.level
    quiet = {
        name: logging.getLogger(name).level for name in ("django.request", "celery", "django.db.backends")
    }
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("django.request").setLevel(logging.DEBUG)
    logging.getLogger("django.db.backends").setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)
    for name, before in quiet.items():
        logging.getLogger(name).setLevel(before)


@pytest.fixture
def sent(monkeypatch) -> list[str]:
    """What goes to the broker."""
    messages: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda *args, **kwargs: messages.append(repr((args, kwargs))))
    return messages


def raises(error: Exception):
    def fail(*args, **kwargs):
        raise error

    return fail


def clean(text: str) -> None:
    assert MARK not in text
    assert "얼룩말" not in text
    assert MARK.encode("unicode_escape").decode() not in text


def put_content_everywhere(runtime: Runtime) -> str:
    saved = runtime.save("minji", f"제 별명은 {MARK} 얼룩말이에요", keywords=[MARK]).json()["memory"][
        "memory_id"
    ]
    runtime.patch(f"memories/{saved}", {"user_id": "minji", "statement": f"제 별명은 {MARK} 얼룩말 아니에요"})
    runtime.report("minji", f"저는 {MARK} 회사에 다녀요", "t-mark")
    runtime.recall("minji", f"{MARK} 얼룩말?", execution_id="e1")
    runtime.post(
        "entries",
        {
            "user_id": "minji",
            "entry": {"content": MARK, "author": "user", "timestamp": "2026-01-01T00:00:00Z"},
        },
    )
    runtime.post("entries/search", {"user_id": "minji", "query": MARK})
    runtime.post("entries/delete", {"user_id": "minji", "query": MARK, "dry_run": True})
    return str(saved)


def test_nothing_leaks_when_all_goes_well(
    assistant, minji, work, logged, sent, client, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        saved = put_content_everywhere(assistant)
        work()
        assistant.delete(f"memories/{saved}?user_id=minji")
    assert sent
    clean(logged.getvalue() + "".join(sent))
    clean(client.get("/metrics").content.decode() + client.get("/readyz").content.decode())


def test_refusals_do_not_repeat_what_was_sent(assistant, minji, logged, client):
    bodies = [
        {"user_id": "minji", "fact": {"statement": MARK}},
        {"user_id": "minji", "fact": MARK, "memory_type": MARK},
        {"user_id": "minji", "fact": MARK, "valid_to": MARK},
        {"user_id": "minji", "fact": MARK, "confidence": MARK},
        {"user_id": "minji", "fact": MARK, "scope": [MARK]},
        {"user_id": "minji", "fact": MARK, "sources": MARK},
        {"user_id": "nobody", "fact": MARK},
        [MARK],
        MARK,
    ]
    texts = [assistant.post("memories", body).content.decode() for body in bodies]
    texts += [
        assistant.post("recall", {"user_id": "minji", "query": MARK, "scopes": [MARK]}).content.decode()
    ]
    head = {"Authorization": f"Bearer {assistant.secret}"}
    for raw, media in (
        (f'{{"fact": "{MARK}', "application/json"),
        (f"fact={MARK}", "text/plain"),
        (MARK, f"application/{MARK}"),
    ):
        texts.append(
            client.generic("POST", "/api/v1/memories", raw, content_type=media, headers=head).content.decode()
        )
    texts.append(
        client.post("/api/v1/memories", {}, headers={"Authorization": f"Bearer {MARK}"}).content.decode()
    )
    for text in texts:
        clean(text)
    clean(logged.getvalue())


@pytest.mark.parametrize(
    ("status", "method", "path"),
    [
        (404, "get", f"/{MARK}/?q={MARK}"),
        (404, "get", f"/api/v1/{MARK}?q={MARK}"),
        (404, "get", f"/api/v1/turns/{MARK}?user_id={MARK}"),
        (403, "post", f"/me/consent/{MARK}/?q={MARK}"),
        (405, "get", f"/me/consent/{MARK}/?q={MARK}"),
        (405, "post", f"/api/v1/users/{MARK}?q={MARK}"),
    ],
)
def test_a_log_tells_the_route_of_what_is_refused_and_no_path(assistant, minji, logged, status, method, path):
    """A path names people, contexts and turns; so may the page that a form came from."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(minji.login)
    head = {"Authorization": f"Bearer {assistant.secret}", "Referer": f"https://example.com/{MARK}/얼룩말"}
    assert getattr(browser, method)(path, headers=head).status_code == status
    clean(logged.getvalue())
    assert f"{method.upper()} " in logged.getvalue()


def test_a_log_repeats_no_host_that_is_refused(client, logged):
    assert client.get(f"/{MARK}/", headers={"Host": f"{MARK}.example.com"}).status_code == 400
    clean(logged.getvalue())
    assert "django.security.DisallowedHost" in logged.getvalue()


@pytest.mark.parametrize(("status", "error"), [(500, Broken(MARK)), (503, OperationalError(MARK))])
@pytest.mark.parametrize(
    "path", [f"users/{MARK}", f"sessions/s/contexts/{MARK}?user_id={MARK}", f"turns/{MARK}?user_id={MARK}"]
)
def test_a_log_tells_the_route_of_what_breaks_and_no_path(
    assistant, monkeypatch, logged, client, status, error, path
):
    client.raise_request_exception = False
    monkeypatch.setattr("memoryapp.api.auth.ServiceKeyAuthentication.authenticate", raises(error))
    assert assistant.delete(path).status_code == status
    clean(logged.getvalue())
    told = [line for line in logged.getvalue().splitlines() if "ERROR django.request" in line]
    assert len(told) == 1
    assert "DELETE api/v1/" in told[0]
    assert told[0].endswith(f"> {status}")


@pytest.mark.parametrize("method", ["save", "recall", "report", "search"])
def test_an_error_of_ours_says_nothing_of_the_request(assistant, minji, monkeypatch, logged, client, method):
    client.raise_request_exception = False
    careless = Broken(f"cannot do this with {MARK} 얼룩말")
    monkeypatch.setattr("memoryapp.gate.admit", raises(careless))
    body = {
        "save": ("memories", {"user_id": "minji", "fact": MARK}),
        "recall": ("recall", {"user_id": "minji", "query": MARK}),
        "report": ("turns", {"user_id": "minji", "session_id": "s", "turn_id": "t", "user_text": MARK}),
        "search": ("entries/search", {"user_id": "minji", "query": MARK}),
    }[method]
    answer = assistant.post(*body)
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    clean(answer.content.decode())
    assert "Broken" in logged.getvalue()
    clean(logged.getvalue())


def test_a_failing_database_and_embedder_say_nothing(assistant, minji, monkeypatch, logged):
    monkeypatch.setattr(embed, "query", raises(EmbedderDown(f"no vector for {MARK}")))
    monkeypatch.setattr(embed, "passages", raises(EmbedderDown(f"no vector for {MARK}")))
    assert assistant.save("minji", f"제 별명은 {MARK} 이에요").status_code == 201
    assert assistant.recall("minji", MARK)["degraded"] is True
    monkeypatch.setattr("memoryapp.index.search.hybrid", raises(DataError(f'value too long: "{MARK}"')))
    answer = assistant.post("recall", {"user_id": "minji", "query": MARK})
    assert answer.json()["memories"] == []
    clean(logged.getvalue())


def test_a_failing_extractor_leaves_a_code_and_no_words(assistant, minji, monkeypatch, logged, work, client):
    class Careless:
        def extract(self, utterance):
            raise BadOutput(f"the model said {MARK} 얼룩말")

    monkeypatch.setattr(reading, "extractor_for", lambda *args, **kwargs: Careless())
    assistant.report("minji", f"저는 {MARK} 회사에 다녀요")
    work()
    answer = assistant.get("turns/t1", user_id="minji")
    assert answer.json()["error"] == "BadOutput"
    clean(answer.content.decode() + logged.getvalue())


def test_a_trial_that_breaks_leaves_a_code_and_no_words(assistant, minji, monkeypatch, logged):
    from memoryapp import gate, replay, replay_grants, revisions, tasks
    from memoryapp.models import Replay, Turn
    from memoryapp.pairs import local_day
    from memoryapp.permit import Act

    class Careless:
        def extract(self, utterance):
            raise Broken(MARK)

    assistant.report("minji", f"저는 {MARK} 회사에 다녀요")
    replay_grants.give(minji, assistant.service)
    permit = gate.admit(assistant.caller, "minji", Act.REPLAY)
    day = local_day(Turn.objects.get().occurred_at, minji.zone)
    made = replay.start(permit, revisions.draft(assistant.service), day)
    monkeypatch.setattr(reading, "extractor_for", lambda *args, **kwargs: Careless())
    assert tasks.replay.apply(args=(str(made.pk),)).state == "FAILURE"
    assert Replay.objects.get().error == "Broken"
    clean(logged.getvalue())


def test_a_task_that_breaks_tells_type_and_place_only(assistant, minji, monkeypatch, logged):
    from memoryapp import tasks

    monkeypatch.setattr(turns, "_claim", raises(Broken(MARK)))
    result = tasks.digest.apply(args=("00000000-0000-0000-0000-000000000001",))
    assert result.state == "FAILURE"
    assert "Broken" in logged.getvalue()
    clean(logged.getvalue())


def test_a_broker_that_is_gone_says_nothing(
    assistant, minji, monkeypatch, logged, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(app, "send_task", raises(Broken(MARK)))
    with django_capture_on_commit_callbacks(execute=True):
        assert assistant.report("minji", f"저는 {MARK} 회사에 다녀요").status_code == 202
    assert "broker unreachable (Broken)" in logged.getvalue()
    clean(logged.getvalue())


def test_operators_pages_show_no_content(assistant, minji, work):
    put_content_everywhere(assistant)
    work()
    User.objects.create_user("root", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(User.objects.get(username="root"))
    seen = 0
    for model, model_admin in admin.site._registry.items():
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        answer = browser.get(address)
        clean(answer.content.decode())
        first = model._default_manager.first()
        if first is not None and model_admin.has_view_permission(answer.wsgi_request, first):
            clean(browser.get(f"{address}{first.pk}/change/", follow=True).content.decode())
            seen += 1
    assert seen > 5
    for page in ("", "extraction/", "keys/", "members/", "cost/"):
        clean(browser.get(f"/console/services/assistant/{page}").content.decode())
    clean(browser.get("/console/system/").content.decode())


def test_no_address_of_ours_carries_content(minji, client, assistant):
    """A search on my page is sent in a body: addresses end up in histories and logs."""
    assistant.save("minji", f"제 별명은 {MARK} 이에요")
    client.force_login(minji.login)
    found = client.post("/me/memories/", {"q": MARK}, follow=True)
    clean(
        " ".join(address for address, _ in found.redirect_chain)
        + found.request["PATH_INFO"]
        + found.request["QUERY_STRING"]
    )


def test_no_answer_to_a_write_shows_what_the_list_masks(assistant, minji):
    secret = "880101-1122334"
    saved = assistant.save("minji", f"제 주민등록번호는 {secret} 입니다")
    memory = saved.json()["memory"]
    again = assistant.save("minji", f"제 주민등록번호는 {secret} 입니다")
    path = f"memories/{memory['memory_id']}"
    corrected = assistant.patch(path, {"user_id": "minji", "confidence": 0.5})
    for answer in (saved, again, corrected):
        assert secret not in answer.content.decode()
    assert (saved.status_code, memory["masked"], corrected.json()["confidence"]) == (201, True, 0.5)
    assert secret in assistant.get(path, user_id="minji").json()["statement"]  # its detail is for its owner
