"""Events and clubs as files: out, in again, and equal; and results for those who mirror."""

from __future__ import annotations

import copy
import datetime as dt
import json
from contextlib import ExitStack

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core import costly
from core.computations import Kind as Kinds
from scoring.models import Placing, Rating, Report, StandingRow
from scoring.services import files
from scoring.services.decisions import Choice, decide, propose
from scoring.services.reports import confirm_report, dispute_report, submit_report
from scoring.services.rounds import seat_next_round
from scoring.tasks import refresh
from tests.api.callers import bearer
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    CredentialFactory,
    DeliveryFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
)
from tests.scoring.evenings import sheet_of, table_in
from tournaments.actors import Actor, Kind
from tournaments.games import engine_of_event, made_up_sheet
from tournaments.models import Action, Club, Entry, Event, Origin, Player, Round, Table
from tournaments.services import entries, events, merging, people, rounds
from tournaments.services.games import define_game, redefine_game

FILES = "/api/v1/clubs/{slug}/files/"
START = dt.datetime(2026, 11, 10, 19, tzinfo=dt.UTC)


def organiser_of(club, role="owner"):
    """Return an organiser of a club as an actor and as a caller."""
    user = MembershipFactory(club=club, role=role).user
    CredentialFactory(user=user, secret=f"lsu_{club.slug}")
    return Actor(Kind.USER, user=user), bearer(f"lsu_{club.slug}")


def played(club, actor, *, game="dix", people=9, number=2):
    """Return a finished event: reports, confirmations, an objection, a ranking by hand and a table that is dropped."""
    event = events.create_event(
        actor=actor,
        club=club,
        fields={"name": "Wednesday", "game": game, "starts_at": START},
    )
    event.refresh_from_db()
    events.change_status(actor=actor, event=event, status="registration")
    known = list(Player.objects.filter(home=club).order_by("pk")[:3])
    for player in known:
        entries.add_entry(actor=actor, event=event, player=player)
    for each in range(people - len(known)):
        entries.add_entry(actor=actor, event=event, name=f"Guest {event.uid[:5]} {each}")
    for seed in range(number):
        seated = seat_next_round(actor=actor, event=event, seed=seed)
        rounds.change_status(actor=actor, event=event, number=seated.number, status="running")
        for index, table in enumerate(Table.objects.filter(round=seated).order_by("number")):
            _play(actor, table, index + seed)
        rounds.change_status(actor=actor, event=event, number=seated.number, status="closed")
    events.change_status(actor=actor, event=event, status="finished")
    return Event.objects.get(pk=event.pk)


def _play(actor, table, number):
    seats = [Actor(Kind.ENTRY, entry=seat.entry) for seat in table.seats.select_related("entry__player")]
    if number == 3:
        ranking = {seat.entry.player.uid: (rank, None) for rank, seat in enumerate(seats, 1)}
        decide(propose(actor=actor, table=table, choice=Choice(ranking=ranking), reason="the sheet is lost"))
        return
    report = submit_report(actor=seats[0], table=table, sheet=sheet_of(table, number))
    if number == 1:
        report = dispute_report(actor=seats[1], report=report, reason="no")
        decide(propose(actor=actor, table=table, choice=Choice(report=report), reason="seen"))
    else:
        confirm_report(actor=seats[1], report=report)


def refresh_all(event):
    """Compute what follows from results, as the worker does."""
    for kind, key in ((Kinds.STANDINGS, event.uid), (Kinds.RATINGS, event.game)):
        refresh(kind, key)


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


def read(client, path):
    response = client.get(path)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


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


@pytest.fixture
def house(db):
    """A club with a played event: the club, its organiser as actor and caller, and the event."""
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    return club, actor, caller, played(club, actor, people=4, number=1)


def file_of(event, *, is_whole=True):
    return json.loads(json.dumps(files.event_file(event, is_whole=is_whole), default=lambda value: value.isoformat()))


