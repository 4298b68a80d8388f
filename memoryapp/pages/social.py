"""Sign-in by an identity provider: its word is the `user_id`, and nobody else's login is ever taken over."""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext as _

from memoryapp.pages import failures
from speakers.models import User


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Whoever the provider vouches for may come in, under exactly the name it gives."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return True

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        # No e-mail is needed, and one that is known already must not tie two logins together.
        sociallogin.email_addresses = []

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        user: User = super().populate_user(request, sociallogin, {**data, "email": ""})
        user.username = _user_id(sociallogin)
        return user

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:
        user: User = sociallogin.user
        name = _user_id(sociallogin)
        if not name or len(name) > 150 or User.objects.filter(username=name).exists():
            # A local login of that name is somebody else until an operator says otherwise.
            raise ImmediateHttpResponse(
                failures.refused(_("This sign-in cannot be used here. Ask the operator."))
            )
        user.username = name
        user.set_unusable_password()
        sociallogin.save(request)
        return user


def _user_id(sociallogin: Any) -> str:
    provider = sociallogin.provider
    claim = provider.app.settings["user_id_claim"]
    data = sociallogin.account.extra_data
    return str((data.get("id_token") or {}).get(claim) or (data.get("userinfo") or {}).get(claim) or "")
