"""Answer a keyed write once: the first answer again for a repeat, 409 for another request under the same key."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.db import transaction

from memoryapp import gate
from memoryapp.errors import Conflict
from memoryapp.models import ChatService, IdempotentAnswer
from memoryapp.vault import box_of

#: A status and a JSON body.
Answer = tuple[int, Any]


def answer_once(
    service: ChatService, key: str, request: bytes, user_id: str, act: Callable[[], Answer]
) -> Answer:
    """Run `act` unless this key was answered before. Repeats at the same moment wait for the first.

    Only successes are kept; an error leaves the key free. Raises Conflict for another request.
    """
    digest = hashlib.sha256(request).hexdigest()
    with transaction.atomic():
        new = IdempotentAnswer(service=service, key=key, request_sha256=digest)
        IdempotentAnswer.objects.bulk_create([new], ignore_conflicts=True)
        row = IdempotentAnswer.objects.select_for_update(of=("self",)).get(service=service, key=key)
        if row.request_sha256 != digest:
            raise Conflict("this Idempotency-Key was used for another request")
        if row.status:
            return row.status, _open(row)
        status, data = act()
        _keep(row, status, data, user_id)
    return status, data


def _keep(row: IdempotentAnswer, status: int, data: Any, user_id: str) -> None:
    person = gate.find(user_id)
    row.status, row.person = status, person
    if person is not None:
        row.content = box_of(person).seal(data, _place(row))
    else:  # nobody's answer: it holds ids and counts, never content
        row.content = json.dumps(data).encode()
    row.save(update_fields=["status", "person", "content"])


def _open(row: IdempotentAnswer) -> Any:
    sealed = bytes(row.content or b"null")
    return box_of(row.person).open(sealed, _place(row)) if row.person else json.loads(sealed)


def _place(row: IdempotentAnswer) -> str:
    return f"answer:{row.service_id}:{row.key}"
