"""A game in progress, for whoever lets people play: the terminal, the pages, the API.

The record is the game: everything else follows from it by replay, so a game survives as a list of moves and an undo is
a shorter list. Chance is dealt from a secret (`deal`), the same again however often it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from engines import GAMES, as_json, play, records
from engines.base import CompleteEngine, RuleError, Verdict, Words
from engines.play import IllegalMoveError

MOST_OFFERED = 60


class Advice(NamedTuple):
    """What the strong house player would do: the move as text, what it does, and why."""

    text: str
    words: Words
    reason: Words


@dataclass(frozen=True, slots=True)
class Game:
    """A game as far as it was played. Seats are indices; every method returns the game that follows."""

    engine: CompleteEngine
    variant: str
    seats: tuple[str, ...]
    options: Mapping[str, Any]
    moves: tuple[str, ...]
    state: Any

    @property
    def actor(self) -> int | None:
        """Whose move it is; None for chance, and when the game is over."""
        return None if self.is_over else self.engine.play.actor(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game is finished."""
        return self.engine.play.is_over(self.state)

    @property
    def record(self) -> dict[str, Any]:
        """The game as a record, finished or not."""
        return records.write(self.engine, self.variant, self.seats, self.moves, self.options)

    @property
    def report(self) -> dict[str, Any]:
        """The finished game as a report with the deepest evidence."""
        return self.engine.play.report(self.state)

    def move(self, text: str) -> Game:
        """Make a move of whoever's it is, chance included; RecordError says why it is refused."""
        try:
            made, after = play.move(self.engine.play, self.state, text, len(self.moves) + 1)
        except IllegalMoveError as error:
            raise records.refused_move(self.engine, error) from error
        return replace(self, moves=(*self.moves, self.engine.play.write(made)), state=after)

    def deal(self, secret: str) -> Game:
        """Let chance and partners such as ALIX make their moves, until it is a person's or the game is over."""
        game, rules = self, self.engine.play
        partners = self.engine.variant(self.variant).partners
        while not game.is_over:
            if game.actor is None:
                game = game.after(rules.deal(game.state, secret, len(game.moves)))
            elif self.seats[game.actor] in partners:  # these never have a choice
                game = game.after(next(iter(rules.legal(game.state))))
            else:
                break
        return game

    def choose(self, player: str, rng: Random) -> Game:
        """Let a house player make the move of the seat whose it is, from no more than that seat may see."""
        return self.after(self.engine.play.players[player](self.view(self._someone()), rng))

    def advise(self, rng: Random) -> Advice:
        """Say what `strong` would do in place of the seat whose move it is, from no more than that seat may see."""
        rules, seen = self.engine.play, self.view(self._someone())
        move, reason = rules.think(seen, rng)
        return Advice(rules.write(move), rules.tell(self.state, move, True), reason)

    def after(self, made: Any) -> Game:
        """Return the game after a move that is known to be legal."""
        rules = self.engine.play
        return replace(self, moves=(*self.moves, rules.write(made)), state=rules.apply(self.state, made))

    def _someone(self) -> int:
        seat = self.actor
        if seat is None:
            raise ValueError("it is nobody's move")
        return seat

    def undo(self, seat: int) -> Game:
        """Return the game before the last choice of a seat; the game itself where there was none."""
        before = None
        for game in steps_from(self.start, self.moves):
            if game.actor == seat and len(game.moves) < len(self.moves):
                before = game
        return self if before is None else before

    @property
    def start(self) -> Game:
        """The same game before its first move."""
        return replace(self, moves=(), state=self.engine.play.start(self.variant, self.seats, self.options))

    def view(self, seat: int | None) -> Any:
        """Return the state as a seat may see it, or for None as everybody may."""
        return self.engine.play.view(self.state, seat)

    def legal_moves(self, language: str = "en", most: int = MOST_OFFERED) -> dict[str, Any]:
        """Return how many moves are possible, and the first of them as text and in words."""
        rules = self.engine.play
        if self.is_over:
            return {"count": 0, "moves": []}
        offered = (rules.offers or rules.legal)(self.state)
        return {
            "count": rules.legal(self.state).count,
            "moves": [
                {"move": rules.write(each), "words": rules.tell(self.state, each, True).into(language)}
                for each in islice(offered, most)
            ],
        }

    def position(self, language: str = "en") -> dict[str, Any]:
        """Return everything on the table as JSON, secrets included: for a game that is over, and for its owner."""
        return self._position(self.state, language)

    def seen_by(self, seat: int | None, language: str = "en") -> dict[str, Any]:
        """Return what a seat may see as JSON, or for None what everybody may; null for what is not known."""
        return self._position(self.view(seat), language)

    def _position(self, state: Any, language: str) -> dict[str, Any]:
        actor = self.actor
        return {
            "game": self.engine.slug,
            "variant": self.variant,
            "seats": list(self.seats),
            "number": len(self.moves),
            "actor": None if actor is None else self.seats[actor],
            "is_over": self.is_over,
            "table": self.engine.play.picture(state, language),
        }


