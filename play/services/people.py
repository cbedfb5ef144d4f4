"""What games in play say of a person: exported for them, and forgotten with them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from core.models import User
from play.models import SoloGame
from tournaments.services.forgetting import Forgotten


def everything_about(users: QuerySet[User]) -> list[dict[str, Any]]:
    """Return the games that somebody played while they were logged in; a seed only of those that are over."""
    games = SoloGame.objects.filter(user__in=users).select_related("challenge__club").order_by("pk")
    return [
        {
            "id": game.uid,
            "name": game.name,
            "challenge": str(game.challenge.day) if game.challenge else None,
            "club": game.challenge.club.slug if game.challenge and game.challenge.club else None,
            "status": game.status,
            "score": game.score,
            "created_at": game.created_at,
            "finished_at": game.finished_at,
            "record": game.record if game.is_over else None,
        }
        for game in games
    ]


def forget(person: Forgotten) -> None:
    """Take a person's name off the boards, and part their games from their account where they are forgotten."""
    SoloGame.objects.filter(user__player__uid__in=person.gone).update(name="", user=None)
    SoloGame.objects.filter(user__player__uid__in=person.ids, name__in=person.names).update(name=person.name)
