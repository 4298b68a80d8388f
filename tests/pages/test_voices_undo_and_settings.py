"""Whose voice it is, what came from one turn, and how the pages speak to Minji."""

import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from consent import ledger
from consent.domains import Domain
from memoryapp.models import Memory, Rollback, Turn
from speakers import identity
from speakers.models import Person
from tests.conftest import Runtime


def remember(runtime: Runtime, work: Callable[[], None], text: str, turn_id: str = "t-1") -> Turn:
    runtime.report("minji", text, turn_id)
    work()
    return Turn.objects.get(turn_id=turn_id)


def test_minji_says_which_voice_is_hers(minji: Person, at_minjis: Client) -> None:
    link, _ = identity.attach(minji, kind="voice", external_id="spk_1")
    identity.move(link, "candidate", actor="service:homebot")
    assert "spk_1" in at_minjis.get("/me/voices/").content.decode()

    at_minjis.post(f"/me/voices/{link.pk}/confirm/")
    link.refresh_from_db()
    assert link.state == "verified"

    at_minjis.post(f"/me/voices/{link.pk}/reject/")
    link.refresh_from_db()
    assert link.state == "revoked"


def test_minji_sees_which_device_has_carried_out_a_deletion(
    minji: Person, homebot: Runtime, at_minjis: Client
) -> None:
    def pull(cursor: str = "") -> str:
        more = {"cursor": cursor} if cursor else {}
        answer = homebot.get("sync", user_id="minji", device_id="robot", **more)
        assert answer.status_code == 200, answer.content
        return str(answer.json()["cursor"])

    assert "Devices that keep a copy" not in at_minjis.get("/me/voices/").content.decode()
    memory = homebot.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    cursor = pull()
    homebot.delete(f"memories/{memory}?user_id=minji")
    page = at_minjis.get("/me/voices/").content.decode()
    assert re.search("robot.*1 deletion not confirmed yet", page, re.DOTALL)
    pull(pull(cursor))
    page = at_minjis.get("/me/voices/").content.decode()
    assert re.search("robot.*Every deletion confirmed", page, re.DOTALL)


def test_nobody_decides_on_anothers_voice(minji: Person, at_jihos: Client) -> None:
    link, _ = identity.attach(minji, kind="voice", external_id="spk_1")

    assert at_jihos.post(f"/me/voices/{link.pk}/confirm/").status_code == 404
    assert at_jihos.post(f"/me/voices/{link.pk}/reject/").status_code == 404
    assert "spk_1" not in at_jihos.get("/me/voices/").content.decode()


def test_what_came_from_a_turn_is_shown_taken_back_and_put_back(
    assistant: Runtime, minji: Person, at_minjis: Client, at_jihos: Client, work: Callable[[], None]
) -> None:
    turn = remember(assistant, work, "저는 판교에서 백엔드 개발자로 일해요")
    memory = Memory.objects.get(deleted_at__isnull=True)
    path = f"/me/undo/turn/{turn.pk}/"
    assert path in at_minjis.get(f"/me/memories/{memory.pk}/").content.decode()

    page = at_minjis.get(path).content.decode()
    assert "Rests on this alone, and is removed" in page
    assert "판교" in page
    assert at_jihos.get(path).status_code == 404
    assert at_jihos.post(path).status_code == 404

    at_minjis.post(path)
    assert not Memory.objects.filter(deleted_at__isnull=True).exists()
    batch = Rollback.objects.get()
    assert at_jihos.post(f"/me/undo/{batch.pk}/put-back/").status_code == 404
    at_minjis.post(f"/me/undo/{batch.pk}/put-back/")
    assert "판교" in at_minjis.get("/me/memories/").content.decode()


def test_a_turn_beside_a_plain_memory_keeps_its_other_secrets_masked(
    assistant: Runtime, at_minjis: Client, work: Callable[[], None]
) -> None:
    remember(assistant, work, "저는 판교에서 백엔드 개발자로 일해요. 제 전화번호는 010-1234-5678이에요.")
    memory = Memory.objects.get(deleted_at__isnull=True, sensitivity="normal")

    page = at_minjis.get(f"/me/memories/{memory.pk}/").content.decode()
    assert "제 전화번호는" in page
    assert "010-1234-5678" not in page


def test_a_turn_that_is_looked_at_to_take_it_back_shows_no_value_its_memory_asks_a_password_for(
    assistant: Runtime, at_minjis: Client, work: Callable[[], None]
) -> None:
    turn = remember(assistant, work, "제 주민등록번호는 880101-1122334 입니다")
    memory = Memory.objects.get(deleted_at__isnull=True)
    assert memory.sensitivity == "restricted"

    page = at_minjis.get(f"/me/undo/turn/{turn.pk}/").content.decode()
    assert '<blockquote class="said">제 주민등록번호는' in page
    assert "1122334" not in page


def test_a_turn_is_masked_whole_where_only_the_persons_label_says_that_it_is_restricted(
    assistant: Runtime, at_minjis: Client, work: Callable[[], None]
) -> None:
    turn = remember(assistant, work, "저는 판교에서 백엔드 개발자로 일해요")
    Memory.objects.filter(deleted_at__isnull=True).update(sensitivity="restricted")

    assert "판교" not in at_minjis.get(f"/me/undo/turn/{turn.pk}/").content.decode()


