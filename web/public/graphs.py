"""The line of a rating as an SVG that stretches to its place; labels stand beside it, so that they never shrink."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 1000, 400
MOST_POINTS = 240  # more than a phone has pixels for
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MOST_LINES = 5


class Point(NamedTuple):
    """A rating after a table."""

    at: dt.datetime
    rating: float


@dataclass(frozen=True, slots=True)
class Graph:
    """A line to draw. `settled` is the part after the provisional tables; `scale` is read from the top."""

    provisional: str
    settled: str
    area: str
    end: str
    peak: str
    rules: Sequence[int]
    scale: Sequence[int]
    first: Point
    last: Point
    best: Point
    tables: int


def graph_of(points: Sequence[Point], provisional: int) -> Graph | None:
    """Return the graph of ratings in order; the first `provisional` are drawn as such. None for fewer than two."""
    if len(points) < 2:
        return None
    scale = _scale([point.rating for point in points])
    best = max(range(len(points)), key=lambda index: points[index].rating)
    shown = _thinned(len(points), best)

    def place(index: int) -> str:
        across = WIDTH * index / (len(points) - 1)
        up = HEIGHT * (scale[0] - points[index].rating) / (scale[0] - scale[-1])
        return f"{across:.1f} {up:.1f}"

    line = [place(index) for index in shown]
    cut = sum(index < provisional for index in shown)
    return Graph(
        provisional=_path(line[: cut + 1]),
        settled=_path(line[max(cut, 0) :]) if cut < len(line) else "",
        area=f"{_path(line)} L{WIDTH} {HEIGHT} L0 {HEIGHT} Z",
        end=f"M{line[-1]} h0.01",
        peak=f"M{place(best)} h0.01",
        rules=[HEIGHT * each // (len(scale) - 1) for each in range(len(scale))],
        scale=scale,
        first=points[0],
        last=points[-1],
        best=points[best],
        tables=len(points),
    )


def _path(places: Sequence[str]) -> str:
    return "M" + " L".join(places)


def _scale(ratings: Sequence[float]) -> list[int]:
    """Return round ratings at equal distances that hold all of these, the highest first."""
    low, high = min(ratings), max(ratings)
    step = next((each for each in STEPS if (high - low) / each <= MOST_LINES - 2), STEPS[-1])
    bottom, top = int(low // step) * step, -int(-high // step) * step
    return list(range(max(top, bottom + step), bottom - 1, -step))


def _thinned(count: int, best: int) -> list[int]:
    """Return which of many points are drawn: evenly many, the first, the last and the best."""
    if count <= MOST_POINTS:
        return list(range(count))
    even = {round(each * (count - 1) / (MOST_POINTS - 1)) for each in range(MOST_POINTS)}
    return sorted(even | {best})
