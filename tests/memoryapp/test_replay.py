"""A draft tried on a day's turns: side by side, by the person's leave only, and nothing of it is remembered."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memoryapp import erase, export, gate, housekeeping, reading, replay, replay_grants, revisions
from memoryapp.errors import Invalid, NoConsent
from memoryapp.extract.base import ExtractorDown
from memoryapp.extract.fake import ScriptedServer, chat_endpoint
from memoryapp.models import (
    AdminAction,
    CostEntry,
    Replay,
    ReplayedTurn,
    ReplayGrant,
    ServiceRevision,
    Turn,
)
from memoryapp.pairs import local_day
from memoryapp.permit import Act, Caller, Permit
from memoryapp.replay_results import Comparison, compare
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime, withdraw
from tests.memoryapp.test_vault import dump

WORK = "저는 판교에서 백엔드 개발자로 일해요"
TEA = "요즘은 커피보다 녹차를 좋아해요"
PHONE = "제 전화번호는 010-1234-5678이에요"
MOMENT = timedelta(seconds=1)
KEPT = ("memory", "memoryhistory", "indexentry", "vector", "forgotten", "evidence", "syncchange", "summary")


@pytest.fixture
def hana(assistant: Runtime) -> User:
    """The assistant's admin."""
    user = User.objects.create_user("hana", password=PASSWORD)
    assistant.service.members.add(user)
    return user


@pytest.fixture
def said(minji: Person, assistant: Runtime, work: Any) -> None:
    """What Minji said today; it is read and remembered."""
    for number, text in enumerate((WORK, TEA), 1):
        assistant.report("minji", text, f"t-{number}")
    work()


@pytest.fixture
def grant(minji: Person, assistant: Runtime) -> ReplayGrant:
    return replay_grants.give(minji, assistant.service)


@pytest.fixture
def model() -> Iterator[ScriptedServer]:
    """A language model that finds the work in its first turn, and something of its own in the others."""
    found = [
        {"facts": [{"statement": text, "quote": text, "memory_type": "PROFILE"}]}
        for text in ("판교에서 백엔드 개발자로 일해요", "녹차를 좋아해요")
    ]
    with chat_endpoint(*found) as endpoint:
        yield endpoint


def draft(runtime: Runtime, **settings: Any) -> ServiceRevision:
    return revisions.edit(revisions.draft(runtime.service), **settings)


def by_model(runtime: Runtime, endpoint: ScriptedServer) -> ServiceRevision:
    return draft(runtime, extractor="llm", extractor_url=endpoint.url, extractor_model="scripted")


def today() -> date:
    """Minji's day on which the last turn was said."""
    return local_day(Turn.objects.latest("occurred_at").occurred_at, "Asia/Seoul")


def leave(runtime: Runtime) -> Permit:
    return gate.admit(Caller(service=runtime.service, revision=runtime.revision), "minji", Act.REPLAY)


def tried(runtime: Runtime, revision: ServiceRevision, by: User | None = None) -> Replay:
    """A trial of today, read to its end."""
    made = replay.start(leave(runtime), revision, today(), by=by)
    replay.run(made.pk)
    made.refresh_from_db()
    return made


def compared(runtime: Runtime, made: Replay, by: User) -> Comparison:
    return compare(leave(runtime), made, by=by)


def kept() -> str:
    """Everything that remembering writes."""
    with connection.cursor() as cursor:
        rows: list[Any] = []
        for table in KEPT:
            cursor.execute(f"SELECT t::text FROM memoryapp_{table} t ORDER BY 1")  # noqa: S608
            rows += cursor.fetchall()
    return repr(rows)


def test_the_same_settings_find_the_same_and_cost_the_same(said, assistant, grant, hana):
    made = tried(assistant, draft(assistant), hana)
    found = compared(assistant, made, hana)
    assert (made.state, found.read, len(found.lines)) == ("done", 2, 2)
    assert found.deployed == found.draft
    assert found.draft.facts >= 2
    assert found.draft.only_here == found.draft.counts["calls"] == 0
    assert {one.outcome for line in found.lines for one in line.draft.findings} == {"same-source"}


