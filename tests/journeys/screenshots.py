"""Pictures of every page in both languages, for the docs.

    MEMORYAPP_DATA_DIR=/tmp/fresh make run        # in one terminal: a fresh demo
    python -m tests.journeys.screenshots /tmp/fresh/quickstart.json

fills the demo with Minji's invented life over the API, as runtimes do, and writes static/img/pages/<language>/*.jpg.
"""

import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
from playwright.sync_api import BrowserContext, Page, sync_playwright

from memoryapp.extract.fake import chat_endpoint
from tests.journeys.chromium import FLAGS, chromium

TARGET = Path(__file__).resolve().parent.parent.parent / "static" / "img" / "pages"
SIZE: Any = {"width": 1200, "height": 800}

TURNS = (
    "저는 판교에서 백엔드 개발자로 일해요",
    "땅콩 알레르기가 있어요",
    "아침 회의는 10시 이후에 잡아 주세요",
    "요즘 주말마다 북한산에 등산을 가요",
    "커피보다 녹차를 좋아해요",
    "제 전화번호는 010-1234-5678이에요",
)
QUESTIONS = ("어디서 일하는지 알아?", "음식 추천해 줘", "주말에 뭐 하지?")

#: What a model finds in the same turns, when the draft is tried.
FINDS = (
    ("판교에서 백엔드 개발자로 일해요", "PROFILE"),
    ("땅콩 알레르기가 있어요", "PROFILE"),
    ("아침 회의는 10시 이후에", "PREFERENCE"),
    ("주말마다 북한산에 등산을 가요", "EVENT"),
    ("녹차를 좋아해요", "PREFERENCE"),
    ("", ""),
)

#: (file name, whose browser, path). ">words" is the first link with these words in the page before it, or in the
#: list of memories; what follows is added to its address.
PAGES = (
    ("sign-in", "", "/accounts/login/"),
    ("memories", "minji", "/me/memories/"),
    ("memory", "minji", ">판교"),
    ("correct", "minji", ">판교 correct/"),
    ("correct-json", "minji", ">판교 correct/json/"),
    ("consent", "minji", "/me/consent/"),
    ("activity", "minji", "/me/activity/"),
    ("voices", "minji", "/me/voices/"),
    ("contexts", "minji", "/me/contexts/"),
    ("import", "minji", "/me/import/"),
    ("export", "minji", "/me/export/"),
    ("erase", "minji", "/me/erase/"),
    ("settings", "minji", "/me/settings/"),
    ("services", "admin", "/console/services/"),
    ("service", "admin", "/console/services/assistant/"),
    ("revision", "admin", "/console/services/assistant/revisions/2/"),
    ("replay", "admin", "/console/services/assistant/revisions/2/replay/ >minji"),
    ("keys", "admin", "/console/services/assistant/keys/"),
    ("extraction", "admin", "/console/services/assistant/extraction/"),
    ("cost", "admin", "/console/services/assistant/cost/"),
    ("members", "admin", "/console/services/assistant/members/"),
    ("system", "super", "/console/system/"),
    ("docs", "", "/docs/"),
)


def main(quickstart: Path) -> None:
    demo = json.loads(quickstart.read_text())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for language in ("ko", "en"):
            windows = _windows(browser, demo, language)
            if language == "ko":
                _live_a_little(demo, windows)
            for name, who, path in PAGES:
                _picture(windows[who].pages[0], demo["base_url"], path, TARGET / language / f"{name}.jpg")
        browser.close()


def _windows(browser: Any, demo: dict[str, Any], language: str) -> dict[str, BrowserContext]:
    logins = {
        "minji": demo["users"][0],
        "admin": demo["service_admin"],
        "super": demo["super_admin"],
        "": None,
    }
    windows = {}
    for who, login in logins.items():
        context = browser.new_context(viewport=SIZE, locale=language, timezone_id="Asia/Seoul")
        page = context.new_page()
        if login:
            page.goto(f"{demo['base_url']}/accounts/login/")
            page.fill("[name=login]", login["username"])
            page.fill("[name=password]", login["password"])
            page.press("[name=password]", "Enter")
            page.wait_for_url("**/services/" if who != "minji" else "**/memories/")
        windows[who] = context
    return windows


def _live_a_little(demo: dict[str, Any], windows: dict[str, BrowserContext]) -> None:
    """Minji allows memory and talks; the admin drafts a revision."""
    base = demo["base_url"]
    page = windows["minji"].pages[0]
    page.goto(f"{base}/me/consent/")
    master = page.get_by_role("switch").first
    if master.get_attribute("aria-checked") == "false":
        master.click()
    key = demo["services"][0]["api_key"]
    with httpx.Client(
        base_url=f"{base}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=30
    ) as api:
        for number, text in enumerate(TURNS):
            turn = {"user_id": "minji", "session_id": "demo", "turn_id": f"demo-{number}", "user_text": text}
            api.post("turns", json={**turn, "assistant_text": "네, 기억해 둘게요."}).raise_for_status()
        api.post(
            "memories",
            json={"user_id": "minji", "fact": "이번 분기 과제 이름은 푸른고래", "scope": "service"},
        )
        _until_read(api)
        for question in QUESTIONS:
            api.post("recall", json={"user_id": "minji", "query": question}).raise_for_status()
    page.goto(f"{base}/me/consent/")
    page.locator("#trials").get_by_role("switch").first.click()
    _try_a_draft(base, windows["admin"].pages[0])


def _try_a_draft(base: str, page: Page) -> None:
    """The admin drafts a revision that reads with a model, and tries it on what Minji said today."""
    with chat_endpoint(*(_answer(quote, kind) for quote, kind in FINDS)) as model:
        page.goto(f"{base}/console/services/assistant/")
        page.get_by_role("button", name="새 초안").click()
        page.locator("[name=extractor][value=llm]").check()
        page.locator("[name=extractor_url]").fill(model.url)
        page.locator("[name=extractor_model]").fill("small-model")
        page.get_by_label("한 번에 꺼낼 개수").fill("12")
        page.get_by_role("button", name="초안 저장").click()
        page.get_by_role("link", name="하루치 대화에 시험하기").click()
        page.get_by_label("날짜").fill(f"{datetime.now(ZoneInfo('Asia/Seoul')).date()}")
        page.get_by_role("button", name="시험 시작").click()
        page.locator("#replay:not([hx-trigger])").wait_for(timeout=60_000)


def _answer(quote: str, kind: str) -> dict[str, Any]:
    return {"facts": [{"statement": quote, "quote": quote, "memory_type": kind}] if quote else []}


def _until_read(api: httpx.Client) -> None:
    """The worker reads the turns in its own time."""
    for number in range(len(TURNS)):
        for _ in range(60):
            state = api.get(f"turns/demo-{number}", params={"user_id": "minji"}).json()["state"]
            if state not in ("pending", "running"):
                break
            time.sleep(0.5)


def _picture(page: Page, base_url: str, path: str, file: Path) -> None:
    start, link, words = path.partition(">")
    if link:
        words, _, rest = words.partition(" ")
        page.goto(base_url + (start.strip() or "/me/memories/"))
        page.locator("main li a", has_text=words).first.click()
        page.wait_for_url("**/*-*-*-*-*/")
        path = page.url.removeprefix(base_url) + rest
    page.goto(base_url + path)
    file.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=file, type="jpeg", quality=72)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
