"""Fetching from an address that somebody typed: how it fails, and what of our own network it never reaches."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from memoryapp import fetch
from tests.doors.issuer import HOST, Answer, Issuer, Resolver, certificate, drips, running, says

PRIVATE = [
    "127.0.0.1", "127.8.8.8", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::", "2001:0:7f00:1::", "::7f00:1",
]  # fmt: skip
PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.fixture(autouse=True)
def resolver(monkeypatch: Any) -> Resolver:
    resolver = Resolver({HOST: [["127.0.0.1"]]})
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    return resolver


@pytest.fixture
def issuer(tmp_path: Path, settings: Any, monkeypatch: Any) -> Iterator[Issuer]:
    """An issuer in a private network that the operator has listed, with a certificate that is trusted."""
    settings.KEY_URL_HOSTS = {HOST}
    path = certificate(tmp_path, HOST)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with running(path) as issuer:
        issuer.answer = says(b"hello")
        yield issuer


def code_of(url: str) -> str:
    """Why nothing comes of it, or "" if something does."""
    try:
        fetch.document(url)
    except fetch.Failed as failure:
        return failure.code
    return ""


def test_it_asks_by_name_at_the_address_that_was_checked(issuer: Issuer, resolver: Resolver) -> None:
    assert fetch.document(f"{issuer.url}?tenant=7") == b"hello"
    assert issuer.asked == [("/jwks.json?tenant=7", f"{HOST}:{issuer.port}")]
    assert resolver.asked == [HOST]


def test_a_name_that_means_another_host_a_moment_later_gains_nothing(
    issuer: Issuer, resolver: Resolver, settings: Any
) -> None:
    """Checked as one address and called as another: DNS rebinding. The name is looked up once."""
    resolver.names[HOST] = [["127.0.0.1"], ["10.9.9.9"]]
    assert code_of(issuer.url) == ""
    assert resolver.asked == [HOST]
    settings.KEY_URL_HOSTS = set()
    resolver.names["rebinds.test"] = [["8.8.8.8", "127.0.0.1"], ["127.0.0.1"]]
    assert code_of(f"https://rebinds.test:{issuer.port}/") == "private-address"
    assert len(issuer.asked) == 1


def test_the_next_address_is_tried_where_one_does_not_answer(issuer: Issuer, resolver: Resolver) -> None:
    resolver.names[HOST] = [["127.9.9.9", "127.0.0.1"]]
    assert code_of(issuer.url) == ""


FAILURES: dict[str, tuple[Answer, str]] = {
    "an error of the server": (says(b"", 500), "status-500"),
    "not there": (says(b"", 404), "status-404"),
    "nothing": (says(b"", 204), "status-204"),
    "too much": (says(b"x" * 100_001), "too-big"),
    "too much, without saying so": (drips(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 50_000), "too-big"),
    "cut off": (drips(b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nx", b""), "timeout"),
    "ended too early": (says(b"x", Content_Length="9"), "unreachable"),
    "not HTTP": (drips(b"SSH-2.0-OpenSSH\r\n\r\n", b""), "unreachable"),
    "a header by drops": (drips(b"HTTP/1.1 200 OK\r\nX: ", b"x"), "timeout"),
    "a body by drops": (drips(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), "timeout"),
}


@pytest.mark.parametrize(("answer", "code"), FAILURES.values(), ids=FAILURES)
def test_what_a_server_may_do_to_us(issuer: Issuer, answer: Answer, code: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(fetch, "LONGEST_SECONDS", 0.8)
    issuer.answer = answer
    assert code_of(issuer.url) == code


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(issuer: Issuer, status: int) -> None:
    issuer.answer = says(b"", status, Location=f"{issuer.url}/elsewhere")
    assert code_of(issuer.url) == "redirect"
    assert len(issuer.asked) == 1


def test_a_resolver_that_hangs_holds_nobody_up(issuer: Issuer, monkeypatch: Any) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(fetch, "LONGEST_SECONDS", 0.3)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: go_on.wait(20) and [])
    started = time.monotonic()
    assert code_of(issuer.url) == "timeout"
    assert time.monotonic() - started < 5
    go_on.set()


def test_nobody_there_and_no_such_host(issuer: Issuer) -> None:
    assert code_of(f"https://{HOST}:1/") == "unreachable"
    assert code_of("https://nowhere.test/") == "no-such-host"
    assert code_of(f"https://{'a' * 70}.test/") in {"no-such-host", "bad-url"}


def test_a_certificate_of_nobody_or_for_another_host_is_refused(
    issuer: Issuer, tmp_path: Path, monkeypatch: Any, resolver: Resolver, settings: Any
) -> None:
    settings.KEY_URL_HOSTS = {HOST, "other.test"}
    resolver.names["other.test"] = [["127.0.0.1"]]
    assert code_of(f"https://other.test:{issuer.port}/") == "certificate"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path, "somebody.test")))
    assert code_of(issuer.url) == "certificate"
    assert issuer.asked == []


def test_a_proxy_in_the_environment_is_not_asked(issuer: Issuer, monkeypatch: Any) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert code_of(issuer.url) == ""


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_public_is_not_called(address: str, resolver: Resolver) -> None:
    for addresses in ([address], ["8.8.8.8", address], [address, "8.8.8.8"]):
        resolver.names[HOST] = [addresses]
        assert code_of(f"https://{HOST}/") == "private-address"
    if "%" not in address:
        host = f"[{address}]" if ":" in address else address
        with pytest.raises(fetch.Failed, match="private-address"):
            fetch.checked(f"https://{host}/")


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_may_be_called(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    assert fetch.checked(f"https://{host}/jwks").scheme == "https"


def test_other_ways_to_write_an_address_are_resolved_like_names(monkeypatch: Any) -> None:
    monkeypatch.undo()  # the system's own resolver reads these
    for host in ("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0"):
        assert code_of(f"https://{host}/") in {"private-address", "bad-url", "no-such-host"}, host


def test_a_listed_host_may_be_private_but_never_the_cloud_s_own(settings: Any, resolver: Resolver) -> None:
    settings.KEY_URL_HOSTS = {"login.corp.test", "169.254.169.254", "10.0.0.1"}
    where = fetch.checked("https://LOGIN.corp.test/jwks")
    for address, may in (
        ("10.0.0.1", True),
        ("fd00::1", True),
        ("169.254.169.254", False),
        ("fe80::1", False),
    ):
        assert fetch._may_call(ip_address(address), where) is may
    assert fetch.checked("https://10.0.0.1/").host == "10.0.0.1"
    with pytest.raises(fetch.Failed, match="private-address"):
        fetch.checked("https://169.254.169.254/")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "bad-url"), ("jwks", "bad-url"), ("https://", "bad-url"), ("https:///x", "bad-url"),
        ("https://user:password@host.test/", "bad-url"), ("https://user@host.test/", "bad-url"),
        ("https://host.test/#x", "bad-url"), ("https://host.test:99999/", "bad-url"), ("https://[::1", "bad-url"),
        ("https://host.test/\n", "bad-url"), ("http://host.test/", "not-https"), ("ftp://host.test/", "not-https"),
        ("file:///etc/passwd", "bad-url"), ("http://127.0.0.1/", "not-https"), ("http://localhost/", "not-https"),
        ("https://localhost/", ""), ("https://127.0.0.1/", "private-address"),
    ],
)  # fmt: skip
def test_which_addresses_are_asked_at_all(url: str, code: str) -> None:
    if code:
        with pytest.raises(fetch.Failed, match=code):
            fetch.checked(url)
    else:
        assert fetch.checked(url).host


def test_plain_http_stays_on_this_machine(settings: Any, resolver: Resolver) -> None:
    with running(None) as issuer:
        issuer.answer, plain = says(b"hello"), f"http://localhost:{issuer.port}/"
        resolver.names["localhost"] = [["127.0.0.1"]]
        assert code_of(plain) == "not-https"
        settings.KEY_URL_HOSTS = {"localhost", "host.test"}
        assert code_of(plain) == ""
        settings.KEY_URL_HOSTS, settings.DEBUG = set(), True
        assert code_of(plain) == ""
        assert code_of("http://host.test/") == "not-https"
        resolver.names["localhost"] = [["8.8.8.8"]]
        assert code_of(plain) == "private-address"


def test_no_log_tells_more_of_an_address_than_its_host(issuer: Issuer, settings: Any, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    assert code_of(f"{issuer.url}?secret=s3cr3t") == ""
    assert "s3cr3t" not in caplog.text
    logging.getLogger("httpx").setLevel(logging.INFO)  # what would be told without settings.LOGGING
    assert code_of(f"{issuer.url}?secret=s3cr3t") == ""
    assert "s3cr3t" in caplog.text
    logging.getLogger("httpx").setLevel(settings.LOGGING["loggers"]["httpx"]["level"])
