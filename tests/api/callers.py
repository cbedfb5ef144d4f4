"""Callers of the API with a credential."""

from __future__ import annotations

from rest_framework.test import APIClient

from tests.factories import UserFactory
from tournaments.actors import Actor, Kind
from tournaments.models import Club
from tournaments.services.clubs import create_club
from tournaments.services.credentials import create_token


def bearer(secret: str) -> APIClient:
    """Return a client that shows a secret."""
    return APIClient(headers={"Authorization": f"Bearer {secret}"})


def club_with_organiser(name: str = "Café Meeple") -> tuple[Club, APIClient]:
    """Return a club and its owner as a caller."""
    actor = Actor(Kind.USER, user=UserFactory())
    club = create_club(actor=actor, name=name)
    return club, bearer(create_token(actor=actor, name="laptop")[1])
