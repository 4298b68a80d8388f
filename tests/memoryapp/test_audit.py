"""Whatever an administrator does is written down: who, what, on what, when, and never content."""

import pytest
from django.core.management import call_command
from django.test import Client

from memoryapp.models import AdminAction, ServiceMember, SystemSettings
from speakers.models import User
from tests.conftest import PASSWORD


@pytest.fixture
def admin(assistant, client):
    """Sora, who administers the assistant."""
    user = User.objects.create_user("sora", password=PASSWORD, is_superuser=True)
    ServiceMember.objects.create(service=assistant.service, user=user)
    browser = Client()
    browser.force_login(user)
    AdminAction.objects.all().delete()
    return browser


def actions() -> list[tuple[str, str, str]]:
    rows = AdminAction.objects.order_by("pk")
    return [(row.actor_name, row.action, row.service) for row in rows]


def test_keys_members_budget_and_switches_are_audited(admin, assistant, minji):
    base = "/console/services/assistant/"
    assert admin.post(base + "keys/", {"name": "new", "permissions": ["recall"]}).status_code == 201
    key = assistant.service.keys.get(name="new")
    admin.post(f"{base}keys/{key.pk}/rotate/", {"hours": 0})
    admin.post(f"{base}keys/{key.pk}/revoke/")
    admin.post(base + "members/", {"username": "minji"})
    admin.post(f"{base}members/{minji.login_id}/remove/")
    admin.post("/console/system/", {})
    assert actions() == [
        ("sora", "key.issue", "assistant"),
        ("sora", "key.rotate", "assistant"),
        ("sora", "key.revoke", "assistant"),
        ("sora", "member.add", "assistant"),
        ("sora", "member.remove", "assistant"),
        ("sora", "switch.per-turn.stop", ""),
    ]
    assert not SystemSettings.current().per_turn_extraction_allowed


def test_a_revision_s_life_is_audited_by_the_names_of_what_changed(admin, assistant):
    assistant.configure(context_template="zebra-7731 {memories}")
    drafted, edited, deployed = AdminAction.objects.order_by("pk")
    assert [row.action for row in (drafted, edited, deployed)] == [
        "revision.draft",
        "revision.edit",
        "revision.deploy",
    ]
    assert edited.changed == ["context_template"]
    assert "zebra" not in str(list(AdminAction.objects.values()))


def test_what_failed_is_not_in_the_audit(admin):
    admin.post("/console/services/assistant/members/", {"username": "nobody-of-this-name"})
    assert actions() == []


def test_an_admin_who_goes_leaves_their_name_in_the_audit(admin, assistant):
    admin.post("/console/system/", {})
    User.objects.filter(username="sora").delete()
    assert actions()[-1][0] == "sora"


def test_looking_for_erased_people_in_a_restored_database_is_audited(db, settings, tmp_path):
    settings.ERASURE_LEDGER = tmp_path / "erasures.jsonl"
    call_command("restore_check", "--dry-run")
    assert actions() == []  # it only counts
    call_command("restore_check")
    assert actions() == [("", "restore.check", "")]
