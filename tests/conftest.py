"""The cast: Minji and Jiho, who own memories; the assistant and the homebot, who talk with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from consent import ledger
from consent.domains import Domain
from memoryapp import hurry, keys, master, persons, revisions
from memoryapp.index import embed
from memoryapp.models import ChatService, RevisionState, ServiceRevision
from memoryapp.permit import Caller
from speakers.models import Person, User
from tests.live import live, static_files, web

__all__ = ["live", "static_files", "web"]  # fixtures

PASSWORD = "correct horse battery"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever speaks to the running server shares one: it takes a core for a while to start."""
    for item in items:
        if "live" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("live"))


@pytest.fixture(scope="session", autouse=True)
def master_keyset() -> None:
    """One master keyset for the whole run, never that of the developer's own data."""
    from django.conf import settings

    settings.MASTER_KEYSET = master.new_keyset()
    master.master.cache_clear()


@pytest.fixture(autouse=True)
def fresh_space() -> None:
    embed.forget_serving()
    hurry._pause_until = 0.0


@pytest.fixture(autouse=True)
def fast_settings(settings: Any) -> None:
    """Pages are tested without a collectstatic run, and passwords hashed fast."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@dataclass
class Runtime:
    """A service with its key, calling the API as an agent runtime does."""

    service: ChatService
    secret: str
    http: Client

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send JSON to /api/v1/<path>. → the response, with `.json()`."""
        extra = {"Authorization": f"Bearer {self.secret}", **headers}
        kwargs: dict[str, Any] = {"headers": extra}
        if body is not None:
            kwargs |= {"data": body, "content_type": "application/json"}
        return getattr(self.http, method.lower())(f"/api/v1/{path}", **kwargs)

    def get(self, path: str, **query: Any) -> Any:
        return self.http.get(
            f"/api/v1/{path}", data=query, headers={"Authorization": f"Bearer {self.secret}"}
        )

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("POST", path, {} if body is None else body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.call("DELETE", path, **headers)

    def save(self, user_id: str, fact: str, **fields: Any) -> Any:
        return self.post("memories", {"user_id": user_id, "fact": fact, **fields})

    def recall(self, user_id: str, query: str, **fields: Any) -> Any:
        return self.post("recall", {"user_id": user_id, "query": query, **fields}).json()

    def facts(self, user_id: str, query: str, **fields: Any) -> list[str]:
        """The texts that a recall brings back."""
        return [memory["fact"] for memory in self.recall(user_id, query, **fields)["memories"]]

    def report(self, user_id: str, text: str, turn_id: str = "t1", **fields: Any) -> Any:
        body = {
            "user_id": user_id,
            "session_id": "s1",
            "turn_id": turn_id,
            "user_text": text,
            "assistant_text": "네, 알겠어요.",
            **fields,
        }
        return self.post("turns", body)

    @property
    def revision(self) -> ServiceRevision:
        return self.service.revisions.get(state=RevisionState.DEPLOYED)

    @property
    def caller(self) -> Caller:
        found = keys.recognise(self.secret)
        assert found is not None
        return found

    def configure(self, **settings: Any) -> None:
        """Deploy a new revision with these settings."""
        revisions.deploy(revisions.edit(revisions.draft(self.service), **settings))


@pytest.fixture
def make_person(db: None) -> Callable[..., Person]:
    def make(user_id: str, *, consents: tuple[Domain, ...] = (Domain.LONG_TERM_MEMORY,)) -> Person:
        login = User.objects.create_user(user_id, password=PASSWORD)
        person, _ = persons.register(user_id, user_id.title(), login=login)
        for domain in consents:
            ledger.decide(person, domain, True, actor="person", source="my-page")
        return person

    return make


@pytest.fixture
def minji(make_person: Callable[..., Person]) -> Person:
    """Minji, who has switched memory on."""
    return make_person("minji")


@pytest.fixture
def jiho(make_person: Callable[..., Person]) -> Person:
    """Jiho, who has switched memory on too."""
    return make_person("jiho")


@pytest.fixture
def make_runtime(db: None, client: Client) -> Callable[..., Runtime]:
    def make(slug: str, **settings: Any) -> Runtime:
        service = ChatService.objects.create(slug=slug, name=slug.title())
        runtime = Runtime(service, keys.issue(service)[1], client)
        chosen = {
            "memory_enabled": True,
            "per_turn_extraction": True,
            "nightly_enabled": True,
            "recall_scopes": ["personal", "service"],
        }
        runtime.configure(**{**chosen, **settings})
        return runtime

    return make


@pytest.fixture
def assistant(make_runtime: Callable[..., Runtime]) -> Runtime:
    """A chat assistant with memory on."""
    return make_runtime("assistant")


@pytest.fixture
def homebot(make_runtime: Callable[..., Runtime]) -> Runtime:
    """A robot at home with memory on."""
    return make_runtime("homebot")


@pytest.fixture
def work(django_capture_on_commit_callbacks: Any) -> Callable[[], None]:
    """Let the worker do what is due, as the sweep would find it."""
    from memoryapp import turns
    from memoryapp.index import rebuild

    def run() -> None:
        for turn_pk in turns.waiting():
            turns.digest(turn_pk)
        while rebuild.heal():
            pass

    return run


def withdraw(person: Person, domain: Domain = Domain.LONG_TERM_MEMORY) -> None:
    ledger.decide(person, domain, False, actor="person", source="my-page")
