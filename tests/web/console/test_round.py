"""A round that is under way, as the organiser sees it: who comes in, and what the buttons do."""

from __future__ import annotations

import copy

import pytest

from scoring.models import Report
from tests.factories import ClubFactory, MembershipFactory
from tests.web.markup import tags
from tests.web.organisers import act, console, desk, event_with, links_of, report, running
from tests.web.test_design import is_inline
from tournaments.models import Action, Entry, Event, Role, Round, Seat, Table
from tournaments.selectors import last_nudge

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def under_way(shared_rows):
    """An organiser, and an event of eight whose first round was started."""
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    olga = MembershipFactory(club=club, role=Role.ORGANISER, user__name="Olga").user
    event = event_with(club, 8)
    running(olga, event)
    event.refresh_from_db()
    return olga, event


@pytest.fixture
def olga(under_way, db, client):
    """The organiser, logged in."""
    user = copy.deepcopy(under_way[0])
    client.force_login(user)
    return user


@pytest.fixture
def event(under_way, db):
    return copy.deepcopy(under_way[1])


PAGES = ["console/", "console/1/", "players/", "settings/", "print/", "print/1/seating/", "print/1/slips/"]


def test_pages_of_an_event_are_for_its_club(client, olga, event):
    pages = [f"/e/{event.uid}/{path}" for path in PAGES]
    for page in pages:
        html = client.get(page).content.decode()
        assert [tag for tag in tags(html) if is_inline(tag)] == [], page
        assert len(tags(html, "h1")) == 1, page
    client.force_login(MembershipFactory(role=Role.OWNER).user)
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)
    client.logout()
    for page in pages:
        assert client.get(page).url.startswith("/login/?next="), page


def test_a_scorekeeper_gives_time_and_starts_nothing(client, olga, event):
    client.force_login(MembershipFactory(club=event.club, role=Role.SCOREKEEPER).user)
    html = console(client, event)
    assert "Close round" not in html
    assert "Move a player" not in html
    act(client, event, "1/", do="extend", minutes="5")
    assert Round.objects.get().extra_minutes == 5
    assert "Only an organiser" in act(client, event, do="finished")


def test_a_scorekeeper_is_led_to_no_page_that_is_not_theirs(client, olga, event):
    table = Table.objects.select_related("round__event").first()
    pages = [f"/e/{event.uid}/{page}" for page in ("console/", "players/", "print/", "penalties/")]
    pages += [desk(table), f"/e/{event.uid}/players/{event.entries.first().uid}/"]
    settings = f"/e/{event.uid}/settings/"
    for page in pages:
        assert settings in links_of(client.get(page).content.decode()), page
    client.force_login(MembershipFactory(club=event.club, role=Role.SCOREKEEPER).user)
    for page in pages:
        assert settings not in links_of(client.get(page).content.decode()), page
    assert client.get(settings).status_code == 404


def test_a_marked_sheet_is_looked_at_and_found_fine(client, olga, event):
    Event.objects.update(confirmation="trust")
    table = Table.objects.select_related("round__event__club").first()
    marked = report(table)
    Report.objects.filter(pk=marked.pk).update(flags=[{"code": "disputed-after-final"}])
    version = Event.objects.get(pk=event.pk).version
    assert "Flagged" in console(client, event)
    assert "A player of the table objects" in client.get(desk(table)).content.decode()
    assert "Flagged" not in act(client, event, f"table/{table.uid}/", do="clear-flags", report=marked.uid)
    assert "Looked at" not in client.get(desk(table)).content.decode()
    assert event.version > version, "other consoles hear of it"
    kept = Action.objects.get(verb="flags-cleared")
    assert kept.facts["flags"] == ["disputed-after-final"]
    act(client, event, f"table/{table.uid}/", do="clear-flags", report=marked.uid)
    assert Action.objects.filter(verb="flags-cleared").count() == 1


def test_nudging_marks_a_table_until_it_reports(client, olga, event):
    Event.objects.update(confirmation="trust")
    first, _other = Table.objects.select_related("round__event__club").order_by("number")
    assert "nudged at" in act(client, event, f"table/{first.uid}/", do="nudge")
    nudged = Table.objects.annotate(at=last_nudge("pk")).exclude(at=None)
    assert [table.pk for table in nudged] == [first.pk]
    report(first)
    assert "nudged at" not in console(client, event)
    assert "is final" in act(client, event, f"table/{first.uid}/", do="nudge")


def test_a_button_that_makes_no_sense_does_nothing(client, olga, event):
    before = Action.objects.count()
    for path, sent in [("", {"do": "dance"}), ("1/", {"do": "extend", "minutes": "x"}), ("1/", {})]:
        act(client, event, path, **sent)
    assert Action.objects.count() == before
    assert client.post(f"/e/{event.uid}/console/9/act/", {"do": "closed"}).status_code == 404
    assert client.get(f"/e/{event.uid}/console/act/").status_code == 405


def test_a_late_player_is_told_from_when_they_play(client, olga, event):
    html = client.post(f"/e/{event.uid}/players/", {"name": "Zoé"}, follow=True).content.decode()
    assert "Zoé is in." in html
    assert "They play from round 2." in html


def test_somebody_takes_over_a_seat(client, olga, event):
    ana = Entry.objects.get(name="Ana")
    seat = Seat.objects.get(entry=ana)
    response = client.post(f"/e/{event.uid}/players/{ana.uid}/", {"name": "Zoé"})
    seat.refresh_from_db()
    assert seat.entry.name == "Zoé"
    assert response.url == f"/e/{event.uid}/players/{seat.entry.uid}/"


def test_the_board_is_answered_with_304_until_something_changes(client, olga, event):
    path = f"/e/{event.uid}/console/part/"
    first = client.get(path)
    assert "<html" not in first.content.decode()
    assert client.get(path, headers={"if-none-match": first["ETag"]}).status_code == 304
    act(client, event, f"table/{Table.objects.first().uid}/", do="nudge")
    assert client.get(path, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_numbers_of_tables_are_said_as_one_says_them(client, olga, event):
    for table in Table.objects.filter(round__event=event):
        report(table)
    french = {"accept-language": "fr"}
    Table.objects.update(status="final")
    assert "2 validées" in client.get(f"/e/{event.uid}/console/", headers=french).content.decode()
    one = Table.objects.first()
    Table.objects.exclude(pk=one.pk).update(status="disputed")
    html = client.get(f"/e/{event.uid}/console/", headers=french).content.decode()
    assert "1 validée<" in html
    assert "1 contestée<" in html
    small = event_with(event.club, 4)
    running(olga, small)
    report(Table.objects.get(round__event=small))
    Table.objects.filter(round__event=small).update(status="final")
    assert "1 of 1 table done" in client.get(f"/e/{small.uid}/").content.decode()
