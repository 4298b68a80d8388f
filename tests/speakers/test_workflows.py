"""Whose workflow it is: another speaker's "cancel that" never acts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memoryapp import workflows
from memoryapp.errors import NotFound
from memoryapp.models import Workflow
from speakers.identity import Speaker
from tests.a2a.test_context import heard


def start(runtime, speaker_id="dad", workflow_id="wf_001", **fields):
    return runtime.post("workflows", {"workflow_id": workflow_id, "speaker": heard(speaker_id), **fields})


def cancel(runtime, workflow_id="wf_001", headers=None, **speaker):
    body = {"speaker": {**heard("dad"), **speaker}, "action": "cancel"}
    return runtime.post(f"workflows/{workflow_id}/authorize", body, **(headers or {}))


def test_the_owner_cancels_at_once(homebot):
    assert start(homebot).status_code == 201
    assert start(homebot).status_code == 200
    assert cancel(homebot).json() == {"allowed": True, "needs_confirmation_from": None, "message": ""}


@pytest.mark.parametrize(
    "speaker",
    [
        {"speaker_id": "child"}, {"speaker_confidence": 0.3}, {"overlap": True}, {"multi_speaker": True},
        {"speaker_state": "unknown"}, {"speaker_id": ""},
    ],
)  # fmt: skip
def test_anybody_else_needs_the_owners_word(homebot, minji, link, speaker):
    link(minji, "dad")
    start(homebot)
    verdict = cancel(homebot, **speaker).json()
    assert verdict["allowed"] is False
    assert verdict["needs_confirmation_from"] == "dad"
    assert verdict["message"] == "이 작업을 시작한 분의 확인이 필요합니다."
    assert "minji" not in str(verdict).lower()


def test_the_message_is_in_the_callers_language(homebot):
    start(homebot)
    verdict = cancel(homebot, headers={"Accept-Language": "en"}, speaker_id="child").json()
    assert verdict["message"] == "The person who started this has to confirm it."


def test_another_voice_of_the_same_person_is_the_owner(homebot, minji, jiho, link):
    link(minji, "dad"), link(minji, "dad-with-a-cold"), link(jiho, "child")
    start(homebot)
    assert cancel(homebot, speaker_id="dad-with-a-cold").json()["allowed"] is True
    assert cancel(homebot, speaker_id="child").json()["allowed"] is False


def test_a_running_workflow_is_not_taken_over(homebot):
    start(homebot)
    assert start(homebot, "child").status_code == 409
    Workflow.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert cancel(homebot).status_code == 404
    assert start(homebot, "child").status_code == 201


def test_workflows_belong_to_one_service_and_end(homebot, assistant):
    start(homebot, workflow_id="a/b")
    assert cancel(assistant, "a/b").status_code == 404
    assert cancel(homebot, "a/b").json()["allowed"] is True
    assert homebot.delete("workflows/a/b").status_code == 204
    assert cancel(homebot, "a/b").status_code == 404


def test_a_signed_user_ends_their_own_workflow_only(homebot, minji, jiho, link):
    link(minji, "dad"), link(jiho, "child")
    start(homebot)
    start(homebot, "guest", "wf_002")
    as_minji, as_jiho = (replace(homebot.caller, asserted_user_id=name) for name in ("minji", "jiho"))
    for caller, workflow_id in ((as_jiho, "wf_001"), (as_minji, "wf_002")):
        with pytest.raises(NotFound):
            workflows.finish(caller, workflow_id)
    workflows.finish(as_minji, "wf_001")
    workflows.finish(homebot.caller, "wf_002")  # without a signature the service is trusted with its own
    assert not Workflow.objects.exists()


def test_a_signed_word_counts_for_more_than_a_voice(homebot, minji, jiho, link):
    link(minji, "mom")
    start(homebot, "mom")
    as_minji, as_jiho = (replace(homebot.caller, asserted_user_id=name) for name in ("minji", "jiho"))
    mom = Speaker(**heard("mom"))
    assert workflows.authorize(as_minji, "wf_001", mom).allowed
    assert not workflows.authorize(as_jiho, "wf_001", mom).allowed


def test_a_workflow_is_not_named_like_an_address_under_another(homebot):
    refused = start(homebot, workflow_id="wf_001/authorize")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["workflow_id"])
