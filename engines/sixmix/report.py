"""A report of a finished game: its shape, its rules, its minimal layer. Reports in, verdicts out; knows no turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import add, itemgetter
from typing import Annotated, Any, Literal, LiteralString

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from engines.base import Finding, Shape, Standing, Variant, Words, standings
from engines.checking import Checker
from engines.sixmix.pieces import (
    BLUE_TOKENS,
    BLUE_WORTH,
    GOAL,
    LETTERS,
    ROWS_PER_SEAT,
    SIDES,
    SQUARES,
    STANDARD,
    TWO_PLAYER,
    YELLOW_TOKENS,
    Colour,
)
from engines.sixmix.scoring import (
    can_lead,
    lead_digit,
    next_starters,
    ranking_keys,
    reachable_tokens,
    seat_tokens,
    seat_tokens_without_second,
    tied_leaders,
)

SLUG = "sixmix"
ROW = f"[1-{SIDES}]{{{SQUARES}}}"
DICE = f"[{LETTERS}]{{{SQUARES}}}"

NAMES = {
    Colour.GREEN: Words("green", "vert"),
    Colour.DARK_BLUE: Words("dark blue", "bleu foncé"),
    Colour.RED: Words("red", "rouge"),
    Colour.ORANGE: Words("orange", "orange"),
    Colour.LIGHT_BLUE: Words("light blue", "bleu clair"),
}


@dataclass(frozen=True)
class Notation:
    """A text of a certain form; a text of another form is an error with the notation's own code."""

    code: LiteralString
    pattern: str
    expected: Words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        matches = re.compile(self.pattern).fullmatch

        def check(text: str) -> str:
            if matches(text):
                return text
            raise PydanticCustomError(self.code, "not of the form {pattern}", vars(self))

        return core_schema.no_info_after_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema) | {"pattern": f"^{self.pattern}$"}


SEATS = "The players clockwise; any of them may have started"
# The length is the frame's to judge: with a constraint pydantic refuses a lone surrogate, which a label may have.
Label = Annotated[str, WithJsonSchema({"type": "string", "minLength": 1})]
Tokens = Annotated[int, Field(ge=0)]
Digit = Annotated[int, Field(ge=1, le=SIDES)]
Row = Annotated[str, Notation("row-notation", ROW, Words("651344", "651344"))]
RowPair = Annotated[str, Notation("row-notation", f"{ROW} {ROW}", Words("651344 651155", "651344 651155"))]
Dice = Annotated[str, Notation("dice-notation", DICE, Words("grrdog", "grrdog"))]
DicePair = Annotated[str, Notation("dice-notation", f"{DICE} {DICE}", Words("grrdog ddrgro", "grrdog ddrgro"))]
OneColour = Annotated[
    str, Notation("colour", f"[{LETTERS}]", Words(f"one letter of {LETTERS}", f"une lettre parmi {LETTERS}"))
]
TwoColours = Annotated[
    str, Notation("colour", f"[{LETTERS}]{{2}}", Words(f"two letters of {LETTERS}", f"deux lettres parmi {LETTERS}"))
]
Held = Annotated[str, Notation("held-notation", "[0-9]{1,2}b[0-9]{1,2}y", Words("2b1y", "2b1y"))]
# Compared as a whole with the seats, so that one slip is one finding and not one per label.
Labels = Annotated[list[Any], WithJsonSchema({"type": "array", "items": {"type": "string"}})]

# An optional field that is absent is empty. Of those given only `lead` can be empty, and then it says nothing.


class Round(Shape):
    """One round: the tokens taken and, as evidence, what stood on the board."""

    tokens: dict[str, Tokens] = Field(description="Tokens taken in this round, by seat")
    rows: dict[str, str] = Field(default_factory=dict)
    dice: dict[str, str] = Field(default_factory=dict)
    starter: str = Field(default_factory=str, description="The seat that began the round")


class StandardRound(Round):
    """A round with one row per seat."""

    rows: dict[str, Row] = Field(default_factory=dict, description="The row of each seat: six digits from 1 to 6")
    dice: dict[str, Dice] = Field(
        default_factory=dict, description=f"The colours of the dice in the row of each seat: six letters of {LETTERS}"
    )


class TwoPlayerRound(Round):
    """A round with two rows per seat."""

    rows: dict[str, RowPair] = Field(
        default_factory=dict, description="Both rows of each seat, in the order of the seat's colours, a space between"
    )
    dice: dict[str, DicePair] = Field(
        default_factory=dict, description="The colours of the dice in both rows of each seat, a space between"
    )


