"""The master key is rotated while everything runs, and nobody's memory changes by it."""

import base64
import inspect
import io
import json
import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from memoryapp import master, persons, rotation, signing, transit, vault
from memoryapp.errors import Conflict, VaultUnavailable
from memoryapp.master import Keyset, KeysetMismatch
from memoryapp.models import AdminAction, DevicePair, IdempotentAnswer, PersonKey, VaultSeal
from memoryapp.transit import Transit
from tests.a2a.test_context import heard
from tests.conftest import Runtime


@pytest.fixture
def key_file(db, settings, tmp_path):
    settings.MASTER_KEYSET = ""
    settings.MASTER_KEYSET_FILE = tmp_path / "keys" / "master.json"
    forget()
    run("init_vault")
    yield settings.MASTER_KEYSET_FILE
    forget()


def forget():
    """As in a process just started."""
    master.master.cache_clear()
    vault._open_box.cache_clear()


def run(*args: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out, **options)
    return out.getvalue()


def test_rotate_read_save_read(key_file, minji, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    old = Keyset(key_file.read_text()).primary
    said = run("rotate_master_key")
    forget()
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]
    assistant.save("minji", "커피를 좋아해요")
    assert set(assistant.facts("minji", "부산 커피")) == {"저는 부산에서 살아요", "커피를 좋아해요"}
    keyset = Keyset(key_file.read_text())
    assert keyset.primary != old
    assert old in keyset.names
    assert "1 of 1 people's keys" in said
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert VaultSeal.objects.get().wrapped_by == keyset.primary


def test_the_old_key_is_retired_only_when_nothing_needs_it(key_file, minji, jiho, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    old = Keyset(key_file.read_text()).primary
    rotation.add_key()
    with pytest.raises(CommandError, match="rotate first"):
        run("rotate_master_key", "--retire")
    assert old in Keyset(key_file.read_text()).names
    run("rotate_master_key")
    assert old in run("rotate_master_key", "--retire")
    assert old not in Keyset(key_file.read_text()).names
    forget()
    vault.verify()
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]
    assert signing.is_ours(signing.sign({"fact": "signed after the rotation"}))


def test_every_step_is_in_the_audit(key_file, minji):
    old = Keyset(key_file.read_text()).primary
    run("rotate_master_key")
    run("rotate_master_key", "--retire")
    new = Keyset(key_file.read_text()).primary
    assert list(AdminAction.objects.order_by("pk").values_list("action", "object_id", "changed")) == [
        ("master-key.add", new, []),
        ("master-key.rotate", new, []),
        ("master-key.retire", new, [old]),
    ]
    assert not AdminAction.objects.exclude(actor=None).exists()


GUEST = {"recognized_text": "불 켜줘", "session_id": "s1", "speaker": heard("guest")}


def said_before(runtime: Runtime) -> list[str]:
    """What the guest, whom nobody knows, has said in this session."""
    made = runtime.post("a2a/context", {"voice_context": {**GUEST, "recognized_text": "꺼줘"}}).json()
    return [pair["user"] for pair in made["memory_context"]["short_term"]["recent_pairs"]]


@pytest.fixture
def guest_talk(key_file, homebot) -> Runtime:
    """The homebot, after a guest has spoken with it."""
    assert homebot.post("a2a/update", {"voice_context": GUEST, "route_result": {}}).status_code == 200
    return homebot


def test_talk_of_nobody_we_know_outlives_the_old_key(guest_talk, minji):
    said = run("rotate_master_key")
    assert "1 of 1 people's keys" in said  # people's, and no guest's talk among them
    run("rotate_master_key", "--retire")
    forget()
    assert said_before(guest_talk) == ["불 켜줘"]


def test_an_answer_about_nobody_is_repeated_after_the_rotation(key_file, homebot):
    def ask():
        told = {"workflow_id": "w1", "speaker": heard("guest")}
        return homebot.post("workflows", told, **{"Idempotency-Key": "once"})

    first = ask()
    assert first.status_code == 201
    row = IdempotentAnswer.objects.get()
    assert (row.person, row.status) == (None, 201)
    sealed = bytes(row.content or b"")
    run("rotate_master_key")
    run("rotate_master_key", "--retire")
    forget()
    assert bytes(IdempotentAnswer.objects.get().content or b"") != sealed
    assert ask().json() == first.json()


