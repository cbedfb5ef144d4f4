"""Refuse callers who may see something and not do it."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.costly import OWN, Work
from core.models import User
from tournaments import trust
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError, PlayerElsewhereError, TiedRecentlyError
from tournaments.models import Club, Player, Role


def require_role(*, actor: Actor, club: Club, role: Role) -> None:
    """Refuse a caller who has not at least this role in the club."""
    if not actor.is_at_least(role, club):
        raise ForbiddenError(_refusal(role))


def turn_of(actor: Actor, club: Club | None, others: Work) -> Work:
    """Return when it is a caller's turn to read something that costs: people of the club never wait behind others."""
    return OWN if club is not None and actor.is_at_least(Role.SCOREKEEPER, club) else others


def require_user(actor: Actor) -> User:
    """Return the person who calls; refuse keys, links and nobody."""
    if actor.user is None:
        raise ForbiddenError(_("Only people with an account may do this. Log in, or use a token of your own."))
    return actor.user


def require_say(actor: Actor, player: Player) -> None:
    """Refuse a caller who is neither the person nor an organiser of their home club."""
    if not trust.may_change(actor, player):
        raise ForbiddenError(_("Only the player themselves or an organiser of their home club may do this."))


def require_last_say(actor: Actor, player: Player) -> None:
    """Refuse a caller who is neither the person, by their account for a while, nor an owner of their home club."""
    if not trust.may_take_away(actor, player):
        if trust.is_account_of(actor, player):
            raise _tied_recently(player)
        raise ForbiddenError(_("Only the player themselves or an owner of their home club may do this."))


def _tied_recently(player: Player) -> TiedRecentlyError:
    home = trust.home_of(player)
    since = trust.tied_since(player) or timezone.now()
    until = since + trust.SETTLES

    def said(time: dt.datetime) -> str:
        return date_format(timezone.localtime(time, home.zone if home else None), "j F Y, H:i")

    return TiedRecentlyError(
        _(
            "Your account has belonged to this player since {since}. From {until} on it may export and forget them. "
            "Until then an owner of their home club can: ask one, or wait."
        ).format(since=said(since), until=said(until)),
        since=since,
        until=until,
    )


def require_own(club: Club, player: Player, detail: str) -> None:
    """Refuse what a club may do with its own people only; `detail` says of whom, as `{name}`, and what to do."""
    if not trust.is_own(player, club):
        raise PlayerElsewhereError(detail.format(name=player.name))


def _refusal(role: Role) -> str:
    match role:
        case Role.OWNER:
            return _("Only an owner of the club may do this.")
        case Role.ORGANISER:
            return _("Only an organiser of the club may do this.")
    return _("Only members of the club may do this.")
