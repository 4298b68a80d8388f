"""A device follows Minji's memories: nothing twice, nothing missed, and what is deleted goes."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from consent.domains import Domain
from memoryapp import gate, housekeeping, lifecycle, sync
from memoryapp.content import Content
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import Memory, SyncChange, SyncCounter
from memoryapp.permit import Act
from memoryapp.vault import box_of
from tests.conftest import withdraw


def pull(runtime, cursor=None, device="robot", user="minji", limit=200):
    query = {"user_id": user, "device_id": device, "limit": limit, **({"cursor": cursor} if cursor else {})}
    return runtime.get("sync", **query)


def changes(runtime, cursor=None, **fields):
    answer = pull(runtime, cursor, **fields)
    assert answer.status_code == 200, answer.content
    return answer.json()


def save(runtime, fact, user="minji", **fields):
    return runtime.save(user, fact, **fields).json()["memory"]["memory_id"]


def test_a_device_gets_what_is_new_once(minji, homebot):
    first = save(homebot, "저는 부산에서 살아요")
    page = changes(homebot)
    [change] = page["changes"]
    assert (change["op"], change["kind"], change["id"]) == ("upsert", "memory", first)
    assert change["payload"]["statement"] == "저는 부산에서 살아요"
    assert (page["has_more"], page["version"]) == (False, f"v{change['seq']}")
    assert changes(homebot, page["cursor"])["changes"] == []
    second = save(homebot, "저는 고양이를 키워요")
    assert [change["id"] for change in changes(homebot, page["cursor"])["changes"]] == [second]


def test_numbers_have_no_gaps_even_after_a_rollback(minji, homebot):
    ids = [save(homebot, f"{word} 좋아해요") for word in ("사과를", "수박을", "포도를")]
    with transaction.atomic():
        memory = Memory.objects.get(pk=ids[0])
        lifecycle.amend(memory, box_of(minji), Deed(action="x", actor="x"), confidence=0.1)
        transaction.set_rollback(True)
    ids.append(save(homebot, "참외를 좋아해요"))
    assert [change["seq"] for change in changes(homebot)["changes"]] == [1, 2, 3, 4]


def test_a_deleted_memory_is_a_tombstone_without_content(minji, homebot):
    memory = save(homebot, "코드명은 zebra-7731 입니다")
    cursor = changes(homebot)["cursor"]
    homebot.delete(f"memories/{memory}?user_id=minji")
    answer = pull(homebot, cursor)
    [change] = answer.json()["changes"]
    assert (change["op"], change["id"], change["payload"]) == ("delete", memory, None)
    assert b"zebra" not in answer.content
    assert changes(homebot)["changes"] == []


def test_what_is_replaced_or_becomes_guarded_leaves_the_device(minji, homebot):
    old = save(homebot, "저는 부산에서 살아요")
    other = save(homebot, "저는 고양이를 키워요")
    cursor = changes(homebot)["cursor"]
    new = save(homebot, "저는 서울에서 살아요")
    homebot.patch(f"memories/{other}", {"user_id": "minji", "sensitivity": "restricted"})
    ops = {change["id"]: change["op"] for change in changes(homebot, cursor)["changes"]}
    assert ops == {old: "delete", new: "upsert", other: "delete"}


def test_pages_cover_everything_once_while_things_change(minji, homebot):
    ids = [save(homebot, f"{number}번 물건을 샀어요") for number in range(7)]
    page = changes(homebot, limit=3)
    seen = [change["id"] for change in page["changes"]]
    homebot.patch(f"memories/{ids[0]}", {"user_id": "minji", "statement": "0번 물건을 팔았어요"})
    while page["has_more"]:
        page = changes(homebot, page["cursor"], limit=3)
        seen += [change["id"] for change in page["changes"]]
    assert seen == [*ids, ids[0]]


def test_a_device_sees_its_own_service_and_nobody_elses(minji, jiho, homebot, assistant):
    save(homebot, "홈봇만 아는 것", scope="service")
    save(assistant, "비서만 아는 것", scope="service")
    save(homebot, "지호의 것", user="jiho")
    assert [change["payload"]["statement"] for change in changes(homebot)["changes"]] == ["홈봇만 아는 것"]


def test_a_changed_scope_starts_anew(minji, homebot):
    save(homebot, "홈봇만 아는 것", scope="service")
    cursor = changes(homebot)["cursor"]
    withdraw(minji, Domain.SERVICE_MEMORY)
    expired = pull(homebot, cursor)
    assert expired.status_code == 410
    assert changes(homebot, expired.json()["resync_from"])["changes"] == []


@pytest.mark.parametrize("cursor", ["cur-2", "x" * 900, "WzEsMV0:1abc:xyz"])
def test_an_unknown_cursor_gets_a_place_to_start_from(minji, homebot, cursor):
    save(homebot, "저는 부산에서 살아요")
    answer = pull(homebot, cursor)
    assert (answer.status_code, answer.json()["code"]) == (410, "cursor-expired")
    assert len(changes(homebot, answer.json()["resync_from"])["changes"]) == 1


def test_another_persons_or_services_cursor_is_unknown(minji, jiho, homebot, assistant):
    save(homebot, "저는 부산에서 살아요")
    cursor = changes(homebot)["cursor"]
    assert pull(homebot, cursor, user="jiho").status_code == 410
    assert pull(assistant, cursor).status_code == 410


def test_a_cursor_from_before_a_restore_is_unknown(minji, homebot):
    save(homebot, "저는 부산에서 살아요")
    cursor = changes(homebot)["cursor"]
    SyncCounter.objects.update(last_seq=0)
    assert pull(homebot, cursor).status_code == 410


def test_a_device_away_for_longer_than_tombstones_are_kept_starts_anew(minji, homebot):
    kept, gone = save(homebot, "저는 부산에서 살아요"), save(homebot, "저는 고양이를 키워요")
    cursor = changes(homebot)["cursor"]
    homebot.delete(f"memories/{gone}?user_id=minji")
    fresh = changes(homebot, cursor)["cursor"]
    SyncChange.objects.update(at=datetime.now(UTC) - timedelta(days=181))
    Memory.objects.filter(pk=gone).update(deleted_at=datetime.now(UTC) - timedelta(days=181))
    assert housekeeping.purge()["tombstone"] == 1
    assert pull(homebot, fresh).status_code == 200
    expired = pull(homebot, cursor)
    assert expired.status_code == 410
    assert [item["id"] for item in changes(homebot, expired.json()["resync_from"])["changes"]] == [kept]


def test_consent_off_refuses_sync_like_everything_else(minji, homebot):
    save(homebot, "저는 부산에서 살아요")
    withdraw(minji)
    for answer in (pull(homebot), pull(homebot, user="nobody")):
        assert (answer.status_code, answer.json()["code"]) == (403, "consent-required")


def test_minji_sees_which_device_has_confirmed_a_deletion(minji, homebot):
    memory = save(homebot, "저는 부산에서 살아요")
    cursor = changes(homebot)["cursor"]
    homebot.delete(f"memories/{memory}?user_id=minji")
    changes(homebot, device="tablet")
    pending = {item.device.device_id: item.deletions_pending for item in sync.followers(minji)}
    assert pending["robot"] == 1
    cursor = changes(homebot, cursor)["cursor"]
    changes(homebot, cursor)
    pending = {item.device.device_id: item.deletions_pending for item in sync.followers(minji)}
    assert pending["robot"] == 0


@pytest.mark.django_db(transaction=True)
def test_a_late_commit_is_never_passed_over(minji, homebot):
    """100 is open, 101 wants to commit, a pull comes in between: both arrive."""
    opened, go_on, done = threading.Event(), threading.Event(), []

    def slow():
        with transaction.atomic():
            permit = gate.again(gate.own(minji, Act.SAVE))
            _insert(permit, "열려 있던 것")
            opened.set()
            go_on.wait(10)
        connection.close()

    def quick():
        with transaction.atomic():
            permit = gate.again(gate.own(minji, Act.SAVE))
            _insert(permit, "나중에 온 것")
        done.append(True)
        connection.close()

    threads = [threading.Thread(target=slow)]
    threads[0].start()
    assert opened.wait(10)
    threads.append(threading.Thread(target=quick))
    threads[1].start()
    threads[1].join(0.3)
    between = changes(homebot)
    go_on.set()
    for thread in threads:
        thread.join()
    after = changes(homebot, between["cursor"])
    both = [*between["changes"], *after["changes"]]
    assert [change["payload"]["statement"] for change in both] == ["열려 있던 것", "나중에 온 것"]
    assert [change["seq"] for change in both] == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_many_writers_at_once_leave_no_gap(minji, homebot):
    def write(number):
        with transaction.atomic():
            _insert(gate.again(gate.own(minji, Act.SAVE)), f"{number}번째 사실")
        connection.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [change["seq"] for change in changes(homebot)["changes"]] == list(range(1, 9))


def _insert(permit, text):
    draft = Draft(
        content=Content(statement=text, normalized=text),
        memory_type="FACT",
        origin="save",
        occurred_at=datetime.now(UTC),
    )
    lifecycle.insert(
        permit.person, box_of(permit.person), draft, Embedded(None, None), Deed(action="x", actor="x")
    )
