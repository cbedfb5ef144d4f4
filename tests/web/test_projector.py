"""The page on the wall."""

from __future__ import annotations

import datetime as dt
from threading import Semaphore
from typing import TYPE_CHECKING

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core import brute_force, computations, costly
from core.short_names import short_names
from scoring.rankings.standings import store
from tests.factories import ClubFactory, MembershipFactory
from tests.guesses import guess
from tests.web.markup import tags
from tests.web.organisers import actor, event_with, report, running, seated
from tests.web.test_design import is_inline
from tournaments import links
from tournaments.access import guards
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Entry, Event, Role, Round, Seat, Table
from tournaments.services import joining, rounds
from tournaments.services.clubs import edit_club
from web.console.board import Card
from web.projector import LOOKING, _seating

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


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


def test_a_new_code_is_not_shown_to_whoever_has_the_old_link(client, olga, club):
    event = event_with(club, 5, is_public=False)
    former, stream = links.projector_key(event), f"/e/{event.uid}/projector/news/"
    guard = client.get(stream, {"key": former}).hold.__self__.guard
    assert not guards.ended({guard})
    event = joining.renew_code(actor=Actor(Kind.USER, user=olga), event=event)
    for page in (f"/e/{event.uid}/projector/", f"/e/{event.uid}/projector/part/", stream):
        assert client.get(page, {"key": former}).status_code == 404, page
    assert guards.ended({guard}) == {guard}
    assert event.join_code in wall(client, event, key=links.projector_key(event))


def test_wrong_keys_are_guesses_and_a_genuine_one_always_works(client, club):
    event = event_with(club, 5, is_public=False)
    guess(brute_force.A_MINUTE - 1)
    client.get(f"/e/{event.uid}/projector/", {"key": "lsp_x"})
    assert client.get("/api/v1/join/222222/").status_code == 429
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


def test_many_tables_come_with_a_list_of_names(client, olga, club):
    event = event_with(club, 56)
    seated(olga, event)
    assert slides(wall(client, event)) == ["seating-1", "finder-1"]


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
    computations.pretend_done("standings", event.uid)
    assert client.get(path, headers={"if-none-match": changed["ETag"]}).status_code == 200


def test_the_wall_shows_the_new_name_of_its_club(client, club):
    event = event_with(club, 5)
    owner = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)
    path = f"/e/{event.uid}/projector/part/"
    tag = client.get(path)["ETag"]
    edit_club(actor=owner, club=club, name="Dice and Dragons")
    changed = client.get(path, headers={"if-none-match": tag})
    assert changed.status_code == 200
    assert "Dice and Dragons" in changed.content.decode()
    edit_club(actor=owner, club=club, name="Dice and Dragons", mails_players=True)
    assert client.get(path, headers={"if-none-match": changed["ETag"]}).status_code == 304


def test_the_wall_reads_only_what_it_shows(client, olga, club, monkeypatch, django_assert_num_queries):
    def explain(*_: object) -> str:
        raise AssertionError("nobody reads a reason on the wall")

    monkeypatch.setattr("scoring.selectors.explain", explain)
    event = event_with(club, 8, confirmation="trust")
    running(olga, event)
    for table in Table.objects.select_related("round__event__club"):
        report(table)
    store.refresh(event.uid)
    path = f"/e/{event.uid}/projector/part/?key={links.projector_key(event)}"
    with django_assert_num_queries(6) as read:
        assert "standings-1" in slides(client.get(path).content.decode())
    assert sum("core_derived" in each["sql"] for each in read.captured_queries) == 1


@pytest.mark.parametrize("players", [16, 160])
def test_the_wall_takes_eight_queries_at_most(client, olga, club, players, django_assert_max_num_queries):
    event = event_with(club, players, table_max=4, table_min=4)
    running(olga, event)
    path = f"/e/{event.uid}/projector/"
    client.get(path)
    with django_assert_max_num_queries(8):
        assert "seating-1" in slides(client.get(path).content.decode())