def test_talk_of_nobody_we_know_keeps_the_old_key_while_it_needs_it(key_file, guest_talk, monkeypatch):
    """It does not say which key it needs: only opening it tells."""
    rotation.add_key()
    as_it_was = bytes(DevicePair.objects.get().content)
    run("rotate_master_key")
    DevicePair.objects.update(content=as_it_was)  # as if a web process had sealed it with an older keyset
    with pytest.raises(CommandError, match="rotate first"):
        run("rotate_master_key", "--retire")
    assert said_before(guest_talk) == ["불 켜줘"]


def test_talk_that_opens_under_no_key_is_said_and_stops_nothing_else(guest_talk, minji):
    """It is gone within a day; a rotation in a hurry does not wait for that."""
    DevicePair.objects.update(content=b"rubbish")
    with pytest.raises(CommandError, match="1 other sealed rows"):
        run("rotate_master_key")
    assert set(PersonKey.objects.values_list("wrapped_by", flat=True)) == {master.master().primary()}
    assert VaultSeal.objects.get().wrapped_by == master.master().primary()


def test_whatever_is_sealed_under_the_master_keyset_is_rotated():
    """By construction: a module that encrypts under it itself has its rows in the list."""
    root = Path(rotation.__file__).parent
    encrypts = re.compile(r"master\(\)\.encrypt|,\s*master\(\)\s*,")
    found = {path for path in root.rglob("*.py") if encrypts.search(path.read_text())}
    listed = {Path(inspect.getfile(kind.rewrap)) for kind in rotation.SEALED}
    assert found == listed
    assert len(found) == 4
    labelled = {
        model
        for model in apps.get_models()
        if any(field.name == "wrapped_by" for field in model._meta.concrete_fields)
    }
    assert labelled == {kind.model for kind in rotation.SEALED if kind.labelled}


def test_a_wrong_label_does_not_let_a_needed_key_go(key_file, minji):
    rotation.add_key()
    rotation.rewrap()
    key_file_before = key_file.read_text()
    rotation.add_key()
    PersonKey.objects.update(wrapped_by=Keyset(key_file.read_text()).primary)
    VaultSeal.objects.update(wrapped_by=Keyset(key_file.read_text()).primary)
    with pytest.raises(Conflict):
        rotation.retire()
    assert set(Keyset(key_file_before).names) < set(Keyset(key_file.read_text()).names)


def test_an_interrupted_rotation_goes_on_where_it_was(key_file, make_person, monkeypatch):
    everybody = [make_person(f"kim_{number}") for number in range(5)]
    opened: list[Any] = []

    def fails_at_the_third(key):
        if len(opened) == 3:
            raise KeyboardInterrupt
        opened.append(key.pk)
        vault.rewrap_key(key)

    people = replace(rotation.PEOPLE, rewrap=fails_at_the_third)
    monkeypatch.setattr(rotation, "SEALED", (people, *rotation.SEALED[1:]))
    rotation.add_key()
    with pytest.raises(KeyboardInterrupt):
        rotation.rewrap(batch=2)
    monkeypatch.undo()
    primary = master.master().primary()
    assert PersonKey.objects.filter(wrapped_by=primary).count() == 2
    assert rotation.is_unfinished()
    run("rotate_master_key")
    assert len(Keyset(key_file.read_text()).names) == 2  # no third key was made
    assert PersonKey.objects.filter(wrapped_by=primary).count() == len(everybody)


def test_a_running_process_follows_the_key_file(key_file, minji):
    """The wrapper that this process holds was made before the rotation, as in a web process."""
    held = master.master()
    before = held.primary()
    run("rotate_master_key")
    assert held.primary() != before
    vault.box_of(persons.register("jiho")[0]).seal("x", "place")
    run("rotate_master_key", "--retire")
    vault._open_box.cache_clear()
    assert vault.box(PersonKey.objects.get(person=minji)).mark("판교")


