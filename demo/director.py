"""Where events are played: announce one, seat its rounds, play its tables and report them."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction

from demo.clock import Clock
from demo.games import Hall, Sitting
from scoring.models import Report
from scoring.services import reports
from scoring.services.rounds import seat_next_round
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Action, Affiliation, Club, Confirmation, Entry, Event, Player, Round, Table
from tournaments.selectors import SEATS
from tournaments.services import events, rounds, tables
from tournaments.services.history import action_of
from tournaments.trust import is_own


class Stage:
    """The organiser of all clubs, how weak each player is, and what time it is.

    Everything goes through the services, as an organiser and phones would have called them at the time.
    """

    def __init__(self, hall: Hall, clock: Clock, rng: random.Random, organiser: Actor) -> None:
        self.hall, self.clock, self.rng, self.organiser = hall, clock, rng, organiser
        self.weakness: dict[int, float] = {}
        self._seed = 0

    def announce(
        self, *, club: Club, starts_at: dt.datetime, fields: Mapping[str, Any], players: Iterable[Player]
    ) -> Event:
        """Create an event some days before it starts, and let people in when the doors open."""
        sizes = {"table_min": 3, "table_max": 5, "table_preferred": 4}
        self.clock.set(starts_at - dt.timedelta(days=3))
        event = events.create_event(
            actor=self.organiser, club=club, fields={**sizes, **fields, "starts_at": starts_at}
        )
        event = events.change_status(actor=self.organiser, event=event, status=Event.Status.REGISTRATION)
        self.clock.set(starts_at - dt.timedelta(minutes=20))
        self._let_in(event, list(players))
        self.clock.set(starts_at)
        return event

    @transaction.atomic
    def _let_in(self, event: Event, players: Sequence[Player]) -> None:
        """Enter everybody who comes: the club its own people, those of other clubs themselves, with a proof.

        They leave behind what `entries.enter` would have, in a few statements for all: one by one they took a third of
        the time. Nobody in the demo holds a phone, so the proof is left out.
        """
        event = events.lock_event(event)
        made = Entry.objects.bulk_create(Entry(event=event, player=each, name=each.name) for each in players)
        known = (Affiliation(club=event.club, player=each) for each in players)
        Affiliation.objects.bulk_create(known, ignore_conflicts=True)
        Action.objects.bulk_create(
            action_of(
                actor=self.organiser if is_own(each.player, event.club) else NOBODY,
                event=event,
                verb="entered",
                entry=each.uid,
                name=each.name,
            )
            for each in made
        )
        events.bump(event)
        events.mark_standings(event)

    def play_round(self, event: Event, *, is_final: bool = False) -> None:
        """Seat a round, play its tables, report them one after the other, and close it."""
        current = self.start_round(event, is_final=is_final)
        seated = tables_of(current)
        sheets = self.play(map(people_at, seated))
        self.clock.wait(self.rng.uniform(20, 30))
        for table, sheet in zip(seated, sheets, strict=True):
            self.clock.wait(self.rng.uniform(0.5, 3))
            report(table, sheet, people_at(table))
        self.clock.wait(2)
        self.move_round(current, Round.Status.CLOSED)

    def start_round(self, event: Event, *, is_final: bool = False) -> Round:
        """Seat and start the next round."""
        seated = seat_next_round(actor=self.organiser, event=event, seed=self.new_seed(), is_final=is_final)
        self.clock.wait(4)
        return self.move_round(seated, Round.Status.RUNNING)

    def move_round(self, current: Round, status: str) -> Round:
        """Start or close a round."""
        return rounds.change_status(actor=self.organiser, event=current.event, number=current.number, status=status)

    def play_open(self, event: Event, evenings: int) -> None:
        """Let players form a table on each of many evenings."""
        event = events.change_status(actor=self.organiser, event=event, status=Event.Status.RUNNING)
        present = list(Entry.objects.filter(event=event).select_related("player", "event"))
        groups = [self.rng.sample(present, self.rng.choice([3, 4, 4])) for _ in range(evenings)]
        for evening, (group, sheet) in enumerate(zip(groups, self.play(groups), strict=True)):
            self.clock.set(event.starts_at + dt.timedelta(days=evening * 11 // evenings, minutes=5 * evening))
            table = tables.form_table(actor=self.organiser, event=event, entries=group)
            tables.begin(actor=self.organiser, table=table)
            self.clock.wait(self.rng.uniform(25, 40))
            report(table, sheet, group)

    def play(self, groups: Iterable[Sequence[Entry]]) -> Iterator[dict[str, Any]]:
        """Yield what happens when groups of people each play a game, all at the same time."""
        return self.hall.play([self.sitting(group) for group in groups])

    def sitting(self, group: Sequence[Entry]) -> Sitting:
        """Return a table of people as the engines see it."""
        event = group[0].event
        return Sitting(
            game=event.game,
            variant=rounds.variant_of(event, len(group)),
            seats=[entry.player.uid for entry in group],
            weakness=[self.weakness[entry.player_id] for entry in group],
            seed=self.new_seed(),
            definition=event.definition.definition if event.definition else None,
        )

    def new_seed(self) -> int:
        """Return a number that was not used before."""
        self._seed += 1
        return self._seed


def tables_of(current: Round) -> list[Table]:
    """Return the tables of a round in order, with those who sit there."""
    found = current.tables.select_related("round__event__club").prefetch_related(SEATS)
    return list(found.order_by("number"))


def people_at(table: Table) -> list[Entry]:
    """Return who sits at a table as `tables_of` has it, in order."""
    people = [seat.entry for seat in table.seats.all()]
    for entry in people:
        entry.event = table.round.event
    return people


def phone(entry: Entry) -> Actor:
    """Return a player as a caller."""
    return Actor(Kind.ENTRY, entry=entry)


def report(table: Table, sheet: dict[str, Any], people: Sequence[Entry]) -> Report:
    """Send a sheet from the first seat of a table, and have the second confirm it where the event wants that."""
    first, second, *_others = people
    sent = reports.submit_report(actor=phone(first), table=table, sheet=sheet)
    if table.round.event.confirmation != Confirmation.CONFIRM:
        return sent
    return reports.confirm_report(actor=phone(second), report=sent)
