"""Users and heartbeats in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.utils.translation import gettext_lazy as _

from core.models import Heartbeat, User

if TYPE_CHECKING:
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
    readonly_fields = ("date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)


@admin.register(Heartbeat)
class HeartbeatAdmin(admin.ModelAdmin):
    """What the worker last did, to look at only."""

    list_display = ("name", "sent_at", "done_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Heartbeats come from the worker alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Heartbeat | None = None) -> bool:
        """Heartbeats come from the worker alone."""
        return False
