"""Deleting is real: out of index and snapshots at once, and of an erased person nothing is left."""

import hashlib
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date, time
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import OperationalError, connection, connections
from django.test import Client
from psycopg import errors

from consent import ledger
from consent.domains import Domain
from memoryapp import costs, erase, gate
from memoryapp.models import (
    ChatService,
    CostEntry,
    Erasure,
    IdempotentAnswer,
    IndexEntry,
    Memory,
    PersonKey,
    ServiceMember,
    Vector,
    Workflow,
)
from memoryapp.permit import Act
from speakers.models import Person, User
from tests.a2a.conftest import link
from tests.a2a.test_context import heard
from tests.conftest import PASSWORD
from tests.memoryapp.test_vault import dump

__all__ = ["link"]  # a fixture


def test_a_deleted_memory_has_no_index_rows(minji, assistant):
    memory_id = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    assert IndexEntry.objects.count() == Vector.objects.count() == 1
    assistant.delete(f"memories/{memory_id}?user_id=minji")
    assert IndexEntry.objects.count() == Vector.objects.count() == 0


def test_deleting_several_is_all_or_none(minji, jiho, assistant):
    mine = [assistant.save("minji", fact).json()["memory"]["memory_id"] for fact in ("하나예요", "둘이에요")]
    foreign = assistant.save("jiho", "셋이에요").json()["memory"]["memory_id"]
    answer = assistant.post("memories/delete", {"user_id": "minji", "ids": [*mine, foreign]})
    assert answer.status_code == 404
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 3
    answer = assistant.post("memories/delete", {"user_id": "minji", "ids": mine})
    assert answer.json() == {"deleted": 2, "ids": mine}


def test_index_rows_that_were_already_gone_are_told_as_a_warning(minji, assistant):
    memory_id = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    Vector.objects.all().delete()
    IndexEntry.objects.all().delete()
    answer = assistant.delete(f"memories/{memory_id}?user_id=minji").json()
    assert answer["warnings"] == [{"memory_id": memory_id, "code": "index-gone"}]


def test_a_correction_whose_index_is_gone_removes_the_memory_with_a_warning(minji, assistant):
    memory_id = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    IndexEntry.objects.all().delete()
    answer = assistant.patch(
        f"memories/{memory_id}", {"user_id": "minji", "statement": "저는 대구에서 살아요"}
    )
    assert answer.json()["warnings"] == ["index-gone"]
    assert assistant.get(f"memories/{memory_id}", user_id="minji").status_code == 404


def test_of_an_erased_person_nothing_is_left_but_the_proof(minji, jiho, assistant, work):
    assistant.report("minji", "제 프로젝트 이름은 zebra-7731 이에요")
    work()
    assistant.save("minji", "별명은 zebra-7731 입니다", scope="service")
    assistant.save("minji", "별명은 zebra-7731 입니다", project_id="apollo")
    assistant.recall("minji", "별명", execution_id="e1")
    assistant.save("jiho", "저는 부산에서 살아요")
    answer = assistant.delete("users/minji")
    certificate = answer.json()
    assert answer.status_code == 200
    assert certificate["key_destroyed"] is True
    assert certificate["counts"]["memory"] >= 2
    assert certificate["counts"]["turn"] == 1
    assert not Person.objects.filter(user_id="minji").exists()
    assert PersonKey.objects.count() == 1
    assert "zebra" not in dump()
    assert "minji" not in json.dumps(list(Erasure.objects.values()), default=str)
    assert assistant.recall("minji", "별명")["reason"] == "no-consent"
    assert assistant.delete("users/minji").status_code == 404
    assert assistant.facts("jiho", "부산") == ["저는 부산에서 살아요"]