def test_two_rotations_at_once_are_refused(key_file):
    elsewhere = connection.copy()
    with elsewhere.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s::bigint)", [rotation._RUNNING])
        with pytest.raises(CommandError, match="another rotation"):
            run("rotate_master_key")
        cursor.execute("SELECT pg_advisory_unlock(%s::bigint)", [rotation._RUNNING])
    elsewhere.close()
    run("rotate_master_key")


def test_a_key_that_opens_under_nothing_blocks_the_retirement(key_file, minji, jiho):
    PersonKey.objects.filter(person=jiho).update(
        content_keyset=PersonKey.objects.get(person=minji).content_keyset
    )
    with pytest.raises(CommandError, match="1 of 2 keys open under no key"):
        run("rotate_master_key")
    with pytest.raises(CommandError, match="rotate first"):
        run("rotate_master_key", "--retire")


def test_a_keyset_from_the_environment_is_rotated_in_steps(db, settings, tmp_path, minji, assistant):
    vault.set_seal()
    signing.current()
    assistant.save("minji", "저는 부산에서 살아요")
    with pytest.raises(CommandError, match="--output"):
        run("rotate_master_key")
    for step in ("reads", "writes"):
        run("rotate_master_key", output=tmp_path / step)
        settings.MASTER_KEYSET = (tmp_path / step).read_text()
        forget()
        assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]
    assert "Everything is wrapped" in run("rotate_master_key")
    run("rotate_master_key", "--retire", output=tmp_path / "alone")
    settings.MASTER_KEYSET = (tmp_path / "alone").read_text()
    forget()
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]
    assert len(Keyset(settings.MASTER_KEYSET).names) == 1


def test_a_key_file_that_vanishes_is_said_plainly(key_file, minji):
    key_file.unlink()
    vault._open_box.cache_clear()
    with pytest.raises(VaultUnavailable, match="restore the key file"):
        vault.box_of(minji)


class KeyService:
    """A transit engine in miniature: versions of one key, and associated data that has to fit."""

    def __init__(self) -> None:
        self.keysets = [master.new_keyset()]
        self.down = False

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.down:
            return httpx.Response(503)
        if request.method == "GET":
            return httpx.Response(200, json={"data": {"latest_version": len(self.keysets)}})
        body = json.loads(request.content)
        bound = base64.b64decode(body["associated_data"])
        if request.url.path.endswith("encrypt/memory"):
            sealed = Keyset(self.keysets[-1]).aead.encrypt(base64.b64decode(body["plaintext"]), bound)
            text = f"vault:v{len(self.keysets)}:{base64.b64encode(sealed).decode()}"
            return httpx.Response(200, json={"data": {"ciphertext": text}})
        _, version, sealed_text = body["ciphertext"].split(":")
        try:
            plain = Keyset(self.keysets[int(version[1:]) - 1]).aead.decrypt(
                base64.b64decode(sealed_text), bound
            )
        except Exception:  # noqa: BLE001 - whatever a thread meets is the test's to see
            return httpx.Response(400, json={"errors": ["invalid ciphertext"]})
        return httpx.Response(200, json={"data": {"plaintext": base64.b64encode(plain).decode()}})


@pytest.fixture
def key_service(db, settings, monkeypatch):
    service = KeyService()
    wrapper = Transit("http://127.0.0.1:8200", "token", "memory", transport=httpx.MockTransport(service))
    monkeypatch.setattr(transit, "from_environment", lambda: wrapper)
    settings.KEY_WRAPPER = "memoryapp.transit.from_environment"
    forget()
    run("init_vault")
    yield service
    forget()


def test_a_key_service_wraps_peoples_keys(key_service, minji, jiho, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    key_service.keysets.append(master.new_keyset())
    run("rotate_master_key")
    assert set(PersonKey.objects.values_list("wrapped_by", flat=True)) == {"transit:memory:v2"}
    vault._open_box.cache_clear()
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]
    key = PersonKey.objects.get(person=jiho)
    key.person_id = minji.pk
    with pytest.raises(KeysetMismatch):
        vault.box(key)


def test_a_key_service_that_is_down_refuses_clearly(key_service, minji, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    key_service.down = True
    vault._open_box.cache_clear()
    assert assistant.get("memories", user_id="minji").json()["code"] == "vault-unavailable"
    recalled = assistant.recall("minji", "부산")
    assert (recalled["memories"], recalled["degraded"]) == ([], True)
