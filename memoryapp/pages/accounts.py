"""Sign-in with allauth, made ours: where one lands, who may sign up, and how one gets a new password."""

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.utils import filter_users_by_email, filter_users_by_username
from allauth.account.views import password_reset
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, override

from speakers.models import Person, User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """A login's name is the `user_id` services use, so nobody chooses one: an admin or the provider gives it."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: whoever signed up first under an id that a service uses would own that person's memories."""
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """People land on their memories; those who only administer land where they work."""
        user = request.user
        if not isinstance(user, User) or Person.objects.filter(login=user).exists():
            return reverse("memories")
        return reverse("console" if user.is_superuser or user.services.exists() else "memories")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the language of whom it is to; and only where there is a mail server to send it by."""
        if settings.CAN_MAIL:
            person = Person.objects.filter(login=context.get("user")).first()
            with override(person.language if person else get_language()):
                super().send_mail(template_prefix, email, context)

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """No "signed in as …": the page shows it."""


def client_ip(request: HttpRequest) -> str | None:
    """Whose attempts are counted together: the address behind our own proxies, for axes as for allauth."""
    if not request.META.get("REMOTE_ADDR"):
        return None  # nobody's request: a sign-in by code of ours
    return str(get_adapter().get_client_ip(request))


def login_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Whose failed sign-ins are counted together: a login's, by whatever name or letter case it was tried."""
    given = credentials or {}
    typed = str(given.get("username") or given.get("email") or "")
    if not typed:
        return ""
    user = filter_users_by_username(typed).first() or next(iter(filter_users_by_email(typed)), None)
    return str(user.get_username()) if user else typed.casefold()


def reset_password(request: HttpRequest) -> HttpResponseBase:
    """Ask for a link to a new password, where mail can be sent; elsewhere a page that says who helps."""
    if settings.CAN_MAIL:
        answer: HttpResponseBase = password_reset(request)
        return answer
    return render(request, "account/password_reset_by_hand.html")