def test_a_certificate_counts_every_row_that_went(minji, homebot, link, work):
    """The tables are counted before and after: what is gone from any is in the certificate."""
    link(minji, "dad")
    homebot.report("minji", "저는 판교에서 백엔드 개발자로 일해요")
    work()
    saved = homebot.save("minji", "저는 채식주의자예요").json()["memory"]
    homebot.patch(f"memories/{saved['memory_id']}", {"user_id": "minji", "statement": "저는 비건이에요"})
    homebot.recall("minji", "어디서 일해?")
    homebot.post("workflows", {"workflow_id": "wf", "speaker": heard("dad")}, **KEYED)

    def rows():
        return Counter(
            {model._meta.model_name: model._default_manager.count() for model in apps.get_models()}
        )

    before = rows()
    told = homebot.delete("users/minji").json()["counts"]
    gone = before - rows()
    assert {"memoryhistory", "identity", "identitylink", "identitylinkchange", "user"} <= set(gone)
    assert told == gone


def test_what_was_spent_stays_spent_and_names_nobody(minji, assistant, homebot):
    for service in (assistant.service, homebot.service):
        for tokens in (700, 300):
            CostEntry.objects.create(
                service=service, person=minji, stage="extraction", bearer="system", tokens_in=tokens
            )
    ChatService.objects.filter(pk=homebot.service.pk).update(zone="America/New_York")
    CostEntry.objects.create(person=minji, stage="embedding", bearer="system")
    spent = costs.spent_this_month(assistant.service)
    mine = ChatService.objects.filter(pk=assistant.service.pk)
    days = list(costs.by_day(mine, date(2000, 1, 1)))
    assistant.delete("users/minji")
    assert costs.spent_this_month(assistant.service) == spent == 1000
    assert list(costs.by_day(mine, date(2000, 1, 1))) == days
    assert CostEntry.objects.count() == 5
    for row in CostEntry.objects.select_related("service"):
        local = row.at.astimezone(ZoneInfo(row.service.zone if row.service else "Asia/Seoul"))
        assert (row.person_id, local.time()) == (None, time())


def signed_in(person):
    browser = Client(headers={"accept-language": "en"})
    answer = browser.post("/accounts/login/", {"login": person.user_id, "password": PASSWORD})
    assert answer.status_code == 302
    return browser


def test_the_login_goes_too_with_all_that_hangs_on_it(minji, jiho, assistant):
    login = minji.login
    User.objects.filter(pk=login.pk).update(email="minji@zebra-7731.kr", first_name="zebra-7731")
    EmailAddress.objects.create(user=login, email="min@zebra-7731.kr")
    LogEntry.objects.log_actions(jiho.login.pk, [login], 1, "made", single_object=True)
    browser, his = signed_in(minji), signed_in(jiho)
    for name in ("minji", "MIN@zebra-7731.kr"):
        Client().post("/accounts/login/", {"login": name, "password": "wrong"})
    Authenticator.objects.create(user=login, type="totp", data={"secret": "zebra-7731"})
    assert AccessAttempt.objects.exists()
    counts = assistant.delete("users/minji").json()["counts"]
    assert {"user", "emailaddress", "authenticator", "accesslog", "session"} <= set(counts)
    assert "zebra" not in dump()
    assert "minji" not in dump().lower()
    assert browser.get("/me/memories/").status_code == 302
    assert his.get("/me/memories/").status_code == 200


@pytest.mark.parametrize("role", ["member", "staff", "root"])
def test_a_login_with_another_role_stays(minji, assistant, role):
    if role == "member":
        ServiceMember.objects.create(service=assistant.service, user=minji.login)
    else:
        User.objects.filter(username="minji").update(is_staff=role == "staff", is_superuser=role == "root")
    assert "user" not in assistant.delete("users/minji").json()["counts"]
    assert User.objects.filter(username="minji").exists()


def test_a_login_that_was_never_used_goes_too_but_never_somebody_elses(minji, jiho, assistant):
    for user_id, login in (("sora", None), ("haneul", jiho)):
        assistant.post("persons", {"user_id": user_id})
        made = User.objects.create_user(user_id)
        if login is not None:
            Person.objects.filter(pk=jiho.pk).update(login=made)
        assert assistant.delete(f"users/{user_id}").status_code == 200
    assert not User.objects.filter(username="sora").exists()
    assert User.objects.filter(username="haneul").exists()


