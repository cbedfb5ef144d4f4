"""Users, mails and heartbeats in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.utils.translation import gettext_lazy as _

from core.models import Heartbeat, OutgoingMail, User

if TYPE_CHECKING:
    from django.db.models import Model
    from django.forms import ModelForm
    from django.http import HttpRequest


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
class UserAdmin(DjangoUserAdmin):
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
