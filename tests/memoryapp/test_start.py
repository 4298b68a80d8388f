"""Web and worker do not start with the wrong keys, nor on a backup that brought erased people back."""

import json
import subprocess
import sys

import pytest

from memoryapp import master, signing, vault
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
