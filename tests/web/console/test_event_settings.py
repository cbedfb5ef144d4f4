"""A new club, a new event, and what a club's pages let its members do."""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo

import pytest
from django.utils import timezone

from engines import GAMES
from tests.factories import ClubFactory, EventFactory, KeyFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.web.markup import tags
from tests.web.organisers import event_with, links_of, seated
from tests.web.test_design import is_inline, is_our_own
from tournaments.access import usage
from tournaments.models import Club, Confirmation, Credential, Event, Format, Invitation, Membership, Points, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory(name="Café Meeple", slug="cafe-meeple")


@pytest.fixture
def owner(club, client):
    user = MembershipFactory(club=club, role=Role.OWNER, user__name="Olga").user
    client.force_login(user)
    return user


def page(client, path, status=200, **options):
    response = client.get(path, **options)
    assert response.status_code == status, path
    return response.content.decode()


def filled_in(client, path):
    """Return what the form of an address would send as it stands."""
    form = client.get(path).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: _sent(value) for name, value in values.items() if value not in {None, False}}


def _sent(value):
    return f"{value:%Y-%m-%dT%H:%M}" if isinstance(value, dt.datetime) else value


# --- Clubs ------------------------------------------------------------------------------------------------------


def test_clubs_are_the_operators_to_create_unless_they_say_otherwise(client):
    client.force_login(UserFactory())
    html = page(client, "/organise/")
    assert "You run no club yet" in html
    assert "/organise/new/" not in links_of(html)
    assert client.post("/organise/new/", {"name": "Café Meeple"}).status_code == 403
    client.force_login(UserFactory(is_superuser=True))
    assert "/organise/new/" in links_of(page(client, "/organise/"))


def test_whoever_logs_in_for_the_first_time_is_led_to_a_club_of_their_own(client, settings):
    settings.CLUB_CREATION = "anybody"
    client.force_login(UserFactory())
    html = page(client, "/organise/")
    assert "You run no club yet" in html
    assert "/organise/new/" in links_of(html)
    response = client.post("/organise/new/", {"name": "  Café   Meeple ", "is_public": "on"})
    assert response.url == "/organise/club/cafe-meeple/events/new/"
    assert Membership.objects.get().role == Role.OWNER
    assert Club.objects.get().name == "Café Meeple"


def test_a_club_needs_a_name_that_can_be_seen(client, settings):
    settings.CLUB_CREATION = "anybody"
    client.force_login(UserFactory())
    assert "invisible marks" in client.post("/organise/new/", {"name": "a\u202eb"}).content.decode()
    assert not Club.objects.exists()


def test_my_clubs_show_what_is_on(client, owner, club):
    EventFactory(club=club, name="Tonight")
    EventFactory(club=club, name="Last week", status=Event.Status.FINISHED)
    EventFactory(name="Elsewhere")
    html = page(client, "/organise/")
    assert "Tonight" in html
    assert "Last week" not in html
    assert "Elsewhere" not in html
    assert "Last week" in page(client, "/organise/club/cafe-meeple/")


CLUB_PAGES = ["", "settings/", "members/", "keys/", "seasons/", "events/new/", "events/new/?game=dix"]


@pytest.mark.parametrize("path", CLUB_PAGES)
def test_pages_of_a_club_are_for_its_members(client, owner, club, path):
    address = f"/organise/club/cafe-meeple/{path}"
    html = page(client, address)
    assert [tag for tag in tags(html) if is_inline(tag)] == []
    assert len(tags(html, "h1")) == 1
    assert all(is_our_own(link) or link.startswith("?") for link in links_of(html))
    client.force_login(MembershipFactory(role=Role.OWNER).user)
    page(client, address, 404)
    client.logout()
    assert client.get(address).url.startswith("/login/?next=")


@pytest.mark.parametrize(
    ("role", "closed"),
    [
        (Role.SCOREKEEPER, {"settings/", "keys/", "events/new/", "events/new/?game=dix"}),
        (Role.ORGANISER, {"settings/", "keys/"}),
        (Role.OWNER, set()),
    ],
)
def test_members_see_what_their_role_may_do(client, club, role, closed):
    client.force_login(MembershipFactory(club=club, role=role).user)
    found = {path for path in CLUB_PAGES if client.get(f"/organise/club/cafe-meeple/{path}").status_code == 404}
    assert found == closed


