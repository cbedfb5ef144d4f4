"""A game as a club describes it: who plays, what stands on the sheet, who wins. Data, and whether it makes sense.

A definition is judged like a sheet: everything wrong at once, as codes with paths. Knows no sheet; see `report`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from engines.base import Finding, Path, Shape, Words
from engines.checking import OBJECT, finding_of, oversized, shortened

CODES = "definition"  # what the codes of findings about a definition begin with

MOST_SEATS = 8
MOST_LINES = 30
MOST_ROUNDS = 100
MOST_VALUES = 40
MOST_LANGUAGES = 8
LARGEST = 99_999  # a number on a sheet
LARGEST_FACTOR = 100  # thirty lines of it still fit where scores are kept
MOST_MINUTES = 1000
LONGEST_NAME = 60
LONGEST_LINE = 40
LONGEST_REMARKS = 400
LONGEST_KEY = 30
SHARED, BEST_ROUND, LAST_ROUND = "shared", "best", "last"
RESERVED = frozenset({SHARED, BEST_ROUND, LAST_ROUND})

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2})?")


def _text(longest: int) -> Any:
    """Return the type of a text of the club: one text for everybody, or one per language."""
    expected = Words(
        f"a text of at most {longest} characters, or one for each language such as en, fr",
        f"un texte d’au plus {longest} caractères, ou un par langue comme en, fr",
    )

    def by_language(value: object) -> dict[str, str]:
        texts = {"": value} if isinstance(value, str) else value
        if not isinstance(texts, dict) or not 1 <= len(texts) <= MOST_LANGUAGES:
            raise PydanticCustomError("bad-value", "no text", {"expected": expected})
        for language, text in texts.items():
            is_known = texts is not value or bool(_LANGUAGE.fullmatch(language))
            if not is_known or not isinstance(text, str) or not text.strip() or len(text) > longest:
                raise PydanticCustomError("bad-value", "no text", {"expected": expected})
        return texts

    text = {"type": "string", "minLength": 1, "maxLength": longest}
    many = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": MOST_LANGUAGES,
        "propertyNames": {"pattern": f"^{_LANGUAGE.pattern}$"},
        "additionalProperties": text,
    }
    return Annotated[dict[str, str], BeforeValidator(by_language), WithJsonSchema({"anyOf": [text, many]})]


def words_of(texts: Mapping[str, str]) -> Words:
    """Return a text of the club for our two languages: the other one, or the first there is, where one is missing."""
    first = next(iter(texts.values()))
    english = texts.get("en", first)
    return Words(english, texts.get("fr", english))


def _written(pattern: str, example: str) -> AfterValidator:
    expected = Words(
        f"small letters and digits with hyphens between, such as {example}",
        f"des minuscules et des chiffres avec des traits d’union entre eux, comme {example}",
    )

    def check(value: str) -> str:
        if len(value) > LONGEST_KEY or not re.fullmatch(pattern, value):
            raise PydanticCustomError("bad-value", "no key", {"expected": expected})
        return value

    return AfterValidator(check)


_KEY, _SLUG = r"[a-z0-9]+(?:[-_][a-z0-9]+)*", r"[a-z0-9]+(?:-[a-z0-9]+)*"
Key: TypeAlias = Annotated[str, _written(_KEY, "ships"), Field(json_schema_extra={"pattern": f"^{_KEY}$"})]
Slug: TypeAlias = Annotated[str, _written(_SLUG, "harbour"), Field(json_schema_extra={"pattern": f"^{_SLUG}$"})]
Number: TypeAlias = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Players: TypeAlias = Annotated[int, Field(ge=0, le=MOST_SEATS)]


def _listed(value: object) -> object:
    return [value] if type(value) is int else value


_PLAYERS_SCHEMA = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS}
Given: TypeAlias = Annotated[
    list[Players],
    BeforeValidator(_listed),
    Field(min_length=1, max_length=MOST_SEATS + 1),
    WithJsonSchema(
        {"anyOf": [_PLAYERS_SCHEMA, {"type": "array", "items": _PLAYERS_SCHEMA, "minItems": 1, "uniqueItems": True}]}
    ),
]


class Seats(Shape):
    """How many people play."""

    min: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    max: Annotated[int, Field(ge=1, le=MOST_SEATS)]


class Entry(Shape):
    """A number that each player has: from `min` to `max` in steps, or one of `values`.

    `given_to` says how many players have it, that is another number than 0; `sum` what all players have together.
    """

    min: Number | None = None
    max: Number | None = None
    step: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    values: Annotated[list[Number], Field(min_length=1, max_length=MOST_VALUES)] | None = None
    given_to: Given | None = None
    sum: Annotated[int, Field(ge=-MOST_SEATS * LARGEST, le=MOST_SEATS * LARGEST)] | None = None

    @property
    def possible(self) -> Sequence[int]:
        """Every number that one player may have, in order; a step counts from the least."""
        if self.values is not None:
            return sorted(self.values)
        least = 0 if self.min is None else self.min
        return range(least, (LARGEST if self.max is None else self.max) + 1, self.step or 1)


class Line(Entry):
    """A named line of a sheet; `factor` is what one of it is worth, 0 where it only breaks ties."""

    key: Key
    name: _text(LONGEST_LINE)  # type: ignore[valid-type]
    factor: Annotated[int, Field(ge=-LARGEST_FACTOR, le=LARGEST_FACTOR)] = 1


class PlacesSheet(Shape):
    """Names in order; `ties` says whether two may share a place."""

    kind: Literal["places"]
    ties: bool = True


class PointsSheet(Entry):
    """One number a player."""

    kind: Literal["points"]


class RoundsSheet(Entry):
    """A number per player and round: so many `rounds`, or until somebody has `target`, or as many as one likes."""

    kind: Literal["rounds"]
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    target: Annotated[int, Field(ge=1, le=LARGEST)] | None = None


class CategoriesSheet(Shape):
    """Named lines, a number per player in each."""

    kind: Literal["categories"]
    lines: Annotated[list[Line], Field(min_length=1, max_length=MOST_LINES)]


KINDS = ("places", "points", "rounds", "categories")
Sheet: TypeAlias = PlacesSheet | PointsSheet | RoundsSheet | CategoriesSheet


class TieBreak(Shape):
    """A line that decides a tie, and whether the most or the fewest of it is better."""

    line: Annotated[str, Field(max_length=LONGEST_KEY)]
    winner: Literal["most", "fewest"] | None = None


def _tiebreaks(value: object) -> object:
    if value == SHARED:
        return []
    if not isinstance(value, list):
        return value
    return [{"line": each} if isinstance(each, str) else each for each in value]


_TIEBREAK_SCHEMA = {
    "anyOf": [
        {"type": "string", "maxLength": LONGEST_KEY},
        {
            "type": "object",
            "properties": {"line": {"type": "string"}, "winner": {"enum": ["most", "fewest"]}},
            "required": ["line"],
            "additionalProperties": False,
        },
    ]
}


class Definition(Shape):
    """A game of a club."""

    slug: Slug
    name: _text(LONGEST_NAME)  # type: ignore[valid-type]
    seats: Seats
    winner: Literal["most", "fewest", "places"] | None = None
    sheet: Annotated[Sheet, Field(discriminator="kind")]
    tiebreaks: Annotated[
        list[TieBreak],
        BeforeValidator(_tiebreaks),
        Field(max_length=MOST_LINES),
        WithJsonSchema({"anyOf": [{"const": SHARED}, {"type": "array", "items": _TIEBREAK_SCHEMA}]}),
    ] = []
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] | None = None
    remarks: _text(LONGEST_REMARKS) | None = None  # type: ignore[valid-type]
    rated: bool = True

    @property
    def lines(self) -> Sequence[Line]:
        """The named lines, where the sheet has any."""
        return self.sheet.lines if isinstance(self.sheet, CategoriesSheet) else ()

    @property
    def is_low(self) -> bool:
        """Whether the fewest points win."""
        return self.winner == "fewest" and not isinstance(self.sheet, PlacesSheet)

    @property
    def breaks(self) -> list[tuple[str, int]]:
        """The tie-breaks in order, each with 1 where the most is better and -1 where the fewest is."""
        usual = "fewest" if self.is_low else "most"
        wanted = [(each.line, each.winner or usual) for each in self.tiebreaks if each.line != SHARED]
        return [(line, -1 if winner == "fewest" else 1) for line, winner in wanted]

    @property
    def people(self) -> range:
        """How many people play, alone or at a table."""
        return range(self.seats.min, self.seats.max + 1)

    @property
    def tables(self) -> range:
        """How many sit at a table. A game for one or more is for two or more at a table, and for one alone."""
        low = self.seats.min if self.seats.max == 1 else max(self.seats.min, 2)
        return range(low, self.seats.max + 1)


class Checked(NamedTuple):
    """A definition, or what is wrong with it."""

    definition: Definition | None
    errors: tuple[Finding, ...]


_ADAPTER = TypeAdapter(Definition)


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a definition."""
    return _ADAPTER.json_schema()


