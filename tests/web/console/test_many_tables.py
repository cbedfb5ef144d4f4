"""Forty tables on one screen: tiles, what needs the organiser first, and the next step always in sight."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import CallFactory, ClubFactory, EntryFactory, EventFactory, MembershipFactory, RoundFactory
from tests.scoring.evenings import table_in
from tests.web.markup import tags
from tests.web.organisers import log_in
from tournaments.models import Role, Table

pytestmark = pytest.mark.django_db


def evening(tables):
    club = ClubFactory()
    olga = MembershipFactory(club=club, role=Role.ORGANISER).user
    event = EventFactory(club=club, status="running", round_minutes=30)
    current = RoundFactory(event=event, status="running", minutes=30, started_at=event.starts_at)
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
