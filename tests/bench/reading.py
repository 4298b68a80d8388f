"""How fast a worker reads turns, and how often it asks a model."""

import json
import time
from collections.abc import Callable
from typing import Any

from memoryapp import gate, revisions, turns
from memoryapp.extract import fake
from memoryapp.models import ChatService, ExtractorKind
from memoryapp.permit import Act, Caller
from memoryapp.turns import TurnReport
from tests.bench import timing

TURNS = 100
FACTS = json.dumps(
    {"facts": [{"statement": "저는 부산에서 살아요", "memory_type": "PROFILE"}]}, ensure_ascii=False
)


def rules(service: ChatService, user_id: str) -> None:
    """Turns that one worker reads in a second with the built-in rules: read, reconciled, indexed."""
    begin = time.perf_counter()
    for number in range(TURNS):
        _digest(service, user_id, f"rules-{number}", f"저는 요즘 {number}번 버스를 타고 출근해요")
    timing.show_rate("turns read by one worker, built-in rules", TURNS / (time.perf_counter() - begin))


def model(service: ChatService, user_id: str, ask: Callable[[], object]) -> None:
    """Calls of a language model per turn and per recall (`ask`), and how long the longest prompt was."""
    with fake.chat_endpoint(FACTS) as endpoint:
        draft = revisions.draft(service)
        revisions.deploy(
            revisions.edit(
                draft, extractor=ExtractorKind.LLM, extractor_url=endpoint.url, extractor_model="scripted"
            )
        )
        for number in range(10):
            _digest(service, user_id, f"model-{number}", f"제 동생은 {number}월에 태어났고 부산에서 살아요")
        longest = max(
            len(json.dumps(request["messages"], ensure_ascii=False)) for request in endpoint.requests
        )
        read = len(endpoint.requests)
        for _ in range(10):
            ask()
        asked = len(endpoint.requests) - read
    print(
        f"model calls per turn {read / 10:.1f}, per recall {asked / 10:.1f}; longest prompt {longest:,} characters"
    )


def _digest(service: ChatService, user_id: str, turn_id: str, text: str) -> None:
    revision = service.revisions.get(state="deployed")
    permit = gate.admit(Caller(service=service, revision=revision), user_id, Act.RECORD)
    report: dict[str, Any] = {
        "session_id": "bench",
        "turn_id": turn_id,
        "user_text": text,
        "assistant_text": "",
    }
    turn = turns.build(permit, TurnReport(**report))
    turn.save(force_insert=True)
    turns.digest(turn.pk)
