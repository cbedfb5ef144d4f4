"""Events and clubs that go into an empty service by a file: equal there."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from scoring.models import Placing, Rating, Report, StandingRow
from scoring.services import files
from scoring.services.reports import submit_report
from tests.api.files import FILES, file_of, organiser_of, played, played_own, read, refresh_all
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import (
    ClubFactory,
    EventFactory,
    PlayerFactory,
)
from tests.scoring.evenings import sheet_of, table_in
from tournaments.actors import Actor, Kind
from tournaments.models import Action, Club, Entry, Event, Player, Round, Table
from tournaments.services import entries
from tournaments.services.games import define_game, redefine_game


def rows(event):
    """Return what an event comes to: its standings, places and ratings, by the ids of people."""
    refresh_all(event)
    return {
        "standings": list(
            StandingRow.objects.filter(event=event)
            .order_by("place")
            .values_list("entry__uid", "rank", "points", "tables", "tiebreaks", "reason")
        ),
        "places": list(
            Placing.objects.filter(event=event)
            .order_by("at", "seat__table__uid", "seat__position")
            .values_list("player__uid", "seat__table__uid", "rank", "score", "is_forfeit", "at")
        ),
        "ratings": list(
            Rating.objects.order_by("player__uid").values_list(
                "player__uid", "game", "rating", "tables", "last_played"
            )
        ),
    }


def emptied():
    """Empty the database within the test's transaction, as a new service is."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('ludoscore.rewriting', 'on', true)")
    for model in (Report, Entry, Action):
        assert model.objects.exists()
    call_command("flush", interactive=False, verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_event_taken_into_an_empty_service_is_equal_row_by_row_and_rates_the_same():
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    event = played(club, actor)
    before, file = rows(event), read(caller, f"/api/v1/events/{event.uid}/file/")
    assert len(before["places"]) == 18
    assert before["ratings"]
    assert file["history"]
    emptied()
    club = ClubFactory(slug="there")
    _, caller = organiser_of(club)
    answer = caller.post(FILES.format(slug="there"), file)
    assert (answer.status_code, answer.json()["refused"]) == (201, [])
    assert answer.json()["event"] == event.uid
    assert answer.json()["taken"] == {"people": 9, "entries": 9, "rounds": 2, "tables": 4, "reports": 4}
    there = Event.objects.get()
    assert rows(there) == before
    assert read(caller, f"/api/v1/events/{event.uid}/file/") == file
    again = caller.post(FILES.format(slug="there"), file)
    assert (again.status_code, again.json()["event"]) == (200, event.uid)
    assert not any(again.json()["taken"].values())
    assert Event.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_whole_club_goes_out_and_in():
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    PlayerFactory(home=club, name="Never played")
    played(club, actor, people=4, number=1)
    caller.post("/api/v1/clubs/here/seasons/", {"name": "Autumn"})
    file = read(caller, "/api/v1/clubs/here/file/")
    emptied()
    _, caller = organiser_of(ClubFactory(slug="there"))
    answer = caller.post(FILES.format(slug="there"), file)
    assert answer.status_code == 200, answer.json()
    assert [each["taken"]["rounds"] for each in answer.json()["events"]] == [1]
    again = read(caller, "/api/v1/clubs/there/file/")
    assert {**again, "club": file["club"]} == file
    assert Club.objects.get().seasons.get().name == "Autumn"


@pytest.mark.django_db(transaction=True)
def test_a_whole_club_takes_its_own_games_along():
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    game = define_game(actor=actor, club=club, definition=HARBOUR)
    event = played_own(club, actor, HARBOUR)
    redefine_game(actor=actor, game=game, changes={"minutes": 45})  # played by nobody yet
    before, file = rows(event), read(caller, "/api/v1/clubs/here/file/")
    emptied()
    _, caller = organiser_of(ClubFactory(slug="there"))
    answer = caller.post(FILES.format(slug="there"), file)
    assert answer.status_code == 200, answer.json()
    assert [each["version"] for each in answer.json()["games"]] == [1, 2]
    again = read(caller, "/api/v1/clubs/there/file/")
    assert {**again, "club": file["club"]} == file
    assert rows(Event.objects.get()) == before


def test_running_event_is_taken_with_its_open_table(db):
    club = ClubFactory(slug="here")
    organiser_of(club)
    event = EventFactory(club=club, game="dix", status="running")
    current = Round.objects.create(event=event, number=1, status="running")
    table_in(current, [entries.enter(event, actor=Actor(), name=f"P {n}") for n in range(3)])
    _, caller = organiser_of(ClubFactory(slug="other"))
    answer = caller.post(FILES.format(slug="other"), file_of(event)).json()
    taken = Event.objects.get(uid=answer["event"])
    table = Table.objects.get(round__event=taken)
    assert (taken.status, table.status) == ("running", "playing")
    seat = Actor(Kind.ENTRY, entry=table.seats.get(position=1).entry)
    assert submit_report(actor=seat, table=table, sheet=sheet_of(table)).status == "pending"


@pytest.mark.django_db
def test_club_that_names_somebody_twice_is_refused():
    _, caller = organiser_of(ClubFactory(slug="here"))
    somebody = {"id": "7kx2m9qd4w8zr3tb", "name": "Ana"}
    club = {"slug": "here", "name": "Here"}
    file = {"format": files.CLUB_FORMAT, "club": club, "people": [somebody] * 2, "seasons": [], "events": []}
    answer = caller.post(FILES.format(slug="here"), file)
    assert (answer.status_code, answer.json()["code"]) == (422, "file-invalid")
    assert answer.json()["errors"][0]["path"] == ["people"]
    assert not Player.objects.exists()
