"""Is it still the same person in front of the screen? Restricted values ask for the password again."""

import time
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from memoryapp.models import Memory, Sensitivity
from memoryapp.pages.base import htmx, user_of

#: For how long a sign-in, or a repeated password, is proof enough.
SECONDS = 300


def must_ask(request: HttpRequest, memory: Memory) -> bool:
    """Restricted values need a sign-in, or a repeated one, of the last minutes."""
    return memory.sensitivity == Sensitivity.RESTRICTED and not recently_signed_in(request)


def recently_signed_in(request: HttpRequest) -> bool:
    # allauth keeps when and how each sign-in and each repeated password happened in the session.
    records = get_authentication_records(request, user_of(request))
    return any(time.time() - record.get("at", 0) < SECONDS for record in records)


def ask(request: HttpRequest, then: str) -> HttpResponse:
    """To the password, and from there to `then`. Who signs in elsewhere has none here, and signs in anew."""
    step = "account_reauthenticate" if user_of(request).has_usable_password() else "account_logout"
    if step == "account_logout":
        then = f"{reverse('account_login')}?{urlencode({'next': then})}"
    where = f"{reverse(step)}?{urlencode({'next': then})}"
    if htmx(request):
        return HttpResponse(headers={"HX-Redirect": where})
    return HttpResponse(status=303, headers={"Location": where})
