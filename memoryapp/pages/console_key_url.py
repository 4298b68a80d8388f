"""Where a service publishes its public keys: set it, have it looked at, take it away."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryapp import key_url
from memoryapp.errors import Conflict, Invalid
from memoryapp.forms.console import KeyUrlForm
from memoryapp.labels import why
from memoryapp.models import ChatService
from memoryapp.pages.base import service_page, user_of
from memoryapp.pages.console_assertions import shown


@service_page
@require_POST
def put(request: HttpRequest, service: ChatService) -> HttpResponse:
    form = KeyUrlForm(request.POST)
    if form.is_valid():
        try:
            key_url.put(service, form.cleaned_data["url"], by=user_of(request))
        except Invalid as wrong:
            form.add_error("url", [str(why(code)) for code in wrong.errors["url"]])
        else:
            messages.success(request, _("Saved. The keys are fetched in the background."))
            return redirect("console_assertions", service.slug)
    return shown(request, service, url_form=form)


@service_page
@require_POST
def ask(request: HttpRequest, service: ChatService) -> HttpResponse:
    if key_url.ask(service):
        messages.success(request, _("The keys are fetched in the background."))
    else:
        messages.warning(request, _("That was asked for less than a minute ago. Try again shortly."))
    return redirect("console_assertions", service.slug)


@service_page
@require_POST
def remove(request: HttpRequest, service: ChatService) -> HttpResponse:
    try:
        key_url.remove(service, by=user_of(request))
    except Conflict:
        messages.error(
            request,
            _(
                "Signed assertions are required, and only keys from this URL let anybody in. "
                "Register another key first, or switch the requirement off."
            ),
        )
    else:
        messages.success(request, _("The URL is removed. Its keys are refused from now on."))
    return redirect("console_assertions", service.slug)
