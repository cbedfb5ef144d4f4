"""Logging in in two steps, and the page on which a second factor is switched on and off."""

from __future__ import annotations

import base64
import time
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from core import second_factor, sessions
from core.logins import is_password_of
from core.models import User
from web.base import READ_OR_SEND
from web.forms import CodeForm, LogInCodeForm, SecondFactorForm
from web.qr import qr_code

BACKEND = "django.contrib.auth.backends.ModelBackend"  # of the two, the one that knows people
PENDING = "second-factor"  # in a session: who gave the right password and still owes a code
PATIENCE = 600  # seconds in which the code must be given


def enter(request: HttpRequest, user: User, then: str) -> HttpResponse:
    """Log somebody in who gave the right password; where there is a second factor, only after its code."""
    if not second_factor.is_on(user):
        login(request, user, backend=BACKEND)
        return redirect(then)
    request.session.cycle_key()
    request.session[PENDING] = {"user": user.pk, "at": time.time(), "password": user.get_session_auth_hash()}
    return redirect(f"{reverse('web:login-code')}?{urlencode({'next': then})}")


def _pending(request: HttpRequest) -> User | None:
    """Return who still owes a code: not for long, and not after their password was changed."""
    found = request.session.get(PENDING)
    if not found or not 0 <= time.time() - found["at"] < PATIENCE:
        return None
    user = User.objects.filter(pk=found["user"], is_active=True).first()
    return user if user and constant_time_compare(user.get_session_auth_hash(), found["password"]) else None


@method_decorator([never_cache, sensitive_post_parameters()], name="dispatch")
class LogInCode(views.RedirectURLMixin, FormView):
    """Ask for the code, as the second step of logging in."""

    template_name = "accounts/login_code.html"
    form_class = LogInCodeForm
    next_page = settings.LOGIN_REDIRECT_URL
    user: User

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        """Begin anew where nobody owes a code."""
        user = _pending(request)
        if user is None:
            messages.error(request, _("Please log in again: the code was not given within ten minutes."))
            return redirect(f"{reverse('web:login')}?{urlencode({'next': self.get_success_url()})}")
        self.user = user
        return super().dispatch(request, *args, **options)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        """Log in, if the code is right."""
        if fault := _fault(self.user, form.cleaned_data["code"]):
            form.add_error("code", fault)
            return self.form_invalid(form)
        del self.request.session[PENDING]
        login(self.request, self.user, backend=BACKEND)
        if second_factor.is_recovery_code(form.cleaned_data["code"]):
            _count_codes(self.request, self.user)
        return super().form_valid(form)


def _fault(user: User, code: str) -> str:
    """Verify a code, and return what is wrong with it; empty where nothing is."""
    if second_factor.verify(user, code):
        return ""
    if wait := second_factor.seconds_to_wait(user):
        text = ngettext(
            "This code is not right, or was used. Wait {seconds} second, then give the next one.",
            "This code is not right, or was used. Wait {seconds} seconds, then give the next one.",
            wait,
        )
        return text.format(seconds=wait)
    return _("This code is not right, or was used. Give the next one.")


def _count_codes(request: HttpRequest, user: User) -> None:
    left = second_factor.recovery_codes_left(user)
    text = ngettext("You have {count} recovery code left.", "You have {count} recovery codes left.", left)
    messages.success(request, text.format(count=left))


@never_cache
@login_required
@sensitive_post_parameters()
@READ_OR_SEND
def second_factor_page(request: HttpRequest) -> HttpResponse:
    """Show whether one logs in with a second factor, and change that; recovery codes are shown once."""
    user = cast("User", request.user)
    if second_factor.is_on(user):
        return _change(request, user)
    form = SecondFactorForm(request.POST or None)
    if form.is_valid():
        codes = _switch_on(request, user, form)
        if codes:
            return render(request, "accounts/second_factor_codes.html", {"codes": codes, "is_new": True})
    device = second_factor.prepare(user)
    key = base64.b32encode(device.bin_key).decode()
    context = {
        "form": form,
        "device": device,
        "qr": qr_code(device.config_url, _("QR code for your app")),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    }
    return render(request, "accounts/second_factor.html", context)


def _switch_on(request: HttpRequest, user: User, form: SecondFactorForm) -> list[str]:
    if not is_password_of(request, user, form.cleaned_data["password"]):
        form.add_error("password", _("The password is not right."))
        return []
    codes = second_factor.switch_on(user, form.cleaned_data["code"])
    if not codes:
        form.add_error("code", _("This code is not right. Give the one that the app shows now."))
        return []
    sessions.end(sessions.logins_of(user).exclude(pk=request.session.session_key))
    return codes


def _change(request: HttpRequest, user: User) -> HttpResponse:
    form = CodeForm(request.POST or None)
    if form.is_valid():
        if fault := _fault(user, form.cleaned_data["code"]):
            form.add_error("code", fault)
        elif "off" in request.POST:
            second_factor.switch_off(user)
            messages.success(request, _("You log in with your password alone from now on."))
            return redirect("web:account")
        else:
            codes = second_factor.renew_recovery_codes(user)
            return render(request, "accounts/second_factor_codes.html", {"codes": codes})
    context = {"form": form, "left": second_factor.recovery_codes_left(user)}
    return render(request, "accounts/second_factor_on.html", context)
