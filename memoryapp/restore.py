"""After a backup was restored: who had been erased since is erased again, before anything is served."""

from memoryapp import erasures, gate
from memoryapp.erase import erase
from memoryapp.errors import Problem
from memoryapp.one_by_one import each
from memoryapp.permit import Act
from speakers.models import Person

_CHUNK = 1000


class Revenants(Problem):
    """A restored backup has brought back people who were erased."""

    code = "revenants"
    status = 503


def revenants() -> list[Person]:
    """The people in the database whom the ledger outside it knows as erased. Raises LedgerMissing, LedgerUnreadable."""
    ids = erasures.whole().people
    found: list[Person] = []
    for start in range(0, len(ids), _CHUNK):
        found += Person.objects.filter(public_id__in=ids[start : start + _CHUNK])
    return found


def refuse_revenants() -> None:
    """Neither web nor worker starts while there are any, or while nobody knows.

    Raises Revenants, LedgerMissing, LedgerUnreadable.
    """
    people = revenants()
    if people:
        raise Revenants(f"{len(people)} of them: run `manage.py restore_check`")


def replay() -> int:
    """Erase them again; one who cannot be erased keeps everything shut. → how many. Raises LedgerMissing, LedgerUnreadable."""
    return each("erasures of people who are back", revenants(), _erase)


def _erase(person: Person) -> int:
    erase(gate.own(person, Act.ERASE))
    return 1
