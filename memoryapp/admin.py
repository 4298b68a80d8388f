"""For operators: states and ids, never content. What a verb owns can only be read here."""

from collections.abc import Sequence
from typing import Any, ClassVar

import allauth.mfa.admin  # noqa: F401 - registers first, so that ours can replace it below
import django.contrib.auth.admin
from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from consent.models import ConsentEvent, ConsentState, Notice
from memoryapp import models
from speakers.models import Identity, IdentityLink, Person, User

# One sign-in for everybody: with the second factor, and with the lock against guessing.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.unregister(Authenticator)
admin.site.unregister(Group)


class ReadOnly(ModelAdmin):  # type: ignore[misc]
    """Rows to look at. `shown` is an allow-list: a new column is hidden until somebody decides otherwise."""

    shown: ClassVar[Sequence[str]] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> Sequence[str]:
        return self.shown

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[str]:
        return self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[str]:
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


@admin.register(User)
class UserAdmin(django.contrib.auth.admin.UserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Logins are an operator's to make."""

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


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly):
    """Second factors: removed for somebody who has lost theirs, never shown."""

    shown = ("user", "type", "created_at", "last_used_at")
    raw_id_fields = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True


@admin.register(models.ChatService)
class ChatServiceAdmin(ModelAdmin):  # type: ignore[misc]
    """Services come into being here; how they work is decided in the console."""

    list_display = ("slug", "name", "zone", "assertion_required", "created_at")
    fields = ("slug", "name", "zone", "assertion_required", "monthly_token_budget")
    search_fields = ("slug", "name")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[str]:
        return ("slug",) if obj else ()

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
class ServiceMemberAdmin(ModelAdmin):  # type: ignore[misc]
    """The first admin of a service is named here, the others in the console."""

    list_display = ("service", "user", "created_at")
    autocomplete_fields = ("service", "user")
    list_select_related = ("service", "user")


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