class Report(Shape):
    """What both variants report."""

    game: Literal["sixmix"]
    variant: str
    seats: list[Label]
    rounds: list[Any]
    colours: dict[str, str] = Field(default_factory=dict)
    youngest_first: Labels = Field(
        default_factory=list, description="All seats from the youngest to the oldest player"
    )
    lead: dict[str, Digit] = Field(
        default_factory=dict,
        description="By seat the digit in the hundred-thousand square after the last round (of two, the larger); "
        "needed from seats that share the highest total when the last round has no rows",
    )
    held: dict[str, Held] = Field(
        default_factory=dict, description="Blue and yellow tokens in front of each seat at the end: 2b1y is 11 points"
    )

    @cached_property
    def taken(self) -> list[tuple[int, ...]]:
        """The tokens of each round in seating order."""
        in_order = itemgetter(*self.seats)
        return [in_order(each.tokens) for each in self.rounds]

    @cached_property
    def totals(self) -> list[tuple[int, ...]]:
        """The points before each round in seating order, and those at the end."""
        totals = [(0,) * len(self.seats)]
        for taken in self.taken:
            totals.append(tuple(map(add, totals[-1], taken)))
        return totals

    @cached_property
    def leads(self) -> tuple[int | None, ...]:
        """The lead digits in seating order, from the last rows, else as reported; None where neither says one."""
        rows = self.rounds[-1].rows
        if rows:
            return tuple([lead_digit(rows[seat]) for seat in self.seats])
        return tuple([self.lead.get(seat) for seat in self.seats])


class StandardReport(Report):
    """A game of three to five players with one colour each."""

    variant: Literal["standard"]
    seats: list[Label] = Field(min_length=3, max_length=5, description=SEATS)
    rounds: list[StandardRound] = Field(min_length=1, description="The rounds in order")
    colours: dict[str, OneColour] = Field(
        default_factory=dict, description=f"The colour of each seat, one letter of {LETTERS}; needed with dice"
    )


class TwoPlayerReport(Report):
    """A game of two players with two colours each."""

    variant: Literal["two-player"]
    seats: list[Label] = Field(min_length=2, max_length=2, description=SEATS)
    rounds: list[TwoPlayerRound] = Field(min_length=1, description="The rounds in order")
    colours: dict[str, TwoColours] = Field(
        default_factory=dict,
        description=f"The colours of each seat's first and second row, two letters of {LETTERS}; needed with dice",
    )


VARIANTS = (
    Variant(STANDARD, Words("Three to five players", "De trois à cinq joueurs"), 3, 5, StandardReport),
    Variant(TWO_PLAYER, Words("Two players", "À deux joueurs"), 2, 2, TwoPlayerReport),
)

SEAT = Words("one of the players", "l’un des joueurs")
COLUMN = {
    1: Words("every colour has exactly one die", "chaque couleur a exactement un dé"),
    2: Words("every player has exactly two dice", "chaque joueur a exactement deux dés"),
}
UNKNOWN = "?"
ALL_SEATS = Words("a list with every player exactly once", "une liste avec chaque joueur exactement une fois")


def _finding(code: str, *path: str | int, **facts: object) -> Finding:
    return Finding(f"{SLUG}.{code}", path, facts)


# Shape, where one field depends on another. The report may be malformed in any part of it.


def _cross(report: Mapping[str, Any], variant: Variant) -> list[Finding]:
    seats: list[str] = report["seats"]
    found: list[Finding] = []
    has_dice = False
    for index, entry in enumerate(report["rounds"]):
        if not isinstance(entry, dict):
            continue
        if "dice" in entry:
            has_dice = True
            if "rows" not in entry:
                found.append(_finding("missing-field", "rounds", index, "rows"))
        starter = entry.get("starter")
        if isinstance(starter, str) and starter not in seats:
            found.append(_finding("bad-value", "rounds", index, "starter", expected=SEAT))
    if has_dice and "colours" not in report:
        found.append(_finding("missing-field", "colours"))
    if "youngest_first" in report and not _is_order(report["youngest_first"], seats):
        found.append(_finding("bad-value", "youngest_first", expected=ALL_SEATS))
    if "colours" in report:
        found += _repeated_colours(report["colours"], seats, ROWS_PER_SEAT[variant.slug])
    return found


def _is_order(labels: list[Any], seats: list[str]) -> bool:
    return len(labels) == len(seats) and all(seat in labels for seat in seats)


def _repeated_colours(colours: Mapping[str, Any], seats: list[str], each: int) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for seat in seats:
        letters = colours.get(seat)
        if not isinstance(letters, str) or len(letters) != each or not set(letters) <= set(LETTERS):
            continue
        repeated = [letter for index, letter in enumerate(letters) if letter in letters[:index] or letter in owners]
        if repeated:
            other = owners.get(repeated[0], seat)
            yield _finding(
                "colour-repeated", "colours", seat, seat=seat, colour=NAMES[Colour(repeated[0])], other=other
            )
        for letter in letters:
            owners.setdefault(letter, seat)


