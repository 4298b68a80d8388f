"""Public keys from a URL: fetched in the background, followed when they change, and kept when they cannot be had."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryapp import assertion_keys, assertions, housekeeping, hurry, key_refresh, key_url, public_keys
from memoryapp.celery import app
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.models import AdminAction, AssertionKey, KeyUrl
from tests.conftest import Runtime
from tests.doors.issuer import HOST, Issuer, Resolver, certificate, running, says
from tests.doors.test_assertions import ED, LONG, OTHER, PRIVATE, RSA, SHORT, ask, jwk, pem, token

EC = jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()).public_key(), as_dict=True)


@pytest.fixture(autouse=True)
def resolver(monkeypatch: Any, settings: Any) -> Resolver:
    """The issuer's host is in a private network, and listed."""
    resolver = Resolver({HOST: [["127.0.0.1"]]})
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    settings.KEY_URL_HOSTS = {HOST}
    return resolver


@pytest.fixture
def issuer(tmp_path: Path, monkeypatch: Any) -> Iterator[Issuer]:
    """Publishes ED as `ed`."""
    path = certificate(tmp_path, HOST)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with running(path) as issuer:
        issuer.publish(jwk(ED, kid="ed"))
        yield issuer


@pytest.fixture
def sent(monkeypatch: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """What the worker is told to do."""
    sent: list[tuple[str, tuple[Any, ...]]] = []
    monkeypatch.setattr(hurry, "_send", lambda task, args: sent.append((task, args)))
    return sent


@pytest.fixture
def follows(assistant: Runtime, issuer: Issuer, sent: Any) -> Runtime:
    """The assistant, whose keys are taken from the issuer."""
    key_url.put(assistant.service, issuer.url)
    key_refresh.refresh(assistant.service.pk)
    return assistant


def again(runtime: Runtime) -> KeyUrl:
    """Ten minutes later. → the row then"""
    rows = KeyUrl.objects.filter(service=runtime.service)
    rows.update(claimed_at=timezone.now() - timedelta(minutes=11))
    assert key_refresh.due() == [runtime.service.pk]
    key_refresh.refresh(runtime.service.pk)
    return rows.get()


def live(runtime: Runtime) -> dict[str, str]:
    """kid → where it came from, of the keys that are believed."""
    keys = AssertionKey.objects.filter(service=runtime.service, revoked_at=None)
    return {key.kid: "url" if key.from_url else "pasted" for key in keys}


def by_rsa(kid: str = "rsa") -> str:
    return token(RSA, kid=kid, algorithm="RS256")


def noted() -> list[str]:
    rows = AdminAction.objects.filter(action__regex="^(assertion-key|key-url)").order_by("pk")
    return list(rows.values_list("action", flat=True))


def test_keys_are_fetched_by_the_worker_and_believed(
    assistant: Runtime, minji: Any, issuer: Issuer, sent: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        key_url.put(assistant.service, issuer.url)
    assert sent == [("memoryapp.fetch_keys", (assistant.service.pk,))]
    assert issuer.asked == []
    assert key_refresh.due() == [assistant.service.pk]
    assert ask(assistant, token()).status_code == 401

    key_refresh.refresh(assistant.service.pk)
    assert ask(assistant, token()).status_code == 200
    assert live(assistant) == {"ed": "url"}
    assert noted() == ["key-url.set", "assertion-key.fetch"]
    row = KeyUrl.objects.get()
    assert (row.error, row.failing_since, row.not_taken) == ("", None, [])
    assert row.fetched_at
    assert key_refresh.due() == []
    again(assistant)
    assert noted() == ["key-url.set", "assertion-key.fetch"]


def test_the_sweep_sends_what_is_due(assistant: Runtime, issuer: Issuer, sent: Any, monkeypatch: Any) -> None:
    from memoryapp import tasks

    told: list[tuple[str, Any]] = []
    monkeypatch.setattr(app, "send_task", lambda name, args=(), **_: told.append((name, args)))
    key_url.put(assistant.service, issuer.url)
    tasks.sweep()
    assert ("memoryapp.fetch_keys", (assistant.service.pk,)) in told
    tasks.fetch_keys(assistant.service.pk)
    assert live(assistant) == {"ed": "url"}


def test_of_a_set_only_what_we_can_use_is_taken(assistant: Runtime, issuer: Issuer, sent: Any) -> None:
    issuer.publish(
        jwk(ED, kid="ed", use="sig", alg="EdDSA", key_ops=["verify"]),
        jwk(RSA, kid="rsa", x5c=["ignored"]),
        jwk(OTHER, kid="ed"),  # the first of one name counts
        jwk(OTHER, kid="enc", use="enc"), jwk(RSA, kid="oaep", alg="RSA-OAEP"), jwk(RSA, kid="ps", alg="PS256"),
        jwk(OTHER, kid="wraps", key_ops=["wrapKey"]), jwk(OTHER, kid="odd", key_ops="verify"),
        jwk(OTHER, kid=7), jwk(OTHER, kid="a\u0000"), jwk(OTHER, kid="k" * 101), {**EC, "kid": "ec"},
        {**PRIVATE, "kid": "private"}, jwk(SHORT, kid="short"), LONG, {"kty": "oct", "k": "c2VjcmV0", "kid": "oct"},
        {"kty": "OKP", "crv": "Ed25519", "x": 7, "kid": "broken"}, {"kid": "nothing"}, {},
        {"kty": ["OKP"], "kid": "list"}, {"kty": "RSA", "n": {}, "e": "AQAB", "kid": "n"}, 7,  # type: ignore[arg-type]
    )  # fmt: skip
    key_url.put(assistant.service, issuer.url)
    key_refresh.refresh(assistant.service.pk)
    assert KeyUrl.objects.get().error == ""
    assert live(assistant) == {"ed": "url", "rsa": "url"}
    assert AssertionKey.objects.get(kid="ed").public_key == pem(ED).strip()


def test_a_key_without_a_kid_is_tried_for_who_names_none(
    assistant: Runtime, minji: Any, issuer: Issuer, sent: Any
) -> None:
    issuer.publish(jwk(ED), jwk(RSA))
    key_url.put(assistant.service, issuer.url)
    again(assistant)
    assert list(live(assistant).values()) == ["url", "url"]
    names = set(live(assistant))
    for key, algorithm in ((ED, "EdDSA"), (RSA, "RS256")):
        assert ask(assistant, token(key, kid="", algorithm=algorithm)).status_code == 200
    assert ask(assistant, token(OTHER, kid="")).status_code == 401
    issuer.publish(jwk(RSA), jwk(ED))
    again(assistant)
    assert set(live(assistant)) == names, "the same keys have the same names"


def test_a_thumbprint_is_that_of_the_rfc() -> None:
    """RFC 8037, appendix A.3."""
    row = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    body = json.dumps({"keys": [row]}).encode()
    assert list(public_keys.fetched(body)) == ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]


def test_a_dropped_key_is_kept_for_a_month_and_comes_back_all_the_same(
    follows: Runtime, minji: Any, issuer: Issuer
) -> None:
    issuer.publish(jwk(RSA, kid="rsa"))
    again(follows)
    housekeeping.purge()
    assert AssertionKey.objects.filter(kid="ed", dropped=True).exists()
    AssertionKey.objects.filter(kid="ed").update(revoked_at=timezone.now() - timedelta(days=31))
    assert housekeeping.purge()["dropped_key"] == 1
    assert set(AssertionKey.objects.values_list("kid", flat=True)) == {"rsa"}
    issuer.publish(jwk(RSA, kid="rsa"), jwk(ED, kid="ed"))
    again(follows)
    assert ask(follows, token()).status_code == 200


BAD_SETS: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"<html>", "not-json"),
    "not text": (b"\xff\xfe\xfa", "not-json"),
    "too deep": (b"[" * 50_000, "not-json"),
    "a list": (b"[]", "no-usable-key"),
    "a number": (b"1", "no-usable-key"),
    "empty": (b'{"keys": []}', "no-usable-key"),
    "no set": (b'{"keys": "ed"}', "no-usable-key"),
    "without keys": (b"{}", "no-usable-key"),
}


