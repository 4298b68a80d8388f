"""Taking everything with me, and deleting everything."""

import json
from datetime import datetime
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from memoryapp import browse, gate, logins, retention
from memoryapp import export as exporting
from memoryapp.erase import Certificate
from memoryapp.erase import erase as erase_person
from memoryapp.forms.own import EraseForm
from memoryapp.models import Recall, Turn
from memoryapp.pages import recent
from memoryapp.pages.base import own_page, user_of
from memoryapp.permit import Act
from speakers.models import Person

_CERTIFICATE = "certificate_of_erasure"


@own_page
@require_GET
def export(request: HttpRequest, person: Person) -> HttpResponse:
    """What the download holds, by the numbers, and how long what is kept."""
    return render(request, "mypage/export.html", {"counts": _counts(person), "kept": retention.told()})


@own_page
@require_GET
def download(request: HttpRequest, person: Person) -> HttpResponseBase:
    """The file. It holds restricted values in the open, so it asks who is there, and leads back to its page."""
    if not recent.recently_signed_in(request):
        return recent.ask(request, reverse("export"))
    return exporting.response(gate.own(person, Act.SEE))


@own_page
@require_http_methods(["GET", "POST"])
def erase(request: HttpRequest, person: Person) -> HttpResponse:
    """Delete everything about me, and the login with it. Needs the password, and leads to a certificate."""
    user = user_of(request)
    stays = logins.stays(user)
    form = EraseForm(request.POST or None, with_password=user.has_usable_password())
    if request.method == "POST" and form.is_valid() and _password_fits(request, form):
        _hand_over(request, erase_person(gate.own(person, Act.ERASE)), signed_out=not stays)
        return redirect("erased")
    status = 422 if request.method == "POST" else 200
    shown = {"form": form, "counts": _counts(person), "login_stays": stays}
    return render(request, "mypage/erase.html", shown, status=status)


@never_cache
@require_GET
def erased(request: HttpRequest) -> HttpResponse:
    """The certificate, for as long as this browser is open: it is nobody's, so nobody has to sign in."""
    document = request.session.get(_CERTIFICATE)
    if document is None:
        return redirect("erase")
    shown = {"certificate": document, "erased_at": datetime.fromisoformat(document["erased_at"])}
    return render(request, "mypage/erased.html", shown)


@never_cache
@require_GET
def certificate(request: HttpRequest) -> HttpResponse:
    """The same as a file, exactly as it was signed."""
    document = request.session.get(_CERTIFICATE)
    if document is None:
        return redirect("erase")
    text = json.dumps(document, ensure_ascii=False, indent=2)
    answer = HttpResponse(text, content_type="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="erasure-certificate.json"'
    return answer


def _hand_over(request: HttpRequest, done: Certificate, *, signed_out: bool) -> None:
    """Put the certificate into the browser's session: a new one, if the login is gone."""
    request.person = None  # type: ignore[attr-defined]
    if signed_out:
        logout(request)
        request.session.set_expiry(0)
    request.session[_CERTIFICATE] = done.as_dict()


def _password_fits(request: HttpRequest, form: EraseForm) -> bool:
    """Guessing is limited like signing in is. Who has no password here must have signed in just now."""
    user = user_of(request)
    if not user.has_usable_password():
        if not recent.recently_signed_in(request):
            form.add_error(None, _("Sign out, sign in again, and come back here within five minutes."))
        return form.is_valid()
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        form.add_error("password", _("Too many attempts. Wait a little and try again."))
        return False
    if not get_adapter().reauthenticate(user, form.cleaned_data["password"]):
        form.add_error("password", _("This is not your password."))
        return False
    return True


def _counts(person: Person) -> dict[str, Any]:
    return {
        "memories": browse.visible(gate.own(person, Act.SEE)).count(),
        "turns": Turn.objects.filter(person=person).count(),
        "recalls": Recall.objects.filter(person=person).count(),
        "decisions": person.consent_events.count(),
    }
