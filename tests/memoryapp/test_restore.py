"""A restored backup brings nobody back: the ledger outside the database is replayed before anything is served."""

import fcntl
import hashlib
import io
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core import serializers
from django.core.management import CommandError, call_command
from django.utils import timezone

from consent import ledger, notices
from consent.domains import Domain
from memoryapp import erase, erasures, gate, readiness, restore, signing, tasks, vault
from memoryapp.celery import app
from memoryapp.models import Erasure, PersonKey, VaultSeal
from memoryapp.permit import Act
from speakers.models import Person, User


@pytest.fixture(autouse=True)
def ledger_file(settings, tmp_path):
    settings.ERASURE_LEDGER = tmp_path / "erasures.jsonl"
    return settings.ERASURE_LEDGER


def run(*args: str) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out, stderr=out)
    return out.getvalue()


def erase_her(person: Person) -> dict[str, Any]:
    certificate = erase.erase(gate.own(person, Act.ERASE)).as_dict()
    erasures.keep_outside()
    return certificate


def backup_of(person: Person) -> str:
    login = User.objects.get(person=person)
    return serializers.serialize("json", [login, person, PersonKey.objects.get(person=person)])


def bring_back(backup: str) -> None:
    """As a restore does: the rows are there again, and the erasure's own row is not."""
    for row in serializers.deserialize("json", backup):
        row.save()
    Erasure.objects.all().delete()


def test_who_was_erased_and_came_back_with_a_backup_is_erased_again(minji, jiho, ledger_file):
    backup = backup_of(minji)
    erase_her(minji)
    bring_back(backup)
    assert Person.objects.filter(user_id="minji").exists()
    with pytest.raises(restore.Revenants, match="restore_check"):
        restore.refuse_revenants()
    with pytest.raises(CommandError, match="1 erased"):
        run("restore_check", "--dry-run")
    assert "1 people erased again" in run("restore_check")
    assert not Person.objects.filter(user_id="minji").exists()
    assert Person.objects.filter(user_id="jiho").exists()
    restore.refuse_revenants()
    assert "Nobody" in run("restore_check")


def test_the_ledger_names_nobody(minji, ledger_file):
    erase_her(minji)
    text = ledger_file.read_text()
    assert "minji" not in text.lower()
    assert ledger_file.stat().st_mode & 0o777 == 0o600
    assert erasures.keep_outside() == 0


def test_a_ledger_that_has_lost_a_certificate_lets_nothing_start(minji, ledger_file):
    backup = backup_of(minji)
    erase_her(minji)
    for row in serializers.deserialize("json", backup):
        row.save()
    ledger_file.unlink()
    with pytest.raises(erasures.LedgerMissing, match="--rebuild-ledger"):
        restore.refuse_revenants()
    with pytest.raises(CommandError, match="1 certificates"):
        run("restore_check")
    told = run("restore_check", "--rebuild-ledger")
    assert "1 certificates written" in told
    assert "1 people erased again" in told
    restore.refuse_revenants()


def test_another_ledger_is_noticed_in_a_backup_older_than_the_first_erasure(minji, ledger_file, settings):
    vault.set_seal()
    run("init_vault")
    backup = backup_of(minji)
    erase_her(minji)
    bring_back(backup)
    right, settings.ERASURE_LEDGER = ledger_file, ledger_file.with_name("elsewhere.jsonl")
    with pytest.raises(erasures.LedgerMissing):
        restore.refuse_revenants()
    run("init_vault")  # makes none: this database has one
    with pytest.raises(CommandError, match="elsewhere"):
        run("restore_check", "--dry-run")
    settings.ERASURE_LEDGER.touch()
    with pytest.raises(erasures.LedgerMissing):
        restore.refuse_revenants()
    settings.ERASURE_LEDGER = right
    with pytest.raises(restore.Revenants):
        restore.refuse_revenants()


def test_the_first_start_after_an_update_begins_a_ledger_or_takes_the_one_there_is(minji, ledger_file):
    vault.set_seal()
    restore.refuse_revenants()  # nothing was begun, nothing is missed
    run("init_vault")
    assert len(ledger_file.read_text().splitlines()) == 1
    VaultSeal.objects.update(ledger_id=None)  # as in a backup from before the update
    erase_her(minji)
    run("init_vault")
    assert len(ledger_file.read_text().splitlines()) == 2
    restore.refuse_revenants()


def test_a_line_that_we_did_not_sign_erases_nobody(minji, jiho, ledger_file):
    certificate = erase_her(minji)
    forged = {**certificate, "person_id": str(jiho.public_id)}
    ledger_file.write_text(json.dumps(forged) + "\n")
    Erasure.objects.all().delete()
    assert restore.revenants() == []
    assert "1 lines" in run("restore_check")


def test_a_line_cut_off_by_a_crash_is_mended(minji, jiho, ledger_file):
    erase_her(minji)
    with ledger_file.open("a") as file:
        file.write('{"certificate_id": "half')
    assert len(list(erasures.kept())) == 1
    erase_her(jiho)
    assert len(list(erasures.kept())) == 2


def test_a_ledger_that_cannot_be_written_is_written_later(minji, settings, tmp_path):
    settings.ERASURE_LEDGER = tmp_path / "a file" / "erasures.jsonl"
    (tmp_path / "a file").write_text("in the way")
    erase.erase(gate.own(minji, Act.ERASE))
    with pytest.raises(OSError, match="file"):
        erasures.keep_outside()
    (tmp_path / "a file").unlink()
    assert erasures.keep_outside() == 1


