"""Who administers a service."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import members as membership
from memoryapp.errors import Conflict, NotFound
from memoryapp.forms.console import MemberForm
from memoryapp.models import ChatService, ServiceMember
from memoryapp.pages.base import service_page, user_of


@service_page
@require_http_methods(["GET", "POST"])
def members(request: HttpRequest, service: ChatService) -> HttpResponse:
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            membership.add(service, form.cleaned_data["username"], by=user_of(request))
        except NotFound:
            form.add_error("username", _("There is no login of this name."))
        else:
            messages.success(request, _("Added."))
            return redirect("console_members", service.slug)
    rows = ServiceMember.objects.filter(service=service).select_related("user").order_by("user__username")
    status = 422 if request.method == "POST" else 200
    context = {"service": service, "tab": "members", "rows": rows, "form": form}
    return render(request, "console/members.html", context, status=status)


@service_page
@require_POST
def remove(request: HttpRequest, service: ChatService, user_id: int) -> HttpResponse:
    try:
        membership.remove(service, user_id, by=user_of(request))
    except Conflict:
        messages.error(request, _("The last admin cannot be removed. Add somebody else first."))
    else:
        messages.success(request, _("Removed."))
    return redirect("console_members", service.slug)
