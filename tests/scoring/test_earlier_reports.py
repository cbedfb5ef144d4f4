"""Rules change between releases. What is final keeps its places, whatever the present rules say of its sheet."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from engines import GAMES
from engines.base import Standing
from scoring.models import Placing, RatingChange, Report
from scoring.rankings.ratings import store as ratings
from scoring.rankings.standings import store as standings
from scoring.selectors import verdict_of
from scoring.services.decisions import Choice, decide_table
from scoring.services.previews import preview_decision
from scoring.services.reports import count_report, submit_report
from tests.factories import EntryFactory
from tests.scoring.evenings import Evening, evening, sheet_of, table_in
from tests.web.phones import phone_of
from tournaments.models import Confirmation, Table

pytestmark = pytest.mark.django_db

KINDS = ["refused", "ranked otherwise"]


@dataclass
class Upgraded:
    """An event with a result from before the rules changed, and another table."""

    tonight: Evening
    report: Report
    other: Table

    @property
    def ranks(self) -> dict[str, int]:
        """The places that the earlier rules gave, by player."""
        return {row["seat"]: row["rank"] for row in self.report.standings}


def judge(sheet: dict[str, Any]) -> tuple[dict[str, Any], tuple[Standing, ...]]:
    """Return a sheet with the places that the present rules give."""
    return sheet, GAMES["dix"].check(sheet).standings or ()


def has_no_tie(rows: tuple[Standing, ...]) -> bool:
    return [row.rank for row in rows] == [1, 2, 3]


@pytest.fixture(params=KINDS)
def upgraded(request) -> Upgraded:
    tonight = evening(confirmation=Confirmation.TRUST)
    other = table_in(tonight.table.round, [EntryFactory(event=tonight.event) for _ in range(3)], number=2)
    sheet, present = next(judged for judged in map(judge, map(tonight.sheet, range(20))) if has_no_tie(judged[1]))
    turned = [row.as_json() | {"rank": rank} for rank, row in enumerate(reversed(present), 1)]
    if request.param == "refused":
        sheet |= {"of_an_older_edition": True}
        assert not GAMES["dix"].check(sheet).ok
    report = Report.objects.create(
        table=tonight.table, version=1, sheet=sheet, minimal="x", standings=turned, entry=tonight.entries[0]
    )
    report.said = []
    count_report(actor=tonight.players[0], report=report)
    submit_report(actor=tonight.organiser, table=other, sheet=sheet_of(other))
    standings.refresh(tonight.event.uid)
    ratings.refresh("dix")
    return Upgraded(tonight, Report.objects.get(pk=report.pk), other)


def placed(upgraded: Upgraded) -> dict[str, int]:
    return {row.player.uid: row.rank for row in Placing.objects.filter(result__table=upgraded.tonight.table)}


def test_standings_count_the_places_that_were_given(upgraded):
    assert placed(upgraded) == upgraded.ranks
    inputs = standings.load(upgraded.tonight.event)
    points = dict(zip(inputs.uids, inputs.standings().points.tolist(), strict=True))
    for entry in upgraded.tonight.entries:
        assert points[entry.uid] == 840 * (3 - upgraded.ranks[entry.player.uid]) // 2


def test_ratings_are_rebuilt_from_the_places_that_were_given(upgraded):
    gains = {row.placing.player.uid: row.after - row.before for row in RatingChange.objects.select_related("placing")}
    best, _, worst = (row["seat"] for row in upgraded.report.standings)
    assert gains[best] > 0 > gains[worst]
    rebuilt = ratings.refresh("dix", ratings.BEGINNING)
    assert (rebuilt.changes, rebuilt.moves) == (0, [])


def test_a_correction_of_another_table_and_its_preview_leave_the_places_alone(upgraded):
    tonight, choice = upgraded.tonight, Choice(sheet=sheet_of(upgraded.other, 1))
    foreseen = preview_decision(actor=tonight.organiser, table=upgraded.other, choice=choice)
    moved = {move.player.pk for move in foreseen.ratings}
    assert moved
    assert moved.isdisjoint(entry.player_id for entry in tonight.entries)
    decide_table(actor=tonight.organiser, table=upgraded.other, choice=choice, reason="typed wrongly")
    assert {move.player for move in ratings.refresh("dix", ratings.BEGINNING).moves} == moved
    assert placed(upgraded) == upgraded.ranks


def test_the_report_is_shown_with_the_places_that_were_given(upgraded):
    said = verdict_of(upgraded.report, upgraded.tonight.table)
    assert (said["ok"], said["errors"], said["standings"]) == (True, [], upgraded.report.standings)
    shown = Client().get(f"/api/v1/reports/{upgraded.report.uid}/").json()
    assert (shown["status"], shown["verdict"]["standings"]) == ("final", upgraded.report.standings)
    assert shown["report"] == upgraded.report.sheet


def test_exports_have_the_places_that_were_given(upgraded):
    address = f"/api/v1/events/{upgraded.tonight.event.uid}/results/"
    rows = Client().get(address).json()["rows"]
    told = {row["player"]["id"]: row["rank"] for row in rows if row["table"] == upgraded.tonight.table.uid}
    assert told == upgraded.ranks
    lines = csv.DictReader(io.StringIO(Client().get(f"{address}?format=csv").content.decode("utf-8-sig")))
    ours = [row for row in lines if row["table"] == upgraded.tonight.table.uid]
    assert {row["player"]: int(row["rank"]) for row in ours} == upgraded.ranks


def test_every_page_of_the_table_shows_the_places_that_were_given(upgraded):
    tonight = upgraded.tonight
    table = f"/e/{tonight.event.uid}/table/{tonight.table.uid}/"
    desk = f"/e/{tonight.event.uid}/console/table/{tonight.table.uid}/"
    organiser = Client()
    organiser.force_login(tonight.organiser.user)
    names = {entry.player.uid: entry.name for entry in tonight.entries}
    wanted = [
        f'<span class="placing-rank">{row["rank"]}</span> <span class="placing-name">{names[row["seat"]]}</span>'
        for row in upgraded.report.standings
    ]
    for client, address in [(Client(), table), (phone_of(tonight.entries[0]), table), (organiser, desk)]:
        html = client.get(address).content.decode()
        assert [row for row in wanted if row not in html] == []
    assert organiser.get(f"{desk}sheet/").status_code == 200
    assert Client().get(f"/e/{tonight.event.uid}/").status_code == 200


def test_an_organiser_may_let_it_count_again_after_another_did(upgraded):
    tonight = upgraded.tonight
    legal = tonight.sheet(1)
    decide_table(actor=tonight.organiser, table=tonight.table, choice=Choice(sheet=legal), reason="typed wrongly")
    assert placed(upgraded) == {row.seat: row.rank for row in GAMES["dix"].check(legal).standings or ()}
    decide_table(
        actor=tonight.organiser, table=tonight.table, choice=Choice(report=upgraded.report), reason="it was not"
    )
    assert placed(upgraded) == upgraded.ranks
