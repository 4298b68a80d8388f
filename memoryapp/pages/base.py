"""What every page shares: who it is for, and what a refusal looks like."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.cache import never_cache

from memoryapp import persons
from memoryapp.errors import NotFound, Problem
from memoryapp.models import ChatService
from memoryapp.pages import failures
from speakers.models import Person, User

View = Callable[..., HttpResponseBase]


class PersonTaken(PermissionDenied):
    """Another login already belongs to the person of this name."""


def own_page(view: View) -> View:
    """A page about the signed-in person: `view(request, person, …)`. Never cached, never somebody else's."""

    @never_cache
    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _explained(request, lambda: view(request, person_of(request), *args, **kwargs))

    return wrapped


def service_page(view: View) -> View:
    """A page about one service of the signed-in admin: `view(request, service, …)` from its slug.

    A service of somebody else and one that does not exist are the same 404.
    """

    @never_cache
    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        service = own_services(user_of(request)).filter(slug=slug).first()
        if service is None:
            raise Http404
        return _explained(request, lambda: view(request, service, *args, **kwargs))

    return wrapped


def member_page(view: View) -> View:
    """The same for a service's own admins only: a super-admin who is none sees what people agreed to show as little."""

    @service_page
    @wraps(view)
    def wrapped(request: HttpRequest, service: ChatService, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_member(service, user_of(request)):
            raise Http404
        return view(request, service, *args, **kwargs)

    return wrapped


def is_member(service: ChatService, user: User) -> bool:
    return service.members.filter(pk=user.pk).exists()


def system_page(view: View) -> View:
    """A page for super-admins only."""

    @never_cache
    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not user_of(request).is_superuser:
            raise PermissionDenied
        return _explained(request, lambda: view(request, *args, **kwargs))

    return wrapped


def own_services(user: User) -> Any:
    """The services this login may administer, as a WHERE clause. A super-admin may all of them."""
    rows = ChatService.objects.order_by("name")
    return rows if user.is_superuser else rows.filter(members=user)


def user_of(request: HttpRequest) -> User:
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def person_of(request: HttpRequest) -> Person:
    """The Person behind the login; made on the first visit, under the login's name."""
    known: Person | None = getattr(request, "person", None)
    if known is not None:
        return known
    user = user_of(request)
    person, _made = persons.register(user.username, user.get_full_name(), login=user)
    if person.login_id is None:
        # A service has named this person before; an operator has made the login of the same name
        # (signing up under a known name is refused, see accounts.py).
        Person.objects.filter(pk=person.pk, login__isnull=True).update(login=user)
        person.refresh_from_db()
    if person.login_id != user.pk:
        raise PersonTaken
    request.person = person  # type: ignore[attr-defined]
    return person


def _explained(request: HttpRequest, answer: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    try:
        return answer()
    except NotFound as error:
        raise Http404 from error
    except Problem as problem:
        return failures.problem(request, problem)


def htmx(request: HttpRequest) -> bool:
    """Whether htmx asks for a fragment of the page and not for the page."""
    return bool(getattr(request, "htmx", False)) and not request.htmx.boosted  # type: ignore[attr-defined]


def redirect_here(location: str) -> HttpResponse:
    """After a POST: 303, so that reloading never repeats it."""
    return HttpResponse(status=303, headers={"Location": location})
