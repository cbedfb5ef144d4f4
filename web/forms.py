"""Forms of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib.auth import forms as auth
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import mails
from core.costly import KNOWN_PASSWORD, Work, bounded
from core.errors import DomainError
from core.logins import is_password_of, turn_of
from core.models import User
from core.names import NameInvalidError, clean_name
from tournaments.errors import ForbiddenError
from tournaments.links import mailed_origin_of
from tournaments.models import Credential

MOST_SAID = 20  # faults or names in one message
CODE = forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"})


class NameField(forms.CharField):
    """A name in its one form."""

    def clean(self, value: Any) -> str:
        """Return the name, or say what is wrong with it."""
        try:
            return clean_name(super().clean(value), longest=self.max_length or 0)
        except NameInvalidError as error:
            raise forms.ValidationError(error.detail) from None


class ServiceForm(forms.Form):
    """A form whose values a service may still refuse. `aliases` are fields that services call otherwise."""

    aliases: ClassVar[Mapping[str, str]] = {}

    @property
    def changes(self) -> dict[str, Any]:
        """What was sent and is not what the form began with: the rest may have been changed by others meanwhile."""
        return {name: self.cleaned_data[name] for name in self.changed_data}

    def refuse(self, error: DomainError) -> None:
        """Put what a service refused beside the fields it concerns; the rest above the form."""
        for fault in error.errors[:MOST_SAID] or [{"path": [], "message": error.detail}]:
            name = str(fault["path"][0]) if fault["path"] else ""
            name = self.aliases.get(name, name)
            self.add_error(name if name in self.fields else None, str(fault["message"]))


class LogInForm(auth.AuthenticationForm):
    """An e-mail address and its password."""

    username = auth.UsernameField(widget=forms.EmailInput(attrs={"autofocus": True}))
    error_messages = auth.AuthenticationForm.error_messages | {
        "invalid_login": _("The address or the password is not right.")
    }


class ResetForm(auth.PasswordResetForm):
    """An address to send a link to, by which a password is set."""

    def save(self, *args: Any, request: HttpRequest | None = None, **options: Any) -> None:
        """Have the link sent; what is done here is the same for every address."""
        if request is not None:
            mails.ask_for_password(address=self.cleaned_data["email"], origin=mailed_origin_of(request))


class NewPasswordForm(auth.SetPasswordForm):
    """A new password twice, with help that is one sentence."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["new_password1"].help_text = _("8 characters or more, nothing common, nothing like your address.")
        self.fields["new_password2"].help_text = ""

        self.former: str | None = None  # the password that this one replaces, once this one is hashed

    def hash_in_turn(self) -> None:
        """Hash the password when it is its turn; to be called before a transaction, in which others would wait."""
        former = self.user.password
        with bounded(self.turn()):
            super().save(commit=False)
        self.former = former

    def turn(self) -> Work:
        """Return when it is the turn of this password: a link that lets somebody in waits behind no stranger."""
        return KNOWN_PASSWORD

    def save(self, commit: bool = True) -> User:
        """Set the password and store nothing else of the user, whom others may have changed meanwhile.

        Refuses where another password was set meanwhile: what let this one in has ended with the former.
        """
        if self.former is None:
            self.hash_in_turn()
        user: User = self.user
        if commit:
            with transaction.atomic():
                if User.objects.select_for_update(no_key=True).get(pk=user.pk).password != self.former:
                    raise ForbiddenError(
                        gettext("The password of this account was changed a moment ago. Log in again.")
                    )
                user.save(update_fields=["password"])
        return user


class ChangeForm(NewPasswordForm, auth.PasswordChangeForm):
    """A new password, by the old one."""

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request = request

    def turn(self) -> Work:
        """Return the turn that this account has now: one who changes passwords all day must keep nobody out."""
        return turn_of(self.request, self.user)

    def clean_old_password(self) -> str:
        """Return the old password, or say that it is not right."""
        given = str(self.cleaned_data["old_password"])
        if not is_password_of(self.request, self.user, given):
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return given


class CodeForm(forms.Form):
    """A code of the second factor."""

    code = forms.CharField(label=_("Code"), max_length=20, widget=CODE)


class LogInCodeForm(CodeForm):
    """The second step of logging in."""

    field_order = ["code"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["code"].help_text = _("The six digits that your app shows now, or one of your recovery codes.")
        self.fields["code"].widget.attrs["autofocus"] = True


class SecondFactorForm(CodeForm):
    """What switches a second factor on: that an app shows the right codes, and that it is oneself."""

    password = forms.CharField(
        label=_("Your password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class JoinForm(NewPasswordForm):
    """The account of somebody who was invited."""

    email = forms.EmailField(label=_("E-mail address"), disabled=True)
    name = NameField(
        label=_("Your name"),
        max_length=User.LONGEST_NAME,
        help_text=_("As the others in the club know you."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ["email", "name"]


class TokenForm(forms.Form):
    """A new token."""

    name = NameField(
        label=_("Name of the token"),
        max_length=Credential.LONGEST_NAME,
        help_text=_("To recognise it later: the program or the device that will use it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