def test_an_owner_renames_the_club(client, owner, club):
    client.post("/organise/club/cafe-meeple/settings/", {"name": "Meeple & Sons"})
    club.refresh_from_db()
    assert (club.name, club.is_public) == ("Meeple & Sons", False)


def test_an_owner_invites_and_takes_back(client, owner, club):
    response = client.post("/organise/club/cafe-meeple/members/", {"email": "bo@example.org", "role": "organiser"})
    assert re.search(r"/invitations/\?secret=lsi_", response.content.decode())
    again = client.post("/organise/club/cafe-meeple/members/", {"email": "bo@example.org", "role": "organiser"})
    assert "already invited" in again.content.decode()
    invitation = Invitation.objects.get()
    client.post(f"/organise/club/cafe-meeple/invitations/{invitation.uid}/")
    assert not Invitation.objects.exists()


def test_an_owner_changes_roles_and_the_last_one_stays(client, owner, club):
    helper = MembershipFactory(club=club, role=Role.SCOREKEEPER)
    client.post(f"/organise/club/cafe-meeple/members/{helper.pk}/", {"role": "organiser"})
    helper.refresh_from_db()
    assert helper.role == Role.ORGANISER
    own = Membership.objects.get(user=owner)
    response = client.post(f"/organise/club/cafe-meeple/members/{own.pk}/", {"remove": "1"}, follow=True)
    assert "must keep an owner" in response.content.decode()
    client.post(f"/organise/club/cafe-meeple/members/{helper.pk}/", {"remove": "1"})
    assert list(Membership.objects.filter(club=club)) == [own]


def test_a_member_may_leave(client, owner, club):
    helper = MembershipFactory(club=club, role=Role.SCOREKEEPER)
    client.force_login(helper.user)
    assert client.post(f"/organise/club/cafe-meeple/members/{helper.pk}/", {"remove": "1"}).url == "/organise/"


def test_a_key_is_shown_once_and_revoked(client, owner, club):
    html = client.post("/organise/club/cafe-meeple/keys/", {"name": "our site", "scopes": ["read"]}).content.decode()
    (secret,) = re.findall(r"lsk_[\w-]{20,}", html)
    assert secret not in page(client, "/organise/club/cafe-meeple/keys/")
    key = Credential.objects.get()
    client.post(f"/organise/club/cafe-meeple/keys/{key.uid}/revoke/")
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_a_key_is_made_for_what_it_needs_and_until_a_day(client, owner, club):
    Club.objects.filter(pk=club.pk).update(time_zone="Europe/Paris")
    path, last = "/organise/club/cafe-meeple/keys/", timezone.now().date() + dt.timedelta(days=30)
    client.post(path, {"name": "desk", "scopes": ["results", "events"], "last_day": last.isoformat()})
    key = Credential.objects.get()
    assert key.scope == "results events"
    midnight = dt.datetime.combine(
        last + dt.timedelta(days=1), dt.time(), club_zone := zoneinfo.ZoneInfo("Europe/Paris")
    )
    assert key.expires_at.astimezone(club_zone) == midnight
    for day in ("2020-01-01", "2099-01-01"):
        wrong = client.post(path, {"name": "desk", "scopes": ["read"], "last_day": day}).content.decode()
        assert "at most 5 years from now" in wrong
    assert "no day after" in client.post(path, {"name": "desk", "scopes": ["read"], "last_day": "9999-12-31"}).text
    assert "errorlist" in client.post(path, {"name": "desk"}).content.decode()
    assert Credential.objects.count() == 1
    Credential.objects.update(expires_at=timezone.now())
    assert "Ended on" in page(client, path)


def test_the_page_of_a_key_shows_what_it_was_used_for(client, owner, club):
    key = KeyFactory(club=club, scope="people")
    path = f"/organise/club/cafe-meeple/keys/{key.uid}/"
    assert "Nothing yet." in page(client, path)
    for _ in range(2):
        usage.note(key.pk, "GET", "api/v1/clubs/<slug:slug>/players/", 200)
    usage.write()
    html = page(client, path)
    shown = ("GET /clubs/{slug}/players/", "2 times", "2xx")
    assert [text for text in shown if text not in html] == []
    client.force_login(MembershipFactory(club=club, role=Role.ORGANISER).user)
    assert client.get(path).status_code in {403, 404}


