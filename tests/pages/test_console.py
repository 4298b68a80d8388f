"""The console: a service admin's own services, and never what people said."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memoryapp import keys
from memoryapp.models import RevisionState, ServiceKey, ServiceMember, SystemSettings, Turn, TurnState
from memoryapp.revisions import SETTINGS
from speakers.models import Person, User
from tests.conftest import Runtime

SECRET = "zebra-7731"


def settings_of(page: str) -> dict[str, Any]:
    """The settings form as the page fills it."""
    from memoryapp.forms.console import RevisionForm

    fields: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]+>", page):
        name, value = re.search(r'name="(\w+)"', tag), re.search(r'value="([^"]*)"', tag)
        if not name or name[1] not in RevisionForm.base_fields:
            continue
        if re.search(r'type="(checkbox|radio)"', tag):
            if "checked" in tag:
                fields.setdefault(name[1], []).append(value[1] if value else "on")
        else:
            fields[name[1]] = value[1] if value else ""
    return {**fields, "context_template": ""}


@pytest.fixture
def console(assistant: Runtime, admin_of: Any) -> Client:
    """The browser of the assistant's admin."""
    browser: Client = admin_of(assistant)
    return browser


def test_an_admin_sees_own_services_only(console: Client, assistant: Runtime, homebot: Runtime) -> None:
    page = console.get("/console/services/").content.decode()
    assert "Assistant" in page
    assert "Homebot" not in page
    for name in ("console_service", "console_keys", "console_extraction", "console_members", "console_cost"):
        assert console.get(reverse(name, args=["assistant"])).status_code == 200
        assert console.get(reverse(name, args=["homebot"])).status_code == 404
    assert console.post(reverse("revision_draft", args=["homebot"])).status_code == 404
    assert (
        console.post(reverse("key_revoke", args=["homebot", homebot.service.keys.get().pk])).status_code
        == 404
    )
    # Not through the own service's address either.
    assert (
        console.post(reverse("key_revoke", args=["assistant", homebot.service.keys.get().pk])).status_code
        == 404
    )


def test_a_person_and_a_service_admin_stay_outside_of_what_is_not_theirs(
    console: Client, at_minjis: Client
) -> None:
    assert at_minjis.get("/console/services/").status_code == 403
    assert at_minjis.get("/console/system/").status_code == 403
    assert console.get("/console/system/").status_code == 403


def test_a_draft_has_no_effect_until_it_is_deployed_and_can_be_rolled_back(
    console: Client, assistant: Runtime, minji: Person
) -> None:
    assistant.save("minji", "저는 판교에서 일해요")
    console.post("/console/services/assistant/revisions/draft/")
    draft = "/console/services/assistant/revisions/2/"
    form = settings_of(console.get(draft).content.decode())
    assert set(form) <= set(SETTINGS)
    form.pop("memory_enabled")
    answer = console.post(draft, form, follow=True)
    assert "The draft was saved." in answer.content.decode()
    assert "Different from the deployed revision 1" in answer.content.decode()
    assert assistant.recall("minji", "어디서 일해?")["count"] == 1

    console.post(draft + "deploy/")
    assert assistant.recall("minji", "어디서 일해?")["reason"] == "memory-off"
    assert console.post(draft, form).status_code == 409

    answer = console.post("/console/services/assistant/revisions/1/deploy/", follow=True)
    assert "Rolled back to revision 1." in answer.content.decode()
    assert assistant.recall("minji", "어디서 일해?")["count"] == 1
    assert assistant.revision.deployed_by == User.objects.get(username="assistant-admin")


def test_saving_a_draft_as_it_is_changes_no_setting(console: Client, assistant: Runtime) -> None:
    console.post("/console/services/assistant/revisions/draft/")
    draft = "/console/services/assistant/revisions/2/"
    console.post(draft, settings_of(console.get(draft).content.decode()))

    before, after = (assistant.service.revisions.get(number=number) for number in (1, 2))
    assert [getattr(after, name) for name in SETTINGS] == [getattr(before, name) for name in SETTINGS]


def test_two_admins_of_one_draft_undo_nothing_of_each_other(console: Client, assistant: Runtime) -> None:
    console.post("/console/services/assistant/revisions/draft/")
    draft = "/console/services/assistant/revisions/2/"
    seen = re.findall(r'name="seen" value="(\w+)"', console.get(draft).content.decode())
    form = {**settings_of(console.get(draft).content.decode()), "seen": seen}
    assert console.post(draft, {**form, "recall_top_k": "3"}).status_code == 302
    late = console.post(draft, {**form, "recall_threshold": "0.44"})
    page = late.content.decode()
    assert (late.status_code, assistant.service.revisions.get(number=2).recall_top_k) == (409, 3)
    assert "Saved meanwhile: 3" in page
    assert 'value="0.44"' in page

    again = re.findall(r'name="seen" value="(\w+)"', page)
    assert console.post(draft, {**form, "recall_threshold": "0.44", "seen": again}).status_code == 302
    assert assistant.service.revisions.get(number=2).recall_threshold == 0.44


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("extractor", "remote", "A remote memory server needs its address."),
        ("context_template", "nothing in here", "It must contain {memories} or {memories_json}."),
        ("context_template", "{memories} {secret}", "Unknown: secret"),
        ("recall_top_k", "0", "greater than or equal to 1"),
        ("recall_threshold", "1.5", "less than or equal to 1"),
        ("recall_scopes", [], "This field is required."),
        ("nightly_at", "25:00", "Enter a valid time."),
    ],
)
def test_a_wrong_setting_is_told_beside_its_field(
    console: Client, assistant: Runtime, field: str, value: Any, told: str
) -> None:
    console.post("/console/services/assistant/revisions/draft/")
    draft = "/console/services/assistant/revisions/2/"
    form = settings_of(console.get(draft).content.decode())
    answer = console.post(draft, {**form, field: value})

    assert answer.status_code == 422
    assert told in answer.content.decode()


