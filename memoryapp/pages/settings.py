"""How the pages look and speak to me, and how my sign-in is kept safe."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from memoryapp import preferences
from memoryapp.forms.own import SettingsForm
from memoryapp.pages.base import own_page, user_of
from memoryapp.pages.context import THEME_COOKIE
from speakers.models import Person

YEAR = 365 * 24 * 3600


@own_page
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, person: Person) -> HttpResponse:
    form = SettingsForm(request.POST or None, initial=_now(request, person), zone=person.zone)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        preferences.keep(person, display_name=data["display_name"], zone=data["zone"])
        messages.success(request, _("Saved."))
        answer = redirect("settings")
        _keep_theme(request, answer, data["theme"])
        return answer
    context = {"form": form, "second_factor": is_mfa_enabled(user_of(request))}
    return render(request, "mypage/settings.html", context, status=422 if form.errors else 200)


@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """Switch the language of this browser; for somebody signed in, remember it."""
    answer = set_language(request)
    chosen = request.POST.get("language", "")
    person: Person | None = getattr(request, "person", None)
    if person is not None and chosen and check_for_language(chosen):
        preferences.keep(person, language=chosen[:8])
    return answer


def _now(request: HttpRequest, person: Person) -> dict[str, Any]:
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {"display_name": person.display_name, "zone": person.zone, "theme": theme}


def _keep_theme(request: HttpRequest, answer: HttpResponse, theme: str) -> None:
    if theme:
        answer.set_cookie(
            THEME_COOKIE, theme, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
        )
    else:
        answer.delete_cookie(THEME_COOKIE)
