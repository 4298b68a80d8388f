"""The index lives: outages heal, one bad item fails alone, a new space is built beside the old one."""

import time
from datetime import timedelta
from typing import Any, cast

import pytest
from django.db import connections
from django.utils import timezone

from memoryapp.index import embed, rebuild, spaces
from memoryapp.models import EmbeddingSpace, IndexEntry, Memory, SpaceState, Vector


@pytest.fixture
def embedder(db):
    """The fake embedder behind the serving space, with its switches."""
    fake = cast("Any", embed.embedder(spaces.ensure_first()))
    yield fake
    fake.down, fake.poison = False, ""


def states() -> list[str]:
    return sorted(IndexEntry.objects.values_list("state", flat=True))


def due() -> None:
    IndexEntry.objects.update(next_try_at=None)


def test_an_outage_costs_the_vector_never_the_memory(minji, assistant, embedder, work):
    embedder.down = True
    saved = assistant.save("minji", "저는 판교에서 일해요")
    assert (saved.status_code, saved.json()["memory"]["index_state"]) == (201, "pending")
    recalled = assistant.recall("minji", "판교")
    assert (recalled["degraded"], recalled["reason"]) == (True, "embedding-unavailable")
    assert [m["fact"] for m in recalled["memories"]] == ["저는 판교에서 일해요"]
    work()
    assert states() == ["pending"]
    embedder.down = False
    due()
    work()
    assert states() == ["indexed"]
    assert assistant.recall("minji", "판교")["degraded"] is False


def test_a_correction_while_the_embedder_is_down_is_found_by_its_new_words_only(minji, assistant, embedder):
    memory = assistant.save("minji", "프로젝트 암호명은 알파").json()["memory"]
    embedder.down = True
    assistant.patch(
        f"memories/{memory['memory_id']}", {"user_id": "minji", "statement": "프로젝트 암호명은 베타"}
    )
    assert assistant.facts("minji", "베타") == ["프로젝트 암호명은 베타"]
    assert assistant.facts("minji", "알파") == []
    assert Vector.objects.count() == 0


def test_one_bad_item_fails_alone_and_heals_later(minji, assistant, embedder, work):
    embedder.down = True
    for fact in ("첫째 사실이에요", "독이 든 사실이에요", "셋째 사실이에요"):
        assert assistant.save("minji", fact).status_code == 201
    embedder.down, embedder.poison = False, "독이"
    for _ in range(rebuild.ATTEMPTS_BEFORE_FAILED):
        due()
        work()
    assert states() == ["failed", "indexed", "indexed"]
    assert assistant.facts("minji", "독이 든")[0] == "독이 든 사실이에요"
    embedder.poison = ""
    due()
    work()
    assert states() == ["indexed"] * 3


def test_a_dead_workers_claim_is_taken_over(minji, assistant, work):
    assistant.save("minji", "저는 판교에서 일해요")
    Vector.objects.all().delete()
    IndexEntry.objects.update(state="indexing", claimed_at=timezone.now())
    work()
    assert states() == ["indexing"]
    IndexEntry.objects.update(claimed_at=timezone.now() - timedelta(seconds=rebuild.CLAIM_SECONDS + 1))
    work()
    assert states() == ["indexed"]


def test_guarded_and_candidate_memories_are_kept_out_of_the_index(minji, assistant):
    secret = assistant.save("minji", "제 전화번호는 010-1234-5678 이에요").json()["memory"]
    assert (secret["sensitivity"], secret["index_state"]) == ("pii", "excluded")
    assert Vector.objects.count() == 0
    assert IndexEntry.objects.get().terms == []
    assert assistant.facts("minji", "전화번호 010-1234-5678") == []
    [listed] = assistant.get("memories", user_id="minji").json()["items"]
    assert "1234" not in str(listed)
    detail = assistant.get(f"memories/{secret['memory_id']}", user_id="minji").json()
    assert "010-1234-5678" in detail["statement"]


@pytest.mark.parametrize("label", ["PII", "Restricted", " pii "])
def test_a_label_guards_in_any_letter_case(minji, assistant, label):
    memory = assistant.save("minji", "평범한 문장이에요", sensitivity=label).json()["memory"]
    assert memory["index_state"] == "excluded"


def test_an_unknown_label_is_unknown_and_searched_like_normal(minji, assistant):
    memory = assistant.save("minji", "저는 판교에서 일해요", sensitivity="TOP-SECRET").json()["memory"]
    assert (memory["sensitivity"], memory["index_state"]) == ("unknown", "indexed")
    assert assistant.facts("minji", "판교") == ["저는 판교에서 일해요"]


