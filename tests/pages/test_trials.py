"""Trials on the pages: allowed and ended on mine, made and read in the console by the service's own admins."""

import inspect
import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryapp import nightly, reconcile, remember, replay, revisions
from memoryapp.extract.fake import chat_endpoint
from memoryapp.models import NightlyRun, Replay, ReplayGrant, ServiceMember, Turn
from memoryapp.pages.console_replay import OUTCOMES
from memoryapp.reconcile import Operation
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime

WORK = "저는 판교에서 백엔드 개발자로 일해요"
PAGE = "/console/services/assistant/revisions/2/replay/"


@pytest.fixture
def console(assistant: Runtime, admin_of: Any) -> Client:
    browser: Client = admin_of(assistant)
    revisions.draft(assistant.service)
    return browser


@pytest.fixture
def said(assistant: Runtime, minji: Person, work: Any) -> None:
    assistant.report("minji", WORK, "t-1")
    work()


def today() -> str:
    return timezone.now().astimezone(ZoneInfo("Asia/Seoul")).date().isoformat()


def allow(browser: Client, granted: str = "on", slug: str = "assistant") -> Any:
    return browser.post("/me/consent/trials/", {"service": slug, "granted": granted}, follow=True)


def start(console: Client) -> str:
    """Start a trial of Minji's day and let the worker read it. → its address"""
    answer = console.post(PAGE, {"person": "minji", "day": today()})
    assert answer.status_code == 302, answer.content.decode()
    replay.run(Replay.objects.latest("created_at").pk)
    return str(answer["Location"])


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_trials_are_off_until_allowed_and_can_be_ended(
    said: None, at_minjis: Client, console: Client
) -> None:
    page = at_minjis.get("/me/consent/").content.decode()
    assert "Trials of new settings" in page
    assert "Allow trials" in page
    assert "Nobody agrees at present." in text(console.get(PAGE))

    assert "End trials" in allow(at_minjis).content.decode()
    assert ReplayGrant.objects.get().person.user_id == "minji"
    start(console)
    assert "revision 2 was tried on 1 turn of" in text(at_minjis.get("/me/consent/"))

    assert "Ended. What was found is gone." in allow(at_minjis, "off").content.decode()
    assert Replay.objects.count() == 0


def test_no_trials_are_offered_while_memory_is_off(at_minjis: Client, said: None) -> None:
    at_minjis.post("/me/consent/long_term_memory/", {"granted": "off"})
    assert "Trials of new settings" not in at_minjis.get("/me/consent/").content.decode()
    assert allow(at_minjis).status_code == 403
    assert allow(at_minjis, slug="nowhere").status_code == 404


def test_facts_and_cost_stand_side_by_side(
    said: None, at_minjis: Client, console: Client, assistant: Runtime
) -> None:
    allow(at_minjis)
    found = {"statement": "백엔드 개발자", "quote": "백엔드 개발자", "memory_type": "PROFILE"}
    with chat_endpoint({"facts": [found]}) as model:
        draft = assistant.service.revisions.get(number=2)
        revisions.edit(draft, extractor="llm", extractor_url=model.url, extractor_model="gpt-tried")
        where = start(console)
    page = text(console.get(where))
    assert "minji agreed, until" in page
    assert "1 of 1 turn read" in page
    assert "Language model · gpt-tried" in page
    assert re.search(r"Model calls 0 1 ", page)
    assert re.search(r"Facts found \d 1 ", page)
    assert "백엔드 개발자 only here" in page
    assert "remembered already" in page
    booked = text(console.get("/console/services/assistant/cost/"))
    assert "Trials" in booked


def test_what_goes_wrong_is_told_beside_the_form(said: None, at_minjis: Client, console: Client) -> None:
    allow(at_minjis)
    for form, told in (
        ({"person": "minji", "day": "2026-01-01"}, "Nothing was said on this day."),
        ({"person": "minji", "day": "0001-01-01"}, "Nothing was said on this day."),
        ({"person": "jiho", "day": today()}, "Select a valid choice."),
        ({"person": "minji", "day": "someday"}, "Enter a valid date."),
    ):
        answer = console.post(PAGE, form)
        assert answer.status_code == 422
        assert told in answer.content.decode()
    console.post(PAGE, {"person": "minji", "day": today()})
    again = console.post(PAGE, {"person": "minji", "day": today()})
    assert "This trial is under way already." in again.content.decode()


