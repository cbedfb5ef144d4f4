"""Events as files: out, and in again; and results for those who mirror. Nothing here commits."""

from __future__ import annotations

import copy
import datetime as dt
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.files import Lines
from core import costly
from scoring.models import Placing, Report
from scoring.services import files
from scoring.services.decisions import Choice, decide, propose
from scoring.services.rounds import seat_next_round
from tests.api.files import FILES, file_of, organiser_of, played, read, refresh_all
from tests.factories import (
    ClubFactory,
    DeliveryFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
)
from tournaments.models import Action, Entry, Event, Origin, Player, Round, Table
from tournaments.services import events, merging, people, rounds


@pytest.fixture(scope="module")
def stored(shared_rows):
    """The rows of `house`."""
    club = ClubFactory(slug="here")
    actor, caller = organiser_of(club)
    return (club, actor, played(club, actor, people=4, number=1)), caller


@pytest.fixture
def house(stored, db):
    """A club with a played event: the club, its organiser as actor and caller, and the event."""
    (club, actor, event), caller = copy.deepcopy(stored[0]), stored[1]
    return club, actor, caller, event


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


def behind(file, path):
    """Return what holds the last name of a path, and that name."""
    for name in path[:-1]:
        file = file[name]
    return file, path[-1]


@pytest.mark.parametrize(
    "path",
    [
        *[("event", "created_at"), ("entries", 0, "joined_at"), ("entries", 0, "waiting_since"), ("history", 0, "at")],
        *[("rounds", 0, name) for name in ("seated_at", "started_at", "closed_at", "paused_at")],
        *[("rounds", 0, "tables", 0, "reports", 0, name) for name in ("created_at", "played_at")],
        ("rounds", 0, "tables", 0, "final_at"),
    ],
    ids=lambda path: f"{path[0]} {path[-1]}",
)
def test_file_says_of_nothing_that_it_happened_tomorrow(house, path):
    _, _, _, event = house
    _, caller = organiser_of(ClubFactory(slug="other"))
    file = file_of(event)
    said, name = behind(file, path)
    if name == "waiting_since":
        said["status"] = "waiting"
    said[name] = (timezone.now() + dt.timedelta(days=1)).isoformat()
    answer = caller.post(FILES.format(slug="other"), file)
    assert answer.status_code == 422, answer.json()
    assert ("dates", list(path)) in [(each["code"], each["path"]) for each in answer.json()["errors"]]


def test_file_of_an_event_that_is_planned_is_taken(house):
    _, _, _, event = house
    _, caller = organiser_of(ClubFactory(slug="other"))
    file = file_of(event)
    file["event"] |= {"status": "registration", "prizes": []}
    file |= {"rounds": [], "penalties": [], "history": []}
    for days, name in enumerate(("sign_up_closes_at", "starts_at", "ends_at"), 1):
        file["event"][name] = (timezone.now() + dt.timedelta(days=days)).isoformat()
    answer = caller.post(FILES.format(slug="other"), file)
    assert answer.status_code == 201, answer.json()


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


def test_reader_outside_of_the_club_is_not_told_that_a_pair_sits_together_that_is_kept_apart(house, client):
    _, _, caller, event = house
    current = event.rounds.get()
    Round.objects.update(quality=current.quality | {"apart_broken": 1})
    event.rounds.create(number=2, status=Round.Status.CLOSED, kind=Round.Kind.OPEN)  # nothing was computed
    address = f"/api/v1/events/{event.uid}"
    for reader, broken in ((client, 0), (caller, 1)):
        shown = read(reader, f"{address}/rounds/1/")["quality"]
        assert shown == current.quality | {"apart_broken": broken}
        listed = [each["quality"] for each in read(reader, f"{address}/rounds/")["results"]]
        assert listed == [dict.fromkeys(shown, 0), shown]
        kept = [each["quality"] for each in read(reader, f"{address}/file/")["rounds"]]
        assert kept == [shown, {}]