def test_another_club_gets_people_of_its_own(house):
    _, _, _, event = house
    other = ClubFactory(slug="other")
    _, caller = organiser_of(other)
    answer = caller.post(FILES.format(slug="other"), file_of(event)).json()
    taken = Event.objects.get(uid=answer["event"])
    assert taken.uid != event.uid
    assert taken.club == other
    ours = set(Player.objects.filter(entries__event=event).values_list("uid", flat=True))
    theirs = Player.objects.filter(entries__event=taken)
    assert not ours & set(theirs.values_list("uid", flat=True))
    assert all(player.home == other for player in theirs)
    assert caller.post(FILES.format(slug="other"), file_of(event)).status_code == 200
    report = Report.objects.get(table__round__event=taken, status="final")
    assert set(report.sheet["seats"]) <= set(theirs.values_list("uid", flat=True))


def test_people_of_two_files_are_the_same_people(house):
    club, actor, _, first = house
    PlayerFactory(home=club)
    second = played(club, actor, people=4, number=1)
    shared = set(Player.objects.filter(entries__event=first)) & set(Player.objects.filter(entries__event=second))
    assert shared
    other = ClubFactory(slug="other")
    _, caller = organiser_of(other)
    for event in (first, second):
        assert caller.post(FILES.format(slug="other"), file_of(event)).status_code == 201
    assert Player.objects.filter(home=other).count() == len(
        {entry.player_id for entry in Entry.objects.filter(event__in=[first, second])}
    )


def test_a_file_does_not_enter_somebody_who_is_at_home_elsewhere_by_now(house):
    """A club took them from a file, and both sides agreed that they are one person, of the other club."""
    club, actor, _, first = house
    second, third = (played(club, actor, people=4, number=1) for _ in range(2))
    ana = first.entries.order_by("pk").first().player
    for event in (second, third):
        assert event.entries.filter(player=ana).exists()
    other = ClubFactory(slug="other")
    _, caller = organiser_of(other)
    assert caller.post(FILES.format(slug="other"), file_of(first)).status_code == 201
    copied = Origin.objects.get(club=other, uid=ana.uid).player
    merging.merge(*merging.lock_both(copied, ana), by=actor)
    before = ana.entries.count()
    for event in (second, third):
        assert caller.post(FILES.format(slug="other"), file_of(event)).status_code == 201
    assert ana.entries.count() == before
    again = Player.objects.get(home=other, name=ana.name, merged_into=None)
    assert again.entries.count() == 2


def test_two_of_a_file_who_were_merged_here_are_refused_with_a_sentence(house):
    """A club took them from two files, and joined their records; a third file has both at one event."""
    _, _, _, event = house
    other = ClubFactory(slug="other")
    owner, caller = organiser_of(other)
    gone, kept = (PlayerFactory(club=other) for _ in range(2))
    for index, player in enumerate((gone, kept)):
        Origin.objects.create(club=other, uid=file_of(event)["entries"][index]["player"], player=player)
    merging.merge_players(actor=owner, gone=gone, kept=kept)
    answer = caller.post(FILES.format(slug="other"), file_of(event))
    assert (answer.status_code, answer.json()["code"]) == (422, "file-invalid")
    assert [(each["code"], each["path"]) for each in answer.json()["errors"]] == [
        ("merged-here", ["entries", 1, "player"])
    ]
    assert not Event.objects.filter(club=other).exists()
    merging.unmerge_player(actor=owner, player=gone)
    assert caller.post(FILES.format(slug="other"), file_of(event)).status_code == 201


@pytest.mark.parametrize("kind", ["event", "club"])
def test_nothing_of_a_file_gets_the_id_of_somebody_here(house, kind):
    """A person whose entry had the id of somebody else's record would be forgotten with what is theirs."""
    _, _, _, event = house
    victim = PlayerFactory(name="Ana", club=ClubFactory())
    entry = EntryFactory(event=EventFactory(club=victim.home), player=victim)
    told = DeliveryFactory(payload={"data": {"entry": entry.uid, "player": victim.uid, "name": "Ana"}})
    other = ClubFactory(slug="other")
    owner, caller = organiser_of(other)
    file = file_of(event)
    if kind == "event":
        file = json.loads(json.dumps(file).replace(file["entries"][0]["id"], victim.uid))
    else:
        club = {"slug": "other", "name": "Other"}
        people_of_file = [{"id": entry.uid, "name": "Eve"}]
        file = {"format": files.CLUB_FORMAT, "club": club, "people": people_of_file, "seasons": [], "events": [file]}
    assert caller.post(FILES.format(slug="other"), file).status_code in {200, 201}
    assert Player.objects.filter(home=other).exists()
    for player in Player.objects.filter(home=other):
        people.anonymise_player(actor=owner, player=player)
    told.refresh_from_db()
    assert told.payload["data"]["name"] == "Ana"


