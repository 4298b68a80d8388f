"""Minji decides, takes everything with her, and leaves."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.test import Client

from consent import ledger
from consent.domains import Domain
from consent.models import Notice
from consent.notices import fingerprint
from memoryapp.models import Memory, PersonKey, ServiceMember
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime

FACT = "저는 판교에서 백엔드 개발자로 일해요"


def test_everything_is_off_until_it_is_switched_on(
    make_person: Any, signed_in: Any, assistant: Runtime
) -> None:
    make_person("sora", consents=())
    browser = signed_in("sora")

    page = browser.get("/me/consent/").content.decode()
    assert 'aria-checked="true"' not in page
    assert "When long-term memory is on" in page
    assert assistant.save("sora", FACT).status_code == 403

    browser.post("/me/consent/long_term_memory/", {"granted": "on"})
    assert assistant.save("sora", FACT).status_code == 201


def test_switching_off_holds_at_once_and_keeps_the_rows(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", FACT)

    answer = at_minjis.post("/me/consent/long_term_memory/", {"granted": "off"}, follow=True)

    assert "Long-term memory is off." in answer.content.decode()
    assert assistant.recall("minji", "어디서 일해?")["reason"] == "no-consent"
    assert FACT in at_minjis.get("/me/memories/").content.decode()


def test_the_receipts_can_be_checked_without_us(minji: Person, at_minjis: Client, tmp_path: Path) -> None:
    at_minjis.post("/me/consent/long_term_memory/", {"granted": "off"})
    at_minjis.post("/me/consent/long_term_memory/", {"granted": "on"})

    answer = at_minjis.get("/me/consent/long_term_memory/receipts.json")
    receipts = json.loads(answer.content)["receipts"]

    assert [receipt["granted"] for receipt in receipts] == [True, False, True]
    assert ledger.verify(receipts) == []
    assert answer.headers["Content-Disposition"].startswith("attachment")

    paper, keys = tmp_path / "receipts.json", tmp_path / "keys.json"
    paper.write_bytes(answer.content)
    keys.write_bytes(at_minjis.get("/.well-known/memoryapp-keys.json").content)
    said = StringIO()
    call_command("verify_receipts", str(paper), "--keys", str(keys), stdout=said)
    assert "Good: 3 receipts" in said.getvalue()


def test_a_yes_to_a_text_that_was_replaced_meanwhile_decides_nothing(
    minji: Person, at_minjis: Client
) -> None:
    page = at_minjis.get("/me/consent/").content.decode()
    assert 'name="notice" value="1"' in page
    texts = {"ko": "새 안내", "en": "The brand-new notice"}
    Notice.objects.create(domain="profile", version=2, texts=texts, sha256=fingerprint(texts))

    answer = at_minjis.post("/me/consent/profile/", {"granted": "on", "notice": "1"})

    page = answer.content.decode()
    assert answer.status_code == 409
    assert "has changed meanwhile" in page
    assert "The brand-new notice" in page
    assert not minji.consent_events.filter(domain="profile").exists()

    at_minjis.post("/me/consent/profile/", {"granted": "on", "notice": "2"})
    assert minji.consent_events.get(domain="profile").notice_version == 2


def test_consent_for_a_limited_time_shows_its_end(minji: Person, at_minjis: Client) -> None:
    form = {"granted": "on", "expires_at": "2099-12-31T09:00"}
    assert "until" in at_minjis.post("/me/consent/profile/", form, follow=True).content.decode()
    assert ledger.standings(minji).by_domain[Domain.PROFILE].expires_at is not None

    past = {"granted": "on", "expires_at": "2020-01-01T09:00"}
    answer = at_minjis.post("/me/consent/voice/", past, follow=True)
    assert "has to lie in the future" in answer.content.decode()
    assert not ledger.standings(minji).by_domain[Domain.VOICE].granted


def test_an_unknown_domain_is_not_found(at_minjis: Client) -> None:
    assert at_minjis.post("/me/consent/telepathy/", {"granted": "on"}).status_code == 404


def test_activity_names_the_service_and_what_it_was_given(
    assistant: Runtime, at_minjis: Client, at_jihos: Client
) -> None:
    assistant.save("minji", FACT)
    assistant.recall("minji", "어디서 일해?")

    page = at_minjis.get("/me/activity/").content.decode()
    assert "Assistant" in page
    assert FACT in page
    assert FACT not in at_jihos.get("/me/activity/").content.decode()


def test_the_export_holds_everything_of_hers_and_nothing_of_his(
    assistant: Runtime, at_minjis: Client, jiho: Person
) -> None:
    assistant.save("minji", FACT)
    assistant.save("jiho", "지호는 부산에 살아요")

    assert at_minjis.get("/me/export/").status_code == 200
    answer: Any = at_minjis.get("/me/export/memory-export.ndjson")
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert [line["statement"] for line in lines if line["kind"] == "memory"] == [FACT]
    assert {"memory", "history", "consent"} <= {line["kind"] for line in lines}


def test_deleting_everything_needs_the_password_and_gives_a_certificate(
    assistant: Runtime, minji: Person, at_minjis: Client
) -> None:
    assistant.save("minji", FACT)

    wrong = at_minjis.post("/me/erase/", {"password": "guess", "understood": "on"})
    assert wrong.status_code == 422
    assert "This is not your password." in wrong.content.decode()
    assert at_minjis.post("/me/erase/", {"password": PASSWORD}).status_code == 422
    assert PersonKey.objects.filter(person=minji).exists()

    answer = at_minjis.post("/me/erase/", {"password": PASSWORD, "understood": "on"}, follow=True)
    assert "Everything is deleted" in answer.content.decode()
    assert not PersonKey.objects.exists()
    assert not Memory.objects.exists()


def test_the_certificate_can_be_saved_and_checked_without_us(
    minji: Person, at_minjis: Client, at_jihos: Client, tmp_path: Path
) -> None:
    at_minjis.post("/me/erase/", {"password": PASSWORD, "understood": "on"})

    page = at_minjis.get("/me/erased/").content.decode()
    links = dict(re.findall(r'href="([^"]+)" download(?:="([^"]+)")?', page))
    assert set(links) == {"/me/erased/erasure-certificate.json", "/.well-known/memoryapp-keys.json"}
    paper, keys = tmp_path / "certificate.json", tmp_path / "keys.json"
    saved = at_minjis.get("/me/erased/erasure-certificate.json")
    assert saved.headers["Content-Disposition"].startswith("attachment")
    assert "no-store" in saved.headers["Cache-Control"]
    paper.write_bytes(saved.content)
    keys.write_bytes(at_minjis.get("/.well-known/memoryapp-keys.json").content)
    call_command("verify_certificate", str(paper), "--keys", str(keys))
    for path in ("/me/erased/", "/me/erased/erasure-certificate.json"):
        assert at_jihos.get(path).headers["Location"] == "/me/erase/"


def test_deleting_everything_signs_out_and_takes_the_login_along(minji: Person, at_minjis: Client) -> None:
    assert "Your login goes too" in at_minjis.get("/me/erase/").content.decode()

    answer = at_minjis.post("/me/erase/", {"password": PASSWORD, "understood": "on"}, follow=True)

    assert "Your login is gone too, and you are signed out." in answer.content.decode()
    assert at_minjis.get("/me/memories/").status_code == 302
    assert not User.objects.filter(username="minji").exists()
    assert not Person.objects.exists()


def test_an_administrator_is_told_that_the_login_stays(
    assistant: Runtime, minji: Person, at_minjis: Client
) -> None:
    ServiceMember.objects.create(service=assistant.service, user=minji.login)
    assert "Your login stays" in at_minjis.get("/me/erase/").content.decode()

    answer = at_minjis.post("/me/erase/", {"password": PASSWORD, "understood": "on"}, follow=True)

    assert "Your login stays" in answer.content.decode()
    assert at_minjis.get("/me/erased/erasure-certificate.json").status_code == 200
    assert at_minjis.get("/console/services/").status_code == 200
    assert not Person.objects.exists()


def test_after_deleting_everything_she_may_begin_anew_with_memory_off(
    minji: Person, at_minjis: Client, signed_in: Any
) -> None:
    at_minjis.post("/me/erase/", {"password": PASSWORD, "understood": "on"})
    User.objects.create_user("minji", password=PASSWORD)

    assert "Nothing is remembered yet." in signed_in("minji").get("/me/memories/").content.decode()
    anew = Person.objects.get(user_id="minji")
    assert anew.pk != minji.pk
    assert not ledger.standings(anew).allows(Domain.LONG_TERM_MEMORY)


def test_a_login_without_a_person_gets_one_of_its_own_name(db: None, signed_in: Any) -> None:
    User.objects.create_user("haneul", password=PASSWORD)

    signed_in("haneul").get("/me/memories/")

    assert Person.objects.get(user_id="haneul").login == User.objects.get(username="haneul")


def test_nobody_reaches_a_person_who_belongs_to_another_login(
    assistant: Runtime, minji: Person, signed_in: Any
) -> None:
    assistant.save("minji", FACT)
    User.objects.filter(username="minji").update(username="minji-old")
    User.objects.create_user("minji", password=PASSWORD)

    answer = signed_in("minji").get("/me/memories/")

    assert answer.status_code == 403
    assert FACT not in answer.content.decode()


def test_nobody_signs_up_under_a_name_of_their_choice(client: Client, minji: Person) -> None:
    form = {"username": "jiho", "password1": "a long enough phrase", "password2": "a long enough phrase"}
    answer = client.post("/accounts/signup/", form, headers={"accept-language": "en"})
    assert "No sign-up here" in answer.content.decode()
    assert not User.objects.filter(username="jiho").exists()
