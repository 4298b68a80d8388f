"""Real browsers at the real server: Minji's, Jiho's, an admin's, with everything that goes wrong in them noted."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import global_settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from speakers.models import User
from tests.conftest import PASSWORD
from tests.journeys.chromium import FLAGS, chromium
from tests.live import LiveServer

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
#: WCAG 2.2 A and AA, and what axe calls best practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass
class Visitor:
    """Somebody at a browser. `trouble` notes console errors and requests to other hosts."""

    context: BrowserContext
    page: Page
    base_url: str
    trouble: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("request", lambda request: self._stay_home(request.url))

    def _note(self, kind: str, text: str) -> None:
        # The browser itself reports each 4xx answer of a page; those are the test's business.
        if kind == "error" and "the server responded with a status of 4" not in text:
            self.trouble.append(f"console: {text}")

    def _stay_home(self, url: str) -> None:
        if not url.startswith((self.base_url, "data:", "blob:", "about:")):
            self.trouble.append(f"request to {url}")

    def go(self, path: str) -> Page:
        self.page.goto(self.base_url + path)
        return self.page

    def sign_in(self, username: str) -> None:
        """Through the form, as people do."""
        page = self.go("/accounts/login/")
        page.fill("[name=login]", username)
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
        page.wait_for_load_state()

    def text(self) -> str:
        return self.page.inner_text("body")

    def violations(self) -> list[str]:
        """What axe-core finds wrong on the page as it stands."""
        self.page.evaluate(AXE)
        options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
        found: dict[str, Any] = self.page.evaluate(f"axe.run(document, {json.dumps(options)})")
        return [
            f"{self.page.url}: {rule['id']}: {node['target']} {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]


@pytest.fixture(scope="module")  # its event loop must not outlive the journeys: others run loops of their own
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no chromium here; `apt-get install chromium` brings one")
    # Playwright runs an event loop in this thread, in which Django would refuse its own synchronous queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(autouse=True)
def passwords_the_server_knows(settings: Any) -> None:
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS


@pytest.fixture
def visit(browser: Browser, live: LiveServer) -> Iterator[Callable[..., Visitor]]:
    """Open a browser window: `visit("minji", language="ko", width=1280, …)`, signed in when a name is given."""
    visitors: list[Visitor] = []

    def open_window(
        username: str = "", *, language: str = "ko", width: int = 1280, height: int = 900, **options: Any
    ) -> Visitor:
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, timezone_id="Asia/Seoul", **options
        )
        context.set_default_timeout(15_000)
        if username:
            context.add_cookies([session_of(username, live.base_url)])
        visitor = Visitor(context, context.new_page(), live.base_url)
        context.on("page", visitor.watch)
        visitor.watch(visitor.page)
        visitors.append(visitor)
        return visitor

    yield open_window
    trouble = [line for visitor in visitors for line in visitor.trouble]
    for visitor in visitors:
        visitor.context.close()
    assert trouble == []


def session_of(username: str, base_url: str) -> Any:
    """A signed-in session without the form: its sign-ins are limited per minute, as they should be."""
    client = Client()
    client.force_login(User.objects.get(username=username), backend=BACKEND)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base_url}
