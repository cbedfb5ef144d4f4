"""What games in play say of a person: exported for them, and forgotten with them."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet

from core.models import User
from core.statements import parts
from play.models import SoloGame, TableRecord
from tournaments.services.forgetting import Forgotten, forget_authors, save


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


def forget(them: Forgotten) -> None:
    """Take people's names off boards and records, and part the games of whoever is forgotten from their account."""
    forget_authors(TableRecord.objects.all(), "table__round__event", them)
    SoloGame.objects.filter(user__player__in=them.gone.records).update(name="", user=None)
    renamed = []
    for part in parts([record.uid for person in them.people for record in person.records]):
        for game in (
            SoloGame.objects.filter(user__player__uid__in=part).exclude(name="").annotate(of=F("user__player__uid"))
        ):
            if game.name in (person := them.whose[game.of]).names:
                game.name = person.name
                renamed.append(game)
    save(renamed, "name")
