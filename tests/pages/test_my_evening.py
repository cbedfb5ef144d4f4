"""A player's own page, from joining to the last result."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from core.derived import Kind
from core.models import Derived
from scoring.models import Placing, RatingChange, StandingRow
from scoring.services.reports import confirm_report, submit_report
from tests.factories import EntryFactory, EventFactory, RoundFactory, SitOutFactory
from tests.pages.phones import phone_of
from tests.scoring.evenings import evening, table_in
from tournaments.models import Confirmation, Entry, Event, Format, Round, Table
from tournaments.services import tables

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_guess_counted():
    cache.clear()
    yield
    cache.clear()


def text_of(entry):
    response = phone_of(entry).get(f"/e/{entry.event.uid}/me/")
    assert response.status_code == 200
    return response.content.decode()


def act(entry, verb, **fields):
    response = phone_of(entry).post(f"/e/{entry.event.uid}/me/{verb}/", fields, follow=True)
    entry.refresh_from_db()
    return response.content.decode()


def poll(entry, tag=""):
    return phone_of(entry).get(f"/e/{entry.event.uid}/me/live/", headers={"if-none-match": tag} if tag else {})


# --- Where I sit and what is asked ------------------------------------------------------------------------------


def test_table_seat_company_and_clock_are_shown():
    tonight = evening()
    me, *others = tonight.entries
    Round.objects.update(started_at=timezone.now(), minutes=40)
    html = text_of(me)
    assert "Fill in the score sheet" in html
    assert f"With {others[0].name}, {others[1].name}" in html
    assert 'data-ends="' in html


def test_seated_round_asks_players_to_sit_down():
    tonight = evening()
    Round.objects.update(status=Round.Status.SEATED)
    Table.objects.update(status=Table.Status.SEATED)
    assert "Please take your seat" in text_of(tonight.entries[0])


def test_who_sent_waits_and_the_others_are_asked():
    tonight = evening()
    report = submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    assert "Another player of your table must confirm" in text_of(tonight.entries[0])
    assert "Look at it and confirm" in text_of(tonight.entries[1])
    confirm_report(actor=tonight.players[1], report=report)
    place = Placing.objects.get(entry=tonight.entries[2])
    html = text_of(tonight.entries[2])
    assert f"Final: place {place.rank} for you." in html
    assert "Your tables" in html


def test_organiser_who_approves_is_waited_for():
    tonight = evening(confirmation=Confirmation.ORGANISER)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    assert "The organiser looks at the sheet" in text_of(tonight.entries[1])


def test_two_sheets_are_a_dispute():
    tonight = evening()
    for number, player in enumerate(tonight.players[:2]):
        submit_report(actor=player, table=tonight.table, sheet=tonight.sheet(number))
    assert "You do not agree at your table." in text_of(tonight.entries[2])


def test_dropped_table_says_so():
    tonight = evening()
    tables.drop(actor=tonight.organiser, table=tonight.table, reason="ran out of time")
    assert "counts for nobody" in text_of(tonight.entries[0])


def test_nudge_is_shown_on_the_phones_of_the_table():
    tonight = evening()
    before = poll(tonight.entries[0])
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    after = poll(tonight.entries[0], before.headers["ETag"])
    assert after.status_code == 200
    assert "The organiser asks for your result." in after.content.decode()


@pytest.mark.parametrize(
    ("status", "entered", "said"),
    [
        (Event.Status.REGISTRATION, Entry.Status.CHECKED_IN, "You’re in"),
        (Event.Status.REGISTRATION, Entry.Status.REGISTERED, "Are you here?"),
        (Event.Status.RUNNING, Entry.Status.CHECKED_IN, "Waiting for the next round"),
        (Event.Status.RUNNING, Entry.Status.DROPPED, "You dropped out"),
        (Event.Status.FINISHED, Entry.Status.CHECKED_IN, "This evening is over"),
        (Event.Status.CANCELLED, Entry.Status.CHECKED_IN, "This event was cancelled"),
    ],
)
def test_between_tables_the_page_says_why(status, entered, said):
    assert said in text_of(EntryFactory(event__status=status, status=entered))


def test_sitting_out_and_coming_late_are_told_apart():
    current = RoundFactory(event__status=Event.Status.RUNNING, status=Round.Status.RUNNING, number=2)
    sitting = SitOutFactory(round=current).entry
    assert "You sit out round 2" in text_of(sitting)
    assert "You play from the next round on." in text_of(EntryFactory(event=current.event))


# --- How I am doing ---------------------------------------------------------------------------------------------


def test_rank_and_rating_change_are_shown():
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    me = tonight.entries[0]
    for place, entry in enumerate(tonight.entries, 1):
        StandingRow.objects.create(entry=entry, event=tonight.event, place=place, rank=place, points=840, tables=1)
    RatingChange.objects.create(placing=Placing.objects.get(entry=me), before=1_500_000, after=1_487_400)
    html = text_of(me)
    assert '<span class="figure">1</span> <span class="soft">place of 3</span>' in html
    assert '<span class="figure">−13</span>' in html


# --- Freshness --------------------------------------------------------------------------------------------------


def test_polling_is_cheap_until_something_changes(django_assert_num_queries):
    tonight = evening(confirmation=Confirmation.TRUST)
    me = tonight.entries[0]
    tag = poll(me).headers["ETag"]
    with django_assert_num_queries(3):
        assert poll(me, tag).status_code == 304
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    changed = poll(me, tag)
    assert changed.status_code == 200
    Derived.objects.filter(kind=Kind.STANDINGS).update(done=1)
    computed = poll(me, changed.headers["ETag"])
    assert computed.status_code == 200
    RatingChange.objects.create(placing=Placing.objects.get(entry=me), before=1_500_000, after=1_512_000)
    assert poll(me, computed.headers["ETag"]).status_code == 200


@pytest.mark.parametrize("played", [1, 6])
def test_the_page_takes_a_fixed_number_of_queries(played, django_assert_num_queries):
    tonight = evening()
    for number in range(2, played + 2):
        current = RoundFactory(event=tonight.event, number=number, status=Round.Status.CLOSED)
        table_in(current, tonight.entries)
    with django_assert_num_queries(11):
        poll(tonight.entries[0])


def test_each_language_has_its_own_version():
    entry = EntryFactory()
    tags = {
        phone_of(entry).get(f"/e/{entry.event.uid}/me/live/", headers={"accept-language": language})["ETag"]
        for language in ("en", "fr")
    }
    assert len(tags) == 2


# --- What I can do ----------------------------------------------------------------------------------------------


def test_player_drops_out_and_comes_back():
    entry = EntryFactory()
    assert "You dropped out" in act(entry, "leave")
    assert entry.status == Entry.Status.DROPPED
    act(entry, "return")
    assert entry.status == Entry.Status.CHECKED_IN


def test_nothing_can_be_done_when_it_is_over():
    entry = EntryFactory(event__status=Event.Status.FINISHED)
    assert "The event is finished." in act(entry, "leave")
    assert entry.status == Entry.Status.CHECKED_IN


def open_play():
    event = EventFactory(
        game="sixmix",
        format=Format.OPEN,
        status=Event.Status.RUNNING,
        starts_at=timezone.now() - dt.timedelta(hours=1),
        table_min=3,
        table_preferred=3,
    )
    return [EntryFactory(event=event) for _ in range(3)]


def test_players_form_a_table_sit_down_by_its_code_and_begin():
    first, second, third = open_play()
    assert "Form a new table" in text_of(first)
    act(first, "form")
    table = Table.objects.get()
    html = text_of(first)
    assert table.code in html
    assert "It takes 3 players to begin." in html
    assert "Form a new table" not in html
    act(second, "sit", code=f" {table.code.lower()} ")
    act(third, "sit", code=table.code)
    assert "Everybody is here: begin" in text_of(second)
    act(second, "begin", table=table.uid)
    assert "Fill in the score sheet" in text_of(third)


def test_player_stands_up_from_a_table_that_is_being_formed():
    first, second, _third = open_play()
    act(first, "form")
    table = Table.objects.get()
    act(second, "sit", code=table.code)
    act(second, "stand", table=table.uid)
    assert table.seats.count() == 1


def test_wrong_code_of_a_table_is_said():
    assert "No table has this code now." in act(open_play()[0], "sit", code="222222")


def test_nobody_begins_a_table_they_do_not_sit_at():
    first, second, _third = open_play()
    act(first, "form")
    response = phone_of(second).post(f"/e/{second.event.uid}/me/begin/", {"table": Table.objects.get().uid})
    assert response.status_code == 404


# --- Strangers --------------------------------------------------------------------------------------------------


def test_phone_without_a_link_is_told_what_to_do():
    entry = EntryFactory()
    client = Client()
    assert client.get(f"/e/{entry.event.uid}/me/").status_code == 404
    assert client.get(f"/e/{entry.event.uid}/me/live/").status_code == 404
    assert client.post(f"/e/{entry.event.uid}/me/leave/").status_code == 404


def test_link_of_another_event_opens_nothing():
    entry, other = EntryFactory(), EntryFactory()
    client = phone_of(other)
    client.cookies[f"phone-{entry.event.uid}"] = client.cookies[f"phone-{other.event.uid}"].value
    assert client.get(f"/e/{entry.event.uid}/me/").status_code == 404


def test_unknown_act_does_nothing():
    entry = EntryFactory()
    assert phone_of(entry).post(f"/e/{entry.event.uid}/me/dance/").status_code == 404
