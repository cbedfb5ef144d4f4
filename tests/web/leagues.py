"""A club with evenings behind it, played by the engines, and everything that is computed from them."""

from __future__ import annotations

from typing import Any

from core import computations
from scoring import tasks
from scoring.services.reports import submit_report
from scoring.services.rounds import seat_next_round
from tests.factories import AffiliationFactory, EntryFactory, EventFactory, MembershipFactory
from tests.scoring.evenings import sheet_of
from tournaments.actors import Actor, Kind
from tournaments.models import Club, Confirmation, Event, Player, Round, Table
from tournaments.services import events, rounds


class League:
    """A club whose players meet evening after evening; `organiser` runs them."""

    def __init__(self, club: Club, players: list[Player]) -> None:
        self.club, self.players = club, players
        self.organiser = Actor(Kind.USER, user=MembershipFactory(club=club).user)
        for player in players:
            AffiliationFactory(club=club, player=player)

    def evening(self, *, played: int = 1, is_over: bool = True, seed: int = 1, **fields: Any) -> Event:
        """Play rounds of an event; one that is not over has a round after them that is under way."""
        sizes = {"game": "dix", "table_min": 3, "table_preferred": 4, "table_max": 5}
        event = EventFactory(**{"club": self.club, "confirmation": Confirmation.TRUST, **sizes, **fields})
        for player in self.players:
            EntryFactory(event=event, player=player)
        for number in range(played):
            for table in self.begin(event).tables.all():
                self.report(table, 100 * seed + 10 * number + table.number)
            self._status(event, "closed")
        if is_over:
            events.change_status(actor=self.organiser, event=event, status="finished")
        else:
            self.begin(event)
        catch_up()
        event.refresh_from_db()
        return event

    def begin(self, event: Event) -> Round:
        """Seat and start the next round."""
        event.refresh_from_db()
        seat_next_round(actor=self.organiser, event=event, seed=1)
        return self._status(event, "running")

    def _status(self, event: Event, status: str) -> Round:
        event.refresh_from_db()
        number = Round.objects.filter(event=event).count()
        return rounds.change_status(actor=self.organiser, event=event, number=number, status=status)

    def report(self, table: Table, number: int = 0) -> None:
        """Send in the sheet of a table's game number so and so; it counts at once."""
        table.refresh_from_db()
        first = table.seats.select_related("entry__event", "entry__player").order_by("position")[0]
        submit_report(actor=Actor(Kind.ENTRY, entry=first.entry), table=table, sheet=sheet_of(table, number))


def catch_up() -> None:
    """Compute everything that is out of date, as the worker does."""
    for _ in range(3):  # standings wait for ratings, seasons for standings
        for kind, key in sorted(computations.behind()):
            tasks.refresh(kind, key)
