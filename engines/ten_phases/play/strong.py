"""The strong player of 10 Phases, and the reasons it gives as advice.

It keeps dice by the same exact expectations as the decent player, and knows better what they are for.

Alone, points of the first five phases count more where they bring the bonus nearer, so it works out what every sum is
worth, and throws for the number it needs.

Among others it asks how likely it is to win. `data/race.json` holds the chances of somebody so many phases and points
ahead of or behind another, worked out backwards from the tenth phase (`./run bench race`), and how attempts end: in
haste to make the phase, or choosy for many points. It takes the aim with which it wins most, writes points only where
that wins more than another attempt, and in a closing turn aims at the points that are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engines.base import Rng, Words
from engines.play import Thought
from engines.ten_phases.expectation import NO_PRIZE, Prize
from engines.ten_phases.kept import Aim, places_to_keep
from engines.ten_phases.pieces import PHASES, THROWS
from engines.ten_phases.play.moves import Choice, Keep, Pass, Score
from engines.ten_phases.play.race import HALF, Outlook, attempts, outlook_of
from engines.ten_phases.play.rules import possible_points, total_of
from engines.ten_phases.play.state import Block, TenPhasesState
from engines.ten_phases.scoring import BONUS, BONUS5_LEAST, MISS_COST

RESULTS = (
    (0.975, (28, 34, 34, 36, 37, 38, 39, 40, 42, 43, 44, 46, 47, 48, 50, 57)),
    (0.972, (36, 40, 42, 43, 43, 44, 44, 45, 46, 47, 49, 50, 51, 52, 53, 55)),
    (0.879, (37, 40, 41, 42, 43, 44, 45, 46, 47, 48, 50, 51, 52, 53, 54, 57)),
    (0.961, (32, 34, 36, 38, 39, 40, 40, 41, 42, 42, 43, 44, 44, 49, 49, 49)),
    (0.892, (33, 36, 39, 40, 40, 41, 42, 43, 44, 44, 45, 46, 47, 48, 52, 52)),
    (0.698, (38, 39, 40, 41, 42, 43, 43, 44, 45, 46, 46, 48, 49, 50, 52, 54)),
    (0.658, (31, 34, 37, 38, 40, 41, 42, 44, 44, 46, 47, 48, 49, 51, 54, 57)),
    (0.523, (29, 32, 34, 35, 36, 37, 38, 40, 41, 42, 43, 44, 45, 46, 48, 51)),
    (0.871, (30, 34, 37, 38, 39, 41, 42, 44, 46, 46, 47, 48, 48, 50, 55, 58)),
    (0.668, (30, 33, 36, 37, 39, 40, 42, 43, 44, 46, 46, 48, 50, 51, 54, 58)),
)
"""Per phase how often an attempt of the decent player succeeds, and sixteen results as likely as one another."""
STEP = 4
"""Floors are rounded to multiples: each has a table of its own."""


def think(state: TenPhasesState, rng: Rng) -> Thought:  # noqa: ARG001 - it leaves nothing to chance
    """Choose a move, and say why."""
    block, dice = state.block, state.dice
    outlook = None if block.is_solo else outlook_of(block)
    aim = _aim_alone(block) if outlook is None else _aim(block, outlook)
    if state.throws < THROWS:
        places = places_to_keep(block.phase, aim, dice, block.box, THROWS - state.throws)
        if len(places) < len(dice):
            kept = Keep(tuple([face if place in places else None for place, face in enumerate(dice)]))
            text = KEPT_FOR if aim.prize != NO_PRIZE else KEPT_IN_HASTE if aim.floor < 0 else KEPT
            return Thought(kept, text.filled(name=block.phase.name, least=aim.prize.least))
    points = max(possible_points(state), default=None)
    if points is None:
        return Thought(Pass(), NOT_MADE)
    return _write_or_pass(points, aim) if outlook is None else _write_to_win(points, outlook)


def _write_or_pass(points: int, aim: Aim) -> Thought:
    """Write points that are worth more alone than another attempt."""
    is_enough = points + (aim.prize.worth if points >= aim.prize.least else 0) > aim.floor
    move, text = (Score(points), WRITTEN) if is_enough else (Pass(), AGAIN)
    return Thought(move, text.filled(points=points))


def _write_to_win(points: int, outlook: Outlook) -> Thought:
    """Write points unless another attempt wins more."""
    written, not_written = outlook(points), outlook(None)
    move, text = (Score(points), WRITTEN_TO_WIN) if written >= not_written else (Pass(), AGAIN_TO_WIN)
    return Thought(move, text.filled(points=points, written=round(100 * written), without=round(100 * not_written)))


def strong(state: TenPhasesState, rng: Rng) -> Choice:
    """Choose as `think` does."""
    move: Choice = think(state, rng).move
    return move


def _aim_alone(block: Block) -> Aim:
    column = block.columns[block.seat]
    number = len(column.entries)
    if number < HALF:
        return _aim_before_bonus(number, BONUS5_LEAST - sum(column.points), MISS_COST)
    if number == len(PHASES) - 1 and not column.misses:
        return Aim(0)  # the first attempt brings a bonus
    return _aim_after_bonus(number)


def _aim(block: Block, outlook: Outlook) -> Aim:
    """Take the aim with which one wins most."""
    number = len(block.columns[block.seat].entries)
    if block.is_closing and number == len(PHASES) - 1:
        return _aim_at_rival(block)
    return Aim(max(attempts(number), key=lambda each: each.worth(outlook)).floor)


def _aim_at_rival(block: Block) -> Aim:
    """Aim at the points that are missing to win: the others' totals stand, or can only grow."""
    rival = max(total_of(block, seat) for seat, column in enumerate(block.columns) if column.is_finished)
    shares = block.first is not None and block.seat > block.first
    is_fresh = block.columns[block.seat].entries[-1].round < block.round
    own = total_of(block, block.seat) + BONUS * (shares and is_fresh)
    need = STEP * -(-(rival + 1 - own) // STEP)
    return _LAST_AIMS.get(need) or Aim(attempts(len(PHASES) - 1)[0].floor)


_LAST_AIMS = {
    need: Aim(0, Prize(need, 5 * BONUS))
    for need in range(STEP * (RESULTS[-1][1][0] // STEP + 1), RESULTS[-1][1][-1] + 1, STEP)
}
"""Aims of the last phase by the points that are missing, where they are neither sure nor out of reach."""


def _floor(number: int, worth: Sequence[float], cost: int) -> float:
    """Return the worth from which writing beats another attempt: what attempts exceed it by is what one costs."""
    chance = RESULTS[number][0] / len(worth)
    best = sorted(worth, reverse=True)
    floors = [(sum(best[:count]) - cost / chance) / count for count in range(1, len(best) + 1)]
    return next(floor for floor, then in zip(floors, [*best[1:], float("-inf")], strict=True) if floor >= then)


@cache
def _value(number: int, need: int, cost: int) -> float:
    """Return what the phases up to the fifth are worth, with the bonus, where so many points are missing."""
    if number == HALF:
        return BONUS if need <= 0 else 0
    return _floor(number, _worths(number, need, cost), cost)


def _worths(number: int, need: int, cost: int) -> list[float]:
    """Return what each result of a phase is worth with what comes after it."""
    return [points + _value(number + 1, max(0, need - points), cost) for points in RESULTS[number][1]]


@cache
def _aim_before_bonus(number: int, need: int, cost: int) -> Aim:
    results, worth = RESULTS[number][1], _worths(number, need, cost)
    floor = _floor(number, worth, cost)
    if number == HALF - 1:
        if need > results[-1]:
            return Aim(_rounded(floor))
        without = _rounded(floor) - BONUS
        # Where all that is worth writing earns the bonus it makes no difference.
        return Aim(without) if need <= without + 1 else Aim(without + BONUS, Prize(need, BONUS))
    if floor < worth[0]:  # anything is written; how much more points matter than making the phase is a slope
        slope = (worth[-1] - worth[0]) / (results[-1] - results[0])
        return Aim(_rounded(results[0] - (worth[0] - floor) / slope))
    return Aim(_rounded(next(points for points, each in zip(results, worth, strict=True) if each >= floor)))


@cache
def _aim_after_bonus(number: int) -> Aim:
    return Aim(_rounded(_floor(number, [float(points) for points in RESULTS[number][1]], MISS_COST)))


def every_aim(number: int) -> set[Aim]:
    """Return every aim that may be taken in a phase, counted from 0."""
    among_others = {Aim(each.floor) for each in attempts(number)}
    if number < HALF:
        return among_others | {
            _aim_before_bonus(number, need, MISS_COST) for need in range(-BONUS5_LEAST, BONUS5_LEAST + 1)
        }
    last = {Aim(0), *_LAST_AIMS.values()} if number == len(PHASES) - 1 else set()
    return among_others | {_aim_after_bonus(number)} | last


def _rounded(floor: float) -> int:
    return STEP * round(floor / STEP)


KEPT = Words("These dice promise most for {name}.", "Ces dés promettent le plus pour {name}.")
KEPT_FOR = Words(
    "These dice promise most for {name} with the {least} points that are needed.",
    "Ces dés promettent le plus pour {name} avec les {least} points qu’il faut.",
)
KEPT_IN_HASTE = Words(
    "To make {name} now matters more than its points: these dice make it most often.",
    "Réussir maintenant {name} compte plus que ses points : ces dés y arrivent le plus souvent.",
)
NOT_MADE = Words("The dice do not make the phase.", "Les dés ne font pas la phase.")
WRITTEN = Words(
    "{points} points are more than another attempt is worth.",
    "{points} points, c’est plus que ne vaut un autre essai.",
)
AGAIN = Words(
    "{points} points are less than another attempt is worth.",
    "{points} points, c’est moins que ne vaut un autre essai.",
)
WRITTEN_TO_WIN = Words(
    "With {points} points written the chance to win is about {written} %, without them {without} %.",
    "Avec {points} points inscrits, la chance de gagner est d’environ {written} %, sans eux de {without} %.",
)
AGAIN_TO_WIN = Words(
    "With {points} points written the chance to win is about {written} %, with another attempt {without} %.",
    "Avec {points} points inscrits, la chance de gagner est d’environ {written} %, sinon de {without} %.",
)
