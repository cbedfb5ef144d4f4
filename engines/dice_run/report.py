"""The report of a finished game: its shape, and every check the rules make possible.

The minimal layer is the four podiums; groups, objectives, revealer and points are evidence. Strengths, points and
ranking keys are left to `scoring`, the order of the checks to `engines.checking`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Field, SkipValidation, WithJsonSchema

from engines.base import Finding, Path, Shape, Standing, Variant, Words, standings
from engines.checking import TEXT, Checker
from engines.dice_run.pieces import (
    COLOURS,
    DICE_PER_COLOUR,
    PODIUM,
    SEATS_MAX,
    SEATS_MIN,
    SLUG,
    STAGE_CARDS,
    faces,
    group_pattern,
    is_palette,
)
from engines.dice_run.scoring import clockwise, stage_order, strengths, tally

# What depends on the seats or on the colours of the box is judged in `_cross`, not by pydantic.
Seat = Annotated[str, SkipValidation, WithJsonSchema({"type": "string", "minLength": 1})]
Card = Annotated[str, SkipValidation, WithJsonSchema({"type": "string", "pattern": "^[a-z][1-6]$"})]
Group = Annotated[str, SkipValidation, WithJsonSchema({"type": "string", "pattern": "^[a-z][1-6]( [a-z][1-6])*$"})]
Palette = Annotated[str, SkipValidation, WithJsonSchema({"type": "string", "pattern": "^[a-z]{5}$"})]
Count = Annotated[int, Field(ge=0)]

SEAT = Words("the name of a player at this table", "le nom d’un joueur de cette table")
PALETTE = Words("five different letters from a to z", "cinq lettres différentes de a à z")


class Stage(Shape):
    """One stage of the race."""

    podium: list[Seat] = Field(
        description="Who came first, second and third.",
        json_schema_extra={"minItems": PODIUM, "maxItems": PODIUM, "uniqueItems": True},
    )
    revealer: Seat = Field(default_factory=str, description="Who made the stage card appear.")
    objectives: dict[Seat, Card] = Field(
        default_factory=dict, description="The objective card each player scored with, by seat."
    )
    groups: list[Group] = Field(
        default_factory=list, description="The dice of each group, front group first, Gaps left out."
    )

    @property
    def has_groups(self) -> bool:
        """Whether the groups are given; a list without any group is given too."""
        return "groups" in self.model_fields_set


class Report(Shape):
    """A finished game of Dice Run."""

    game: Literal["dice-run"]
    variant: Literal["standard"]
    seats: list[Seat] = Field(
        description="The players clockwise.",
        json_schema_extra={"minItems": SEATS_MIN, "maxItems": SEATS_MAX, "uniqueItems": True},
    )
    stages: list[Stage] = Field(
        description="The four stages in order.",
        json_schema_extra={"minItems": len(STAGE_CARDS), "maxItems": len(STAGE_CARDS)},
    )
    points: dict[Seat, Count] = Field(
        default_factory=dict, description="The totals as they were added up at the table, by seat."
    )
    colours: Palette = Field(default=COLOURS, description="The letters of the five colours of the dice.")


VARIANTS = (Variant("standard", Words("Standard", "Standard"), SEATS_MIN, SEATS_MAX, Report),)


def minimal(report: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the podiums of a valid report and nothing else."""
    frame = {name: report[name] for name in ("game", "variant", "seats")}
    return frame | {"stages": [{"podium": stage["podium"]} for stage in report["stages"]]}


def _finding(code: str, path: Path, **facts: object) -> Finding:
    return Finding(f"{SLUG}.{code}", path, facts)


def _cross(report: Mapping[str, Any], _variant: Variant) -> list[Finding]:
    found: list[Finding] = []
    seats, stages = report["seats"], report["stages"]
    colours: str | None = report.get("colours", COLOURS)
    if "colours" in report and not is_palette(colours):
        found.append(_finding("bad-value", ("colours",), expected=PALETTE))
        colours = None
    if len(stages) != len(STAGE_CARDS):
        found.append(_finding("stage-count", ("stages",), count=len(stages)))
    for index, stage in enumerate(stages):
        if isinstance(stage, dict):
            found += _stage_shape(stage, ("stages", index), seats, colours)
    return found


def _stage_shape(stage: dict[str, Any], path: Path, seats: list[str], colours: str | None) -> list[Finding]:
    found: list[Finding] = []
    if isinstance(podium := stage.get("podium"), list) and not _is_podium(podium, seats):
        found += _podium_shape(podium, (*path, "podium"), seats)
    if podium is not None and len(stage) == 1:  # most sheets have podiums and no more
        return found
    if "revealer" in stage and stage["revealer"] not in seats:
        found.append(_finding("bad-value", (*path, "revealer"), expected=SEAT))
    if isinstance(objectives := stage.get("objectives"), dict):
        found += _objective_shapes(objectives, (*path, "objectives"), seats, colours)
    if isinstance(groups := stage.get("groups"), list):
        found += _group_shapes(groups, (*path, "groups"), colours)
    return found


def _is_podium(podium: list[object], seats: list[str]) -> bool:
    if len(podium) != PODIUM:
        return False
    first, second, third = podium
    return first in seats and second in seats and third in seats and first != second and third not in (first, second)


