"""A season as a race: a line per player over its events, the higher the better the place.

The picture stretches to its space; names and numbers stand beside it in lanes of equal height, so that they never
shrink. Lines differ in colour, which is that of the player's mark, and in their dashes, and end at their name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.short_names import short_names
from scoring.rankings.standings.readable import SEASON, scale_of
from tournaments.models import Event
from web.marks import mark_of

TOP = 10  # players with a line each; the reader's own may come after them
WIDTH, LANE = 1000, 100
DASHES = 5  # kinds of lines that the style sheet draws
MOST = 52  # events that are drawn, and stand in the table beside: a year of weekly ones
FEW = 12  # events whose points have room to be large, and their dates to be written


class Stop(NamedTuple):
    """Where a player stood after an event, as people read it."""

    rank: int
    points: str


@dataclass(frozen=True, slots=True)
class Line:
    """A player's way: to draw, and in numbers, one for each event, None before their first."""

    player: Mapping[str, str]
    short: str
    rank: int
    is_mine: bool
    is_behind: bool  # all places that have a lane of their own
    colour: str
    dashes: int
    path: str
    dots: str
    stops: Sequence[Stop | None]


@dataclass(frozen=True, slots=True)
class Race:
    """What is drawn. `lanes` are the places that the lines run in, from the top; the last may be for all behind."""

    lines: Sequence[Line]
    lanes: Sequence[str]
    rules: Sequence[int]
    events: Sequence[Event | None]
    is_cut: bool  # there were events before these

    @property
    def has_empty_lane(self) -> bool:
        """Whether the last lane, of those behind, ends at nobody's name."""
        return len(self.lanes) > len(self.lines)

    @property
    def height(self) -> int:
        """How high the picture is, in its own units."""
        return LANE * len(self.lanes)

    @property
    def is_dense(self) -> bool:
        """Whether there are so many events that the picture has room for little else."""
        return len(self.events) > FEW


def race_of(rows: Sequence[Mapping[str, Any]], events: Sequence[Event], mine: str | None = None) -> Race | None:
    """Return the race of the players of `season_course`, in the order of the table; None before the second event.

    Events that the reader may not know of have no name there, and of very many the latest are drawn.
    """
    whole = _order(rows)
    if len(whole) < 2:
        return None
    order = whole[-MOST:]
    behind = any(step["place"] > TOP for row in rows for step in row["steps"][-MOST:])
    lanes = [str(place + 1) for place in range(min(TOP, len(rows)))] + [f"{TOP + 1}+"] * behind
    shorts = short_names(row["player"]["name"] for row in rows)
    points = _texts(rows)
    dashes = _dashes([mark_of(row["player"]["id"]).colour for row in rows])
    known = {event.uid: event for event in events}

    def line(row: Mapping[str, Any], dash: int) -> Line:
        steps = {step["event"]: step for step in row["steps"]}
        places = [
            (_across(index, len(order)), _down(steps[event]["place"], len(lanes)))
            for index, event in enumerate(order)
            if event in steps
        ]
        stops = [Stop(steps[each]["rank"], points[steps[each]["points"]]) if each in steps else None for each in order]
        return Line(
            player=row["player"],
            short=shorts[row["player"]["name"]],
            rank=row["rank"],
            is_mine=row["player"]["id"] == mine,
            is_behind=row["steps"][-1]["place"] > TOP,
            colour=mark_of(row["player"]["id"]).colour,
            dashes=dash,
            path=_path(places),
            dots="".join(f"M{across} {down}h.01" for across, down in places),
            stops=stops,
        )

    return Race(
        lines=[line(row, dash) for row, dash in zip(rows, dashes, strict=True)],
        lanes=lanes,
        rules=[_down(place, len(lanes)) for place in range(1, len(lanes) + 1)],
        events=[known.get(event) for event in order],
        is_cut=len(whole) > MOST,
    )


def _order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the events in order of time: whoever came first has steps from then on, and all have the last."""
    longest: Sequence[Mapping[str, Any]] = max((row["steps"] for row in rows), key=len, default=[])
    return [step["event"] for step in longest]


def _texts(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    exact = sorted({step["points"] for row in rows for step in row["steps"]})
    return dict(zip(exact, map(str, scale_of(SEASON).texts(exact)), strict=True))


def _dashes(colours: Sequence[str]) -> list[int]:
    """Return the kind of each line: neighbours differ, and so do lines of one colour while there are kinds enough."""
    taken: set[tuple[str, int]] = set()
    found = []
    for index, colour in enumerate(colours):
        kinds = [(index + more) % DASHES for more in range(DASHES)]
        kind = next((each for each in kinds if (colour, each) not in taken), kinds[0])
        taken.add((colour, kind))
        found.append(kind)
    return found


def _across(index: int, count: int) -> int:
    return round(WIDTH * index / (count - 1))


def _down(place: int, lanes: int) -> int:
    return LANE * min(place, lanes) - LANE // 2


def _path(places: Sequence[tuple[int, int]]) -> str:
    """Return a line that leaves and reaches every place level, so that lanes can be told where lines cross."""
    (first, top), *others = places
    parts, before = [f"M{first} {top}"], first
    last = top
    for across, down in others:
        middle = (before + across) // 2
        parts.append(f"H{across}" if down == last else f"C{middle} {last} {middle} {down} {across} {down}")
        before, last = across, down
    return "".join(parts)
