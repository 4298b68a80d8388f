"""Talk of nobody we know: kept for hours, for the same voice in the same session on the same device.

It never becomes a memory: it belongs to no person, and no worker reads it.
"""

import json
from typing import Any

from django.db import transaction

from memoryapp import vault
from memoryapp.a2a.budget import PAIRS, Part
from memoryapp.a2a.contract import Route
from memoryapp.a2a.request import Asked, Who
from memoryapp.master import Wrapper, master
from memoryapp.models import DevicePair
from memoryapp.permit import Caller
from speakers.identity import resolve
from speakers.models import LinkState

MOST_PAIRS = 6


def parts(caller: Caller, asked: Asked, who: Who, have: dict[str, Any]) -> list[Part]:
    """The pairs of this session before, if nobody's voice spoke them and it is the same voice now."""
    if have["short_term"]["recent_pairs"] or not _applies(caller, asked, who):
        return []
    rows = DevicePair.objects.filter(
        service=caller.service,
        device_id=asked.voice.device_id,
        session_id=asked.voice.session_id,
        speaker_id=_speaker_id(who),
    ).order_by("-at")[:MOST_PAIRS]
    return [Part(place=PAIRS, value=_open(row)) for row in reversed(rows)]


def keep(caller: Caller, asked: Asked, who: Who, route: Route) -> None:
    """Keep one pair for the going-on of its session."""
    if asked.no_write or not _applies(caller, asked, who):
        return
    row = DevicePair(
        service=caller.service,
        device_id=asked.voice.device_id,
        session_id=asked.voice.session_id,
        speaker_id=_speaker_id(who),
    )
    value = {"user": asked.voice.text, "assistant": route.assistant_text}
    family = {"route_family": route.route_family} if route.route_family else {}
    with transaction.atomic():
        vault.share_primary()  # while we seal, nobody retires the key we seal with
        row.content = _seal({**value, **family}, row)
        row.save(force_insert=True)


def rewrap(row: DevicePair) -> None:
    """Seal a pair under the primary master key of now. Raises KeysetMismatch."""
    row.content = master().encrypt(master().decrypt(bytes(row.content), _place(row)), _place(row))
    row.save(update_fields=["content"])


def opens(row: DevicePair, wrapper: Wrapper) -> None:
    """Prove that this wrapper opens a pair. Raises KeysetMismatch."""
    wrapper.decrypt(bytes(row.content), _place(row))


def _applies(caller: Caller, asked: Asked, who: Who) -> bool:
    """Nobody was named, and the voice, if there is one, is certain and nobody's. A refusal is not nobody."""
    if who.user_id is not None or asked.user_id is not None or not asked.voice.session_id:
        return False
    if asked.voice.speaker is not None:
        heard = resolve(asked.voice.speaker)
        if not heard.certain or heard.link_state != LinkState.UNLINKED:
            return False
    return caller.service is not None and caller.revision is not None and caller.revision.memory_enabled


def _speaker_id(who: Who) -> str:
    return who.scope.speaker_id if who.scope else ""


def _open(row: DevicePair) -> dict[str, Any]:
    return dict(json.loads(master().decrypt(bytes(row.content), _place(row))))


def _seal(value: dict[str, Any], row: DevicePair) -> bytes:
    """Under the master keyset: there is no person whose key it could be."""
    return master().encrypt(json.dumps(value, ensure_ascii=False).encode(), _place(row))


def _place(row: DevicePair) -> bytes:
    return f"device_pair:{row.pk}".encode()
