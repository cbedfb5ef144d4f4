"""The page on the wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from core import guesses
from core.models import Derived
from scoring.standings import store
from tests.factories import ClubFactory, MembershipFactory
from tests.pages.markup import tags
from tests.pages.organisers import actor, event_with, running, seated
from tests.pages.test_console import report
from tests.pages.test_design import is_inline
from tournaments import links
from tournaments.models import Event, Role, Table
from tournaments.services import rounds

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_guess_counted():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def club():
    return ClubFactory()


@pytest.fixture
def olga(club):
    return MembershipFactory(club=club, role=Role.ORGANISER).user


def wall(client, event, **query):
    response = client.get(f"/e/{event.uid}/projector/", query)
    assert response.status_code == 200
    html = response.content.decode()
    assert [tag for tag in tags(html) if is_inline(tag)] == []
    return html


def slides(html):
    return [tag.attributes["data-slide"] for tag in tags(html) if "data-slide" in tag.attributes]


# --- Who sees what ----------------------------------------------------------------------------------------------


def test_only_organisers_and_the_projectors_own_link_show_the_join_code(client, olga, club):
    event = event_with(club, 5)
    assert event.join_code not in wall(client, event)
    html = wall(client, event, key=links.projector_key(event))
    assert html.count(event.join_code) >= 2
    assert slides(html) == ["join-1"]
    client.force_login(olga)
    assert event.join_code in wall(client, event)


@pytest.mark.parametrize("status", [Event.Status.FINISHED, Event.Status.CANCELLED])
def test_nobody_is_asked_to_join_what_is_over(client, club, status):
    event = event_with(club, 5, status=status)
    assert event.join_code not in wall(client, event, key=links.projector_key(event))


def test_a_private_event_is_for_its_link(client, club):
    event = event_with(club, 5, is_public=False)
    other = event_with(club, 5)
    assert client.get(f"/e/{event.uid}/projector/").status_code == 404
    wall(client, event, key=links.projector_key(event))
    for key in ("x", links.projector_key(other), links.projector_key(event)[:-1] + "x"):
        assert client.get(f"/e/{event.uid}/projector/", {"key": key}).status_code == 404


def test_wrong_keys_are_guesses_and_a_genuine_one_always_works(client, club):
    event = event_with(club, 5, is_public=False)
    for _ in range(guesses.A_MINUTE):
        client.get(f"/e/{event.uid}/projector/", {"key": "lsp_x"})
    assert client.get(f"/api/v1/join/{event.join_code}/").status_code == 429
    wall(client, event, key=links.projector_key(event))


def test_the_console_hands_out_the_link(client, olga, club):
    event = event_with(club, 5)
    client.force_login(olga)
    assert links.projector_link(event, "http://testserver") in client.get(f"/e/{event.uid}/console/").content.decode()


# --- What is shown ----------------------------------------------------------------------------------------------


def test_slides_follow_the_evening(client, olga, club):
    event = event_with(club, 8, confirmation="trust")
    assert slides(wall(client, event)) == ["welcome-1"]
    seated(olga, event)
    assert slides(wall(client, event)) == ["seating-1"]
    rounds.change_status(actor=actor(olga), event=event, number=1, status="running")
    assert slides(wall(client, event)) == ["seating-1", "clock-1"]
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    store.refresh(event.uid)
    assert slides(wall(client, event)) == ["seating-1", "clock-1", "standings-1"]
    rounds.change_status(actor=actor(olga), event=event, number=1, status="closed")
    assert slides(wall(client, event)) == ["welcome-1", "standings-1"]


def test_many_tables_are_shown_on_several_slides(client, olga, club):
    event = event_with(club, 56)
    seated(olga, event)
    html = wall(client, event)
    assert slides(html) == ["seating-1", "seating-2"]
    assert "1 / 2" in html


def test_the_wall_is_answered_with_304_until_something_changes(client, olga, club):
    event = event_with(club, 8)
    running(olga, event)
    path = f"/e/{event.uid}/projector/part/?key={links.projector_key(event)}"
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"if-none-match": tag}).status_code == 304
    table = Table.objects.select_related("round__event__club").first()
    report(table)
    changed = client.get(path, headers={"if-none-match": tag})
    assert changed.status_code == 200
    store.refresh(event.uid)
    Derived.objects.update(done=1, wanted=1)
    assert client.get(path, headers={"if-none-match": changed["ETag"]}).status_code == 200


# --- In a browser -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_the_wall_survives_a_server_that_is_away(desktop: Page, olga, club):
    event = event_with(club, 8)
    seated(olga, event)
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.evaluate("document.querySelector('.seating').dataset.same = 'yes'")
    with desktop.expect_response(lambda answer: "/projector/part/" in answer.url and answer.status == 304):
        pass
    assert desktop.locator(".seating[data-same=yes].on").is_visible(), "what did not change is not touched"
    desktop.context.set_offline(True)
    desktop.get_by_text("No contact since").wait_for()
    assert desktop.locator(".seating").is_visible()
    Event.objects.update(name="Changed meanwhile", version=99)
    desktop.context.set_offline(False)
    desktop.get_by_role("heading", name="Changed meanwhile").wait_for(timeout=30_000)
    assert not desktop.get_by_text("No contact since").is_visible()
    assert desktop.locator(".seating.on").is_visible(), "the slide that was on stays on"


@pytest.mark.django_db(transaction=True)
def test_slides_take_turns_without_moving_anything(desktop: Page, olga, club):
    event = event_with(club, 8)
    running(olga, event)
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.locator(".slide.on").wait_for()
    head = desktop.locator(".wall-head").bounding_box()
    desktop.evaluate("document.querySelectorAll('.slide').forEach(slide => { slide.dataset.seconds = 0.2 })")
    desktop.evaluate("document.getElementById('wall').dispatchEvent(new CustomEvent('live'))")
    desktop.locator(".slide.clock.on").wait_for()
    assert desktop.locator(".wall-head").bounding_box() == head
    assert desktop.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert desktop.locator(".slide.clock time").inner_text().startswith(("29:", "30:"))
