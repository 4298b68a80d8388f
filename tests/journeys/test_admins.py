"""A service admin configures and deploys; the super-admin holds the switches above."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memoryapp.models import AssertionKey, KeyUrl, ServiceMember
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime
from tests.journeys.conftest import Visitor

pytestmark = pytest.mark.browser


@pytest.fixture
def admin(assistant: Runtime) -> User:
    user = User.objects.create_user("hana", password=PASSWORD)
    ServiceMember.objects.create(service=assistant.service, user=user)
    return user


def test_an_admin_drafts_previews_deploys_and_rolls_back(
    visit: Callable[..., Visitor], admin: User, assistant: Runtime, homebot: Runtime
) -> None:
    page = visit("hana", language="en").go("/console/services/")
    assert "Homebot" not in page.content()
    page.get_by_role("link", name="Assistant", exact=True).click()
    page.get_by_role("button", name="New draft").click()
    page.get_by_label("Memories per recall").fill("3")
    page.get_by_label("Context template").fill("no placeholder")
    page.get_by_role("button", name="Preview with sample memories").click()
    expect(page.locator("#preview")).to_contain_text("It must contain {memories}")
    page.get_by_label("Context template").fill("[[{count}]] {memories}")
    page.get_by_role("button", name="Preview with sample memories").click()
    expect(page.locator("#preview pre")).to_contain_text("[[3]] 1. {")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.get_by_text("Different from the deployed revision 1")).to_be_visible()
    assert assistant.revision.number == 1

    page.get_by_label("Memories per recall").fill("4")
    page.get_by_role("button", name="Save and deploy").click()
    expect(page.get_by_text("Revision 2 is deployed.")).to_be_visible()
    assert assistant.revision.recall_top_k == 4  # what was typed last, not what was saved before
    page.get_by_role("button", name="Roll back to this").click()
    expect(page.get_by_text("Rolled back to revision 1.")).to_be_visible()
    assert assistant.revision.number == 1


def test_keys_from_a_url_appear_by_themselves_while_another_url_is_typed(
    visit: Callable[..., Visitor], admin: User, assistant: Runtime
) -> None:
    page = visit("hana", language="en").go("/console/services/assistant/assertions/")
    page.get_by_label("URL of the JWK set").fill("https://keys.example/jwks.json")
    page.keyboard.press("Enter")
    state = page.locator("#key-url-state")
    expect(state).to_contain_text("being fetched")
    page.get_by_text("Change the URL").press("Enter")
    page.get_by_label("URL of the JWK set").fill("https://keys.example/n")

    AssertionKey.objects.create(service=assistant.service, kid="2026-11", public_key="", from_url=True)
    KeyUrl.objects.update(claimed_at=timezone.now(), fetched_at=timezone.now())
    expect(state).to_contain_text("works")
    expect(page.locator("#public-keys")).to_contain_text("2026-11")
    expect(page.get_by_label("URL of the JWK set")).to_have_value("https://keys.example/n")
    page.get_by_text("Remove the URL").press("Enter")
    page.get_by_role("button", name="Remove it now").press("Enter")
    expect(page.get_by_text("The URL is removed.")).to_be_visible()
    expect(page.locator("#public-keys")).to_contain_text("1 revoked key")


def test_a_new_key_works_and_is_shown_only_once(
    visit: Callable[..., Visitor], admin: User, assistant: Runtime, minji: Person
) -> None:
    page = visit("hana", language="en").go("/console/services/assistant/keys/")
    page.get_by_label("Name").fill("production")
    page.get_by_role("button", name="Issue").click()
    secret = page.locator("#secret").inner_text()

    assistant.secret = secret
    assert assistant.save("minji", "커피를 좋아해요").status_code == 201
    page.goto(page.url)
    assert secret not in page.content()
    page.get_by_text("Rotate or revoke").first.click()
    assert not page.get_by_role("button", name="Revoke now").first.is_visible()
    page.get_by_text("Revoke", exact=True).first.click()
    page.get_by_role("button", name="Revoke now").first.click()
    expect(page.get_by_text("The key is revoked.")).to_be_visible()
    assert assistant.save("minji", "커피를 좋아해요").status_code == 401


def test_the_super_admin_switches_per_turn_extraction_off_for_all(
    visit: Callable[..., Visitor], assistant: Runtime, minji: Person
) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    page = visit("root", language="en").go("/console/system/")

    page.get_by_role("switch", name="Per-turn extraction").click()

    expect(page.get_by_text("Per-turn extraction is off everywhere.")).to_be_visible()
    assert assistant.report("minji", "저는 판교에서 일해요").json()["extraction"] == "nightly"
    expect(page.get_by_role("switch", name="Per-turn extraction")).to_have_attribute("aria-checked", "false")


def test_a_person_sees_no_console(visit: Callable[..., Visitor], minji: Person) -> None:
    page = visit("minji", language="en").go("/console/services/")

    expect(page.get_by_text("You are not allowed to do this.")).to_be_visible()
    page = visit("minji", language="en").go("/me/memories/")
    expect(page.get_by_role("navigation", name="Main menu")).not_to_contain_text(re.compile("Console"))


def test_the_operators_admin_works_under_its_content_security_policy(
    visit: Callable[..., Visitor], assistant: Runtime, minji: Person
) -> None:
    """Whatever the policy blocks is an error in the browser's console, which `visit` fails for."""
    User.objects.create_superuser("root", password=PASSWORD)
    root = visit("root", language="en")
    for path in ("", "speakers/user/", "speakers/user/add/", "memoryapp/memory/", "memoryapp/adminaction/"):
        root.go(f"/admin/{path}")
    page = root.go("/admin/memoryapp/servicemember/add/")
    page.locator(".select2-selection").first.click()
    page.get_by_role("option", name="assistant").click()
    page.locator(".select2-selection").last.click()
    page.get_by_role("option", name="minji").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/servicemember/")
    assert ServiceMember.objects.filter(service=assistant.service, user=minji.login).exists()