def test_the_template_can_be_tried_on_sample_memories(console: Client, assistant: Runtime) -> None:
    console.post("/console/services/assistant/revisions/draft/")
    draft = "/console/services/assistant/revisions/2/"
    form = settings_of(console.get(draft).content.decode())

    answer = console.post(draft + "preview/", {**form, "context_template": "<<{count}>> {memories}"})
    assert "&lt;&lt;3&gt;&gt; 1. {" in answer.content.decode()
    assert assistant.service.revisions.get(number=2).context_template == ""


def test_a_key_is_shown_once_rotated_and_revoked(console: Client, assistant: Runtime) -> None:
    page = console.post("/console/services/assistant/keys/", {"name": "prod", "permissions": ["recall"]})
    secret = re.search(r"mk_[\w-]{40,}", page.content.decode())
    assert secret
    assert secret[0] not in console.get("/console/services/assistant/keys/").content.decode()
    assert keys.recognise(secret[0]) is not None

    key = ServiceKey.objects.get(name="prod")
    page = console.post(f"/console/services/assistant/keys/{key.pk}/rotate/", {"hours": "0"})
    successor = re.search(r"mk_[\w-]{40,}", page.content.decode())
    assert successor
    assert keys.recognise(secret[0]) is None
    assert keys.recognise(successor[0]) is not None

    key = ServiceKey.objects.filter(name="prod").latest("created_at")
    console.post(f"/console/services/assistant/keys/{key.pk}/revoke/")
    assert keys.recognise(successor[0]) is None


@pytest.mark.parametrize("rotating", [False, True])
def test_reloading_the_page_of_a_new_key_makes_no_other_key(
    console: Client, assistant: Runtime, rotating: bool
) -> None:
    place = "/console/services/assistant/keys/"
    [once] = set(re.findall(r'name="once" value="([\w-]+)"', console.get(place).content.decode()))
    asked = {"name": "bot", "permissions": ["recall"], "once": once}
    if rotating:
        place, asked = f"{place}{ServiceKey.objects.get().pk}/rotate/", {"hours": "1", "once": once}
    first, reloaded = console.post(place, asked), console.post(place, asked, follow=True)
    assert (first.status_code, reloaded.status_code, ServiceKey.objects.count()) == (201, 200, 2)
    assert "shown only once" in reloaded.content.decode()


def test_failed_turns_are_listed_by_id_and_tried_again(
    console: Client, assistant: Runtime, homebot: Runtime, minji: Person
) -> None:
    assistant.report("minji", f"내 프로젝트 이름은 {SECRET} 이야", "t-1")
    homebot.report("minji", "안녕", "t-2")
    Turn.objects.update(state=TurnState.FAILED, error="ExtractorDown", finished_at="2026-05-16T00:00:00Z")

    page = console.get("/console/services/assistant/extraction/").content.decode()
    assert "t-1" in page
    assert "ExtractorDown" in page
    assert "t-2" not in page
    assert SECRET not in page

    foreign = Turn.objects.get(turn_id="t-2")
    console.post("/console/services/assistant/extraction/retry/", {"ids": [str(foreign.pk), "nonsense"]})
    assert Turn.objects.filter(state=TurnState.FAILED).count() == 2
    console.post("/console/services/assistant/extraction/retry/", {"all": "1"})
    assert Turn.objects.get(turn_id="t-1").state == TurnState.PENDING
    assert Turn.objects.get(turn_id="t-2").state == TurnState.FAILED


def test_no_console_page_shows_what_people_said(
    console: Client, super_admin: Client, assistant: Runtime, minji: Person
) -> None:
    assistant.report("minji", f"내 프로젝트 이름은 {SECRET} 이야")
    assistant.save("minji", f"프로젝트 이름은 {SECRET}")
    assistant.recall("minji", SECRET)

    for browser in (console, super_admin):
        for name in (
            "console_service",
            "console_keys",
            "console_extraction",
            "console_members",
            "console_cost",
        ):
            assert SECRET not in browser.get(reverse(name, args=["assistant"])).content.decode()
    assert SECRET not in super_admin.get("/console/system/").content.decode()


