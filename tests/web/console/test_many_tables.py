"""Forty tables on one screen: tiles, what needs the organiser first, and the next step always in sight."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import (
    CallFactory,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlacingFactory,
    ReportFactory,
    ResultFactory,
    RoundFactory,
)
from tests.scoring.evenings import table_in
from tests.web.markup import tags
from tests.web.organisers import log_in
from tournaments.models import Role, Round, Table

pytestmark = pytest.mark.django_db


def evening(tables):
    club = ClubFactory()
    olga = MembershipFactory(club=club, role=Role.ORGANISER).user
    event = EventFactory(club=club, status="running", round_minutes=30)
    current = RoundFactory(event=event, status="running", minutes=30, started_at=timezone.now())
    for number in range(1, tables + 1):
        table_in(current, [EntryFactory(event=event) for _ in range(2)], number)
    return olga, event


def test_a_few_tables_are_cards_and_many_are_tiles_for_as_many_statements(client):
    costs = []
    for tables in (4, 40):
        olga, event = evening(tables)
        client.force_login(olga)
        client.get(f"/e/{event.uid}/console/")
        with CaptureQueriesContext(connection) as queries:
            html = client.get(f"/e/{event.uid}/console/").content.decode()
        costs.append(len(queries))
        assert sum("data-tile" in tag.attributes for tag in tags(html, "li")) == (40 if tables == 40 else 0)
    assert costs[0] == costs[1]


def test_a_table_that_calls_or_disagrees_needs_the_organiser(client):
    olga, event = evening(14)
    first, second, third, *_others = Table.objects.order_by("number")
    CallFactory(table=first)
    Table.objects.filter(pk=first.pk).update(call="open")
    Table.objects.filter(pk=second.pk).update(status="disputed")
    Table.objects.filter(pk=third.pk).update(status="reported")
    client.force_login(olga)
    html = client.get(f"/e/{event.uid}/console/").content.decode()
    assert "3 tables need you" in html
    assert [tag.attributes.get("class") for tag in tags(html, "li") if "data-tile" in tag.attributes][:4] == [
        "needs",
        "needs",
        "needs",
        None,
    ]


def numbers(client, event):
    """Return the numbers of the tables in the order of their tiles, and those that need somebody."""
    html = client.get(f"/e/{event.uid}/console/").content.decode()
    tiles = [tag for tag in tags(html, "li") if "data-tile" in tag.attributes]
    found = [int(each) for each in re.findall(r"<strong>(\d+)</strong>\s*<span class=\"small\">", html)]
    return found, found[: sum(tag.attributes.get("class") == "needs" for tag in tiles)]


def test_what_is_disputed_flagged_or_late_stands_first(client):
    olga, event = evening(14)
    Table.objects.filter(number=5).update(status="reported")
    ReportFactory(table=Table.objects.get(number=7), flags=[{"code": "unlikely"}])
    Table.objects.filter(number=9).update(status="disputed")
    Table.objects.exclude(number=11).update(extra_minutes=30)
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=31))
    client.force_login(olga)
    order, needing = numbers(client, event)
    assert needing == [9, 7, 11, 5]
    assert order[4:] == [1, 2, 3, 4, 6, 8, 10, 12, 13, 14]


def test_nobody_is_late_while_the_clock_stands_still(client):
    olga, event = evening(14)
    started = timezone.now() - dt.timedelta(minutes=31)
    Round.objects.update(started_at=started, paused_at=started + dt.timedelta(minutes=29))
    client.force_login(olga)
    assert numbers(client, event)[1] == []
    Round.objects.update(paused_at=None)
    assert len(numbers(client, event)[1]) == 14


def test_a_finished_table_shows_the_place_and_points_of_each_seat(client):
    olga, event = evening(3)
    table = Table.objects.get(number=2)
    first, second = table.seats.order_by("position")
    result = ResultFactory(table=table)
    PlacingFactory(result=result, seat=first, rank=2, score=31)
    PlacingFactory(result=result, seat=second, rank=1, score=54)
    Table.objects.filter(pk=table.pk).update(status="final")
    client.force_login(olga)
    html = client.get(f"/e/{event.uid}/console/").content.decode()
    card = html.partition(f'id="table-{table.uid}"')[2].partition("</ol>")[0]
    shown = re.findall(r"<strong>(\d)</strong> <span class=\"grow\">([^<]*)</span> <span>(\d+)</span>", card)
    assert shown == [("1", second.entry.name, "54"), ("2", first.entry.name, "31")]


@pytest.mark.django_db(transaction=True)
def test_a_table_becomes_late_while_one_looks(desktop):
    olga, event = evening(14)
    Table.objects.exclude(number=11).update(extra_minutes=30)
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=30) + dt.timedelta(seconds=20))
    page = log_in(desktop, olga)
    page.goto(f"/e/{event.uid}/console/")
    page.get_by_text("No table needs you").wait_for()
    page.get_by_text("1 table needs you").wait_for(timeout=40_000)
    assert page.locator(".tiles strong").first.inner_text() == "11"


@pytest.mark.django_db(transaction=True)
def test_a_table_is_found_by_name_and_opened_by_keys(phone):
    olga, event = evening(20)
    Table.objects.filter(number=17).update(status="disputed")
    name = Table.objects.get(number=9).seats.first().entry.name
    page = log_in(phone, olga)
    page.goto(f"/e/{event.uid}/console/")
    page.keyboard.press("n")
    page.locator(f"#table-{Table.objects.get(number=17).uid}").wait_for()
    page.keyboard.press("/")
    page.keyboard.type(name)
    page.wait_for_function("document.querySelectorAll('[data-tile]:not([hidden])').length === 1")
    page.locator("[data-tile]:not([hidden]) .tile").tap()
    page.locator(f"#table-{Table.objects.get(number=9).uid}").wait_for()
