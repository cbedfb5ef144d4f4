"""Every club has its own clocks: pages, forms, the API, the calendar."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.test import Client
from django.utils import timezone

from config import env
from core.zones import EARLIEST, LATEST
from tests.api.callers import bearer
from tests.factories import ClubFactory, CredentialFactory, EventFactory, MembershipFactory
from tests.web.organisers import event_with, running
from tournaments.models import Event, Role

pytestmark = pytest.mark.django_db
PARIS, LORD_HOWE = "Europe/Paris", "Australia/Lord_Howe"  # the second changes by half an hour
WINTER = dt.datetime(2026, 11, 18, 18, tzinfo=dt.UTC)  # nineteen o'clock in Paris
SUMMER = dt.datetime(2026, 7, 1, 17, tzinfo=dt.UTC)  # nineteen o'clock as well


@pytest.fixture
def owner():
    """The owner of a club in Paris."""
    membership = MembershipFactory(role=Role.OWNER, club=ClubFactory(slug="paris", time_zone=PARIS))
    client = Client()
    client.force_login(membership.user, "django.contrib.auth.backends.ModelBackend")
    client.club, client.user = membership.club, membership.user
    return client


def caller(owner):
    secret = "lsu_" + "a" * 43
    CredentialFactory(user=owner.user, secret=secret)
    return bearer(secret)


@pytest.mark.parametrize(("starts_at", "offset"), [(WINTER, "+01:00"), (SUMMER, "+02:00")])
def test_nineteen_o_clock_in_paris_is_nineteen_o_clock_everywhere(owner, starts_at, offset):
    event = EventFactory(club=owner.club, starts_at=starts_at, status=Event.Status.REGISTRATION, most_entries=5)
    pages = [f"/e/{event.uid}/", "/clubs/paris/", f"/join/{event.join_code}/"]
    for page in [*pages, f"/e/{event.uid}/print/poster/", "/organise/", "/organise/club/paris/"]:
        html = owner.get(page).content.decode()
        assert "19:00" in html, page
        assert f"{starts_at:%H}:00" not in html.replace("+01:00", "").replace("+02:00", ""), page
    assert f'value="{starts_at:%Y-%m-%d}T19:00"' in owner.get(f"/e/{event.uid}/settings/").content.decode()
    shown = Client().get(f"/api/v1/events/{event.uid}/").json()
    assert shown["starts_at"] == f"{starts_at:%Y-%m-%d}T19:00:00{offset}"
    assert shown["time_zone"] == PARIS
    assert Client().get("/api/v1/events/").json()["results"][0]["starts_at"] == shown["starts_at"]


@pytest.mark.parametrize(("zone", "moment"), [("Pacific/Kiritimati", LATEST), ("Pacific/Pago_Pago", EARLIEST)])
def test_the_first_and_the_last_day_that_an_event_may_have_break_no_list_for_anybody(client, zone, moment):
    club = ClubFactory(slug="edge", time_zone=zone)
    event = EventFactory(club=club, starts_at=moment, status=Event.Status.REGISTRATION)
    pages = ("/", "/clubs/", "/clubs/edge/", "/clubs/edge/events.ics", "/clubs/edge/picture.png", f"/e/{event.uid}/")
    for page in (*pages, "/api/v1/events/", f"/api/v1/events/{event.uid}/"):
        assert client.get(page).status_code == 200, page


def test_the_time_in_a_form_is_what_the_clubs_clocks_show(owner):
    event = EventFactory(club=owner.club, starts_at=WINTER)
    page = f"/e/{event.uid}/settings/"
    form = owner.get(page).context["form"]
    sent = {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}
    sent["podium_points"] = "5 3 2 1"
    sent["starts_at"] = "2026-07-01T19:00"
    assert owner.post(page, sent).status_code == 302
    event.refresh_from_db()
    assert event.starts_at == SUMMER


@pytest.mark.parametrize(
    ("wall", "moment"),
    [
        ("2026-11-18T19:00", WINTER),
        ("2026-07-01T19:00:00", SUMMER),
        ("2026-11-18T19:00:00+00:00", WINTER + dt.timedelta(hours=1)),
    ],
)
def test_a_time_without_an_offset_is_by_the_clubs_clocks_in_the_api(owner, wall, moment):
    client = caller(owner)
    body = {"club": "paris", "name": "Wednesday", "game": "dix", "starts_at": wall}
    made = client.post("/api/v1/events/", body).json()
    assert Event.objects.get(uid=made["id"]).starts_at == moment
    changed = client.patch(f"/api/v1/events/{made['id']}/", {"starts_at": wall.replace("19:", "20:")}).json()
    assert dt.datetime.fromisoformat(changed["starts_at"]) == moment + dt.timedelta(hours=1)


def test_an_hour_that_the_clocks_skip_is_shown_as_they_then_say(owner):
    body = {"club": "paris", "name": "Night", "game": "dix", "starts_at": "2026-03-29T02:30"}
    assert caller(owner).post("/api/v1/events/", body).json()["starts_at"] == "2026-03-29T03:30:00+02:00"


def test_a_zone_that_changes_by_half_an_hour_is_shown_right(owner):
    owner.post("/organise/club/paris/settings/", {"name": "Howe", "is_public": "on", "time_zone": LORD_HOWE})
    event = EventFactory(club=owner.club, starts_at=WINTER, status=Event.Status.REGISTRATION)
    expected = WINTER.astimezone(ZoneInfo(LORD_HOWE))
    assert f"{expected:%H:%M}" in Client().get(f"/e/{event.uid}/").content.decode()
    assert Client().get(f"/api/v1/events/{event.uid}/").json()["starts_at"] == expected.isoformat()


def test_another_time_zone_changes_what_is_shown_and_no_moment(owner):
    event = EventFactory(club=owner.club, starts_at=WINTER, status=Event.Status.REGISTRATION)
    before = Client().get(f"/api/v1/events/{event.uid}/")
    form = {"name": owner.club.name, "is_public": "on", "time_zone": "Europe/London"}
    assert owner.post("/organise/club/paris/settings/", form).status_code == 302
    after = Client().get(f"/api/v1/events/{event.uid}/", HTTP_IF_NONE_MATCH=before["ETag"])
    assert after.status_code == 200  # not 304: the hour on the page is another one
    assert after.json()["starts_at"] == "2026-11-18T18:00:00Z"
    event.refresh_from_db()
    assert event.starts_at == WINTER


def test_a_zone_that_does_not_exist_is_refused_by_page_and_api(owner):
    form = {"name": "Mars", "is_public": "on", "time_zone": "Mars/Olympus"}
    assert owner.post("/organise/club/paris/settings/", form).status_code == 200
    client = caller(owner)
    for wrong in ("Mars/Olympus", "../../etc/passwd", "", "Europe/" + "x" * 90):
        assert client.patch("/api/v1/clubs/paris/", {"time_zone": wrong}).status_code == 400
    assert client.patch("/api/v1/clubs/paris/", {"time_zone": "Asia/Tokyo"}).json()["time_zone"] == "Asia/Tokyo"


def test_one_clubs_clocks_do_not_stay_for_the_next_request(owner):
    event = EventFactory(club=owner.club, starts_at=WINTER, status=Event.Status.REGISTRATION)
    other = EventFactory(starts_at=WINTER, status=Event.Status.REGISTRATION)
    assert "19:00" in Client().get(f"/e/{event.uid}/").content.decode()
    assert timezone.get_current_timezone_name() == "UTC"
    assert "18:00" in Client().get(f"/e/{other.uid}/").content.decode()
    front = Client().get("/clubs/").content.decode()  # both on one page, each by its own clocks
    assert "19:00" not in front or "18:00" in front


def test_the_calendar_names_the_clubs_zone_with_its_rules(owner):
    EventFactory(club=owner.club, starts_at=timezone.now(), status=Event.Status.REGISTRATION)
    calendar = icalendar.Calendar.from_ical(Client().get("/clubs/paris/events.ics").content)
    (appointment,) = calendar.walk("VEVENT")
    assert appointment["DTSTART"].params["TZID"] == PARIS
    assert [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")] == [PARIS]


def test_a_phone_in_the_club_reads_the_end_of_the_round_by_the_clubs_clocks(owner):
    event = event_with(owner.club, 4)
    current = running(owner.user, event)
    expected = current.ends_at.astimezone(ZoneInfo(PARIS))
    html = Client().get(f"/e/{event.uid}/").content.decode()
    assert f'datetime="{expected:%Y-%m-%dT%H:%M}' in html
    assert f">{expected:%H:%M}</time>" in html


def test_the_machines_zone_is_used_where_no_other_is_named(monkeypatch):
    monkeypatch.setattr("tzlocal.get_localzone_name", lambda: PARIS)
    assert env.machine_zone() == PARIS
    monkeypatch.setattr("tzlocal.get_localzone_name", lambda: None)
    assert env.machine_zone() == "UTC"
