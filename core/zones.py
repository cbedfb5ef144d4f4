"""Time zones: their names, and which one the times of a request are shown in."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers

UTC = "UTC"
# What anybody may give as a moment: far enough from both ends of the calendar that every zone can show it.
EARLIEST, LATEST = dt.datetime(1900, 1, 1, tzinfo=dt.UTC), dt.datetime(2999, 12, 31, tzinfo=dt.UTC)
LONGEST_NAME = 64
REGIONS = {
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
}


@cache
def names() -> tuple[str, ...]:
    """Return every zone that has a place in its name, and UTC: those that people choose from."""
    found = {name for name in zoneinfo.available_timezones() if name.partition("/")[0] in REGIONS and "/" in name}
    return (*sorted(found), UTC)


def is_zone(name: str) -> bool:
    """Say whether there is a zone of this name."""
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, LookupError, OSError):
        return False
    return len(name) <= LONGEST_NAME


def is_in_range(moment: dt.datetime) -> bool:
    """Say whether a moment may be kept; one that a zone cannot show would break every list that it stands in."""
    return EARLIEST <= moment <= LATEST


def default_zone() -> str:
    """Return the zone of a club that names none: the service's."""
    return settings.TIME_ZONE


def zone_named(name: str) -> zoneinfo.ZoneInfo:
    """Return a zone; the service's own where this machine no longer knows the name."""
    return zoneinfo.ZoneInfo(name if is_zone(name) else settings.TIME_ZONE)


def require_zone(name: str) -> None:
    """Refuse a name that no zone has, as a validator of models and forms."""
    if not is_zone(name):
        raise ValidationError(_("There is no such time zone. It is a name such as Europe/Paris."), code="time-zone")


class ZoneField(serializers.CharField):
    """A time zone in the body of a request."""

    def __init__(self, **options: Any) -> None:
        example = "A name such as `Europe/Paris`."
        super().__init__(max_length=LONGEST_NAME, help_text=example, validators=[require_zone], **options)


class ZonedTimeField(serializers.DateTimeField):
    """A moment with the offset of a club's zone; `zone_source` leads to the name of the zone."""

    def __init__(self, *, zone_source: str = "club.zone", **options: Any) -> None:
        self.zone_source = zone_source
        super().__init__(**options)

    def get_attribute(self, instance: Any) -> Any:
        """Return the moment as the clocks of the club show it."""
        value = super().get_attribute(instance)
        zone = instance
        for name in self.zone_source.split("."):
            zone = getattr(zone, name)
        # By way of UTC: in its own zone an hour that the clocks skip would stay as it was written.
        return value and value.astimezone(dt.UTC).astimezone(zone)

    def to_representation(self, value: Any) -> Any:
        """Write the moment with the offset that it has."""
        text = value.isoformat()
        return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


class TimeZoneMiddleware:
    """Let whatever a request activates end with it: threads answer one request after another."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the service's own zone unless a view activates another."""
        with timezone.override(None):
            return self.get_response(request)
