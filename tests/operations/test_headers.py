"""What every answer carries where a TLS proxy stands in front, and what a proxy may and may not say."""

import asyncio
from typing import Any

import pytest
from django.test import Client

from memoryapp import vault
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime

TLS = {"X-Forwarded-Proto": "https"}
PAGES = ("/accounts/login/", "/docs/", "/docs/operations/", "/nowhere/", "/api/v1/capabilities", "/healthz")


@pytest.fixture
def behind_tls(settings: Any, db: None) -> Client:
    """The settings that BEHIND_TLS=1 makes, in a client of its own."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    settings.SECURE_HSTS_SECONDS = 365 * 24 * 3600
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    return Client()


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_strict_headers(behind_tls: Client, path: str) -> None:
    headers = behind_tls.get(path, headers=TLS).headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_refused_host_gets_the_strict_headers_too(behind_tls: Client, scheme: str) -> None:
    given = {"X-Forwarded-Proto": scheme, "Host": "elsewhere.example"}
    answer = behind_tls.get("/accounts/login/", headers=given)
    assert answer.status_code == 400
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/admin/", "/admin/login/", "/admin/speakers/user/", "/admin/nowhere/"])
def test_the_operators_admin_has_a_policy_too(behind_tls: Client, path: str) -> None:
    """Its theme evaluates attributes and styles inline; nothing comes from, or goes to, anywhere else."""
    behind_tls.force_login(User.objects.create_superuser("root"))
    headers = behind_tls.get(path, headers=TLS).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == "'self' 'unsafe-eval'"
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert policy["form-action"] == policy["connect-src"] == "'self'"
    assert headers["X-Frame-Options"] == "DENY"


def test_cookies_are_for_https_and_this_site_only(behind_tls: Client, minji: Person) -> None:
    page = behind_tls.get("/accounts/login/", headers=TLS)
    signed_in = behind_tls.post("/accounts/login/", {"login": "minji", "password": PASSWORD}, headers=TLS)
    for cookie in (page.cookies["csrftoken"], signed_in.cookies["sessionid"]):
        assert cookie["secure"]
        assert cookie["samesite"] == "Lax"
    assert signed_in.cookies["sessionid"]["httponly"]


def test_plain_http_leads_to_https_except_for_probes(behind_tls: Client) -> None:
    assert behind_tls.get("/accounts/login/").headers["Location"].startswith("https://")
    for path in ("/healthz", "/readyz", "/metrics"):
        assert behind_tls.get(path).status_code == 200


def test_attempts_are_counted_for_the_address_behind_our_own_proxy(minji: Person, settings: Any) -> None:
    """Somebody who guesses from one address locks out that address, not everybody behind the proxy."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.AXES_FAILURE_LIMIT = 2
    settings.ACCOUNT_RATE_LIMITS = {}
    client = Client()

    def sign_in(address: str, password: str) -> int:
        given = {"login": "minji", "password": password}
        # What a caller claims stands before what our proxy has seen.
        seen = {"X-Forwarded-For": f"203.0.113.77, {address}"}
        return int(client.post("/accounts/login/", given, headers=seen).status_code)

    assert [sign_in("198.51.100.9", "guess") for _ in range(3)][-1] == 429
    assert sign_in("198.51.100.9", PASSWORD) == 429
    assert sign_in("198.51.100.10", PASSWORD) == 302


def test_answers_of_the_api_are_kept_by_no_cache(assistant: Runtime, minji: Person) -> None:
    for path in ("memories?user_id=minji", "memories?user_id=nobody", "capabilities"):
        assert assistant.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/mcp/", "/mcp/sessions/s1/"])
def test_the_mcp_door_is_as_strict(transactional_db: None, path: str) -> None:
    vault.set_seal()
    from memoryapp.asgi import application

    async def ask() -> dict[bytes, bytes]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b""}
        await application(scope, receive, send)
        return dict(sent[0]["headers"])

    headers = asyncio.run(ask())
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"cache-control"] == b"no-store"
