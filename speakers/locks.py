"""One writer at a time per person."""

from django.db import connection

from speakers.models import Person

_NAMESPACE = 7731


def lock_person(person: Person) -> None:
    """Wait for, then hold, this person's lock until the surrounding transaction ends.

    Whoever stores, corrects, deletes or changes consent holds it, so that parallel turns cannot
    make twins and nothing is stored after a withdrawal has been answered.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("lock_person needs a transaction")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", [_NAMESPACE, person.pk % 2**31])
