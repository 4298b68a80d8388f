"""Answer a keyed write once: the first answer again for a repeat, 409 for another request under the same key."""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from memoryapp import signing, vault
from memoryapp.errors import Conflict
from memoryapp.master import Wrapper, master
from memoryapp.models import ChatService, IdempotentAnswer
from memoryapp.vault import box_of
from speakers.models import Person

#: A status and a JSON body.
Answer = tuple[int, Any]


@dataclass(frozen=True)
class About:
    """Whom an answer is about: a person, or a voice that is nobody's yet. It goes when they are erased."""

    person: Person | None = None
    voice: str = ""


def answer_once(
    service: ChatService, key: str, request: bytes, about: Callable[[], About], act: Callable[[], Answer]
) -> Answer:
    """Run `act` unless this key was answered before. Repeats at the same moment wait for the first.

    `about` is asked after `act`, which may have made the person. Only successes are kept; an error leaves the
    key free. Raises Conflict for another request.
    """
    digest = hmac.digest(signing.secret("idempotency"), request, hashlib.sha256).hex()
    with transaction.atomic():
        new = IdempotentAnswer(service=service, key=key, request_sha256=digest)
        IdempotentAnswer.objects.bulk_create([new], ignore_conflicts=True)
        row = IdempotentAnswer.objects.select_for_update(of=("self",)).get(service=service, key=key)
        if row.request_sha256 != digest and not _is_older(row, request):
            raise Conflict("this Idempotency-Key was used for another request")
        if row.status:
            return row.status, _open(row, request)
        status, data = act()
        _keep(row, status, data, about())
    return status, data


def _keep(row: IdempotentAnswer, status: int, data: Any, about: About) -> None:
    row.status, row.person = status, about.person
    row.speaker_id = "" if about.person else about.voice
    if about.person is not None:
        row.content = box_of(about.person).seal(data, _place(row))
    elif data is not None:  # there is no person whose key it could be
        vault.share_primary()
        row.content = master().encrypt(json.dumps(data).encode(), _place(row).encode())
    row.save(update_fields=["status", "person", "speaker_id", "content"])


def _open(row: IdempotentAnswer, request: bytes) -> Any:
    if row.content is None:
        return None
    sealed = bytes(row.content)
    if row.person:
        return box_of(row.person).open(sealed, _place(row))
    if _is_older(row, request):
        return json.loads(sealed)
    return json.loads(master().decrypt(sealed, _place(row).encode()))


def rewrap(row: IdempotentAnswer) -> None:
    """Seal an answer about nobody under the primary master key of now. Raises KeysetMismatch."""
    bound = _place(row).encode()
    row.content = master().encrypt(master().decrypt(bytes(row.content or b""), bound), bound)
    row.save(update_fields=["content"])


def opens(row: IdempotentAnswer, wrapper: Wrapper) -> None:
    """Prove that this wrapper opens an answer about nobody. Raises KeysetMismatch."""
    wrapper.decrypt(bytes(row.content or b""), _place(row).encode())


def _is_older(row: IdempotentAnswer, request: bytes) -> bool:
    """Answered by the release before, whose hash had no key and whose answers about nobody were not sealed."""
    return row.request_sha256 == hashlib.sha256(request).hexdigest()


def _place(row: IdempotentAnswer) -> str:
    return f"answer:{row.service_id}:{row.key}"
