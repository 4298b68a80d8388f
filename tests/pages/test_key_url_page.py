"""Keys from a URL in the console: given, told how it goes with them, taken away."""

import inspect
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import assertion_keys, fetch, key_refresh, public_keys
from memoryapp.labels import KEY_URL_FAILURES
from memoryapp.models import AssertionKey, KeyUrl
from tests.conftest import Runtime
from tests.pages.test_console import public_pem

PAGE = "/console/services/assistant/assertions/"
URL = "https://keys.example/jwks.json"


@pytest.fixture
def console(assistant: Runtime, admin_of: Any) -> Client:
    """The browser of the assistant's admin."""
    browser: Client = admin_of(assistant)
    return browser


@pytest.fixture
def failing(assistant: Runtime, console: Client, monkeypatch: Any) -> KeyUrl:
    """A URL that had a key yesterday, and has failed since."""

    def document(url: str) -> bytes:
        raise fetch.Failed("status-503")

    monkeypatch.setattr(fetch, "document", document)
    console.post(f"{PAGE}url/", {"url": URL})
    AssertionKey.objects.create(service=assistant.service, kid="k1", public_key=public_pem(), from_url=True)
    KeyUrl.objects.update(fetched_at=timezone.now() - timedelta(hours=25))
    key_refresh.refresh(assistant.service.pk)
    return KeyUrl.objects.get()


def shown(console: Client, path: str = PAGE, **headers: str) -> str:
    return str(console.get(path, headers=headers).content.decode())


def test_a_url_is_given_changed_and_removed(console: Client, assistant: Runtime) -> None:
    said = console.post(f"{PAGE}url/", {"url": f"  {URL} "}, follow=True).content.decode()
    assert "fetched in the background" in said
    assert URL in said
    assert "being fetched" in said
    assert 'hx-trigger="every' in said
    said = console.post(f"{PAGE}url/fetch/", follow=True).content.decode()
    assert "less than a minute ago" in said
    KeyUrl.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    said = console.post(f"{PAGE}url/fetch/", follow=True).content.decode()
    assert "The keys are fetched" in said
    console.post(f"{PAGE}url/", {"url": f"{URL}?v=2"})
    assert KeyUrl.objects.get().url == f"{URL}?v=2"
    said = console.post(f"{PAGE}url/remove/", follow=True).content.decode()
    assert "The URL is removed" in said
    assert not KeyUrl.objects.exists()
    assert console.post(f"{PAGE}url/remove/").status_code == 404
    told = shown(console, "/console/services/assistant/")
    assert told.count("Set the key URL") == 2
    assert "Removed the key URL" in told


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "required"),
        ("http://keys.example/", "begin with https"),
        ("https://10.0.0.1/", "private network"),
        ("https://me:secret@keys.example/", "no address for keys"),
        ("https://keys.example/" + "x" * 500, "500"),
    ],
)
def test_a_url_that_cannot_be_is_said_beside_its_field(console: Client, url: str, words: str) -> None:
    answer = console.post(f"{PAGE}url/", {"url": url})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert words in page[page.index('id="id_url_helptext"') : page.index('id="id_url"')]
    assert not KeyUrl.objects.exists()


def test_a_failure_is_told_with_since_when_and_why(failing: KeyUrl, console: Client) -> None:
    page = shown(console)
    for words in ("The server answered with an error", "status-503", "Nothing has changed", "1 day ago"):
        assert words in page
    assert "more than a day" not in page
    assert "its keys cannot be fetched" in shown(console, "/console/services/assistant/keys/")

    KeyUrl.objects.update(failing_since=timezone.now() - timedelta(days=3))
    page = shown(console)
    assert "more than a day" in page
    assert "서버가 오류로 답했습니다" in shown(console, **{"accept-language": "ko"})


def test_what_is_well_or_not_taken_is_told_too(console: Client, assistant: Runtime) -> None:
    assertion_keys.add(assistant.service, "mine", public_pem())
    console.post(f"{PAGE}url/", {"url": URL})
    now = timezone.now()
    KeyUrl.objects.update(claimed_at=now, fetched_at=now, not_taken=["mine"])
    page = shown(console)
    assert "a key of the same kid was pasted" in page
    assert '<span class="chip chip-on">works</span>' in page
    assert "hx-trigger" not in page
    assert "its keys cannot be fetched" not in page


def test_the_last_keys_stay_while_users_have_to_be_signed(
    failing: KeyUrl, console: Client, assistant: Runtime
) -> None:
    console.post(f"{PAGE}require/", {"required": "on"})
    said = console.post(f"{PAGE}url/remove/", follow=True).content.decode()
    assert "only keys from this URL let anybody in" in said
    assert KeyUrl.objects.exists()
    console.post(PAGE, {"kid": "mine", "public_key": public_pem()})
    console.post(f"{PAGE}url/remove/")
    assert [key.kid for key in AssertionKey.objects.filter(revoked_at=None)] == ["mine"]
    page = shown(console)
    assert "1 revoked key" in page
    assert "no longer at the URL" in page


def test_every_way_to_fail_has_its_words() -> None:
    source = "".join(inspect.getsource(module) for module in (fetch, public_keys))
    codes = set(re.findall(r'"((?:[a-z]+-)*[a-z]+)"', "".join(re.findall(r"Failed\((.*)\)", source))))
    assert codes == set(KEY_URL_FAILURES)