def test_reader_outside_of_the_club_gets_no_round_that_was_given_up(house):
    _, actor, _, event = house
    events.change_status(actor=actor, event=event, status="running", reason="one more")
    draft = seat_next_round(actor=actor, event=event, seed=3, is_draft=True)
    rounds.change_status(actor=actor, event=event, number=draft.number, status="cancelled")
    assert draft.number in {each["number"] for each in file_of(event)["rounds"]}
    assert draft.number not in {each["number"] for each in file_of(event, is_whole=False)["rounds"]}


def test_reader_outside_of_the_club_gets_no_round_of_a_rotation_that_is_to_come(house, client):
    club, actor, caller, _ = house
    event = EventFactory(club=club, format="rotation", rounds_planned=3)
    for _each in range(8):
        EntryFactory(event=event, status=Entry.Status.CHECKED_IN)
    seat_next_round(actor=actor, event=event, seed=1)
    rounds.change_status(actor=actor, event=event, number=1, status="running")
    address = f"/api/v1/events/{event.uid}/file/"
    assert len(read(caller, address)["event"]["schedule"]) == 2
    public = read(client, address)
    assert public["event"]["schedule"] == []
    assert len(public["rounds"]) == 1
    other = ClubFactory(slug="other")
    owner, there = organiser_of(other)
    answer = there.post(FILES.format(slug="other"), public)
    assert answer.status_code == 201, answer.json()
    taken = Event.objects.get(uid=answer.json()["event"])
    assert (taken.status, taken.schedule) == ("running", [])
    for table in Table.objects.filter(round__event=taken):
        decide(propose(actor=owner, table=table, choice=Choice(is_dropped=True), reason="not played here"))
    rounds.change_status(actor=owner, event=taken, number=1, status="closed")
    assert seat_next_round(actor=owner, event=taken, seed=2).number == 2
    taken.refresh_from_db()
    assert len(taken.schedule) == 1, "what is to come is planned anew"


# What of a row is in no file: its place in this database, secrets, versions, and what belongs to accounts.
LEFT_OUT = {"id", "event", "round", "table", "club", "uid", "version", "generation", "user", "device"}
LEFT_OUT |= {"call", "join_code", "created_by", "code", "code_since", "minimal", "created_at", "season", "has_phones"}
LEFT_OUT |= {"rests_on"}  # records, by their keys
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


def test_files_and_results_of_many_people_name_nobody_one_by_one(house, client):
    """SQLite takes a thousand alternatives: the file of an event of 2,000 was answered 503, whatever somebody did."""
    _, _, caller, event = house
    with CaptureQueriesContext(connection) as read:
        assert caller.get(f"/api/v1/events/{event.uid}/file/").status_code == 200
        assert lines(client)
    asked = [str(each["sql"]).count('"tournaments_entry"."id" = ') for each in read.captured_queries]
    assert max(asked) <= 1


def test_results_asked_for_by_too_many_at_once_are_refused_and_not_cut_off(house, client):
    for _ in range(4):  # more than there are turns, each of which is given back
        assert lines(client)
    with costly.bounded(costly.EXPORT), costly._place(costly.EXPORT.places):
        refused = client.get("/api/v1/clubs/here/results/")
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-at-once")
    assert lines(client)


def test_standings_as_csv_have_a_column_per_tie_break(house, client):
    _, _, _, event = house
    refresh_all(event)
    first, second, *_ = client.get(f"/api/v1/events/{event.uid}/standings/?format=csv").content.decode().splitlines()
    assert first.split(",")[-len(event.tiebreaks) :] == event.tiebreaks
    assert second.startswith("1,")


def test_results_that_are_broken_off_are_read_no_further():
    """What is read half way kept the thread, and all who waited behind it, from writing to SQLite."""
    ended = []

    def rows():
        try:
            yield {"table": "one"}
            yield {"table": "two"}
        finally:
            ended.append(True)

    answer = Lines(rows())
    assert next(iter(answer)) == b'{"table":"one"}\n'
    assert not ended
    answer.close()
    assert ended
