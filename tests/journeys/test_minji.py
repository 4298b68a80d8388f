"""Minji's way: finds memory off, reads, switches it on, is remembered, corrects, deletes, switches off."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from speakers.models import Person
from tests.conftest import Runtime
from tests.journeys.conftest import Visitor

pytestmark = pytest.mark.browser

WORK = "저는 판교에서 백엔드 개발자로 일해요"


def test_from_off_to_on_to_remembered_corrected_deleted_and_off_again(
    visit: Callable[..., Visitor], make_person: Any, assistant: Runtime, work: Callable[[], None]
) -> None:
    make_person("minji", consents=())
    minji = visit()
    minji.sign_in("minji")
    page = minji.page
    expect(page).to_have_url(re.compile("/me/memories/"))
    expect(page.get_by_text("아직 기억한 것이 없습니다.")).to_be_visible()
    assert assistant.report("minji", WORK, "t-0").json()["reason"] == "no-consent"

    page.get_by_role("link", name="읽고 결정하기").click()
    expect(page.get_by_text("언제든 끌 수 있습니다.")).to_be_visible()
    page.get_by_role("switch", name="장기 메모리").first.click()
    expect(page.get_by_text("장기 메모리를 켰습니다.")).to_be_visible()

    assert assistant.report("minji", WORK, "t-1").json()["stored"] is True
    work()
    page.get_by_role("link", name="내 메모리").click()
    expect(page.get_by_role("link", name=re.compile("판교에서 백엔드 개발자"))).to_be_visible()
    for shown in ("프로필", "개인", "검색 가능"):
        expect(page.locator(".row")).to_contain_text(shown)
    assert "판교" in assistant.recall("minji", "어디서 일하는지 알아?")["context"]

    page.get_by_role("link", name=re.compile("판교에서")).click()
    expect(page.get_by_text(WORK).nth(1)).to_be_visible()  # the turn it comes from
    page.get_by_role("link", name="고치기").click()
    page.get_by_label("기억한 내용").fill("저는 강남에서 백엔드 개발자로 일해요")
    page.get_by_role("button", name="저장").click()
    expect(page.locator("del")).to_have_text(re.compile("판교에서"))
    expect(page.locator("ins")).to_have_text(re.compile("강남에서"))
    assert all("판교" not in fact for fact in assistant.facts("minji", "판교에서 일해?"))

    assistant.save("minji", "매운 음식을 좋아해요")
    page.get_by_role("link", name="내 메모리").first.click()
    page.get_by_role("checkbox", name=re.compile("매운 음식")).check()
    expect(page.locator("#selected")).to_have_text("1개 선택")
    page.get_by_role("button", name="선택한 것 지우기").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("기억 1개를 지울까요?")
    dialog.get_by_role("button", name="지우기").click()
    expect(page.get_by_text("기억 1개를 지웠습니다.")).to_be_visible()
    assert "매운" not in minji.text()
    assert all("매운" not in fact for fact in assistant.facts("minji", "매운 음식"))

    page.get_by_role("link", name="장기 메모리 켜짐").click()
    page.get_by_role("switch", name="장기 메모리").first.click()
    expect(page.get_by_role("link", name="장기 메모리 꺼짐")).to_be_visible()
    assert assistant.recall("minji", "어디서 일해?")["reason"] == "no-consent"
    minji.go("/me/memories/")
    expect(page.get_by_role("link", name=re.compile("강남에서"))).to_be_visible()


def test_jiho_gets_nowhere_near_her_memories(
    visit: Callable[..., Visitor], minji: Person, jiho: Person, assistant: Runtime
) -> None:
    memory_id = assistant.save("minji", WORK).json()["memory"]["memory_id"]
    browser = visit("jiho")

    for path in (f"/me/memories/{memory_id}/", f"/me/memories/{memory_id}/correct/"):
        page = browser.go(path)
        expect(page.get_by_text("없는 페이지이거나")).to_be_visible()
        assert "판교" not in browser.text()


def test_in_two_tabs_the_second_keeps_what_it_typed(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    memory_id = assistant.save("minji", WORK).json()["memory"]["memory_id"]
    browser = visit("minji", language="en")
    first, second = browser.page, browser.context.new_page()
    for tab in (first, second):
        tab.goto(f"{browser.base_url}/me/memories/{memory_id}/correct/")
    first.get_by_label("What is remembered").fill("저는 강남에서 일해요")
    first.get_by_role("button", name="Save").click()

    second.get_by_label("What is remembered").fill("저는 제주에서 일해요")
    second.get_by_role("button", name="Save").click()

    expect(second.get_by_text("It was changed elsewhere in the meantime.")).to_be_visible()
    expect(second.get_by_text("저는 강남에서 일해요")).to_be_visible()
    expect(second.get_by_label("What is remembered")).to_have_value("저는 제주에서 일해요")
    second.get_by_role("button", name="Save mine on top").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("저는 제주에서 일해요")


def test_a_mask_lifts_in_its_row(visit: Callable[..., Visitor], minji: Person, assistant: Runtime) -> None:
    assistant.save("minji", "내 전화번호는 010-1234-5678이야")
    page = visit("minji").go("/me/memories/")
    assert "010" not in page.content()

    page.get_by_role("link", name="보기", exact=True).click()

    expect(page.get_by_role("link", name="내 전화번호는 010-1234-5678이야")).to_be_visible()
    expect(page).to_have_url(re.compile("/me/memories/$"))


def test_hangul_being_composed_is_searched_when_enter_is_pressed(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    assistant.save("minji", "부산에서 살아요")
    browser = visit("minji")
    page = browser.go("/me/memories/")
    keyboard = browser.context.new_cdp_session(page)
    page.get_by_role("searchbox").focus()

    for shown in ("ㅂ", "부", "부ㅅ", "부사", "부산"):
        keyboard.send("Input.imeSetComposition", {"text": shown, "selectionStart": 2, "selectionEnd": 2})
    keyboard.send("Input.insertText", {"text": "부산"})
    page.keyboard.press("Enter")

    expect(page.get_by_text("검색 결과")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("부산")
    expect(page.get_by_role("link", name="부산에서 살아요")).to_be_visible()
    assert "부산" not in page.url


def test_more_rows_come_in_place_and_can_be_selected_together(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    for number in range(35):
        assistant.save("minji", f"{number}번 버스를 자주 타요")
    page = visit("minji").go("/me/memories/")
    expect(page.locator(".row")).to_have_count(30)

    page.get_by_role("link", name="더 보기").click()
    expect(page.locator(".row")).to_have_count(35)
    page.get_by_label("이 페이지 모두 선택").check()
    expect(page.locator("#selected")).to_have_text("35개 선택")


def test_everything_is_deleted_with_the_password_and_certified(
    visit: Callable[..., Visitor], minji: Person, assistant: Runtime
) -> None:
    from tests.conftest import PASSWORD

    assistant.save("minji", WORK)
    minjis = visit("minji", language="en")
    page = minjis.go("/me/export/")
    page.get_by_role("link", name="Delete everything…").click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("I understand").check()
    page.get_by_role("button", name="Delete everything for good").click()

    expect(page.get_by_role("heading", name="Everything is deleted")).to_be_visible()
    assert not Person.objects.filter(pk=minji.pk).exists()
    assert minjis.violations() == minjis.trouble == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the certificate").click()
    assert download.value.suggested_filename == "erasure-certificate.json"
