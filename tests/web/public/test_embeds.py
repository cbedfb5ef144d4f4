"""What clubs put on their own sites: a piece of HTML, pictures, a calendar."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from django.utils import timezone
from icalendar import Calendar
from playwright.sync_api import expect

from core import computations, costly
from scoring.models import Rating
from tests.factories import ClubFactory, EventFactory, MembershipFactory, PlayerFactory, RatingFactory
from tests.web.leagues import League
from tests.web.markup import tags
from tournaments.models import Club, Event, Player
from tournaments.services.events import bump
from web.public import calendars

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _without_a_worker(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)


@pytest.fixture
def best(db) -> Player:
    """The best player of Café Meeple, whose name has to be escaped."""
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    player = PlayerFactory(name="Bo <the> Great & Good", club=club)
    RatingFactory(player=player, rating=1_700_400)
    for number in range(12):
        RatingFactory(player=PlayerFactory(club=club), rating=1_600_000 - number, tables=3)
    return player


def addresses(player: Player) -> list[str]:
    return [
        "/embed/clubs/cafe-meeple/ten-phases/",
        "/embed/clubs/cafe-meeple/ten-phases.svg",
        f"/embed/players/{player.uid}/ten-phases.svg",
    ]


def test_the_piece_of_html_names_the_ten_best_and_leads_back_by_full_addresses(client, best):
    html = client.get(addresses(best)[0]).content.decode()
    assert "Bo &lt;the&gt; Great &amp; Good" in html
    assert [tag.attributes.get("part") for tag in tags(html, "li")] == ["row"] * 10
    assert {tag.attributes["href"].startswith("http://testserver/") for tag in tags(html, "a")} == {True}
    assert not tags(html, "script")


def test_pictures_are_well_formed_and_say_what_they_show(client, best):
    for address in addresses(best)[1:]:
        response = client.get(address)
        assert response.headers["Content-Type"] == "image/svg+xml"
        title = ET.fromstring(response.content).findtext("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert "Bo <the> Great & Good" in title
        assert "1700" in title


def test_any_site_may_read_and_any_cache_may_keep_them(client, best):
    client.force_login(MembershipFactory().user, "django.contrib.auth.backends.ModelBackend")
    for address in [*addresses(best), "/clubs/cafe-meeple/events.ics"]:
        response = client.get(address, headers={"origin": "https://club.example.org"})
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert response.headers["Cache-Control"] == "public, max-age=300"
        assert response.headers["Vary"] == "Accept-Language, Accept-Encoding"
        assert not response.cookies


def test_they_are_not_sent_again_until_a_rating_changes(client, best):
    for address in addresses(best):
        tag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"if-none-match": tag}).status_code == 304
    Rating.objects.filter(player=best).update(rating=1_800_000)
    computations.mark(computations.Kind.RATINGS, "ten-phases")
    claimed = computations.claim(computations.Kind.RATINGS, "ten-phases", timezone.now())
    assert claimed is not None
    computations.finish(claimed, timezone.now())
    for address in addresses(best):
        assert b"1800" in client.get(address, headers={"if-none-match": tag}).content


def test_of_private_clubs_there_is_nothing_even_for_members(client, best):
    club = best.clubs.get()
    club.is_public = False
    club.save()
    client.force_login(MembershipFactory(club=club).user, "django.contrib.auth.backends.ModelBackend")
    for address in [*addresses(best), "/clubs/cafe-meeple/events.ics"]:
        assert client.get(address).status_code == 404


def standings(**fields) -> Event:
    """Return an event of Café Meeple with twelve players, of which one round is played."""
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    players = [PlayerFactory(name=f"Bo <{number}>") for number in range(12)]
    return League(club, players).evening(**fields)


def test_the_standings_of_an_event_name_ten_places_and_lead_back(client):
    event = standings(is_over=False)
    response = client.get(f"/embed/events/{event.uid}/")
    html = response.content.decode()
    assert [tag.attributes.get("part") for tag in tags(html, "li")] == ["row"] * 10
    assert "Bo &lt;" in html
    assert {tag.attributes["href"].startswith("http://testserver/") for tag in tags(html, "a")} == {True}
    assert [tag.attributes["data-every"] for tag in tags(html, "section")] == ["20"]
    assert response.headers["Cache-Control"] == "public, max-age=20"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Cookie" not in response.headers["Vary"]
    again = client.get(f"/embed/events/{event.uid}/", headers={"if-none-match": response.headers["ETag"]})
    assert again.status_code == 304


def test_standings_that_are_final_are_not_asked_for_again(client):
    response = client.get(f"/embed/events/{standings().uid}/")
    assert "Final standings" in response.content.decode()
    assert not [tag for tag in tags(response.content.decode(), "section") if "data-every" in tag.attributes]
    assert response.headers["Cache-Control"] == "public, max-age=300"


def test_standings_before_the_first_result_say_so(client):
    assert "with the first result" in client.get(f"/embed/events/{EventFactory().uid}/").content.decode()


@pytest.mark.parametrize("fields", [{"is_public": False}, {"status": Event.Status.DRAFT}, {"club__is_public": False}])
def test_of_private_events_there_are_no_standings_even_for_members(client, fields):
    event = EventFactory(**fields)
    client.force_login(MembershipFactory(club=event.club).user, "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/embed/events/{event.uid}/").status_code == 404


def test_the_calendar_has_the_public_events_and_says_which_are_cancelled(client):
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    soon = (timezone.now() + dt.timedelta(days=3)).replace(microsecond=0)
    open_end = EventFactory(club=club, name="Sixmix, again", starts_at=soon)
    EventFactory(club=club, status=Event.Status.CANCELLED, starts_at=soon, ends_at=soon + dt.timedelta(hours=5))
    EventFactory(club=club, is_public=False, starts_at=soon)
    EventFactory(club=club, status=Event.Status.DRAFT, starts_at=soon)
    EventFactory(club=club, starts_at=soon - dt.timedelta(days=365))
    response = client.get("/clubs/cafe-meeple/events.ics")
    assert response.headers["Content-Type"].startswith("text/calendar")
    first, second = Calendar.from_ical(response.content).walk("VEVENT")
    assert first["SUMMARY"] == "Sixmix, again"
    assert first["UID"] == f"{open_end.uid}@testserver"
    assert first["URL"] == f"http://testserver/e/{open_end.uid}/"
    assert (first["DTSTART"].dt, first["DTEND"].dt) == (soon, soon + dt.timedelta(hours=3))
    assert (first["STATUS"], second["STATUS"]) == ("CONFIRMED", "CANCELLED")
    assert second["DTEND"].dt == soon + dt.timedelta(hours=5)


def test_the_calendar_is_made_again_only_after_something_in_it_changed(client, monkeypatch):
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    event = EventFactory(club=club, name="Sixmix, again", starts_at=timezone.now() + dt.timedelta(days=3))
    made = []
    appointment = calendars._appointment
    monkeypatch.setattr(calendars, "_appointment", lambda *given: made.append(given) or appointment(*given))

    def read(**headers) -> str:
        return client.get("/clubs/cafe-meeple/events.ics", headers=headers).content.decode()

    first = read()
    assert read() == first
    assert len(made) == 1
    assert "\\, Café Meeple" in read(accept_language="fr")
    assert " at Café Meeple" in read(accept_language="en")
    bump(event, name="Sixmix renamed")
    assert "Sixmix renamed" in read()
    Club.objects.update(name="Café Pion")
    assert "Café Pion" in read()
    Event.objects.update(is_public=False)
    assert "BEGIN:VEVENT" not in read()


def test_calendars_are_made_a_few_at_a_time_and_one_that_is_kept_is_given_out(client):
    for slug in ("kept", "new"):
        EventFactory(club=ClubFactory(slug=slug), starts_at=timezone.now() + dt.timedelta(days=3))
    assert client.get("/clubs/kept/events.ics").status_code == 200
    with costly.bounded(costly.EXPORT):
        answers = [client.get(f"/clubs/{slug}/events.ics") for slug in ("kept", "new")]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1]["Retry-After"] == "2"


@pytest.mark.django_db(transaction=True)
def test_the_script_fills_elements_and_leaves_them_where_it_cannot(desktop: Page, best):
    desktop.goto("/offline/")
    desktop.evaluate("""() => {
        document.querySelector("main").innerHTML = `
            <div id="good" data-ludoscore="/embed/clubs/cafe-meeple/ten-phases/">as it was</div>
            <div id="bad" data-ludoscore="/embed/clubs/nowhere/ten-phases/">as it was</div>`
    }""")
    desktop.add_script_tag(url="/static/embed.js", type="module")
    expect(desktop.locator("#good li")).to_have_count(10)
    assert desktop.locator("#good").get_by_role("link", name="Bo <the> Great & Good").is_visible()
    assert desktop.locator("#bad").inner_text() == "as it was"


@pytest.mark.django_db(transaction=True)
def test_standings_are_fetched_again_while_the_event_runs(desktop: Page):
    event = standings(is_over=False)
    desktop.clock.install()
    desktop.route("**/embed/**", lambda route: route.continue_())  # the browser keeps nothing then
    desktop.goto("/offline/")
    desktop.evaluate(
        """address => {
            document.querySelector("main").innerHTML = `<div id="live" data-ludoscore="${address}">as it was</div>`
        }""",
        f"/embed/events/{event.uid}/",
    )
    desktop.add_script_tag(url="/static/embed.js", type="module")
    expect(desktop.locator("#live li")).to_have_count(10)
    Event.objects.filter(pk=event.pk).update(name="Renamed", version=event.version + 1)
    desktop.clock.run_for(21_000)
    expect(desktop.locator("#live h2")).to_have_text("Renamed")