def test_history_of_a_file_names_nobody_of_another_club_as_whom_a_phone_said_to_be(house):
    _, _, _, event = house
    other = ClubFactory(slug="other")
    own, stranger = PlayerFactory(club=other), PlayerFactory(club=ClubFactory())
    _, caller = organiser_of(other)
    file = file_of(event)
    entered = [each for each in file["history"] if each["verb"] == "entered"]
    for each, player in zip(entered, (own, stranger), strict=False):
        each["facts"]["claims"] = player.uid
    assert caller.post(FILES.format(slug="other"), file).status_code == 201
    taken = Action.objects.filter(event__club=other, facts__has_key="claims").order_by("pk")
    claims = [each.facts["claims"] for each in taken]
    assert own.uid in claims
    assert stranger.uid not in claims


def test_file_of_an_event_that_is_here_is_that_event(house):
    _, _, caller, event = house
    answer = caller.post(FILES.format(slug="here"), file_of(event))
    assert (answer.status_code, answer.json()["event"]) == (200, event.uid)


def test_changed_file_of_an_event_that_was_taken_is_refused(house):
    _, _, _, event = house
    _, caller = organiser_of(ClubFactory(slug="other"))
    file = file_of(event)
    caller.post(FILES.format(slug="other"), file)
    file["event"]["name"] = "Another"
    answer = caller.post(FILES.format(slug="other"), file)
    assert (answer.status_code, answer.json()["code"]) == (409, "file-differs")


def test_sheet_that_breaks_the_rules_is_left_out_and_said(house):
    _, _, _, event = house
    other = ClubFactory(slug="other")
    _, caller = organiser_of(other)
    file = file_of(event)
    (report,) = [each for each in file["rounds"][0]["tables"][0]["reports"] if each["status"] == "final"]
    report["sheet"]["hands"][report["sheet"]["seats"][0]] = {"cards": ["nonsense"]}
    answer = caller.post(FILES.format(slug="other"), file)
    assert answer.status_code == 201
    (refused,) = answer.json()["refused"]
    assert refused["code"] == "report-invalid"
    assert refused["path"][:4] == ["rounds", 0, "tables", 0]
    assert refused["errors"]
    taken = Event.objects.get(uid=answer.json()["event"])
    assert Table.objects.get(round__event=taken).status == "dropped"
    assert not Placing.objects.filter(event=taken).exists()


def spoil(file, what):
    table = file["rounds"][0]["tables"][0]
    match what:
        case "unknown entry":
            table["seats"][0] = "2" * 16
        case "unknown person":
            file["entries"][0]["player"] = "2" * 16
        case "entry twice":
            file["entries"].append(copy.deepcopy(file["entries"][0]))
        case "seat twice":
            table["seats"][0] = table["seats"][1]
        case "final without a time":
            table["final_at"] = None
        case "time to come":
            table["final_at"] = "2999-01-01T00:00:00Z"
        case "sheet to come":
            table["reports"][0] |= {"played_at": None, "created_at": "2900-01-01T00:00:00Z"}
        case "sheet from before the event":
            table["reports"][0] |= {"played_at": None, "created_at": "1901-01-01T00:00:00Z"}
        case "first day of the calendar":
            file["event"]["created_at"] = "0001-01-01T00:00:00Z"
        case "last day of the calendar":
            file["entries"][0]["joined_at"] = "9999-12-31T23:59:59Z"
        case "open round":
            file["rounds"][0]["status"] = "running"
        case "result of a draft":
            file["event"]["status"] = "running"
            file["rounds"][0]["status"] = "draft"
        case "result of a cancelled event":
            file["event"]["status"] = "cancelled"
        case "variant":
            table["variant"] = "solo"
        case "table size":
            file["event"]["table_size"] = {"min": 5, "max": 2, "preferred": 3}
        case "misspelt":
            file["events"] = {}
        case "id of another form":
            file["event"]["id"] = "../../etc"
        case "id of two things":
            file["penalties"].append(
                {
                    "id": file["people"][0]["id"],
                    "entry": file["entries"][0]["id"],
                    "points": "1",
                    "round": 1,
                    "reason": "late",
                    "created_at": file["event"]["created_at"],
                    "taken_back_at": None,
                }
            )
        case "cut of another form":
            file["rounds"][0]["cut"] = {"contested": ["x"], "tied": 5}
        case "cost of another form":
            file["rounds"][0]["quality"] = {"spread": 10**400}
        case "flag of another form":
            table["reports"][0]["flags"] = ["odd"]
        case "fact of another form":
            file["history"][0]["facts"] = {"entry": ["x"]}


