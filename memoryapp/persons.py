"""Know a person: the row, and the key that is theirs alone."""

from django.db import IntegrityError, transaction

from memoryapp import vault
from speakers.models import Person, User


def register(user_id: str, display_name: str = "", login: User | None = None) -> tuple[Person, bool]:
    """The person known by this user_id, made with a key of their own if new. → (person, made?)

    A person who came without a name gets the first one that is told.
    """
    known = Person.objects.filter(user_id=user_id).first()
    if known is not None:
        if display_name and known.display_name == user_id:
            known.display_name = display_name
            known.save(update_fields=["display_name"])
        return known, False
    try:
        with transaction.atomic():
            person = Person.objects.create(user_id=user_id, display_name=display_name or user_id, login=login)
            vault.create_key(person)
    except IntegrityError:  # somebody else registered them at this moment
        return Person.objects.get(user_id=user_id), False
    return person, True
