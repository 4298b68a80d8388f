"""Minji's list: what she finds there, what she deletes, and what nobody else can."""

import re
import uuid
from typing import Any

from django.test import Client

from memoryapp.models import IndexEntry, Memory, MemoryHistory
from speakers.models import Person
from tests.conftest import Runtime, withdraw

WORK = "저는 판교에서 백엔드 개발자로 일해요"
PHONE = "내 전화번호는 010-1234-5678이야"


def ids(answer: Any) -> list[str]:
    """The memories a page shows, in its order."""
    return re.findall(r'name="ids" value="([0-9a-f-]+)"', answer.content.decode())


def test_the_start_leads_to_the_sign_in_and_then_to_the_list(client: Client, at_minjis: Client) -> None:
    assert client.get("/", follow=True).redirect_chain[-1][0] == "/accounts/login/"
    assert at_minjis.get("/").headers["Location"] == "/me/memories/"
    assert client.get("/me/memories/").headers["Location"].startswith("/accounts/login/?next=")


def test_a_saved_fact_is_listed_with_type_scope_validity_and_index_state(
    assistant: Runtime, at_minjis: Client
) -> None:
    assistant.save("minji", WORK, valid_from="2026-05-01T00:00:00+09:00")

    page = at_minjis.get("/me/memories/").content.decode()

    for shown in (WORK, "Profile", "Personal", "since 1 May 2026", "Searchable"):
        assert shown in page


