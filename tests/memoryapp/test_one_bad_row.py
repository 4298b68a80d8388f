"""One row that cannot be worked on costs its neighbours nothing, and somebody is told."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from consent import ledger
from consent.domains import MASTER
from memoryapp import content, erase, erasures, housekeeping, nightly, profile, restore, store, tasks
from memoryapp.content import place
from memoryapp.index import embed, rebuild, refresh
from memoryapp.models import ChatService, IndexEntry, Memory, Summary, Turn, Vector
from memoryapp.one_by_one import each
from memoryapp.vault import box_of
from speakers.models import User
from tests.doors.test_store import put
from tests.memoryapp.test_restore import backup_of, bring_back, erase_her
from tests.speakers.test_compression import report
from tests.speakers.test_promotion import tell

FACTS = ["첫째 사실이에요", "둘째 사실이에요", "셋째 사실이에요"]


@pytest.fixture
def waiting(minji, assistant) -> list[Memory]:
    """Three memories without a vector; the first is the one that is spoilt."""
    made = [assistant.save("minji", fact).json()["memory"]["memory_id"] for fact in FACTS]
    Vector.objects.all().delete()
    IndexEntry.objects.update(state="pending")
    return [Memory.objects.get(pk=pk) for pk in made]


def spoil(memory: Memory, value: Any = None) -> None:
    """Content that does not open, or opens to something nobody wrote."""
    sealed = box_of(memory.person).seal(value, place(memory)) if value is not None else b"rubbish"
    Memory.objects.filter(pk=memory.pk).update(content=sealed)


def states(rows: list[Memory]) -> list[str]:
    return [IndexEntry.objects.get(pk=row.pk).state for row in rows]


def heal() -> None:
    IndexEntry.objects.update(next_try_at=None)
    rebuild.heal()


def given_up_by_their_worker() -> None:
    IndexEntry.objects.filter(state="indexing").update(
        claimed_at=timezone.now() - timedelta(seconds=rebuild.CLAIM_SECONDS + 1)
    )


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "vault-unavailable"),
        (["no", "object"], "AttributeError"),
        ({"no": "statement"}, "TypeError"),
        ({"statement": "수", "keywords": [1]}, "TypeError"),
        ({"statement": 7}, "TypeError"),
    ],
)
def test_an_index_row_that_cannot_be_read_fails_alone_and_says_why(waiting, client, value, reason):
    spoil(waiting[0], value)
    heal()
    assert states(waiting) == ["pending", "indexed", "indexed"]
    for _ in range(rebuild.ATTEMPTS_BEFORE_FAILED - 1):
        heal()
    assert states(waiting) == ["failed", "indexed", "indexed"]
    ready = client.get("/readyz").json()
    assert (ready["index"]["ok"], ready["index"]["states"]["failed"]) == (False, 1)
    admin = Client(headers={"accept-language": "en"})
    admin.force_login(User.objects.create_superuser("hana"))
    assert reason in admin.get("/admin/memoryapp/indexentry/?state__exact=failed").content.decode()


def test_a_row_whose_vector_is_refused_by_the_database_fails_alone(waiting, monkeypatch):
    write = refresh.store_vector

    def refuses(memory, *rest):
        if memory.pk == waiting[0].pk:
            raise ValueError
        write(memory, *rest)

    monkeypatch.setattr(refresh, "store_vector", refuses)
    heal()
    assert states(waiting) == ["pending", "indexed", "indexed"]
    assert IndexEntry.objects.get(pk=waiting[0].pk).error == "ValueError"


def test_an_embedder_that_trips_over_one_text_costs_the_others_nothing(waiting, monkeypatch):
    embeds = embed.passages

    def trips(space, texts):
        if any(FACTS[0] in text for text in texts):
            raise RuntimeError
        return embeds(space, texts)

    monkeypatch.setattr(embed, "passages", trips)
    heal()
    assert states(waiting) == ["pending", "indexed", "indexed"]


def test_a_row_that_takes_its_worker_down_is_tried_alone_and_last(waiting, monkeypatch, client):
    embeds, seen = embed.passages, []

    class Killed(BaseException):
        """As good as kill -9: nothing after it is done."""

    def kills(space, texts):
        seen.append(list(texts))
        if any(FACTS[0] in text for text in texts):
            raise Killed
        return embeds(space, texts)

    monkeypatch.setattr(embed, "passages", kills)
    for _ in range(rebuild.ATTEMPTS_BEFORE_FAILED):
        with pytest.raises(Killed):
            heal()
        given_up_by_their_worker()
    for _ in range(len(FACTS)):
        try:
            rebuild.heal()
        except Killed:
            continue
    assert states(waiting) == ["failed", "indexed", "indexed"]
    assert IndexEntry.objects.get(pk=waiting[0].pk).error == "worker-lost"
    assert all(len(texts) == 1 for texts in seen[rebuild.ATTEMPTS_BEFORE_FAILED :])
    assert not client.get("/readyz").json()["index"]["ok"]
    monkeypatch.setattr(embed, "passages", embeds)
    heal()
    assert states(waiting) == ["indexed"] * 3


def test_a_database_that_is_away_is_no_rows_fault(waiting, monkeypatch):
    def away(*args):
        raise OperationalError

    monkeypatch.setattr(content, "read", away)
    with pytest.raises(OperationalError):
        heal()
    assert set(IndexEntry.objects.values_list("error", flat=True)) == {""}


def test_each_goes_on_and_tells_the_kinds_without_their_words(caplog):
    def work(number: int) -> int:
        if number == 2:
            raise ValueError("zebra-7731")
        return number

    with caplog.at_level(logging.ERROR):
        assert each("numbers", [1, 2, 3], work) == 4
    assert "{'ValueError': 1}" in caplog.text
    assert "zebra" not in " ".join(record.getMessage() for record in caplog.records)


def test_expired_consent_of_one_person_stops_nobody_elses(minji, jiho):
    for person in (minji, jiho):
        person.consents.update(expires_at=timezone.now() - timedelta(seconds=1))
    minji.consents.filter(domain=MASTER).update(domain="a-domain-that-was-dropped")
    assert ledger.expire() == 1
    assert not ledger.standings(jiho).by_domain[MASTER].granted


def test_a_summary_that_cannot_be_written_is_told_and_the_others_are_written(
    minji, jiho, make_person, homebot
):
    for number, who in enumerate(["minji", "jiho"]):
        report(homebot, "거실 청정해줘", f"t{number}", user=who)
    Turn.objects.filter(person=minji).update(content=b"rubbish")
    tasks.compress()
    assert Summary.objects.filter(person=jiho, level="week", state="done").exists()
    bad = Summary.objects.get(person=minji)
    assert (bad.state, bad.error, bad.claimed_at) == ("pending", "VaultUnavailable", None)


def test_one_unreadable_profile_item_leaves_the_others_judged(make_person, homebot, work):
    from consent.domains import Domain

    minji = make_person("minji", consents=(Domain.LONG_TERM_MEMORY, Domain.PROFILE))
    for text in ("안방 청정해줘", "거실 청정해줘"):
        for day in (6, 5, 4):
            tell(homebot, work, text, day)
    first, second = Memory.objects.filter(person=minji).order_by("created_at")
    Memory.objects.filter(pk=second.pk).update(status="candidate")
    Memory.objects.filter(pk=first.pk).update(content=b"rubbish", status="candidate")
    assert profile.settle_everybody() == 1
    second.refresh_from_db()
    assert second.status == "confirmed"


def test_one_persons_lost_key_keeps_nobodys_candidates(minji, jiho, homebot, work):
    tell(homebot, work, "안방 청정해줘", 1)
    homebot.report("jiho", "안방 청정해줘", turn_id="j", session_id="s", assistant_text="네")
    work()
    minji.key.delete()
    Memory.objects.update(updated_at=timezone.now() - timedelta(days=400))
    assert housekeeping.purge()["candidate"] == 1


def test_a_kind_that_cannot_be_purged_leaves_the_other_kinds_purged(minji, assistant, monkeypatch):
    assistant.report("minji", "거실 청정해줘")
    Turn.objects.update(received_at=timezone.now() - timedelta(days=91))

    def fails(*args):
        raise ValueError

    monkeypatch.setattr(housekeeping, "_unused", fails)
    monkeypatch.setattr(store, "purge", fails)
    tasks.purge()
    assert not Turn.objects.exists()


def test_one_unreadable_item_leaves_the_others_to_end(minji, assistant):
    for key in ("a", "b"):
        put(assistant, "minji", key, {"text": "녹차"}, ttl_minutes=0)
    Memory.objects.filter(pk=Memory.objects.order_by("created_at").first().pk).update(content=b"rubbish")
    assert store.purge() == 1


def test_one_service_without_a_night_leaves_the_others_theirs(minji, assistant, homebot, monkeypatch):
    for runtime in (assistant, homebot):
        runtime.configure(nightly_enabled=True)
    begin = nightly._missed

    def fails(revision, *rest):
        if revision.service.slug == "assistant":
            raise ValueError
        return begin(revision, *rest)

    monkeypatch.setattr(nightly, "_missed", fails)
    assert nightly.run_due(timezone.now() + timedelta(days=2)) == 1
    assert ChatService.objects.get(nights__isnull=False).slug == "homebot"


def test_one_who_cannot_be_erased_again_leaves_the_others_erased(
    minji, jiho, settings, tmp_path, monkeypatch
):
    settings.ERASURE_LEDGER = tmp_path / "erasures.jsonl"
    erasures.begin()
    backups = [backup_of(person) for person in (minji, jiho)]
    for person in (minji, jiho):
        erase_her(person)
    for backup in backups:
        bring_back(backup)
    really = erase.erase

    def fails(permit):
        if permit.person.user_id == "minji":
            raise ValueError
        return really(permit)

    monkeypatch.setattr(restore, "erase", fails)
    assert restore.replay() == 1
    with pytest.raises(restore.Revenants):
        restore.refuse_revenants()
