"""Play every game, variant and number of people some thousand times.

Writes `engines/data/scores.json` (how often each score was seen; `engines.likelihood` reads it), `docs/games.md` and
its pictures. Deterministic per seed, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import engines
from bench import svg
from engines.simulation import Plan, play_games

ROOT = Path(__file__).resolve().parent.parent
SEED = 1


DATA = ROOT / "engines" / "data" / "scores.json"


@dataclass
class Seen:
    """What was seen in the games of one variant with one number of people."""

    people: int
    games: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    winning: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)  # by place after the starter, shared wins by their share

    @property
    def title(self) -> str:
        """How a line of a chart is called."""
        return f"{self.people} players" if self.people > 1 else "alone"

    @property
    def mean_turns(self) -> float:
        """The mean number of turns in a game."""
        return sum(turns * count for turns, count in self.turns.items()) / self.games

    def advantage(self, place: int) -> float:
        """How many times its fair share the place after the starter wins."""
        return self.wins[place] / self.games * self.people

    def as_json(self) -> dict[str, Any]:
        """Return the counts as they are stored."""
        counts = {name: getattr(self, name) for name in ("scores", "winning", "turns")}
        stored = {name: {str(each): count[each] for each in sorted(count)} for name, count in counts.items()}
        return {"games": self.games, **stored, "wins": [round(wins, 3) for wins in self.wins]}

    @classmethod
    def from_json(cls, people: int, stored: dict[str, Any]) -> Seen:
        """Read the counts again."""
        counts = {
            name: Counter({int(each): count for each, count in stored[name].items()})
            for name in stored
            if name not in {"games", "wins"}
        }
        return cls(people, stored["games"], wins=stored["wins"], **counts)


def run(arguments: list[str]) -> None:
    """Simulate, then write data, document and pictures."""
    parser = argparse.ArgumentParser(prog="./run bench games", description=__doc__)
    parser.add_argument("--game", choices=engines.GAMES, action="append", help="only this game; the others stay")
    parser.add_argument("--games", type=int, default=2000, help="per variant and number of people")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--redraw", action="store_true", help="draw what is known again and play nothing")
    options = parser.parse_args(arguments)
    if options.redraw:
        _write_document(json.loads(DATA.read_text()))
        return
    for slug in options.game or engines.GAMES:
        seen: dict[str, Any] = {}
        for variant in engines.GAMES[slug].variants:
            partners = len(variant.partners)
            seen[variant.slug] = {
                str(people + partners): _simulate(slug, variant.slug, people, options).as_json()
                for people in variant.people
            }
        _write(slug, seen)


def _simulate(slug: str, variant: str, people: int, options: argparse.Namespace) -> Seen:
    plan = Plan(slug, variant, people, seed=SEED)
    engine, seats = plan.engine, plan.seats
    seen = Seen(people, wins=[0.0] * len(seats))
    for played in play_games(plan, options.games, options.jobs):
        rows = engine.check(played.report).standings or ()
        winners = [row for row in rows if row.rank == 1]
        seen.games += 1
        seen.turns[played.turns] += 1
        seen.winning[winners[0].score] += 1
        for row in rows:
            seen.scores[row.score] += 1
        for winner in winners:
            seen.wins[(seats.index(winner.seat) - played.starter) % len(seats)] += 1 / len(winners)
    print(f"{slug} {variant} {people}: {seen.games} games, {seen.mean_turns:.1f} turns", file=sys.stderr, flush=True)
    return seen


def _write(slug: str, seen: dict[str, Any]) -> None:
    """Put a game's counts among those of the others, and draw everything again."""
    table = (json.loads(DATA.read_text()) if DATA.exists() else {}) | {slug: seen}
    ordered = {game: table[game] for game in engines.GAMES if game in table}
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(ordered, separators=(",", ":")) + "\n")
    _write_document(ordered)


INTRODUCTION = """# The games in numbers

What happens when the engines' decent players play every variant with every number of people (`./run bench games`).
The scores are those that an unusual sheet is held against (`engines.likelihood`): a score far out in the tail is a
reason for a person to look, never an error. People play more variously than the decent player, so read the shapes,
not the third digit.

Per variant three pictures: how scores are spread, how many turns a game takes, and how often the starter, the one
after the starter and so on win, as a multiple of their fair share.
"""

HOUSE = "\n## The house players\n"


def _write_document(table: dict[str, Any]) -> None:
    parts = [INTRODUCTION]
    for slug, variants in table.items():
        engine = engines.GAMES[slug]
        parts.append(f"\n## {engine.name.en}\n\n{engine.summary.en} [Its rules](rules/{slug}.md).\n")
        for variant, stored in variants.items():
            partners = len(engine.variant(variant).partners)
            rows = [Seen.from_json(int(seats) - partners, counts) for seats, counts in stored.items()]
            name = engine.variant(variant).name.en
            pictures = _pictures(f"{engine.name.en}, {name}", f"{slug}-{variant}", rows)
            parts.append(f"\n### {name}\n\n{_table(rows)}\n\n{pictures}\n")
    document = ROOT / "docs" / "games.md"
    parts += document.read_text().partition(HOUSE)[1:]  # written by hand
    document.write_text("".join(parts))


def _pictures(title: str, stem: str, rows: list[Seen]) -> str:
    """Write the pictures of a variant and return the Markdown that shows them."""
    charts: dict[str, tuple[Callable[[Seen], svg.Points], str, str]] = {
        "scores": (lambda row: _smooth(row.scores), "score", "share of seats"),
        "turns": (lambda row: _smooth(row.turns), "turns in a game", "share of games"),
        "places": (
            lambda row: [(place + 1, row.advantage(place)) for place in range(row.people)],
            "turn order (1 = starter)",
            "wins, 1 = fair",
        ),
    }
    folder = ROOT / "docs" / "images" / "games"
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for kind, (points, across, up) in charts.items():
        lines = {row.title: points(row) for row in rows if kind != "places" or row.people > 1}
        if lines:
            (folder / f"{stem}-{kind}.svg").write_text(svg.curves(f"{title}: {kind}", lines, across, up))
            shown.append(f"![{title}: {kind}](images/games/{stem}-{kind}.svg)")
    return "\n".join(shown)


def _smooth(scores: Counter[int]) -> list[tuple[float, float]]:
    """Return shares per score, in at most forty steps so that the shape shows and not the noise."""
    low, high, total = min(scores), max(scores), sum(scores.values())
    width = max(1, (high - low + 1) // 40)
    edges = list(range(low, high + width + 1, width))
    return [
        ((first + last - 1) / 2, sum(scores[score] for score in range(first, last)) / total / width)
        for first, last in pairwise(edges)
    ]


def _quantile(counts: Counter[int], share: float) -> int:
    wanted, running = share * sum(counts.values()), 0
    for value in sorted(counts):
        running += counts[value]
        if running >= wanted:
            return value
    return max(counts)


def _table(rows: list[Seen]) -> str:
    lines = [
        "| Players | games | turns | scores: 1 % – median – 99 % | median winner | wins: starter, 2nd, … (1 = fair) |",
        "| --- | ---: | ---: | :---: | ---: | --- |",
    ]
    for row in rows:
        low, middle, high = (_quantile(row.scores, share) for share in (0.01, 0.5, 0.99))
        advantage = " · ".join(f"{row.advantage(place):.2f}" for place in range(row.people)) if row.people > 1 else "–"
        winner = _quantile(row.winning, 0.5)
        cells = (row.title, row.games, f"{row.mean_turns:.0f}", f"{low} – {middle} – {high}", winner, advantage)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
