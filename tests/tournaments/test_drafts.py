"""A seating is a draft until it is published: for the club alone, of any shape, and then for everybody at once."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.utils import timezone

from scoring.exports import everything_about
from scoring.services.reports import submit_report
from scoring.services.rounds import seat_next_round
from tests.factories import MembershipFactory
from tests.scoring.evenings import sheet_of
from tests.tournaments.events import event_of
from tournaments import selectors
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import ForbiddenError, RoundOpenError, RoundStatusError, SeatingInvalidError
from tournaments.models import Action, Delivery, Event, Round, SitOut, Table
from tournaments.services import entries, events, plans, rounds, tables
from tournaments.services.webhooks import create_webhook
from web.phone.home_state import Between, Rows, evening_of, version_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="owner").user)


def event_with(organiser, players, **fields):
    event = event_of(organiser.user.memberships.get().club, **fields)
    for number in range(players):
        entries.add_entry(actor=organiser, event=event, name=f"P{number}")
    event.refresh_from_db()
    return event


def drafted(organiser, event, **how):
    return seat_next_round(actor=organiser, event=event, seed=1, is_draft=True, **how)


def rows(entry):
    secret = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    return Rows.held_by(secret, entry.event.uid)


def publish(organiser, event, number=1):
    return rounds.change_status(actor=organiser, event=event, number=number, status="seated")


def move(organiser, event, tables, number=1):
    return rounds.move_seats(actor=organiser, event=event, number=number, tables=tables)


def seats(table):
    return [seat.entry.uid for seat in table.seats.select_related("entry").order_by("position")]


def test_players_see_nothing_of_a_draft_until_it_is_published(organiser):
    event = event_with(organiser, 8)
    create_webhook(actor=organiser, club=event.club, url="https://example.org/", types=["round.seated"])
    entry = event.entries.first()
    before = version_of(rows(entry))
    draft = drafted(organiser, event)
    table = draft.tables.first()
    player = Actor(Kind.ENTRY, entry=table.seats.first().entry)
    slip = Actor(Kind.TABLE, table=table)
    assert version_of(rows(entry)) == before
    assert evening_of(rows(entry)).between == Between.SOON
    assert Delivery.objects.count() == 0
    assert event.rounds.get().status == "draft"
    assert Event.objects.get().status == Event.Status.REGISTRATION
    for caller in (player, slip, NOBODY):
        assert not selectors.visible_tables(caller).exists()
    assert selectors.visible_tables(organiser).count() == 2
    publish(organiser, event)
    assert version_of(rows(entry)) != before
    assert evening_of(rows(entry)).places
    assert Delivery.objects.count() == 1
    assert Event.objects.get().status == Event.Status.RUNNING
    for caller in (player, slip, NOBODY):
        assert selectors.visible_tables(caller).count() == 2


@pytest.mark.parametrize("end", ["round", "event"])
def test_players_see_nothing_of_a_draft_that_was_cancelled(organiser, end):
    event = event_with(organiser, 8)
    drafted(organiser, event)
    if end == "round":
        rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    else:
        events.change_status(actor=organiser, event=event, status="cancelled")
    table = Table.objects.first()
    callers = (Actor(Kind.ENTRY, entry=table.seats.first().entry), Actor(Kind.TABLE, table=table), NOBODY)
    for caller in callers:
        assert not selectors.visible_tables(caller).exists()
        assert selectors.seen_table(caller, table.uid) is None
    assert selectors.visible_tables(organiser).count() == 2


def test_what_was_cancelled_before_the_update_was_a_draft_where_the_history_says_so(organiser):
    event = event_with(organiser, 4)
    for is_published in (False, True, False):
        drafted(organiser, event)
        if is_published:
            publish(organiser, event)
        rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    before = [each.closed_at is None for each in event.rounds.order_by("pk")]
    Round.objects.update(closed_at=timezone.now())
    importlib.import_module("tournaments.migrations.0039_drafts_that_were_cancelled").fill(apps, None)
    assert before == [each.closed_at is None for each in event.rounds.order_by("pk")] == [True, False, True]


def test_a_published_round_that_was_cancelled_is_still_to_be_found(organiser):
    event = event_with(organiser, 4)
    drafted(organiser, event)
    publish(organiser, event)
    rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    assert selectors.visible_tables(NOBODY).count() == 1


def test_what_somebody_has_exported_says_nothing_of_drafts(organiser):
    event = event_with(organiser, 5)
    entry = event.entries.first()

    def told():
        return everything_about(entry.player)["events"]["seats"] + everything_about(entry.player)["events"]["sit_outs"]

    drafted(organiser, event)
    assert told() == []
    rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    assert told() == []
    drafted(organiser, event)
    publish(organiser, event)
    assert len(told()) == 1


def test_a_draft_takes_no_sheet_and_no_second_seating(organiser):
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    with pytest.raises(RoundStatusError):
        submit_report(actor=organiser, table=table, sheet=sheet_of(table))
    with pytest.raises(RoundOpenError):
        drafted(organiser, event)
    with pytest.raises(RoundStatusError):
        rounds.change_status(actor=organiser, event=event, number=1, status="running")


def test_tables_are_added_and_removed_in_a_draft_and_its_shape_is_judged_when_it_is_published(organiser):
    event = event_with(organiser, 8, table_labels=[{"label": "", "room": ""}] * 2 + [{"label": "window", "room": ""}])
    draft = drafted(organiser, event)
    first, second = draft.tables.order_by("number")
    third = rounds.add_table(actor=organiser, event=event, number=1)
    assert (third.number, third.label) == (3, "window")
    one, *others = seats(first)
    move(organiser, event, {first.uid: others, third.uid: [one]})
    with pytest.raises(SeatingInvalidError, match="A table of 1"):
        publish(organiser, event)
    assert Round.objects.get().status == "draft"
    rounds.remove_table(actor=organiser, table=third)
    assert [out.entry.uid for out in SitOut.objects.select_related("entry")] == [one]
    move(organiser, event, {second.uid: [*seats(second), one]})
    assert not SitOut.objects.exists()
    publish(organiser, event)
    assert [len(seats(table)) for table in (first, second)] == [3, 5]
    with pytest.raises(RoundStatusError):
        rounds.add_table(actor=organiser, event=event, number=1)
    with pytest.raises(RoundStatusError):
        rounds.remove_table(actor=organiser, table=second)


def test_a_table_of_a_cancelled_round_stays_with_its_sheets_when_the_round_is_seated_anew(organiser):
    """Both rounds have the same number, and only the new one is a draft."""
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    publish(organiser, event)
    rounds.change_status(actor=organiser, event=event, number=1, status="running")
    submit_report(actor=organiser, table=table, sheet=sheet_of(table))
    rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    drafted(organiser, event)
    with pytest.raises(RoundStatusError, match="Round 1 is cancelled"):
        rounds.remove_table(actor=organiser, table=table)
    assert (table.reports.count(), SitOut.objects.count()) == (1, 0)


def test_a_round_that_was_cancelled_meanwhile_is_said_to_be(organiser):
    """Two organisers press buttons at once: the second had found the round before the first cancelled it."""
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
    with pytest.raises(RoundStatusError, match="Round 1 is cancelled"):
        publish(organiser, event)
    with pytest.raises(RoundStatusError, match="Round 1 is cancelled"):
        move(organiser, event, {table.uid: seats(table)})
    with pytest.raises(RoundStatusError, match="Round 1 is cancelled"):
        rounds.remove_table(actor=organiser, table=table)


def test_an_empty_table_of_a_draft_is_gone_when_it_is_published(organiser):
    event = event_with(organiser, 4)
    drafted(organiser, event)
    rounds.add_table(actor=organiser, event=event, number=1)
    publish(organiser, event)
    assert Table.objects.get().seats.count() == 4


def test_a_draft_with_nobody_at_a_table_is_not_published(organiser):
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    move(organiser, event, {table.uid: []})
    with pytest.raises(SeatingInvalidError, match="Nobody"):
        publish(organiser, event)


def test_who_loses_a_seat_in_a_draft_sits_out_and_outside_of_one_nobody_loses_it(organiser):
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    *others, last = seats(table)
    move(organiser, event, {table.uid: others})
    publish(organiser, event)
    assert [out.entry.uid for out in SitOut.objects.select_related("entry")] == [last]
    with pytest.raises(SeatingInvalidError, match="lose their seat"):
        move(organiser, event, {table.uid: others[:-1]})


def drop(entry, actor=None):
    return entries.change_status(actor=actor or Actor(Kind.ENTRY, entry=entry), entry=entry, status="dropped")


@pytest.mark.parametrize("mend", ["take them off", "seat again", "they are back"])
def test_a_draft_with_somebody_who_dropped_out_is_not_published(organiser, mend):
    event = event_with(organiser, 5)
    table = drafted(organiser, event).tables.get()
    gone = [drop(entry) for entry in event.entries.order_by("pk")[:2]]
    with pytest.raises(SeatingInvalidError, match="not checked in: P0, P1"):
        publish(organiser, event)
    assert (Round.objects.get().status, Delivery.objects.count()) == ("draft", 0)
    match mend:
        case "take them off":
            for entry in gone:  # one after the other, as in the console
                move(organiser, event, {table.uid: [uid for uid in seats(table) if uid != entry.uid]})
        case "seat again":
            rounds.change_status(actor=organiser, event=event, number=1, status="cancelled")
            drafted(organiser, event)
        case "they are back":
            for entry in gone:
                entries.change_status(actor=organiser, entry=entry, status="checked_in")
    assert publish(organiser, event).status == "seated"
    assert Table.objects.get(round__status="seated").seats.count() == (5 if mend == "they are back" else 3)
    assert not SitOut.objects.exists()


def test_nobody_who_dropped_out_is_put_into_a_draft(organiser):
    event = event_with(organiser, 4)
    gone = drop(event.entries.first(), organiser)
    table = drafted(organiser, event).tables.get()
    with pytest.raises(SeatingInvalidError, match="not checked in: P0"):
        move(organiser, event, {table.uid: [*seats(table), gone.uid]})


def test_who_drops_out_of_a_published_round_keeps_their_seat_until_they_are_taken_off(organiser):
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    publish(organiser, event)
    drop(event.entries.first())
    assert rounds.change_status(actor=organiser, event=event, number=1, status="running").status == "running"
    assert table.seats.count() == 4


def test_a_scorekeeper_changes_no_draft(organiser):
    event = event_with(organiser, 4)
    table = drafted(organiser, event).tables.get()
    keeper = Actor(Kind.USER, user=MembershipFactory(club=event.club, role="scorekeeper").user)
    with pytest.raises(ForbiddenError):
        rounds.add_table(actor=keeper, event=event, number=1)
    with pytest.raises(ForbiddenError):
        rounds.remove_table(actor=keeper, table=table)
    with pytest.raises(ForbiddenError):
        publish(keeper, event)


def test_who_needs_a_table_always_gets_it(organiser):
    event = event_with(organiser, 12, rounds_planned=3)
    ana, bo = event.entries.order_by("pk")[:2]
    entries.fix_table(actor=organiser, entry=ana, number=7)
    entries.fix_table(actor=organiser, entry=bo, number=2)
    for number in (1, 2, 3):
        seat_next_round(actor=organiser, event=event, seed=number)
        current = event.rounds.get(number=number)
        assert Table.objects.get(round=current, seats__entry=ana).number == 7
        assert Table.objects.get(round=current, seats__entry=bo).number == 2
        assert sorted(current.tables.values_list("number", flat=True)) == [1, 2, 7]
        assert current.seats.count() == 12
        rounds.change_status(actor=organiser, event=event, number=number, status="running")
        current.tables.update(status="final")
        rounds.change_status(actor=organiser, event=event, number=number, status="closed")
    assert Action.objects.filter(verb="entry-fixed").count() == 2


def test_tables_have_the_labels_of_the_room_and_may_be_named_anew(organiser):
    event = event_with(organiser, 8, table_labels=[{"label": "window", "room": "Terrace"}])
    first, second = seat_next_round(actor=organiser, event=event, seed=1).tables.order_by("number")
    assert [first.where, second.where] == ["window · Terrace", ""]
    assert tables.label(actor=organiser, table=second, label="  by  the bar ").where == "by the bar"


def test_the_plan_of_a_rotation_has_every_round(organiser):
    event = event_with(organiser, 8, format="rotation", rounds_planned=3)
    assert plans.plan_of(event) == []
    drafted(organiser, event)
    event.refresh_from_db()
    plan = plans.plan_of(event)
    assert [(each.number, each.status) for each in plan] == [(1, "draft"), (2, "planned"), (3, "planned")]
    assert all(len({entry for table in each.tables for entry in table.entries}) == 8 for each in plan)
