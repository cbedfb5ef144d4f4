"""Tables with people at them, and sheets of games the engines really played."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

import engines
from engines.simulation import Plan, play_game
from tests.factories import (
    ClubFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RoundFactory,
    TableFactory,
    enter_all,
)
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Event, Round, Seat, Table

SMALLEST = {"ten-phases": 2, "sixmix": 3, "dix": 2, "dice-run": 3}


@dataclass
class Evening:
    """An event, who runs it, and one of its tables."""

    event: Event
    table: Table
    organiser: Actor

    @property
    def entries(self) -> list[Entry]:
        """Who sits at the table, in order."""
        return [seat.entry for seat in self.table.seats.select_related("entry__player", "entry__event")]

    @property
    def players(self) -> list[Actor]:
        """Those at the table as callers."""
        return [Actor(Kind.ENTRY, entry=entry) for entry in self.entries]

    @property
    def slip(self) -> Actor:
        """The table's own slip as a caller."""
        return Actor(Kind.TABLE, table=self.table)

    @property
    def scorekeeper(self) -> Actor:
        """A scorekeeper of the club as a caller."""
        return Actor(Kind.USER, user=MembershipFactory(club=self.event.club, role="scorekeeper").user)

    def sheet(self, number: int = 0) -> dict[str, Any]:
        """Return the sheet of the table's game number so and so."""
        return sheet_of(self.table, number)

    def again(self) -> Evening:
        """Return the same with the table as it is now."""
        self.table.refresh_from_db()
        self.event.refresh_from_db()
        return self


def evening(*, seats: int = 3, game: str = "dix", **fields: Any) -> Evening:
    """Return a running event with one table that is being played."""
    club = ClubFactory()
    organiser = Actor(Kind.USER, user=MembershipFactory(club=club, role="organiser").user)
    sizes = {"table_min": SMALLEST[game], "table_preferred": seats, "table_max": 5}
    event = EventFactory(**{"club": club, "game": game, "status": Event.Status.RUNNING, **sizes, **fields})
    current = RoundFactory(event=event, status=Round.Status.RUNNING)
    return Evening(event, table_in(current, enter_all(event, PlayerFactory.build_batch(seats))), organiser)


def table_in(current: Round, entries: list[Entry], number: int = 1) -> Table:
    """Return a table of a running round, with people at it."""
    table = TableFactory(round=current, number=number, status=Table.Status.PLAYING, variant=current.event.variant)
    Seat.objects.bulk_create(
        Seat(table=table, round=current, entry=entry, position=position) for position, entry in enumerate(entries, 1)
    )
    return table


def sheet_of(table: Table, number: int = 0) -> dict[str, Any]:
    """Return the deepest sheet of a game that the engines play at a table; the number picks one."""
    labels = [seat.entry.player.uid for seat in table.seats.select_related("entry__player").order_by("position")]
    return sheet_with(labels, number, game=table.round.event.game, variant=table.variant)


def sheet_with(labels: list[str], number: int, *, game: str, variant: str = "standard") -> dict[str, Any]:
    """Return the deepest sheet of a game that the engines play with people of these labels."""
    text = _played(game, variant, len(labels), number)
    for place, label in enumerate(labels, 1):
        text = text.replace(f'"seat-{place}"', f'"{label}"')
    return dict(json.loads(text))


@functools.cache
def _played(game: str, variant: str, people: int, number: int) -> str:
    return json.dumps(play_game(Plan(game, variant, people, seed=1), number).report)


def short(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return a legal sheet without its evidence, or as it is where that is needed to break a tie."""
    engine = engines.GAMES[sheet["game"]]
    stripped = engine.minimal(sheet)
    return stripped if engine.check(stripped).ok else sheet


def minimal(table: Table, sheet: dict[str, Any]) -> dict[str, Any]:
    """Return a sheet without its evidence."""
    return engines.GAMES[table.round.event.game].minimal(sheet)