def _podium_shape(podium: list[object], path: Path, seats: list[str]) -> list[Finding]:
    found: list[Finding] = []
    if len(podium) != PODIUM:
        found.append(_finding("podium-size", path, count=len(podium)))
    seen = set()
    for index, seat in enumerate(podium):
        if seat not in seats:
            found.append(_finding("bad-value", (*path, index), expected=SEAT))
        elif seat in seen:
            found.append(_finding("podium-repeat", (*path, index), seat=seat))
        else:
            seen.add(seat)
    return found


def _objective_shapes(
    objectives: dict[str, object], path: Path, seats: list[str], colours: str | None
) -> Iterator[Finding]:
    for seat in seats:
        if seat not in objectives:
            yield _finding("missing-field", (*path, seat), seat=seat)
        elif not isinstance(card := objectives[seat], str):
            yield _finding("bad-value", (*path, seat), seat=seat, expected=TEXT)
        elif colours and card not in faces(colours):
            yield _finding("objective-notation", (*path, seat), seat=seat, **notation_facts(card, colours))
    for label in objectives:
        if label not in seats:
            yield _finding("unknown-field", (*path, label), seat=label)


def _group_shapes(groups: list[object], path: Path, colours: str | None) -> Iterator[Finding]:
    for index, group in enumerate(groups):
        if not isinstance(group, str):
            yield _finding("bad-value", (*path, index), expected=TEXT)
        elif colours and not group_pattern(colours).fullmatch(group):
            for position, token in enumerate(group.split(" ")):
                if token not in faces(colours):
                    yield _finding("die-notation", (*path, index, position), **notation_facts(token, colours))


def notation_facts(text: str, colours: str) -> dict[str, str]:
    """Return what a message says about a die or a card that cannot be read."""
    short = text if len(text) <= 12 else f"{text[:12]}…"
    return {"text": short, "colours": colours, "example": f"{colours[0]}6"}


def _rules(report: Report) -> tuple[list[Finding], list[Finding]]:
    if not report.points and all(len(stage.model_fields_set) == 1 for stage in report.stages):
        return [], []  # most sheets have podiums and no more
    errors, warnings = [*_reused(report), *_point_errors(report)], []
    for index, stage in enumerate(report.stages):
        path: Path = ("stages", index)
        if stage.has_groups:
            errors += _dice_errors(stage.groups, (*path, "groups"), report.colours)
            if stage.objectives:
                wrong, odd = _podium_findings(stage, path, report.seats)
                errors += wrong
                warnings += odd
    return errors, warnings


def _reused(report: Report) -> Iterator[Finding]:
    used: dict[str, tuple[str, int]] = {}
    for index, stage in enumerate(report.stages):
        if not stage.objectives:
            continue
        for seat in report.seats:
            card = stage.objectives[seat]
            if card in used:
                other, before = used[card]
                facts = {"seat": seat, "card": card, "other": other, "stage": before + 1}
                yield _finding("objective-reused", ("stages", index, "objectives", seat), **facts)
            else:
                used[card] = seat, index


def _point_errors(report: Report) -> Iterator[Finding]:
    if not report.points:
        return
    totals = tally(report.seats, [stage.podium for stage in report.stages])
    for seat, (total, _) in zip(report.seats, totals, strict=True):
        claimed = report.points[seat]
        if claimed != total:
            yield _finding("points-mismatch", ("points", seat), seat=seat, claimed=claimed, total=total)


def _dice_errors(groups: Sequence[str], path: Path, colours: str) -> Iterator[Finding]:
    for index, group in enumerate(groups):
        if not group:
            yield _finding("empty-group", (*path, index))
    dice = " ".join(groups)
    wrong = [f"{count} × {colour}" for colour in colours if (count := dice.count(colour)) != DICE_PER_COLOUR]
    if wrong:
        yield _finding("dice-set", path, wrong=wrong)


def _podium_findings(stage: Stage, path: Path, seats: list[str]) -> tuple[list[Finding], list[Finding]]:
    strong = {seat: strengths(stage.objectives[seat], stage.groups) for seat in seats}
    if stage.revealer:
        precedence = clockwise(seats, stage.revealer)
    else:  # nobody knows how a perfect tie was settled, so the claimed podium decides it
        precedence = [*stage.podium, *(seat for seat in seats if seat not in stage.podium)]
    order = stage_order(precedence, strong)
    if order[:PODIUM] != stage.podium:
        return [_finding("podium-mismatch", (*path, "podium"), others=order[:PODIUM])], []
    if not stage.revealer:
        for seat, other in pairwise(order[: PODIUM + 1]):
            if strong[seat] == strong[other]:
                return [], [_finding("tie-unresolved", path, seat=seat, other=other)]
    return [], []


def _rank(report: Report) -> tuple[Standing, ...]:
    keys = tally(report.seats, [stage.podium for stage in report.stages])
    return standings(report.seats, [points for points, _ in keys], keys)


check = Checker(
    slug=SLUG,
    variants={variant.slug: variant for variant in VARIANTS},
    containers={"stages": list, "points": dict},
    keyed=(("points",),),  # objectives are keyed by seat too: `_cross` walks the stages anyway
    rules=_rules,
    rank=_rank,
    cross=_cross,
)