def start(game: str, variant: str, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Game:
    """Begin a game; RecordError where there is no such game, variant, number of seats or option."""
    header = {"game": game, "variant": variant, "seats": list(seats), "options": dict(options or {}), "moves": []}
    return open_record(header)


def open_record(record: object) -> Game:
    """Return the game that a record tells, finished or not; RecordError names the first move that breaks a rule."""
    *_, last = steps(record)
    return last


def steps(record: object) -> Iterator[Game]:
    """Yield the game before the first move of a record and after each; RecordError as for `open_record`."""
    header = records.header_of(record)
    engine = GAMES[header.game]
    try:
        state = engine.play.start(header.variant, header.seats, header.options)
    except RuleError as error:
        raise records.refused_start(engine, error) from error
    first = Game(engine, header.variant, tuple(header.seats), header.options, (), state)
    yield from steps_from(first, header.moves)


def steps_from(game: Game, moves: Sequence[str]) -> Iterator[Game]:
    """Yield a game and what becomes of it with each of the moves."""
    yield game
    for text in moves:
        game = game.move(text)
        yield game


def judge(record: object, language: str = "en") -> dict[str, Any]:
    """Judge a record, finished or not: whether it breaks a rule, and how far it came.

    The answer has the fields of a verdict, `is_over`, and unless the record is none at all the last `position` that
    follows the rules with its `legal_moves`; for a finished game also its `report`.
    """
    reached: Game | None = None
    try:
        for each in steps(record):
            reached = each
    except records.RecordError as error:
        answer = error.as_json(language)
    else:
        is_whole = reached is not None and reached.is_over
        answer = as_json(
            reached.engine.check(reached.report) if reached and is_whole else Verdict(), language=language
        )
    if reached is None:
        return answer | {"is_over": False}
    answer |= {
        "is_over": reached.is_over and answer["ok"],
        "position": reached.position(language),
        "legal_moves": reached.legal_moves(language),
    }
    return answer | {"report": reached.report} if answer["is_over"] else answer


def story(record: object, language: str = "en") -> list[dict[str, Any]]:
    """Tell a record move by move: its number from 1, whose it was (None for chance), the move and what it did."""
    header = records.header_of(record)
    return [
        {
            "number": number,
            "seat": None if before.actor is None else before.seats[before.actor],
            "move": text,
            "words": told(before, text, is_open=True).into(language),
        }
        for number, (before, text) in enumerate(zip(steps(record), header.moves, strict=False), 1)
    ]


def position_at(record: object, number: int, language: str = "en") -> dict[str, Any]:
    """Return the position after so many moves of a record; the last one where it has fewer."""
    *_, last = islice(steps(record), max(0, number) + 1)
    return last.position(language)


def told(game: Game, text: str, seat: int | None = None, *, is_open: bool = False) -> Words:
    """Say what a legal move does in a game, to a seat or for None to everybody; `is_open` tells secrets too."""
    rules = game.engine.play
    made = rules.read(game.state, text)
    owner = rules.owner(game.state, made)
    return rules.tell(game.state, made, is_open or owner is None or owner == seat)
