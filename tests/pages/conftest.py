"""People in front of their browsers, without one: Django's client, signed in."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client

from memoryapp.models import ServiceMember
from speakers.models import Person, User
from tests.conftest import PASSWORD, Runtime


@pytest.fixture(autouse=True)
def forget_attempts() -> None:
    """Sign-ins are limited per address; each test begins anew."""
    cache.clear()


@pytest.fixture
def signed_in() -> Callable[[str], Client]:
    """A browser in which this login has signed in through the form."""

    def make(username: str) -> Client:
        browser = Client(headers={"accept-language": "en"})
        answer = browser.post("/accounts/login/", {"login": username, "password": PASSWORD})
        assert answer.status_code == 302, answer.content
        return browser

    return make


@pytest.fixture
def at_minjis(minji: Person, signed_in: Callable[[str], Client]) -> Client:
    """Minji's browser."""
    return signed_in("minji")


@pytest.fixture
def at_jihos(jiho: Person, signed_in: Callable[[str], Client]) -> Client:
    """Jiho's browser."""
    return signed_in("jiho")


@pytest.fixture
def admin_of(db: None, signed_in: Callable[[str], Client]) -> Callable[[Runtime], Client]:
    """The browser of an admin of one service."""

    def make(runtime: Runtime) -> Client:
        name = f"{runtime.service.slug}-admin"
        user = User.objects.create_user(name, password=PASSWORD)
        ServiceMember.objects.create(service=runtime.service, user=user)
        return signed_in(name)

    return make


@pytest.fixture
def super_admin(db: None, signed_in: Callable[[str], Client]) -> Client:
    """The browser of the super-admin."""
    User.objects.create_superuser("root", password=PASSWORD)
    return signed_in("root")
