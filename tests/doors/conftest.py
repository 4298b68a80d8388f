"""Minji's things, one of each kind, for tests that walk every door."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from consent.domains import Domain
from memoryapp import assertion_keys, gate, key_url, links, replay, replay_grants, revisions
from memoryapp.models import ContextBlock, ContextEntry, Memory, Turn
from memoryapp.pairs import local_day
from memoryapp.permit import Act
from speakers.models import IdentityLink, Person
from tests.conftest import Runtime
from tests.doors.walk import HEARD, filled

MARK = "zebra-7731"
#: In what only the assistant may tell, even of Minji.
OURS = "okapi-4410"


@pytest.fixture
def signed() -> Ed25519PrivateKey:
    """The key with which the assistant signs who its user is."""
    return Ed25519PrivateKey.generate()


@pytest.fixture
def ids(assistant, make_person, jiho, work, signed) -> dict[str, str]:
    """Minji's things, by the name that an address gives them. Each is a row of hers."""
    minji = make_person("minji", consents=tuple(Domain))
    at, put = {"user_id": "minji"}, assistant.put
    memory = saved(assistant, f"제 별명은 {MARK} 이에요")
    ours = saved(assistant, f"서비스 별명은 {OURS} 이에요", scope="service")
    candidate = saved(assistant, f"제 고향은 {MARK} 이에요")
    Memory.objects.filter(pk=candidate).update(status="candidate")
    for turn_id in ("minji-turn", "minji-taken-back"):
        assistant.report("minji", f"저는 {MARK} 회사에 다녀요", turn_id, session_id="minji-session")
    work()
    source = {"kind": "pair", "id": "minji-taken-back"}
    rollback = assistant.post("rollbacks", {**at, "source": source}).json()["rollback_id"]
    block = "sessions/minji-session/contexts/"
    assert put(f"{block}notes", {**at, "kind": "writable", "content": OURS}).status_code == 201
    for label, kind in (("shelf", "searchable"), ("skills", "loadable")):
        assert put(f"{block}{label}", {**at, "kind": kind}).status_code == 201
        tool = {"label": label, "content": OURS, "metadata": {"title": f"{label}-{OURS}"}}
        assistant.post("sessions/minji-session/tools/set_context", {**at, "arguments": tool})
    assistant.post(f"{block}notes/grants", {**at, "to_session_id": "minji-other"})
    voice = {"kind": "voice", "external_id": "minji-voice", "provider": MARK}
    identity = assistant.post(f"persons/{minji.public_id}/identities", voice).json()["identity_id"]
    links.change(IdentityLink.objects.get(pk=identity).pk, "linked", actor="test", evidence={})
    flow = {"workflow_id": "minji-workflow", "speaker": filled(HEARD, {"voice": "minji-voice"})}
    assert assistant.post("workflows", flow).status_code == 201
    write = {"op": "put", "namespace": ["p"], "key": "k1", "value": {"is": MARK}}
    assistant.post("store/batch", {**at, "operations": [write]})
    assert assistant.get("sync", user_id="minji", device_id="d1").status_code == 200
    pem = signed.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    [key] = assertion_keys.add(assistant.service, "k1", pem)
    key_url.put(assistant.service, "https://keys.example/jwks.json")
    draft, tried = _tried(minji, assistant)
    shelf, skill = (ContextEntry.objects.get(block__label=label) for label in ("shelf", "skills"))
    return {
        "asked": "minji",
        "memory_id": memory,
        "service_memory": ours,
        "candidate": candidate,
        "turn_id": "minji-turn",
        "turn_pk": str(Turn.objects.get(turn_id="minji-turn").pk),
        "session_id": "minji-session",
        "to_session_id": "minji-other",
        "label": "notes",
        "tool": "set_context",
        "store_key": "k1",
        "entry_key": f"shelf-{OURS}",
        "skill_key": f"skills-{OURS}",
        "domain": "long_term_memory",
        "person_id": str(minji.public_id),
        "identity_id": identity,
        "link_id": identity,
        "voice": "minji-voice",
        "block_id": str(ContextBlock.objects.get(label="notes").pk),
        "shelf_id": str(shelf.block_id),
        "shelf_version": str(shelf.block.version),
        "entry_id": str(shelf.pk),
        "skill_id": str(skill.pk),
        "rollback_id": rollback,
        "batch_id": rollback,
        "workflow_id": "minji-workflow",
        "user_id": "minji",
        "login_id": str(minji.login_id),
        "slug": "assistant",
        "draft": str(draft),
        "key_id": str(assistant.service.keys.get().pk),
        "key_pk": str(key.pk),
        "replay_id": tried,
        "device_id": "d1",
    }


def saved(runtime: Runtime, fact: str, **fields: str) -> str:
    return str(runtime.save("minji", fact, **fields).json()["memory"]["memory_id"])


def _tried(minji: Person, runtime: Runtime) -> tuple[int, str]:
    """A trial of a draft on what Minji said, by her leave. → the draft's number, the trial's id"""
    replay_grants.give(minji, runtime.service)
    permit = gate.admit(runtime.caller, "minji", Act.REPLAY)
    draft = revisions.draft(runtime.service)
    made = replay.start(
        permit, draft, local_day(Turn.objects.get(turn_id="minji-turn").occurred_at, minji.zone)
    )
    replay.run(made.pk)
    return draft.number, str(made.pk)
