"""What goes on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scoring.rankings.standings import store
from tests.factories import ClubFactory, MembershipFactory
from tests.web.console.test_console import report
from tests.web.markup import tags
from tests.web.organisers import event_with, links_of, log_in, running
from tests.web.test_design import is_inline
from tournaments import links
from tournaments.models import Role, Table
from web.qr import qr_code

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return MembershipFactory(club=ClubFactory(name="Café Meeple"), role=Role.SCOREKEEPER).user


@pytest.fixture
def event(olga):
    """An event whose first round is being played; an organiser other than the one who prints has seated it."""
    club = olga.clubs.get()
    event = event_with(club, 12, confirmation="trust")
    running(MembershipFactory(club=club).user, event)
    return event


def paper(client, event, path):
    response = client.get(f"/e/{event.uid}/print/{path}")
    assert response.status_code == 200
    html = response.content.decode()
    assert [tag for tag in tags(html) if is_inline(tag)] == []
    return html


@pytest.fixture(autouse=True)
def _logged_in(client, olga):
    client.force_login(olga)


def test_the_menu_leads_to_everything_that_can_be_printed(client, event):
    wanted = {"poster/", "1/seating/", "1/slips/", "standings/"}
    found = links_of(paper(client, event, ""))
    assert {f"/e/{event.uid}/print/{path}" for path in wanted} <= found
    for path in wanted:
        assert len(tags(paper(client, event, path), "h1")) == 1


def test_everybody_finds_their_name_in_alphabetical_order(client, event):
    html = paper(client, event, "1/seating/")
    names = re.findall(r'<th scope="row">(.*?)</th>', html)
    assert names == sorted(names, key=str.casefold)
    assert len(names) == 12


def test_every_table_has_a_slip_that_opens_its_sheet(client, event):
    html = paper(client, event, "1/slips/")
    for table in Table.objects.all():
        address = links.slip_link(table, "http://testserver")
        assert qr_code(address, "Score sheet of this table") in html
    assert html.count('class="slip"') == 3


def test_the_poster_has_code_and_address(client, event):
    html = paper(client, event, "poster/")
    assert event.join_code in html
    assert qr_code(links.join_link(event, "http://testserver"), f"Join {event.name}") in html


def test_standings_have_every_tie_break(client, event):
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    store.refresh(event.uid)
    html = paper(client, event, "standings/")
    assert "Standings so far" in html
    assert html.count("<tr>") == 13
    assert all(name in html for name in ("Tables won", "Points of the opponents"))


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.django_db(transaction=True)
def test_slips_are_never_cut_by_the_edge_of_a_page(desktop: Page, olga, event, size):
    log_in(desktop, olga).goto(f"/e/{event.uid}/print/1/slips/")
    desktop.emulate_media(media="print")
    document = desktop.pdf(format=size)
    assert document.count(b"/Type /Page\n") + document.count(b"/Type /Page ") + document.count(b"/Type /Page/") == 1
    assert not desktop.get_by_role("button", name="Print").is_visible()