@pytest.mark.parametrize(
    "what",
    [
        *("unknown entry", "unknown person", "entry twice", "seat twice", "final without a time", "time to come"),
        *("open round", "result of a draft", "result of a cancelled event"),
        *("variant", "table size", "misspelt", "id of another form"),
        *("first day of the calendar", "last day of the calendar", "id of two things"),
        *("sheet to come", "sheet from before the event"),
        *("cut of another form", "cost of another form", "flag of another form", "fact of another form"),
    ],
)
def test_file_that_contradicts_itself_is_refused_whole(house, what):
    _, _, _, event = house
    other = ClubFactory(slug="other")
    _, caller = organiser_of(other)
    file = file_of(event)
    spoil(file, what)
    answer = caller.post(FILES.format(slug="other"), file)
    assert answer.status_code in {400, 422}, answer.json()
    assert answer.json()["errors"]
    assert not Event.objects.filter(club=other).exists()
    assert not Player.objects.filter(home=other).exists()


def test_reader_outside_of_the_club_gets_what_they_may_know(house, client):
    _, _, caller, event = house
    public = read(client, f"/api/v1/events/{event.uid}/file/")
    whole = read(caller, f"/api/v1/events/{event.uid}/file/")
    assert public["history"] == []
    assert public["people"] == whole["people"]
    reports = [report for each in public["rounds"] for table in each["tables"] for report in table["reports"]]
    assert reports
    assert {report["status"] for report in reports} == {"final"}
    assert not any(report["voices"] or report["reason"] or report["author"] for report in reports)
    Event.objects.filter(pk=event.pk).update(is_public=False)
    assert client.get(f"/api/v1/events/{event.uid}/file/").status_code == 404


def test_reader_outside_of_the_club_gets_no_round_that_was_given_up(house):
    _, actor, _, event = house
    events.change_status(actor=actor, event=event, status="running", reason="one more")
    draft = seat_next_round(actor=actor, event=event, seed=3, is_draft=True)
    rounds.change_status(actor=actor, event=event, number=draft.number, status="cancelled")
    assert draft.number in {each["number"] for each in file_of(event)["rounds"]}
    assert draft.number not in {each["number"] for each in file_of(event, is_whole=False)["rounds"]}


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


# What of a row is in no file: its place in this database, secrets, versions, and what belongs to accounts.
LEFT_OUT = {"id", "event", "round", "table", "club", "uid", "version", "generation", "user", "device"}
LEFT_OUT |= {"call", "join_code", "created_by", "code", "code_since", "minimal", "created_at", "season", "has_phones"}
RENAMED = {"definition": "game_version", "rounds_planned": "rounds", "is_public": "public", "is_verified": "verified"}


def test_every_column_is_in_the_file_or_left_out_on_purpose(house):
    """A column that is new belongs into `scoring/services/files.py`, `file_rows.py` and `api/files.py`, or above."""
    _, _, _, event = house
    file = file_of(event)
    table = file["rounds"][0]["tables"][0]
    sizes = {f"table_{name}" for name in file["event"]["table_size"]}
    for model, row in (
        (Event, {*file["event"], *sizes}),
        (Entry, file["entries"][0]),
        (Round, file["rounds"][0]),
        (Table, table),
        (Report, table["reports"][0]),
    ):
        columns = {RENAMED.get(field.name, field.name) for field in model._meta.concrete_fields}
        assert columns - LEFT_OUT - set(row) == set(), model


def test_file_from_before_a_column_came_is_read_with_its_default(house):
    _, _, _, event = house
    _, caller = organiser_of(ClubFactory(slug="other"))
    file = file_of(event)
    for name in ("stages", "tie_rule"):
        del file["event"][name]
    for name in ("stage", "cut", "paused_at", "paused_seconds"):
        del file["rounds"][0][name]
    del file["rounds"][0]["tables"][0]["extra_minutes"]
    assert caller.post(FILES.format(slug="other"), file).status_code == 201


