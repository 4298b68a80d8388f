"""What becomes of an erased person's login: it goes with all that hangs on it, unless it has another role."""

from collections import Counter

from allauth.account.models import EmailAddress
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Model, Q

from speakers.models import Person, User

#: Of the identity provider's app, whose tables are there even after it was switched off.
_SOCIAL = {
    "socialaccount_socialtoken": "account_id IN (SELECT id FROM socialaccount_socialaccount WHERE user_id = %s)",
    "socialaccount_socialaccount": "user_id = %s",
}


def of(person: Person) -> User | None:
    """The login that reaches this person, or would at its first visit: one of their name that is nobody else's."""
    return person.login or User.objects.filter(username=person.user_id, person=None).first()


def stays(user: User) -> bool:
    """Whether a login is needed for more than its person: it administers a service or the system."""
    return user.is_staff or user.is_superuser or user.services.exists()


def remove(user: User) -> Counter[str]:
    """Remove a login, and wherever its names were written down. → rows by model"""
    names = _names(user)
    _forget_in_log(user)
    gone = Counter(session=_delete_sessions(user), socialaccount=_delete_social(user))
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        gone += counted(model._default_manager.filter(names).delete())
    return gone + counted(user.delete())


def counted(deleted: tuple[int, dict[str, int]]) -> Counter[str]:
    """What a `delete()` tells, by the model's name alone."""
    return Counter({label.rpartition(".")[2].lower(): number for label, number in deleted[1].items()})


def _names(user: User) -> Q:
    """Whatever can be typed to sign in as this login; people type it in any case."""
    emails = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    names = {user.get_username(), user.email, *emails} - {""}
    return Q(*(Q(username__iexact=name) for name in names), _connector=Q.OR)


def _forget_in_log(user: User) -> None:
    """The operators' log tells what was done to which row; the names of these rows go."""
    rows: dict[type[Model], list[str]] = {
        User: [str(user.pk)],
        EmailAddress: [str(pk) for pk in EmailAddress.objects.filter(user=user).values_list("pk", flat=True)],
    }
    for model, ids in rows.items():
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.filter(content_type=kind, object_id__in=ids).update(object_repr="")


def _delete_sessions(user: User) -> int:
    """A session tells whose it is only when it is read."""
    mine = [
        row.pk for row in Session.objects.iterator() if row.get_decoded().get("_auth_user_id") == str(user.pk)
    ]
    return Session.objects.filter(pk__in=mine).delete()[0]


def _delete_social(user: User) -> int:
    there = set(connection.introspection.table_names())
    deleted = 0
    with connection.cursor() as cursor:
        for table, whose in _SOCIAL.items():
            if table in there:
                cursor.execute(f"DELETE FROM {table} WHERE {whose}", [user.pk])  # noqa: S608 - names of ours
                deleted += cursor.rowcount
    return deleted
