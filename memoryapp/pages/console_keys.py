"""A service's keys: issued (and shown once), rotated, revoked."""

import uuid
from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import keys as service_keys
from memoryapp.forms.console import KeyForm, RotateForm
from memoryapp.models import ChatService, ServiceKey
from memoryapp.pages import once
from memoryapp.pages.base import service_page, user_of


@service_page
@require_http_methods(["GET", "POST"])
def keys(request: HttpRequest, service: ChatService) -> HttpResponse:
    """The keys with their last use; a POST issues one."""
    form = KeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if once.again(request):
            return _done_already(request, service)
        key, secret = service_keys.issue(
            service,
            form.cleaned_data["permissions"],
            name=form.cleaned_data["name"],
            expires_at=form.cleaned_data["expires_at"],
            by=user_of(request),
        )
        return _shown_once(request, service, key, secret)
    status = 422 if request.method == "POST" else 200
    return _page(request, service, form, status=status)


@service_page
@require_POST
def rotate(request: HttpRequest, service: ChatService, key_id: uuid.UUID) -> HttpResponse:
    """A successor with the same permissions; the old key works on for the hours chosen."""
    if once.again(request):
        return _done_already(request, service)
    form = RotateForm(request.POST)
    hours = form.cleaned_data["hours"] if form.is_valid() else 0
    key, secret = service_keys.rotate(
        _key(service, key_id), overlap=timedelta(hours=hours), by=user_of(request)
    )
    return _shown_once(request, service, key, secret)


@service_page
@require_POST
def revoke(request: HttpRequest, service: ChatService, key_id: uuid.UUID) -> HttpResponse:
    service_keys.revoke(_key(service, key_id), by=user_of(request))
    messages.success(request, _("The key is revoked. It is refused from now on."))
    return redirect("console_keys", service.slug)


def _done_already(request: HttpRequest, service: ChatService) -> HttpResponse:
    """The page of a new key was reloaded: no second key, and the secret of the first is not to be had again."""
    messages.info(
        request, _("That was done already, and its secret is shown only once. If it is lost, rotate the key.")
    )
    return redirect("console_keys", service.slug)


def _shown_once(request: HttpRequest, service: ChatService, key: ServiceKey, secret: str) -> HttpResponse:
    """The answer to the POST itself carries the secret: it is nowhere to be read again."""
    return _page(request, service, KeyForm(), fresh=key, secret=secret, status=201)


def _page(
    request: HttpRequest,
    service: ChatService,
    form: KeyForm,
    *,
    fresh: ServiceKey | None = None,
    secret: str = "",
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    rows = [
        {"key": key, "live": key.revoked_at is None and (key.expires_at is None or key.expires_at > now)}
        for key in service.keys.order_by("-created_at")
    ]
    context = {
        "service": service,
        "tab": "keys",
        "rows": rows,
        "form": form,
        "fresh": fresh,
        "once": once.ticket(),
        "secret": secret,
    }
    return render(request, "console/keys.html", context, status=status)


def _key(service: ChatService, key_id: uuid.UUID) -> ServiceKey:
    found = service.keys.filter(pk=key_id, revoked_at__isnull=True).first()
    if found is None:
        raise Http404
    return found
