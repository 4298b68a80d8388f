"""Content is sealed: what a dump shows, which keys open what, and what happens without them."""

import io
import stat
import subprocess

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memoryapp import master, persons, vault
from memoryapp.errors import VaultUnavailable
from memoryapp.index import terms
from memoryapp.models import Memory, Turn, VaultSeal

MARK = "zebra-7731"


@pytest.fixture
def key_file(settings, tmp_path):
    settings.MASTER_KEYSET = ""
    settings.MASTER_KEYSET_FILE = tmp_path / "keys" / "master.json"
    master.master.cache_clear()
    vault._open_box.cache_clear()
    yield settings.MASTER_KEYSET_FILE
    master.master.cache_clear()
    vault._open_box.cache_clear()


def dump() -> str:
    """Every column of every table as text, as a thief of the database would read it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        parts = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608 - names of our own tables
            parts += [row for (row,) in cursor.fetchall()]
    return "\n".join(parts)


def test_a_dump_shows_neither_facts_nor_turns_nor_terms(minji, assistant, work):
    assistant.report("minji", f"제 프로젝트 이름은 {MARK} 이고 저는 판교에서 일해요")
    work()
    saved = assistant.save("minji", f"비밀 별명은 {MARK} 입니다", keywords=[MARK]).json()["memory"]
    assistant.patch(f"memories/{saved['memory_id']}", {"user_id": "minji", "statement": f"별명 {MARK} 수정"})
    assistant.recall("minji", f"{MARK} 별명")
    text = dump()
    assert Memory.objects.exists()
    assert Turn.objects.exists()
    for secret in (MARK, "판교", "별명"):
        assert secret not in text
        assert secret.encode().hex() not in text
    for term in terms.analyse(f"{MARK} 별명"):
        plain = int.from_bytes(__import__("hashlib").sha256(term.encode()).digest()[:8], "big", signed=True)
        assert str(plain) not in text


def test_terms_of_two_people_never_meet(minji, jiho):
    assert vault.box_of(minji).mark("판교") != vault.box_of(jiho).mark("판교")


def test_a_text_moved_to_another_row_or_person_does_not_open(minji, jiho, assistant):
    for fact in ("하나", "둘"):
        assistant.save("minji", fact)
    first, second = Memory.objects.order_by("created_at")
    first.content = second.content
    first.save()
    answer = assistant.get(f"memories/{first.pk}", user_id="minji")
    assert answer.status_code == 503
    assert answer.json()["code"] == "vault-unavailable"
    with pytest.raises(VaultUnavailable):
        vault.box_of(jiho).open(second.content, f"memory:{second.pk}")


def test_a_new_database_gets_a_key_file_once_and_for_its_owner_only(db, key_file):
    call_command("init_vault", stdout=io.StringIO())
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    before = key_file.read_text()
    call_command("init_vault", stdout=io.StringIO())
    assert key_file.read_text() == before


def test_a_lost_key_file_is_never_made_anew_over_content(db, key_file):
    call_command("init_vault", stdout=io.StringIO())
    persons.register("minji")
    key_file.unlink()
    master.master.cache_clear()
    with pytest.raises(CommandError, match=r"missing|restore"):
        call_command("init_vault", stdout=io.StringIO())
    assert not key_file.exists()


def test_a_foreign_keyset_is_refused_clearly(db, key_file, settings):
    call_command("init_vault", stdout=io.StringIO())
    settings.MASTER_KEYSET = master.new_keyset()
    master.master.cache_clear()
    with pytest.raises(CommandError, match="does not fit"):
        call_command("init_vault", stdout=io.StringIO())
    settings.MASTER_KEYSET = "not a keyset"
    master.master.cache_clear()
    with pytest.raises(CommandError, match="does not fit"):
        call_command("init_vault", stdout=io.StringIO())


def test_without_its_seal_a_database_is_not_served(db, key_file):
    assert not VaultSeal.objects.exists()
    with pytest.raises(VaultUnavailable, match="init_vault"):
        vault.verify()


def test_recall_degrades_when_the_key_does_not_open(minji, assistant, settings):
    assistant.save("minji", "저는 판교에서 일해요")
    keyset = settings.MASTER_KEYSET
    settings.MASTER_KEYSET = master.new_keyset()
    master.master.cache_clear()
    vault._open_box.cache_clear()
    try:
        recalled = assistant.recall("minji", "판교")
        assert (recalled["memories"], recalled["degraded"]) == ([], True)
        assert assistant.get("memories", user_id="minji").status_code == 503
    finally:
        settings.MASTER_KEYSET = keyset
        master.master.cache_clear()
        vault._open_box.cache_clear()


def test_the_repository_holds_no_key():
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False).stdout
    assert not [
        name
        for name in listed.splitlines()
        if name.endswith(("master.json", "quickstart.json", "secret_key"))
    ]