def test_a_turn_beside_personal_data_keeps_what_is_restricted_masked(
    assistant: Runtime, at_minjis: Client, work: Callable[[], None]
) -> None:
    remember(assistant, work, "제 전화번호는 010-1234-5678이에요. 제 주민등록번호는 880101-1122334 입니다.")
    memory = Memory.objects.get(deleted_at__isnull=True, sensitivity="pii")

    page = at_minjis.get(f"/me/memories/{memory.pk}/").content.decode()
    assert "010-1234-5678" in page
    assert "1122334" not in page


def test_times_are_shown_in_the_persons_own_zone(
    assistant: Runtime, minji: Person, at_minjis: Client
) -> None:
    assistant.save("minji", "커피를 좋아해요", valid_from="2026-05-16T01:00:00+09:00")
    assert "since 16 May 2026" in at_minjis.get("/me/memories/").content.decode()

    form = {"display_name": "민지", "zone": "America/New_York", "theme": "dark"}
    answer = at_minjis.post("/me/settings/", form, follow=True)

    assert 'data-theme="dark"' in answer.content.decode()
    assert "since 15 May 2026" in at_minjis.get("/me/memories/").content.decode()
    assert at_minjis.post("/me/settings/", {**form, "zone": "Mars/Olympus"}).status_code == 422


def test_one_service_is_shut_out_and_the_others_go_on(
    assistant: Runtime, homebot: Runtime, minji: Person, at_minjis: Client
) -> None:
    assistant.save("minji", "커피를 좋아해요")
    homebot.save("minji", "거실 조명은 어둡게")
    path = "/me/consent/long_term_memory/"

    at_minjis.post(path, {"granted": "off", "service": "homebot"})

    assert homebot.recall("minji", "조명")["reason"] == "no-consent"
    assert assistant.recall("minji", "커피")["reason"] is None
    assert ledger.standings(minji).allows(Domain.LONG_TERM_MEMORY)
    assert at_minjis.post(path, {"granted": "off", "service": "nowhere"}).status_code == 404
    at_minjis.post(path, {"granted": "on", "service": "homebot"})
    assert homebot.recall("minji", "조명")["reason"] is None


def test_brought_memories_wait_for_a_yes_or_no(assistant: Runtime, at_minjis: Client) -> None:
    form = {"source": "chatgpt", "text": "Prefers green tea.\n\nWorks in Pangyo."}
    page = at_minjis.post("/me/import/", form).content.decode()
    assert "Look and decide" in page
    assert assistant.facts("minji", "green tea") == []

    listed = at_minjis.get("/me/memories/?status=candidate").content.decode()
    assert "Prefers green tea" in listed
    memory = Memory.objects.order_by("created_at").first()
    assert memory
    at_minjis.post(f"/me/memories/{memory.pk}/approve/", {"back": "x"})
    memory.refresh_from_db()
    assert memory.status == "confirmed"
    other = Memory.objects.exclude(pk=memory.pk).get()
    at_minjis.post(f"/me/memories/{other.pk}/decline/")
    assert at_minjis.get(f"/me/memories/{other.pk}/").status_code == 404


def test_an_import_in_another_format_is_told_and_keeps_the_text(at_minjis: Client) -> None:
    answer = at_minjis.post("/me/import/", {"source": "mem0", "text": "not json"})
    assert answer.status_code == 422
    assert "not json</textarea>" in answer.content.decode()
    assert at_minjis.post("/me/import/", {"source": "mem0", "text": " "}).status_code == 422


def test_a_look_behind_a_mask_is_listed(assistant: Runtime, at_minjis: Client) -> None:
    memory_id = assistant.save("minji", "내 전화번호는 010-1234-5678이야").json()["memory"]["memory_id"]
    at_minjis.get(f"/me/memories/{memory_id}/")

    page = at_minjis.get("/me/activity/?kind=looks").content.decode()
    assert "내 전화번호는" in page
    assert "010-1234-5678" not in page


def test_the_second_factor_and_password_pages_are_ours(at_minjis: Client) -> None:
    for path in ("/accounts/2fa/", "/accounts/password/change/", "/accounts/reauthenticate/"):
        page: Any = at_minjis.get(path)
        assert page.status_code == 200
        assert "css/frame.css" in page.content.decode()


def test_enter_on_a_row_of_the_list_decides_nothing(assistant: Runtime, at_minjis: Client) -> None:
    """Enter on a box presses its form's first button, if that one is not disabled."""
    at_minjis.post("/me/import/", {"source": "claude", "text": "Likes green tea."})

    page = at_minjis.get("/me/memories/?status=candidate").content.decode()
    form = page[page.index('<form id="selection"') :]
    first = re.search(r'<(?:button|input)[^>]*type="submit"[^>]*>', form)
    assert first
    assert " disabled" in first[0]


def test_many_candidates_are_judged_at_once(assistant: Runtime, at_minjis: Client) -> None:
    at_minjis.post(
        "/me/import/", {"source": "claude", "text": "\n".join(f"Likes tea number {n}." for n in range(5))}
    )
    ids = [str(pk) for pk in Memory.objects.order_by("created_at").values_list("pk", flat=True)]

    answer = at_minjis.post("/me/memories/judge/", {"verdict": "approve", "ids": ids[:3]}, follow=True)
    assert "3 memories were approved." in answer.content.decode()
    answer = at_minjis.post(
        "/me/memories/judge/", {"verdict": "decline", "ids": [ids[0], ids[4]]}, follow=True
    )
    assert "1 memory was declined." in answer.content.decode()
    assert "One of these is no longer waiting" in answer.content.decode()
    assert [Memory.objects.get(pk=pk).status for pk in ids] == [
        *["confirmed"] * 3,
        "candidate",
        "deleted",
    ]
