"""Sheets of a club's own game: their shapes by kind, what breaks a limit of the definition, and who is where.

Judged by the frame that all games share (`engines.checking`); what a definition may say is in `definition`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, cast

from pydantic import Field, create_model

from engines.base import Finding, Path, Shape, Standing, Variant, Words, standings
from engines.checking import Checker, Pattern
from engines.custom.definition import (
    BEST_ROUND,
    MOST_ROUNDS,
    CategoriesSheet,
    Definition,
    Entry,
    PlacesSheet,
    PointsSheet,
    RoundsSheet,
    words_of,
)

CODES = "custom"  # what the codes of findings about a sheet begin with
PREFIX = f"{CODES}:"  # what `game` begins with
STANDARD, SOLO = "standard", "solo"

Found: TypeAlias = tuple[list[Finding], list[Finding]]


class Places(Shape):
    """Who came where: a list of places, each a list of those who share it."""

    seats: list[str]
    places: Annotated[list[Annotated[list[str], Field(min_length=1)]], Field(min_length=1)]


class Points(Shape):
    """A number per player."""

    seats: list[str]
    points: dict[str, int]


class Rounds(Shape):
    """A number per player in each round."""

    seats: list[str]
    rounds: Annotated[list[dict[str, int]], Field(min_length=1, max_length=MOST_ROUNDS)]


class Categories(Shape):
    """A number per player and line."""

    seats: list[str]
    lines: dict[str, dict[str, int]]


class Kind(NamedTuple):
    """What is particular to a kind of sheet."""

    shape: type[Any]
    containers: Mapping[str, type]
    keyed: tuple[Pattern, ...]
    rules: Callable[[Definition, Any], Iterator[Finding]]
    keys: Callable[[Definition, Any], Iterator[tuple[int, ...]]]
    """The score of each seat in order, followed by what decides its place, higher first."""
    filled: tuple[str, ...] = ()


def variants_of(definition: Definition, shape: type[Shape]) -> tuple[Variant, ...]:
    """Return how a game is played: at tables, and where one may play it, alone."""
    people = definition.tables
    together = Variant(STANDARD, Words("Standard", "Standard"), people[0], people[-1], shape)
    if definition.seats.min > 1 or definition.seats.max == 1:
        return (together,)
    return together, Variant(SOLO, Words("Alone", "Seul"), 1, 1, shape)


def checker(definition: Definition) -> Checker[Any]:
    """Return what judges the sheets of a game."""
    kind = KINDS[definition.sheet.kind]
    slug = PREFIX + definition.slug
    names = (STANDARD, SOLO)[: len(variants_of(definition, kind.shape))]
    frame: dict[str, Any] = {"game": (Literal[slug], ...), "variant": (Literal[names], ...)}
    shape = cast("type[Shape]", create_model(kind.shape.__name__, __base__=kind.shape, **frame))
    return Checker(
        slug=slug,
        variants={each.slug: each for each in variants_of(definition, shape)},
        containers=kind.containers,
        keyed=kind.keyed,
        rules=lambda report: (list(kind.rules(definition, report)), []),
        rank=partial(_rank, kind, definition),
        filled=kind.filled,
        cross=partial(_lines_there, definition) if definition.lines else None,
        codes=CODES,
    )


def minimal(definition: Definition, report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid report in one form: who shares a place in order of seats, lines as the definition has them."""
    layer = {name: report[name] for name in ("game", "variant", "seats")}
    match definition.sheet:
        case PlacesSheet():
            return layer | {"places": [sorted(place, key=report["seats"].index) for place in report["places"]]}
        case PointsSheet():
            return layer | {"points": dict(report["points"])}
        case RoundsSheet():
            return layer | {"rounds": [dict(each) for each in report["rounds"]]}
        case CategoriesSheet():
            own = report["lines"]
            keys = [line.key for line in definition.lines]
            return layer | {"lines": {seat: {key: own[seat][key] for key in keys} for seat in report["seats"]}}


