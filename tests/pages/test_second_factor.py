"""The second factor, from setting it up to giving it up: in our own words, and without scripts."""

import re
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

from tests.conftest import PASSWORD

CODES = "/accounts/2fa/recovery-codes/"


@pytest.fixture
def proven(at_minjis: Client) -> Client:
    """Her browser, right after she gave her password again."""
    at_minjis.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return at_minjis


def read(browser: Client, path: str, language: str = "ko") -> str:
    answer = browser.get(path, headers={"accept-language": language})
    page = str(answer.content.decode())
    assert answer.status_code == 200, path
    assert not re.search(r"<script(?![^>]* src=)|<style| style=", page), path
    return page


def switch_on(browser: Client) -> Any:
    page = read(browser, "/accounts/2fa/totp/activate/")
    found = re.search(r'id="secret"[^>]*>(\w+)<', page)
    assert found
    code = format_hotp_value(hotp_value(found[1], next(yield_hotp_counters_from_time())))
    return browser.post("/accounts/2fa/totp/activate/", {"code": code})


def test_a_wrong_number_is_told_beside_its_field(proven: Client) -> None:
    read(proven, "/accounts/2fa/totp/activate/")
    page = proven.post("/accounts/2fa/totp/activate/", {"code": "000000"}).content.decode()

    assert 'aria-invalid="true"' in page
    assert 'id="id_code_error"' in page


def test_it_is_set_up_shows_its_codes_and_is_given_up(proven: Client) -> None:
    assert switch_on(proven).headers["Location"] == CODES
    page = read(proven, CODES)
    found = re.search(r'id="codes"[^>]*>([\d\n]+)<', page)
    assert found
    assert len(found[1].split()) == 10
    assert "10개 남았습니다" in read(proven, "/accounts/2fa/")
    assert "The codes you have now stop working at once." in read(proven, CODES + "generate/", "en")
    assert "비밀번호만으로 로그인합니다" in read(proven, "/accounts/2fa/totp/deactivate/")

    proven.post("/accounts/2fa/totp/deactivate/")
    assert "Only the password is asked for." in read(proven, "/accounts/2fa/", "en")
    assert proven.get(CODES).status_code == 404


def test_the_next_sign_in_asks_for_it(proven: Client, client: Client) -> None:
    switch_on(proven)
    client.post("/accounts/login/", {"login": "minji", "password": PASSWORD})

    assert "복구 코드 하나를 입력하세요" in read(client, "/accounts/2fa/authenticate/")
    assert client.get("/me/memories/").status_code == 302


def test_an_address_is_added_and_removed(proven: Client) -> None:
    proven.post("/accounts/email/", {"action_add": "", "email": "minji@example.com"})
    page = read(proven, "/accounts/email/", "en")
    assert "minji@example.com" in page
    assert "not confirmed" in page

    proven.post("/accounts/email/", {"action_remove": "", "email": "minji@example.com"})
    assert "There is none yet." in read(proven, "/accounts/email/", "en")
