"""Which rounds can be cancelled, what that leaves behind, and how large a final can be."""

from __future__ import annotations

import pytest

from scoring.services import rounds as seating
from scoring.services.rounds import seat_next_round
from tests.factories import MembershipFactory
from tests.tournaments.events import event_of
from tournaments.actors import Actor, Kind
from tournaments.errors import EventStatusError, RoundStatusError, TooFewPlayersError
from tournaments.models import Event, Round, Table
from tournaments.services import entries, events, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="owner").user)


def event_with(organiser, players, **fields):
    event = event_of(organiser.user.memberships.get().club, **fields)
    for number in range(players):
        entries.add_entry(actor=organiser, event=event, name=f"P{number}")
    return event


def play(organiser, event, number, **how):
    """Seat a round, give every table a result and close it."""
    seat_next_round(actor=organiser, event=event, seed=number, **how)
    move(organiser, event, number, "running")
    Table.objects.filter(round__event=event).update(status="final")
    move(organiser, event, number, "closed")


def move(organiser, event, number, status):
    return rounds.change_status(actor=organiser, event=event, number=number, status=status)


def test_only_the_latest_round_can_be_cancelled_so_that_numbers_have_no_gap(organiser):
    event = event_with(organiser, 4)
    play(organiser, event, 1)
    play(organiser, event, 2)
    move(organiser, event, 1, "running")
    with pytest.raises(RoundStatusError) as refused:
        move(organiser, event, 1, "cancelled")
    assert refused.value.facts["possible"] == ["closed"]
    move(organiser, event, 1, "closed")
    move(organiser, event, 2, "running")
    assert move(organiser, event, 2, "cancelled").status == Round.Status.CANCELLED


def test_tables_can_have_another_size_after_the_only_round_of_a_rotation_was_cancelled(organiser):
    event = event_with(organiser, 12, format="rotation")
    seat_next_round(actor=organiser, event=event, seed=1)
    move(organiser, event, 1, "cancelled")
    fields = {"table_min": 3, "table_preferred": 3, "table_max": 3}
    events.edit_event(actor=organiser, event=Event.objects.get(pk=event.pk), fields=fields)
    again = seat_next_round(actor=organiser, event=event, seed=1)
    assert [table.seats.count() for table in again.tables.all()] == [3] * 4


def test_a_final_is_any_table_of_the_game_however_large_the_others_are(organiser):
    event = event_with(organiser, 4, table_min=4, table_max=4)
    play(organiser, event, 1)
    named = [entry.uid for entry in event.entries.all()[:3]]
    final = seat_next_round(actor=organiser, event=event, seed=1, only=named, is_final=True)
    table = final.tables.get()
    assert [seat.entry.uid for seat in table.seats.order_by("position")] == named
    rounds.move_seats(actor=organiser, event=event, number=2, tables={table.uid: named[::-1]})
    move(organiser, event, 2, "cancelled")
    with pytest.raises(TooFewPlayersError):
        seat_next_round(actor=organiser, event=event, seed=1, only=named[:1], is_final=True)


def test_extra_time_has_an_end(organiser):
    event = event_with(organiser, 4)
    seat_next_round(actor=organiser, event=event, seed=1)
    Round.objects.update(extra_minutes=rounds.MOST_EXTRA_MINUTES - 1)
    extended = rounds.extend(actor=organiser, event=event, number=1, minutes=240)
    assert extended.extra_minutes == rounds.MOST_EXTRA_MINUTES


@pytest.fixture
def latecomers(organiser, monkeypatch):
    """Let a player come during each of the next searches, as many as are asked for; return how many searches ran."""

    def come(event, number):
        choose, searches = seating._choose, []

        def choose_slowly(snapshot, seed, **how):
            found = choose(snapshot, seed, **how)
            if len(searches) < number:
                entries.add_entry(actor=organiser, event=event, name=f"Late {len(searches)}")
            searches.append(len(snapshot.entries))
            return found

        monkeypatch.setattr(seating, "_choose", choose_slowly)
        return searches

    return come


def test_a_player_who_comes_while_a_round_is_seated_is_seated_too(organiser, latecomers):
    event = event_with(organiser, 4)
    searches = latecomers(event, 1)
    seated = seat_next_round(actor=organiser, event=event, seed=1)
    assert searches == [4, 5]
    assert sum(table.seats.count() for table in seated.tables.all()) == 5


def test_a_round_is_not_seated_while_players_keep_coming(organiser, latecomers):
    event = event_with(organiser, 4)
    searches = latecomers(event, 10)
    with pytest.raises(EventStatusError, match="keep coming"):
        seat_next_round(actor=organiser, event=event, seed=1)
    assert searches == [4, 5, 6]
    assert not Round.objects.exists()


def test_rounds_are_chosen_with_those_in_mind_that_are_still_to_come(organiser, monkeypatch):
    event, left = event_with(organiser, 8, format="swiss", rounds_planned=2), []
    search = seating.seat_swiss
    monkeypatch.setattr(
        seating, "seat_swiss", lambda *of, **how: left.append(how["rounds_left"]) or search(*of, **how)
    )
    for number in range(1, 4):
        play(organiser, event, number)
    assert left == [2, 1, 1]
