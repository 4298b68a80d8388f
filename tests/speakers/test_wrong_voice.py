"""A voice that was somebody else's: what it taught leaves the memory it never belonged to."""

from datetime import UTC, datetime, timedelta

import pytest

from consent.domains import Domain
from memoryapp import compress, gate, links, remember, rollback, turns
from memoryapp.models import Memory, Rollback
from memoryapp.permit import Act
from memoryapp.rollback import Source
from tests.a2a.test_context import heard


@pytest.fixture
def minji(make_person):
    return make_person("minji", consents=(Domain.LONG_TERM_MEMORY, Domain.PROFILE))


@pytest.fixture
def voice(minji, link):
    return link(minji, "dad")


def say(runtime, work, text, turn_id, *, speaker_id=None, ago=0, session="s1"):
    at = (datetime.now(UTC) - timedelta(days=ago)).isoformat()
    fields = {"speaker": heard(speaker_id)} if speaker_id else {}
    answer = runtime.report("minji", text, turn_id=turn_id, session_id=session, occurred_at=at, **fields)
    assert answer.json()["stored"], answer.json()
    work()


def statements(runtime, user="minji", **filters):
    return [item["statement"] for item in runtime.get("memories", user_id=user, **filters).json()["items"]]


def test_what_a_wrong_voice_taught_leaves_minji_also_when_it_goes_to_another(
    minji, jiho, homebot, work, voice, link
):
    say(homebot, work, "저는 땅콩 알레르기가 있어요", "t1", speaker_id="dad", ago=2)
    say(homebot, work, "저는 판교에서 백엔드 개발자로 일해요", "t2")
    assert len(statements(homebot)) == 2
    assert homebot.patch(f"identities/{voice.pk}", {"state": "revoked"}).status_code == 200
    link(jiho, "dad")
    assert statements(homebot) == ["저는 판교에서 백엔드 개발자로 일해요"]
    assert "땅콩" not in str(homebot.recall("minji", "땅콩 알레르기"))
    assert "땅콩" not in b"".join(homebot.get("export", user_id="minji").streaming_content).decode()
    assert Memory.objects.filter(person=jiho).count() == 0


def test_what_the_wrong_voice_had_replaced_holds_again(minji, homebot, work, voice):
    say(homebot, work, "저는 부산에서 살아요", "t1", ago=5)
    say(homebot, work, "저는 서울에서 살아요", "t2", speaker_id="dad", ago=1)
    assert statements(homebot, validity="current") == ["저는 서울에서 살아요"]
    links.reject(minji, voice.pk)
    assert statements(homebot, validity="current") == ["저는 부산에서 살아요"]
    assert homebot.facts("minji", "어디 살아?") == ["저는 부산에서 살아요"]


def test_what_the_wrong_voice_had_ended_goes_on(minji, homebot, work, voice):
    say(homebot, work, "저는 매일 아침 수영을 해요", "t1", ago=5)
    before = statements(homebot, validity="current")
    say(homebot, work, "저 이제 수영 안 해요", "t2", speaker_id="dad", ago=1)
    after = statements(homebot, validity="current")
    links.reject(minji, voice.pk)
    assert statements(homebot, validity="current") == before
    assert before == ["저는 매일 아침 수영을 해요"]
    assert after != before


def test_evidence_of_other_voices_stays(minji, homebot, work, voice):
    for ago in (6, 5):
        say(homebot, work, "안방 청정해줘", f"t{ago}", ago=ago)
    say(homebot, work, "안방 청정해줘", "t4", speaker_id="dad", ago=4)
    [item] = homebot.get("memories", user_id="minji", status="confirmed").json()["items"]
    links.reject(minji, voice.pk)
    [left] = homebot.get("memories", user_id="minji").json()["items"]
    assert left["memory_id"] == item["memory_id"]
    assert left["status"] == "candidate"
    assert left["confidence"] < item["confidence"]
    assert len(left["sources"]["pair_ids"]) == len(left["sources"]["candidate_ids"]) == 2


def test_what_minji_vouched_for_herself_stays(minji, homebot, work, voice):
    say(homebot, work, "저는 땅콩 알레르기가 있어요", "t1", speaker_id="dad")
    memory = minji.memories.get()
    from memoryapp.correct import correct

    correct(gate.own(minji, Act.CORRECT), memory.pk, {"statement": "저는 땅콩 알레르기가 심해요"}, None)
    links.reject(minji, voice.pk)
    assert statements(homebot) == ["저는 땅콩 알레르기가 심해요"]


def test_a_turn_being_read_when_the_voice_is_unlinked_teaches_nothing(minji, homebot, voice, monkeypatch):
    homebot.report("minji", "저는 땅콩 알레르기가 있어요", turn_id="t1", speaker=heard("dad"))
    real = remember.remember

    def meanwhile(permit, items):
        links.reject(minji, voice.pk)
        return real(permit, items)

    monkeypatch.setattr(remember, "remember", meanwhile)
    turns.digest(minji.turns.get().pk)
    assert minji.memories.filter(deleted_at__isnull=True).count() == 0