def schema(definition: Definition, shape: type[Shape]) -> dict[str, Any]:
    """Return the JSON Schema of a game's sheets, with the limits of its lines."""
    made = shape.model_json_schema()
    fields = made["properties"]
    match definition.sheet:
        case PointsSheet() as entry:
            fields["points"]["additionalProperties"] = _number(entry)
        case RoundsSheet() as entry:
            fields["rounds"]["items"]["additionalProperties"] = _number(entry)
        case CategoriesSheet():
            numbers = {line.key: _number(line) | {"title": words_of(line.name).en} for line in definition.lines}
            fields["lines"]["additionalProperties"] = {
                "type": "object",
                "properties": numbers,
                "required": list(numbers),
                "additionalProperties": False,
            }
    return made


def _number(entry: Entry) -> dict[str, Any]:
    possible = entry.possible
    if not isinstance(possible, range):
        return {"type": "integer", "enum": list(possible)}
    limits = {"type": "integer", "minimum": possible[0], "maximum": possible[-1]}
    return limits | ({"multipleOf": possible.step} if possible[0] % possible.step == 0 and possible.step > 1 else {})


# --- What breaks a limit ----------------------------------------------------------------------------------------


def _lines_there(definition: Definition, report: Mapping[str, Any], _variant: Variant) -> list[Finding]:
    """Find lines that are missing and lines that there are not."""
    found: list[Finding] = []
    known = [line.key for line in definition.lines]
    columns = report.get("lines")
    for seat, own in columns.items() if isinstance(columns, dict) else ():
        if seat in report["seats"] and isinstance(own, dict) and own.keys() != set(known):
            found += [_found("missing-field", ("lines", seat, key), seat=seat) for key in known if key not in own]
            found += [_found("unknown-field", ("lines", seat, key), seat=seat) for key in own if key not in known]
    return found


def _found(code: str, path: Path, **facts: object) -> Finding:
    return Finding(f"{CODES}.{code}", path, facts)


