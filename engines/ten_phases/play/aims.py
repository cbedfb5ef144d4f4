"""Every aim that a house player may take: those for which the dice to keep are worked out ahead."""

from __future__ import annotations

from engines.ten_phases.kept import Aim
from engines.ten_phases.pieces import PHASES
from engines.ten_phases.play import players, strong


def every_aim() -> list[tuple[int, Aim]]:
    """Return the aims in the phases of numbers, with the phase counted from 0."""
    numbers = [number for number, phase in enumerate(PHASES) if not phase.same_colour]
    return sorted((number, aim) for number in numbers for aim in players.every_aim(number) | strong.every_aim(number))
