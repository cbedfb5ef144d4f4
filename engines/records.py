"""Records of play: one JSON object per game, replayed move by move through the rules.

`docs/records.md` describes the format; each game's `notation` module says how a move is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from engines import GAMES, words
from engines.base import Engine, Path, RuleError, Shape, Words
from engines.checking import finding_of
from engines.play import IllegalMoveError, replay

SEATS = Words(
    "{variant} is for {low} to {high} seats, all with different names.",
    "{variant} se joue à {low} à {high} places, toutes de noms différents.",
)
UNFINISHED = Words("The record ends before the game does.", "Le récit s’arrête avant la fin de la partie.")
UNKNOWN_VARIANT = Words("The variant must be one of: {variants}.", "La variante doit être l’une de : {variants}.")
MOVE = Words("Move {number}, “{text}”: {rule}", "Coup {number}, « {text} » : {rule}")
POSSIBLE = Words(" Possible here: {moves}.", " Coups possibles : {moves}.")
AND_MORE = Words("{moves} and {more} more", "{moves} et {more} autres")
RULES: Mapping[str, Words] = {
    "game-over": Words("the game was over already.", "la partie était déjà finie."),
    "unreadable-move": Words("this is not a move of the game.", "ce n’est pas un coup du jeu."),
    "unknown-option": Words("the game has no option {option}.", "le jeu n’a pas d’option {option}."),
    "bad-option": Words("the option {option} cannot be {value}.", "l’option {option} ne peut pas être {value}."),
}


class Record(Shape):
    """A game as it was played."""

    game: str
    variant: str
    seats: list[str] = Field(min_length=1)
    options: dict[str, Any] = {}
    moves: list[str]


class RecordError(ValueError):
    """A record that cannot be replayed: a stable code, where, and why in both languages."""

    def __init__(self, code: str, path: Path, reason: Words) -> None:
        super().__init__(code, path, reason.en)
        self.code, self.path, self.reason = code, path, reason

    def as_json(self, language: str = "en") -> dict[str, Any]:
        """Return the error as a verdict that is not ok."""
        found = {"code": self.code, "path": list(self.path), "message": self.reason.into(language)}
        return {"ok": False, "errors": [found], "warnings": [], "standings": None}


def write(
    engine: Engine, variant: str, seats: Sequence[str], moves: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the record of a game as a JSON object."""
    head: dict[str, Any] = {"game": engine.slug, "variant": variant, "seats": list(seats)}
    return head | ({"options": dict(options)} if options else {}) | {"moves": list(moves)}


def report_of(record: object) -> dict[str, Any]:
    """Replay a record and return the finished game's report with the deepest evidence; RecordError if it cannot be."""
    header = _header(record)
    engine = GAMES[header.game]
    try:
        state = replay(engine.play, header.variant, header.seats, header.moves, header.options)
    except IllegalMoveError as error:
        code = f"{engine.slug}.{error.rule.code}"
        raise RecordError(code, ("moves", error.number - 1), _illegal(engine, error)) from error
    except RuleError as error:
        raise RecordError(f"{engine.slug}.{error.code}", ("options",), _rule(engine, error)) from error
    if not engine.play.is_over(state):
        raise RecordError("record.unfinished", ("moves",), UNFINISHED)
    return engine.play.report(state)


def _header(record: object) -> Record:
    try:
        header = Record.model_validate(record)
    except ValidationError as error:
        finding = finding_of("record", error.errors()[0])
        reason = Words(*(words.render(None, finding, language=each) for each in words.LANGUAGES))
        raise RecordError(finding.code, finding.path, reason) from None
    engine = GAMES.get(header.game)
    if engine is None:
        reason = _fill(words.COMMON["unknown-game"], games=", ".join(GAMES))
        raise RecordError("record.unknown-game", ("game",), reason)
    variants = {variant.slug: variant for variant in engine.variants}
    if (variant := variants.get(header.variant)) is None:
        raise RecordError("record.unknown-variant", ("variant",), _fill(UNKNOWN_VARIANT, variants=", ".join(variants)))
    seats = header.seats
    if not variant.seats_min <= len(seats) <= variant.seats_max or len(set(seats)) < len(seats):
        low, high = variant.seats_min, variant.seats_max
        raise RecordError("record.seats", ("seats",), _fill(SEATS, variant=variant.slug, low=low, high=high))
    return header


def _fill(template: Words, /, **facts: object) -> Words:
    return Words(*(each.format(**facts) for each in template))


def _rule(engine: Engine, error: RuleError) -> Words:
    return _fill(engine.play.rules.get(error.code) or RULES[error.code], **error.facts)


def _illegal(engine: Engine, error: IllegalMoveError) -> Words:
    rule = _rule(engine, error.rule)
    said = Words(
        *(each.format(number=error.number, text=error.text, rule=why) for each, why in zip(MOVE, rule, strict=True))
    )
    if not error.legal:
        return said
    moves = Words(*[", ".join(error.legal)] * 2)
    if (more := error.count - len(error.legal)) > 0:
        moves = _fill(AND_MORE, moves=moves.en, more=more)
    return Words(*(first + then.format(moves=each) for first, then, each in zip(said, POSSIBLE, moves, strict=True)))