# --- Games of a club's own ----------------------------------------------------------------------------------------


def played_own(club, actor, definition, number=1):
    """Return a finished event of a game that the club described itself, with a table that counts."""
    game = f"custom:{definition['slug']}"
    fields = {"name": "Own", "game": game, "starts_at": START}
    event = events.create_event(actor=actor, club=club, fields=fields)
    events.change_status(actor=actor, event=event, status="registration")
    for each in range(3):
        entries.add_entry(actor=actor, event=event, name=f"Own {event.uid[:5]} {each}")
    seated = seat_next_round(actor=actor, event=event, seed=1)
    rounds.change_status(actor=actor, event=event, number=1, status="running")
    table = seated.tables.get()
    seats = [seat.entry for seat in table.seats.select_related("entry__player")]
    labels = [entry.player.uid for entry in seats]
    sheet = made_up_sheet(engine_of_event(Event.objects.get(pk=event.pk)), labels, str(number))
    report = submit_report(actor=Actor(Kind.ENTRY, entry=seats[0]), table=table, sheet=sheet)
    confirm_report(actor=Actor(Kind.ENTRY, entry=seats[1]), report=report)
    rounds.change_status(actor=actor, event=event, number=1, status="closed")
    events.change_status(actor=actor, event=event, status="finished")
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def harbour(db):
    """A club with a game of its own in two versions, and an event played by each: actor, game and the two files."""
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    game = define_game(actor=actor, club=club, definition=HARBOUR)
    first = played_own(club, actor, HARBOUR)
    redefine_game(actor=actor, game=game, changes={"minutes": 45})
    second = played_own(club, actor, HARBOUR, 2)
    return caller, game, file_of(first), file_of(second)


def test_a_file_carries_the_definition_it_was_played_by(harbour):
    _, game, first, second = harbour
    assert first["definitions"] == [{"id": game.uid, "version": 1, "definition": HARBOUR}]
    assert second["definitions"][0]["version"] == second["event"]["game_version"] == 2
    assert second["definitions"][0]["definition"]["minutes"] == 45


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_versions_of_a_game_come_in_by_several_files_in_any_order(harbour, order):
    _, _, *sent = harbour
    club = ClubFactory(slug="there")
    _, caller = organiser_of(club)
    for index in order:
        answer = caller.post(FILES.format(slug="there"), sent[index])
        assert (answer.status_code, answer.json()["refused"]) == (201, []), answer.json()
        taken = {"game": "custom:harbour", "taken_as": "custom:harbour", "version": index + 1}
        assert answer.json()["games"] == [taken]
        assert answer.json()["taken"]["reports"] == 1
        here = Event.objects.get(uid=answer.json()["event"])
        assert (here.game_slug, here.game_version, here.club) == ("custom:harbour", index + 1, club)
    own = club.games.get()
    assert (own.version, own.versions.count()) == (2, 2)
    for file in sent:
        again = caller.post(FILES.format(slug="there"), file)
        assert (again.status_code, again.json()["games"]) == (200, [])
    assert club.games.get().versions.count() == 2


def test_another_game_of_the_same_name_stays_what_it_is(harbour):
    _, _, *sent = harbour
    club = ClubFactory(slug="there")
    actor, caller = organiser_of(club)
    theirs = define_game(actor=actor, club=club, definition={**HARBOUR, "winner": "fewest"})
    names = []
    for file in sent:
        answer = caller.post(FILES.format(slug="there"), file).json()
        names += [(each["taken_as"], each["version"]) for each in answer["games"]]
        assert answer["refused"] == []
        here = Event.objects.get(uid=answer["event"])
        sheet = Report.objects.get(table__round__event=here).sheet
        assert here.game_slug == sheet["game"] == "custom:harbour-2"
    assert names == [("custom:harbour-2", 1), ("custom:harbour-2", 2)]
    theirs.refresh_from_db()
    assert (theirs.version, theirs.versions.get().definition["winner"]) == (1, "fewest")


