"""What the pages of games in play share: whose phone it is, the moves to choose from, and how a table is drawn."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from core.language import reader_language
from core.models import User
from play.rules import Position
from play.services import games
from play.services.games import Phone, new_secret
from scoring import rules
from web.base import session_actor

COOKIE = "play"
KEPT = dt.timedelta(days=180)
LONG = 7  # moves of one kind that are offered in a list instead of as buttons
PICTURES = {
    "ten-phases": "play/_ten_phases.html",
    "sixmix": "play/_sixmix.html",
    "dix": "play/_dix.html",
    "dice-run": "play/_dice_run.html",
}


class Kind(NamedTuple):
    """Moves that begin with the same word."""

    verb: str
    moves: list[dict[str, str]]

    @property
    def is_long(self) -> bool:
        """Whether there are too many for buttons."""
        return len(self.moves) >= LONG


def phone_of(request: HttpRequest) -> Phone:
    """Return who plays: by the secret that the browser holds, and by who is logged in."""
    return Phone(request.COOKIES.get(COOKIE, ""), session_actor(request).user)


def phone_for(request: HttpRequest) -> Phone:
    """Return who is about to play, with a new secret where the browser holds none."""
    phone = phone_of(request)
    return phone if phone.secret else Phone(new_secret(), phone.user)


def hold(request: HttpRequest, response: HttpResponse, phone: Phone) -> HttpResponse:
    """Let the browser hold the secret of its games."""
    if request.COOKIES.get(COOKIE) != phone.secret:
        is_secure = request.is_secure()
        response.set_cookie(COOKIE, phone.secret, max_age=KEPT, secure=is_secure, httponly=True, samesite="Lax")
    return response


@receiver(user_logged_out)
def leave_games(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Leave the games of an account to that account, when it is logged out."""
    games.leave(phone=Phone(request.COOKIES.get(COOKIE, ""), user))


def name_of(game: str) -> str:
    """Return what a game is called."""
    return rules.game(game).name.into(reader_language())


def variant_name(game: str, variant: str) -> str:
    """Return what a variant is called."""
    return rules.game(game).variant(variant).name.into(reader_language())


def kinds_of(position: Position, without: tuple[str, ...] = ()) -> list[Kind]:
    """Return the moves to choose from by their first word, those that the picture itself offers left out."""
    kinds: dict[str, Kind] = {}
    for move in position.legal["moves"]:
        verb = move["move"].partition(" ")[0]
        if verb not in without:
            kinds.setdefault(verb, Kind(verb, [])).moves.append(move)
    return sorted(kinds.values(), key=lambda kind: kind.is_long)


def drawn(game: str, position: Position) -> dict[str, Any]:
    """Return what the templates need to draw a position."""
    return {
        "game": game,
        "picture": PICTURES[game],
        "position": position,
        "table": position.table,
        "playable": {move["move"] for move in position.legal["moves"]} if position.seat is not None else set(),
    }
