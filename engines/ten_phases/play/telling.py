"""What a move of 10 Phases does, in English and French, and the block and dice as JSON to be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.base import Words
from engines.ten_phases.pieces import PHASES, THROWS, write_dice
from engines.ten_phases.play.moves import Choices, Keep, Move, Pass, Places, Roll, Score
from engines.ten_phases.play.rules import bonuses, legal, misses_of, total_of
from engines.ten_phases.play.state import TenPhasesState
from engines.ten_phases.scoring import MISS_COST


def tell(state: TenPhasesState, move: Move, _is_open: bool) -> Words:
    """Say what a move does."""
    match move:
        case Roll(dice):
            return Words("{seat} throws {dice}.", "{seat} lance {dice}.").filled(
                seat=state.block.seats[state.block.seat], dice=_written(dice)
            )
        case Keep(dice):
            return _keep(dice)
        case Score(points):
            phase = state.block.phase
            return Words(
                "Write {points} points for phase {number}, {name}.",
                "Inscrire {points} points pour la phase {number}, {name}.",
            ).filled(points=points, number=PHASES.index(phase) + 1, name=phase.name)
        case Pass():
            if state.block.is_solo:
                return Words(
                    "Write nothing and try again, which costs {cost} points.",
                    "Ne rien inscrire et recommencer, ce qui coûte {cost} points.",
                ).filled(cost=MISS_COST)
            return Words("Write nothing; the turn ends.", "Ne rien inscrire ; le tour est fini.")


def _written(dice: Places) -> str:
    return write_dice(face for face in dice if face)


def _keep(dice: Places) -> Words:
    count = dice.count(None)
    if count == len(dice):
        return Words("Throw all dice again.", "Relancer tous les dés.")
    if count == 1:
        return Words("Keep {dice} and throw the other die again.", "Garder {dice} et relancer l’autre dé.").filled(
            dice=_written(dice)
        )
    return Words(
        "Keep {dice} and throw the other {count} dice again.", "Garder {dice} et relancer les {count} autres dés."
    ).filled(dice=_written(dice), count=count)


def offers(state: TenPhasesState) -> Iterator[Move]:
    """Return the legal moves, the most points first, then to pass, then what can be kept."""
    possible = legal(state)
    if isinstance(possible, Choices):
        yield from map(Score, reversed(possible.points))
        yield from (move for move in possible if not isinstance(move, Score))
    else:
        yield from possible


def picture(state: TenPhasesState, language: str) -> dict[str, Any]:
    """Return the block and the dice as JSON; a die in the cup is null."""
    block = state.block
    return {
        "phase": "over" if block.is_over else "choose" if state.is_thrown else "throw",
        "round": block.round,
        "throws": state.throws,
        "throws_left": THROWS - state.throws,
        "is_closing": block.is_closing,
        "dice": [None if face is None else {"number": face.number, "colour": face.colour} for face in state.dice],
        "wanted": None
        if block.is_over
        else {"number": PHASES.index(block.phase) + 1, "name": block.phase.name.into(language)},
        "players": [
            {
                "seat": label,
                "phases": [entry.points for entry in column.entries],
                "dice": [entry.dice for entry in column.entries],
                "attempts_missed": column.misses,
                **({"misses": misses_of(block, seat)} if block.is_solo else {}),
                **dict(zip(("bonus5", "bonus10"), bonuses(block, seat), strict=True)),
                "points": total_of(block, seat),
            }
            for seat, (label, column) in enumerate(zip(block.seats, block.columns, strict=True))
        ],
    }


ATTEMPT = Words(
    "{seat}: phase {number}, {name}. Throw {throws} of {most}.",
    "{seat} : phase {number}, {name}. Lancer {throws} sur {most}.",
)


def draw(state: TenPhasesState, language: str) -> list[str]:
    """Return the block and the dice as lines of text."""
    block = state.block
    wide = max(map(len, block.seats))
    lines = []
    for seat, (label, column) in enumerate(zip(block.seats, block.columns, strict=True)):
        written = [str(points) for points in column.points] + ["·"] * (len(PHASES) - len(column.entries))
        first, second = bonuses(block, seat)
        phases = " ".join(f"{each:>2}" for each in written)
        lines.append(f"{label:<{wide}}  {phases}  + {first} + {second} = {total_of(block, seat)}")
    if not block.is_over:
        number, name = PHASES.index(block.phase) + 1, block.phase.name
        said = ATTEMPT.filled(seat=block.seats[block.seat], number=number, name=name, throws=state.throws, most=THROWS)
        lines += ["", said.into(language), "  ".join(face.text if face else "-" for face in state.dice)]
    return lines