def test_the_same_rules_under_the_same_name_are_the_same_game(harbour):
    _, _, first, _ = harbour
    club = ClubFactory(slug="there")
    actor, caller = organiser_of(club)
    own = define_game(actor=actor, club=club, definition=HARBOUR)
    answer = caller.post(FILES.format(slug="there"), first)
    assert answer.json()["games"] == [{"game": "custom:harbour", "taken_as": "custom:harbour", "version": 1}]
    assert Event.objects.get(uid=answer.json()["event"]).game == own.key
    assert club.games.get() == own


def test_a_definition_is_judged_again_and_nothing_of_a_wrong_file_stays(harbour):
    _, _, first, _ = harbour
    club = ClubFactory(slug="there")
    _, caller = organiser_of(club)
    wrong = json.loads(json.dumps(first))
    wrong["definitions"][0]["definition"]["seats"]["max"] = 99
    answer = caller.post(FILES.format(slug="there"), wrong)
    assert (answer.status_code, answer.json()["code"]) == (422, "file-invalid")
    assert answer.json()["errors"][0]["path"][:4] == ["definitions", 0, "definition", "seats"]
    other = json.loads(json.dumps(first))
    other["definitions"][0]["definition"]["winner"] = "fewest"
    other["entries"][0]["player"] = other["entries"][1]["player"]
    assert caller.post(FILES.format(slug="there"), other).status_code == 422
    assert not club.games.exists()
    assert caller.post(FILES.format(slug="there"), first).json()["refused"] == []
    del first["definitions"]
    first["event"]["id"] = first["event"]["id"][::-1]
    elsewhere = organiser_of(ClubFactory(slug="elsewhere"))[1].post(FILES.format(slug="elsewhere"), first)
    assert [each["code"] for each in elsewhere.json()["errors"]] == ["unknown-game"]


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


# --- Results for those who mirror ---------------------------------------------------------------------------------


def lines(client, **query):
    response = client.get("/api/v1/clubs/here/results/", query)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in response.getvalue().decode().splitlines()]


def test_results_come_a_line_each_and_since_a_time(house, client):
    _, actor, _, event = house
    first = lines(client)
    assert [line["event"] for line in first] == [event.uid]
    assert len(first[0]["places"]) == 4
    assert len(lines(client, modified_since=first[0]["modified_at"])) == 1
    assert lines(client, modified_since="2999-01-01T00:00:00Z") == []
    table = Table.objects.get(round__event=event)
    decide(propose(actor=actor, table=table, choice=Choice(is_dropped=True), reason="a mistake"))
    (gone,) = lines(client, modified_since=first[0]["modified_at"])
    assert (gone["counted"], gone["places"]) == (False, [])
    assert gone["modified_at"] > first[0]["modified_at"]
    assert client.get("/api/v1/clubs/here/results/?modified_since=soon").json()["code"] == "invalid-fields"


def test_results_asked_for_by_too_many_at_once_are_refused_and_not_cut_off(house, client):
    for _ in range(4):  # more than there are turns, each of which is given back
        assert lines(client)
    with ExitStack() as others:
        for _ in range(3):
            others.enter_context(costly._place(costly.EXPORT.places))
        refused = client.get("/api/v1/clubs/here/results/")
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-at-once")
    assert lines(client)


# --- Many entries at once -----------------------------------------------------------------------------------------


@pytest.fixture
def open_event(db):
    """An event that people enter, its path, and its organiser."""
    club = ClubFactory(slug="here")
    _, caller = organiser_of(club)
    event = EventFactory(club=club, status="registration")
    return event, f"/api/v1/events/{event.uid}/entries/", caller


def test_entries_in_bulk_are_answered_row_by_row(open_event):
    event, path, caller = open_event
    elsewhere = PlayerFactory()
    body = [{"name": "Ana"}, {"name": "ana"}, {"player": elsewhere.uid}, {"name": "Bo"}, {"player": "2" * 16}]
    answer = caller.post(f"{path}bulk/", {"entries": body}).json()
    assert answer["entered"] == 2
    codes = [row["problem"] and row["problem"]["code"] for row in answer["results"]]
    assert codes == [None, "name-taken", "not-found", None, "not-found"]
    assert answer["results"][1]["problem"]["suggestion"] == "ana 2"
    assert answer["results"][0]["entry"]["token"].startswith("lse_")
    assert event.entries.count() == 2


