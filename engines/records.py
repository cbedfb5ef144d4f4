"""Records of play: one JSON object per game, replayed move by move through the rules.

`docs/records.md` describes the format; each game's `notation` module says how a move is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pydantic import Field, ValidationError

from engines import GAMES, words
from engines.base import CompleteEngine, Path, RuleError, Shape, Words
from engines.checking import finding_of
from engines.play import IllegalMoveError, replay

SEATS = Words(
    "{variant} is for {low} to {high} seats, all with different names.",
    "{variant} se joue de {low} à {high} places, toutes de noms différents.",
)
UNFINISHED = Words("The record ends before the game does.", "Le récit s’arrête avant la fin de la partie.")
UNKNOWN_VARIANT = Words("The variant must be one of: {variants}.", "La variante doit être l’une de : {variants}.")
MOVE = Words("Move {number}, “{text}”: {rule}", "Coup {number}, « {text} » : {rule}")
POSSIBLE = Words(" Possible here: {moves}.", " Coups possibles : {moves}.")
AND_MORE = Words("{moves} and {more} more", "{moves} et {more} autres")
RULES: Mapping[str, Words] = {
    "game-over": Words("the game is already over.", "la partie est déjà finie."),
    "unreadable-move": Words("this is not a move of the game.", "ce n’est pas un coup du jeu."),
    "unknown-option": Words("the game has no option {option}.", "le jeu n’a pas d’option {option}."),
    "bad-option": Words("the option {option} cannot be {value}.", "l’option {option} ne peut pas être {value}."),
}
LONGEST = 120
"""Characters of a text from a record that a message repeats; a move of a game has no more."""

NO_FACTS: Mapping[str, object] = MappingProxyType({})


class Record(Shape):
    """A game as it was played."""

    game: str
    variant: str
    seats: list[str] = Field(min_length=1)
    options: dict[str, Any] = {}
    moves: list[str]


class RecordError(ValueError):
    """A record that cannot be replayed: a stable code, where, why in both languages, and the facts of the reason."""

    def __init__(self, code: str, path: Path, reason: Words, facts: Mapping[str, object] = NO_FACTS) -> None:
        super().__init__(code, path, reason.en)
        self.code, self.path, self.reason, self.facts = code, path, reason, facts

    def as_json(self, language: str = "en") -> dict[str, Any]:
        """Return the error as a verdict that is not ok."""
        found = {"code": self.code, "path": list(self.path), "message": self.reason.into(language)}
        return {"ok": False, "errors": [found], "warnings": [], "standings": None}


def write(
    engine: CompleteEngine, variant: str, seats: Sequence[str], moves: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the record of a game as a JSON object."""
    head: dict[str, Any] = {"game": engine.slug, "variant": variant, "seats": list(seats)}
    return head | ({"options": dict(options)} if options else {}) | {"moves": list(moves)}


def report_of(record: object) -> dict[str, Any]:
    """Replay a record and return the finished game's report with the deepest evidence; RecordError if it cannot be."""
    header = header_of(record)
    engine = GAMES[header.game]
    try:
        state = replay(engine.play, header.variant, header.seats, header.moves, header.options)
    except RuleError as error:
        raise refused_start(engine, error) from error
    except IllegalMoveError as error:
        raise refused_move(engine, error) from error
    if not engine.play.is_over(state):
        raise RecordError("record.unfinished", ("moves",), UNFINISHED)
    return engine.play.report(state)


def refused_start(engine: CompleteEngine, error: RuleError) -> RecordError:
    """Return why a game cannot begin with these options."""
    return RecordError(f"{engine.slug}.{error.code}", ("options",), _rule(engine, error), error.facts)


def refused_move(engine: CompleteEngine, error: IllegalMoveError) -> RecordError:
    """Return why a move is refused: its number, the rule, and what would have been possible."""
    code, facts = f"{engine.slug}.{error.rule.code}", {**error.rule.facts, "number": error.number}
    return RecordError(code, ("moves", error.number - 1), _illegal(engine, error), facts)


def header_of(record: object) -> Record:
    """Return a record of the right shape, for a variant and seats that exist; RecordError if it is none."""
    try:
        header = Record.model_validate(record)
    except ValidationError as error:
        finding = finding_of("record", error.errors()[0])
        reason = Words(*(words.render(None, finding, language=each) for each in words.LANGUAGES))
        raise RecordError(finding.code, finding.path, reason) from None
    engine = GAMES.get(header.game)
    if engine is None:
        reason = words.COMMON["unknown-game"].filled(games=", ".join(GAMES))
        raise RecordError("record.unknown-game", ("game",), reason)
    variants = {variant.slug: variant for variant in engine.variants}
    if (variant := variants.get(header.variant)) is None:
        raise RecordError("record.unknown-variant", ("variant",), UNKNOWN_VARIANT.filled(variants=", ".join(variants)))
    seats = header.seats
    if not variant.seats_min <= len(seats) <= variant.seats_max or len(set(seats)) < len(seats):
        low, high = variant.seats_min, variant.seats_max
        raise RecordError("record.seats", ("seats",), SEATS.filled(variant=variant.slug, low=low, high=high))
    return header


def _rule(engine: CompleteEngine, error: RuleError) -> Words:
    template: Words = engine.play.rules.get(error.code) or RULES[error.code]
    return template.filled(**{name: _shortened(fact) for name, fact in error.facts.items()})


def _shortened(fact: object) -> object:
    if isinstance(fact, Words | int):
        return fact
    text = str(fact)
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text


def _illegal(engine: CompleteEngine, error: IllegalMoveError) -> Words:
    said = MOVE.filled(number=error.number, text=_shortened(error.text), rule=_rule(engine, error.rule))
    if not error.legal:
        return said
    moves: str | Words = ", ".join(error.legal)
    if (more := error.count - len(error.legal)) > 0:
        moves = AND_MORE.filled(moves=moves, more=more)
    possible = POSSIBLE.filled(moves=moves)
    return Words(said.en + possible.en, said.fr + possible.fr)
