"""The best arrangement of a hand, exactly, and whether claimed runs can be filled.

**Filling.** A place in a run for which no number card is held is a gap and takes a joker: of its colour, of its
number, or special. Think of a gap as an edge between its colour and its number, given to one of its two ends; an end
accepts as many as there are jokers of its kind. By Hall's theorem the gaps left for special jokers are the most that
any set X of colours has beyond what the jokers of these colours and of the numbers they lack can take:

    max over X of  sum(gaps of c - jokers of c, for c in X) - sum(min(gaps at n in X, jokers of n), for n in 1..9)

so at most 15 sums decide, and no assignment is tried. Adding a colour to a larger set costs at least as much as
adding it to a smaller one; a set to which adding it cost nothing or more is therefore never needed again without it.

**Searching** goes over one run per colour, best first, and cuts what two bounds exclude: one counts the jokers
that colours share, the other puts prices on all jokers so that the colours stop wanting the same ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import NamedTuple, TypeAlias

from engines.dix.pieces import (
    COLOUR_JOKERS,
    COLOURS,
    JOKERS,
    LETTERS,
    NUMBERED_JOKERS,
    NUMBERS,
    RUNS,
    SPECIAL,
    Card,
    Run,
)

Runs: TypeAlias = Sequence[Run | None]
"""A run or none for each colour, in the order of `COLOURS`."""

WIDTH = len(NUMBERS)
LEVELS = sum(1 << WIDTH * level for level in range(len(COLOURS)))
"""Counts per number are kept in unary: bit 9 * k + n - 1 says that number n is there more than k times."""

LEVELS_OF = tuple(LEVELS & (1 << WIDTH * count) - 1 for count in range(len(COLOURS) + 1))
_PLACE: dict[Card, tuple[int | None, int]] = {
    **{f"{letter}{n}": (colour, 1 << n - 1) for colour, letter in enumerate(LETTERS) for n in NUMBERS},
    **{joker: (None, 1 << int(joker[0]) - 1) for joker in NUMBERED_JOKERS},
    **dict.fromkeys((*COLOUR_JOKERS, SPECIAL), (None, 0)),
}


class Stock(NamedTuple):
    """What a hand has to fill runs with; of each kind no more than can ever be used."""

    have: tuple[int, ...]
    """Per colour the numbers held, as bits."""
    coloured: tuple[int, ...]
    """Per colour its jokers."""
    numbered: int
    """The numbered jokers, in unary."""
    special: int

    @property
    def shared(self) -> int:
        """How many jokers more than one colour may want."""
        return self.numbered.bit_count() + self.special


def stock(cards: Iterable[Card]) -> Stock:
    """Count what a hand has to fill runs with."""
    copies = cards if isinstance(cards, Counter) else Counter(cards)
    have = [0, 0, 0, 0]
    numbered = 0
    for card in copies:
        colour, bit = _PLACE[card]
        if colour is not None:
            have[colour] |= bit
        elif bit:
            numbered |= bit * LEVELS_OF[min(copies[card], len(COLOURS))]
    coloured = tuple([min(copies[joker], WIDTH) for joker in COLOUR_JOKERS])
    return Stock(tuple(have), coloured, numbered, min(copies[SPECIAL], WIDTH * len(COLOURS)))


def gaps(hand: Stock, runs: Runs) -> list[int]:
    """Return, per colour, the numbers of its run for which no number card is held, as bits."""
    return [run.mask & ~have if run else 0 for run, have in zip(runs, hand.have, strict=True)]


_Sets: TypeAlias = tuple[tuple[int, int], ...]
"""Per set of colours: the numbered jokers it takes, in unary, and the gaps that are left to special jokers."""
_NOTHING: _Sets = ((0, 0),)


def _joined(hand: Stock, sets: _Sets, gap: int, need: int) -> _Sets | None:
    """Add a colour with its gaps to every set; None if the jokers do not suffice.

    `need` are the gaps beyond the jokers of the colour itself, at least one.
    """
    joined = []
    for taken, left in sets:
        both = (taken | gap | (taken & gap * LEVELS) << WIDTH) & hand.numbered
        cost = need + taken.bit_count() - both.bit_count()
        if left + cost > hand.special:
            return None
        if cost < 0:
            joined.append((taken, left))
        joined.append((both, left + cost))
    return tuple(joined)


def can_fill(hand: Stock, runs: Runs) -> bool:
    """Say whether the hand can fill all these runs at once."""
    sets = _NOTHING
    for gap, jokers in zip(gaps(hand, runs), hand.coloured, strict=True):
        need = gap.bit_count() - jokers
        if need > 0:
            joined = _joined(hand, sets, gap, need)
            if joined is None:
                return False
            sets = joined
    return True


class Arrangement(NamedTuple):
    """Runs that a hand can fill, and their points."""

    points: int
    runs: tuple[Run | None, ...]


def best(hand: Stock) -> Arrangement:
    """Return an arrangement with the most points."""
    return better(hand, -1) or Arrangement(0, (None,) * len(COLOURS))


def better(hand: Stock, beyond: int) -> Arrangement | None:
    """Return an arrangement with the most points if that is more than `beyond`; cheaper than `best` if it is not."""
    columns = [_choices(hand, colour) for colour in range(len(COLOURS))]
    most = sum([column[0][0] for column in columns])
    if most <= beyond:
        return None
    if not hand.shared:
        return Arrangement(most, tuple([column[0][3] for column in columns]))
    return _Search(hand, columns, beyond).run()


_Choice: TypeAlias = tuple[int, int, int, Run | None, int]
"""A run for a colour: points, gaps that need a joker other colours may want too, all gaps, the run, and the loss.