def test_members_come_and_go_but_the_last_one_stays(
    console: Client, assistant: Runtime, minji: Person
) -> None:
    path = "/console/services/assistant/members/"
    assert "There is no login of this name." in console.post(path, {"username": "nobody"}).content.decode()
    console.post(path, {"username": "minji"})
    assert ServiceMember.objects.count() == 2

    admin = User.objects.get(username="assistant-admin")
    console.post(f"{path}{User.objects.get(username='minji').pk}/remove/")
    answer = console.post(f"{path}{admin.pk}/remove/", follow=True)
    assert "The last admin cannot be removed." in answer.content.decode()
    assert ServiceMember.objects.get().user == admin


def test_the_global_switch_stops_per_turn_extraction_everywhere(
    super_admin: Client, assistant: Runtime, minji: Person
) -> None:
    super_admin.post("/console/system/", {"per_turn_extraction_allowed": "off"})
    assert assistant.report("minji", "저는 판교에서 일해요", "t-1").json()["extraction"] == "nightly"

    super_admin.post("/console/system/", {"per_turn_extraction_allowed": "on"})
    assert assistant.report("minji", "저는 판교에서 일해요", "t-2").json()["extraction"] == "queued"
    assert SystemSettings.current().updated_by == User.objects.get(username="root")


def test_a_deployed_revision_is_the_only_one(console: Client, assistant: Runtime) -> None:
    for _ in range(2):
        console.post("/console/services/assistant/revisions/draft/")
    console.post("/console/services/assistant/revisions/3/deploy/")
    states = dict(assistant.service.revisions.values_list("number", "state"))
    assert states == {1: RevisionState.RETIRED, 2: RevisionState.DRAFT, 3: RevisionState.DEPLOYED}


def public_pem() -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = Ed25519PrivateKey.generate().public_key()
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def test_signed_users_can_be_required_once_there_is_a_key(
    console: Client, assistant: Runtime, minji: Person
) -> None:
    path = "/console/services/assistant/assertions/"
    answer = console.post(f"{path}require/", {"required": "on"}, follow=True)
    assert "Register a key first" in answer.content.decode()

    refused = console.post(path, {"kid": "k1", "public_key": "-----BEGIN PUBLIC KEY-----\nnonsense"})
    assert "Paste public keys in PEM" in refused.content.decode()
    console.post(path, {"kid": "k1", "public_key": public_pem()})
    assert (
        "registered already" in console.post(path, {"kid": "k1", "public_key": public_pem()}).content.decode()
    )

    console.post(f"{path}require/", {"required": "on"})
    assert assistant.save("minji", "커피를 좋아해요").status_code == 401
    key = assistant.service.assertion_keys.get()
    assert "It is the last key" in console.post(f"{path}{key.pk}/revoke/", follow=True).content.decode()
    console.post(f"{path}require/", {"required": "off"})
    assert assistant.save("minji", "커피를 좋아해요").status_code == 201
    console.post(f"{path}{key.pk}/revoke/")
    key.refresh_from_db()
    assert key.revoked_at is not None
    page = console.get("/console/services/assistant/").content.decode()
    for action in (
        "Added a key for signed users",
        "Changed whether users must be signed",
        "Revoked a key for signed users",
    ):
        assert action in page


def test_every_setting_of_a_revision_can_be_set_in_the_console() -> None:
    from memoryapp.forms.console import RevisionForm

    assert set(RevisionForm.base_fields) == set(SETTINGS)


def test_the_super_admin_changes_the_embedding_without_a_gap(
    super_admin: Client, assistant: Runtime, minji: Person, work: Any
) -> None:
    from memoryapp.index import spaces

    assistant.save("minji", "커피를 좋아해요")
    before = spaces.serving()
    path = "/console/system/embedding/"
    refused = super_admin.post(
        f"{path}propose/", {"provider": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
    )
    assert "Nothing was changed." in refused.content.decode()
    assert "Name the model." in super_admin.post(f"{path}propose/", {"provider": "openai"}).content.decode()
    assert "answers, in" in super_admin.post(f"{path}test/", follow=True).content.decode()
    assert (spaces.serving(), spaces.building()) == (before, None)


def test_a_space_being_built_is_shown_and_can_be_given_up(
    super_admin: Client, assistant: Runtime, minji: Person
) -> None:
    from memoryapp.index import spaces
    from memoryapp.models import EmbeddingSpace

    assistant.save("minji", "커피를 좋아해요")
    spaces.propose(EmbeddingSpace(provider="fake", model="other", dims=64))

    page = super_admin.get("/console/system/").content.decode()
    assert "fake/other" in page
    assert "0 / 1" in page
    assert 'hx-trigger="every' in page
    stopped = super_admin.post("/console/system/embedding/pause/", follow=True).content.decode()
    assert "Building fake/other" in stopped
    assert "was stopped" in stopped
    assert '<span class="chip">stopped</span>' in stopped
    assert 'hx-trigger="every' not in stopped
    assert "0 / 1" in super_admin.post("/console/system/embedding/resume/", follow=True).content.decode()
    super_admin.post("/console/system/embedding/cancel/")
    assert spaces.building() is None