def test_seasons_begin_and_change(client, owner, club):
    client.post("/organise/club/cafe-meeple/seasons/", {"name": "Winter", "best_of": "4"})
    season = club.seasons.get()
    again = client.post("/organise/club/cafe-meeple/seasons/", {"name": "winter", "best_of": "4"})
    assert "already has a season with this name" in again.content.decode()
    path = f"/organise/club/cafe-meeple/seasons/{season.uid}/"
    wrong = client.post(path, {"name": "Winter", "best_of": "3", "starts_on": "2026-12-01", "ends_on": "2026-11-01"})
    assert "end must be after the start" in wrong.content.decode()
    client.post(path, {"name": "Winter", "best_of": "3"})
    season.refresh_from_db()
    assert season.best_of == 3


# --- Events -----------------------------------------------------------------------------------------------------

NEW = "/organise/club/cafe-meeple/events/new/"


def test_a_new_event_begins_with_its_game(client, owner):
    html = page(client, NEW)
    assert {f"?game={slug}" for slug in GAMES} <= links_of(html)


@pytest.mark.parametrize(
    ("game", "variant"), [(game.slug, variant.slug) for game in GAMES.values() for variant in game.variants]
)
def test_what_a_game_suggests_is_an_event_at_once(client, owner, game, variant):
    path = f"{NEW}?game={game}&variant={variant}"
    response = client.post(path, filled_in(client, path))
    event = Event.objects.get()
    assert response.url == f"/e/{event.uid}/console/"
    assert (event.game, event.variant, event.status) == (game, variant, Event.Status.DRAFT)
    assert event.starts_at > timezone.now()
    is_solo = GAMES[game].variant(variant).is_solo
    assert (event.format, event.points) == (
        (Format.OPEN, Points.SCORE) if is_solo else (Format.SWISS, Points.PLACEMENT)
    )
    assert bool(event.round_minutes) is not is_solo


def test_everything_can_be_chosen(client, owner, club):
    season = SeasonFactory(club=club)
    path = f"{NEW}?game=dix"
    chosen = {
        "name": "Cup",
        "format": "elimination",
        "points": "podium",
        "podium_points": "9, 6 4",
        "confirmation": "organiser",
        "cut_to": "4",
        "advance": "2",
        "tiebreak_1": "best_table",
        "tiebreak_2": "",
        "tiebreak_3": "wins",
        "season": str(season.pk),
    }
    client.post(path, filled_in(client, path) | chosen)
    event = Event.objects.get()
    assert event.podium_points == [9, 6, 4]
    assert event.tiebreaks == ["best_table", "wins"]
    assert (event.confirmation, event.cut_to, event.season) == (Confirmation.ORGANISER, 4, season)


@pytest.mark.parametrize(
    ("fields", "name", "sentence"),
    [
        ({"table_max": "7"}, "table_preferred", "for tables of 2–5"),
        ({"tiebreak_2": "wins"}, "tiebreak_1", "Use each of these at most once"),
        ({"podium_points": "five"}, "podium_points", "whole numbers"),
        ({"podium_points": "9" * 5000}, "podium_points", "whole numbers"),
        ({"stages": "000000008" + "9" * 5000}, "stages", "Whole numbers"),
        ({"stages": "000000008123456789"}, "stages", "Whole numbers"),
        ({"cut_to": "7"}, "cut_to", "a table the game allows"),
        ({"starts_at": ""}, "starts_at", "required"),
    ],
)
def test_what_does_not_go_together_is_said_beside_its_field(client, owner, fields, name, sentence):
    path = f"{NEW}?game=dix"
    form = client.post(path, filled_in(client, path) | fields).context["form"]
    assert sentence in " ".join(form.errors[name])
    assert not Event.objects.exists()


def test_settings_close_as_the_event_is_played(client, owner, club):
    event = event_with(club, 8, starts_at=timezone.now())
    path = f"/e/{event.uid}/settings/"
    client.post(path, filled_in(client, path) | {"table_max": "4", "table_preferred": "4"})
    event.refresh_from_db()
    assert event.table_max == 4
    seated(owner, event)
    form = client.get(path).context["form"]
    assert form.fields["table_max"].disabled
    assert not form.fields["round_minutes"].disabled
    client.post(path, filled_in(client, path) | {"round_minutes": "45", "table_max": "5"})
    event.refresh_from_db()
    assert (event.round_minutes, event.table_max) == (45, 4)
