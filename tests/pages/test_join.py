"""Coming in: by a code, a personal link or a slip."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client

from core.guesses import A_MINUTE
from tests.factories import ClubFactory, EntryFactory, EventFactory, PlayerFactory, SeatFactory
from tests.pages.markup import tags
from tests.pages.phones import link_of, phone_of, slip_of
from tournaments.models import Entry, Event, Player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_guess_counted():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def event():
    return EventFactory(name="DIX on Wednesday", club=ClubFactory(name="Café Meeple"))


def page_of(event, client=None):
    return (client or Client()).get(f"/join/{event.join_code}/")


def key_in(response):
    fields = {tag.attributes.get("name"): tag.attributes.get("value") for tag in tags(response.content.decode())}
    return fields["key"]


def enter(event, client=None, **fields):
    client = client or Client()
    return client.post(f"/join/{event.join_code}/", {"key": key_in(page_of(event, client)), **fields})


# --- Codes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [str.lower, " {} ".format, lambda code: f"{code[:3]}-{code[3:]}"])
def test_a_typed_code_leads_to_its_event(client, event, write):
    code = event.join_code
    response = client.get("/join/", {"code": write(code)}, follow=True)
    assert response.redirect_chain == [(f"/join/{code}/", 302)]
    assert "DIX on Wednesday" in response.content.decode()


def test_the_game_has_its_french_name_for_french_readers(client):
    event = EventFactory(game="ten-phases", variant="standard")
    french = client.get(f"/join/{event.join_code}/", headers={"accept-language": "fr"})
    assert "10 phases pour gagner" in french.content.decode()


def test_a_wrong_code_is_said_beside_the_field(client, event):
    response = client.get("/join/", {"code": "222222"}, follow=True)
    assert response.status_code == 404
    field = next(tag for tag in tags(response.content.decode(), "input") if tag.attributes.get("name") == "code")
    assert (field.attributes["aria-invalid"], field.attributes["value"]) == ("true", "222222")


def test_an_empty_code_is_asked_for_again(client):
    assert "No event has this code" in client.get("/join/", {"code": "--"}).content.decode()


@pytest.mark.parametrize("status", [Event.Status.DRAFT, Event.Status.FINISHED, Event.Status.CANCELLED])
def test_nobody_joins_what_is_not_open(client, status):
    assert page_of(EventFactory(status=status), client).status_code == 404


def test_guessing_is_slowed_down(client, event):
    for _ in range(A_MINUTE):
        client.get("/join/222222/")
    assert page_of(event, client).status_code == 429
    assert client.get(f"/join/{event.join_code}/people/", {"name": "an"}).status_code == 404


# --- Joining ----------------------------------------------------------------------------------------------------


def test_a_new_player_joins_and_their_phone_holds_the_link(client, event):
    response = enter(event, client, name=" Ana ")
    entry = Entry.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/e/{event.uid}/me/")
    cookie = response.cookies[f"phone-{event.uid}"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"], cookie["secure"]) == (
        link_of(entry),
        True,
        "Lax",
        "",
    )
    assert (entry.name, entry.status, entry.is_verified) == ("Ana", "checked_in", True)
    assert "You’re in, Ana!" in client.get(f"/e/{event.uid}/me/").content.decode()


def test_cookie_is_secure_where_the_connection_is(event):
    secure = Client()
    response = secure.get(f"/me/{link_of(EntryFactory(event=event))}/", secure=True)
    assert response.cookies[f"phone-{event.uid}"]["secure"]


def test_a_form_that_comes_twice_enters_once(client, event):
    first = page_of(event, client)
    form = {"key": key_in(first), "name": "Ana"}
    answers = [Client().post(f"/join/{event.join_code}/", form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert len({answer.cookies[f"phone-{event.uid}"].value for answer in answers}) == 1
    assert Entry.objects.count() == 1


def test_the_key_of_another_form_is_refused(client, event):
    form = {"key": key_in(page_of(event, client)), "name": "Ana"}
    Client().post(f"/join/{event.join_code}/", form)
    assert Client().post(f"/join/{event.join_code}/", form | {"name": "Bo"}).status_code == 422


def test_a_name_nobody_can_read_is_refused_beside_its_field(client, event):
    response = enter(event, client, name="\u202e")
    assert response.status_code == 400
    assert "invisible marks" in response.content.decode()


def test_a_name_that_is_taken_comes_with_a_free_one(client, event):
    EntryFactory(event=event, player__name="Ana")
    response = enter(event, client, name="ana")
    assert response.status_code == 409
    field = next(tag for tag in tags(response.content.decode(), "input") if tag.attributes.get("name") == "name")
    assert field.attributes["value"] == "ana 2"


def test_a_known_name_is_asked_about(client, event):
    known = PlayerFactory(name="Ana", club=event.club)
    EntryFactory(player=known, event=EventFactory(club=event.club, starts_at=dt.datetime(2026, 3, 7, tzinfo=dt.UTC)))
    response = enter(event, client, name="ana")
    html = response.content.decode()
    assert "Have you played here before, ana?" in html
    assert "here on 7 March 2026" in html
    assert not Entry.objects.filter(event=event).exists()
    enter(event, client, player=known.uid)
    entry = Entry.objects.get(event=event)
    assert (entry.player, entry.is_verified) == (known, False)


def test_somebody_else_of_a_known_name_is_somebody_new(client, event):
    known = PlayerFactory(name="Ana", club=event.club)
    enter(event, client, name="Ana", new="1")
    assert Entry.objects.get().player != known


def test_a_known_player_who_is_in_already_is_sent_to_the_organiser(client, event):
    entry = EntryFactory(event=event, player=PlayerFactory(name="Ana", club=event.club))
    response = enter(event, client, player=entry.player.uid)
    assert response.status_code == 409
    assert "Ana is in already." in response.content.decode()


def test_a_player_whom_the_club_does_not_know_cannot_be_named(client, event):
    assert enter(event, client, player=PlayerFactory().uid).status_code == 404
    assert enter(event, client, player="nobody").status_code == 404


def test_names_are_suggested_from_the_second_letter(client, event):
    for name in ("Ana Lindqvist", "Bo Ang", "Anton"):
        PlayerFactory(name=name, club=event.club)
    EntryFactory(event=event, player=PlayerFactory(name="Annika", club=event.club))
    PlayerFactory(name="Anders")

    def suggested(typed):
        html = client.get(f"/join/{event.join_code}/people/", {"name": typed}).content.decode()
        return [tag.attributes["value"] for tag in tags(html, "button")]

    found = Player.objects.filter(uid__in=suggested("an")).values_list("name", flat=True)
    assert set(found) == {"Ana Lindqvist", "Bo Ang", "Anton"}
    assert suggested("a") == []


def test_an_earlier_phone_joins_with_one_tap_and_is_vouched_for(event):
    earlier = EntryFactory(event=EventFactory(club=event.club, status=Event.Status.FINISHED))
    client = phone_of(earlier)
    page = page_of(event, client).content.decode()
    assert earlier.player.uid in [tag.attributes.get("value") for tag in tags(page, "button")]
    enter(event, client, player=earlier.player.uid)
    entry = Entry.objects.get(event=event)
    assert (entry.player, entry.is_verified) == (earlier.player, True)


def test_a_phone_that_is_in_goes_on_to_its_evening(event):
    response = page_of(event, phone_of(EntryFactory(event=event)))
    assert response.headers["Location"] == f"/e/{event.uid}/me/"


def test_the_join_page_leads_back_to_the_evenings_of_the_phone(event):
    html = phone_of(EntryFactory(event=event)).get("/join/").content.decode()
    assert f"/e/{event.uid}/me/" in [tag.attributes["href"] for tag in tags(html, "a")]


# --- Links and slips --------------------------------------------------------------------------------------------


def test_a_personal_link_shows_the_evening_without_the_secret(client, event):
    entry = EntryFactory(event=event, player__name="Ana")
    response = client.get(f"/me/{link_of(entry)}/", follow=True)
    assert response.redirect_chain == [(f"/e/{event.uid}/me/", 302)]
    assert "Ana" in response.content.decode()


def test_a_link_of_an_event_that_is_over_says_so(client):
    entry = EntryFactory(event__status=Event.Status.FINISHED)
    response = client.get(f"/me/{link_of(entry)}/", follow=True)
    assert "This evening is over" in response.content.decode()


@pytest.mark.parametrize("address", ["/me/{}/", "/t/{}/"])
@pytest.mark.parametrize("secret", ["lse_nonsense", "lst_nonsense", "lsu_laptop", "x"])
def test_a_wrong_link_is_nothing_and_counted(client, event, address, secret):
    assert client.get(address.format(secret)).status_code == 404
    for _ in range(A_MINUTE):
        client.get(address.format(secret))
    assert client.get(address.format(secret)).status_code == 429
    assert client.get(f"/me/{link_of(EntryFactory(event=event))}/").status_code == 302, "a genuine one is no guess"


def test_a_renewed_link_is_nothing(client, event):
    entry = EntryFactory(event=event, generation=2)
    entry.generation = 1
    assert client.get(f"/me/{link_of(entry)}/").status_code == 404


def test_a_slip_leads_to_its_table(client):
    table = SeatFactory().table
    response = client.get(f"/t/{slip_of(table)}/")
    assert response.headers["Location"] == f"/e/{table.round.event.uid}/table/{table.uid}/"
    assert response.cookies[f"phone-{table.uid}"].value == slip_of(table)


def test_whoever_sits_at_the_table_needs_no_slip():
    seat = SeatFactory()
    response = phone_of(seat.entry).get(f"/t/{slip_of(seat.table)}/")
    assert f"phone-{seat.table.uid}" not in response.cookies


def test_a_slip_of_an_event_that_is_over_says_so(client):
    table = SeatFactory(table__round__event__status=Event.Status.FINISHED).table
    assert client.get(f"/t/{slip_of(table)}/").status_code == 410


def test_secrets_are_not_logged(client, event, caplog):
    caplog.set_level("INFO", "ludoscore.requests")
    secret = link_of(EntryFactory(event=event))
    client.get(f"/me/{secret}/")
    assert "/me/lse_…/" in caplog.text
    assert secret not in caplog.text