def test_strangers_look_in_turn_at_the_wall_of_many_and_the_club_waits_for_nobody(client, olga, club, monkeypatch):
    """Twenty-four of them at once, at that of 2,000 players, made everybody else wait for two seconds."""
    event = event_with(club, 8)
    pages = [f"/e/{event.uid}/projector/{part}" for part in ("", "part/")]
    monkeypatch.setattr(costly.PAGE, "places", Semaphore(0))
    assert {client.get(page).status_code for page in pages} == {200}
    monkeypatch.setattr("web.projector.MANY", 7)
    assert {client.get(page).status_code for page in pages} == {429}
    key = {"key": links.projector_key(event)}
    assert {client.get(page, key).status_code for page in pages} == {200}
    client.force_login(olga)
    assert {client.get(page).status_code for page in pages} == {200}


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
    Round.objects.update(started_at=timezone.now() - LOOKING)
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.locator(".slide.on").wait_for()
    head = desktop.locator(".wall-head").bounding_box()
    desktop.locator(".slide.clock.on").wait_for(timeout=60_000)
    assert desktop.locator(".wall-head").bounding_box() == head
    assert desktop.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert desktop.locator(".slide.clock time").inner_text().startswith(("24:", "25:"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("minutes", [10, 5, 0])
def test_the_wall_signals_ten_five_and_no_minutes_left(desktop: Page, olga, club, minutes):
    event = event_with(club, 8, round_minutes=30)
    running(olga, event)
    left = dt.timedelta(minutes=minutes, seconds=8)
    Round.objects.update(started_at=timezone.now() - dt.timedelta(minutes=30) + left)
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.locator(f"body[data-signal='{minutes}']").wait_for(timeout=30_000)


def test_while_people_look_for_their_seats_the_wall_shows_nothing_else(client, olga, club):
    event = event_with(club, 8)
    running(olga, event)
    waits = {
        tag.attributes["data-slide"]: tag.attributes.get("data-wait")
        for tag in tags(wall(client, event))
        if "data-slide" in tag.attributes
    }
    assert waits["seating-1"] is None
    assert 290 <= int(waits["clock-1"]) <= 300
    Round.objects.update(started_at=timezone.now() - LOOKING)
    assert "data-wait" not in wall(client, event)


# --- Everybody finds their seat ---------------------------------------------------------------------------------

LONG = (
    "Alexandre-Maximilien de Montmorency-Laval",
    "Anne-Sophie Vandenbroucke-Delacroix",
    "Ана Ђорђевић-Петровић",
    "Wolfeschlegelsteinhausen Bergerdorff",
    "Παναγιώτα Παπαδοπούλου",
    "Bo",
    "Lê Thị Hồng Ánh",
    "Ed",
)
HOUSES = [(2, 4), (2, 8), (3, 5), (6, 5), (9, 8), (12, 4), (20, 5), (40, 4), (40, 8), (60, 4), (60, 8)]
# As the page draws them: a name is whole if its box holds all of it, and its box lies inside the screen.
CLIPPED = """() => {
  const wall = document.getElementById('wall'), found = [];
  for (const slide of wall.querySelectorAll('[data-slide]:has(.fitted)')) {
    const list = slide.querySelector('.fitted').getBoundingClientRect();
    for (const name of slide.querySelectorAll('.name')) {
      const box = name.getBoundingClientRect();
      const isInside = box.bottom <= list.bottom + 1 && box.right <= list.right + 1 && box.width && box.height;
      if (!isInside || name.scrollWidth > name.clientWidth + 1) found.push(name.textContent);
    }
  }
  return found;
}"""
SHOWN = """() => [...document.querySelectorAll('.seating .name')].map(each => each.textContent)"""
SIZES = """() => [...document.querySelectorAll('.fitted')].map(each => parseFloat(getComputedStyle(each).fontSize))"""
SECONDS = """() => [...document.querySelectorAll('[data-slide]:has(.fitted)')].map(each => each.dataset.seconds * 1)"""


def wall_of(tables, size):
    """Return the tables of a wall as the template takes them, without storing anything."""
    made = []
    for number in range(1, tables + 1):
        table = Table(number=number, status=Table.Status.PLAYING)
        people = [f"{LONG[(number + seat) % len(LONG)]} {number * size + seat}" for seat in range(size)]
        seats = [Seat(position=at, entry=Entry(name=name)) for at, name in enumerate(people, 1)]
        made.append(Card(table, seats, "info", is_flagged=False, nudged_at=None, can_move=False))
    return made


@pytest.mark.django_db(transaction=True)
def test_every_name_is_whole_on_the_wall_whatever_the_house(desktop: Page, olga, club):
    event = event_with(club, 8)
    seated(olga, event)
    desktop.set_viewport_size({"width": 1920, "height": 1080})
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.locator(".seating.on").wait_for()
    desktop.evaluate("document.fonts.ready")
    for tables, size in HOUSES:
        html = render_to_string(
            "projector/_projector.html", {"event": event, "slides": list(_seating(wall_of(tables, size)))}
        )
        desktop.evaluate(
            "html => { const wall = document.getElementById('wall'); wall.innerHTML = html;"
            " wall.dispatchEvent(new CustomEvent('live')) }",
            html,
        )
        case = f"{tables} tables of {size}"
        assert desktop.evaluate(CLIPPED) == [], case
        shown = desktop.evaluate(SHOWN)
        assert len(shown) == len(set(shown)) == tables * size, case
        assert min(desktop.evaluate(SIZES)) >= 1080 * 0.015, case
        assert sum(desktop.evaluate(SECONDS)) <= 20, case
        assert desktop.locator(".finder").count() > 0 or tables < 10, case


def test_names_are_shortened_only_as_far_as_everybody_can_be_told_apart():
    names = ["Ana Petit", "Ana Perrin", "Bo", "Bo Didley", "Élodie Roux", "Elodie Roux", "Jo van der Berg", "Cy"]
    short = short_names(names)
    assert short["Ana Petit"] == "Ana Pet."
    assert short["Ana Perrin"] == "Ana Per."
    assert short["Bo"] == "Bo"
    assert short["Bo Didley"] == "Bo D."
    assert short["Jo van der Berg"] == "Jo"
    assert (short["Élodie Roux"], short["Elodie Roux"]) == ("Élodie Roux", "Elodie Roux"), "nothing shorter parts them"


@given(
    st.lists(
        st.text("abé -", max_size=12).map(lambda text: " ".join(text.split())).filter(bool), unique=True, max_size=12
    )
)
def test_short_names_are_never_shared_and_never_longer(names):
    short = short_names(names)
    assert len(set(short.values())) == len(names)
    assert all(len(form) <= len(name) for name, form in short.items())


@pytest.mark.django_db(transaction=True)
def test_the_wall_is_held_and_turned_by_keys(desktop: Page, olga, club):
    event = event_with(club, 48)
    seated(olga, event)
    desktop.goto(f"/e/{event.uid}/projector/")
    desktop.locator(".seating.on").wait_for()
    first = desktop.locator(".slide.on").get_attribute("data-slide")
    desktop.keyboard.press("Space")
    desktop.keyboard.press("ArrowRight")
    assert desktop.locator(".slide.on").get_attribute("data-slide") != first
    desktop.keyboard.press("ArrowLeft")
    assert desktop.locator(".slide.on").get_attribute("data-slide") == first
    assert desktop.locator(".wall.held").count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_joins_is_greeted_on_the_wall(desktop: Page, club):
    event = event_with(club, 3)
    desktop.goto(f"{links.projector_link(event, '')}")
    desktop.locator(".wall-names li").first.wait_for()
    assert desktop.locator(".wall-names .new").count() == 0
    joining.join(event=event, code=event.join_code, name="Zoé", actor=NOBODY)
    desktop.locator(".wall-names .new", has_text="Zoé").wait_for()
