"""Refuse callers who may see something and not do it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.models import User
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError
from tournaments.models import Club, Role


def require_role(*, actor: Actor, club: Club, role: Role) -> None:
    """Refuse a caller who has not at least this role in the club."""
    if not actor.is_at_least(role, club):
        raise ForbiddenError(_refusal(role))


def require_user(actor: Actor) -> User:
    """Return the person who calls; refuse keys, links and nobody."""
    if actor.user is None:
        raise ForbiddenError(_("Only people with an account may do this. Log in, or use a token of your own."))
    return actor.user


def _refusal(role: Role) -> str:
    match role:
        case Role.OWNER:
            return _("Only an owner of the club may do this.")
        case Role.ORGANISER:
            return _("Only an organiser of the club may do this.")
    return _("Only members of the club may do this.")
