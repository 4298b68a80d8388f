"""Web and worker do not start with the wrong keys, nor on a backup that brought erased people back."""

import json
import subprocess
import sys
import uuid

import pytest
from django.core.management import CommandError, call_command

from memoryapp import erasures, master, restore, signing, vault
from memoryapp.errors import VaultUnavailable
from tests.live import PROJECT, server_environment

WEB = [sys.executable, "-c", "import memoryapp.asgi"]
WORKER = [sys.executable, "-m", "celery", "--app", "memoryapp.celery", "worker", "--pool", "solo"]


def start(command, **more):
    return subprocess.run(
        command,
        cwd=PROJECT,
        env=server_environment() | more,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


@pytest.mark.parametrize("command", [WEB, WORKER], ids=["web", "worker"])
def test_with_another_master_keyset_nothing_starts(transactional_db, command):
    vault.set_seal()
    ended = start(command, MEMORYAPP_MASTER_KEYSET=master.new_keyset())
    assert ended.returncode != 0
    assert "not the one of this database" in ended.stdout + ended.stderr


@pytest.mark.parametrize("command", [WEB, WORKER], ids=["web", "worker"])
def test_on_a_restored_backup_with_an_erased_person_nothing_starts(
    transactional_db, minji, tmp_path, command
):
    vault.set_seal()
    ledger = tmp_path / "erasures.jsonl"
    ledger.write_text(json.dumps(signing.sign({"person_id": str(minji.public_id)})) + "\n")
    ended = start(command, MEMORYAPP_ERASURE_LEDGER=str(ledger))
    assert ended.returncode != 0
    assert "restore_check" in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "damage",
    [b'{"person_id": "half', b"\0\0\0\0", b"[1]", b"7", b'{"person_id": "nobody"}', b"{}", b"\xff\xfe"],
    ids=["torn", "zeros", "list", "number", "no uuid", "empty", "no text"],
)
def test_a_damaged_ledger_names_its_line(db, settings, tmp_path, damage):
    settings.ERASURE_LEDGER = tmp_path / "erasures.jsonl"
    good = json.dumps(signing.sign({"person_id": str(uuid.uuid4())})).encode()
    settings.ERASURE_LEDGER.write_bytes(b"\n".join([good, b"", damage, good, b""]))
    with pytest.raises(erasures.LedgerUnreadable, match="line 3"):
        restore.refuse_revenants()
    with pytest.raises(CommandError, match="line 3"):
        call_command("restore_check", "--dry-run")


def test_a_ledger_that_is_a_folder_is_no_empty_one(db, settings, tmp_path):
    settings.ERASURE_LEDGER = tmp_path
    with pytest.raises(erasures.LedgerUnreadable, match="IsADirectory"):
        restore.refuse_revenants()


@pytest.mark.parametrize("command", [WEB, WORKER], ids=["web", "worker"])
def test_on_a_damaged_ledger_nothing_starts(transactional_db, tmp_path, command):
    vault.set_seal()
    (tmp_path / "erasures.jsonl").write_text("torn\n")
    ended = start(command, MEMORYAPP_ERASURE_LEDGER=str(tmp_path / "erasures.jsonl"))
    assert ended.returncode != 0
    assert "line 1" in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        {"MEMORYAPP_MASTER_KEYSET_FILE": str(PROJECT), "MEMORYAPP_MASTER_KEYSET": ""},
        {"MEMORYAPP_KEY_WRAPPER": "memoryapp.nowhere.to_be_found"},
        {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"},
    ],
    ids=["folder", "wrapper", "database"],
)
def test_a_worker_that_cannot_look_does_not_start(transactional_db, wrong):
    vault.set_seal()
    ended = start(WORKER, **wrong)
    assert ended.returncode != 0
    assert "Traceback" not in ended.stdout + ended.stderr


def test_a_key_file_that_cannot_be_read_is_a_clear_refusal(db, settings, tmp_path):
    settings.MASTER_KEYSET, settings.MASTER_KEYSET_FILE = "", tmp_path / "master.json"
    settings.MASTER_KEYSET_FILE.mkdir()
    with pytest.raises(VaultUnavailable, match="IsADirectory"):
        master.master.__wrapped__()
    settings.MASTER_KEYSET_FILE.rmdir()
    settings.MASTER_KEYSET_FILE.write_bytes(b"\xff\xfe")
    with pytest.raises(VaultUnavailable, match="UnicodeDecodeError"):
        master.master.__wrapped__()
    settings.KEY_WRAPPER = "nowhere"
    with pytest.raises(VaultUnavailable, match="MEMORYAPP_KEY_WRAPPER"):
        master.master.__wrapped__()
