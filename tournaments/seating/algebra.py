"""Schedules without any repeat, written down from finite fields and difference matrices.

A *design* here is a list of rounds for tables × size players, all tables full; a round gives the table of each player.
The players stand in `size` columns of `tables` each. In a round, player t of column a sits at table t + shift[a]; two
players of different columns meet at most once over the rounds if, for every two columns, the differences of their
shifts are all different. Players of one column never meet that way, so when a column divides into tables the columns
play a design of their own in further rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

Round = tuple[int, ...]
Design = tuple[Round, ...]
Shifts = tuple[tuple[int, ...], ...]
Add = Callable[[int, int], int]

SEARCH_LIMIT = 30_000  # entries tried before a longer difference matrix is given up


@cache
def columns_design(tables: int, size: int, rounds: int) -> Design:
    """Return up to `rounds` rounds without a repeat for tables × size players; possibly none."""
    if tables == 1:
        return ((0,) * size,)[:rounds]
    inner_tables = tables // size
    inner = columns_design(inner_tables, size, rounds) if tables % size == 0 else ()
    within = tuple(
        tuple(table + column * inner_tables for column in range(size) for table in inner_round)
        for inner_round in inner
    )
    add, shifts = _shifts(tables, size, rounds - len(within))
    crossing = tuple(
        tuple(add(player, shift[column]) for column in range(size) for player in range(tables)) for shift in shifts
    )
    return crossing + within


def _shifts(order: int, size: int, rounds: int) -> tuple[Add, Shifts]:
    def add_modulo(left: int, right: int) -> int:
        return (left + right) % order

    if (size - 1) * (rounds - 1) < order:  # no product of two differences reaches the modulus
        return add_modulo, tuple(tuple(column * turn for column in range(size)) for turn in range(rounds))
    field = _field(order)
    if field and order >= size:
        add, multiply = field
        turns = range(min(order, rounds))
        return add, tuple(tuple(multiply(column, turn) for column in range(size)) for turn in turns)
    return add_modulo, _difference_matrix(order, size, min(order, rounds))


def _difference_matrix(order: int, size: int, rounds: int) -> Shifts:
    """Search for shifts modulo `order`, depth first; the longest list met before the limit is returned."""
    best: list[tuple[int, ...]] = []
    used: set[tuple[int, int, int]] = set()
    tried = 0

    def vectors(start: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        nonlocal tried
        column = len(start)
        if column == size:
            yield start
            return
        for value in range(order):
            tried += 1
            if tried > SEARCH_LIMIT:
                return
            if all((other, column, (value - start[other]) % order) not in used for other in range(column)):
                yield from vectors((*start, value))

    def extend(chosen: list[tuple[int, ...]]) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for shift in vectors((0, len(chosen))):
            if len(best) == rounds:
                return
            added = {(a, b, (shift[b] - shift[a]) % order) for b in range(size) for a in range(b)}
            used.update(added)
            extend([*chosen, shift])
            used.difference_update(added)

    extend([])
    return tuple(best)


@cache
def _field(order: int) -> tuple[Add, Add] | None:
    """Return addition and multiplication of the field with `order` elements, or None if there is none."""
    prime = next((p for p in range(2, order + 1) if order % p == 0), 0)
    degree = 0
    while prime and prime**degree < order:
        degree += 1
    if not prime or prime**degree != order:
        return None
    modulus = _irreducible(prime, degree)

    def digits(element: int) -> list[int]:
        return [element // prime**power % prime for power in range(degree)]

    def number(coefficients: list[int]) -> int:
        return sum(value % prime * prime**power for power, value in enumerate(coefficients))

    def add(left: int, right: int) -> int:
        return number([a + b for a, b in zip(digits(left), digits(right), strict=True)])

    def multiply(left: int, right: int) -> int:
        return number(_reduce(_times(digits(left), digits(right)), modulus, prime))

    return add, multiply


def _irreducible(prime: int, degree: int) -> tuple[int, ...]:
    """Return a monic polynomial of this degree that no smaller one divides, lowest coefficient first."""
    for tail in product(range(prime), repeat=degree):
        candidate = (*tail, 1)
        factors = ((*low, 1) for size in range(1, degree // 2 + 1) for low in product(range(prime), repeat=size))
        if all(any(_reduce(list(candidate), factor, prime)) for factor in factors):
            return candidate
    raise AssertionError("every prime power has a field")


def _times(left: list[int], right: list[int]) -> list[int]:
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def _reduce(polynomial: list[int], modulus: tuple[int, ...], prime: int) -> list[int]:
    """Return the remainder by a monic modulus."""
    degree = len(modulus) - 1
    rest = list(polynomial)
    for top in range(len(rest) - 1, degree - 1, -1):
        factor = rest[top] % prime
        for power, value in enumerate(modulus):
            rest[top - degree + power] -= factor * value
    return [value % prime for value in rest[:degree]]
