"""Whose voice it is: people, identities, links and their legal moves."""

import threading

import pytest
from django.db import connection

from consent import ledger
from consent.domains import Domain
from memoryapp import links
from memoryapp.errors import Conflict, NotFound
from speakers import identity
from speakers.models import IdentityLink, LinkState
from tests.conftest import withdraw

DAD = {"kind": "voice", "external_id": "user_001"}


def heard(speaker_id="user_001", **fields):
    return {"speaker_id": speaker_id, "speaker_state": "identified", "speaker_confidence": 0.72, **fields}


@pytest.fixture
def minji_id(minji):
    return str(minji.public_id)


@pytest.fixture
def attach(homebot, minji_id):
    def make(person_id=None, **fields):
        return homebot.post(f"persons/{person_id or minji_id}/identities", {**DAD, **fields})

    return make


def move(homebot, identity_id, state, **fields):
    return homebot.patch(f"identities/{identity_id}", {"state": state, **fields})


def test_a_person_is_told_with_their_identities(homebot, minji, minji_id, attach):
    made = attach()
    assert made.status_code == 201
    assert made.json()["state"] == "unlinked"
    assert attach().status_code == 200
    attach(kind="face", external_id="face-1", provider="camera")
    told = homebot.get(f"persons/{minji_id}").json()
    assert (told["person_id"], told["user_id"]) == (minji_id, "minji")
    assert [(item["kind"], item["external_id"]) for item in told["identities"]] == [
        ("voice", "user_001"),
        ("face", "face-1"),
    ]


@pytest.mark.parametrize("person_id", ["7e57d004-2b97-4e7a-b45f-5387367791cd", "minji", "1"])
def test_an_unknown_person_is_not_found(homebot, person_id):
    assert homebot.get(f"persons/{person_id}").status_code == 404
    assert homebot.post(f"persons/{person_id}/identities", DAD).status_code == 404


def test_only_a_linked_voice_reaches_its_person(homebot, minji_id, attach):
    identity_id = attach().json()["identity_id"]
    for state, allowed in (("candidate", False), ("linked", True), ("verified", True), ("revoked", False)):
        moved = move(homebot, identity_id, state, evidence={"by": "wizard"})
        assert (moved.status_code, moved.json()["state"]) == (200, state)
        scope = homebot.post("speakers/resolve", {"speaker": heard()}).json()
        assert scope["personalization_allowed"] is allowed
        assert scope["person_id"] == (minji_id if allowed else None)
        assert scope["identity_link_state"] == state
    assert scope["notice"] == "개인 기록은 확인할 수 없습니다."
    link = IdentityLink.objects.get()
    assert [(step.from_state, step.to_state, step.actor) for step in link.changes.all()] == [
        ("unlinked", "candidate", "service:homebot"),
        ("candidate", "linked", "service:homebot"),
        ("linked", "verified", "service:homebot"),
        ("verified", "revoked", "service:homebot"),
    ]
    assert link.changes.latest("pk").evidence == {"by": "wizard"}


@pytest.mark.parametrize("state", ["linked", "verified", "unlinked"])
def test_a_revoked_link_has_to_be_suggested_again(homebot, attach, state):
    identity_id = attach().json()["identity_id"]
    move(homebot, identity_id, "revoked")
    refused = move(homebot, identity_id, state)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert move(homebot, identity_id, "candidate").status_code == 200


def test_an_unknown_state_or_identity_is_refused(homebot, attach):
    assert move(homebot, attach().json()["identity_id"], "married").status_code == 400
    assert move(homebot, "7e57d004-2b97-4e7a-b45f-5387367791cd", "linked").status_code == 404
    assert move(homebot, "x", "linked").status_code == 404


def test_a_voice_is_one_persons_at_a_time_and_a_person_has_many_voices(homebot, attach, jiho):
    first = attach().json()["identity_id"]
    second = attach(person_id=jiho.public_id).json()["identity_id"]
    third = attach(external_id="user_002").json()["identity_id"]
    assert move(homebot, first, "linked").status_code == 200
    assert move(homebot, second, "linked").status_code == 409
    assert move(homebot, third, "linked").status_code == 200
    move(homebot, first, "revoked")
    assert move(homebot, second, "linked").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_two_people_cannot_be_linked_to_one_voice_at_the_same_moment(minji, jiho):
    made = [identity.attach(person, kind="voice", external_id="v")[0] for person in (minji, jiho)]
    outcomes, start = [], threading.Barrier(2)

    def race(link):
        start.wait()
        try:
            links.change(link.pk, LinkState.LINKED, actor="test", evidence={})
            outcomes.append("linked")
        except Conflict:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=race, args=(link,)) for link in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["linked", "refused"]


def test_minji_confirms_and_rejects_her_own_links_only(minji, jiho):
    link, _ = identity.attach(minji, kind="voice", external_id="v")
    with pytest.raises(NotFound):
        links.confirm(jiho, link.pk)
    assert links.confirm(minji, link.pk).state == "verified"
    assert links.reject(minji, link.pk).state == "revoked"
    assert [step.actor for step in links.mine(minji)[0].changes.all()] == ["person", "person"]


def test_a_key_needs_the_permission(homebot, minji_id, attach):
    identity_id = attach().json()["identity_id"]
    homebot.service.keys.update(permissions=["turns", "recall", "manage"])
    assert homebot.get(f"persons/{minji_id}").status_code == 403
    assert move(homebot, identity_id, "linked").status_code == 403
    assert homebot.post("speakers/resolve", {"speaker": heard()}).status_code == 403


@pytest.mark.parametrize(
    "changed",
    [{"speaker_confidence": 0.3}, {"overlap": True}, {"multi_speaker": True}, {"speaker_state": "ambiguous"}],
)
def test_recall_and_turns_ask_the_same_gate(homebot, minji, link, changed):
    link(minji, "user_001")
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    speaker = heard(**changed)
    assert homebot.recall("minji", "내 방", speaker=speaker)["reason"] == "speaker-not-allowed"
    assert homebot.report("minji", "안방 청정해줘", speaker=speaker).json()["reason"] == "speaker-not-allowed"
    assert minji.turns.count() == 0


def test_the_same_voice_name_at_two_makers_pointing_at_two_people_is_nobodys(minji, jiho, homebot):
    for person, provider in ((minji, "a"), (jiho, "b")):
        link, _ = identity.attach(person, kind="voice", external_id="user_001", provider=provider)
        identity.move(link, "linked", actor="test")
    assert homebot.post("speakers/resolve", {"speaker": heard()}).json()["person_id"] is None


def test_domain_data_needs_its_own_consent_besides_a_certain_linked_voice(minji, homebot, link):
    link(minji, "user_001")

    def allowed(domain, **speaker):
        body = {"speaker": heard(**speaker), "domain": domain}
        return homebot.post("speakers/resolve", body).json()["domain_allowed"]

    assert allowed("long_term_memory") is True
    assert allowed("vital") is allowed("external_account") is allowed("profile") is False
    ledger.decide(minji, Domain.VITAL, True, actor="person", source="my-page")
    assert allowed("vital") is True
    assert allowed("external_account") is False
    for changed in ({"overlap": True}, {"speaker_confidence": 0.1}, {"speaker_id": "else"}):
        assert allowed("vital", **changed) is False
    withdraw(minji)
    assert allowed("vital") is False
