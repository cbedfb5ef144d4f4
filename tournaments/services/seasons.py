"""Seasons, and players who should not meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from core.names import clean_name
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import AlreadyKeptApartError, SeasonInvalidError, SeasonTakenError
from tournaments.models import Club, Event, KeepApart, Player, Role, Season, SeasonTieBreak
from tournaments.services.events import mark_seasons
from tournaments.services.locks import lock_club
from tournaments.services.permissions import require_own, require_role


@transaction.atomic
def create_season(*, actor: Actor, club: Club, fields: Mapping[str, Any]) -> Season:
    """Create a season of a club."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    return _save(build_season(Season(club=club), fields))


@transaction.atomic
def edit_season(*, actor: Actor, season: Season, fields: Mapping[str, Any]) -> Season:
    """Change a season; what is not named stays as it is now, whatever the caller read."""
    require_role(actor=actor, club=season.club, role=Role.ORGANISER)
    lock_club(season.club)
    season = Season.objects.select_related("club").get(pk=season.pk)
    return _save(build_season(season, fields), fields)


def build_season(season: Season, fields: Mapping[str, Any]) -> Season:
    """Return a season with these settings, which hold together; they are not stored yet."""
    for name, value in fields.items():
        setattr(season, name, value)
    season.name = clean_name(season.name, longest=Season.LONGEST_NAME)
    if season.starts_on and season.ends_on and season.ends_on < season.starts_on:
        raise _invalid("dates", "ends_on", _("The end must be after the start."))
    if len(set(season.tiebreaks)) < len(season.tiebreaks) or not set(season.tiebreaks) <= set(SeasonTieBreak.values):
        known = ", ".join(SeasonTieBreak.values)
        raise _invalid("tiebreaks", "tiebreaks", _("Use each of these at most once: {known}.").format(known=known))
    return season


def _save(season: Season, fields: Iterable[str] | None = None) -> Season:
    """Store a season, all of it or some of its fields, and have it computed anew."""
    try:
        with transaction.atomic():
            season.save(update_fields=fields)
    except IntegrityError:
        raise SeasonTakenError(_("The club already has a season with this name. Choose another name.")) from None
    mark_seasons([season])
    return season


def _invalid(code: str, field: str, message: str) -> SeasonInvalidError:
    return SeasonInvalidError(message, errors=[{"code": code, "path": [field], "message": message}])


@transaction.atomic
def keep_apart(*, actor: Actor, club: Club, players: tuple[Player, Player], event: Event | None = None) -> KeepApart:
    """Have two players not meet: the club's own people in all of its events, others in an event that they entered.

    A pair of one event is a wish of its seating, and gives no right over the two.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    first, second = sorted((player.merged_into or player for player in players), key=lambda player: player.pk)
    for player in (first, second):
        if event is None or not event.entries.filter(player__in=selectors.records_of(player)).exists():
            require_own(club, player, _("{name} belongs to another club. Keep them apart in an event they entered."))
    if first == second:
        raise AlreadyKeptApartError(_("These are the same player. Choose two different players."))
    try:
        with transaction.atomic():
            return KeepApart.objects.create(club=club, event=event, first=first, second=second)
    except IntegrityError:
        raise AlreadyKeptApartError(_("These two players are already kept apart.")) from None


@transaction.atomic
def let_meet(*, actor: Actor, pair: KeepApart) -> None:
    """Let two players meet again."""
    require_role(actor=actor, club=pair.club, role=Role.ORGANISER)
    pair.delete()