@pytest.mark.parametrize(("body", "code"), BAD_SETS.values(), ids=BAD_SETS)
def test_a_set_that_is_none_changes_nothing(follows, minji, issuer, body, code):
    issuer.answer = says(body)
    row = again(follows)
    assert row.error == code
    assert ask(follows, token()).status_code == 200


def test_more_than_twenty_keys_are_none(follows: Runtime, issuer: Issuer) -> None:
    keys = [jwk(Ed25519PrivateKey.generate(), kid=f"k{number}") for number in range(21)]
    issuer.publish(*keys)
    assert again(follows).error == "too-many-keys"
    issuer.publish(*keys[1:], {**EC, "kid": "ec"})
    assert again(follows).error == ""
    assert len(live(follows)) == 20


def test_keys_outlast_a_url_that_is_down_for_days(
    follows: Runtime, minji: Any, issuer: Issuer, caplog: Any, resolver: Resolver
) -> None:
    well = KeyUrl.objects.get().fetched_at
    issuer.answer = says(b"", 503)
    first = again(follows)
    assert (first.error, first.fetched_at) == ("status-503", well)
    KeyUrl.objects.update(failing_since=timezone.now() - timedelta(days=4), url=f"{issuer.url}?secret=s3cr3t")
    since = KeyUrl.objects.get().failing_since
    resolver.names.clear()
    row = again(follows)
    assert (row.error, row.failing_since, row.fetched_at) == ("no-such-host", since, well)
    assert ask(follows, token()).status_code == 200
    assert HOST in caplog.text
    assert "s3cr3t" not in caplog.text

    resolver.names[HOST] = [["127.0.0.1"]]
    issuer.publish(jwk(ED, kid="ed"))
    row = again(follows)
    assert (row.error, row.failing_since) == ("", None)