# Rules. One function per subject; all of them look at the values as written, and yield errors and warnings alike.

WARNINGS = frozenset(
    f"{SLUG}.{code}" for code in ("equal-numbers", "hundred-thousand-colours", "starter-wrong", "held-exchange")
)


def _check_tokens(report: Report) -> Iterator[Finding]:
    reachable = reachable_tokens(len(report.seats), ROWS_PER_SEAT[report.variant])
    for index, (each, tokens) in enumerate(zip(report.rounds, report.taken, strict=True)):
        if each.rows:
            rows = [each.rows[seat] for seat in report.seats]
            due = seat_tokens(rows)
            if tokens == due:
                continue  # and what rows give is reachable
            if tokens == seat_tokens_without_second(rows):
                yield _finding("equal-numbers", "rounds", index, "tokens", round=index + 1, tokens=tokens, due=due)
                continue
            yield from _mismatches(report, index, rows, due)
        if tokens not in reachable:
            yield _finding("unreachable-tokens", "rounds", index, "tokens", round=index + 1, tokens=tokens)


def _mismatches(report: Report, index: int, rows: list[str], due: tuple[int, ...]) -> Iterator[Finding]:
    for seat, taken, row, right in zip(report.seats, report.taken[index], rows, due, strict=True):
        if taken != right:
            path = ("rounds", index, "tokens", seat)
            yield _finding("tokens-mismatch", *path, seat=seat, round=index + 1, rows=row, due=right, taken=taken)


def _check_dice(report: Report) -> Iterator[Finding]:
    if not report.colours:  # and so no dice either
        return
    in_play = "".join(report.colours.values())
    for index, each in enumerate(report.rounds):
        if not each.dice:
            continue
        for seat, dice in each.dice.items():
            if foreign := set(dice) - set(in_play) - {" "}:
                names = [NAMES[colour] for colour in Colour if colour in foreign]
                yield _finding("foreign-die", "rounds", index, "dice", seat, seat=seat, round=index + 1, colours=names)
        text = " ".join(each.dice.values())
        if any(text.count(colour) != SQUARES for colour in in_play):
            counts = _counts(text, in_play, SQUARES)
            yield _finding("colour-count", "rounds", index, "dice", round=index + 1, counts=counts)
        yield from _check_column(report, index, text[:: SQUARES + 1], in_play)


def _check_column(report: Report, index: int, column: str, in_play: str) -> Iterator[Finding]:
    """Look at the colours in the hundred-thousand column; two players may have read it as two dice of each (R3)."""
    each = ROWS_PER_SEAT[report.variant]
    path, number = ("rounds", index, "dice"), index + 1
    if any(sum(map(column.count, colours)) != each for colours in report.colours.values()):
        # With one colour each the wrong ones say it all; with two, the right ones count towards a player's two dice.
        counts = _counts(column, in_play, 1 if each == 1 else None)
        yield _finding("hundred-thousand", *path, round=number, due=COLUMN[each], counts=counts)
    elif any(column.count(colour) != 1 for colour in in_play):
        yield _finding("hundred-thousand-colours", *path, round=number, counts=_counts(column, in_play, 1))


def _counts(text: str, in_play: str, right: int | None) -> list[Words]:
    """Say how often each colour in play occurs, leaving out those that occur the right number of times."""
    counts = [(NAMES[Colour(letter)], text.count(letter)) for letter in in_play if text.count(letter) != right]
    return [Words(f"{name.en} {count}", f"{name.fr} {count}") for name, count in counts]


def _check_starters(report: Report) -> Iterator[Finding]:
    seats, youngest_first = report.seats, report.youngest_first
    for index, each in enumerate(report.rounds):
        if index == 0 or not each.starter:
            continue
        lowest = [seats[seat] for seat in next_starters(report.totals[index])]
        allowed = [min(lowest, key=youngest_first.index)] if youngest_first else lowest
        if each.starter not in allowed:
            yield _finding(
                "starter-wrong",
                *("rounds", index, "starter"),
                seat=each.starter,
                round=index + 1,
                others=allowed,
                points=min(report.totals[index]),
            )


def _check_end(report: Report) -> Iterator[Finding]:
    if max(report.totals[-1]) < GOAL:
        yield _finding("not-finished", "rounds", **_leader(report, -1))
    elif max(report.totals[-2]) >= GOAL:
        ended = next(index for index, totals in enumerate(report.totals) if max(totals) >= GOAL)
        yield _finding("played-on", "rounds", ended, round=ended + 1, **_leader(report, ended))
    else:
        yield from _missing_digits(report)


