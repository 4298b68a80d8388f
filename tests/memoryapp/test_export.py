"""An export is complete: what it tells of is compared with the tables, and a new table has to be thought of."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model
from django.utils import timezone

from consent import ledger
from consent.domains import Domain
from consent.models import ConsentEvent
from memoryapp import compress, costs, export, gate, models, replay_grants, revisions
from memoryapp.permit import Act
from memoryapp.vault import box_of
from speakers import identity
from speakers import models as speakers
from speakers.models import IdentityKind, LinkState, Person
from tests.contexts.conftest import Chat

Lines = list[dict[str, Any]]


def of_kind(kind: str, **wanted: Any) -> Callable[[Lines], int]:
    """How many lines of a kind there are."""
    return lambda lines: sum(
        line["kind"] == kind and all(line.get(name) == value for name, value in wanted.items())
        for line in lines
    )


def inside(kind: str, name: str) -> Callable[[Lines], int]:
    """How many things the lines of a kind list under a name."""
    return lambda lines: sum(len(line[name]) for line in lines if line["kind"] == kind)


#: What tells of each row of a table.
TOLD: dict[type[Model], Callable[[Lines], int]] = {
    Person: of_kind("person"),
    ConsentEvent: of_kind("consent"),
    speakers.Identity: of_kind("identity"),
    speakers.IdentityLink: of_kind("identity"),
    speakers.IdentityLinkChange: inside("identity", "history"),
    models.Memory: of_kind("memory"),
    models.MemoryHistory: of_kind("history"),
    models.Turn: of_kind("turn"),
    models.Summary: of_kind("summary"),
    models.Evidence: of_kind("evidence"),
    models.ContextBlock: of_kind("context"),
    models.ContextEntry: inside("context", "entries"),
    models.ContextGrant: inside("context", "shared_with"),
    models.FrozenPrompt: of_kind("prompt"),
    models.Device: of_kind("device"),
    models.Workflow: of_kind("workflow"),
    models.ReplayGrant: of_kind("replay_grant"),
    models.Replay: inside("replay_grant", "replays"),
    models.Rollback: of_kind("rollback"),
    models.Recall: of_kind("activity", action=None),
    models.Reveal: of_kind("activity", action="reveal"),
    models.CostEntry: of_kind("cost"),
}
#: Rows that say nothing yet: the work that will write them.
SAYS_SOMETHING: dict[type[Model], dict[str, Any]] = {models.Summary: {"content__isnull": False}}
#: What is left out, and why.
LEFT_OUT: dict[str, str] = {
    "consent.ConsentState": "follows from the receipts",
    "memoryapp.PersonKey": "the key itself; what it opens is in the export",
    "memoryapp.IndexEntry": "made from the memory, and anew at any time",
    "memoryapp.Vector": "made from the memory, and anew at any time",
    "memoryapp.Forgotten": "a keyed mark of what the person deleted: to tell it would bring it back",
    "memoryapp.HushedPair": "which words are told nowhere again: the words are not here",
    "memoryapp.ContextLoad": "told with the entry, as `loaded`",
    "memoryapp.IdempotentAnswer": "an answer that was given, kept a day for repeats",
    "memoryapp.ReplayedTurn": "what a trial found in a turn; the turn is told",
    "memoryapp.SyncCounter": "a running number",
    "memoryapp.SyncChange": "which number a memory or summary has",
    "memoryapp.PushedWrite": "an answer that was given to a device, kept for repeats",
}


def about_people() -> set[type[Model]]:
    """Every table whose rows belong to a person: they point at one, or at a row that does."""
    found: set[type[Model]] = {Person}
    while True:
        more = {
            model
            for model in apps.get_models()
            if model not in found
            for field in model._meta.get_fields()
            if isinstance(field, ForeignKey) and field.related_model in found
        }
        if not more:
            return found
        found |= more


def test_every_table_about_people_is_exported_or_left_out_for_a_reason():
    left_out = {apps.get_model(name) for name in LEFT_OUT}
    assert about_people() | {speakers.Identity} == {*TOLD, *left_out}
    assert not left_out & set(TOLD)


def path_to_person(model: type[Model]) -> str:
    """How a table's rows are found by their person."""
    if model in (Person, speakers.Identity):
        return "pk" if model is Person else "links__person"
    for field in model._meta.get_fields():
        if isinstance(field, ForeignKey) and field.related_model is Person:
            return field.name
    [name, target] = next(
        (field.name, field.related_model)
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model in about_people()
    )
    return f"{name}__{path_to_person(target)}"


