"""What a game in play looks like to the rest: states, moves, chance, players, records.

A state is frozen and a move returns the next one. Chance is a move like any other (a roll, a drawn card), so a
record of moves replays without a generator; `chance` supplies such moves in a simulation, `deal` from a secret.

A seat does not see everything. `view` is a state as one seat may see it, of the same type, with what it cannot know
masked; players are given nothing else, and `picture` draws either for a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engines.base import Rng, RuleError, Words

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


UNKNOWN = "?"
"""What stands in a view for a card that its seat cannot know."""

Player = Callable[[Any, Rng], Any]
"""Choose a move, given the view of the seat whose move it is."""


class Thought(NamedTuple):
    """What a strong player does, and why."""

    move: Any
    reason: Words


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
    deal: Callable[[Any, str, int], Any]
    """The same from a secret and the number of moves made: the same again, whoever asks.

    As far as the game allows, one secret has the same dice and cards for everybody, whatever they do with them.
    """
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
    """`random`, `decent` and `strong`, by name."""
    think: Callable[[Any, Rng], Thought]
    """What `strong` does, and why."""
    rules: Mapping[str, Any]
    """Text (`Words`) per code of a RuleError; placeholders are its facts."""
    tell: Callable[[Any, Any, bool], Words]
    """State, move and whether its secrets may be told, to what the move does in that state."""
    picture: Callable[[Any, str], dict[str, Any]]
    """A state or a view as JSON to be drawn: dice, rows, cards, groups; null for what is not known."""
    draw: Callable[[Any, str], list[str]]
    """The same for a terminal, as lines of text."""
    view: Callable[[Any, int | None], Any] = lambda state, _seat: state
    """A state as a seat may see it, or for None as everybody may. The view of a view is the same."""
    owner: Callable[[Any, Any], int | None] = lambda _state, _move: None
    """The seat that alone may know what a move was, None where everybody may."""
    offers: Callable[[Any], Iterable[Any]] | None = None
    """The legal moves in the order in which a person is shown them; None where that of `legal` is good."""


class IllegalMoveError(ValueError):
    """A record breaks a rule at its move `number`, counted from 1."""

    def __init__(self, number: int, text: str, rule: RuleError, legal: Sequence[str], count: int) -> None:
        super().__init__(number, text, rule.code)
        self.number, self.text, self.rule, self.legal, self.count = number, text, rule, legal, count


def run(
    play: Play, variant: str, seats: Sequence[str], player: str | Sequence[str], rng: Rng, options: Mapping[str, Any]
) -> tuple[Any, list[str]]:
    """Play one whole game, by one player or by one for each seat; return its last state and the moves as text."""
    names = [player] * len(seats) if isinstance(player, str) else player
    choose = [play.players[name] for name in names]
    actor, is_over, apply, chance, write = play.actor, play.is_over, play.apply, play.chance, play.write
    view = play.view
    state = play.start(variant, seats, options)
    moves: list[str] = []
    while not is_over(state):
        seat = actor(state)
        made = chance(state, rng) if seat is None else choose[seat](view(state, seat), rng)
        moves.append(write(made))
        state = apply(state, made)
    return state, moves


def replay(play: Play, variant: str, seats: Sequence[str], moves: Sequence[str], options: Mapping[str, Any]) -> Any:
    """Return the last state of a recorded game; IllegalMoveError names the first move that breaks a rule."""
    state = play.start(variant, seats, options)
    for number, text in enumerate(moves, 1):
        _, state = move(play, state, text, number)
    return state


def move(play: Play, state: Any, text: str, number: int) -> tuple[Any, Any]:
    """Return the move of a text, the `number`th from 1, and the state after; IllegalMoveError if it is not legal."""
    try:
        if play.is_over(state):
            raise RuleError("game-over")
        made = play.read(state, text)
        return made, play.apply(state, made)
    except RuleError as error:
        raise IllegalMoveError(number, text, error, *_examples(play, state)) from error


def _examples(play: Play, state: Any, most: int = 12) -> tuple[list[str], int]:
    if play.is_over(state):
        return [], 0
    legal = play.legal(state)
    return [play.write(move) for move in islice(legal, most)], legal.count
