"""What a game in play looks like to the rest: states, moves, chance, players, records.

A state is frozen and a move returns the next one. Chance is a move like any other (a roll, a drawn card), so a
record of moves replays without a generator; `chance` supplies such moves in a simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engines.base import Rng, RuleError

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class Moves(Protocol[M_co]):
    """The legal moves of a state. Where there are very many they are described, not listed."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    def __contains__(self, move: object, /) -> bool: ...

    def __iter__(self) -> Iterator[M_co]: ...

    def sample(self, rng: Rng, /) -> M_co:
        """Return one of them, each as likely as the others."""
        ...


@dataclass(frozen=True, slots=True)
class Listed(Generic[M]):
    """Moves few enough to list."""

    moves: tuple[M, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves

    def __iter__(self) -> Iterator[M]:
        return iter(self.moves)

    def sample(self, rng: Rng) -> M:
        """Return one of them, each as likely as the others."""
        return self.moves[int(rng.random() * len(self.moves))]


Player = Callable[[Any, Rng], Any]
"""Choose a move in a state in which it is somebody's turn."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game's state machine, its notation and its players, as plain functions."""

    start: Callable[[str, Sequence[str], Mapping[str, Any]], Any]
    """Variant, seats, options to the first state. RuleError for options the game does not have."""
    actor: Callable[[Any], int | None]
    """Whose move it is, as an index into the seats; None for chance."""
    is_over: Callable[[Any], bool]
    legal: Callable[[Any], Moves[Any]]
    """Every move possible now; for chance every outcome possible now. Empty only when the game is over."""
    apply: Callable[[Any, Any], Any]
    """State and move to the next state; RuleError if the move is not legal."""
    chance: Callable[[Any, Rng], Any]
    """Draw the move of chance with the probabilities of the real pieces."""
    write: Callable[[Any], str]
    read: Callable[[Any, str], Any]
    """State and text to the move that was written so; RuleError("unreadable-move") if the text is none."""
    report: Callable[[Any], dict[str, Any]]
    """A finished game as a report with the deepest evidence."""
    turns: Callable[[Any], int]
    """How many turns people have taken so far, the unit in which a game is long."""
    starter: Callable[[Any], int]
    """Who had the first turn."""
    players: Mapping[str, Player]
    """`random` and `decent`."""
    rules: Mapping[str, Any]
    """Text (`Words`) per code of a RuleError; placeholders are its facts."""


class IllegalMoveError(ValueError):
    """A record breaks a rule at its move `number`, counted from 1."""

    def __init__(self, number: int, text: str, rule: RuleError, legal: Sequence[str], count: int) -> None:
        super().__init__(number, text, rule.code)
        self.number, self.text, self.rule, self.legal, self.count = number, text, rule, legal, count


def run(
    play: Play, variant: str, seats: Sequence[str], player: str, rng: Rng, options: Mapping[str, Any]
) -> tuple[Any, list[str]]:
    """Play one whole game and return its last state and the moves as text."""
    choose = play.players[player]
    actor, is_over, apply, chance, write = play.actor, play.is_over, play.apply, play.chance, play.write
    state = play.start(variant, seats, options)
    moves: list[str] = []
    while not is_over(state):
        move = chance(state, rng) if actor(state) is None else choose(state, rng)
        moves.append(write(move))
        state = apply(state, move)
    return state, moves


def replay(play: Play, variant: str, seats: Sequence[str], moves: Sequence[str], options: Mapping[str, Any]) -> Any:
    """Return the last state of a recorded game; IllegalMoveError names the first move that breaks a rule."""
    state = play.start(variant, seats, options)
    for number, text in enumerate(moves, 1):
        try:
            if play.is_over(state):
                raise RuleError("game-over")
            state = play.apply(state, play.read(state, text))
        except RuleError as error:
            raise IllegalMoveError(number, text, error, *_examples(play, state)) from error
    return state


def _examples(play: Play, state: Any, most: int = 12) -> tuple[list[str], int]:
    if play.is_over(state):
        return [], 0
    legal = play.legal(state)
    return [play.write(move) for move, _ in zip(legal, range(most), strict=False)], legal.count
