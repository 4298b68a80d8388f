"""How a service proves who its user is: its registered public keys, and whether it has to."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import assertion_keys
from memoryapp.errors import Conflict, Invalid
from memoryapp.forms.console import AssertionKeyForm, KeyUrlForm
from memoryapp.labels import why
from memoryapp.models import ChatService, KeyUrl
from memoryapp.pages.base import service_page, user_of

#: Revoked keys that are shown. An issuer that rotates leaves more of them each month.
MOST_PAST = 20
#: A key that the issuer has withdrawn is believed as long as we cannot see that.
LONG = timedelta(days=1)


@service_page
@require_http_methods(["GET", "POST"])
def assertions(request: HttpRequest, service: ChatService) -> HttpResponse:
    """The keys, pasted and fetched; a POST registers pasted ones."""
    form = AssertionKeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _added(request, service, form):
        messages.success(request, _("The key is registered."))
        return redirect("console_assertions", service.slug)
    return shown(request, service, form=form)


def shown(
    request: HttpRequest,
    service: ChatService,
    *,
    form: AssertionKeyForm | None = None,
    url_form: KeyUrlForm | None = None,
) -> HttpResponse:
    """The page, with either form as it was sent. 422 if that was wrong."""
    where = KeyUrl.objects.filter(service=service).first()
    keys = service.assertion_keys.order_by("-created_at", "-pk")
    past = keys.filter(revoked_at__isnull=False)
    wrong = any(one is not None and one.errors for one in (form, url_form))
    context = {
        "service": service,
        "tab": "assertions",
        "live": keys.filter(revoked_at__isnull=True),
        "past": past.order_by("-revoked_at")[:MOST_PAST],
        "past_count": past.count(),
        "form": form or AssertionKeyForm(),
        "url_form": url_form or KeyUrlForm(initial={"url": where.url if where else ""}),
        "where": where,
        "why": why(where.error) if where else "",
        "for_long": where and where.failing_since and where.failing_since < timezone.now() - LONG,
    }
    return render(request, "console/assertions.html", context, status=422 if wrong else 200)


@service_page
@require_POST
def require(request: HttpRequest, service: ChatService) -> HttpResponse:
    try:
        assertion_keys.require(service, request.POST.get("required") == "on", by=user_of(request))
    except Conflict:
        messages.error(request, _("Register a key first; otherwise nobody could be let in."))
    else:
        messages.success(request, _("Saved."))
    return redirect("console_assertions", service.slug)


@service_page
@require_POST
def revoke(request: HttpRequest, service: ChatService, key_pk: int) -> HttpResponse:
    try:
        assertion_keys.revoke(service, key_pk, by=user_of(request))
    except Conflict:
        messages.error(request, _("It is the last key, and signed assertions are required."))
    else:
        messages.success(request, _("The key is revoked. It is refused from now on."))
    return redirect("console_assertions", service.slug)


def _added(request: HttpRequest, service: ChatService, form: AssertionKeyForm) -> bool:
    try:
        kid, public_key = form.cleaned_data["kid"], form.cleaned_data["public_key"]
        assertion_keys.add(service, kid, public_key, by=user_of(request))
    except Conflict:
        form.add_error("kid", _("This kid is registered already."))
    except Invalid as wrong:
        words = {
            "kid": _("Give the key a name that can be printed."),
            "public_key": _(
                "Paste public keys in PEM, as a JWK or as a JWK set: Ed25519, or RSA of 2048 to 8192 bits."
            ),
        }
        for field in wrong.errors:
            form.add_error(field, words[field])
    return form.is_valid()