def test_many_entries_in_bulk_cost_no_more_statements_than_two(open_event, django_assert_max_num_queries):
    """With a key all rows are stored in one transaction, and on SQLite everybody else waits for its end."""
    event, path, caller = open_event

    def rows(number):
        known = [PlayerFactory(club=event.club) for _ in range(number)]
        return [*({"player": each.uid} for each in known), *({"name": f"{number} {each.uid}"} for each in known)]

    def send(few):
        return caller.post(f"{path}bulk/", {"entries": few}, headers={"Idempotency-Key": f"key-{len(few)}"}).json()

    few, many = rows(1), rows(30)
    with CaptureQueriesContext(connection) as short:
        assert send(few)["entered"] == 2
    with django_assert_max_num_queries(len(short)):
        assert send(many)["entered"] == 60
    assert send(many)["entered"] == 60, "the same answer again"
    assert event.entries.count() == 62


def test_rows_in_bulk_know_of_those_before_them(open_event):
    event, path, caller = open_event
    ana, merged = (PlayerFactory(name=name, club=event.club) for name in ("Ana", "Anna"))
    Player.objects.filter(pk=merged.pk).update(merged_into=ana)
    body = [{"name": "Ana"}, {"player": ana.uid}, {"player": merged.uid}, {"name": "ana 2"}]
    answer = caller.post(f"{path}bulk/", {"entries": body}).json()
    codes = [row["problem"] and row["problem"]["code"] for row in answer["results"]]
    assert codes == [None, None, "already-entered", "name-taken"]
    assert [entry.name for entry in event.entries.order_by("pk")] == ["Ana", "Ana 2"]


def test_rows_in_bulk_say_each_that_the_event_is_over(open_event):
    event, path, caller = open_event
    Event.objects.filter(pk=event.pk).update(status=Event.Status.CANCELLED)
    answer = caller.post(f"{path}bulk/", {"entries": [{"name": "Ana"}, {"player": "2" * 16}]}).json()
    assert [row["problem"]["code"] for row in answer["results"]] == ["event-status", "not-found"]


def test_entries_come_from_an_uploaded_file(open_event, client):
    event, path, caller = open_event
    known = AffiliationFactory(club=event.club, player__home=event.club, player__name="Ana").player
    file = SimpleUploadedFile("people.csv", "﻿Nom;Ville\nAna;Lyon\nZoë;Paris\n;\n".encode(), "text/csv")
    answer = caller.post(f"{path}import/", {"file": file}, format="multipart").json()
    assert answer["entered"] == 2, answer
    assert Entry.objects.get(event=event, name="Ana").player == known
    plain = caller.generic("POST", f"{path}import/", "name\nCy\nÉlo\n".encode("cp1252"), content_type="text/csv")
    assert plain.json()["entered"] == 2
    assert event.entries.filter(name="Élo").exists()


def test_a_name_that_two_have_enters_neither_of_them(open_event):
    """Whoever takes the name of somebody else does not get their evening by a list of names."""
    event, path, caller = open_event
    ana, cheat = (PlayerFactory(name=name, club=event.club) for name in ("Ana", "ANA"))
    answer = caller.post(f"{path}import/", {"csv": "Ana\n"}).json()
    assert answer["results"][0]["entry"]["player"]["id"] not in {ana.uid, cheat.uid}


def test_players_come_from_an_uploaded_file(open_event):
    _, _, caller = open_event
    file = SimpleUploadedFile("people.csv", b"name\nAna\nBo\n", "text/csv")
    body = {"file": file, "dry_run": "true"}
    answer = caller.post("/api/v1/clubs/here/players/import/", body, format="multipart").json()
    assert [each["name"] for each in answer["new"]] == ["Ana", "Bo"]
    assert not Player.objects.exists()
    sent = caller.generic("POST", "/api/v1/clubs/here/players/import/", b"Ana\nBo\n", content_type="text/csv")
    assert len(sent.json()["new"]) == 2


def test_standings_as_csv_have_a_column_per_tie_break(house, client):
    _, _, _, event = house
    refresh_all(event)
    first, second, *_ = client.get(f"/api/v1/events/{event.uid}/standings/?format=csv").content.decode().splitlines()
    assert first.split(",")[-len(event.tiebreaks) :] == event.tiebreaks
    assert second.startswith("1,")