def test_a_model_is_shown_beside_the_rules_with_its_cost(said, assistant, grant, hana, model):
    made = tried(assistant, by_model(assistant, model), hana)
    found = compared(assistant, made, hana)
    first = found.lines[0]
    assert [one.statement for one in first.draft.findings] == ["판교에서 백엔드 개발자로 일해요"]
    assert first.deployed.findings
    assert found.deployed.counts["calls"] == 0
    assert found.draft.counts["calls"] == len(model.requests) == 2
    assert found.draft.counts["tokens_in"] > found.draft.counts["tokens_out"] > 0
    assert found.draft.only_here == sum(one.only_here for line in found.lines for one in line.draft.findings)
    booked = CostEntry.objects.filter(stage="replay", revision=made.draft, tokens_out__gt=0)
    assert sum(entry.calls for entry in booked) == 2
    assert sum(entry.tokens_in for entry in booked) == found.draft.counts["tokens_in"]


def test_a_replay_is_never_the_persons_to_pay(said, assistant, grant, model):
    by_user = by_model(assistant, model)
    tried(assistant, revisions.edit(by_user, cost_bearer="user"))
    assert {entry.bearer for entry in CostEntry.objects.filter(stage="replay")} == {"system"}


def test_nothing_is_written_to_memories_history_or_index(said, assistant, grant, model, work):
    before = kept()
    tried(assistant, by_model(assistant, model))
    assert kept() == before
    work()
    assert kept() == before
    assert {turn.state for turn in Turn.objects.all()} == {"done"}


def test_what_would_be_done_is_told(said, assistant, grant, hana, minji):
    assistant.configure(extractor="rules")
    for memory in minji.memories.all():
        assistant.delete(f"memories/{memory.pk}?user_id=minji")
    assistant.report("minji", "저는 판교에서 디자이너로 일해요", "t-3")
    found = compared(assistant, tried(assistant, draft(assistant), hana), hana)
    # What was learnt from the first two turns was deleted: their words are told nowhere again.
    assert [line.turn_id for line in found.lines] == ["t-3"]
    assert {one.outcome for one in found.lines[0].draft.findings} == {"insert"}


def test_personal_data_stays_masked(minji, assistant, grant, hana):
    assistant.report("minji", PHONE, "t-1")
    found = compared(assistant, tried(assistant, draft(assistant), hana), hana)
    (one,) = found.lines[0].draft.findings
    assert one.guarded
    assert "5678" not in one.statement


def test_what_is_older_or_held_back_is_told_as_such(minji, assistant, grant, hana, monkeypatch, work):
    from dataclasses import replace

    assistant.report("minji", "저는 부산에 살아요", "t-1")
    work()
    rules = reading.extractor_for

    class Suspects:
        """The rules, held back."""

        def extract(self, utterance):
            return [replace(fact, quarantine="odd") for fact in rules(assistant.revision).extract(utterance)]

    earlier = Turn.objects.get().occurred_at - MOMENT
    assistant.report("minji", "저는 대구에 살아요", "t-2", occurred_at=earlier.isoformat())
    monkeypatch.setattr(
        reading,
        "extractor_for",
        lambda revision, known=(): Suspects() if revision.extractor == "llm" else rules(revision),
    )
    made = tried(assistant, draft(assistant, extractor="llm", extractor_model="x"), hana)
    (line,) = [one for one in compared(assistant, made, hana).lines if one.turn_id == "t-2"]
    assert [one.outcome for one in line.deployed.findings] == ["older-statement"]
    assert [one.outcome for one in line.draft.findings] == ["held-back"]


def test_one_change_too_many_of_a_turn_is_told_as_held_back(minji, assistant, grant, hana):
    facts = ["저는 부산에 살아요", "제 직업은 교사예요", "제 혈액형은 A형이에요", "제 차는 소나타예요"]
    for fact in facts:
        assistant.save("minji", fact)
    assistant.report(
        "minji", "저는 대구에 살아요. 제 직업은 의사예요. 제 혈액형은 B형이에요. 제 차는 그랜저예요."
    )
    made = tried(assistant, draft(assistant), hana)
    (line,) = compared(assistant, made, hana).lines
    outcomes = [one.outcome for one in line.draft.findings]
    assert outcomes == ["replace", "replace", "replace", "held-back"]
    assert {memory.status for memory in minji.memories.all()} == {"confirmed"}


def test_results_are_sealed(said, assistant, grant):
    made = tried(assistant, draft(assistant))
    assert made.turns.filter(content__isnull=False).count() == 2
    assert "판교" not in dump()


def test_without_the_persons_leave_there_is_no_replay(said, assistant, homebot, minji):
    with pytest.raises(NoConsent):
        leave(assistant)
    replay_grants.give(minji, homebot.service)
    with pytest.raises(NoConsent):
        leave(assistant)
    assert assistant.recall("minji", "일")["reason"] is None


