"""Consent: off until somebody says yes, recorded for good, and never wider than what was said."""

from datetime import timedelta

import pytest
from django.utils import timezone

from consent import ledger, notices
from consent.domains import MASTER, Domain
from consent.models import ConsentEvent, Notice
from memoryapp import gate
from memoryapp.errors import NoConsent
from memoryapp.permit import Act
from speakers.locks import lock_person


def decide(person, domain, granted, **more):
    return ledger.decide(person, domain, granted, actor="person", source="my-page", **more)


def receipts(person, domain=MASTER):
    events = ConsentEvent.objects.filter(person=person, domain=domain).select_related("person")
    return [ledger.receipt(event) for event in events]


def test_everything_is_off_by_default(make_person):
    minji = make_person("minji", consents=())
    assert not any(standing.granted for standing in ledger.standings(minji))


def test_nothing_is_allowed_while_the_master_is_off(make_person):
    minji = make_person("minji", consents=(Domain.PROFILE, Domain.SERVICE_MEMORY))
    assert not any(ledger.standings(minji).allows(domain) for domain in Domain)


def test_memory_inside_a_service_follows_the_master_until_decided_on(minji):
    assert ledger.standings(minji).allows(Domain.SERVICE_MEMORY)
    decide(minji, Domain.SERVICE_MEMORY, False)
    assert not ledger.standings(minji).allows(Domain.SERVICE_MEMORY)
    assert ledger.standings(minji).allows(MASTER)


def test_without_service_memory_only_personal_memories_are_kept_and_used(minji, assistant):
    assistant.save("minji", "회의록은 표로 정리한다", scope="service")
    assistant.save("minji", "저는 부산에서 살아요")
    decide(minji, Domain.SERVICE_MEMORY, False)
    assert assistant.save("minji", "새 규칙이에요", scope="service").json()["code"] == "consent-required"
    assert assistant.facts("minji", "회의록 표 정리") != ["회의록은 표로 정리한다"]
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]


def test_one_service_can_be_shut_out_and_the_others_go_on(minji, assistant, homebot):
    assistant.save("minji", "저는 부산에서 살아요")
    decide(minji, MASTER, False, service="homebot")
    assert homebot.recall("minji", "부산")["reason"] == "no-consent"
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]


def test_a_yes_for_one_service_opens_no_other(make_person, assistant, homebot):
    minji = make_person("minji", consents=())
    decide(minji, MASTER, True, service="assistant")
    assert homebot.recall("minji", "무엇")["reason"] == "no-consent"
    assert assistant.recall("minji", "무엇")["reason"] == "no-consent"


def test_time_boxed_consent_ends_by_itself(make_person, assistant):
    minji = make_person("minji", consents=())
    decide(minji, MASTER, True, expires_at=timezone.now() + timedelta(seconds=60))
    assert gate.admit(assistant.caller, "minji", Act.SAVE)
    minji.consents.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NoConsent):
        gate.admit(assistant.caller, "minji", Act.SAVE)
    assert ledger.expire() == 1
    assert receipts(minji)[-1]["actor"] == "system"
    assert ledger.expire() == 0


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen between a sweep's reading of what has run out and its lock of the person."""

    def let(happen):
        lock = lock_person

        def waited(person):
            monkeypatch.setattr(ledger, "lock_person", lock)
            happen()
            lock(person)

        monkeypatch.setattr(ledger, "lock_person", waited)

    return let


@pytest.mark.parametrize("days", [None, 30])
def test_consent_renewed_while_a_sweep_looks_is_not_withdrawn(minji, meanwhile, days):
    minji.consents.update(expires_at=timezone.now() - timedelta(seconds=1))
    until = timezone.now() + timedelta(days=days) if days else None
    meanwhile(lambda: decide(minji, MASTER, True, expires_at=until))
    assert ledger.expire() == 0
    assert ledger.standings(minji).by_domain[MASTER].granted
    assert [item["granted"] for item in receipts(minji)] == [True, True]


def test_two_sweeps_at_once_leave_one_receipt(minji, meanwhile):
    minji.consents.update(expires_at=timezone.now() - timedelta(seconds=1))
    meanwhile(ledger.expire)
    assert ledger.expire() == 0
    assert [item["source"] for item in receipts(minji)] == ["my-page", "expiry"]


def test_a_material_change_of_the_notice_asks_again(minji):
    texts = {"ko": "새 안내", "en": "New notice"}
    Notice.objects.create(domain=MASTER, version=2, texts=texts, sha256=notices.fingerprint(texts))
    standing = ledger.standings(minji).by_domain[MASTER]
    assert (standing.granted, standing.renew) == (False, True)
    decide(minji, MASTER, True)
    assert ledger.standings(minji).by_domain[MASTER].granted


