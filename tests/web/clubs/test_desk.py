"""The club's desk: what is on tonight comes first, however much lies ahead."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import EventFactory, MembershipFactory
from tests.web.markup import tags
from tests.web.organisers import links_of, log_in
from tournaments.models import Event, Role

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db
Status = Event.Status


@pytest.fixture
def desk():
    membership = MembershipFactory(role=Role.OWNER, club__slug="meeple")
    client = Client()
    client.force_login(membership.user, "django.contrib.auth.backends.ModelBackend")
    client.club = membership.club
    return client


def events(client, page):
    links = [tag.attributes["href"] for tag in tags(client.get(page).content.decode(), "a")]
    return [link.split("/")[2] for link in links if link.startswith("/e/")]


def test_tonights_event_stays_on_the_desk_when_many_others_lie_ahead(desk):
    now = timezone.now()
    tonight = EventFactory(club=desk.club, status=Status.RUNNING, starts_at=now - dt.timedelta(hours=1))
    soon = EventFactory(club=desk.club, status=Status.REGISTRATION, starts_at=now - dt.timedelta(minutes=5))
    forgotten = EventFactory(club=desk.club, status=Status.DRAFT, starts_at=now - dt.timedelta(days=400))
    ahead = [
        EventFactory(club=desk.club, status=Status.DRAFT, starts_at=now + dt.timedelta(days=day))
        for day in range(1, 35)
    ]
    for page in ("/organise/club/meeple/", "/organise/"):
        shown = events(desk, page)
        assert shown[:3] == [tonight.uid, soon.uid, ahead[0].uid]
        rest = events(desk, f"{page}?page=2")
        assert {*shown, *rest} == {tonight.uid, soon.uid, forgotten.uid, *(each.uid for each in ahead)}
        assert rest[-1] == forgotten.uid


def test_events_that_are_over_have_pages_of_their_own(desk):
    now = timezone.now()
    over = [
        EventFactory(club=desk.club, status=Status.FINISHED, starts_at=now - dt.timedelta(days=day))
        for day in range(1, 35)
    ]
    first, second = events(desk, "/organise/club/meeple/"), events(desk, "/organise/club/meeple/?over=2")
    assert [*first, *second] == [event.uid for event in over]


def test_everybody_can_page_through_all_public_events_of_a_club(desk):
    now = timezone.now()
    over = [
        EventFactory(club=desk.club, status=Status.FINISHED, starts_at=now - dt.timedelta(days=day))
        for day in range(1, 33)
    ]
    running = EventFactory(club=desk.club, status=Status.RUNNING, starts_at=now - dt.timedelta(days=1))
    later, sooner = (
        EventFactory(club=desk.club, status=Status.REGISTRATION, starts_at=now + dt.timedelta(days=days))
        for days in (9, 2)
    )
    EventFactory(club=desk.club, status=Status.DRAFT, starts_at=now)
    EventFactory(club=desk.club, status=Status.REGISTRATION, is_public=False, starts_at=now)
    everybody = Client()
    assert "/clubs/meeple/events/" in links_of(everybody.get("/clubs/meeple/").content.decode())
    shown = [*events(everybody, "/clubs/meeple/events/"), *events(everybody, "/clubs/meeple/events/?page=2")]
    assert shown == [running.uid, sooner.uid, later.uid, *(event.uid for event in over)]


@pytest.mark.parametrize(
    ("host", "is_out_of_reach"),
    [("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True), ("testserver", False)],
)
def test_organisers_are_told_that_phones_cannot_reach_this_machine(desk, host, is_out_of_reach):
    event = EventFactory(club=desk.club, status=Status.REGISTRATION)
    for page in ("/organise/club/meeple/", f"/e/{event.uid}/console/"):
        shown = desk.get(page, headers={"host": host}).content.decode()
        assert ("<code>./run --lan</code>" in shown) == is_out_of_reach, page


def test_an_address_that_is_set_counts_whatever_the_organiser_opened(desk, settings):
    settings.PUBLIC_URL = "http://192.0.2.7:8000"
    assert "./run --lan" not in desk.get("/organise/club/meeple/", headers={"host": "localhost"}).content.decode()


@pytest.mark.django_db(transaction=True)
def test_forced_colours_show_which_tab_one_is_on(desktop: Page) -> None:
    membership = MembershipFactory(role=Role.OWNER, club__slug="meeple")
    log_in(desktop, membership.user)
    desktop.emulate_media(forced_colors="active")
    desktop.goto("/organise/club/meeple/")
    edges = "tabs => tabs.map(tab => getComputedStyle(tab).borderBottomColor)"
    current, *others = desktop.locator(".tabs a").evaluate_all(edges)
    assert current not in others
