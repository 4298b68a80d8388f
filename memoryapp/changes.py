"""Number what changed, for devices to follow: per person one sequence, gapless, in the order of commits."""

import uuid
from collections.abc import Sequence

from django.db import connection

from memoryapp.models.sync import new_epoch

MEMORY, SUMMARY = "memory", "summary"

# One statement: the counter's row stays locked until the caller commits, so a later number cannot be seen
# before an earlier one, and a roll-back gives its number back.
_NOTE = """
WITH counter AS (
    INSERT INTO memoryapp_synccounter AS c (person_id, last_seq, floor_seq, epoch)
    VALUES (%(person)s::bigint, %(count)s::bigint, 0, %(epoch)s::text)
    ON CONFLICT (person_id) DO UPDATE SET last_seq = c.last_seq + EXCLUDED.last_seq
    RETURNING last_seq
)
INSERT INTO memoryapp_syncchange (person_id, seq, kind, object_id, service_id, gone, at)
SELECT
    %(person)s::bigint, last_seq - %(count)s::bigint + thing.place, %(kind)s::text, thing.id,
    thing.service_id, %(gone)s::boolean, now()
FROM counter, unnest(%(objects)s::uuid[], %(services)s::bigint[]) WITH ORDINALITY AS thing (id, service_id, place)
ON CONFLICT (person_id, kind, object_id)
DO UPDATE SET seq = EXCLUDED.seq, service_id = EXCLUDED.service_id, gone = EXCLUDED.gone, at = EXCLUDED.at
"""


def note(
    person_id: int, kind: str, object_id: uuid.UUID, *, service_id: int | None, gone: bool = False
) -> None:
    """Give the latest change of one thing the next number, in the caller's transaction.

    Only the latest change of a thing keeps a row: a device that comes back late gets each thing once.
    """
    note_all(person_id, kind, [(object_id, service_id)], gone=gone)


def note_all(
    person_id: int, kind: str, things: Sequence[tuple[uuid.UUID, int | None]], *, gone: bool = False
) -> None:
    """The same for several things, each (id, service), in their order; no thing twice."""
    if not things:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _NOTE,
            {
                "person": person_id,
                "epoch": new_epoch(),
                "kind": kind,
                "count": len(things),
                "objects": [thing for thing, _ in things],
                "services": [service_id for _, service_id in things],
                "gone": gone,
            },
        )
