"""Who calls the API: a service key, and with it a service and its deployed revision."""

from typing import Any, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from memoryapp import assertions, keys
from memoryapp.errors import Forbidden, Unauthenticated
from memoryapp.models import ServiceKey
from memoryapp.permit import Caller


class ServiceKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer <service key>`, and `X-User-Assertion` where the service demands it."""

    def authenticate(self, request: Request) -> tuple[Caller, ServiceKey | None]:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        caller = keys.recognise(secret.strip()) if scheme.lower() == "bearer" and secret.strip() else None
        if caller is None:
            raise Unauthenticated("send Authorization: Bearer <service key>")
        caller = assertions.apply(caller, request.headers.get("X-User-Assertion"))
        return caller, caller.key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="memoryapp"'


class KeyPermission(BasePermission):
    """The key must carry what the view needs: `permission`, or per method in `permissions`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        needed: Any = getattr(view, "permissions", {}).get(request.method) or getattr(
            view, "permission", None
        )
        if needed is None:
            return True
        caller = cast("Caller", request.user)
        if caller.key is None or needed not in caller.key.permissions:
            raise Forbidden(f"this key lacks the permission {needed}")
        return True
