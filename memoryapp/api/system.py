"""Is it alive, is it ready, what can it do."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import metrics as numbers
from memoryapp import readiness, signing
from memoryapp.api.base import ApiView
from memoryapp.keys import PERMISSIONS
from memoryapp.models import MemoryType, Scope, Sensitivity, Status
from memoryapp.text import MAX_BYTES

_HERE = frozenset({"127.0.0.1", "::1"})


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """This process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Each part and how it is; 200 while the database works, with the degraded parts named."""
    report = readiness.report()
    return JsonResponse(report, status=200 if report["database"]["ok"] else 503)


class CapabilitiesView(ApiView):
    """What this service does, for callers that adapt."""

    def get(self, request: Request) -> Response:
        key = self.caller.key
        revision = self.caller.revision
        data: dict[str, Any] = {
            "service": self.caller.service.slug if self.caller.service else None,
            "revision": revision.number if revision else None,
            "memory_enabled": bool(revision and revision.memory_enabled),
            "permissions": key.permissions if key else [],
            "all_permissions": list(PERMISSIONS),
            "memory_types": list(MemoryType.values),
            "scopes": list(Scope.values),
            "sensitivities": list(Sensitivity.values),
            "statuses": list(Status.values),
            "project_scoping": True,
            "idempotency": True,
            "max_text_bytes": MAX_BYTES,
            "contract_version": "a2a-memory-context-v1",
            "languages": ["ko", "en"],
        }
        return Response(data)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus: with the token if one is set, otherwise from this machine and through no proxy."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").encode()
        allowed = constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}".encode())
    else:
        allowed = request.META.get("REMOTE_ADDR") in _HERE and "X-Forwarded-For" not in request.headers
    if not allowed:
        raise Http404
    return HttpResponse(numbers.page(), content_type="text/plain; version=0.0.4; charset=utf-8")


@require_safe
def signing_keys(request: HttpRequest) -> JsonResponse:
    """The public keys with which certificates of erasure are checked, as a JSON Web Key Set."""
    return JsonResponse({"keys": signing.public_keys()})
