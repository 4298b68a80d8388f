"""The seven states of a memory's index, each as Minji's runtime sees it, and the ways from one to the next."""

from typing import Any, cast

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from memoryapp.index import embed, rebuild, spaces
from memoryapp.models import EmbeddingSpace, IndexEntry, IndexState
from speakers.models import User

WORK = "저는 판교에서 일해요"


@pytest.fixture
def embedder(db):
    """The fake embedder behind the serving space, with its switches."""
    fake = cast("Any", embed.embedder(spaces.ensure_first()))
    yield fake
    fake.down = False


@pytest.fixture
def super_admin(db):
    """The browser of the super-admin."""
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(User.objects.create_superuser("hana"))
    return browser


class Watched:
    """One memory, asked for through the API."""

    def __init__(self, runtime: Any, text: str = WORK) -> None:
        self.runtime = runtime
        self.id = runtime.save("minji", text).json()["memory"]["memory_id"]

    @property
    def state(self) -> str:
        return self.runtime.get(f"memories/{self.id}", user_id="minji").json()["index_state"]

    def correct(self, **fields: Any) -> Any:
        return self.runtime.patch(f"memories/{self.id}", {"user_id": "minji", **fields}).json()


def due() -> None:
    IndexEntry.objects.update(next_try_at=None)


def coverage(client) -> dict[str, int]:
    """What readyz tells, without the states nothing is in."""
    states = client.get("/readyz").json()["index"]["states"]
    assert list(states) == [state.value for state in IndexState]
    return {state: count for state, count in states.items() if count}


def test_pending_becomes_failed_and_then_indexed(minji, assistant, embedder, client):
    embedder.down = True
    memory = Watched(assistant)
    assert memory.state == "pending"
    for _ in range(rebuild.ATTEMPTS_BEFORE_FAILED):
        due()
        rebuild.heal()
    assert memory.state == "failed"
    ready = client.get("/readyz").json()
    assert (ready["index"]["ok"], "index" in ready["degraded"]) == (False, True)
    embedder.down = False
    due()
    rebuild.heal()
    assert memory.state == "indexed"


def test_indexing_is_seen_while_the_vector_is_made(minji, assistant, embedder, client, monkeypatch):
    embedder.down = True
    memory = Watched(assistant)
    embedder.down = False
    seen, embeds = [], embed.passages

    def watches(space, texts):
        seen.append((memory.state, coverage(client)))
        return embeds(space, texts)

    monkeypatch.setattr(embed, "passages", watches)
    due()
    rebuild.heal()
    assert seen == [("indexing", {"indexing": 1})]
    assert memory.state == "indexed"


def test_what_is_corrected_while_it_is_indexed_is_stale_and_indexed_anew(
    minji, assistant, embedder, monkeypatch
):
    embedder.down = True
    memory = Watched(assistant)
    embeds = embed.passages

    def is_overtaken(space, texts):
        monkeypatch.setattr(embed, "passages", embeds)
        embedder.down = True
        memory.correct(statement="저는 분당에서 일해요")
        embedder.down = False
        return embeds(space, texts)

    monkeypatch.setattr(embed, "passages", is_overtaken)
    embedder.down = False
    due()
    assert rebuild.heal() == 0
    assert memory.state == "stale"
    assert rebuild.heal() == 1
    assert memory.state == "indexed"
    assert assistant.facts("minji", "분당") == ["저는 분당에서 일해요"]


def test_indexed_becomes_stale_for_a_new_space_and_indexed_in_it(minji, assistant, client):
    memory = Watched(assistant)
    assert memory.state == "indexed"
    spaces.propose(EmbeddingSpace(provider="fake", model="other", dims=64))
    assert (memory.state, coverage(client)) == ("stale", {"stale": 1})
    assert assistant.facts("minji", "판교") == [WORK], "it is searched in the old space meanwhile"
    rebuild.heal()
    assert memory.state == "indexed"


def test_excluded_is_left_when_the_label_is_and_entered_again_with_it(minji, assistant):
    memory = Watched(assistant)
    for label, state in (("restricted", "excluded"), ("normal", "indexed"), ("pii", "excluded")):
        memory.correct(sensitivity=label)
        assert memory.state == state
        assert bool(assistant.facts("minji", "판교")) == (state == "indexed")


def test_delete_pending_is_a_memory_whose_index_is_lost_and_the_next_change_removes_it(
    minji, assistant, client, super_admin
):
    kept, lost = Watched(assistant), Watched(assistant, "제 생일은 3월 1일이에요")
    IndexEntry.objects.filter(pk=lost.id).delete()
    assert (kept.state, lost.state) == ("indexed", "delete_pending")
    assert coverage(client) == {"indexed": 1, "delete_pending": 1}
    assert 'aria-label="Being removed"></meter> 1 ' in super_admin.get("/console/system/").content.decode()
    assert lost.correct(statement="제 생일은 3월 2일이에요")["warnings"] == ["index-gone"]
    assert assistant.get(f"memories/{lost.id}", user_id="minji").status_code == 404
    assert coverage(client) == {"indexed": 1}


def test_a_deleted_memory_has_no_state_any_more(minji, assistant, client):
    memory = Watched(assistant)
    assistant.delete(f"memories/{memory.id}?user_id=minji")
    assert coverage(client) == {}


def test_the_system_page_counts_what_readyz_counts(minji, assistant, client, super_admin):
    Watched(assistant)
    Watched(assistant, "제 전화번호는 010-1234-5678 이에요")
    assert coverage(client) == {"indexed": 1, "excluded": 1}
    page = super_admin.get("/console/system/").content.decode()
    for label in ("Searchable", "Kept out of search"):
        assert f'value="50.0" aria-label="{label}"></meter> 1 ' in page
    assert 'value="0.0" aria-label="Failed"></meter> 0 ' in page


def test_a_space_is_calibrated_by_a_command_and_its_curve_is_kept(minji, assistant, capsys):
    Watched(assistant)
    space = spaces.serving()
    space.calibration, space.lexical_weight = {}, 0.0
    space.save()
    call_command("calibrate")
    told = capsys.readouterr().out
    for label in ("unrelated", "related", "near", "same"):
        assert f"{label:10}" in told
    learnt = EmbeddingSpace.objects.get(pk=space.pk)
    assert learnt.lexical_weight == learnt.calibration["lexical_weight"] > 0
    assert {"questions", "memories", "related", "near"} <= set(learnt.calibration)
    [same] = assistant.recall("minji", WORK, explain=True)["memories"]
    assert same["score"] >= 0.9


def test_the_space_being_built_is_the_one_calibrated_unless_another_is_named(minji, assistant, capsys):
    serving = spaces.ensure_first()
    new = spaces.propose(EmbeddingSpace(provider="fake", model="other", dims=64))
    EmbeddingSpace.objects.update(calibration={})
    call_command("calibrate")
    assert EmbeddingSpace.objects.get(pk=new.pk).calibration
    assert EmbeddingSpace.objects.get(pk=serving.pk).calibration == {}
    call_command("calibrate", space=serving.pk)
    assert EmbeddingSpace.objects.get(pk=serving.pk).calibration


def test_calibrating_without_an_embedder_changes_nothing_and_says_so(embedder):
    before = spaces.serving().calibration
    embedder.down = True
    with pytest.raises(CommandError, match="down"):
        call_command("calibrate")
    with pytest.raises(CommandError, match="no such"):
        call_command("calibrate", space=999_999)
    assert spaces.serving().calibration == before
