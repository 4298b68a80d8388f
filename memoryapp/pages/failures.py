"""When something goes wrong on a page: what, and how to go on. Never an empty list or a stack trace."""

import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from memoryapp import problems
from memoryapp.errors import DatabaseUnavailable, Problem

#: What each refusal means to somebody who reads a page, by code.
WORDS: dict[str, Any] = {
    "invalid": _("Something in the form is not valid."),
    "forbidden": _("You are not allowed to do this."),
    "consent-required": _("Long-term memory is off. Switch it on first."),
    "memory-off": _("Memory is switched off for this service."),
    "speaker-not-allowed": _("Personal records cannot be shown here."),
    "not-found": _("This does not exist, or no longer."),
    "conflict": _("It has changed in the meantime. Load it again and look."),
    "index-unavailable": _("The search index cannot follow at the moment. Nothing was changed."),
    "database-unavailable": _("Our database cannot be reached at the moment. Try again shortly."),
    "vault-unavailable": _("The encryption key cannot be used at the moment. Nothing can be shown."),
    "ledger-broken": _("The ledger of erasures is not in order. Nothing can be shown until it is."),
    "rate-limited": _("Too many attempts. Wait a little and try again."),
    "cursor-expired": _("This page of the list is no longer there. Start from the beginning."),
}


def words(problem: Problem) -> str:
    return str(WORDS.get(problem.code, WORDS["invalid"]))


def problem(request: HttpRequest, error: Problem) -> HttpResponse:
    """A refusal as a page, with the status the API would give."""
    context = {"title": words(error), "retry": request.get_full_path() if request.method == "GET" else ""}
    text = render_to_string("failure.html", {**context, "status": error.status}, request)
    return HttpResponse(text, status=error.status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(400, _("This request cannot be understood."))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(403, _("You are not allowed to do this."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problems.not_found(request)
    return _plain(404, _("This page does not exist, or no longer."))


def refused(title: str) -> HttpResponse:
    """A refusal that a sign-in ends with."""
    return _plain(403, title)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _plain(403, _("This form has expired. Go back, reload the page and send it again."))


def locked_out(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Too many wrong passwords (django-axes)."""
    return _plain(429, _("Too many failed sign-ins. Wait 15 minutes and try again."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Something of ours broke. The page needs neither database nor session: either may be what broke."""
    if request.path.startswith("/api/"):
        return problems.server_error(request)
    retry = request.get_full_path() if request.method == "GET" else ""
    if problems.of_database(sys.exception()):  # Django calls this while it handles the error
        unavailable = DatabaseUnavailable()
        return _plain(unavailable.status, words(unavailable), retry, problems.headers(unavailable))
    return _plain(500, _("Something went wrong on our side. Nothing is lost; try again in a moment."), retry)


def _plain(status: int, title: Any, retry: str = "", headers: dict[str, str] | None = None) -> HttpResponse:
    """Without the request: its context would ask the database who is signed in."""
    return HttpResponse(
        render_to_string("failure_plain.html", {"status": status, "title": title, "retry": retry}),
        status=status,
        headers=headers,
    )