def test_the_tabs_show_everything_or_one_scope(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", WORK)
    assistant.save("minji", "프로젝트 이름은 푸른고래", scope="service")

    assert len(ids(at_minjis.get("/me/memories/"))) == 2
    assert WORK in at_minjis.get("/me/memories/?scope=personal").content.decode()
    service = at_minjis.get("/me/memories/?scope=service").content.decode()
    assert "푸른고래" in service
    assert WORK not in service


def test_personal_data_is_masked_in_the_list_and_open_to_its_owner_in_the_detail(
    assistant: Runtime, at_minjis: Client
) -> None:
    memory_id = assistant.save("minji", PHONE).json()["memory"]["memory_id"]

    assert "010-1234-5678" not in at_minjis.get("/me/memories/").content.decode()
    assert "010-1234-5678" in at_minjis.get(f"/me/memories/{memory_id}/").content.decode()


def test_a_fact_that_looks_like_a_page_stays_text(assistant: Runtime, at_minjis: Client) -> None:
    memory_id = assistant.save("minji", "<img src=x onerror=alert(1)> 을 좋아해요").json()["memory"][
        "memory_id"
    ]

    for path in ("/me/memories/", f"/me/memories/{memory_id}/", f"/me/memories/{memory_id}/correct/"):
        answer = at_minjis.get(path)
        assert "<img src=x" not in answer.content.decode()
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_deleting_asks_once_more_and_then_takes_effect_everywhere(
    assistant: Runtime, at_minjis: Client
) -> None:
    assistant.save("minji", WORK)
    assistant.save("minji", "땅콩 알레르기가 있어요")
    both = ids(at_minjis.get("/me/memories/"))

    asked = at_minjis.post("/me/memories/delete/", {"ids": both[:1]})
    assert "Delete 1 memory?" in asked.content.decode()
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 2

    answer = at_minjis.post("/me/memories/delete/", {"ids": both[:1], "confirmed": "yes"}, follow=True)
    assert "1 memory was deleted." in answer.content.decode()
    assert ids(answer) == both[1:]
    assert at_minjis.get(f"/me/memories/{both[0]}/").status_code == 404


def test_deleting_together_with_a_foreign_memory_deletes_nothing(
    assistant: Runtime, at_minjis: Client, jiho: Person
) -> None:
    assistant.save("minji", WORK)
    foreign = assistant.save("jiho", "지호는 부산에 살아요").json()["memory"]["memory_id"]
    own = ids(at_minjis.get("/me/memories/"))

    at_minjis.post("/me/memories/delete/", {"ids": [*own, foreign], "confirmed": "yes"})

    assert Memory.objects.filter(deleted_at__isnull=True).count() == 2


def test_a_memory_lost_from_the_index_is_cleaned_up_with_a_warning(
    assistant: Runtime, at_minjis: Client
) -> None:
    memory_id = assistant.save("minji", WORK).json()["memory"]["memory_id"]
    IndexEntry.objects.filter(pk=memory_id).delete()

    answer = at_minjis.post("/me/memories/delete/", {"ids": [memory_id], "confirmed": "yes"}, follow=True)

    assert "already been lost from the search index" in answer.content.decode()
    assert ids(answer) == []


def test_jiho_meets_the_same_404_for_minjis_memory_as_for_none(
    assistant: Runtime, minji: Person, at_jihos: Client
) -> None:
    memory_id = assistant.save("minji", WORK).json()["memory"]["memory_id"]
    before = Memory.objects.values().get(pk=memory_id)

    for unknown in (memory_id, str(uuid.uuid4())):
        for path in ("", "correct/", "correct/json/"):
            assert at_jihos.get(f"/me/memories/{unknown}/{path}").status_code == 404
        for path in ("approve/", "decline/", "correct/"):
            assert at_jihos.post(f"/me/memories/{unknown}/{path}").status_code == 404

    assert Memory.objects.values().get(pk=memory_id) == before


def test_with_memory_off_the_rows_stay_to_be_seen_and_deleted(
    assistant: Runtime, minji: Person, at_minjis: Client
) -> None:
    assistant.save("minji", WORK)
    withdraw(minji)

    page = at_minjis.get("/me/memories/")
    assert WORK in page.content.decode()
    assert "Long-term memory is off." in page.content.decode()
    at_minjis.post("/me/memories/delete/", {"ids": ids(page), "confirmed": "yes"})
    assert ids(at_minjis.get("/me/memories/")) == []


def test_the_pages_of_a_long_list_show_each_row_once(
    assistant: Runtime, minji: Person, at_minjis: Client
) -> None:
    for number in range(65):
        assistant.save("minji", f"{number}번 버스를 자주 타요")
    # All at one instant, as an import makes them.
    Memory.objects.update(created_at="2026-05-16T00:00:00Z")

    seen: list[str] = []
    path = "/me/memories/"
    while path:
        answer = at_minjis.get(path)
        seen += ids(answer)
        more = re.search(r'class="more">\s*<a class="button" href="([^"]+)"', answer.content.decode())
        path = more[1].replace("&amp;", "&") if more else ""

    assert len(seen) == len(set(seen)) == 65


def test_a_filter_nobody_offers_is_no_filter(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", WORK)

    assert len(ids(at_minjis.get("/me/memories/?type=NONSENSE&state=%00&project_id=x"))) == 1
    assert at_minjis.get("/me/memories/?cursor=nonsense").status_code == 400


def test_list_and_detail_cost_the_same_queries_for_three_rows_and_for_thirty(
    assistant: Runtime, at_minjis: Client, django_assert_num_queries: Any
) -> None:
    for number in range(3):
        assistant.save("minji", f"{number}번 버스를 자주 타요")
    memory_id = ids(at_minjis.get("/me/memories/"))[0]
    for more in (False, True):
        if more:
            for number in range(3, 30):
                assistant.save("minji", f"{number}번 버스를 자주 타요")
            for _ in range(5):
                MemoryHistory.objects.create(memory_id=memory_id, version=9, action="merge", actor="system")
        with django_assert_num_queries(LIST_QUERIES):
            at_minjis.get("/me/memories/")
        with django_assert_num_queries(DETAIL_QUERIES):
            at_minjis.get(f"/me/memories/{memory_id}/")


#: session, login, person with key · kinds with their counts, rows · consent, console?
LIST_QUERIES = 7
#: session, login, person with key · memory, history, the names of services in it · consent, console?
DETAIL_QUERIES = 8