def test_a_turn_on_its_way_in_when_the_voice_is_unlinked_is_not_kept(minji, homebot, voice, monkeypatch):
    real = gate.again

    def meanwhile(permit):
        monkeypatch.setattr(gate, "again", real)
        links.reject(minji, voice.pk)
        return real(permit)

    monkeypatch.setattr(gate, "again", meanwhile)
    answer = homebot.report("minji", "저는 땅콩 알레르기가 있어요", speaker=heard("dad"))
    assert answer.json()["reason"] == "speaker-not-allowed"
    assert minji.turns.count() == 0


def test_the_batch_is_shown_first_and_can_be_undone(minji, homebot, work, voice):
    say(homebot, work, "저는 부산에서 살아요", "t1", ago=5)
    say(homebot, work, "저는 서울에서 살아요", "t2", speaker_id="dad", ago=1)
    say(homebot, work, "안방 청정해줘", "t3", speaker_id="dad", ago=1)
    permit = gate.own(minji, Act.FORGET)
    plan = rollback.preview(permit, Source(kind="link", id=str(voice.pk)))
    assert plan.counts == {
        "turns": 2,
        "evidence": 1,
        "removed": 2,
        "reduced": 0,
        "restored": 1,
        "summaries": 0,
    }
    before = snapshot(homebot)
    links.reject(minji, voice.pk)
    assert snapshot(homebot) != before
    batch = Rollback.objects.get()
    assert batch.counts == plan.counts
    rollback.undo(permit, batch.pk)
    assert snapshot(homebot) == before
    work()
    assert homebot.facts("minji", "어디 살아?") == ["저는 서울에서 살아요"]
    assert minji.turns.get(turn_id="t2").speaker_id == "dad"


def snapshot(runtime):
    items = runtime.get("memories", user_id="minji").json()["items"]
    fields = ("memory_id", "statement", "status", "valid_to", "confidence", "sources", "superseded_by")
    return sorted([tuple(str(item[name]) for name in fields) for item in items])


def test_undo_leaves_alone_what_was_changed_since(minji, homebot, work):
    say(homebot, work, "저는 부산에서 살아요", "t1", ago=5)
    say(homebot, work, "저는 부산에서 살아요", "t2", ago=4)
    permit = gate.own(minji, Act.FORGET)
    batch = rollback.withdraw(permit, Source(kind="pair", id="t2"))
    memory = minji.memories.get()
    homebot.patch(f"memories/{memory.pk}", {"user_id": "minji", "statement": "저는 부산 해운대에서 살아요"})
    rollback.undo(permit, batch.pk)
    assert statements(homebot) == ["저는 부산 해운대에서 살아요"]


def test_a_session_is_taken_back_whole(minji, homebot, work):
    say(homebot, work, "저는 땅콩 알레르기가 있어요", "t1", session="bad", ago=1)
    say(homebot, work, "저는 부산에서 살아요", "t2", session="good", ago=1)
    for _ in range(3):
        for pk in compress.waiting():
            compress.write(pk)
    rollback.withdraw(gate.own(minji, Act.FORGET), Source(kind="session", id="bad"))
    assert statements(homebot) == ["저는 부산에서 살아요"]
    from tests.speakers.test_compression import condense, summaries

    condense()
    assert "땅콩" not in str(summaries(homebot))
    assert "부산" in summaries(homebot)["week"]["summary"]


def test_one_piece_of_evidence_is_taken_back_and_its_turn_stays(minji, homebot, work):
    for ago in (3, 2, 1):
        say(homebot, work, "안방 청정해줘", f"t{ago}", ago=ago)
    [item] = homebot.get("memories", user_id="minji").json()["items"]
    assert item["status"] == "confirmed"
    rollback.withdraw(
        gate.own(minji, Act.FORGET), Source(kind="candidate", id=item["sources"]["candidate_ids"][0])
    )
    [left] = homebot.get("memories", user_id="minji").json()["items"]
    assert left["status"] == "candidate"
    assert len(left["sources"]["candidate_ids"]) == 2
    assert minji.turns.exclude(error="withdrawn").count() == 3


def test_a_withdrawn_turn_that_is_reported_again_is_not_learnt_again(minji, homebot, work):
    say(homebot, work, "저는 땅콩 알레르기가 있어요", "t1", ago=1)
    rollback.withdraw(gate.own(minji, Act.FORGET), Source(kind="pair", id="t1"))
    homebot.report("minji", "저는 땅콩 알레르기가 있어요", turn_id="t1")
    work()
    assert statements(homebot) == []