def test_a_new_space_of_other_dimension_is_built_beside_the_old_one(minji, assistant):
    for number in range(5):
        assistant.save("minji", f"판교에서 {number}번째 회의를 했어요")
    new = spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512, lexical_weight=0.5))
    assert states() == ["stale"] * 5
    assert len(assistant.facts("minji", "판교 회의")) == 5
    rebuild.heal(2)
    assert rebuild.progress(new) == rebuild.Progress(done=2, total=5)
    assert spaces.serving() != new
    assert assistant.recall("minji", "판교 회의")["degraded"] is False
    assistant.save("minji", "짓는 동안에도 판교에서 회의를 했어요")
    while rebuild.heal(2):
        assert assistant.post("recall", {"user_id": "minji", "query": "판교"}).status_code == 200
    assert spaces.serving() == new
    assert states() == ["indexed"] * 6
    assert len(assistant.facts("minji", "판교 회의")) == 6
    EmbeddingSpace.objects.filter(state=SpaceState.RETIRED).update(
        retired_at=timezone.now() - timedelta(hours=2)
    )
    assert spaces.drop_retired() == 6
    assert Vector.objects.count() == 6


def test_building_can_be_cancelled(minji, assistant):
    assistant.save("minji", "저는 판교에서 일해요")
    spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=128))
    spaces.cancel()
    assert states() == ["indexed"]
    assert spaces.building() is None


def test_building_is_stopped_and_goes_on_where_it_stopped(minji, assistant):
    for number in range(5):
        assistant.save("minji", f"판교에서 {number}번째 회의를 했어요")
    new = spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512, lexical_weight=0.5))
    assert rebuild.heal(2) == 2
    assert (spaces.pause(), spaces.pause()) == (1, 0)
    assistant.save("minji", "멈춘 동안에도 판교에서 회의를 했어요")
    assert rebuild.heal() == 0
    assert states() == ["indexed"] * 6, "they are searchable, and nothing is under way"
    assert rebuild.progress(new) == rebuild.Progress(done=2, total=6)
    assert (spaces.resume(), spaces.resume()) == (1, 0)
    assert states().count("stale") == 4
    assert rebuild.heal() == 4
    assert spaces.serving() == new
    assert states() == ["indexed"] * 6


def test_a_rebuild_pays_for_each_memory_once(minji, assistant, embedder, monkeypatch):
    for number in range(4):
        assistant.save("minji", f"판교에서 {number}번째 회의를 했어요")
    spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512))
    paid = []
    embeds = embed.passages

    def counts(space, texts):
        paid.append((space.model, len(texts)))
        return embeds(space, texts)

    monkeypatch.setattr(embed, "passages", counts)
    while rebuild.heal(2):
        continue
    assert paid == [("fake-wide", 2), ("fake-wide", 2)]


@pytest.mark.django_db(transaction=True)
def test_two_workers_share_a_rebuild_and_neither_waits_for_the_other(assistant, minji):
    for number in range(4):
        assistant.save("minji", f"판교에서 {number}번째 회의를 했어요")
    new = spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512))
    busy = connections["default"].copy()  # another worker, in the middle of taking three of them
    busy.set_autocommit(False)
    with busy.cursor() as cursor:
        cursor.execute("SELECT 1 FROM memoryapp_indexentry ORDER BY memory_id LIMIT 3 FOR UPDATE")
        assert rebuild.heal() == 1
    busy.rollback()
    busy.close()
    assert rebuild.heal() == 3
    assert spaces.serving() == new


def test_a_process_follows_a_switch_it_was_not_told_of(minji, assistant, monkeypatch):
    assistant.save("minji", "저는 판교에서 일해요")
    known = embed.serving()
    told, clock = embed.forget_serving, [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(embed, "forget_serving", lambda: None)  # another process did it
    new = spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512))
    while rebuild.heal():
        continue
    assert embed.serving() == known, "it goes on with what it knows"
    assert assistant.facts("minji", "판교") == ["저는 판교에서 일해요"], "whose vectors are still there"
    clock[0] += 60
    assert embed.serving() == new
    told()


def test_a_provider_that_does_not_answer_is_refused(minji, assistant):
    fake = cast("Any", embed._open("fake", "broken", "", 64))
    fake.down = True
    try:
        with pytest.raises(spaces.SpaceRefused):
            spaces.propose(EmbeddingSpace(provider="fake", model="broken", dims=64))
    finally:
        fake.down = False
    assert spaces.building() is None


def test_all_of_a_persons_memories_are_found_among_those_of_many(minji, jiho, assistant):
    for number in range(20):
        assistant.save("minji", f"민지의 {number}번째 일정은 판교 회의")
    for number in range(30):
        assistant.save("jiho", f"지호의 {number}번째 일정은 판교 회의")
    found = assistant.facts("minji", "판교 회의 일정", top_k=10)
    assert len(found) == 10
    assert all("민지" in fact for fact in found)
    assert Memory.objects.count() == 50