def _leader(report: Report, index: int) -> dict[str, object]:
    most = max(report.totals[index])
    return {"other": report.seats[report.totals[index].index(most)], "points": most}


def _missing_digits(report: Report) -> Iterator[Finding]:
    totals = report.totals[-1]
    leaders = {report.seats[seat]: report.leads[seat] for seat in tied_leaders(totals)}
    for seat, lead in leaders.items():
        if lead is None:
            others = [other for other in leaders if other != seat]
            yield _finding("tiebreak-missing", "lead", seat, seat=seat, points=max(totals), others=others)


def _check_lead(report: Report) -> Iterator[Finding]:
    if not report.lead:
        return
    if rows := report.rounds[-1].rows:
        for seat, due in zip(report.seats, report.leads, strict=True):
            if (given := report.lead.get(seat, due)) != due:
                yield _finding("lead-mismatch", "lead", seat, seat=seat, given=given, rows=rows[seat], due=due)
        return
    tokens, each = report.taken[-1], ROWS_PER_SEAT[report.variant]
    if tokens in reachable_tokens(len(tokens), each) and not can_lead(tokens, each, report.leads):
        leads = [UNKNOWN if lead is None else lead for lead in report.leads]
        yield _finding("lead-impossible", "lead", leads=leads, tokens=tokens)


def _check_held(report: Report) -> Iterator[Finding]:
    if not report.held:
        return
    held = [[int(number) for number in report.held[seat].removesuffix("y").split("b")] for seat in report.seats]
    blue_held, yellow_held = (sum(kind) for kind in zip(*held, strict=True))
    if blue_held > BLUE_TOKENS or yellow_held > YELLOW_TOKENS:
        yield _finding("held-supply", "held", blue=blue_held, yellow=yellow_held)
    for seat, (blue, yellow), total in zip(report.seats, held, report.totals[-1], strict=True):
        value = BLUE_WORTH * blue + yellow
        if value != total:
            yield _finding("held-value", "held", seat, seat=seat, held=report.held[seat], value=value, total=total)
        if yellow >= BLUE_WORTH and blue_held < BLUE_TOKENS:
            yield _finding("held-exchange", "held", seat, seat=seat, yellow=yellow)


RULES = (_check_tokens, _check_dice, _check_starters, _check_end, _check_lead, _check_held)


def _rules(report: Report) -> tuple[list[Finding], list[Finding]]:
    errors: list[Finding] = []
    warnings: list[Finding] = []
    for rule in RULES:
        for finding in rule(report):
            (warnings if finding.code in WARNINGS else errors).append(finding)
    return errors, warnings


def _rank(report: Report) -> tuple[Standing, ...]:
    return standings(report.seats, report.totals[-1], ranking_keys(report.totals[-1], report.leads))


def minimal(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tokens of a valid report and the lead digits that decide the first place, from `lead` or rows."""
    sheet = check.parse(dict(report))
    assert isinstance(sheet, Report), "only a valid report has a minimal layer"  # noqa: S101 - never happens
    stripped: dict[str, Any] = {
        "game": SLUG,
        "variant": sheet.variant,
        "seats": sheet.seats,
        "rounds": [_minimal_round(sheet, index) for index in range(len(sheet.rounds))],
    }
    if leaders := tied_leaders(sheet.totals[-1]):
        stripped["lead"] = {sheet.seats[seat]: sheet.leads[seat] for seat in leaders}
    return stripped


def _minimal_round(sheet: Report, index: int) -> dict[str, Any]:
    tokens, rows = sheet.taken[index], sheet.rounds[index].rows
    stripped: dict[str, Any] = {"tokens": dict(zip(sheet.seats, tokens, strict=True))}
    if tokens not in reachable_tokens(len(tokens), ROWS_PER_SEAT[sheet.variant]):
        # Accepted by the other reading of equal numbers, which only the rows can show: without them it is refused.
        stripped["rows"] = {seat: rows[seat] for seat in sheet.seats}
    return stripped


check = Checker[Report](
    slug=SLUG,
    variants={variant.slug: variant for variant in VARIANTS},
    containers={"rounds": list, "colours": dict, "youngest_first": list, "lead": dict, "held": dict},
    filled=("rounds",),
    keyed=(
        ("rounds", None, "tokens"),
        ("rounds", None, "rows"),
        ("rounds", None, "dice"),
        ("colours",),
        ("lead",),
        ("held",),
    ),
    partial=(("lead",),),
    rules=_rules,
    rank=_rank,
    cross=_cross,
)