def test_leave_needs_memory_to_be_on_for_the_service(minji, assistant):
    withdraw(minji)
    with pytest.raises(NoConsent):
        replay_grants.give(minji, assistant.service)


def test_a_leave_ends_by_itself_and_what_was_found_with_it(said, assistant, grant):
    made = tried(assistant, draft(assistant))
    ReplayGrant.objects.update(until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NoConsent):
        leave(assistant)
    housekeeping.purge()
    assert not Replay.objects.filter(pk=made.pk).exists()
    assert ReplayedTurn.objects.count() == ReplayGrant.objects.count() == 0


def test_a_new_leave_brings_nothing_old_back(said, assistant, grant, minji):
    tried(assistant, draft(assistant))
    ReplayGrant.objects.update(until=timezone.now() - timedelta(seconds=1))
    replay_grants.give(minji, assistant.service)
    assert Replay.objects.count() == 0


def test_results_are_kept_for_a_week(said, assistant, grant):
    tried(assistant, draft(assistant))
    ReplayGrant.objects.update(until=timezone.now() + timedelta(days=30))
    Replay.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert housekeeping.purge()["replay"] > 0
    assert ReplayedTurn.objects.count() == 0


@pytest.mark.parametrize("end", ["leave", "consent", "service"])
def test_taken_back_in_the_middle_it_stops_and_the_results_are_gone(
    said, assistant, grant, minji, monkeypatch, end, django_capture_on_commit_callbacks
):
    asked = []

    class TakesBack:
        def extract(self, utterance):
            asked.append(utterance)
            if len(asked) == 3:  # the second turn, while the deployed side is reading it
                with django_capture_on_commit_callbacks(execute=True):
                    if end == "leave":
                        replay_grants.take_back(minji, "assistant")
                    else:
                        from consent import ledger
                        from consent.domains import MASTER

                        service = "assistant" if end == "service" else ""
                        ledger.decide(minji, MASTER, False, actor="person", source="my-page", service=service)
            return []

    made = replay.start(leave(assistant), draft(assistant), today())
    monkeypatch.setattr(reading, "extractor_for", lambda revision, known=(): TakesBack())
    replay.run(made.pk)
    assert len(asked) == 3
    assert Replay.objects.count() == ReplayedTurn.objects.count() == ReplayGrant.objects.count() == 0


def test_memory_switched_off_meanwhile_stops_it(said, assistant, grant):
    made = replay.start(leave(assistant), draft(assistant), today())
    assistant.configure(memory_enabled=False)
    replay.run(made.pk)
    made.refresh_from_db()
    assert (made.state, made.error) == ("failed", "memory-off")


def test_a_draft_without_memory_reads_nothing(said, assistant, grant, hana):
    found = compared(assistant, tried(assistant, draft(assistant, memory_enabled=False), hana), hana)
    assert found.draft.facts == 0
    assert found.draft.failed == 2
    assert found.deployed.facts > 0


def test_a_draft_edited_meanwhile_is_tried_as_it_was(said, assistant, grant, model):
    revision = by_model(assistant, model)
    made = replay.start(leave(assistant), revision, today())
    revisions.edit(revision, extractor="rules", extractor_url="", extractor_model="")
    replay.run(made.pk)
    assert len(model.requests) == 2
    revision.refresh_from_db()
    assert revision.extractor == "rules"


def test_a_dead_workers_replay_is_taken_up_where_it_stood(said, assistant, grant, monkeypatch):
    made = replay.start(leave(assistant), draft(assistant), today())
    reads = replay._read

    def dies(row, one):
        if made.turns.filter(content__isnull=False).exists():
            raise SystemExit
        return reads(row, one)

    monkeypatch.setattr(replay, "_read", dies)
    with pytest.raises(SystemExit):
        replay.run(made.pk)
    assert replay.waiting() == []
    Replay.objects.update(claimed_at=timezone.now() - timedelta(seconds=replay.CLAIM_SECONDS + 1))
    assert replay.waiting() == [made.pk]
    read: list[str] = []

    def lives(row, one):
        read.append(one.turn.turn_id)
        return reads(row, one)

    monkeypatch.setattr(replay, "_read", lives)
    replay.run(made.pk)
    made.refresh_from_db()
    assert (made.state, read) == ("done", ["t-2"])


def test_a_turn_that_takes_its_worker_down_is_not_tried_for_ever(said, assistant, grant):
    made = replay.start(leave(assistant), draft(assistant), today())
    Replay.objects.update(state="running", attempts=replay.MAX_ATTEMPTS, claimed_at=None)
    replay.run(made.pk)
    made.refresh_from_db()
    assert (made.state, made.error) == ("failed", "worker-lost")