def test_an_issuer_rotates_with_both_keys_for_a_while(follows: Runtime, minji: Any, issuer: Issuer) -> None:
    issuer.publish(jwk(ED, kid="ed"), jwk(RSA, kid="rsa"))
    again(follows)
    assert (ask(follows, token()).status_code, ask(follows, by_rsa()).status_code) == (200, 200)
    issuer.publish(jwk(RSA, kid="rsa"))
    again(follows)
    assert (ask(follows, token()).status_code, ask(follows, by_rsa()).status_code) == (401, 200)
    assert noted()[-1] == "assertion-key.drop"
    issuer.publish(jwk(RSA, kid="rsa"), jwk(ED, kid="ed"))  # it rolls back
    again(follows)
    assert ask(follows, token()).status_code == 200
    issuer.publish(jwk(RSA, kid="ed"))  # another key under an old name
    again(follows)
    assert (ask(follows, token()).status_code, ask(follows, by_rsa("ed")).status_code) == (401, 200)
    assert AdminAction.objects.order_by("-pk")[0].changed == ["public_key"]


def test_an_unknown_kid_makes_us_look_and_the_next_request_is_let_in(
    follows: Runtime, minji: Any, issuer: Issuer, sent: Any, django_capture_on_commit_callbacks: Any
) -> None:
    def send(signed: str) -> int:
        with django_capture_on_commit_callbacks(execute=True):
            return int(ask(follows, signed).status_code)

    issuer.publish(jwk(ED, kid="ed"), jwk(RSA, kid="rsa"))
    asked = len(issuer.asked)
    KeyUrl.objects.update(asked_at=timezone.now() - timedelta(seconds=61))
    assert send(by_rsa()) == 401
    assert sent == [("memoryapp.fetch_keys", (follows.service.pk,))]
    assert len(issuer.asked) == asked, "not within the request"
    key_refresh.refresh(follows.service.pk)
    assert send(by_rsa()) == 200

    for _ in range(3):
        assert send(token(kid="nobody's")) == 401
    assert len(sent) == 1, "once a minute"
    assert key_refresh.due() == []
    KeyUrl.objects.update(
        asked_at=timezone.now() + timedelta(hours=1)
    )  # a clock that ran ahead holds nobody up
    assert send(token(kid="nobody's")) == 401
    assert len(sent) == 2


def test_a_service_without_a_url_asks_nobody(assistant: Runtime, minji: Any, sent: Any) -> None:
    assertion_keys.add(assistant.service, "ed", pem(ED))
    assert ask(assistant, token(kid="new")).status_code == 401
    assert sent == []


def test_a_known_key_costs_the_one_query_it_always_did(follows: Runtime, minji: Any) -> None:
    caller = follows.caller
    with CaptureQueriesContext(connection) as queries:
        assert assertions.apply(caller, token()).asserted_user_id == "minji"
    assert len(queries) == 1


def test_fetched_keys_never_touch_pasted_ones(
    assistant: Runtime, minji: Any, issuer: Issuer, sent: Any
) -> None:
    assertion_keys.add(assistant.service, "ed", pem(OTHER))
    assertion_keys.add(assistant.service, "mine", pem(RSA))
    issuer.publish(jwk(ED, kid="ed"), jwk(ED, kid="theirs"))
    key_url.put(assistant.service, issuer.url)
    key_refresh.refresh(assistant.service.pk)
    assert live(assistant) == {"ed": "pasted", "mine": "pasted", "theirs": "url"}
    assert KeyUrl.objects.get().not_taken == ["ed"]
    assert (ask(assistant, token()).status_code, ask(assistant, token(OTHER)).status_code) == (401, 200)
    issuer.publish(jwk(ED, kid="theirs"))
    assert again(assistant).not_taken == []
    assert live(assistant) == {"ed": "pasted", "mine": "pasted", "theirs": "url"}


