"""Tokens of users and keys of clubs: make one, which is shown once, and revoke it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.models import User
from core.names import clean_name
from tournaments.access import credentials
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError
from tournaments.models import Club, Credential, Role, Scope
from tournaments.services.permissions import require_role, require_user


@transaction.atomic
def create_token(*, actor: Actor, name: str) -> tuple[Credential, str]:
    """Make a token of the caller's own, and return it with its secret, which is not kept."""
    user = require_user(actor)
    secret = credentials.new_secret(credentials.USER)
    token = Credential(user=user)
    return _store(token, name, secret), secret


@transaction.atomic
def create_key(*, actor: Actor, club: Club, name: str, scope: Scope) -> tuple[Credential, str]:
    """Make a key of a club, and return it with its secret, which is not kept."""
    require_role(actor=actor, club=club, role=Role.OWNER)
    secret = credentials.new_secret(credentials.CLUB)
    key = Credential(club=club, scope=scope)
    return _store(key, name, secret), secret


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
