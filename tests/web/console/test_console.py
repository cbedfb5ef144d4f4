"""The organiser's console: one screen per round, what its buttons do, and decisions with what they change."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import AffiliationFactory, ClubFactory, EntryFactory, MembershipFactory, PlayerFactory
from tests.web.organisers import act, actor, console, desk, event_with, links_of, report, running, seated
from tests.web.phones import phone_of
from tournaments import links
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import SeatingInvalidError
from tournaments.models import Action, Entry, Event, Format, Role, Round, Seat, Table
from tournaments.services import tables
from tournaments.services.joining import join
from web.console.actions import rearranged

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory(name="Café Meeple", slug="cafe-meeple")


@pytest.fixture
def olga(club, client):
    """The organiser, logged in."""
    user = MembershipFactory(club=club, role=Role.ORGANISER, user__name="Olga").user
    client.force_login(user)
    return user


# --- Who sees it ------------------------------------------------------------------------------------------------

# --- An evening -------------------------------------------------------------------------------------------------


def test_an_event_goes_from_draft_to_its_end(client, olga, club):
    event = event_with(club, 8, status=Event.Status.DRAFT, rounds_planned=1, confirmation="trust")
    assert event.join_code not in console(client, event)
    assert event.join_code in act(client, event, do="registration")
    html = act(client, event, do="seat")
    assert "fewest possible" in html
    assert {f"/e/{event.uid}/console/1/"} <= links_of(html)
    assert "Start round 1" not in html
    assert "Start round 1" in act(client, event, "1/", do="seated")
    act(client, event, "1/", do="running")
    assert "no final result yet" in act(client, event, "1/", do="closed")
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    html = act(client, event, "1/", do="closed")
    assert html.index("Finish the event") < html.index("Seat round 2")
    act(client, event, do="finished")
    assert event.status == Event.Status.FINISHED
    assert "Say why" in act(client, event, do="running")
    act(client, event, do="running", reason="one table was forgotten")
    assert event.status == Event.Status.RUNNING


def test_a_seating_can_be_made_anew_or_cancelled(client, olga, club):
    event = event_with(club, 12)
    seated(olga, event)
    act(client, event, "1/", do="again")
    assert Round.objects.exclude(status=Round.Status.CANCELLED).get().status == Round.Status.DRAFT
    act(client, event, "1/", do="cancelled")
    assert not Round.objects.exclude(status=Round.Status.CANCELLED).exists()
    assert "Seat round 1" in console(client, event)


def test_the_final_is_offered_after_the_last_round(client, olga, club):
    event = event_with(club, 8, rounds_planned=1, cut_to=4, confirmation="trust")
    running(olga, event)
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    html = act(client, event, "1/", do="closed")
    assert html.index("Seat the final") < html.index("Seat round 2")
    act(client, event, do="final")
    final = Round.objects.get(kind=Round.Kind.FINAL)
    assert Seat.objects.filter(round=final).count() == 4


@pytest.mark.parametrize("players", [0, 4])
def test_starting_open_play_is_the_main_action_and_opens_it_at_once(client, olga, club, players):
    event = event_with(club, players, format=Format.OPEN, starts_at=timezone.now() + dt.timedelta(days=3))
    assert '<button class="button wide main" name="do" value="running">Start open play</button>' in console(
        client, event
    )
    act(client, event, do="running")
    entry = EntryFactory(event=event, player__name="Zoë")
    formed = tables.form_table(actor=Actor(Kind.ENTRY, entry=entry), event=event)
    assert formed.status == Table.Status.SEATED


def test_who_looks_for_a_table_is_said_where_everybody_can_see_it(client, olga, club):
    event = event_with(club, 3, format=Format.OPEN, status="running")
    looking, sits, _third = event.entries.order_by("pk")
    tables.form_table(actor=Actor(Kind.ENTRY, entry=sits), event=event)
    html = Client().get(f"/e/{event.uid}/").content.decode()
    listed = html[html.index('id="looking"') : html.index('id="tables-title"')]
    assert looking.name in listed
    assert sits.name not in listed
    assert f"/e/{event.uid}/#looking" in phone_of(looking).get(f"/e/{event.uid}/me/").content.decode()


def test_open_play_shows_the_tables_that_players_formed(client, olga, club):
    event = event_with(club, 4, format=Format.OPEN, starts_at=timezone.now() - dt.timedelta(hours=1))
    assert "Start open play" in console(client, event)
    act(client, event, do="running")
    table = tables.form_table(actor=actor(olga), event=event, entries=list(Entry.objects.all()[:3]))
    html = console(client, event)
    assert table.code in html
    assert 'value="begin"' in html, "the console begins what it forms"
    assert "Seat round" not in html
    act(client, event, f"table/{table.uid}/", do="begin")
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    report(table)
    assert "All tables" in client.get(desk(table)).content.decode()
    assert "Accept 1 waiting sheet" in console(client, event)
    assert "1 final" in act(client, event, do="accept")


def test_the_console_forms_a_table_of_those_who_look_for_one(client, olga, club):
    event = event_with(club, 5, format=Format.OPEN)
    assert "Looking for a table" not in console(client, event)
    act(client, event, do="running")
    ana, bo, *others = Entry.objects.order_by("pk")
    shown = console(client, event)
    assert all(f'value="{entry.uid}"> {entry.name}' in shown for entry in (ana, bo, *others))
    assert "Choose who sits down" in act(client, event, do="form-table")
    stranger = EntryFactory()
    shown = act(client, event, do="form-table", who=[ana.uid, bo.uid, stranger.uid])
    assert f'value="{others[0].uid}"' in shown
    assert f'value="{ana.uid}"' not in shown, "who sits at a table does not look for one"
    assert set(Seat.objects.values_list("entry", flat=True)) == {ana.pk, bo.pk}
    assert 'value="begin"' not in shown, "two are too few"
    assert "sit at another table: Ana" in act(client, event, do="form-table", who=[ana.uid])
    wall = client.get(links.projector_link(event, "")).content.decode()
    assert "Looking for a table" in wall
    assert others[0].name in wall.partition("Looking for a table")[2]


def test_all_sheets_that_nobody_disputes_are_accepted_at_once(client, olga, club):
    event = event_with(club, 12)
    running(olga, event)
    first, second, third = Table.objects.select_related("round__event__club").order_by("number")
    report(first)
    report(second)
    report(third, 1)
    report(third, 2, by=1)
    html = console(client, event)
    assert "Accept 2 waiting sheets" in html
    assert all(state in html for state in ("2 reported", "1 disputed"))
    act(client, event, "1/", do="accept")
    assert [table.status for table in Table.objects.order_by("number")] == ["final", "final", "disputed"]


def test_buttons_need_the_form_they_stand_in(olga, club):
    event = event_with(club, 8)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(olga)
    assert strict.post(f"/e/{event.uid}/console/act/", {"do": "seat"}).status_code == 403


# --- Seating ----------------------------------------------------------------------------------------------------


def test_rearranging_is_a_move_a_swap_or_standing_up():
    seats = {"t1": ["a", "b", "c"], "t2": ["d", "e", "f"]}
    assert rearranged(seats, "a", "t2") == {"t1": ["b", "c"], "t2": ["d", "e", "f", "a"]}
    assert rearranged(seats, "a", "e") == {"t1": ["e", "b", "c"], "t2": ["d", "a", "f"]}
    assert rearranged(seats, "a", "c") == {"t1": ["c", "b", "a"]}
    assert rearranged(seats, "a", "t1") == {"t1": ["b", "c", "a"]}
    assert rearranged(seats, "b", "off") == {"t1": ["a", "c"]}
    assert rearranged(seats, "late", "t1") == {"t1": ["a", "b", "c", "late"]}
    for entry, to in [("late", "a"), ("a", "nowhere")]:
        with pytest.raises(SeatingInvalidError):
            rearranged(seats, entry, to)


def seating():
    tables = Table.objects.filter(round__status=Round.Status.SEATED).order_by("number")
    return [[seat.entry.name for seat in table.seats.select_related("entry").order_by("position")] for table in tables]


def test_a_player_moves_and_the_cost_is_counted_again(client, olga, club):
    event = event_with(club, 9, table_min=3, table_max=5)
    seated(olga, event)
    before = seating()
    mover = Entry.objects.get(name=before[0][0])
    target = Table.objects.order_by("number")[1]
    act(client, event, "1/", do="move", entry=mover.uid, to=target.uid)
    after = seating()
    if len(before[0]) > 3:
        assert after[0] == before[0][1:]
        assert after[1] == [*before[1], mover.name]
    other = Entry.objects.get(name=seating()[1][0])
    act(client, event, "1/", do="move", entry=Entry.objects.get(name=seating()[0][0]).uid, to=other.uid)
    assert seating()[0][0] == other.name
    assert Action.objects.filter(verb="seats-moved").exists()


def test_a_table_keeps_to_its_sizes(client, olga, club):
    event = event_with(club, 6, table_preferred=3)
    seated(olga, event)
    mover, target = Seat.objects.filter(table__number=1).first().entry, Table.objects.get(number=2)
    assert "A table of 2 is not allowed" in act(client, event, "1/", do="move", entry=mover.uid, to=target.uid)


def test_who_comes_late_takes_a_free_seat(client, olga, club):
    event = event_with(club, 8)
    seated(olga, event)
    late = EntryFactory(event=event, player__name="Zoé")
    assert "Without a seat" in console(client, event)
    act(client, event, "1/", do="move", entry=late.uid, to=Table.objects.order_by("number").first().uid)
    assert seating()[0][-1] == "Zoé"
    assert "Without a seat" not in console(client, event)


def test_who_drops_out_can_be_taken_off_the_table(client, olga, club):
    event = event_with(club, 8)
    seated(olga, event)
    gone = Entry.objects.get(name=seating()[0][0])
    client.post(f"/e/{event.uid}/players/{gone.uid}/change/", {"do": "dropped"})
    assert "dropped out" in console(client, event)
    act(client, event, "1/", do="move", entry=gone.uid, to="off")
    assert gone.name not in seating()[0]


def test_who_drops_out_of_a_draft_is_taken_off_before_it_is_published(client, olga, club):
    event = event_with(club, 8)
    act(client, event, do="seat")
    gone = Seat.objects.first().entry
    client.post(f"/e/{event.uid}/players/{gone.uid}/change/", {"do": "dropped"})
    assert f"not checked in: {gone.name}. Take them off" in act(client, event, "1/", do="seated")
    act(client, event, "1/", do="move", entry=gone.uid, to="off")
    assert "Start round 1" in act(client, event, "1/", do="seated")
    assert not gone.seats.exists()


# --- Players ----------------------------------------------------------------------------------------------------


def test_a_known_name_is_the_player_the_club_knows(client, olga, club):
    event, ana, bo = event_with(club, 0), PlayerFactory(name="Ana", club=club), PlayerFactory(name="Bo", club=club)
    client.post(f"/e/{event.uid}/players/", {"name": "ana"})
    assert Entry.objects.get(event=event).player == ana
    response = client.post(f"/e/{event.uid}/players/", {"name": "Ana", "is_new": "on"})
    assert "Ana 2 is free" in response.content.decode()
    client.post(f"/e/{event.uid}/players/", {"name": "Bo", "is_new": "on"})
    assert Entry.objects.get(event=event, name="Bo").player != bo


def test_a_known_name_is_the_clubs_own_player_though_a_guest_has_it_too(client, olga, club):
    """A guest of the same name, at home elsewhere, makes nobody of the club a stranger."""
    event, ana = event_with(club, 0), PlayerFactory(name="Ana", club=club)
    for name in ("Ana", "Bo"):
        AffiliationFactory(club=club, player=PlayerFactory(name=name, club=ClubFactory()))
    client.post(f"/e/{event.uid}/players/", {"name": "Ana"})
    assert Entry.objects.get(event=event).player == ana
    refused = client.post(f"/e/{event.uid}/players/", {"name": "Bo"}).content.decode()
    assert "Bo belongs to another club" in refused, "a guest comes in by themselves, or as somebody new"


def test_players_drop_out_return_and_are_vouched_for(client, olga, club):
    event = event_with(club, 3)
    ana = Entry.objects.get(name="Ana")
    Entry.objects.filter(pk=ana.pk).update(is_verified=False)
    path = f"/e/{event.uid}/players/{ana.uid}/change/"
    for do, status in [("dropped", "dropped"), ("checked_in", "checked_in"), ("vouch", "checked_in")]:
        client.post(path, {"do": do})
        ana.refresh_from_db()
        assert ana.status == status
    assert ana.is_verified


def unproven(event, *names):
    """Return entries of phones that say they are somebody the club knows."""
    for name in names:
        join(event=event, code=event.join_code, player=PlayerFactory(name=name, club=event.club), actor=NOBODY)
    return {entry.name: entry for entry in Entry.objects.filter(event=event, name__in=names)}


def test_phones_that_say_they_are_somebody_known_are_answered_in_one_list(client, olga, club):
    event = event_with(club, 3)
    one = unproven(event, "Uma", "Vic", "Wim")["Uma"]
    html = console(client, event)
    assert "3 phones say they are somebody you know" in html
    assert html.count("Not them") == 3
    answered = client.post(f"/e/{event.uid}/players/{one.uid}/change/", {"do": "reject", "back": "console"})
    assert answered.headers["Location"] == f"/e/{event.uid}/console/"
    assert "2 phones say they are somebody you know" in client.get(f"/e/{event.uid}/players/").content.decode()
    assert "somebody you know" not in act(client, event, do="vouch")
    assert not Entry.objects.filter(is_verified=False).exists()


def test_scorekeepers_do_not_answer(client, club):
    event = event_with(club, 3)
    entry = unproven(event, "Uma")["Uma"]
    client.force_login(MembershipFactory(club=club, role=Role.SCOREKEEPER).user)
    assert "somebody you know" not in console(client, event)
    client.post(f"/e/{event.uid}/players/{entry.uid}/change/", {"do": "vouch"})
    act(client, event, do="vouch")
    assert Entry.objects.filter(is_verified=False).exists()


@pytest.mark.parametrize(("answer", "is_one"), [("vouch", True), ("reject", False)])
def test_finishing_asks_for_phones_that_nobody_vouched_for(client, olga, club, answer, is_one):
    event = event_with(club, 3, format=Format.OPEN)
    act(client, event, do="running")
    entry = unproven(event, "Uma")["Uma"]
    assert "Yes, all of them: finish" in console(client, event)
    assert "Say first whether these are whom they say they are: Uma." in act(client, event, do="finished")
    assert event.status == Event.Status.RUNNING
    act(client, event, do="finished", unproven=answer)
    assert event.status == Event.Status.FINISHED
    entry.refresh_from_db()
    assert (entry.claims, entry.player.merged_into is not None) == (None, is_one)


def test_joining_is_closed_opened_and_its_code_changed(client, olga, club):
    event = event_with(club, 3)
    code = event.join_code
    html = act(client, event, do="new-code")
    assert event.join_code != code
    assert event.join_code in html
    assert event.join_code not in act(client, event, do="close-joining")
    assert event.join_code not in client.get(f"/e/{event.uid}/projector/").content.decode()
    assert event.join_code in act(client, event, do="open-joining")


def test_a_crowd_is_told_of(client, olga, club, monkeypatch):
    event = event_with(club, 3)
    assert "Very many joined" not in console(client, event)
    monkeypatch.setattr("web.console.board.A_CROWD", 3)
    assert "Very many joined" in console(client, event)
    mine = event_with(club, 0)
    client.post(f"/e/{mine.uid}/players/act/", {"do": "names", "names": "Ana\nBo\nCleo"})
    assert mine.entries.count() == 3
    assert "Very many joined" not in console(client, mine)


def test_a_personal_link_is_shown_again_and_renewed(client, olga, club):
    event = event_with(club, 3)
    ana = Entry.objects.get(name="Ana")
    path = f"/e/{event.uid}/players/{ana.uid}/"
    html = client.get(path).content.decode()
    assert links.personal_link(ana, "http://testserver") in html
    assert "<svg" in html
    client.post(f"{path}change/", {"do": "renew", "back": "entry"})
    assert links.personal_link(ana, "http://testserver") not in client.get(path).content.decode()


# --- Polling ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [16, 160])
def test_the_console_takes_a_fixed_number_of_queries(client, olga, club, players, django_assert_num_queries):
    event = event_with(club, players, table_max=4, table_min=4)
    entries = list(Entry.objects.all())
    current = Round.objects.create(event=event, number=1, status=Round.Status.RUNNING, quality={})
    for number in range(players // 4):
        table = Table.objects.create(round=current, number=number + 1, status="playing", variant="standard")
        seats = enumerate(entries[4 * number : 4 * number + 4], 1)
        Seat.objects.bulk_create(Seat(table=table, round=current, entry=entry, position=at) for at, entry in seats)
    Event.objects.update(status=Event.Status.RUNNING)
    console(client, event)
    with django_assert_num_queries(7):
        console(client, event)
    tag = client.get(f"/e/{event.uid}/console/part/")["ETag"]
    with django_assert_num_queries(3):
        client.get(f"/e/{event.uid}/console/part/", headers={"if-none-match": tag})


# --- Decisions --------------------------------------------------------------------------------------------------


def test_a_pending_sheet_is_accepted_with_one_press(client, olga, club):
    event = event_with(club, 4)
    running(olga, event)
    table = Table.objects.select_related("round__event__club").get()
    sent = report(table)
    html = client.get(desk(table)).content.decode()
    assert "Accept this sheet" in html
    act(client, event, f"table/{table.uid}/", do="approve", report=sent.uid)
    sent.refresh_from_db()
    assert sent.status == "final"


def test_a_correction_names_who_leaves_and_who_enters_the_final(client, olga, club):
    event = event_with(club, 8, rounds_planned=1, cut_to=4)
    running(olga, event)
    for table in Table.objects.select_related("round__event__club"):
        people = [seat.entry for seat in table.seats.order_by("position")]
        places = {f"rank_{entry.player.uid}": place for place, entry in enumerate(people, 1)}
        form = client.post(f"{desk(table)}rank/", places).context["form"]
        sent = {"payload": form["payload"].value(), "decided": "1", "reason": "as they say"}
        client.post(f"{desk(table)}decide/", sent)
    turned = {f"rank_{entry.player.uid}": place for place, entry in enumerate(reversed(people), 1)}
    preview = client.post(f"{desk(table)}rank/", turned)
    names = [entry.name for entry in people]
    assert set(preview.context["leave"]) == set(names[:2])
    assert set(preview.context["enter"]) == set(names[2:])
    html = preview.content.decode()
    assert "In the final now: " in html
    assert "No longer in the final: " in html


def test_a_slip_is_replaced_and_the_new_one_is_printed(client, olga, club):
    event = event_with(club, 4)
    running(olga, event)
    table = Table.objects.filter(round__event=event).first()
    page = client.get(f"/e/{event.uid}/console/table/{table.uid}/").content.decode()
    assert 'name="do" value="slip"' in page
    old = links.slip_link(table, "http://testserver")
    answer = client.post(f"/e/{event.uid}/console/table/{table.uid}/act/", {"do": "slip"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/e/{event.uid}/print/{table.round.number}/slips/?table={table.uid}"
    assert answer.content.decode().count('class="slip"') == 1
    table.refresh_from_db()
    assert links.slip_link(table, "http://testserver") != old
