"""The first start: the page that makes the first account of a service, and its club."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from core import mails, zones
from core.brute_force import look_up
from core.errors import DomainError
from core.models import User
from tournaments.models import Club
from tournaments.services import first_start
from web.accounts.second_factor import BACKEND
from web.base import READ_OR_SEND
from web.clubs.forms import zone_choices
from web.forms import NameField, NewPasswordForm

LONGEST_CODE = 40


class StartForm(NewPasswordForm):
    """Everything that a new service needs to know."""

    code = forms.CharField(
        label=gettext_lazy("The code from the terminal"),
        max_length=LONGEST_CODE,
        help_text=gettext_lazy("It stands where this service was started, and works once."),
        widget=forms.TextInput(
            attrs={"class": "code", "autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    club = NameField(
        label=gettext_lazy("Name of the club"),
        max_length=Club.LONGEST_NAME,
        help_text=gettext_lazy("As people say it: Café Meeple."),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=zone_choices, initial=zones.default_zone)
    name = NameField(
        label=gettext_lazy("Your name"),
        max_length=User.LONGEST_NAME,
        help_text=gettext_lazy("As the others in the club know you."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Your e-mail address"),
        max_length=User.LONGEST_EMAIL,
        help_text=gettext_lazy("You log in with it."),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    field_order = ["code", "club", "language", "time_zone", "name", "email"]

    def clean_email(self) -> str:
        """Let the password be compared with the address that was just typed."""
        self.user.email = User.objects.normalize_email(self.cleaned_data["email"])
        return str(self.user.email)


@never_cache
@sensitive_post_parameters()
@READ_OR_SEND
def start(request: HttpRequest) -> HttpResponse:
    """Ask what a new service needs to know, and go on to the first event."""
    if not first_start.is_waiting():
        if User.objects.exists():
            return redirect("web:login")
        raise Http404
    language = translation.get_language() or settings.LANGUAGE_CODE
    initial = {"code": request.GET.get("code", "")[:LONGEST_CODE], "language": language}
    form = StartForm(User(), request.POST or None, initial=initial)
    # A code is asked for before anything else is looked at: who has none is told nothing, and costs nothing.
    if request.method == "POST":
        code = request.POST.get("code", "")[:LONGEST_CODE]
        if look_up(request, lambda: first_start.find_code(code)) is None:
            form = StartForm(User(), None, initial=request.POST.dict())
            context = {"wrong": _("This is not the code that the terminal shows, or it was used.")}
            return _show(request, form, status=403, **context)
    if form.is_valid():
        try:
            return _begin(request, form.cleaned_data)
        except DomainError as error:
            form.add_error(None, error.detail)
    return _show(request, form)


def _show(request: HttpRequest, form: StartForm, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"form": form, "is_mail_set_up": mails.is_set_up(), **more}
    return render(request, "accounts/start.html", context, status=status)


def _begin(request: HttpRequest, sent: dict[str, Any]) -> HttpResponse:
    owner, club = first_start.begin(
        code=sent["code"],
        club=sent["club"],
        email=sent["email"],
        name=sent["name"],
        password=sent["new_password1"],
        time_zone=sent["time_zone"],
    )
    login(request, owner, backend=BACKEND)
    with translation.override(sent["language"]):
        messages.success(request, _("{club} is founded. What do you play first?").format(club=club.name))
    response = redirect("web:new-event", club.slug)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        sent["language"],
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,
    )
    return response
