"""Whatever an organiser does, in whatever order, the rules of an event hold."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.errors import DomainError
from scoring.services.rounds import seat_next_round
from tests.factories import UserFactory
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Event, Round, Seat, SitOut, Table
from tournaments.services import entries, events, rounds
from tournaments.services.clubs import create_club

pytestmark = pytest.mark.django_db


class Organiser(RuleBasedStateMachine):
    """An organiser of an event of four rounds who may do anything at any time."""

    def __init__(self):
        super().__init__()
        self.actor = Actor(Kind.USER, user=UserFactory())
        club = create_club(actor=self.actor, name=f"Club {self.actor.user.pk}")
        fields = {
            "name": "Evening",
            "game": "dice-run",
            "starts_at": timezone.now() - dt.timedelta(hours=1),
            "table_min": 3,
            "table_max": 4,
        }
        self.event = events.create_event(actor=self.actor, club=club, fields=fields)
        events.change_status(actor=self.actor, event=self.event, status="registration")
        self.joined = 0
        for _ in range(4):
            self.join()

    def attempt(self, service, **arguments):
        """Do something; whatever is refused must leave no trace, and the invariants look for one."""
        with suppress(DomainError):
            service(actor=self.actor, **arguments)

    def entry(self, data):
        return data.draw(st.sampled_from(list(selectors.entries_of(self.event))))

    @precondition(lambda self: self.joined < 14)
    @rule()
    def join(self):
        self.joined += 1
        self.attempt(entries.add_entry, event=self.event, name=f"Player {self.joined}")

    @rule(data=st.data(), status=st.sampled_from(Entry.Status.values))
    def change_entry(self, data, status):
        self.attempt(entries.change_status, entry=self.entry(data), status=status)

    @rule(data=st.data())
    def substitute(self, data):
        self.joined += 1
        self.attempt(entries.substitute, entry=self.entry(data), name=f"Player {self.joined}")

    @rule(seed=st.integers(0, 99))
    def seat(self, seed):
        before = {entry.pk for entry in selectors.entries_of(self.event) if entry.status == "checked_in"}
        count = Round.objects.filter(event=self.event).count()
        self.attempt(seat_next_round, event=self.event, seed=seed)
        if Round.objects.filter(event=self.event).count() > count:
            latest = Round.objects.filter(event=self.event).latest("pk")
            seated = set(latest.seats.values_list("entry", flat=True))
            out = set(latest.sit_outs.values_list("entry", flat=True))
            assert seated | out == before
            assert not seated & out
            assert all(3 <= table.seats.count() <= 4 for table in latest.tables.all())
            self.check_sit_outs(latest, out, before)

    def check_sit_outs(self, latest, out, present):
        """Nobody sits out again while somebody who was there as long has not."""
        times = {
            entry: SitOut.objects.filter(entry=entry, round__number__lt=latest.number)
            .exclude(round__status="cancelled")
            .count()
            for entry in present
        }
        assert all(times[entry] <= min(times[other] for other in present - out) for entry in out if present - out)

    @rule(data=st.data(), status=st.sampled_from(Round.Status.values))
    def change_round(self, data, status):
        numbers = list(selectors.rounds_of(self.event).values_list("number", flat=True))
        if numbers:
            number = data.draw(st.sampled_from(numbers))
            self.attempt(rounds.change_status, event=self.event, number=number, status=status, reason="because")

    @rule()
    def settle(self):
        """Give every table of the open round a result, as reports will."""
        current = selectors.open_round(self.event)
        if current is not None and current.status == "running":
            Table.objects.filter(round=current).update(status="final")

    @rule(data=st.data())
    def move_two(self, data):
        current = selectors.open_round(self.event)
        if current is not None:
            seats = list(Seat.objects.filter(round=current).select_related("table", "entry"))
            one, other = data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(seats))
            tables = {
                table.uid: [seat.entry.uid for seat in table.seats.order_by("position")]
                for table in {one.table, other.table}
            }
            tables[one.table.uid][one.position - 1], tables[other.table.uid][other.position - 1] = (
                other.entry.uid,
                one.entry.uid,
            )
            self.attempt(rounds.move_seats, event=self.event, number=current.number, tables=tables)

    @rule(status=st.sampled_from(["registration", "running", "finished", "draft"]))
    def change_event(self, status):
        self.attempt(events.change_status, event=self.event, status=status, reason="because")

    @invariant()
    def at_most_one_round_is_open(self):
        if hasattr(self, "event"):
            assert Round.objects.filter(event=self.event, status__in=["seated", "running"]).count() <= 1

    @invariant()
    def round_numbers_have_no_gap(self):
        if hasattr(self, "event"):
            numbers = sorted(selectors.rounds_of(self.event).values_list("number", flat=True))
            assert numbers == list(range(1, len(numbers) + 1))

    @invariant()
    def positions_have_no_gap(self):
        if hasattr(self, "event"):
            for table in Table.objects.filter(round__event=self.event).prefetch_related("seats"):
                positions = sorted(seat.position for seat in table.seats.all())
                assert positions == list(range(1, len(positions) + 1))

    @invariant()
    def finished_event_has_no_open_round(self):
        if hasattr(self, "event"):
            event = Event.objects.get(pk=self.event.pk)
            assert not (event.is_over and selectors.open_round(event))


class TestLifecycle(Organiser.TestCase, TestCase):
    settings = settings(
        max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
    )
