"""After a backup was restored: who had been erased since is erased again, before anything is served."""

from collections.abc import Iterator

from memoryapp import erasures, gate, signing
from memoryapp.erase import erase
from memoryapp.errors import Problem
from memoryapp.permit import Act
from speakers.models import Person

_CHUNK = 1000


class Revenants(Problem):
    """A restored backup has brought back people who were erased."""

    code = "revenants"
    status = 503


def revenants() -> list[Person]:
    """The people in the database whom the ledger outside it knows as erased."""
    found: list[Person] = []
    for ids in _erased_ids():
        found += Person.objects.filter(public_id__in=ids)
    return found


def refuse_revenants() -> None:
    """Raises Revenants: neither web nor worker starts while there are any."""
    people = revenants()
    if people:
        raise Revenants(f"{len(people)} of them: run `manage.py restore_check`")


def replay() -> int:
    """Erase them again. → how many"""
    people = revenants()
    for person in people:
        erase(gate.own(person, Act.ERASE))
    return len(people)


def unsigned() -> int:
    """Lines of the ledger that no key of this database has signed; they are not acted upon."""
    return sum(not signing.is_ours(certificate) for certificate in erasures.kept())


def _erased_ids() -> Iterator[list[str]]:
    ids = [str(item.get("person_id")) for item in erasures.kept() if signing.is_ours(item)]
    for start in range(0, len(ids), _CHUNK):
        yield ids[start : start + _CHUNK]