def lines_of(permit) -> Lines:
    return [json.loads(line) for line in export.lines(permit)]


@pytest.fixture
def full_life(minji, assistant, work):
    """Minji has at least one row in every table that an export tells of."""
    assistant.report("minji", "저는 판교에서 백엔드 개발자로 일해요")
    work()
    saved = assistant.save("minji", "저는 채식주의자예요").json()["memory"]
    assistant.patch(f"memories/{saved['memory_id']}", {"user_id": "minji", "statement": "저는 비건이에요"})
    assistant.recall("minji", "어디서 일해?")
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page")
    link, _ = identity.attach(minji, kind=IdentityKind.VOICE, external_id="voice-1", provider="house")
    identity.move(link, LinkState.CANDIDATE, actor="person", evidence={"note": "said so"})
    chat = Chat(assistant, "minji")
    chat.put("docs", "loadable")
    chat.write("docs", "문서", title="안내")
    chat.share("docs", "s2")
    assert chat.prompt_answer()
    costs.charge(gate.admit(assistant.caller, "minji", Act.SAVE), costs.EXTRACTION, costs.Used(calls=1))
    rows_made_elsewhere(minji, assistant.service, minji.memories.first())
    return minji


def rows_made_elsewhere(person: Person, service: models.ChatService, memory: models.Memory) -> None:
    """What devices, nights, trials and looks leave behind."""
    mine: dict[str, Any] = {"person": person, "service": service}
    now = timezone.now()
    models.Reveal.objects.create(person=person, memory=memory)
    models.Device.objects.create(**mine, device_id="d", last_seen_at=now)
    models.Workflow.objects.create(**mine, workflow_id="w", registered_at=now, expires_at=now)
    models.Evidence.objects.create(**mine, memory=memory, pair_id=memory.pk, kind="said", day=now, at=now)
    models.Rollback.objects.create(person=person, source_kind="pair", source_id="t", actor="person", at=now)
    grant = replay_grants.give(person, service)
    draft = revisions.draft(service)
    models.Replay.objects.create(grant=grant, deployed=draft, draft=draft, tried={}, day=now)
    summary = models.Summary(**mine, level="day", day=now)
    summary.content = box_of(person).seal({"summary": "하루", "lines": []}, compress.place(summary))
    summary.save()


def test_the_export_has_a_line_for_every_row(full_life, jiho, assistant):
    assistant.save("jiho", "저는 대전에서 살아요")
    lines = lines_of(gate.own(full_life, Act.SEE))
    for model, count in TOLD.items():
        hers = model._default_manager.filter(**{path_to_person(model): full_life.pk})
        rows = hers.filter(**SAYS_SOMETHING.get(model, {})).count()
        assert rows > 0, model
        assert count(lines) == rows, model


def test_the_export_tells_who_she_is_and_how_her_voice_became_hers(full_life, assistant):
    lines = lines_of(gate.own(full_life, Act.SEE))
    [me], [voice] = ([line for line in lines if line["kind"] == kind] for kind in ("person", "identity"))
    assert lines[0] == me
    assert (me["display_name"], me["zone"], me["language"]) == ("Minji", "Asia/Seoul", "ko")
    assert me["login"]["username"] == "minji"
    assert voice["provider"] == "house"
    assert voice["history"][-1]["evidence"] == {"note": "said so"}
    told_to_a_service = lines_of(gate.admit(assistant.caller, "minji", Act.SEE))
    assert "login" not in told_to_a_service[0]


def test_a_service_is_told_its_own_costs_only(full_life, assistant, homebot):
    costs.charge(gate.admit(homebot.caller, "minji", Act.SAVE), costs.EXTRACTION, costs.Used(calls=1))
    lines = lines_of(gate.admit(homebot.caller, "minji", Act.SEE))
    assert [line["service"] for line in lines if line["kind"] == "cost"] == ["homebot"]
