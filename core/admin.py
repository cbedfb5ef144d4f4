"""Users, mails and heartbeats in the admin."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from core.models import Heartbeat, OutgoingMail, User

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponse


OVERTAKEN = _("Somebody else has changed this since the page was opened. Open it again.")


def _as_text(field: forms.Field, value: Any) -> str:
    """Return a value of a form as a text that is another where the value is."""
    value = field.prepare_value(value)
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.UTC)
    if isinstance(value, list):
        value = sorted(map(str, value))
    return "" if value is None else str(value)


class ShownForm(forms.ModelForm):
    """A form that knows what it has shown, and writes only what the person before it changed.

    Else a form that was open while somebody was made anonymous would bring their name back.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.left: set[str] = set()  # fields that others changed, and the person did not
        asked = [(name, field) for name, field in self.fields.items() if not field.disabled]
        self.present = {name: _as_text(field, self.get_initial_for_field(field, name)) for name, field in asked}
        shown = json.dumps(self.present)
        self.fields["shown"] = forms.CharField(required=False, initial=shown, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any] | None:
        """Leave what only others changed since as it is now, and refuse what both changed."""
        shown = self._shown(self.cleaned_data.pop("shown", ""))
        for name, now in self.present.items():
            if name not in self.cleaned_data or shown.get(name, now) == now:
                continue
            wanted = _as_text(self.fields[name], self.cleaned_data[name])
            if wanted == shown[name]:
                del self.cleaned_data[name]
                self.left.add(name)
            elif wanted != now:
                self.add_error(name, OVERTAKEN)
        return super().clean()

    def _shown(self, text: str) -> dict[str, Any]:
        """Return what the form has shown; nothing where a program sends it, which has seen no page."""
        try:
            shown = json.loads(text)
        except ValueError:
            return {}
        return shown if isinstance(shown, dict) else {}

    @cached_property
    def changed_data(self) -> list[str]:
        """The fields that the person changed."""
        return [name for name in super().changed_data if name != "shown" and name not in self.left]


class ShownRow(forms.ModelForm):
    """A row of a form, of which only what the person changed is written."""

    def clean(self) -> dict[str, Any] | None:
        """Leave the rest as it is now, and refuse what somebody else changed too."""
        found = super().clean()
        if self.instance.pk is None:
            return found
        for name, field in self.fields.items():
            if name not in self.cleaned_data or not field.show_hidden_initial:
                continue
            if name not in self.changed_data:
                del self.cleaned_data[name]
            elif self._now(name) not in {self._shown(name), _as_text(field, self.cleaned_data[name])}:
                self.add_error(name, OVERTAKEN)
        return found

    def _now(self, name: str) -> str:
        field = self.fields[name]
        return _as_text(field, self.get_initial_for_field(field, name))

    def _shown(self, name: str) -> str:
        field = self.fields[name]
        sent = field.hidden_widget().value_from_datadict(self.data, self.files, self[name].html_initial_name)
        return _as_text(field, field.to_python(sent))


class ShownRows(admin.TabularInline):
    """Rows below a form, of which only those are written that the person before it changed."""

    form = ShownRow

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        """Return forms that send back what they have shown."""
        formset = super().get_formset(request, obj, **options)
        for field in formset.form.base_fields.values():
            field.show_hidden_initial = True
        return formset


class Locking(admin.ModelAdmin):
    """Rows of which a form writes what was changed in it, and so takes nothing back that others did meanwhile.

    What the form says nothing of stays as it is, and a row that is gone is not stored anew.
    """

    change_form_template = "admin/shown_form.html"

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """Return a form; that of a row which is there knows what it has shown."""
        if obj is not None:
            options.setdefault("form", type(self.form.__name__, (ShownForm, self.form), {}))
        return super().get_form(request, obj, change=change, **options)

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

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm, change: bool) -> None:
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