def test_who_is_writing_a_line_is_waited_for(minji, ledger_file):
    theirs = json.dumps({"person_id": str(uuid.uuid4())})
    begun = threading.Event()

    def write_slowly():
        with ledger_file.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(theirs[:9])
            file.flush()
            begun.set()
            time.sleep(0.5)
            file.write(theirs[9:] + "\n")

    other = threading.Thread(target=write_slowly)
    other.start()
    begun.wait()
    hers = erase_her(minji)
    other.join()
    assert [line["person_id"] for line in erasures.kept()] == [
        json.loads(theirs)["person_id"],
        hers["person_id"],
    ]


@pytest.mark.django_db(transaction=True)
def test_a_ledger_that_cannot_be_written_stops_neither_an_erasure_nor_the_sweep(
    minji, assistant, ledger_file, caplog
):
    ledger_file.mkdir()
    answer = assistant.delete("users/minji")
    assert (answer.status_code, answer.json()["key_destroyed"]) == (200, True)
    assert "IsADirectoryError" in caplog.text
    assert str(ledger_file) not in caplog.text
    sent = []
    with (
        patch.object(app, "send_task", lambda name, **kwargs: sent.append(name)),
        pytest.raises(IsADirectoryError),
    ):
        tasks.sweep()
    assert {"memoryapp.heal", "memoryapp.compress"} <= set(sent)
    assert readiness.report()["erasures"] == {"ok": True, "waiting": 1}
    Erasure.objects.update(erased_at=timezone.now() - timedelta(minutes=5))
    report = readiness.report()
    assert report["erasures"] == {"ok": False, "waiting": 1}
    assert "erasures" in report["degraded"]
    ledger_file.rmdir()
    tasks.sweep()
    assert readiness.report()["erasures"] == {"ok": True, "waiting": 0}


def test_a_certificate_is_verified_without_the_database(minji, tmp_path):
    certificate = erase_her(minji)
    paper, keys = tmp_path / "certificate.json", tmp_path / "keys.json"
    paper.write_text(json.dumps(certificate))
    keys.write_text(json.dumps({"keys": signing.public_keys()}))
    assert "Good" in run("verify_certificate", str(paper), "--keys", str(keys))
    assert "Good" in run("verify_certificate", str(paper), "--database")
    paper.write_text(json.dumps({**certificate, "counts": {}}))
    with pytest.raises(CommandError, match="NOT signed"):
        run("verify_certificate", str(paper), "--keys", str(keys))
    paper.write_text("[1]")
    with pytest.raises(CommandError, match="cannot be read"):
        run("verify_certificate", str(paper), "--database")


def test_receipts_of_an_export_are_verified_offline(minji, assistant, tmp_path):
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page")
    ledger.decide(minji, Domain.LONG_TERM_MEMORY, False, actor="person", source="my-page")
    export = tmp_path / "export.ndjson"
    export.write_bytes(assistant.get("export", user_id="minji").getvalue())
    assert "3 receipts" in run("verify_receipts", str(export))
    altered = export.read_text().replace('"granted": false', '"granted": true')
    export.write_text(altered)
    with pytest.raises(CommandError, match="1 faults"):
        run("verify_receipts", str(export))


def audit_outside(*args: str) -> subprocess.CompletedProcess[str]:
    """As an auditor runs it: our source, the files, and nothing in the environment."""
    return subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *args],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_an_auditor_needs_the_files_and_no_environment(minji, assistant, tmp_path):
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page")
    export, keys, paper = (tmp_path / name for name in ("export.ndjson", "keys.json", "certificate.json"))
    export.write_bytes(assistant.get("export", user_id="minji").getvalue())
    paper.write_text(json.dumps(erase_her(minji)))
    keys.write_text(json.dumps({"keys": signing.public_keys()}))
    for name, file in (("verify_receipts", export), ("verify_certificate", paper)):
        done = audit_outside(name, str(file), "--keys", str(keys))
        assert (done.returncode, done.stdout[:4]) == (0, "Good"), done.stderr
    export.write_text(export.read_text().replace('"granted": true', '"granted": false'))
    done = audit_outside("verify_receipts", str(export), "--keys", str(keys))
    assert (done.returncode, "has been altered" in done.stderr) == (1, True)


def test_receipts_of_one_domain_are_verified_offline(minji, assistant, tmp_path):
    ledger.decide(minji, Domain.LONG_TERM_MEMORY, False, actor="person", source="my-page")
    answer = assistant.get("consents/long_term_memory/receipts", user_id="minji").json()
    paper = tmp_path / "receipts.json"
    paper.write_text(json.dumps(answer))
    assert "2 receipts" in run("verify_receipts", str(paper))
    paper.write_text(json.dumps({"items": answer["items"][1:]}))
    with pytest.raises(CommandError, match="faults"):
        run("verify_receipts", str(paper))


def test_a_receipt_over_another_notice_is_told(minji, tmp_path):
    event = minji.consent_events.get()
    event.notice_sha256 = "0" * 64
    event.sha256 = hashlib.sha256(notices.canonical(ledger._body(event))).hexdigest()
    paper = tmp_path / "receipts.json"
    paper.write_text(json.dumps([ledger.receipt(event)]))
    with pytest.raises(CommandError, match="1 faults"):
        run("verify_receipts", str(paper))


def test_consent_that_has_run_out_is_recorded_as_withdrawn(minji):
    soon = timezone.now() + timedelta(seconds=5)
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page", expires_at=soon)
    assert ledger.expire(soon + timedelta(seconds=1)) == 1
    newest = minji.consent_events.latest("pk")
    assert (newest.granted, newest.source, newest.actor) == (False, "expiry", "system")
    assert vault.box_of(minji)
