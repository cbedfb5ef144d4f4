"""Tokens of users and keys of clubs: make one, which is shown once, and revoke it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.models import User
from core.names import clean_name
from tournaments.access import credentials
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError, KeyInvalidError
from tournaments.models import Club, Credential, Role, Scope
from tournaments.services.permissions import require_role, require_user

LONGEST_YEARS = 5
LONGEST = dt.timedelta(days=366 * LONGEST_YEARS)  # that a key may be made for, where it is to end at all


@transaction.atomic
def create_token(*, actor: Actor, name: str) -> tuple[Credential, str]:
    """Make a token of the caller's own, and return it with its secret, which is not kept."""
    user = require_user(actor)
    # A password that is being replaced ends the tokens that there are. Whoever was let in by the former one waits here
    # until that is done, and must not make another.
    if User.objects.select_for_update().get(pk=user.pk).password != user.password:
        raise ForbiddenError(_("The password of this account was changed a moment ago. Log in again."))
    secret = credentials.new_secret(credentials.USER)
    token = Credential(user=user)
    return _store(token, name, secret), secret


@transaction.atomic
def create_key(
    *, actor: Actor, club: Club, name: str, scopes: Collection[str], expires_at: dt.datetime | None = None
) -> tuple[Credential, str]:
    """Make a key of a club for one scope or several, and return it with its secret, which is not kept."""
    require_role(actor=actor, club=club, role=Role.OWNER)
    now = timezone.now()
    if expires_at is not None and not now < expires_at <= now + LONGEST:
        message = _("A key ends in the future, at most {years} years from now.").format(years=LONGEST_YEARS)
        fault = {"path": ["expires_at"], "code": "out-of-range", "message": message}
        raise KeyInvalidError(message, errors=[fault])
    secret = credentials.new_secret(credentials.CLUB)
    key = Credential(club=club, scope=_joined(scopes), expires_at=expires_at)
    return _store(key, name, secret), secret


def _joined(scopes: Collection[str]) -> str:
    """Return scopes as they are kept, each only where no other contains it."""
    if Scope.WRITE in scopes:
        return Scope.WRITE
    parts = [each for each in Scope.values if each in scopes and each != Scope.READ]
    return " ".join(parts) or Scope.READ


def _store(credential: Credential, name: str, secret: str) -> Credential:
    credential.name = clean_name(name, longest=Credential.LONGEST_NAME)
    credential.prefix = secret[: credentials.SHOWN]
    credential.digest = credentials.digest(secret)
    credential.save()
    return credential


@transaction.atomic
def revoke(*, actor: Actor, credential: Credential) -> None:
    """Make a token or a key worthless from now on: one's own, or as an owner the club's."""
    if credential.club is not None:
        require_role(actor=actor, club=credential.club, role=Role.OWNER)
    elif credential.user != require_user(actor):
        raise ForbiddenError(_("Only the person it belongs to may do this."))
    Credential.objects.filter(pk=credential.pk, revoked_at=None).update(revoked_at=timezone.now())


def end_with_password(user: User, **_signal: Any) -> None:
    """Make every token of somebody whose password was replaced worthless; the keys of clubs are not theirs."""
    Credential.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
