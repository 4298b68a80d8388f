"""My leave for the admins of a service to try new settings on what I said: given and taken back here."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryapp import replay_grants
from memoryapp.forms.own import ConsentForm
from memoryapp.models import ChatService
from memoryapp.pages.base import own_page
from speakers.models import Person


@own_page
@require_POST
def trials(request: HttpRequest, person: Person) -> HttpResponse:
    """Allow or end the trials of one service. It holds when this returns."""
    form = ConsentForm(request.POST)
    slug = form.cleaned_data["service"] if form.is_valid() else ""
    service = ChatService.objects.filter(slug=slug).first()
    if service is None:
        raise Http404
    if form.cleaned_data["granted"] == "on":
        replay_grants.give(person, service)
        messages.success(request, _("Allowed. You can end it here at any time."))
    else:
        replay_grants.take_back(person, service.slug)
        messages.success(request, _("Ended. What was found is gone."))
    return redirect(f"{reverse('consent')}#trials")