def test_accounts_at_a_provider_that_was_switched_off_do_not_hold_a_login(minji, assistant):
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE socialaccount_socialaccount (id int, user_id int REFERENCES speakers_user)"
        )
        cursor.execute("CREATE TABLE socialaccount_socialtoken (id int, account_id int)")
        cursor.execute("INSERT INTO socialaccount_socialaccount VALUES (1, %s)", [minji.login.pk])
        cursor.execute("INSERT INTO socialaccount_socialtoken VALUES (1, 1)")
    assert assistant.delete("users/minji").json()["counts"]["socialaccount"] == 2
    assert not User.objects.filter(username="minji").exists()


KEYED = {"Idempotency-Key": "k1"}


def sealed() -> bytes:
    return bytes(IdempotentAnswer.objects.get().content or b"")


def attach(runtime, person, **headers):
    body = {"kind": "voice", "provider": "ears", "external_id": "zebra-7731"}
    return runtime.post(f"persons/{person.public_id}/identities", body, **headers)


def link_it(runtime, person):
    identity_id = attach(runtime, person).json()["identity_id"]
    body = {"state": "linked", "evidence": {"note": "zebra-7731 said so"}}
    return runtime.patch(f"identities/{identity_id}", body, **KEYED)


def take_in(runtime, person):
    body = {"speaker_id": "zebra-7731", "display_name": "zebra-7731", "sessions": []}
    return runtime.post("speakers/history", body, **KEYED)


def start(runtime, person):
    body = {"workflow_id": "wf", "speaker": heard("zebra-7731")}
    return runtime.post("workflows", body, **KEYED)


@pytest.mark.parametrize("linked", [True, False], ids=["theirs", "theirs later"])
@pytest.mark.parametrize("ask", [take_in, start])
def test_an_answer_about_a_voice_goes_with_whose_it_was(minji, homebot, link, ask, linked):
    if linked:
        link(minji, "zebra-7731")
    first = ask(homebot, minji)
    assert ask(homebot, minji).json() == first.json()
    assert b"zebra" not in sealed()
    link(minji, "zebra-7731")
    assert homebot.delete("users/minji").status_code == 200
    assert not IdempotentAnswer.objects.exists()
    assert not Workflow.objects.exists()


@pytest.mark.parametrize("ask", [lambda *args: attach(*args, **KEYED), link_it], ids=["attach", "link"])
def test_an_answer_about_an_identity_is_sealed_and_goes_with_its_person(minji, homebot, ask):
    assert ask(homebot, minji).json()["external_id"] == "zebra-7731"
    assert IdempotentAnswer.objects.get().person == minji
    assert b"zebra" not in sealed()
    homebot.delete("users/minji")
    assert not IdempotentAnswer.objects.exists()


def test_a_request_cannot_be_guessed_from_its_hash(minji, assistant):
    raw = json.dumps({"user_id": "minji", "fact": "저는 부산에서 살아요"}).encode()
    assistant.http.post(
        "/api/v1/memories",
        data=raw,
        content_type="application/json",
        headers={"Authorization": f"Bearer {assistant.secret}", **KEYED},
    )
    guess = hashlib.sha256(b"POST /api/v1/memories \n" + raw).hexdigest()
    assert len(guess) == len(IdempotentAnswer.objects.get().request_sha256)
    assert guess != IdempotentAnswer.objects.get().request_sha256


def test_an_answer_of_the_release_before_is_still_given_again(homebot):
    raw = json.dumps({"workflow_id": "wf", "speaker": heard("dad")}).encode()
    IdempotentAnswer.objects.create(
        service=homebot.service,
        key="k1",
        request_sha256=hashlib.sha256(b"POST /api/v1/workflows \n" + raw).hexdigest(),
        status=201,
        content=b'{"workflow_id": "wf"}',
    )
    answer = homebot.http.post(
        "/api/v1/workflows",
        data=raw,
        content_type="application/json",
        headers={"Authorization": f"Bearer {homebot.secret}", **KEYED},
    )
    assert (answer.status_code, answer.json()) == (201, {"workflow_id": "wf"})


