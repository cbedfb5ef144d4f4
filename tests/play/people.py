"""Somebody who plays as well as the house does."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from random import Random
from typing import Any

from core import costly
from engines import game as playing
from play import rules
from play.models import SoloGame
from play.services import games
from play.services.games import Phone, Setup

ANA, BO = Phone("ana’s phone holds this"), Phone("bo’s phone holds this")
ALONE = Setup("ten-phases", "solo")
ALIX = Setup("dix", "solo", options={"difficulty": 4})
DICE_RUN = Setup("dice-run", "standard", 4, "decent")
PRACTICE = (
    Setup("ten-phases", "standard", 3, "decent"),
    Setup("sixmix", "standard", 3, "decent"),
    Setup("sixmix", "two-player", 2, "random"),
    Setup("dix", "bust-buy", 2, "decent"),
    DICE_RUN,
)


def answer(record: Mapping[str, Any], player: str = "decent") -> str:
    """Return the move that a house player would make where a record ends."""
    return _chosen(playing.open_record(record), player)


def _chosen(now: playing.Game, player: str) -> str:
    return now.choose(player, Random(len(now.moves))).moves[-1]


def play_on(game: SoloGame, moves: int = 1000, player: str = "decent") -> SoloGame:
    """Make moves of the person, as a house player would, until the game is over; at most so many."""
    now = playing.open_record(game.record)
    for _ in range(moves):
        if game.is_over:
            break
        game = games.make_move(game=game, number=len(game.moves), move=_chosen(now, player))
        *_, now = playing.steps_from(now, game.moves[len(now.moves) :])
    return game


def long_game(phone: Phone = ANA) -> SoloGame:
    """Return a game in which everybody has passed so often that its replay costs something."""
    game = games.start_game(phone=phone, setup=PRACTICE[0])
    now = playing.open_record(game.record)
    while len(now.moves) <= 2 * rules.SHORT or now.actor != game.seats.index(SoloGame.SEAT):
        now = now.move("pass").deal(game.seed)
    game.moves = list(now.moves)
    game.save()
    return game


def busy() -> ExitStack:
    """Take every place of those who replay records and let the house move."""
    others = ExitStack()
    for _ in range(2):
        others.enter_context(costly._place(costly.PLAY.places))
    return others