def test_what_an_admin_revoked_stays_revoked(follows: Runtime, minji: Any, issuer: Issuer) -> None:
    issuer.publish(jwk(ED, kid="ed"), jwk(RSA, kid="rsa"))
    assertion_keys.revoke(follows.service, AssertionKey.objects.get(kid="ed").pk)
    assert again(follows).not_taken == ["ed"]
    assert live(follows) == {"rsa": "url"}
    issuer.publish(jwk(RSA, kid="rsa"))
    assert again(follows).not_taken == []
    issuer.publish(jwk(ED, kid="ed"), jwk(RSA, kid="rsa"))
    again(follows)
    assert live(follows) == {"rsa": "url"}


def test_removing_the_url_ends_its_keys_unless_nobody_could_be_let_in(follows: Runtime, minji: Any) -> None:
    assertion_keys.require(follows.service, True)
    with pytest.raises(Conflict):
        key_url.remove(follows.service)
    assert live(follows) == {"ed": "url"}
    assertion_keys.add(follows.service, "mine", pem(RSA))
    key_url.remove(follows.service)
    assert live(follows) == {"mine": "pasted"}
    assert (ask(follows, token()).status_code, ask(follows, by_rsa("mine")).status_code) == (401, 200)
    assert noted()[-2:] == ["assertion-key.drop", "key-url.remove"]
    with pytest.raises(NotFound):
        key_url.remove(follows.service)
    assertion_keys.add(follows.service, "ed", pem(OTHER))  # the name is free again
    assert ask(follows, token(OTHER)).status_code == 200


def test_keys_of_one_url_stay_until_those_of_the_next_are_there(
    follows: Runtime, minji: Any, issuer: Issuer, django_capture_on_commit_callbacks: Any
) -> None:
    issuer.answer = says(b"", 500)
    key_url.put(follows.service, f"{issuer.url}?v=2")
    row = KeyUrl.objects.get()
    assert (row.fetched_at, row.claimed_at) == (None, None)
    key_refresh.refresh(follows.service.pk)
    assert ask(follows, token()).status_code == 200
    issuer.publish(jwk(RSA, kid="rsa"))
    again(follows)
    assert live(follows) == {"rsa": "url"}


@pytest.mark.parametrize("url", ["http://issuer.test/", "https://10.0.0.1/", "https://a:b@issuer.test/"])
def test_an_address_that_is_not_safe_is_not_kept(assistant: Runtime, url: str) -> None:
    with pytest.raises(Invalid):
        key_url.put(assistant.service, url)
    assert not KeyUrl.objects.exists()


def test_what_was_overtaken_is_dropped(follows: Runtime, issuer: Issuer) -> None:
    """A slow worker comes back with what the issuer said before somebody asked anew."""

    old = KeyUrl.objects.get()
    KeyUrl.objects.update(claimed_at=None)
    key_refresh._follow(old, {"other": pem(RSA)})
    key_refresh._tell(old, "timeout")
    assert live(follows) == {"ed": "url"}
    assert KeyUrl.objects.get().error == ""


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_ask_once(assistant: Runtime, issuer: Issuer, sent: Any) -> None:
    key_url.put(assistant.service, issuer.url)
    publish = issuer.answer

    def slowly(handler: Any) -> None:
        time.sleep(0.3)
        publish(handler)

    issuer.answer = slowly
    at_once(lambda: key_refresh.refresh(assistant.service.pk))
    assert len(issuer.asked) == 1
    assert live(assistant) == {"ed": "url"}
    assert noted() == ["key-url.set", "assertion-key.fetch"]


@pytest.mark.django_db(transaction=True)
def test_pasting_while_a_set_is_taken_leaves_one_key_of_a_name(
    assistant: Runtime, issuer: Issuer, sent: Any
) -> None:
    key_url.put(assistant.service, issuer.url)
    steps = iter([lambda: key_refresh.refresh(assistant.service.pk), lambda: paste(assistant)])
    at_once(lambda: next(steps)())
    assert AssertionKey.objects.filter(kid="ed").count() == 1


def paste(runtime: Runtime) -> None:
    try:
        assertion_keys.add(runtime.service, "ed", pem(ED))
    except Conflict:
        assert live(runtime) == {"ed": "url"}


def at_once(work: Callable[[], None]) -> None:
    """Do it in two threads, each with its own connection. What either raises is raised here."""
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - told below
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert wrong == []
