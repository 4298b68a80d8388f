"""For operators: states and ids, never content. What a verb owns can only be read here."""

from typing import Any, ClassVar

import allauth.account.admin  # these register first, so that ours can replace them below
import allauth.mfa.admin
import axes.admin  # noqa: F401
import django.contrib.auth.admin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from consent.models import ConsentEvent, ConsentState, Notice
from memoryapp import audit, models
from memoryapp.pages.base import user_of
from speakers.models import Identity, IdentityLink, Person, User

# One sign-in for everybody: with the second factor, and with the lock against guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
# What others have registered would leave nothing in our audit.
admin.site.unregister([AccessAttempt, AccessFailureLog, AccessLog, Authenticator, EmailAddress, Group])


class Audited(admin.ModelAdmin):  # type: ignore[type-arg]
    """Whatever is done here is in the audit too: Django's own log has no page, and goes when the admin's login goes.

    `noted` is what the audit calls it: `login.add`, `login.change`, `login.remove`.
    """

    noted: ClassVar[str]

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        """By the names of fields, which the audit keeps, and not by their labels. Nothing changed, nothing said."""
        names = list(form.changed_data)
        return [{"added" if add else "changed": {"fields": names}}] if names or add else []

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        self._note(request, "add", obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        if message:
            self._note(request, "change", obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self._note(request, "remove", obj, [])
        return super().log_deletions(request, queryset)

    def response_action(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse | None:
        """What is done to several rows at once is done, and noted, as a whole or not at all."""
        with transaction.atomic():
            return super().response_action(request, *args, **options)

    def _note(self, request: HttpRequest, what: str, obj: Model, message: list[dict[str, Any]]) -> None:
        service = obj if isinstance(obj, models.ChatService) else getattr(obj, "service", None)
        audit.note(
            user_of(request),
            f"{self.noted}.{what}",
            service=service.slug if service else "",
            object_id=obj.pk,
            changed=[name for part in message for fields in part.values() for name in fields["fields"]],
        )


class ReadOnly(Audited, ModelAdmin):  # type: ignore[misc]
    """Rows to look at. `shown` is an allow-list: a new column is hidden until somebody decides otherwise."""

    shown: ClassVar[tuple[str, ...]] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return self.shown

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.shown

    def get_queryset(self, request: HttpRequest) -> Any:
        """Sealed columns are not even fetched."""
        rows = super().get_queryset(request)
        sealed = {field.name for field in self.model._meta.concrete_fields} & {"content", "before"}
        return rows.defer(*sealed)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Removable(ReadOnly):
    """Rows to look at and to remove, and no more."""

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


@admin.register(User)
class UserAdmin(Audited, django.contrib.auth.admin.UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Logins are an operator's to make."""

    noted = "login"
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (None, {"fields": ("email", "is_active", "is_staff", "is_superuser")}),
        (None, {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Not without its line in the audit."""
        with transaction.atomic():
            return super().user_change_password(request, id, form_url)


@admin.register(Authenticator)
class AuthenticatorAdmin(Removable):
    """Second factors: removed for somebody who has lost theirs, never shown."""

    noted = "second-factor"
    shown = ("user", "type", "created_at", "last_used_at")
    raw_id_fields = ("user",)


@admin.register(EmailAddress)
class EmailAddressAdmin(Audited, ModelAdmin):  # type: ignore[misc]
    """Where a new password is sent to."""

    noted = "email"
    list_display = ("email", "user", "primary", "verified")
    search_fields = ("email", "user__username")
    raw_id_fields = ("user",)


@admin.register(AccessAttempt)
class AccessAttemptAdmin(Removable):
    """Wrong passwords, which lock a login: removed to let somebody in again. Never what was sent."""

    noted = "lock"
    shown = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")


@admin.register(AccessLog, AccessFailureLog)
class AccessLogAdmin(ReadOnly):
    shown = ("username", "ip_address", "attempt_time")


if apps.is_installed("allauth.socialaccount"):
    import allauth.socialaccount.admin  # noqa: F401
    from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken

    # The provider is configured by settings.
    admin.site.unregister([SocialAccount, SocialApp, SocialToken])

    @admin.register(SocialAccount)
    class SocialAccountAdmin(Removable):
        """Who signs in by the identity provider: cut from it here, tied to it only by the provider's word."""

        noted = "provider-login"
        shown = ("user", "provider", "last_login", "date_joined")
        list_select_related = ("user",)


@admin.register(models.ChatService)
class ChatServiceAdmin(Audited, ModelAdmin):  # type: ignore[misc]
    """Services come into being here; how they work is decided in the console, signed users among it."""

    noted = "service"
    list_display = ("slug", "name", "zone", "assertion_required", "created_at")
    fields = ("slug", "name", "zone", "assertion_required", "monthly_token_budget")
    search_fields = ("slug", "name")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("slug", "assertion_required") if obj else ("assertion_required",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.ServiceRevision)
class ServiceRevisionAdmin(ReadOnly):
    shown = ("service", "number", "state", "memory_enabled", "created_by", "deployed_at", "deployed_by")
    list_filter = ("state",)
    list_select_related = ("service", "created_by", "deployed_by")


@admin.register(models.ServiceKey)
class ServiceKeyAdmin(ReadOnly):
    shown = (
        "service", "prefix", "name", "permissions", "created_at", "expires_at", "last_used_at", "revoked_at",
    )  # fmt: skip
    list_select_related = ("service",)


@admin.register(models.ServiceMember)
class ServiceMemberAdmin(Audited, ModelAdmin):  # type: ignore[misc]
    """The first admin of a service is named here, the others in the console. Added and removed, never changed."""

    noted = "member"
    list_display = ("service", "user", "created_at")
    autocomplete_fields = ("service", "user")
    list_select_related = ("service", "user")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Person)
class PersonAdmin(ReadOnly):
    shown = ("public_id", "user_id", "login", "language", "zone", "created_at")
    search_fields = ("public_id", "user_id")
    list_select_related = ("login",)


@admin.register(Identity)
class IdentityAdmin(ReadOnly):
    shown = ("id", "kind", "provider", "created_at")
    list_filter = ("kind",)


@admin.register(IdentityLink)
class IdentityLinkAdmin(ReadOnly):
    shown = ("id", "identity", "person", "state", "created_at", "updated_at")
    list_filter = ("state",)
    list_select_related = ("identity", "person")


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    shown = ("domain", "version", "material", "sha256", "published_at")


@admin.register(ConsentState)
class ConsentStateAdmin(ReadOnly):
    shown = ("person", "domain", "service", "granted", "since", "expires_at", "notice_version", "source")
    list_filter = ("domain", "granted")
    list_select_related = ("person",)


@admin.register(ConsentEvent)
class ConsentEventAdmin(ReadOnly):
    shown = ("receipt_id", "person", "domain", "service", "granted", "at", "actor", "source", "sha256")
    list_filter = ("domain", "granted")
    list_select_related = ("person",)


@admin.register(models.Memory)
class MemoryAdmin(ReadOnly):
    shown = (
        "id", "person", "service", "memory_type", "status", "sensitivity", "origin", "version",
        "created_at", "updated_at", "deleted_at",
    )  # fmt: skip
    list_filter = ("status", "sensitivity", "memory_type", "origin")
    list_select_related = ("person", "service")


@admin.register(models.IndexEntry)
class IndexEntryAdmin(ReadOnly):
    shown = ("of_memory", "owner_id", "state", "analyser", "attempts", "next_try_at", "error", "updated_at")
    list_filter = ("state",)

    @admin.display(description=_("memory"))
    def of_memory(self, entry: models.IndexEntry) -> str:
        """Its id alone: the memory itself is not fetched."""
        return str(entry.memory_id)


@admin.register(models.EmbeddingSpace)
class EmbeddingSpaceAdmin(ReadOnly):
    shown = ("provider", "model", "dims", "state", "created_at", "serving_since")


@admin.register(models.Turn)
class TurnAdmin(ReadOnly):
    shown = (
        "id", "service", "person", "state", "extraction", "attempts", "error", "received_at", "finished_at",
    )  # fmt: skip
    list_filter = ("state", "extraction")
    list_select_related = ("service", "person")


@admin.register(models.NightlyRun)
class NightlyRunAdmin(ReadOnly):
    shown = ("service", "revision", "local_date", "started_at", "turns")
    list_select_related = ("service", "revision__service")


@admin.register(models.CostEntry)
class CostEntryAdmin(ReadOnly):
    shown = ("service", "revision", "stage", "bearer", "calls", "tokens_in", "tokens_out", "at")
    list_filter = ("stage", "bearer")
    list_select_related = ("service", "revision__service")


@admin.register(models.Summary)
class SummaryAdmin(ReadOnly):
    shown = ("id", "person", "service", "level", "day", "state", "version", "attempts", "error", "made_at")
    list_filter = ("level", "state")
    list_select_related = ("person", "service")


@admin.register(models.Rollback)
class RollbackAdmin(ReadOnly):
    shown = ("id", "person", "source_kind", "actor", "counts", "at", "undone_at")
    list_filter = ("source_kind",)
    list_select_related = ("person",)


@admin.register(models.Device)
class DeviceAdmin(ReadOnly):
    shown = ("person", "service", "device_id", "acked_seq", "acked_at", "first_seen_at", "last_seen_at")
    list_select_related = ("person", "service")


@admin.register(models.Workflow)
class WorkflowAdmin(ReadOnly):
    shown = ("workflow_id", "service", "person", "registered_at", "expires_at")
    list_select_related = ("service", "person")


@admin.register(models.AdminAction)
class AdminActionAdmin(ReadOnly):
    shown = ("at", "actor_name", "action", "service", "object_id", "changed")
    list_filter = ("action",)
    search_fields = ("actor_name", "service", "object_id")


@admin.register(models.Erasure)
class ErasureAdmin(ReadOnly):
    shown = ("id", "public_id", "erased_at", "requested_by", "counts", "key_destroyed")
