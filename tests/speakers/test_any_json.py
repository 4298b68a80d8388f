"""No JSON whatever makes any of these doors fail: a clear refusal, or an answer."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.a2a.test_contract import anything

SPEAKER = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("speaker_id", "speaker_state", "speaker_confidence", "overlap"), anything)
)
BODIES = {
    "speakers/resolve": {"speaker": SPEAKER | anything, "domain": anything},
    "speakers/history": {
        "speaker_id": st.just("user_001") | anything,
        "sessions": st.lists(anything) | anything,
    },
    "workflows": {"workflow_id": anything, "speaker": SPEAKER},
    "workflows/w/authorize": {"speaker": SPEAKER, "action": anything},
    "persons/{person}/identities": {
        "kind": st.sampled_from(["voice", "face"]) | anything,
        "external_id": anything,
    },
    "rollbacks": {
        "user_id": st.just("minji"),
        "source": st.fixed_dictionaries({"kind": st.sampled_from(["pair", "link"]), "id": anything})
        | anything,
    },
    "sync": {
        "user_id": st.just("minji"),
        "device_id": st.just("robot") | anything,
        "writes": anything
        | st.lists(
            st.fixed_dictionaries(
                {
                    "client_id": anything | st.text(min_size=1, max_size=5),
                    "kind": st.sampled_from(["memory", "pair", "profile_candidate"]) | anything,
                    "payload": anything
                    | st.fixed_dictionaries(
                        {},
                        optional=dict.fromkeys(
                            ("statement", "user_text", "key", "value", "memory_id", "occurred_at"), anything
                        ),
                    ),
                }
            ),
            max_size=3,
        ),
    },
}


@pytest.mark.parametrize("path", BODIES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_it_answers_or_refuses(minji, homebot, link, path, data):
    link(minji, "user_001")
    body = data.draw(
        st.fixed_dictionaries({}, optional=BODIES[path]) | st.fixed_dictionaries(BODIES[path]) | anything
    )
    headers = {"Authorization": f"Bearer {homebot.secret}"}
    answer = homebot.http.post(
        f"/api/v1/{path.format(person=minji.public_id)}",
        json.dumps(body),
        content_type="application/json",
        headers=headers,
    )
    assert answer.status_code < 500, answer.content
