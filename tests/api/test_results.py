"""Results through the API: whole events of every game, and each call of a table's story."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gzip
from itertools import product

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

import engines
from api.framework import Pages
from core import computations
from core.models import Derived, StaleMark
from scoring import tasks
from scoring.models import Attempt, Report, Result
from tests.api.callers import bearer
from tests.api.evenings import Evening
from tests.scoring.evenings import minimal, sheet_of
from tournaments.models import Action, Event, Table

pytestmark = pytest.mark.django_db


class Played(Evening):
    """An event whose tables are really played."""

    def __init__(self, players=4, **fields):
        super().__init__(**{"game": "dix", "rounds": 2} | fields)
        self.enter(*(f"Player {number}" for number in range(1, players + 1)))
        self.number = 0

    def start(self):
        """Seat and start the next round; return its tables."""
        seated = self.seat(seed=1)
        self.number = seated["number"]
        self.patch_round(self.number, status="running")
        return seated["tables"]

    def phones(self, table):
        """Return the phones at a table, in order."""
        return [self.phone(seat["player"]["name"]) for seat in table["seats"]]

    def sheet(self, table, number=0):
        return sheet_of(Table.objects.get(uid=table["id"]), number)

    def send(self, table, who=0, number=0, expect=201, **more):
        body = {"report": self.sheet(table, number), **more}
        response = self.phones(table)[who].post(f"/api/v1/tables/{table['id']}/reports/", body)
        assert response.status_code == expect, response.json()
        return response.json()

    def standings(self, client=None):
        return (client or self.organiser).get(f"{self.url}standings/").json()


def compute():
    """Do what the worker would do."""
    for _ in range(3):
        for kind, key in sorted(computations.behind()):
            tasks.refresh(kind, key)


@pytest.fixture
def no_broker(monkeypatch):
    monkeypatch.setattr(tasks, "publish", lambda *args: None)


@pytest.mark.parametrize("game", ["ten-phases", "sixmix", "dix", "dice-run"])
def test_a_whole_event_of_every_game_ends_with_all_tables_final_and_the_history_complete(game, no_broker, monkeypatch):
    evening = Played(players=8, game=game)
    for _ in range(2):
        for number, table in enumerate(evening.start()):
            report = evening.send(table, number=number)
            assert report["status"] == "pending"
            confirmed = evening.phones(table)[1].post(f"/api/v1/reports/{report['id']}/confirm/", {})
            assert (confirmed.status_code, confirmed.json()["status"]) == (200, "final")
            assert len(confirmed.json()["confirmations"]) == 1
        evening.patch_round(evening.number, status="closed")
    assert evening.organiser.patch(evening.url, {"status": "finished"}).status_code == 200
    compute()
    standings = evening.standings()
    assert standings["up_to_date"]
    assert [row["tables"] for row in standings["rows"]] == [2] * 8
    assert sum(float(row["points"]) for row in standings["rows"]) == pytest.approx(8 * 2 / 2, abs=0.01)
    assert {table.status for table in Table.objects.all()} == {"final"}
    for table in Table.objects.all():
        verbs = list(Action.objects.filter(table=table).order_by("pk").values_list("verb", flat=True))
        assert verbs == ["reported", "confirmed", "result-final"]
    board = APIClient().get(f"/api/v1/leaderboards/{game}/").json()
    assert board["up_to_date"]
    assert len(board["results"]) == 8
    assert board["results"][0]["rank"] == 1
    assert sum(row["rating"] for row in board["results"]) == pytest.approx(8 * 1500, abs=60)
    first = board["results"][0]["player"]["id"]
    history = APIClient().get(f"/api/v1/players/{first}/ratings/{game}/").json()["results"]
    assert len(history) == 2
    assert history[0]["after"] == board["results"][0]["rating"]
    assert history[0]["before"] == history[1]["after"]
    # The first page is read by a statement of its own, and leads on to the others.
    monkeypatch.setattr(Pages, "page_size", 1)
    page = APIClient().get(f"/api/v1/players/{first}/ratings/{game}/").json()
    assert page["results"] == APIClient().get(f"/api/v1/players/{first}/ratings/{game}/?page_size=1").json()["results"]
    assert page["results"] + APIClient().get(page["next"]).json()["results"] == history
    profile = APIClient().get(f"/api/v1/players/{first}/").json()
    assert profile["ratings"][0]["tables"] == 2
    statistics = APIClient().get(f"/api/v1/players/{first}/statistics/{game}/").json()
    assert statistics["tables"] == 2
    assert sum(opponent["tables"] for opponent in statistics["opponents"]) == 6


def test_a_refused_sheet_is_kept_as_an_attempt_for_the_organiser():
    evening = Played()
    (table,) = evening.start()
    sheet = evening.sheet(table)
    sheet["hands"][sheet["seats"][1]]["coins"] = -4
    phone = evening.phones(table)[0]
    for _ in range(2):
        refused = phone.post(f"/api/v1/tables/{table['id']}/reports/", {"report": sheet})
        assert (refused.status_code, refused.json()["code"]) == (422, "report-invalid")
        assert refused.json()["errors"][0]["path"][:2] == ["hands", sheet["seats"][1]]
    assert Attempt.objects.count() == 1
    (attempt,) = evening.organiser.get(f"/api/v1/tables/{table['id']}/attempts/").json()["results"]
    assert attempt["code"] == "report-invalid"
    assert not attempt["verdict"]["ok"]
    assert phone.get(f"/api/v1/tables/{table['id']}/attempts/").status_code == 403


def test_two_sheets_show_where_they_part():
    evening = Played()
    (table,) = evening.start()
    evening.send(table, who=0, number=0)
    evening.send(table, who=1, number=1)
    seen = evening.phones(table)[2].get(f"/api/v1/tables/{table['id']}/reports/").json()
    assert [report["status"] for report in seen["results"]] == ["disputed", "disputed"]
    difference = seen["difference"]
    one, other = (minimal(Table.objects.get(), Report.objects.get(uid=uid).sheet) for uid in difference["reports"])
    for step in difference["path"]:
        one, other = (value.get(step) if isinstance(value, dict) else value[step] for value in (one, other))
    assert [one, other] == difference["values"]
    assert APIClient().get(f"/api/v1/tables/{table['id']}/reports/").json() == {"results": [], "difference": None}


def test_a_draft_is_shared_and_the_older_version_learns_of_the_newer():
    evening = Played()
    (table,) = evening.start()
    one, other, *_rest = evening.phones(table)
    url = f"/api/v1/tables/{table['id']}/draft/"
    assert one.get(url).json()["version"] == 0
    saved = one.put(url, {"sheet": {"hands": {}}, "version": 0}, format="json")
    assert (saved.status_code, saved.json()["version"]) == (200, 1)
    assert other.get(url).json()["sheet"] == {"hands": {}}
    assert other.put(url, {"sheet": {"a": 1}, "version": 1}, format="json").json()["version"] == 2
    conflict = one.put(url, {"sheet": {"b": 2}, "version": 1}, format="json")
    assert (conflict.status_code, conflict.json()["code"]) == (409, "draft-conflict")
    assert conflict.json()["draft"]["sheet"] == {"a": 1}
    again = other.put(url, {"sheet": {"a": 1}, "version": 1}, format="json")
    assert (again.status_code, again.json()["version"]) == (200, 2), "a retry is no conflict"
    evening.send(table)
    report = Report.objects.get()
    other.post(f"/api/v1/reports/{report.uid}/confirm/", {})
    assert one.put(url, {"sheet": {}, "version": 2}, format="json").json()["code"] == "table-closed"


def test_phones_add_to_a_draft_at_once_and_are_asked_about_one_field():
    evening = Played()
    table = evening.start()[0]
    first, second = evening.phones(table)[:2]
    url = f"/api/v1/tables/{table['id']}/draft/"
    first.patch(url, {"sheet": {"coins": 12}})
    shared = second.patch(url, {"sheet": {"coins": 21, "tokens": 2}, "base": {}, "version": 0})
    assert (shared.status_code, shared.json()["version"]) == (200, 2)
    assert shared.json()["sheet"] == {"coins": 12, "tokens": 2}
    [clash] = shared.json()["clashes"]
    assert (clash["path"], clash["theirs"], clash["yours"]) == (["coins"], 12, 21)
    assert clash["author_name"] == table["seats"][0]["player"]["name"]
    answered = second.patch(url, {"sheet": {"coins": 21, "tokens": 2}, "base": shared.json()["sheet"], "version": 2})
    assert (answered.json()["sheet"]["coins"], answered.json()["clashes"]) == (21, [])


def test_of_fields_that_two_wrote_fifty_are_listed_and_all_are_counted():
    evening = Played()
    table = evening.start()[0]
    first, second = evening.phones(table)[:2]
    url = f"/api/v1/tables/{table['id']}/draft/"
    first.patch(url, {"sheet": {"x": [1] * 51}})
    for number in (50, 51):
        answer = second.patch(url, {"sheet": {"x": [2] * number}}).json()
        assert (len(answer["clashes"]), answer["clash_count"]) == (50, number)
    assert first.patch(url, {"sheet": {"y": "x" * 63_900}}).json()["code"] == "draft-too-long"


def test_a_draft_that_cannot_be_merged_is_refused():
    evening = Played()
    table = evening.start()[0]
    phone, url = evening.phones(table)[0], f"/api/v1/tables/{table['id']}/draft/"
    for body in ({}, {"sheet": []}, {"sheet": {}, "base": 1}, {"sheet": {}, "version": -1}):
        assert phone.patch(url, body).status_code == 400, body


def test_a_draft_of_any_depth_is_merged_or_refused():
    evening = Played()
    table = evening.start()[0]
    phone, url = evening.phones(table)[0], f"/api/v1/tables/{table['id']}/draft/"
    for depth in (50, 900, 5000):
        deep = "[" * depth + "]" * depth
        for body in (f'{{"sheet": {{"a": {deep}}}}}', f'{{"sheet": {{"a": {deep}}}, "base": {{"a": {deep}}}}}'):
            assert phone.generic("PATCH", url, body, "application/json").status_code in {200, 400, 413}


def test_a_preview_says_what_would_change_and_changes_nothing(no_broker):
    evening = Played(players=4, confirmation="trust")
    (table,) = evening.start()
    evening.send(table, number=0)
    compute()
    before = evening.standings()
    rows = {table: list(table.objects.values_list()) for table in (Report, Result, Action, Derived, StaleMark)}
    ranking = [{"player": row["player"]["id"], "rank": 5 - row["rank"]} for row in before["rows"]]
    body = {"ranking": ranking, "reason": "upside down"}
    url = f"/api/v1/tables/{table['id']}/decision/"
    preview = evening.organiser.post(f"{url}?preview=true", body, format="json")
    assert preview.status_code == 200, preview.json()
    moves = {row["player"]["id"]: (row["rank_before"], row["rank_after"]) for row in preview.json()["standings"]}
    assert {table: list(table.objects.values_list()) for table in (Report, Result, Action, Derived, StaleMark)} == rows
    assert evening.standings() == before
    decided = evening.organiser.post(url, body, format="json")
    assert decided.status_code == 200
    compute()
    after = {row["player"]["id"]: row["rank"] for row in evening.standings()["rows"]}
    assert {player: rank for player, (_before, rank) in moves.items()} == {
        player: rank for player, rank in after.items() if player in moves
    }
    board = {
        row["player"]["id"]: row["rating"] for row in APIClient().get("/api/v1/leaderboards/dix/").json()["results"]
    }
    assert {row["player"]["id"]: row["after"] for row in preview.json()["ratings"]} == board
    assert preview.json()["ratings"]


def test_a_correction_names_the_rounds_seated_by_the_old_standings():
    evening = Played(confirmation="trust")
    (first,) = evening.start()
    evening.send(first)
    evening.patch_round(1, status="closed")
    evening.start()
    body = {"report": evening.sheet(first, 1), "reason": "typed wrongly"}
    decided = evening.organiser.post(f"/api/v1/tables/{first['id']}/decision/", body, format="json").json()
    assert decided["rounds_seated_after"] == [2]
    assert decided["report"]["status"] == "final"


def test_standings_follow_a_report_and_say_when_they_are_behind(no_broker):
    evening = Played(confirmation="trust")
    (table,) = evening.start()
    compute()
    assert evening.standings()["up_to_date"]
    evening.send(table)
    phone = evening.phones(table)[1]
    assert not evening.standings(phone)["up_to_date"], "who made a change never sees older figures marked true"
    compute()
    assert evening.standings(phone)["up_to_date"]


def test_an_unchanged_list_is_answered_without_building_it(no_broker, django_assert_max_num_queries):
    evening = Played(confirmation="trust")
    (table,) = evening.start()
    evening.send(table)
    compute()
    for path in (f"{evening.url}standings/", f"{evening.url}results/", "/api/v1/leaderboards/dix/"):
        tag = APIClient().get(path)["ETag"]
        with django_assert_max_num_queries(0):
            assert APIClient(headers={"If-None-Match": tag}).get(path).status_code == 304
        token = evening.entries["Player 1"]["token"]
        reader = APIClient(headers={"Authorization": f"Bearer {token}"})
        tag = reader.get(path)["ETag"]
        with django_assert_max_num_queries(2):  # who is asking, and the version
            assert reader.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_everything_is_had_as_csv_with_numbers_as_numbers(no_broker):
    evening = Played(confirmation="trust")
    (table,) = evening.start()
    evening.send(table)
    compute()
    standings = APIClient().get(f"{evening.url}standings/?format=csv")
    assert standings["Content-Type"].startswith("text/csv")
    assert standings.content.decode().splitlines()[0].startswith("rank,player,name,points")
    results = APIClient().get(f"{evening.url}results/?format=csv").content.decode().splitlines()
    assert len(results) == 5
    board = APIClient().get("/api/v1/leaderboards/dix/?format=csv").content.decode().splitlines()
    assert float(board[1].split(",")[3]) > 1500


def test_lists_are_packed_for_readers_who_unpack(no_broker):
    evening = Played(players=8)
    compute()
    path = f"{evening.url}standings/"
    plain = APIClient().get(path)
    packed = APIClient(headers={"Accept-Encoding": "gzip"}).get(path)
    assert (packed["Content-Encoding"], packed["ETag"]) == ("gzip", plain["ETag"])
    assert gzip.decompress(packed.content) == plain.content


def test_a_slip_of_a_closed_round_is_gone():
    evening = Played(confirmation="trust")
    (table,) = evening.start()
    evening.send(table)
    slip = bearer(table["token"])
    assert slip.get(f"/api/v1/tables/{table['id']}/").status_code == 200
    evening.patch_round(1, status="closed")
    assert slip.get(f"/api/v1/tables/{table['id']}/").json()["code"] == "credential-expired"


def test_all_pending_sheets_are_accepted_in_one_call():
    evening = Played(players=8, confirmation="organiser")
    for table in evening.start():
        evening.send(table)
    accepted = evening.organiser.post(f"{evening.url}decisions/", {"round": 1}).json()
    assert [report["status"] for report in accepted["accepted"]] == ["final", "final"]
    assert accepted["disputed"] == []


def test_a_confirmation_that_comes_too_late_is_refused_and_in_the_history():
    evening = Played()
    (table,) = evening.start()
    report = evening.send(table)
    body = {"report": evening.sheet(table, 1), "reason": "seen by me"}
    evening.organiser.post(f"/api/v1/tables/{table['id']}/decision/", body, format="json")
    late = evening.phones(table)[1].post(f"/api/v1/reports/{report['id']}/confirm/", {})
    assert (late.status_code, late.json()["code"]) == (409, "report-status")
    history = evening.phones(table)[1].get(f"/api/v1/tables/{table['id']}/history/").json()["results"]
    assert [row["verb"] for row in history] == ["confirmed-too-late", "result-final", "reported"]


def test_a_late_sheet_says_when_it_was_played():
    evening = Played(confirmation="trust")
    (table,) = evening.start()
    played = timezone.now().replace(microsecond=0) - dt.timedelta(hours=3)
    there = played.astimezone(dt.timezone(dt.timedelta(hours=-8)))
    report = evening.send(table, played_at=there.isoformat())
    assert report["played_at"] == f"{played:%Y-%m-%dT%H:%M:%SZ}"
    assert Result.objects.get().played_at == played


NEVER = [
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "2001-01-01T20:00:00+02:00",
]


def test_a_time_that_is_not_of_the_event_is_refused_with_the_bounds():
    evening = Played()
    (table,) = evening.start()
    earliest = Event.objects.get().starts_at - dt.timedelta(days=1)
    for played_at in NEVER:
        problem = evening.send(table, played_at=played_at, expect=400)
        assert problem["code"] == "invalid-fields", played_at
        (error,) = problem["errors"]
        assert (error["code"], error["path"]) == ("bad-value", ["played_at"]), played_at
        bounds = f"between {earliest.isoformat(timespec='seconds')} and {timezone.now().year}-"
        assert bounds in error["message"], played_at
        assert not Report.objects.exists(), played_at


def test_a_time_without_a_zone_at_the_end_of_the_calendar_is_refused():
    evening = Played()
    (table,) = evening.start()
    for played_at, zone in product(
        ("9999-12-31T23:59:59", "0001-01-01T00:00:00"), ("America/Los_Angeles", "Asia/Tokyo")
    ):
        with timezone.override(zone):
            problem = evening.send(table, played_at=played_at, expect=400)
        assert [error["path"] for error in problem["errors"]] == [["played_at"]], (played_at, zone)


def test_a_computation_that_failed_is_shown(no_broker):
    evening = Played()
    compute()
    Derived.objects.filter(kind="standings").update(parked_at="2026-11-18T20:00:00Z")
    assert evening.standings()["problem"]
    assert computations.parked().count() == 1


def test_a_sheet_is_judged_once_for_each_report(monkeypatch):
    evening = Evening(game="dix")
    evening.enter("Ana", "Ben", "Cleo")
    table = evening.seat()["tables"][0]
    judged = []
    judge = engines.GAMES["dix"].check

    def counting(report: object):
        judged.append(report)
        return judge(report)

    monkeypatch.setitem(engines.GAMES, "dix", dataclasses.replace(engines.GAMES["dix"], check=counting))
    sheet = sheet_of(Table.objects.get(uid=table["id"]))
    answer = evening.phone("Ana").post(f"/api/v1/tables/{table['id']}/reports/", {"report": sheet})
    assert (answer.status_code, answer.json()["verdict"]["ok"], len(judged)) == (201, True, 1)