def test_somebody_erased_and_known_again_starts_with_nothing(minji, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    erase.erase(gate.own(minji, Act.ERASE))
    assistant.post("persons", {"user_id": "minji"})
    assert assistant.save("minji", "사실").status_code == 403
    assistant.put("consents/long_term_memory", {"user_id": "minji", "granted": True})
    assert assistant.facts("minji", "부산") == []


def test_every_table_that_points_at_a_person_goes_with_them(minji):
    """A new table cannot be forgotten: its foreign key must cascade or set null on purpose."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name IN ('person_id', 'owner_id')"
        )
        tables = {name for (name,) in cursor.fetchall()}
    assert {"memoryapp_memory", "memoryapp_turn", "consent_consentevent"} <= tables
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page")
    person_pk = minji.pk
    erase.erase(gate.own(minji, Act.ERASE))
    with connection.cursor() as cursor:
        for table in tables:
            column = "owner_id" if table in ("memoryapp_vector", "memoryapp_indexentry") else "person_id"
            cursor.execute(f'SELECT count(*) FROM "{table}" WHERE {column} = %s::bigint', [person_pk])  # noqa: S608
            assert cursor.fetchone() == (0,), table


def test_an_export_is_complete(minji, assistant, work):
    assistant.report("minji", "저는 판교에서 백엔드 개발자로 일해요")
    work()
    saved = assistant.save("minji", "저는 채식주의자예요", valid_to="2020-01-01T00:00:00Z").json()["memory"]
    assistant.patch(f"memories/{saved['memory_id']}", {"user_id": "minji", "statement": "저는 비건이에요"})
    assistant.recall("minji", "어디서 일해?")
    answer = assistant.get("export", user_id="minji")
    assert answer["Content-Type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    counts: dict[str, int] = {}
    for line in lines:
        counts[line["kind"]] = counts.get(line["kind"], 0) + 1
    assert counts["memory"] == minji.memories.count() == 2
    assert counts["history"] == 3
    assert counts["turn"] == counts["consent"] == counts["activity"] == 1
    assert any(line.get("user_text", "").startswith("저는 판교") for line in lines)


@pytest.mark.django_db(transaction=True)
def test_who_is_in_use_is_erased_all_the_same(assistant, make_person):
    """What is noted about somebody at that moment holds no lock of theirs: costs, uses, devices."""
    for number in range(4):
        name = f"minji{number}"
        make_person(name)
        assistant.save(name, "저는 부산에서 살아요")

        def use(turn: int, name: str = name) -> int:
            try:
                if turn == 6:
                    return assistant.delete(f"users/{name}").status_code
                if turn % 3 == 0:
                    return assistant.post("recall", {"user_id": name, "query": "부산"}).status_code
                if turn % 3 == 1:
                    return assistant.get("sync", user_id=name, device_id=f"d{turn}").status_code
                return assistant.report(name, "네", turn_id=f"t{turn}").status_code
            finally:
                connections.close_all()

        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(use, range(14)))
        assert statuses[6] == 200, statuses
        assert not Person.objects.filter(user_id=name).exists()
        assert max(statuses) < 500, statuses


@pytest.mark.django_db(transaction=True)
def test_erased_once_by_many_at_once(assistant, minji):
    def erase_her(_: int) -> int:
        try:
            return assistant.delete("users/minji").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(erase_her, range(6))) == [200] + [404] * 5


@pytest.mark.parametrize(
    ("kind", "tries"),
    [
        (errors.DeadlockDetected, 2),
        (errors.SerializationFailure, 2),
        (errors.AdminShutdown, 1),
        (errors.DiskFull, 1),
    ],
)
def test_only_who_lost_to_another_writer_is_tried_again(minji, monkeypatch, kind, tries):
    really, tried = erase._erase, []

    def fails_once(permit):
        tried.append(permit)
        if len(tried) > 1:
            return really(permit)
        try:
            raise kind
        except errors.Error as cause:
            raise OperationalError from cause

    monkeypatch.setattr(erase, "_erase", fails_once)
    if tries == 1:
        with pytest.raises(OperationalError):
            erase.erase(gate.own(minji, Act.ERASE))
    else:
        erase.erase(gate.own(minji, Act.ERASE))
    assert len(tried) == tries
    assert Person.objects.filter(pk=minji.pk).exists() is (tries == 1)
