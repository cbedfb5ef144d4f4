"""Reads: which games and challenges a caller may know of, and what the people at them are called."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from play.models import SoloGame
from tournaments.actors import Actor
from tournaments.selectors import visible_clubs


def visible_games(actor: Actor) -> QuerySet[SoloGame]:
    """Return the games a caller may know of; those of a private club's challenge are its members' alone."""
    clubs = visible_clubs(actor).values("pk")
    free = Q(challenge=None) | Q(challenge__club=None) | Q(challenge__club__in=clubs)
    return SoloGame.objects.filter(free).select_related("challenge__club")


def names_of(game: SoloGame, *, is_own: bool) -> dict[str, str]:
    """Return what the seats of a game are called."""
    person = game.name or (_("Player") if is_own else _("Somebody"))
    house = [seat for seat in game.seats if seat.startswith("house-")]
    names = {seat: pgettext("player", "House {number}").format(number=seat[6:]) for seat in house}
    return {SoloGame.SEAT: person} | names