The loss is how much less the choice gains than the best of its colour, once its jokers are paid.
"""
_Option: TypeAlias = tuple[int, int, int, Run]
"""Points, number of gaps, the gaps as bits, and the run."""


@lru_cache(maxsize=512)
def _undominated(have: int) -> tuple[_Option, ...]:
    """Return, best first, the runs that no other equals with fewer gaps; `have` are the numbers held, as bits."""
    kept: list[_Option] = []
    for run in sorted(RUNS, key=lambda run: (-run.points, (run.mask & ~have).bit_count())):
        gap = run.mask & ~have
        if all(other & ~gap for _, _, other, _ in kept):
            kept.append((run.points, gap.bit_count(), gap, run))
    return tuple(kept)


@lru_cache(maxsize=512 * (WIDTH + 1))
def _worthwhile(have: int, most: int) -> tuple[_Option, ...]:
    """Return those with no more than `most` gaps."""
    return tuple([option for option in _undominated(have) if option[1] <= most])


def _choices(hand: Stock, colour: int) -> list[_Choice]:
    """Return what the colour can have by itself, best first, down to the best that leaves the others everything."""
    jokers, numbered, special = hand.coloured[colour], hand.numbered, hand.special
    found: list[_Choice] = []
    most = min(jokers + hand.shared, WIDTH)
    for points, size, gap, run in _worthwhile(hand.have[colour], most):
        need = size - jokers
        if need <= 0:
            found.append((points, 0, 0, run, 0))
            return found
        if need - (gap & numbered).bit_count() <= special:
            found.append((points, need, gap, run, 0))
    found.append((0, 0, 0, None, 0))
    return found


UNIT = 16
"""Prices are whole multiples of a sixteenth of a point."""
MANY = 5
FAR = 2
"""From so many shared jokers and points to the ceiling on, prices save more search than they cost."""
ROUNDS = 8
_START = [UNIT] * (WIDTH + len(COLOURS)) + [2 * UNIT]
_DEAR = 40 * UNIT  # what a joker costs of which there is none


class _Search:
    """The search of one hand; colours with fewer choices come first."""

    def __init__(self, hand: Stock, columns: Sequence[list[_Choice]], beyond: int) -> None:
        self.hand, self.most = hand, beyond
        self.order = sorted(range(len(columns)), key=lambda colour: len(columns[colour]))
        self.columns = [columns[colour] for colour in self.order]
        self.ceilings = _ceilings(self.columns[1:], hand.shared)
        self.chosen: list[Run | None] = [None] * len(columns)
        self.found: Arrangement | None = None
        self.seen: dict[tuple[int, _Sets], int] = {}

    def run(self) -> Arrangement | None:
        shared, after = self.hand.shared, self.ceilings[0]
        ceiling = max([points + after[shared - need] for points, need, _, _, _ in self.columns[0] if need <= shared])
        if self.most < ceiling:
            self._take_greedily()
        if self.most < ceiling:
            slack = _DEAR
            if shared >= MANY and ceiling - self.most >= FAR:
                slack, self.columns = _priced(self.hand, self.columns, self.order, self.most)
            self._descend(0, 0, slack, shared, _NOTHING)
        return self.found

    def _take_greedily(self) -> None:
        """Begin with an arrangement in which each colour in turn takes the best that is left."""
        sets, points = _NOTHING, 0
        for depth, column in enumerate(self.columns):
            for gain, need, gap, run, _ in column:
                joined = _joined(self.hand, sets, gap, need) if need else sets
                if joined is not None:
                    sets, points = joined, points + gain
                    self.chosen[self.order[depth]] = run
                    break
        self._keep(points)

    def _keep(self, points: int) -> None:
        if points > self.most:
            self.most, self.found = points, Arrangement(points, tuple(self.chosen))

    def _descend(self, depth: int, points: int, slack: int, shared: int, sets: _Sets) -> None:
        """Try every choice of the colour at this depth; `slack` and `shared` are what is left of the two bounds."""
        if depth == len(self.columns):
            self._keep(points)
            return
        if self.seen.get((depth, sets), -1) >= points:
            return
        self.seen[depth, sets] = points
        ceiling = self.ceilings[depth]
        for gain, need, gap, run, loss in self.columns[depth]:
            if slack - loss < (self.most + 1) * UNIT:
                return  # the losses only grow from here
            if need > shared or points + gain + ceiling[shared - need] <= self.most:
                continue
            joined = _joined(self.hand, sets, gap, need) if need else sets
            if joined is not None:
                self.chosen[self.order[depth]] = run
                self._descend(depth + 1, points + gain, slack - loss, shared - need, joined)


def _ceilings(columns: Sequence[list[_Choice]], shared: int) -> list[list[int]]:
    """Return, from each colour on and by the number of shared jokers left, the most that could still be scored.

    Only the number of jokers is counted, not which: a bound from above.
    """
    after = [0] * (shared + 1)
    rows = [after]
    for column in reversed(columns):
        steps: dict[int, int] = {}
        for points, need, _, _, _ in column:
            if points > steps.get(need, -1):
                steps[need] = points
        after = [
            max([gain + after[left - need] for need, gain in steps.items() if need <= left])
            for left in range(shared + 1)
        ]
        rows.append(after)
    rows.reverse()
    return rows


def _priced(
    hand: Stock, columns: Sequence[list[_Choice]], order: Sequence[int], reached: int
) -> tuple[int, list[list[_Choice]]]:
    """Price the jokers; return a bound in units, and with their losses, least first, the choices that may improve.

    Whatever the prices, nothing scores more than all jokers are worth plus what each colour gains most after paying
    (Lagrange), and a choice lowers that by its loss. Prices rise where more jokers are wanted than there are, in steps
    by Polyak's rule towards the points already `reached`.
    """
    supply = [(hand.numbered >> n & LEVELS).bit_count() for n in range(WIDTH)] + [*hand.coloured, hand.special]
    prices = [start if count else _DEAR for start, count in zip(_START, supply, strict=True)] + [0]
    spans = [[(*_span(run), points * UNIT) for points, _, _, run, _ in column] for column in columns]
    goal = (reached + 1) * UNIT
    bound, gains = _DEAR * _DEAR, []
    for _ in range(ROUNDS):
        excess = [*[-count for count in supply], 0]
        current = []
        for colour, column in zip(order, spans, strict=True):
            kinds = _cheapest(hand.have[colour], colour, prices)
            paid = [0, *accumulate([prices[kind] for kind in kinds])]
            gained = [value - paid[last] + paid[before] for before, last, value in column]
            current.append(gained)
            before, last, _ = column[gained.index(max(gained))]
            for kind in kinds[before:last]:
                excess[kind] += 1
        worth = sum(map(mul, prices, supply)) + sum(map(max, current))
        if worth < bound:
            bound, gains = worth, current
        if bound < goal:
            break
        excess[-1] = 0  # number cards held cost nothing, however many are used
        step = max(1, (worth - goal + UNIT) // (1 + sum(map(mul, excess, excess))))
        prices = [max(0, price + step * each) for price, each in zip(prices, excess, strict=True)]
    return bound, [_improving(column, gained, bound - goal) for column, gained in zip(columns, gains, strict=True)]


def _improving(column: Sequence[_Choice], gains: Sequence[int], slack: int) -> list[_Choice]:
    """Return the choices that lose no more than the slack, those that lose least first."""
    top = max(gains)
    kept = [
        (top - gain, -choice[0], choice) for choice, gain in zip(column, gains, strict=True) if top - gain <= slack
    ]
    kept.sort()
    return [(points, need, gap, run, loss) for loss, _, (points, need, gap, run, _) in kept]


def _span(run: Run | None) -> tuple[int, int]:
    return (run.first - 1, run.last) if run else (0, 0)


def _cheapest(have: int, colour: int, prices: Sequence[int]) -> list[int]:
    """Return, per number of a colour, the cheapest kind of joker for it, or -1 (which is free) where it is held."""
    own, special = WIDTH + colour, WIDTH + len(COLOURS)
    if prices[special] < prices[own]:
        own = special
    limit = prices[own]
    return [-1 if have >> n & 1 else n if prices[n] <= limit else own for n in range(WIDTH)]


def fill(cards: Iterable[Card], runs: Runs) -> list[list[Card]]:
    """Return, per colour, the cards that fill its run from first to last; number cards before jokers.

    The runs must be such as `can_fill` allows.
    """
    copies = Counter(cards)
    given: dict[Card, list[tuple[int, int]]] = {joker: [] for joker in JOKERS if joker in copies}
    for colour, gap in enumerate(gaps(stock(copies), runs)):
        for number in NUMBERS:
            if gap >> number - 1 & 1 and not _give((colour, number), copies, given, set()):
                raise ValueError(runs)
    joker_at = {place: joker for joker, places in given.items() for place in places}
    return [
        [joker_at.get((colour, n), f"{LETTERS[colour]}{n}") for n in range(run.first, run.last + 1)] if run else []
        for colour, run in enumerate(runs)
    ]


def _give(
    place: tuple[int, int], copies: Counter[Card], given: dict[Card, list[tuple[int, int]]], tried: set[Card]
) -> bool:
    """Find a joker for a place, moving jokers given before where that helps (an augmenting path)."""
    colour, number = place
    for joker in (COLOUR_JOKERS[colour], NUMBERED_JOKERS[number - 1], SPECIAL):
        if joker in tried or joker not in given:
            continue
        tried.add(joker)
        places = given[joker]
        if len(places) < copies[joker]:
            places.append(place)
            return True
        for index, other in enumerate(places):
            if _give(other, copies, given, tried):
                places[index] = place
                return True
    return False
