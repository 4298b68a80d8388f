"""Device and cloud end with the same memories under any order, repeat and loss of messages."""

import itertools
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.models import Memory, Status
from tests.sync.test_following import pull

NUMBERS = itertools.count()
WORDS = ["사과", "수박", "포도", "참외", "자두", "앵두"]
lost = st.booleans()
step = st.one_of(
    st.tuples(st.just("cloud-save"), st.integers(0, 5), lost),
    st.tuples(st.just("cloud-change"), st.integers(0, 9), lost),
    st.tuples(st.just("cloud-delete"), st.integers(0, 9), lost),
    st.tuples(st.just("device-save"), st.integers(0, 5), lost),
    st.tuples(st.just("device-change"), st.integers(0, 9), lost),
    st.tuples(st.just("device-delete"), st.integers(0, 9), lost),
    st.tuples(st.just("pull"), st.integers(1, 4), lost),
    st.tuples(st.just("push"), st.integers(0, 1), lost),
    st.tuples(st.just("late-page"), st.integers(0, 3), lost),
)


@dataclass
class Robot:
    """A device as the contract describes it: a copy, a cursor, and writes not yet acknowledged."""

    runtime: Any
    device_id: str
    user: str
    copy: dict[str, dict[str, Any]] = field(default_factory=dict)
    cursor: str | None = None
    pending: list[dict[str, Any]] = field(default_factory=list)
    pages: list[dict[str, Any]] = field(default_factory=list)
    written: int = 0

    def pull(self, limit: int, *, lost: bool) -> bool:
        """→ whether there is more."""
        answer = pull(self.runtime, self.cursor, self.device_id, self.user, limit)
        assert answer.status_code == 200, answer.content
        page = answer.json()
        self.pages.append(page)
        if not lost:
            self.apply(page)
            self.cursor = page["cursor"]
        return bool(page["has_more"])

    def apply(self, page: dict[str, Any]) -> None:
        for change in page["changes"]:
            known = self.copy.get(change["id"])
            if known is not None and known["seq"] > change["seq"]:
                continue  # an older page that comes late changes nothing
            self.copy[change["id"]] = {"seq": change["seq"], "payload": change["payload"]}

    def write(self, payload: dict[str, Any], base_version: int | None = None) -> None:
        self.written += 1
        versioned = {} if base_version is None else {"base_version": base_version}
        self.pending.append(
            {
                "client_id": f"{self.device_id}-{self.written}",
                "kind": "memory",
                "payload": payload,
                **versioned,
            }
        )

    def push(self, *, lost: bool) -> None:
        body = {"user_id": self.user, "device_id": self.device_id, "writes": self.pending}
        answer = self.runtime.post("sync", body)
        assert answer.status_code == 200, answer.content
        if not lost:
            self.pending.clear()

    def alive(self) -> dict[str, tuple[str, int]]:
        return {
            key: (item["payload"]["statement"], item["payload"]["version"])
            for key, item in self.copy.items()
            if item["payload"] is not None
        }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from([0, 1]), step), max_size=20))
def test_two_devices_and_the_cloud_end_alike(make_person, homebot, steps):
    user = f"minji-{next(NUMBERS)}"
    person = make_person(user)
    robots = [Robot(homebot, name, user) for name in ("robot", "tablet")]
    for which, (name, number, gone) in steps:
        _act(homebot, person, robots[which], name, number, lost=gone)
    for robot in robots:
        robot.push(lost=False)
    for robot in robots:
        while robot.pull(3, lost=False):
            pass
    cloud = {
        item["memory_id"]: (item["statement"], item["version"])
        for item in homebot.get("memories", user_id=user, status="confirmed").json()["items"]
    }
    assert robots[0].alive() == robots[1].alive() == cloud


def _act(runtime, person, robot, name, number, *, lost):
    if name == "cloud-save":
        runtime.save(person.user_id, f"{WORDS[number]} 좋아해요")
    elif name.startswith("cloud-"):
        rows = list(Memory.objects.filter(person=person, status=Status.CONFIRMED).order_by("created_at"))
        if rows:
            _act_on_row(runtime, person, rows[number % len(rows)], name, number)
    elif name == "device-save":
        robot.write({"statement": f"{WORDS[number]} 좋아해요"})
    elif name.startswith("device-"):
        known = sorted(robot.alive().items())
        if known:
            memory_id, (_, version) = known[number % len(known)]
            change = (
                {"deleted": True}
                if name == "device-delete"
                else {"statement": f"{number}번 {robot.device_id}"}
            )
            robot.write({"memory_id": memory_id, **change}, version)
    elif name == "pull":
        robot.pull(number, lost=lost)
    elif name == "push":
        robot.push(lost=lost)
    elif robot.pages:
        robot.apply(robot.pages[number % len(robot.pages)])


def _act_on_row(runtime, person, row, name, number):
    if name == "cloud-delete":
        runtime.delete(f"memories/{row.pk}?user_id={person.user_id}")
    else:
        runtime.patch(
            f"memories/{row.pk}", {"user_id": person.user_id, "statement": f"{number}번 구름 {row.pk}"}
        )
