"""A new password by mail, where mail can be sent; elsewhere the pages say plainly who helps."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from memoryapp import preferences
from speakers.models import Person, User
from tests.conftest import PASSWORD

ASK = "/accounts/password/reset/"
EN = {"accept-language": "en"}
NEW = "another horse, another battery"


@pytest.fixture
def can_mail(settings: Any, minji: Person) -> User:
    """Minji's login, which has an address."""
    settings.CAN_MAIL = True
    settings.ACCOUNT_RATE_LIMITS = {}
    User.objects.update(email="minji@example.com")
    return User.objects.get(person=minji)


def link_in(message: str) -> str:
    found = re.search(r"https?://testserver(/\S+)", message)
    assert found
    return found[1]


@pytest.mark.parametrize(("language", "says"), [("ko", "운영자에게"), ("en", "Ask the operator")])
def test_without_mail_no_link_is_shown_and_the_page_says_who_helps(
    client: Client, minji: Person, language: str, says: str
) -> None:
    assert ASK not in client.get("/accounts/login/").content.decode()
    for answer in (client.get, client.post):
        page = answer(ASK, {"email": "minji@example.com"}, headers={"accept-language": language})
        assert page.status_code == 200
        assert says in page.content.decode()
    assert mail.outbox == []


@pytest.mark.parametrize(("language", "subject"), [("ko", "새 비밀번호"), ("en", "A new password")])
def test_a_link_comes_by_mail_in_the_persons_language_and_works_once(
    client: Client, can_mail: User, language: str, subject: str
) -> None:
    preferences.keep(can_mail.person, language=language)
    elsewhere = Client()
    elsewhere.force_login(can_mail)
    assert ASK in client.get("/accounts/login/", headers=EN).content.decode()
    client.post(ASK, {"email": "minji@example.com"}, headers=EN)

    message = mail.outbox[0]
    assert (message.subject, message.to) == (subject, ["minji@example.com"])
    assert "minji" in message.body
    address = link_in(str(message.body))
    form = client.get(address, follow=True)
    done = client.post(
        form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW}, follow=True, headers=EN
    )
    assert "Your password is changed" in done.content.decode()
    assert elsewhere.get("/me/memories/").status_code == 302
    assert Client().post("/accounts/login/", {"login": "minji", "password": PASSWORD}).status_code == 200
    assert Client().post("/accounts/login/", {"login": "minji", "password": NEW}).status_code == 302
    again = Client().get(address, follow=True, headers=EN).content.decode()
    assert "This link does not work" in again


def test_whether_an_address_is_known_is_not_told(client: Client, can_mail: User) -> None:
    pages = [
        client.post(ASK, {"email": email}, follow=True, headers=EN).content.decode()
        for email in ("minji@example.com", "nobody@example.com")
    ]
    assert "Look into your mail" in pages[0]
    assert re.sub(r'value="[^"]+"', "", pages[0]) == re.sub(r'value="[^"]+"', "", pages[1])
    assert [message.to for message in mail.outbox] == [["minji@example.com"]]


def test_an_address_for_resets_is_not_added_by_whoever_finds_a_browser_signed_in(
    client: Client, can_mail: User
) -> None:
    """Or they would own the login by the next reset."""
    client.force_login(can_mail)
    answer = client.post("/accounts/email/", {"email": "mallory@example.com", "action_add": ""})
    assert answer.status_code == 302
    assert "/accounts/reauthenticate/" in answer.headers["Location"]
