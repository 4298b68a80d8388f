"""When something goes wrong, a page says so and how to go on; it never poses as an empty list."""

from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from memoryapp import errors, problems
from memoryapp.errors import VaultUnavailable
from memoryapp.pages import docs, failures
from speakers.models import Person
from tests.conftest import PASSWORD, Runtime

EN = {"accept-language": "en"}


def test_a_broken_database_is_said_with_a_way_to_retry(at_minjis: Client) -> None:
    at_minjis.raise_request_exception = False
    with patch("memoryapp.pages.memories.browse.listing", side_effect=OperationalError):
        answer = at_minjis.get("/me/memories/?scope=personal")

    page = answer.content.decode()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "Our database cannot be reached at the moment." in page
    assert 'href="/me/memories/?scope=personal">Try again' in page
    assert "Nothing is remembered yet" not in page


def test_what_broke_of_ours_is_said_with_a_way_to_retry(at_minjis: Client) -> None:
    at_minjis.raise_request_exception = False
    with patch("memoryapp.pages.memories.browse.listing", side_effect=RuntimeError("secret")):
        answer = at_minjis.get("/me/memories/?scope=personal")

    page = answer.content.decode()
    assert answer.status_code == 500
    assert "Something went wrong on our side." in page
    assert 'href="/me/memories/?scope=personal">Try again' in page
    assert "secret" not in page


def test_the_page_of_a_breakdown_asks_no_database(db: None, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert failures.server_error(RequestFactory().get("/me/memories/")).status_code == 500


def test_a_missing_key_is_said_and_not_shown_as_no_memories(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", "커피를 좋아해요")
    with patch("memoryapp.pages.memories.box_of", side_effect=VaultUnavailable):
        answer = at_minjis.get("/me/memories/")

    assert answer.status_code == 503
    assert "The encryption key cannot be used at the moment." in answer.content.decode()


@pytest.mark.django_db
def test_unknown_addresses_are_answered_in_kind(client: Client) -> None:
    page = client.get("/nowhere/", headers=EN)
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "This page does not exist, or no longer." in page.content.decode()
    problem = client.get("/api/v1/nowhere")
    assert problem.headers["Content-Type"].startswith(problems.MEDIA_TYPE)


def test_an_expired_form_says_so(minji: Person) -> None:
    browser = Client(enforce_csrf_checks=True, headers=EN)
    answer = browser.post("/accounts/login/", {"login": "minji", "password": PASSWORD})

    assert answer.status_code == 403
    assert "This form has expired." in answer.content.decode()


def test_guessing_passwords_is_locked_out(client: Client, minji: Person, settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    settings.ACCOUNT_RATE_LIMITS = {}
    for _ in range(3):
        answer = client.post("/accounts/login/", {"login": "minji", "password": "guess"}, headers=EN)

    assert answer.status_code == 429
    assert "Too many failed sign-ins." in answer.content.decode()
    answer = client.post("/accounts/login/", {"login": "minji", "password": PASSWORD}, headers=EN)
    assert answer.status_code == 429


@pytest.mark.parametrize("name", ["minji", "MINJI", "minji@home.example", "Minji@Home.Example"])
def test_a_locked_login_is_locked_by_every_name_it_has(
    client: Client, minji: Person, jiho: Person, settings: Any, name: str
) -> None:
    settings.AXES_FAILURE_LIMIT = 4
    settings.ACCOUNT_RATE_LIMITS = {}
    minji.login.email = "minji@home.example"
    minji.login.save()

    def sign_in(name: str, password: str) -> int:
        return int(client.post("/accounts/login/", {"login": name, "password": password}).status_code)

    for tried in ("minji", "Minji", "minji@home.example", "MINJI@HOME.EXAMPLE"):
        sign_in(tried, "guess")
    assert sign_in(name, PASSWORD) == 429
    assert sign_in("jiho", PASSWORD) == 302


def test_every_code_of_the_api_has_its_place_in_the_docs(client: Client, db: None) -> None:
    page = client.get("/docs/").content.decode()
    codes = {one.code for one in vars(errors).values() if isinstance(one, type) and hasattr(one, "code")}

    assert codes | {"internal"} == {code.code for code in docs.CODES}
    for code in codes:
        assert f'id="{code}"' in page


def test_every_refusal_has_words_for_people() -> None:
    for one in vars(errors).values():
        if isinstance(one, type) and issubclass(one, errors.Problem):
            assert one.code in {*failures.WORDS, "unauthenticated"}


def test_pages_of_a_person_are_never_kept_by_a_cache(at_minjis: Client) -> None:
    for path in ("/me/memories/", "/me/consent/", "/me/export/memory-export.ndjson", "/me/settings/"):
        assert "no-store" in at_minjis.get(path).headers["Cache-Control"]


def test_signing_out_ends_the_session(at_minjis: Client) -> None:
    at_minjis.post("/accounts/logout/")
    assert at_minjis.get("/me/memories/").status_code == 302


def test_nothing_changes_by_a_get(assistant: Runtime, minji: Person, at_minjis: Client) -> None:
    memory_id = assistant.save("minji", "커피를 좋아해요").json()["memory"]["memory_id"]
    for path in (
        "/me/memories/delete/",
        f"/me/memories/{memory_id}/approve/",
        f"/me/memories/{memory_id}/decline/",
        f"/me/memories/{memory_id}/reveal/",
        "/me/consent/long_term_memory/",
        "/language/",
    ):
        assert at_minjis.get(path).status_code == 405


def test_the_gallery_has_a_picture_of_every_page(client: Client) -> None:
    from django.contrib.staticfiles import finders

    for language in ("ko", "en"):
        page = client.get("/docs/pages/", headers={"accept-language": language}).content.decode()
        assert page.count("<img src=") == len(docs.PICTURES) + 1  # and the mark
        for name, _title in docs.PICTURES:
            assert finders.find(f"img/pages/{language}/{name}.jpg"), name
