"""A player's own page, from joining to the last result."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from core.ordinals import ordinal
from scoring.models import Placing, RatingChange, StandingRow
from scoring.services.decisions import drop_table
from scoring.services.reports import confirm_report, submit_report
from tests.factories import (
    AffiliationFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    RoundFactory,
    SitOutFactory,
)
from tests.scoring.evenings import evening, sheet_of, table_in
from tests.web.organisers import links_of
from tests.web.phones import link_of, phone_of
from tournaments.actors import Actor, Kind
from tournaments.links import sit_down_link
from tournaments.models import Confirmation, Entry, Event, Format, Round, Table
from tournaments.services import entries, events, rounds, tables
from tournaments.services.people import anonymise_player
from web.qr import qr_code

pytestmark = pytest.mark.django_db


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


def test_page_of_whoever_the_phone_was_before_does_not_show_whom_it_is_now():
    first, second, _third = evening().entries
    former = next(part for part in text_of(first).split('"') if "/me/live/" in part)
    own = next(part for part in text_of(second).split('"') if "/me/live/" in part)
    assert "With " in phone_of(second).get(own).content.decode()
    told = phone_of(second).get(former).content.decode()
    assert f"You are {second.name} here now" in told
    assert "With " not in told
    assert "<form" not in told


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
    assert f"Final: {ordinal(place.rank)} of 3 for you." in html
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
    drop_table(actor=tonight.organiser, table=tonight.table, reason="ran out of time")
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


def test_who_is_not_in_the_final_is_told_so_with_their_place():
    final = RoundFactory(
        event__status=Event.Status.RUNNING, status=Round.Status.RUNNING, number=3, kind=Round.Kind.FINAL
    )
    table_in(final, [EntryFactory(event=final.event) for _ in range(3)])
    out = EntryFactory(event=final.event)
    assert "not you this time" in text_of(out)
    assert "You came" not in text_of(out), "nobody is told a place that there is not"
    StandingRow.objects.create(entry=out, event=final.event, place=70, rank=7, points=0, tables=2)
    for number in range(22):
        other = EntryFactory(event=final.event)
        StandingRow.objects.create(entry=other, event=final.event, place=number, rank=number, points=0, tables=2)
    assert "You came 7th of 23. Well played, and thank you." in text_of(out)
    html = phone_of(out).get(f"/e/{final.event.uid}/me/", headers={"accept-language": "fr"}).content.decode()
    assert "7e sur 23" in html


def test_there_is_no_place_among_nobody():
    tonight = evening()
    me = tonight.entries[0]
    StandingRow.objects.create(entry=me, event=tonight.event, place=1, rank=1, points=0, tables=1, is_ranked=False)
    assert "data-place" not in text_of(me)


def test_the_only_one_with_a_result_has_no_place_yet():
    tonight = evening()
    me = tonight.entries[0]
    StandingRow.objects.create(entry=me, event=tonight.event, place=1, rank=1, points=840, tables=1)
    assert "data-place" not in poll(me).content.decode()


def test_nobody_is_first_before_anybody_has_played():
    tonight = evening()
    me, other, *_ = tonight.entries
    for place, each in enumerate((me, other)):
        StandingRow.objects.create(entry=each, event=tonight.event, place=place, rank=1, points=0, tables=0)
    assert "data-place" not in text_of(me)
    StandingRow.objects.filter(entry=me).update(rank=2)
    assert "data-place" in text_of(me)  # others have


def test_who_leaves_during_a_round_can_come_back_at_once():
    tonight = evening()
    me = tonight.entries[0]
    phone, path = phone_of(me), f"/e/{tonight.event.uid}/me/"
    assert "Goodbye" in phone.post(f"{path}leave/", follow=True).content.decode()
    html = text_of(me)
    assert "You dropped out" in html
    assert "I am back" in html
    assert "Welcome back" in phone.post(f"{path}return/", follow=True).content.decode()
    assert "I am back" not in text_of(me)


def test_the_front_page_knows_the_evenings_of_a_phone(client):
    MembershipFactory()  # somebody has used the service
    tonight = evening()
    me = tonight.entries[0]
    over = EntryFactory(event__status=Event.Status.FINISHED)
    phone = phone_of(me)
    phone.cookies[f"phone-{over.event.uid}"] = phone_of(over).cookies[f"phone-{over.event.uid}"].value
    phone.cookies["phone-forged"] = "lse_forged"
    html = phone.get("/").content.decode()
    assert html.count("My evening") == 1
    assert f"/e/{tonight.event.uid}/me/" in html
    assert "My evening" not in client.get("/").content.decode()


def test_links_of_a_phone_are_read_in_one_query(django_assert_num_queries):
    held = EntryFactory.create_batch(5, event__status=Event.Status.REGISTRATION)
    with django_assert_num_queries(1):
        phones = entries.earlier_phones([*map(link_of, held), "lse_forged", "lse_é"])
        assert [phone.entry.event.club.name for phone in phones] == [each.event.club.name for each in held[::-1]]
    with django_assert_num_queries(0):
        assert entries.earlier_phones([]) == []


# --- How I am doing ---------------------------------------------------------------------------------------------


def test_rank_and_rating_change_are_shown():
    tonight = evening(confirmation=Confirmation.TRUST)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    me = tonight.entries[0]
    for place, entry in enumerate(tonight.entries, 1):
        StandingRow.objects.create(entry=entry, event=tonight.event, place=place, rank=place, points=840, tables=1)
    RatingChange.objects.create(placing=Placing.objects.get(entry=me), before=1_500_000, after=1_487_400)
    html = text_of(me)
    assert '<span class="figure">1st</span> <span class="soft">of 3</span>' in html
    assert '<span class="figure">−13</span>' in html


# --- Freshness --------------------------------------------------------------------------------------------------


def test_polling_is_cheap_until_something_changes(django_assert_num_queries):
    tonight = evening(confirmation=Confirmation.TRUST)
    me = tonight.entries[0]
    tag = poll(me).headers["ETag"]
    with django_assert_num_queries(2):
        assert poll(me, tag).status_code == 304
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    assert poll(me, tag).status_code == 200


def test_what_happens_at_another_table_is_no_news():
    tonight = evening(confirmation=Confirmation.TRUST)
    other = table_in(tonight.table.round, [EntryFactory(event=tonight.event) for _ in range(3)], number=2)
    me = tonight.entries[0]
    tag = poll(me).headers["ETag"]
    speaker = Actor(Kind.ENTRY, entry=other.seats.get(position=1).entry)
    submit_report(actor=speaker, table=other, sheet=sheet_of(other))
    assert poll(me, tag).status_code == 304


def _seats_turned(tonight):
    tables.reorder(actor=tonight.organiser, table=tonight.table, entries=[each.uid for each in tonight.entries[::-1]])


def _others_result(tonight):
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())


def _two_sheets(tonight):
    for number, player in enumerate(tonight.players[1:]):
        submit_report(actor=player, table=tonight.table, sheet=tonight.sheet(number))


def _confirmed(tonight):
    report = submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    confirm_report(actor=tonight.players[2], report=report)


def _rated(tonight):
    _confirmed(tonight)
    placing = Placing.objects.get(entry=tonight.entries[0])
    RatingChange.objects.create(placing=placing, before=1_500_000, after=1_512_000)


def _ranked(tonight):
    for number, place in ((0, 1), (2, 3)):
        entry = tonight.entries[number]
        StandingRow.objects.create(entry=entry, event=tonight.event, place=place, rank=place, points=840, tables=1)


def _overtaken(tonight):
    StandingRow.objects.filter(entry=tonight.entries[0]).update(place=2, rank=2)
    StandingRow.objects.create(entry=tonight.entries[1], event=tonight.event, place=1, rank=1, points=900, tables=1)


def _closed(tonight):
    drop_table(actor=tonight.organiser, table=tonight.table, reason="Rain")
    rounds.change_status(actor=tonight.organiser, event=tonight.event, number=1, status=Round.Status.CLOSED)


def _next_round(tonight):
    _closed(tonight)
    seated = RoundFactory(event=tonight.event, number=2)
    table_in(seated, tonight.entries)


def _sitting_out(tonight):
    _closed(tonight)
    SitOutFactory(round=RoundFactory(event=tonight.event, number=2), entry=tonight.entries[0])


NEWS = {
    "seats in another order": _seats_turned,
    "asked for the result": lambda tonight: tables.nudge(actor=tonight.organiser, table=tonight.table),
    "more time": lambda tonight: rounds.extend(actor=tonight.organiser, event=tonight.event, number=1, minutes=5),
    "table taken out": lambda tonight: drop_table(actor=tonight.organiser, table=tonight.table, reason="Rain"),
    "round cancelled": lambda tonight: rounds.change_status(
        actor=tonight.organiser, event=tonight.event, number=1, status=Round.Status.CANCELLED
    ),
    "round closed": _closed,
    "next round seated": _next_round,
    "sitting out the next round": _sitting_out,
    "a neighbour is forgotten": lambda tonight: anonymise_player(
        actor=Actor(Kind.USER, user=MembershipFactory(club=tonight.event.club, role="owner").user),
        player=tonight.entries[1].player,
    ),
    "a neighbour is replaced": lambda tonight: entries.substitute(
        actor=tonight.organiser, entry=tonight.entries[1], name="Somebody new"
    ),
    "sheet of a neighbour": _others_result,
    "two different sheets": _two_sheets,
    "result final": _confirmed,
    "rated": _rated,
    "ranked": _ranked,
    "event over": lambda tonight: events.change_status(
        actor=tonight.organiser, event=tonight.event, status=Event.Status.FINISHED
    ),
    "dropped out": lambda tonight: entries.change_status(
        actor=tonight.players[0], entry=tonight.entries[0], status=Entry.Status.DROPPED
    ),
}
BETWEEN_ROUNDS = {"event over", "dropped out"}


def test_another_table_of_open_play_is_news():
    me, *_others = open_play()
    actor, event = Actor(Kind.ENTRY, entry=me), me.event
    first = tables.form_table(actor=actor, event=event, entries=[me])
    tag = poll(me).headers["ETag"]
    tables.leave(actor=actor, table=first)
    second = tables.form_table(actor=actor, event=event, entries=[me])
    assert second.code in poll(me, tag).content.decode()


@pytest.mark.parametrize("news", NEWS)
def test_whatever_changes_the_page_changes_its_tag(news):
    tonight = evening()
    Round.objects.update(started_at=timezone.now(), minutes=40)
    AffiliationFactory(club=tonight.event.club, player=tonight.entries[1].player)
    if news in BETWEEN_ROUNDS:
        _closed(tonight)
    me = tonight.entries[0]
    before = poll(me)
    NEWS[news](tonight)
    after = poll(me, before.headers["ETag"])
    assert after.status_code == 200
    assert _without_clock(after) != _without_clock(before), "this is no news"


def test_new_place_is_told_every_half_minute(monkeypatch):
    tonight = evening()
    me, start = tonight.entries[0], timezone.now()
    _ranked(tonight)
    tag = poll(me).headers["ETag"]
    _overtaken(tonight)
    answers = []
    for seconds in range(0, 90, 10):
        monkeypatch.setattr("web.phone.home_state.timezone.now", lambda: start + dt.timedelta(seconds=seconds))  # noqa: B023
        answer = poll(me, tag)
        answers.append(answer.status_code)
        tag = answer.headers["ETag"]
    assert answers.count(200) == 1, "told once, and then it is no news"
    assert 200 in answers[:4]


def test_new_place_comes_along_with_other_news():
    tonight = evening()
    me = tonight.entries[0]
    _ranked(tonight)
    tag = poll(me).headers["ETag"]
    _overtaken(tonight)
    tables.nudge(actor=tonight.organiser, table=tonight.table)
    assert "of 3" in poll(me, tag).content.decode()


def _without_clock(response):
    return re.sub(r'data-now="[^"]*"|value="[^"]*"', "", response.content.decode())


@pytest.mark.parametrize(("played", "others"), [(1, 4), (6, 40)])
def test_the_page_takes_four_queries_at_most(played, others, django_assert_num_queries):
    tonight = evening()
    for number in range(2, played + 2):
        current = RoundFactory(event=tonight.event, number=number, status=Round.Status.CLOSED)
        table_in(current, tonight.entries)
    for number in range(2, others + 1):
        table_in(tonight.table.round, [EntryFactory(event=tonight.event) for _ in range(3)], number=number)
    _ranked(tonight)
    me = tonight.entries[0]
    with django_assert_num_queries(3):  # nobody has spoken yet
        text_of(me)
    report = submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet())
    for read in (text_of, poll):
        with django_assert_num_queries(4):
            read(me)
    confirm_report(actor=tonight.players[2], report=report)
    Round.objects.filter(pk=tonight.table.round_id).update(status=Round.Status.CLOSED)
    for number, status in enumerate((Round.Status.CLOSED, Round.Status.SEATED), 20):
        later = RoundFactory(event=tonight.event, number=number, status=status)
        with django_assert_num_queries(3):
            text_of(me)
    SitOutFactory(round=later, entry=me)
    with django_assert_num_queries(3):
        assert "You sit out" in text_of(me)


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


def test_a_newcomer_who_scans_the_code_of_a_table_is_led_to_the_way_in(client):
    first, *_others = open_play()
    act(first, "form")
    answer = client.get(sit_down_link(first.event, Table.objects.get(), ""))
    assert answer.status_code == 404
    assert "/join/" in links_of(answer.content.decode())


def test_players_form_a_table_sit_down_by_its_code_and_begin():
    first, second, third = open_play()
    assert "Form a new table" in text_of(first)
    act(first, "form")
    table = Table.objects.get()
    html = text_of(first)
    assert table.code in html
    assert "It takes 3 players to begin." in html
    assert "Form a new table" not in html
    link = sit_down_link(table.round.event, table, "http://testserver")
    assert qr_code(link, "Sit down at table 1") in html
    page = phone_of(second).get(link.removeprefix("http://testserver")).content.decode()
    assert f'value="{table.code}"' in page, "who scans it finds the code filled in"
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
