"""Score sheets on paper: the block of a game as its rulebook has it, a column per player and nothing filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.language import reader_language
from engines.base import Engine, Variant
from web.phone.sheets.base import SeatName
from web.phone.sheets.forms import SheetForm

AFTER_FIVE = 5  # phases, the bonus of 10 Phases


class Line(NamedTuple):
    """A row of the block: what is written there, within which limits; `kind` marks a `bonus` and the `total`."""

    name: str
    hint: str = ""
    kind: str = ""


class Block(NamedTuple):
    """A sheet to print."""

    game: str
    variant: str
    columns: Sequence[str]
    lines: Sequence[Line]
    notes: Sequence[str]


def block_of(engine: Engine, variant: Variant, people: Sequence[SeatName]) -> Block:
    """Return the sheet of some people, with the partners that a variant has."""
    form = SheetForm(engine, variant, people, {})
    fields, language = form.fields, reader_language()
    columns = [seat.name for seat in form.seats]
    if fields.get("is_solo"):
        columns = [_("Points"), _("Misses")]
    lines, notes = LINES.get(engine.slug, _own)(fields)
    way = variant.name.into(language) if len(engine.variants) > 1 else ""
    return Block(engine.name.into(language), way, columns, lines, [note for note in notes if note])


def blank(engine: Engine, wanted: str = "") -> Block:
    """Return an empty sheet with a column for each who can play: of one variant, else of the one for most people."""
    most = max(engine.variants, key=lambda each: each.people[-1])
    variant = next((each for each in engine.variants if each.slug == wanted), most)
    return block_of(engine, variant, [SeatName(f"seat-{number}", "") for number in range(variant.people[-1])])


Made = tuple[list[Line], list[str]]


def _ten_phases(fields: Mapping[str, Any]) -> Made:
    bonus = fields["bonus"]
    least = _("+%(bonus)s from %(least)s") % {"bonus": bonus, "least": fields["bonus5_least"]}
    after_five = Line(_("Bonus"), least, "bonus")
    last = _("phase 10 at the first attempt") if fields["is_solo"] else _("first through phase 10")
    phases = [Line(f"{row['number']}  {row['name']}", f"{row['least']}–{row['most']}") for row in fields["rows"]]
    lines = [*phases[:AFTER_FIVE], after_five, *phases[AFTER_FIVE:], Line(_("Bonus"), f"+{bonus} {last}", "bonus")]
    return [*lines, Line(_("Total"), "", "total")], []


def _sixmix(fields: Mapping[str, Any]) -> Made:
    rounds = [Line(_round(row["number"]), "" if row["number"] > 1 else _("tokens")) for row in fields["rounds"]]
    tie = _(
        "If several share the highest total, the digit in the hundred-thousand square of their rows after the last "
        "round decides; it is known if the last rows are."
    )
    return [*rounds, Line(_("Total"), "", "total"), Line(_("First digit"))], [tie]


def _dix(fields: Mapping[str, Any]) -> Made:
    runs = [Line(str(run["label"]).capitalize(), _("run, from – to")) for run in fields["hands"][0]["runs"]]
    tie = _(
        "If players share the highest score, the most money wins (a token counts 3), then the fewest cards. Nobody "
        "else needs to count."
    )
    counts = [Line(_("Coins")), Line(_("Consolation tokens")), Line(_("Cards in all"))]
    if levels := fields["difficulties"]:
        return [Line(_("Difficulty of ALIX"), f"{levels[0]}–{levels[-1]}"), *runs, Line(_("Total"), "", "total")], []
    return [*runs, Line(_("Total"), "", "total"), *counts], [tie]


def _dice_run(fields: Mapping[str, Any]) -> Made:
    stages = [
        Line(
            _("Stage %(number)s") % {"number": stage["number"]},
            " · ".join(f"{place['label']} {place['points']}" for place in stage["places"]),
        )
        for stage in fields["stages"]
    ]
    return [*stages, Line(_("Total"), "", "total")], [_("A perfect tie: say who drew the stage card.")]


def _own(fields: Mapping[str, Any]) -> Made:
    """Return the rows that a club's own definition says."""
    notes = [fields["remarks"], fields.get("end", "")]
    if "places" in fields:
        return [Line(_("Place"))], notes
    lines = [Line(row["name"], row["hint"]) for row in fields["rows"]]
    return [*lines, *([Line(_("Total"), "", "total")] if len(lines) > 1 else [])], notes


def _round(number: int) -> str:
    return pgettext("of a game", "Round {number}").format(number=number)


LINES: Mapping[str, Callable[[Mapping[str, Any]], Made]] = {
    "ten-phases": _ten_phases,
    "sixmix": _sixmix,
    "dix": _dix,
    "dice-run": _dice_run,
}
