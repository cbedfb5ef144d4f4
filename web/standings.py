"""Standings as pages, the projector and paper show them: in points that people can read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.computations import Kind, Progress, progress_of
from scoring.rankings.standings.readable import readable, scale_of, scale_of_tiebreak, taken_off
from scoring.rankings.standings.words import ALONE_NAMES, decimal, explain, explain_penalty
from scoring.selectors import standing_rows
from tournaments.actors import NOBODY, Actor
from tournaments.models import Event, Round, TieBreak
from tournaments.selectors import shown_places

IN_ONE = 30  # places that are not worth a second column
COLUMNS, IN_A_COLUMN = 3, 35
Row = dict[str, Any]


class Group(NamedTuple):
    """Places that stand together, in a column or folded: the first, the last, and their rows."""

    first: int
    last: int
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Shown:
    """The standings of an event; `tiebreaks` are the names of its columns."""

    rows: Sequence[Row]
    tiebreaks: Sequence[str]
    most: int | None = None  # places that are shown for now

    @property
    def is_begun(self) -> bool:
        """Whether anybody has a result yet."""
        return any(row["tables"] for row in self.rows)


def standings_of(event: Event, *, most: int | None = None, actor: Actor = NOBODY) -> Shown:
    """Return the first of an event's standings, or all, as far as somebody may see them now.

    Points have decimals only where two places would look alike. `move` is by how many places somebody rose with the
    last round; None where there was none before it. `above` is whose place is the one before.
    """
    shown_to_them = shown_places(actor, event)
    most = min((each for each in (most, shown_to_them) if each is not None), default=None)
    rows = standing_rows(event, most=most, is_explained=False)
    points = scale_of(event.points).texts([row["points"] for row in rows])
    values = _values(event, rows)
    above = ["", *(row["player"]["name"] for row in rows)]
    names = {key: tiebreak_name(event, key) for key in telling_tiebreaks(event)}
    shown = [
        row
        | {
            "points": points[place],
            "tiebreaks": [
                {"name": names[each["key"]], "value": values[each["key"], each["value"]]}
                for each in row["tiebreaks"]
                if each["key"] in names
            ],
            "above": above[place],
            "move": _move(row),
        }
        for place, row in enumerate(rows)
    ]
    return Shown(shown, list(names.values()), shown_to_them)


def explained(event: Event, rows: Iterable[Row]) -> list[Row]:
    """Return rows with why each is where it is, round by round; for those alone that are shown, because it costs."""
    return [
        row
        | {
            "explanation": _explained(event, row),
            "decided": _decided(event, row["reason"]),
            "rounds": list(_rounds(event, row)),
        }
        for row in rows
    ]


def telling_tiebreaks(event: Event) -> list[str]:
    """Return the tie-breaks of an event that can tell two players apart: who plays alone has no opponents."""
    return [key for key in event.tiebreaks if not event.is_solo or key in ALONE_NAMES]


def tiebreak_name(event: Event, key: str) -> str:
    """Return what a tie-break of an event is called."""
    label = TieBreak(key).label
    return str(ALONE_NAMES.get(key, label) if event.is_solo else label)


def _explained(event: Event, row: Row) -> str:
    """Return what put somebody there, and what penalties took off."""
    said = explain(readable(row["reason"], event.points), row["above"], is_solo=event.is_solo)
    penalty = taken_off(row["penalty"], event.points)
    return said if penalty == "0" else f"{said} {explain_penalty(penalty)}"


def _decided(event: Event, reason: Mapping[str, Any]) -> str:
    """Return in a few words what decided where points did not; empty where they did."""
    said = readable(reason, event.points)
    values = {fact: _("none") if said.get(fact) is None else decimal(said[fact]) for fact in ("own", "above")}
    match reason.get("code"):
        case "tie-break":
            name = capfirst(tiebreak_name(event, reason["key"]))
            return _("{name}: {own} against {above}").format(name=name, **values)
        case "play-off":
            return _("Play-off: place {own} against {above}").format(**values)
        case "lots":
            return _("Lots were drawn.")
        case _:
            return ""


def _values(event: Event, rows: Sequence[Row]) -> dict[tuple[str, str | None], str | None]:
    """Return each value of a tie-break as people read it, by its key and the exact value."""
    exact: dict[str, set[str | None]] = defaultdict(set)
    for row in rows:
        for each in row["tiebreaks"]:
            exact[each["key"]].add(each["value"])
    return {
        (key, value): text
        for key, found in exact.items()
        for value, text in zip(found, scale_of_tiebreak(key, event.points).texts(list(found)), strict=True)
    }


def _move(row: Row) -> int | None:
    rounds = row["rounds"]
    return rounds[-2]["rank"] - row["rank"] if len(rounds) > 1 and row["is_ranked"] else None


def _rounds(event: Event, row: Row) -> Iterator[Row]:
    scale = scale_of(event.points)
    for step in row["rounds"]:
        yield step | {"points": scale.texts([step["points"]])[0]}


def titled(rows: Sequence[Row], rounds: Sequence[Round]) -> Sequence[Row]:
    """Return rows whose rounds have the names that people call them by."""
    titles: Mapping[int, str] = {each.number: each.title for each in rounds}
    return [
        row | {"rounds": [step | {"title": titles.get(step["round"], "")} for step in row["rounds"]]} for row in rows
    ]


def grouped(rows: Sequence[Row]) -> list[Group]:
    """Return rows in as many groups as fill columns side by side; as one where they are few."""
    number = 1 if len(rows) <= IN_ONE else COLUMNS * -(-len(rows) // (COLUMNS * IN_A_COLUMN))
    size = max(1, -(-len(rows) // number))
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [Group(part[0]["rank"], part[-1]["rank"], part) for part in parts]


def standings_progress(event: Event) -> Progress:
    """Return how far the standings of an event are computed."""
    return progress_of(Kind.STANDINGS, event.uid)
