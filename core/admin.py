"""Users, mails and heartbeats in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.models import Heartbeat, OutgoingMail, User

if TYPE_CHECKING:
    from django.db.models import Model
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse


class Locking(admin.ModelAdmin):
    """Rows that a form writes as a whole, and so takes nothing back that others did since it was opened.

    What the form says nothing of stays as it is, and a row that is gone is not stored anew.
    """

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return a row; where its form is saved, as it is once nobody else can change it."""
        found = super().get_object(request, object_id, from_field)
        # A page that shows a row alone, as its history does, has no transaction, whatever the method.
        if found is None or request.method != "POST" or not transaction.get_connection().in_atomic_block:
            return found
        self.lock(found)
        return super().get_object(request, object_id, from_field)

    def lock(self, row: Any) -> None:
        """Let nobody else change a row until the end of the transaction."""
        list(self.model._default_manager.select_for_update(no_key=True).filter(pk=row.pk))  # noqa: SLF001


class UserCreationForm(AdminUserCreationForm):
    """Create a user by e-mail."""

    class Meta:
        model = User
        fields = ("email", "name")
        field_classes: dict[str, Any] = {}


class UserEditForm(UserChangeForm):
    """Change a user."""

    class Meta:
        model = User
        fields = "__all__"
        field_classes: dict[str, Any] = {}


@admin.register(User)
class UserAdmin(Locking, DjangoUserAdmin):
    """Users by e-mail."""

    form = UserEditForm
    add_form = UserCreationForm
    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    readonly_fields = ("date_joined", "last_login", "email_proved_at")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("date_joined", "last_login", "email_proved_at")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """Save a user; nobody has proved an address that was just typed."""
        if "email" in form.changed_data:
            obj.email_proved_at = None
        super().save_model(request, obj, form, change)

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set a password, or take it away, in the transaction in which the user is locked."""
        return super().user_change_password(request, id, form_url)


class LookOnly(admin.ModelAdmin):
    """Rows that only the service itself writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes one by hand."""
        return False


@admin.register(Heartbeat)
class HeartbeatAdmin(LookOnly):
    """What the worker last did."""

    list_display = ("name", "sent_at", "done_at")


@admin.register(OutgoingMail)
class OutgoingMailAdmin(LookOnly):
    """What was mailed, is waiting, or was given up; never the text, which may hold a secret."""

    list_display = ("kind", "to", "created_at", "attempts", "next_attempt_at", "sent_at", "error")
    list_filter = ("kind", "error")
    search_fields = ("to",)
    exclude = ("body",)
