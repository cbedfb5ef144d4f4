"""Forms of the pages of a club: its name, members, keys and seasons."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import ClassVar

from django import forms
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core import zones
from core.models import User
from tournaments.models import Club, Credential, Role, Scope, Season
from web.forms import NameField, ServiceForm

DATE = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def zone_choices() -> list[tuple[str, str]]:
    """Return the time zones, the service's own first, as choices."""
    return [(name, name.replace("_", " ")) for name in dict.fromkeys([zones.default_zone(), *zones.names()])]


def roles() -> list[tuple[str, str]]:
    """Return the roles in a club, as choices."""
    return [(role.value, capfirst(str(role.label))) for role in Role]


class ClubForm(ServiceForm):
    """A club."""

    name = NameField(
        label=_("Name of the club"),
        max_length=Club.LONGEST_NAME,
        help_text=_("As people say it: Café Meeple."),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    is_public = forms.BooleanField(
        label=_("Anybody may read events, standings and ratings"),
        required=False,
        initial=True,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        initial=zones.default_zone,
        required=False,
        help_text=_("What the clocks of the club show. Times of its events are shown and read by it."),
    )


class ClubSettingsForm(ClubForm):
    """A club that there is already."""

    mails_players = forms.BooleanField(
        label=_("Mail players their table and their final place"),
        required=False,
        help_text=_("Those who left an address when they signed up: once for each round, and once at the end."),
    )


class InvitationForm(ServiceForm):
    """Somebody to run the club with."""

    email = forms.EmailField(label=_("E-mail address"), max_length=User.LONGEST_EMAIL)
    role = forms.ChoiceField(label=_("Role"), choices=roles, initial=Role.ORGANISER)


class RoleForm(ServiceForm):
    """What a member may do."""

    role = forms.ChoiceField(label=_("Role"), choices=roles)


class KeyForm(ServiceForm):
    """A new key of the club."""

    name = NameField(
        label=_("Name of the key"),
        max_length=Credential.LONGEST_NAME,
        help_text=_("To recognise it later: the site or program that will use it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Every key reads. Give it what its program needs, and no more."),
    )
    last_day = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=DATE,
        help_text=_("It ends with this day, at most five years ahead. Empty: when you revoke it."),
    )
    aliases: ClassVar[Mapping[str, str]] = {"expires_at": "last_day"}

    def clean_last_day(self) -> dt.datetime | None:
        """Return the midnight after the last day, in the zone of the club."""
        day: dt.date | None = self.cleaned_data["last_day"]
        if day is None:
            return None
        try:
            return timezone.make_aware(dt.datetime.combine(day, dt.time()) + dt.timedelta(days=1))
        except OverflowError:
            raise forms.ValidationError(_("There is no day after this one.")) from None


class SeasonForm(ServiceForm):
    """A season."""

    name = NameField(label=_("Name of the season"), max_length=Season.LONGEST_NAME)
    best_of = forms.IntegerField(
        label=_("Results that count"),
        min_value=1,
        max_value=Season.MOST_COUNTED,
        initial=5,
        help_text=_("How many of each player’s best events are added up."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    starts_on = forms.DateField(label=_("From"), required=False, widget=DATE)
    ends_on = forms.DateField(label=_("Until"), required=False, widget=DATE)
