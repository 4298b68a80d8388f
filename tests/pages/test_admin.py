"""The operators' admin: it works, and shows nothing of what people said."""

from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.test import Client, RequestFactory
from django.urls import reverse

from memoryapp.admin import Audited
from memoryapp.labels import ACTIONS
from memoryapp.models import AdminAction, ChatService
from speakers.models import User
from tests.conftest import Runtime

SECRET = "zebra-7731"
NEW = "another correct horse"
PERMISSIONS = {"add": "add", "change": "change", "remove": "delete"}


@pytest.mark.django_db
def test_no_admin_page_shows_content_or_lets_it_be_changed(
    assistant: Runtime, minji: Any, super_admin: Client
) -> None:
    assistant.report("minji", f"내 프로젝트 이름은 {SECRET} 이야")
    assistant.save("minji", f"프로젝트 이름은 {SECRET}")

    for model, page in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        answer = super_admin.get(reverse(f"{name}_changelist"))
        assert answer.status_code == 200, model
        assert SECRET not in answer.content.decode()
        for row in page.model._default_manager.all()[:2]:
            answer = super_admin.get(reverse(f"{name}_change", args=[row.pk]))
            assert answer.status_code == 200, model
            assert SECRET not in answer.content.decode()


def test_a_person_has_no_business_there(at_minjis: Client) -> None:
    assert at_minjis.get("/admin/").status_code == 302


def noted() -> list[tuple[str, str, list[str]]]:
    """Action, object and names of fields of what the audit holds, oldest first."""
    return list(AdminAction.objects.order_by("pk").values_list("action", "object_id", "changed"))


def test_every_page_that_can_change_something_tells_the_audit(rf: RequestFactory, db: None) -> None:
    """By construction: what another package registers would leave its traces in Django's log alone."""
    request = rf.get("/admin/")
    request.user = User(is_staff=True, is_superuser=True, is_active=True)
    written = set()
    for page in admin.site._registry.values():
        assert isinstance(page, Audited), page
        may = {what for what, name in PERMISSIONS.items() if getattr(page, f"has_{name}_permission")(request)}
        written |= {f"{page.noted}.{what}" for what in may}
        assert set(page.actions or ()) == set(), "an action of its own has to note what it does"
    assert "login.change" in written
    assert written <= set(ACTIONS)


def test_a_login_that_is_made_mightier_is_in_the_audit(super_admin: Client) -> None:
    given = {"username": "sora", "usable_password": "true", "password1": NEW, "password2": NEW}
    assert super_admin.post("/admin/speakers/user/add/", given).status_code == 302
    sora = User.objects.get(username="sora")
    mightier = {"username": "sora", "email": "", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    place = f"/admin/speakers/user/{sora.pk}"
    for _ in range(2):  # the second changes nothing
        assert super_admin.post(f"{place}/change/", mightier).status_code == 302
    password = {"usable_password": "true", "password1": NEW + "!", "password2": NEW + "!"}
    assert super_admin.post(f"{place}/password/", password).status_code == 302
    assert super_admin.post(f"{place}/delete/", {"post": "yes"}).status_code == 302
    pk = str(sora.pk)
    assert [row for row in noted() if row[0] != "login.add"] == [
        ("login.change", pk, ["is_staff", "is_superuser"]),
        ("login.change", pk, ["password"]),
        ("login.remove", pk, []),
    ]
    assert noted()[0][:2] == ("login.add", pk)
    assert NEW not in str(noted())


def test_what_the_super_admin_did_outlives_their_login(super_admin: Client, assistant: Runtime) -> None:
    member = {"service": assistant.service.pk, "user": User.objects.get(username="root").pk}
    AdminAction.objects.all().delete()
    assert super_admin.post("/admin/memoryapp/servicemember/add/", member).status_code == 302
    User.objects.get(username="root").delete()
    row = AdminAction.objects.get()
    assert (row.actor, row.actor_name, row.action, row.service) == (None, "root", "member.add", "assistant")


def test_several_logins_deleted_at_once_are_each_in_the_audit(super_admin: Client, minji: Any) -> None:
    made = [User.objects.create_user(name).pk for name in ("gone_1", "gone_2")]
    chosen = {"action": "delete_selected", "_selected_action": made, "post": "yes"}
    assert super_admin.post("/admin/speakers/user/", chosen).status_code == 302
    assert not User.objects.filter(pk__in=made).exists()
    assert {(action, pk) for action, pk, _ in noted()} == {("login.remove", str(pk)) for pk in made}


def test_a_service_s_budget_is_in_the_audit_and_told_in_its_console(
    super_admin: Client, assistant: Runtime
) -> None:
    AdminAction.objects.all().delete()
    given = {"name": "Assistant", "zone": "Asia/Seoul", "monthly_token_budget": "500"}
    place = f"/admin/memoryapp/chatservice/{assistant.service.pk}/change/"
    assert super_admin.post(place, given).status_code == 302
    assert noted() == [("service.change", str(assistant.service.pk), ["monthly_token_budget"])]
    told = super_admin.get("/console/services/assistant/").content.decode()
    assert "Changed a service" in told
    assert "tokens a month" in told


def test_signed_users_are_not_required_past_the_console(super_admin: Client, assistant: Runtime) -> None:
    """Without a registered key nobody could be let in; the console looks after that."""
    given = {"name": "New name", "zone": "Asia/Seoul", "assertion_required": "on"}
    super_admin.post(f"/admin/memoryapp/chatservice/{assistant.service.pk}/change/", given)
    super_admin.post("/admin/memoryapp/chatservice/add/", {**given, "slug": "fresh"})
    services = ChatService.objects.filter(name="New name")
    assert {service.slug: service.assertion_required for service in services} == {
        "assistant": False,
        "fresh": False,
    }


def test_a_lock_lifted_here_is_in_the_audit(super_admin: Client, client: Client, minji: Any) -> None:
    client.post("/accounts/login/", {"login": "minji", "password": SECRET})
    attempt = AccessAttempt.objects.get(username="minji")
    place = f"/admin/axes/accessattempt/{attempt.pk}"
    assert SECRET not in super_admin.get(f"{place}/change/").content.decode()
    assert super_admin.post(f"{place}/delete/", {"post": "yes"}).status_code == 302
    assert noted() == [("lock.remove", str(attempt.pk), [])]