def read(value: object) -> Checked:
    """Return the definition that any JSON value is, or every reason why it is none; never raises."""
    if not isinstance(value, dict):
        return Checked(None, (Finding(f"{CODES}.not-an-object", ()),))
    if found := oversized(CODES, value):
        return Checked(None, shortened(CODES, found))
    if not _is_text(value):
        return Checked(None, (Finding(f"{CODES}.bad-value", (), {"expected": UNICODE}),))
    try:
        definition = Definition.model_validate(value)
    except ValidationError as error:
        return Checked(None, shortened(CODES, [_finding(each) for each in error.errors()]))
    if found := list(_contradictions(definition)):
        return Checked(None, shortened(CODES, found))
    return Checked(definition, ())


UNICODE = Words("text that can be written down", "du texte qui peut s’écrire")


def _is_text(value: object) -> bool:
    """Say whether a value has no half characters, which JSON can spell and nobody can store."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


_KIND_WORDS = Words(" or ".join(KINDS), " ou ".join(KINDS))


def _finding(error: ErrorDetails) -> Finding:
    """Say an error of the shape. Pydantic names the kind of sheet in a path, and a definition does not."""
    path: Path = error["loc"]
    if error["type"].startswith("union_tag"):
        code = "missing-field" if error["type"] == "union_tag_not_found" else "bad-value"
        return Finding(f"{CODES}.{code}", (*path, "kind"), {"expected": _KIND_WORDS})
    if path[0] == "sheet" and len(path) > 1:
        path = (path[0], *path[2:])
    if error["type"] == "bad-value":
        return Finding(f"{CODES}.bad-value", path, {"expected": error["ctx"]["expected"]})
    if error["type"] == "model_attributes_type":
        return Finding(f"{CODES}.bad-value", path, {"expected": OBJECT})
    found = finding_of(CODES, error)
    return Finding(found.code, path, {key: found.facts[key] for key in ("expected",) if key in found.facts})


def _contradictions(definition: Definition) -> Iterator[Finding]:
    sheet, seats = definition.sheet, definition.seats
    if seats.min > seats.max:
        yield _found("seats-order", "seats", min=seats.min, max=seats.max)
        return
    if definition.winner == "places" and not isinstance(sheet, PlacesSheet):
        yield _found("winner-needs-places", "winner")
    if isinstance(sheet, CategoriesSheet):
        yield from _in_lines(definition, sheet)
    elif isinstance(sheet, Entry):
        found = list(_in_entry(sheet, definition.people, ("sheet",)))
        yield from found
        if isinstance(sheet, RoundsSheet) and not found:
            yield from _in_target(sheet, definition.people)
    yield from _in_tiebreaks(definition)


def _in_lines(definition: Definition, sheet: CategoriesSheet) -> Iterator[Finding]:
    keys = [line.key for line in sheet.lines]
    for index, line in enumerate(sheet.lines):
        if line.key in RESERVED or line.key in keys[:index]:
            yield _found("key-taken", "sheet", "lines", index, "key", key=line.key)
        yield from _in_entry(line, definition.people, ("sheet", "lines", index))


def _in_entry(entry: Entry, sizes: range, path: Path) -> Iterator[Finding]:
    if entry.values is not None:
        for name in ("min", "max", "step"):
            if getattr(entry, name) is not None:
                yield _found("values-and-range", *path, name)
        if len(set(entry.values)) < len(entry.values):
            yield _found("values-repeated", *path, "values")
    elif not entry.possible:
        yield _found("limits-order", *path, "max", min=entry.possible.start, max=entry.possible.stop - 1)  # type: ignore[attr-defined]
        return
    if entry.given_to is not None and len(set(entry.given_to)) < len(entry.given_to):
        yield _found("given-repeated", *path, "given_to")
    for people in sizes:
        if entry.given_to is not None and not any(can_give(entry, people, count) for count in entry.given_to):
            yield _found("given-impossible", *path, "given_to", seats=people)
            return
        if entry.sum is not None and not can_sum(entry, people):
            yield _found("sum-impossible", *path, "sum", seats=people, sum=entry.sum)
            return


def _in_target(sheet: RoundsSheet, sizes: range) -> Iterator[Finding]:
    """Find a target that nobody can reach. Where the rounds are counted, a game may end without it."""
    if sheet.target is None:
        return
    for people in sizes:
        most = (sheet.rounds or MOST_ROUNDS) * most_for_one(sheet, people)[0]
        if most < (1 if sheet.rounds else sheet.target):
            yield _found("target-impossible", "sheet", "target", target=sheet.target, most=max(most, 0))
            return


def _in_tiebreaks(definition: Definition) -> Iterator[Finding]:
    known: set[str] = {SHARED, *(line.key for line in definition.lines)}
    if isinstance(definition.sheet, RoundsSheet):
        known |= {BEST_ROUND, LAST_ROUND}
    seen: set[str] = set()
    for index, each in enumerate(definition.tiebreaks):
        if each.line not in known:
            yield _found("unknown-line", "tiebreaks", index, line=each.line)
        elif each.line in seen:
            yield _found("tiebreak-repeated", "tiebreaks", index, line=each.line)
        elif each.line == SHARED and index < len(definition.tiebreaks) - 1:
            yield _found("shared-not-last", "tiebreaks", index)
        seen.add(each.line)


def _found(code: str, *path: str | int, **facts: object) -> Finding:
    return Finding(f"{CODES}.{code}", path, facts)


# --- What a table can have together -----------------------------------------------------------------------------


def can_give(entry: Entry, people: int, count: int) -> bool:
    """Say whether exactly so many of the people at a table can have something, and the others nothing."""
    possible = entry.possible
    has_some = len(possible) > 1 or 0 not in possible
    return count <= people and (count == people or 0 in possible) and (count == 0 or has_some)


def can_sum(entry: Entry, people: int) -> bool:
    """Say whether the numbers of a table can add up as they must."""
    total = 0 if entry.sum is None else entry.sum
    if entry.given_to is None:
        return can_reach([entry.possible], people, total)
    some = having(entry)
    return any(can_give(entry, people, count) and can_reach(some, count, total) for count in entry.given_to)


def having(entry: Entry) -> list[Sequence[int]]:
    """Return the numbers of those who have something: a list, or up to two ranges with nothing between them."""
    possible = entry.possible
    if 0 not in possible:
        return [possible]
    if isinstance(possible, range):
        nothing = possible.index(0)
        return [part for part in (possible[:nothing], possible[nothing + 1 :]) if part]
    return [[each for each in possible if each]]


def can_reach(parts: Sequence[Sequence[int]], count: int, total: int) -> bool:
    """Say whether so many numbers of a list or of ranges with one step, each as often as one likes, have this sum."""
    if count == 0 or not any(parts):
        return count == 0 and total == 0
    if isinstance(parts[0], range):
        return any(total in sums for sums in _spans(parts, count))
    above = total - count * parts[0][0]
    byte, bit = divmod(above, 8)
    sums = _sums(tuple(parts[0]), count)
    return 0 <= byte < len(sums) and bool(sums[byte] >> bit & 1)


def _spans(parts: Sequence[Sequence[int]], count: int) -> Iterator[range]:
    """Yield the sums of so many numbers of ranges: of two, by how many numbers are of the first."""
    low, high = parts[0], parts[-1]
    step = low.step if isinstance(low, range) else 1
    for some in range(count + 1 if len(parts) > 1 else 1):
        others = count - some
        yield range(some * low[0] + others * high[0], some * low[-1] + others * high[-1] + 1, step)


@lru_cache(maxsize=4 * MOST_SEATS)  # of the few lists that are being judged; a long list has 200 kB of sums
def _sums(values: tuple[int, ...], count: int) -> bytes:
    """Return a bit for every sum of so many numbers of a list in order, counted from as often the least."""
    if count == 0:
        return b"\1"
    before, found = int.from_bytes(_sums(values, count - 1), "little"), 0
    for value in values:
        found |= before << (value - values[0])
    return found.to_bytes(found.bit_length() // 8 + 1, "little")


def fitting(
    wanted: Sequence[Sequence[int]], parts: Sequence[Sequence[int]], count: int, total: int | None
) -> list[Sequence[int]]:
    """Return those of the wanted numbers to which so many others can be added for the sum, if there must be one.

    Ranges are cut, and never walked through: they may have 200,000 numbers.
    """
    if total is None:
        return [part for part in wanted if part]
    found: list[Sequence[int]] = []
    for part in wanted:
        if isinstance(part, range):
            found += [_cut(part, total - sums[-1], total - sums[0]) for sums in _spans(parts, count)]
        else:
            found.append([each for each in part if can_reach(parts, count, total - each)])
    return [part for part in found if part]


def _cut(part: range, least: int, most: int) -> range:
    """Return the numbers of a range within limits, of which either all or none are in step with it."""
    if (least - part.start) % part.step:
        return part[:0]
    return range(max(part.start, least), min(part[-1], most) + 1, part.step)


def most_for_one(entry: Entry, people: int) -> list[int]:
    """Return the numbers of a table at which the first has as much as one can; the table must be possible."""
    best = max(part[-1] for part in _for_one(entry, people - 1))
    others = _others(entry, people - 1, best)
    assert others is not None  # noqa: S101 -- a definition without a valid table is refused before
    return [best, *others]


def _for_one(entry: Entry, others: int) -> Iterator[Sequence[int]]:
    """Yield the numbers that one can have at a table with so many others."""
    for given in _counts(entry):
        if some := choice(entry, others, None if given is None else given - 1):
            yield from fitting([entry.possible] if given is None else having(entry), *some, entry.sum)
        if given is not None and 0 in entry.possible and (some := choice(entry, others, given)):
            yield from fitting([[0]], *some, entry.sum)


def _counts(entry: Entry) -> Sequence[int | None]:
    return [None] if entry.given_to is None else entry.given_to


def _others(entry: Entry, count: int, first: int) -> list[int] | None:
    """Return numbers for the others of a table, the least there are; None where there are none."""
    total = None if entry.sum is None else entry.sum - first
    for given in _counts(entry):
        some = choice(entry, count, None if given is None else given - bool(first))
        if some is not None and (total is None or can_reach(*some, total)):
            return [*spread(*some, total), *[0] * (count - some[1])]
    return None


def choice(entry: Entry, count: int, given: int | None) -> tuple[list[Sequence[int]], int] | None:
    """Return the numbers to choose from and how many of them, so many players having something."""
    if given is None:
        return [entry.possible], count
    return (having(entry), given) if given >= 0 and can_give(entry, count, given) else None


def _least(parts: Sequence[Sequence[int]]) -> int:
    return min(part[0] for part in parts)


def spread(
    parts: Sequence[Sequence[int]],
    count: int,
    total: int | None,
    pick: Callable[[Sequence[Sequence[int]]], int] = _least,
) -> list[int]:
    """Return so many of the numbers, with a sum if there must be one: each is picked of those that fit."""
    chosen: list[int] = []
    left = total
    for after in range(count - 1, -1, -1):
        number = pick(fitting(parts, parts, after, left))
        chosen.append(number)
        left = None if left is None else left - number
    return chosen
