"""What holds for every page: accessible, nothing from elsewhere, light, still, and never wider than the screen."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from memoryapp import gate, keys, replay, replay_grants
from memoryapp.models import KeyUrl, Replay, Turn, TurnState
from memoryapp.pairs import local_day
from memoryapp.permit import Act
from speakers import identity
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime
from tests.journeys.conftest import Visitor

pytestmark = pytest.mark.browser

OPEN = (
    "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/inactive/",
    "/accounts/confirm-email/", "/docs/", "/docs/measured/", "/docs/operations/",
    "/docs/operations/running/", "/docs/operations/environment/", "/docs/operations/data/",
    "/docs/operations/watching/", "/docs/operations/runbook/", "/docs/operations/scaling/", "/nowhere/",
)  # fmt: skip
MINE = (
    "/me/memories/", "/me/memories/?status=candidate", "/me/memories/{id}/", "/me/memories/{id}/correct/",
    "/me/memories/{id}/correct/json/", "/me/consent/", "/me/activity/", "/me/activity/?kind=looks", "/me/voices/",
    "/me/undo/", "/me/undo/turn/{turn}/", "/me/import/", "/me/settings/", "/me/export/", "/me/erase/", "/accounts/2fa/",
    "/accounts/password/change/", "/accounts/email/", "/accounts/reauthenticate/", "/accounts/logout/",
)  # fmt: skip
CONSOLE = (
    "/console/services/", "/console/services/assistant/", "/console/services/assistant/revisions/1/",
    "/console/services/assistant/revisions/2/", "/console/services/assistant/revisions/2/replay/",
    "/console/services/assistant/revisions/2/replay/{replay}/", "/console/services/assistant/keys/",
    "/console/services/assistant/extraction/", "/console/services/assistant/cost/",
    "/console/services/assistant/assertions/", "/console/services/assistant/members/", "/console/system/",
)  # fmt: skip


@pytest.fixture
def paths(minji: Person, assistant: Runtime, work: Callable[[], None]) -> dict[str, tuple[str, ...]]:
    """Every page, with something on it."""
    from memoryapp import revisions

    assistant.service.members.add(User.objects.create_superuser("root", password=PASSWORD))
    assistant.report("minji", "저는 판교에서 백엔드 개발자로 일해요", "t-1")
    work()
    memory_id = assistant.save("minji", "땅콩 알레르기가 있어요").json()["memory"]["memory_id"]
    assistant.patch(f"memories/{memory_id}", {"user_id": "minji", "statement": "호두 알레르기가 있어요"})
    assistant.save("minji", "내 전화번호는 010-1234-5678이야")
    assistant.save("minji", "현관 비밀번호는 hunter2!pass 야")
    assistant.recall("minji", "어디서 일해?")
    assert assistant.get("sync?user_id=minji&device_id=robot").status_code == 200
    link, _ = identity.attach(minji, kind="voice", external_id="spk_1", provider="livingroom")
    identity.move(link, "candidate", actor="service:homebot")
    turn = Turn.objects.get(turn_id="t-1")
    assistant.report("minji", "안녕", "t-2")
    Turn.objects.filter(turn_id="t-2").update(state=TurnState.FAILED, error="ExtractorDown")
    revisions.edit(revisions.draft(assistant.service), recall_top_k=3)
    keys.issue(assistant.service, name="old")
    _keys_from_a_url(assistant)
    trial = _tried(minji, assistant, turn)
    filled = tuple(path.format(id=memory_id, turn=turn.pk) for path in MINE)
    console = tuple(path.format(replay=trial.pk) for path in CONSOLE)
    return {"": OPEN, "minji": filled, "root": console}


def _keys_from_a_url(assistant: Runtime) -> None:
    """A key of each kind, and a URL that fails."""
    now, service = timezone.now(), assistant.service
    url = "https://login.example.com/realms/assistant/protocol/openid-connect/certs"
    KeyUrl.objects.create(
        service=service, url=url, asked_at=now, claimed_at=now, failing_since=now, error="status-503",
        not_taken=["pasted"],
    )  # fmt: skip
    ours = service.assertion_keys
    ours.create(kid="pasted", public_key="")
    ours.create(kid="fetched", public_key="", from_url=True)
    ours.create(kid="gone", public_key="", from_url=True, dropped=True, revoked_at=now)


def _tried(minji: Person, assistant: Runtime, turn: Turn) -> Replay:
    """The draft tried on Minji's day, by her leave."""
    replay_grants.give(minji, assistant.service)
    permit = gate.admit(assistant.caller, "minji", Act.REPLAY)
    draft = assistant.service.revisions.get(number=2)
    made = replay.start(permit, draft, local_day(turn.occurred_at, minji.zone))
    replay.run(made.pk)
    return made


OBSERVE_SHIFTS = """
    window.shift = 0;
    new PerformanceObserver(list => { for (const entry of list.getEntries()) shift += entry.value })
        .observe({type: "layout-shift", buffered: true});
"""
INLINE = "document.querySelectorAll('style, script:not([src]), [style], [onclick]').length"
MOST_BYTES = 150_000


class Scales:
    """What a browser receives for a page, with nothing from its cache."""

    def __init__(self, visitor: Visitor) -> None:
        self.received = 0
        network = visitor.context.new_cdp_session(visitor.page)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        network.on("Network.loadingFinished", self._add)

    def _add(self, event: dict[str, Any]) -> None:
        self.received += event["encodedDataLength"]


def test_every_page_is_light_still_narrow_and_without_a_barrier(
    visit: Callable[..., Visitor], paths: Any
) -> None:
    wrong: list[object] = []
    for who, theirs in paths.items():
        visitor = visit(who)
        visitor.context.add_init_script(OBSERVE_SHIFTS)
        scales = Scales(visitor)
        for path in theirs:
            scales.received = 0
            page = visitor.go(path)
            page.wait_for_load_state("networkidle")
            moved, inline = page.evaluate("shift"), page.evaluate(INLINE)
            if scales.received > MOST_BYTES or moved >= 0.01 or inline:
                wrong.append((path, scales.received, moved, inline))
            unfold(visitor)
            wrong += visitor.violations()
            wrong += [(path, width) for width in (320, 390, 768, 2560) if is_wider_than(visitor, width)]
            page.set_viewport_size({"width": 1280, "height": 900})
    assert wrong == []


def test_no_page_has_a_barrier_in_english_by_night_on_a_phone(
    visit: Callable[..., Visitor], paths: Any
) -> None:
    wrong: list[str] = []
    for who, theirs in paths.items():
        visitor = visit(who, language="en", color_scheme="dark", width=360, height=740)
        for path in theirs:
            visitor.go(path)
            unfold(visitor)
            wrong += visitor.violations()
    assert wrong == []


def unfold(visitor: Visitor) -> None:
    visitor.page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")


def is_wider_than(visitor: Visitor, width: int) -> bool:
    visitor.page.set_viewport_size({"width": width, "height": 800})
    return bool(visitor.page.evaluate("document.scrollingElement.scrollWidth > innerWidth"))


def test_on_a_phone_the_menu_shows_where_one_is(visit: Callable[..., Visitor], paths: Any) -> None:
    for who, path in (
        ("minji", "/me/voices/"),
        ("minji", "/me/export/"),
        ("root", "/console/services/assistant/cost/"),
    ):
        page = visit(who, width=360, height=740).go(path)
        strips = page.locator(".menu [aria-current], .tabs [aria-current]")
        assert strips.count() > 0
        for here in strips.all():
            box = here.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= 360 - box["width"], (path, box)