def _in_number(entry: Entry, value: int, path: Path, seat: str) -> Iterator[Finding]:
    """Find what is wrong with one number of a player."""
    possible = entry.possible
    if value in possible:
        return
    if not isinstance(possible, range):
        yield _found("value-not-listed", path, seat=seat, value=value, values=list(possible))
    elif value < possible[0]:
        yield _found("value-too-low", path, seat=seat, value=value, least=possible[0])
    elif value > possible[-1]:
        yield _found("value-too-high", path, seat=seat, value=value, most=possible[-1])
    else:
        below = possible[(value - possible[0]) // possible.step]
        yield _found("value-off-step", path, seat=seat, value=value, below=below, above=below + possible.step)


def _in_table(entry: Entry, values: Mapping[str, int], path: Callable[[str], Path]) -> Iterator[Finding]:
    """Find what is wrong with the numbers of all players together, said where the last of them stands."""
    having = [seat for seat, value in values.items() if value]
    if entry.given_to is not None and len(having) not in entry.given_to:
        at = path((having or list(values))[-1])
        yield _found("given-wrong", at, count=len(having), given=sorted(entry.given_to))
    total = sum(values.values())
    if entry.sum is not None and total != entry.sum:
        yield _found("sum-wrong", path(list(values)[-1]), sum=entry.sum, total=total)


def _in_entry(entry: Entry, values: Mapping[str, int], path: Callable[[str], Path]) -> Iterator[Finding]:
    for seat, value in values.items():
        yield from _in_number(entry, value, path(seat), seat)
    yield from _in_table(entry, values, path)


def _places_rules(definition: Definition, report: Places) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, place in enumerate(report.places):
        for at, seat in enumerate(place):
            if seat not in report.seats:
                yield _found("seat-unknown", ("places", index, at))
            elif seat in seen:
                yield _found("seat-twice", ("places", index, at), seat=seat)
            seen.add(seat)
        # Whoever is there twice, or does not sit here, is told so already, and no table has so many.
        others = [seat for seat in dict.fromkeys(place) if seat in report.seats]
        if len(others) > 1 and not _allows_ties(definition):
            yield _found("tie-not-allowed", ("places", index), others=others)
    for seat in report.seats:
        if seat not in seen:
            yield _found("seat-missing", ("places",), seat=seat)


def _allows_ties(definition: Definition) -> bool:
    return isinstance(definition.sheet, PlacesSheet) and definition.sheet.ties


def _points_rules(definition: Definition, report: Points) -> Iterator[Finding]:
    assert isinstance(definition.sheet, PointsSheet)  # noqa: S101 -- the kind says so
    values = {seat: report.points[seat] for seat in report.seats}
    yield from _in_entry(definition.sheet, values, lambda seat: ("points", seat))


def _rounds_rules(definition: Definition, report: Rounds) -> Iterator[Finding]:
    sheet = definition.sheet
    assert isinstance(sheet, RoundsSheet)  # noqa: S101 -- the kind says so
    totals = dict.fromkeys(report.seats, 0)
    ended: int | None = None
    for index, each in enumerate(report.rounds):
        values = {seat: each[seat] for seat in report.seats}
        yield from _in_entry(sheet, values, partial(_in_round, index))
        if ended is not None:
            yield _found("played-on", ("rounds", index), number=index + 1, end=ended, target=sheet.target)
        totals = {seat: total + values[seat] for seat, total in totals.items()}
        if ended is None and sheet.target is not None and max(totals.values()) >= sheet.target:
            ended = index + 1
    played = len(report.rounds)
    if sheet.rounds is not None and (played > sheet.rounds or (played < sheet.rounds and sheet.target is None)):
        yield _found("rounds-wrong", ("rounds",), rounds=sheet.rounds, count=played)
    if sheet.target is not None and ended is None and (sheet.rounds is None or played < sheet.rounds):
        yield _found("target-not-reached", ("rounds",), target=sheet.target, most=max(totals.values()))


def _in_round(index: int, seat: str) -> Path:
    return ("rounds", index, seat)


def _categories_rules(definition: Definition, report: Categories) -> Iterator[Finding]:
    for line in definition.lines:
        values = {seat: report.lines[seat][line.key] for seat in report.seats}
        yield from _in_entry(line, values, partial(_in_line, line.key))


def _in_line(key: str, seat: str) -> Path:
    return ("lines", seat, key)


# --- Who is where -----------------------------------------------------------------------------------------------


def _rank(kind: Kind, definition: Definition, report: Any) -> tuple[Standing, ...]:
    rows = list(kind.keys(definition, report))
    return standings(report.seats, [row[0] for row in rows], [row[1:] for row in rows])


def _places_keys(_definition: Definition, report: Places) -> Iterator[tuple[int, ...]]:
    """Those whom one is ahead of are the score: what a place is worth at a table of any size."""
    where = {seat: index for index, place in enumerate(report.places) for seat in place}
    for seat in report.seats:
        behind = sum(where[other] > where[seat] for other in report.seats)
        yield behind, -where[seat]


def _sign(definition: Definition) -> int:
    return -1 if definition.is_low else 1


def _points_keys(definition: Definition, report: Points) -> Iterator[tuple[int, ...]]:
    for seat in report.seats:
        yield report.points[seat], _sign(definition) * report.points[seat]


def _rounds_keys(definition: Definition, report: Rounds) -> Iterator[tuple[int, ...]]:
    for seat in report.seats:
        own = [each[seat] for each in report.rounds]
        breaks = (sign * _of_rounds(name, sign, own) for name, sign in definition.breaks)
        yield sum(own), _sign(definition) * sum(own), *breaks


def _of_rounds(name: str, sign: int, own: Sequence[int]) -> int:
    if name == BEST_ROUND:
        return max(own) if sign > 0 else min(own)
    return own[-1]


def score_of(definition: Definition, own: Mapping[str, int]) -> int:
    """Return what the lines of a player are worth together."""
    return sum(line.factor * own[line.key] for line in definition.lines)


def _categories_keys(definition: Definition, report: Categories) -> Iterator[tuple[int, ...]]:
    for seat in report.seats:
        own = report.lines[seat]
        score = score_of(definition, own)
        yield score, _sign(definition) * score, *(sign * own[name] for name, sign in definition.breaks)


KINDS: Mapping[str, Kind] = {
    "places": Kind(Places, {"places": list}, (), _places_rules, _places_keys, ("places",)),
    "points": Kind(Points, {"points": dict}, (("points",),), _points_rules, _points_keys),
    "rounds": Kind(Rounds, {"rounds": list}, (("rounds", None),), _rounds_rules, _rounds_keys, ("rounds",)),
    "categories": Kind(Categories, {"lines": dict}, (("lines",),), _categories_rules, _categories_keys),
}
