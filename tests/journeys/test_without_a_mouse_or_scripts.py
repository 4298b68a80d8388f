"""Keyboard only, without JavaScript, with reduced motion: everything still works."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from memoryapp.models import Memory
from speakers.models import Person
from tests.conftest import Runtime
from tests.journeys.conftest import Visitor

pytestmark = pytest.mark.browser


def test_without_scripts_one_can_decide_find_delete_and_read_on(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    for number in range(31):
        assistant.save("minji", f"{number}번 버스를 자주 타요")
    browser = visit("minji", language="en", java_script_enabled=False)
    page = browser.go("/me/memories/")
    assert page.get_by_label("Select this page").is_hidden()

    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".row")).to_have_count(1)
    page.go_back()
    page.locator('.row input[name="ids"]').first.check()
    page.get_by_role("button", name="Delete selected").click()
    expect(page.get_by_role("heading", name="Delete 1 memory?")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("1 memory was deleted.")).to_be_visible()
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 30

    page.get_by_role("searchbox").fill("버스")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".row")).to_have_count(30)

    browser.go("/me/consent/")
    page.get_by_role("switch", name="Long-term memory").first.click()
    expect(page.get_by_text("Nothing is remembered or used from now on")).to_be_visible()


def test_the_keyboard_reaches_everything_in_order(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    assistant.save("minji", "커피를 좋아해요")
    page = visit("minji", language="en").go("/me/memories/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox")).to_be_focused()

    page.get_by_role("checkbox", name="커피를 좋아해요").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Delete selected").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("button", name="Keep")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Delete selected")).to_be_focused()
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 1


def test_whoever_wants_less_motion_gets_none(visit: Callable[..., Visitor], minji: Person) -> None:
    page = visit("minji", reduced_motion="reduce").go("/me/consent/")

    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s').length"
    )
    assert moving == 0