def test_every_outcome_has_its_words() -> None:
    sources = "".join(inspect.getsource(module) for module in (reconcile, remember))
    reasons = set(re.findall(r'Operation\.NOOP, reason="([\w-]+)"', sources))
    late = set(re.findall(r'reason="([\w-]+)",\s+late=True', sources))
    assert {"same-source", "forgotten", "older-statement"} <= reasons | late
    assert (reasons | late | set(Operation)) - {"noop", "source-withdrawn"} <= set(OUTCOMES)


def test_a_trial_under_way_shows_how_far_it_is(said: None, at_minjis: Client, console: Client) -> None:
    allow(at_minjis)
    where = console.post(PAGE, {"person": "minji", "day": today()})["Location"]
    page = console.get(where).content.decode()
    assert "0 of 1 turn read" in page
    assert "Not read yet." in page
    assert 'hx-trigger="every 2s"' in page
    replay.run(Replay.objects.get().pk)
    assert "hx-trigger" not in console.get(where).content.decode()


def test_a_day_too_long_for_a_trial_says_where_it_ends(
    said: None, at_minjis: Client, console: Client, assistant: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    assistant.report("minji", "저는 매운 음식을 못 먹어요", "t-2")
    allow(at_minjis)
    assert "the first" not in text(console.get(start(console)))
    Replay.objects.all().delete()
    monkeypatch.setattr(replay, "MOST_TURNS", 1)
    page = text(console.get(start(console)))
    assert "1 of 1 turn read" in page
    assert "reads the first 1 turns of a day" in page


def test_nobody_else_sees_a_trial(
    said: None, at_minjis: Client, console: Client, super_admin: Client, homebot: Runtime, signed_in: Any
) -> None:
    allow(at_minjis)
    where = start(console)
    ServiceMember.objects.create(
        service=homebot.service, user=User.objects.create_user("sora", password=PASSWORD)
    )
    for browser in (signed_in("sora"), super_admin, at_minjis):
        for path in (PAGE, where):
            assert browser.get(path).status_code == 404
        assert browser.post(PAGE, {"person": "minji", "day": today()}).status_code == 404
    # Not through another revision's or another service's address either.
    for other in (where.replace("/2/", "/1/"), where.replace("assistant", "homebot")):
        assert console.get(other).status_code == 404
    assert (
        "Try it on a day" not in super_admin.get("/console/services/assistant/revisions/2/").content.decode()
    )


def test_when_the_leave_ends_the_page_is_gone(said: None, at_minjis: Client, console: Client) -> None:
    allow(at_minjis)
    where = start(console)
    assert console.get(where).status_code == 200
    allow(at_minjis, "off")
    assert console.get(where).status_code == 404
    assert "minji" not in text(console.get(PAGE))


def test_a_leave_that_has_run_out_shows_nothing_before_it_is_cleared_away(
    said: None, at_minjis: Client, console: Client
) -> None:
    allow(at_minjis)
    where = start(console)
    ReplayGrant.objects.update(until=timezone.now())
    assert console.get(where).status_code == 404
    assert where not in console.get(PAGE).content.decode()


def test_the_page_takes_as_many_queries_for_many_turns_as_for_few(
    minji: Person, at_minjis: Client, console: Client, assistant: Runtime, work: Any
) -> None:
    def queries(turns: int) -> int:
        for number in range(turns):
            assistant.report("minji", WORK, f"t-{turns}-{number}")
        work()
        where = start(console)
        console.get(where)  # notes the first look
        with CaptureQueriesContext(connection) as captured:
            assert console.get(where).status_code == 200
        return len(captured)

    assistant.report("minji", WORK, "t-0")
    allow(at_minjis)
    assert queries(1) == queries(6)


def test_a_night_shows_how_its_turns_stand(console: Client, minji: Person, assistant: Runtime) -> None:
    def night(days: int) -> NightlyRun:
        date = timezone.now().date() - timedelta(days=days)
        made = NightlyRun.objects.create(
            service=assistant.service, local_date=date, started_at=timezone.now(), turns=4
        )
        for number, state in enumerate(("done", "done", "failed")):
            assistant.report("minji", WORK, f"t-{days}-{number}")
            Turn.objects.filter(turn_id=f"t-{days}-{number}").update(state=state, night=made)
        return made

    def look() -> tuple[str, int]:
        with CaptureQueriesContext(connection) as captured:
            page = console.get("/console/services/assistant/extraction/")
        return text(page), len(captured)

    first = night(1)
    page, few = look()
    assert "4 turns read 2 · failed 1 · taken up again later, or gone 1" in page
    assert nightly.progress(first) == {"done": 2, "failed": 1}
    night(2)
    night(3)
    assert look()[1] == few
