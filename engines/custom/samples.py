"""Made-up sheets of a club's own game: valid ones, for trying a definition out, for the demo and for tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engines.base import Rng
from engines.custom.definition import (
    MOST_ROUNDS,
    CategoriesSheet,
    Definition,
    Entry,
    PlacesSheet,
    PointsSheet,
    RoundsSheet,
    can_reach,
    choice,
    most_for_one,
    spread,
)
from engines.custom.report import PREFIX, SOLO, STANDARD

USUAL_MOST = 60  # where a definition names no limit, or one that nobody ever comes near
USUAL_ROUNDS = 8


def sheet(definition: Definition, seats: Sequence[str], rng: Rng) -> dict[str, Any]:
    """Return a valid sheet of some players, as a table might fill it in."""
    is_alone = len(seats) == 1 and definition.seats.max > 1
    made: dict[str, Any] = {
        "game": PREFIX + definition.slug,
        "variant": SOLO if is_alone else STANDARD,
        "seats": list(seats),
    }
    match definition.sheet:
        case PlacesSheet(ties=ties):
            return made | {"places": _places(seats, rng, ties=ties)}
        case PointsSheet() as entry:
            return made | {"points": _numbers(entry, seats, rng)}
        case RoundsSheet() as entry:
            return made | {"rounds": _rounds(entry, seats, rng)}
        case CategoriesSheet(lines=lines):
            columns = {line.key: _numbers(line, seats, rng) for line in lines}
            return made | {"lines": {seat: {key: own[seat] for key, own in columns.items()} for seat in seats}}


def _places(seats: Sequence[str], rng: Rng, *, ties: bool) -> list[list[str]]:
    order = rng.sample(list(seats), len(seats))
    places = [order[:1]]
    for seat in order[1:]:
        if ties and rng.random() < 0.1:
            places[-1].append(seat)
        else:
            places.append([seat])
    return places


def _rounds(entry: RoundsSheet, seats: Sequence[str], rng: Rng) -> list[dict[str, int]]:
    target = entry.target or 0
    most = entry.rounds or (MOST_ROUNDS if target else rng.randint(1, USUAL_ROUNDS))
    best = most_for_one(entry, len(seats))
    rounds: list[dict[str, int]] = []
    totals = dict.fromkeys(seats, 0)
    while len(rounds) < most and not (target and max(totals.values()) >= target):
        numbers = _numbers(entry, seats, rng)
        after = {seat: total + numbers[seat] for seat, total in totals.items()}
        # What is left must still be enough for somebody, and nobody plays a hundred rounds.
        left = 0 if len(rounds) > USUAL_ROUNDS else MOST_ROUNDS - len(rounds) - 1
        if target and not entry.rounds and target - max(after.values()) > left * best[0]:
            first = max(totals, key=totals.__getitem__)
            numbers = dict(zip([first, *(seat for seat in seats if seat != first)], best, strict=True))
            after = {seat: total + numbers[seat] for seat, total in totals.items()}
        rounds.append({seat: numbers[seat] for seat in seats})
        totals = after
    return rounds


def _numbers(entry: Entry, seats: Sequence[str], rng: Rng) -> dict[str, int]:
    """Return a number for each player, as the limits have it."""
    people = len(seats)
    counts: list[int | None] = [None] if entry.given_to is None else rng.sample(entry.given_to, len(entry.given_to))
    for given in counts:
        some = choice(entry, people, given)
        if some is not None and (entry.sum is None or can_reach(*some, entry.sum)):
            chosen = spread(*some, entry.sum, partial(_picked, rng))
            numbers = chosen + [0] * (people - len(chosen))
            return dict(zip(seats, rng.sample(numbers, people), strict=True))
    raise AssertionError("no valid numbers")  # pragma: no cover -- a definition without any is refused


def _picked(rng: Rng, parts: Sequence[Sequence[int]]) -> int:
    """Return one of the numbers that fit, most often a small one."""
    usual = [part[:USUAL_MOST] for part in parts]
    return rng.choice(rng.choice(usual if rng.random() < 0.8 else parts))
