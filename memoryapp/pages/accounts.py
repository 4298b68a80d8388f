"""Sign-in with allauth, made ours: where one lands, and who may sign up."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from speakers.models import Person, User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """A login's name is the `user_id` services use, so nobody may take a name that is somebody's already."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(getattr(settings, "SIGNUP_OPEN", False))

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow=shallow)
        if not shallow and Person.objects.filter(user_id__iexact=name).exists():
            raise ValidationError(_("This name is taken. Choose another one."))
        return name

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """People land on their memories; those who only administer land where they work."""
        user = request.user
        if not isinstance(user, User) or Person.objects.filter(login=user).exists():
            return reverse("memories")
        return reverse("console" if user.is_superuser or user.services.exists() else "memories")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Without a mail server there is nothing to send by; the page says the same either way."""
        if settings.EMAIL_HOST != "localhost":
            super().send_mail(template_prefix, email, context)

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """No "signed in as …": the page shows it."""