def test_a_replay_in_work_is_not_taken_by_a_second_worker(said, assistant, grant):
    made = replay.start(leave(assistant), draft(assistant), today())
    assert replay._claim(made.pk) is not None
    assert replay._claim(made.pk) is None


def test_a_long_replay_lets_others_have_their_turn(said, assistant, grant, monkeypatch):
    monkeypatch.setattr(replay, "SLICE_SECONDS", -1)
    made = tried(assistant, draft(assistant))
    assert made.state == "pending"
    monkeypatch.undo()
    replay.run(made.pk)
    made.refresh_from_db()
    assert made.state == "done"


def test_an_extractor_that_does_not_answer_is_told_and_not_asked_for_ever(
    said, assistant, grant, hana, work, monkeypatch
):
    for number in range(3, 7):
        assistant.report("minji", f"{number}번째 이야기", f"t-{number}")
    work()
    rules = reading.extractor_for

    class Down:
        def extract(self, utterance):
            raise ExtractorDown

    made = replay.start(leave(assistant), draft(assistant, extractor="llm", extractor_model="x"), today())
    monkeypatch.setattr(
        reading,
        "extractor_for",
        lambda revision, known=(): Down() if revision.extractor == "llm" else rules(revision),
    )
    replay.run(made.pk)
    made.refresh_from_db()
    assert (made.state, made.error) == ("failed", "ExtractorDown")
    found = compared(assistant, made, hana)
    assert (found.read, found.draft.failed, found.deployed.failed) == (3, 3, 0)


def test_a_spent_budget_refuses_and_stops_replays(said, assistant, grant, model):
    made = replay.start(leave(assistant), by_model(assistant, model), today())
    assistant.service.monthly_token_budget = 0
    assistant.service.save()
    replay.run(made.pk)
    made.refresh_from_db()
    assert (made.state, made.error, model.requests) == ("failed", "budget-spent", [])
    with pytest.raises(Invalid):
        replay.start(leave(assistant), made.draft, today())


def test_only_a_draft_a_day_with_turns_and_one_at_a_time(said, assistant, grant):
    revision = draft(assistant)
    for wrong, day in ((assistant.revision, today()), (revision, today() - timedelta(days=3))):
        with pytest.raises(Invalid):
            replay.start(leave(assistant), wrong, day)
    replay.start(leave(assistant), revision, today())
    with pytest.raises(Invalid):
        replay.start(leave(assistant), revision, today())


def test_words_taken_back_leave_a_replay_at_once(said, assistant, grant, hana, minji):
    made = tried(assistant, draft(assistant), hana)
    memory = next(one for one in minji.memories.all() if "t-1" in one.sources["event_ids"])
    assistant.delete(f"memories/{memory.pk}?user_id=minji")
    assert [line.turn_id for line in compared(assistant, made, hana).lines] == ["t-2"]


def test_start_and_each_admins_first_look_are_in_the_audit(said, assistant, grant, hana):
    made = tried(assistant, draft(assistant), hana)
    for _ in range(2):
        compared(assistant, made, hana)
    noted = AdminAction.objects.filter(object_id=str(made.pk)).order_by("pk")
    assert [(one.action, one.actor) for one in noted] == [("replay.start", hana), ("replay.look", hana)]


def test_the_export_tells_of_the_leave_and_of_the_trials(said, assistant, grant, minji):
    tried(assistant, draft(assistant))
    (line,) = [one for one in export.records(gate.own(minji, Act.SEE)) if one["kind"] == "replay_grant"]
    assert line["service"] == "assistant"
    assert [(one["day"], one["revision"]) for one in line["replays"]] == [(today().isoformat(), 2)]
    json.dumps(line)


def test_erasing_a_person_takes_leave_and_results(said, assistant, grant, minji):
    tried(assistant, draft(assistant))
    certificate = erase.erase(gate.own(minji, Act.ERASE)).as_dict()
    assert certificate["counts"]["replaygrant"] == 1
    assert Replay.objects.count() == ReplayedTurn.objects.count() == 0


def test_the_message_to_the_worker_carries_an_id_only(
    said, assistant, grant, monkeypatch, django_capture_on_commit_callbacks
):
    from memoryapp.celery import app

    sent: list[Any] = []
    monkeypatch.setattr(app, "send_task", lambda name, args=(), **kwargs: sent.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        made = replay.start(leave(assistant), draft(assistant), today())
    assert sent == [("memoryapp.replay", (str(made.pk),))]