def test_an_editorial_change_does_not(minji):
    texts = {"ko": "오타를 고친 안내", "en": "Typo mended"}
    Notice.objects.create(
        domain=MASTER, version=2, texts=texts, sha256=notices.fingerprint(texts), material=False
    )
    assert ledger.standings(minji).by_domain[MASTER].granted


def test_receipts_are_chained_and_verifiable_without_a_database(minji):
    decide(minji, MASTER, False)
    decide(minji, MASTER, True, evidence={"screen": "onboarding-3"})
    chain = receipts(minji)
    assert [item["granted"] for item in chain] == [True, False, True]
    assert ledger.verify(chain) == []
    assert chain[0]["notice_sha256"] == notices.fingerprint(notices.latest(MASTER).texts)


@pytest.mark.parametrize("tamper", ["altered", "removed", "reordered"])
def test_a_tampered_chain_is_seen(minji, tamper):
    decide(minji, MASTER, False)
    decide(minji, MASTER, True)
    chain = receipts(minji)
    if tamper == "altered":
        chain[1] = {**chain[1], "granted": True}
    elif tamper == "removed":
        del chain[1]
    else:
        chain.reverse()
    assert ledger.verify(chain) != []


def test_the_api_records_where_a_decision_was_made(make_person, assistant):
    make_person("minji", consents=())
    answer = assistant.put(
        "consents/long_term_memory", {"user_id": "minji", "granted": True, "evidence": {"dialog": "v3"}}
    ).json()
    assert (answer["granted"], answer["source"]) == (True, "api:assistant")
    [receipt] = assistant.get("consents/long_term_memory/receipts", user_id="minji").json()["items"]
    assert receipt["receipt_id"] == answer["receipt_id"]
    assert (receipt["actor"], receipt["evidence"]) == ("service:assistant", {"dialog": "v3"})


@pytest.mark.parametrize("body", [{"granted": "yes"}, {"granted": 1}, {}, {"granted": None}])
def test_a_decision_is_true_or_false(minji, assistant, body):
    assert assistant.put("consents/profile", {"user_id": "minji", **body}).status_code == 400


def test_consent_that_has_already_run_out_is_no_consent(minji, assistant):
    past = (timezone.now() - timedelta(days=1)).isoformat()
    answer = assistant.put("consents/profile", {"user_id": "minji", "granted": True, "expires_at": past})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["expires_at"])


def test_an_unknown_domain_does_not_exist(minji, assistant):
    assert assistant.put("consents/everything", {"user_id": "minji", "granted": True}).status_code == 404


def publish_second(domain=MASTER, **more):
    texts = {"ko": "새 안내", "en": "New notice"}
    Notice.objects.create(domain=domain, version=2, texts=texts, sha256=notices.fingerprint(texts), **more)


def test_a_service_cannot_record_a_yes_to_a_text_that_was_replaced(make_person, assistant):
    minji = make_person("minji", consents=())
    publish_second()
    body = {"user_id": "minji", "granted": True, "notice_version": 1}
    stale = assistant.put("consents/long_term_memory", body)
    assert (stale.status_code, stale.json()["code"]) == (409, "conflict")
    assert not minji.consent_events.exists()
    assert assistant.put("consents/long_term_memory", {**body, "notice_version": 2}).status_code == 200
    assert minji.consent_events.get().notice_version == 2


def test_a_withdrawal_holds_whatever_text_it_was_made_under(minji):
    publish_second(material=False)
    decide(minji, MASTER, False, notice_version=1)
    assert not ledger.standings(minji).by_domain[MASTER].granted
    assert receipts(minji)[-1]["notice_version"] == 1
    assert ledger.verify(receipts(minji)) == []


@pytest.mark.parametrize(
    ("names", "asked_again"),
    [
        (["profile.v2.editorial.ko.txt", "profile.v2.editorial.en.txt"], False),
        (["profile.v2.ko.txt", "profile.v2.en.txt"], True),
        (["profile.v2.editorial.ko.txt", "profile.v2.en.txt"], True),
    ],
)
def test_files_say_whether_a_new_text_has_to_be_agreed_to_again(
    minji, settings, tmp_path, names, asked_again
):
    decide(minji, Domain.PROFILE, True)
    for name in names:
        (tmp_path / name).write_text("고친 안내")
    settings.NOTICES_DIR = tmp_path
    notices.publish()
    assert notices.latest(Domain.PROFILE).version == 2
    assert ledger.standings(minji).by_domain[Domain.PROFILE].renew is asked_again
