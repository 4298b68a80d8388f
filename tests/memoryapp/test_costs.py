"""What memory costs is on the ledger, and a spent budget pauses extraction where everybody can see it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp import costs
from memoryapp.models import ChatService, CostEntry, Memory, Turn

WORK = "저는 판교에서 백엔드 개발자로 일해요"


@pytest.mark.parametrize("bearer", ["user", "system"])
def test_each_stage_is_recorded_and_borne_as_the_revision_says(minji, make_runtime, work, bearer):
    runtime = make_runtime("assistant", cost_bearer=bearer)
    runtime.report("minji", WORK)
    work()
    runtime.recall("minji", "어디서 일해?")
    entries = CostEntry.objects.all()
    assert {entry.stage for entry in entries} == {"extraction", "embedding", "recall"}
    assert {entry.bearer for entry in entries} == {bearer}
    assert all(entry.person == minji and entry.service == runtime.service for entry in entries)


def test_a_spent_budget_pauses_extraction_visibly_and_nothing_is_lost(minji, assistant, work):
    ChatService.objects.update(monthly_token_budget=100)
    CostEntry.objects.create(service=assistant.service, stage="extraction", bearer="system", tokens_in=100)
    assistant.report("minji", WORK)
    work()
    state = assistant.get("turns/t1", user_id="minji").json()
    assert (state["state"], state["error"], state["attempts"]) == ("pending", "budget-spent", 0)
    assert assistant.recall("minji", "무엇")["reason"] is None
    ChatService.objects.update(monthly_token_budget=200)
    Turn.objects.update(next_try_at=timezone.now())
    work()
    assert Memory.objects.count() == 1


def test_last_months_use_does_not_count(assistant):
    entry = CostEntry.objects.create(service=assistant.service, stage="recall", bearer="system", tokens_in=7)
    assert costs.spent_this_month(assistant.service) == 7
    CostEntry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(days=40))
    assert costs.spent_this_month(assistant.service) == 0


def test_sums_are_kept_apart_by_service_and_day(assistant, homebot):
    for runtime, tokens in ((assistant, 5), (assistant, 6), (homebot, 7)):
        CostEntry.objects.create(
            service=runtime.service, stage="recall", bearer="system", calls=1, tokens_in=tokens
        )
    own = costs.by_day(
        ChatService.objects.filter(slug="assistant"), timezone.now().date() - timedelta(days=1)
    )
    assert [(row["calls"], row["tokens_in"]) for row in own] == [(2, 11)]
