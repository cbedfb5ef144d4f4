"""Coming in: by a code, a personal link or a slip."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client

from core import likeness
from core.brute_force import A_MINUTE
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    SeatFactory,
    UserFactory,
)
from tests.guesses import guess
from tests.web.markup import tags
from tests.web.phones import link_of, phone_of, slip_of
from tournaments.models import Entry, Event, Player

pytestmark = pytest.mark.django_db


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
    refused = client.get("/join/222222/")
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert "too many wrong ones came from your network" in refused.content.decode()
    assert client.get("/join/222222/people/", {"name": "an"}).status_code == 429
    assert page_of(event, client).status_code == 200, "the right code always works"
    assert client.get(f"/join/{event.join_code}/people/", {"name": "an"}).status_code == 200


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


@pytest.mark.parametrize("hidden", [{"is_public": False}, {"status": Event.Status.DRAFT}])
def test_nobody_is_told_when_somebody_was_at_an_event_that_is_not_public(client, event, hidden):
    known = PlayerFactory(name="Ana", club=event.club)
    for month, fields in ((3, {}), (4, hidden)):
        evening = EventFactory(club=event.club, starts_at=dt.datetime(2026, month, 7, tzinfo=dt.UTC), **fields)
        EntryFactory(player=known, event=evening)
    for html in (enter(event, client, name="Ana"), client.get(f"/join/{event.join_code}/people/?name=Ana")):
        assert "here on 7 March 2026" in html.content.decode()


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
    assert (entry.claims, entry.is_verified, entry.name) == (known, False, "Ana")
    assert entry.player not in {known, None}


def test_somebody_else_of_a_known_name_is_somebody_new(client, event):
    known = PlayerFactory(name="Ana", club=event.club)
    enter(event, client, name="Ana", new="1")
    assert Entry.objects.get().player != known


def test_a_name_that_looks_like_another_is_asked_about(client, event):
    EntryFactory(event=event, player__name="Ana")
    asked = enter(event, client, name="Аnа".replace("n", "н"))
    assert asked.status_code == 302, "a name that does not look the same is not asked about"
    asked = enter(event, Client(), name="Anä")
    assert asked.status_code == 409
    assert "Is this the same person as Ana?" in asked.content.decode()
    assert Entry.objects.filter(event=event).count() == 2
    enter(event, Client(), name="Anä", new="1")
    assert Entry.objects.filter(event=event, name="Anä").exists()


def test_a_known_player_who_is_in_already_is_sent_to_the_organiser(client, event):
    entry = EntryFactory(event=event, player=PlayerFactory(name="Ana", club=event.club))
    response = enter(event, client, player=entry.player.uid)
    assert response.status_code == 409
    assert "Ana has already joined." in response.content.decode()


def test_a_player_whom_the_club_does_not_know_cannot_be_named(client, event):
    assert enter(event, client, player=PlayerFactory().uid).status_code == 404
    assert enter(event, client, player="nobody").status_code == 404


def suggested(event, typed):
    html = Client().get(f"/join/{event.join_code}/people/", {"name": typed}).content.decode()
    people = Player.objects.in_bulk([tag.attributes["value"] for tag in tags(html, "button")], field_name="uid")
    return {player.name for player in people.values()}


def test_text_that_is_no_name_is_not_kept(event):
    """Names that were looked at are kept; random words of 60 kB each filled the memory."""
    event.club.own_players.create(name="Ann Li")
    before = likeness._words_of.cache_info().currsize
    assert suggested(event, "ann " + " ".join(f"word{number}" for number in range(10_000))) == set()
    assert likeness._words_of.cache_info().currsize <= before + 2
    words = likeness.words_of("x" * 10_000)
    assert words == ("x" * likeness.LONGEST_KEPT,), "no more than a name can have is looked at"
    assert likeness._words_of.cache_info().currsize <= before + 2


def test_the_clubs_own_people_are_suggested_from_the_third_letter(event):
    for name in ("Anna Lindqvist", "Bo Annan", "Anneli"):
        PlayerFactory(name=name, club=event.club)
    EntryFactory(event=event, player=PlayerFactory(name="Annika", club=event.club))
    guest = PlayerFactory(name="Annegret", club=ClubFactory())
    AffiliationFactory(club=event.club, player=guest)
    PlayerFactory(name="Anne")
    assert suggested(event, "ann") == {"Anna Lindqvist", "Bo Annan", "Anneli"}
    assert suggested(event, "an") == set()


@pytest.mark.parametrize("typed", ["a\u0301\u0302", "A.-", "a\u200d\u200d", "an '", "a\u037a\u037a"])
def test_marks_are_no_letters_that_somebody_is_suggested_after(event, typed):
    PlayerFactory(name="Anna Lindqvist", club=event.club)
    assert suggested(event, typed) == set()


def test_no_more_than_three_are_suggested(event):
    for number in range(5):
        PlayerFactory(name=f"Anna {number}", club=event.club)
    assert len(suggested(event, "Anna")) == 3


def test_a_private_club_suggests_nobody_and_asks_about_nobody(client):
    event = EventFactory(club=ClubFactory(is_public=False))
    known = PlayerFactory(name="Anna", club=event.club)
    assert suggested(event, "Anna") == set()
    assert enter(event, client, name="Anna").status_code == 302
    assert Entry.objects.get().player != known


def test_whom_a_phone_says_to_be_is_suggested_to_no_other(client, event):
    known = PlayerFactory(name="Anna", club=event.club)
    enter(event, client, player=known.uid)
    assert suggested(event, "Anna") == set()
    assert suggested(EventFactory(club=event.club), "Anna") == {"Anna"}, "and once, though two records have the name"


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


# --- Proofs -----------------------------------------------------------------------------------------------------


@pytest.fixture
def ana(event):
    """Somebody of the club who played before."""
    return EntryFactory(
        event=EventFactory(club=event.club, status=Event.Status.FINISHED),
        player=PlayerFactory(name="Ana", club=event.club),
    )


def shown_on(entry):
    """Press the button for a code on the phone of an entry, and read it there."""
    client, page = phone_of(entry), f"/e/{entry.event.uid}/me/"
    client.post(f"{page}code/")
    return re.search(r'class="code-shown">(\w{8})<', client.get(page).content.decode())[1]


def test_a_code_from_another_phone_says_who_joins(client, event, ana):
    enter(event, client, proof=shown_on(ana))
    entry = Entry.objects.get(event=event)
    assert (entry.player, entry.is_verified) == (ana.player, True)


def test_a_wrong_proof_is_said_beside_the_field_and_counted(client, event, ana):
    response = enter(event, client, proof="23456789")
    assert response.status_code == 403
    field = next(tag for tag in tags(response.content.decode(), "input") if tag.attributes.get("id") == "proof")
    assert field.attributes["aria-invalid"] == "true"
    guess(A_MINUTE - 2)
    assert [enter(event, client, proof="23456789").status_code for _ in range(2)] == [403, 429]
    assert enter(event, client, proof=shown_on(ana)).status_code == 302, "a right one is no guess"


def test_who_is_logged_in_joins_as_themselves(event, ana):
    user = UserFactory()
    Player.objects.filter(pk=ana.player.pk).update(user=user)
    client = Client()
    client.force_login(user)
    assert "Known on this phone" in page_of(event, client).content.decode()
    enter(event, client, player=ana.player.uid)
    assert Entry.objects.get(event=event).is_verified


def test_the_real_one_takes_their_entry_back_from_a_stranger(event, ana):
    stranger, page = Client(), f"/e/{event.uid}/me/"
    enter(event, stranger, player=ana.player.uid)
    assert "Nobody has said yet" in stranger.get(page).content.decode()
    real = phone_of(ana)
    offered = page_of(event, real).content.decode()
    assert "Ana is in this event already, on another phone." in offered
    held = Entry.objects.get(event=event)
    response = enter(event, real, take_back=held.uid)
    assert response.headers["Location"] == page
    assert Entry.objects.get(event=event).is_verified
    out = stranger.get(page)
    assert (out.status_code, "The player took this entry back" in out.content.decode()) == (404, True)
    live = stranger.get(f"{page}live/")
    assert (live.status_code, "The player took this entry back" in live.content.decode()) == (200, True)
    assert real.get(page).status_code == 200


def test_a_code_takes_an_entry_back_as_well(client, event, ana):
    enter(event, Client(), player=ana.player.uid)
    code = shown_on(ana)
    offered = enter(event, client, proof=code)
    assert (offered.status_code, code in offered.content.decode()) == (409, True)
    held = Entry.objects.get(event=event)
    enter(event, client, proof=code, take_back=held.uid)
    assert client.get(f"/e/{event.uid}/me/").status_code == 200
    assert Entry.objects.get(event=event).is_verified


def test_nobody_takes_an_entry_back_without_a_proof(client, event, ana):
    enter(event, Client(), player=ana.player.uid)
    held = Entry.objects.get(event=event)
    assert enter(event, client, take_back=held.uid).status_code == 403
    assert Entry.objects.get(event=event).generation == 1


def test_an_unproven_phone_proves_on_its_evening(client, event, ana):
    enter(event, client, player=ana.player.uid)
    client.post(f"/e/{event.uid}/me/prove/", {"proof": "wrong"})
    assert not Entry.objects.get(event=event).is_verified
    client.post(f"/e/{event.uid}/me/prove/", {"proof": shown_on(ana)})
    assert Entry.objects.get(event=event).is_verified


def test_an_unproven_phone_shows_no_code(client, event, ana):
    enter(event, client, player=ana.player.uid)
    assert "Prove it is you on another phone" not in client.get(f"/e/{event.uid}/me/").content.decode()
    client.post(f"/e/{event.uid}/me/code/")
    assert Entry.objects.get(event=event).code_since is None


@pytest.mark.parametrize(
    ("fields", "said"), [({"joining": "closed"}, "Joining is closed."), ({"most_entries": 1}, "The event is full.")]
)
def test_a_closed_door_says_what_to_do_and_has_no_form_for_a_name(client, event, fields, said):
    EntryFactory(event=event)
    Event.objects.filter(pk=event.pk).update(**fields)
    html = page_of(event, client).content.decode()
    assert said in html
    assert "name" not in [tag.attributes.get("name") for tag in tags(html, "input")]
    refused = client.post(f"/join/{event.join_code}/", {"key": "a", "name": "Bo"})
    assert (refused.status_code, said in refused.content.decode()) == (409, True)


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
    guess(A_MINUTE - 2)
    assert [client.get(address.format(secret)).status_code for _ in range(2)] == [404, 429]
    assert client.get(f"/me/{link_of(EntryFactory(event=event))}/").status_code == 302, "a genuine one is no guess"


def test_a_renewed_link_is_nothing(client, event):
    entry = EntryFactory(event=event, generation=2)
    entry.generation = 1
    assert client.get(f"/me/{link_of(entry)}/").status_code == 404


def held_by(client, event):
    return client.cookies[f"phone-{event.uid}"].value


def test_a_link_of_another_player_asks_before_it_replaces_the_one_that_the_phone_holds(event):
    bert, alice = (EntryFactory(event=event, player__name=name) for name in ("Bert", "Alice"))
    client = Client(enforce_csrf_checks=True)
    client.get(f"/me/{link_of(bert)}/")
    asked = client.get(f"/me/{link_of(alice)}/")
    html = asked.content.decode()
    assert (asked.status_code, held_by(client, event)) == (200, link_of(bert))
    assert "You are Bert here. Become Alice?" in html
    assert f"/e/{event.uid}/me/" in [tag.attributes.get("href") for tag in tags(html, "a")]
    assert client.post(f"/me/{link_of(alice)}/").status_code == 403, "another site cannot press it"
    assert held_by(client, event) == link_of(bert)
    token = next(t.attributes["value"] for t in tags(html, "input") if t.attributes["name"] == "csrfmiddlewaretoken")
    pressed = client.post(f"/me/{link_of(alice)}/", {"csrfmiddlewaretoken": token})
    assert (pressed.status_code, pressed.headers["Location"]) == (302, f"/e/{event.uid}/me/")
    assert held_by(client, event) == link_of(alice)


def token_in(html):
    return next(t.attributes["value"] for t in tags(html, "input") if t.attributes["name"] == "csrfmiddlewaretoken")


@pytest.mark.parametrize("is_renewed", [False, True])
def test_a_page_of_whoever_the_phone_was_before_is_sent_for_nobody(event, is_renewed):
    bert, alice = (EntryFactory(event=event, player__name=name) for name in ("Bert", "Alice"))
    client, home = Client(enforce_csrf_checks=True), f"/e/{event.uid}/me/"
    client.get(f"/me/{link_of(bert)}/")
    former = token_in(client.get(home).content.decode())
    Entry.objects.filter(pk=bert.pk).update(generation=bert.generation + is_renewed)
    asked = client.get(f"/me/{link_of(alice)}/")
    if not is_renewed:
        client.post(f"/me/{link_of(alice)}/", {"csrfmiddlewaretoken": token_in(asked.content.decode())})
    assert held_by(client, event) == link_of(alice)
    assert client.post(f"{home}leave/", {"csrfmiddlewaretoken": former}).status_code == 403
    assert {entry.status for entry in Entry.objects.all()} == {Entry.Status.CHECKED_IN}
    assert client.post(f"{home}leave/", {"csrfmiddlewaretoken": token_in(client.get(home).content.decode())})
    alice.refresh_from_db()
    assert alice.status == Entry.Status.DROPPED


def test_opening_ones_own_link_again_leaves_what_is_open(event):
    entry = EntryFactory(event=event)
    client, home = Client(enforce_csrf_checks=True), f"/e/{event.uid}/me/"
    client.get(f"/me/{link_of(entry)}/")
    token = token_in(client.get(home).content.decode())
    client.get(f"/me/{link_of(entry)}/")
    client.get(f"/me/{link_of(EntryFactory())}/")
    assert client.post(f"{home}leave/", {"csrfmiddlewaretoken": token}).status_code == 302


def test_a_link_asks_in_french_too(event):
    client = phone_of(EntryFactory(event=event, player__name="Bert"))
    alice = EntryFactory(event=event, player__name="Alice")
    html = client.get(f"/me/{link_of(alice)}/", headers={"Accept-Language": "fr"}).content.decode()
    assert "Ici, vous êtes Bert. Devenir Alice\u202f?" in html


def test_ones_own_link_and_those_of_other_events_ask_nothing(event):
    own, elsewhere = EntryFactory(event=event), EntryFactory()
    client = phone_of(own)
    for entry in (own, elsewhere):
        assert client.get(f"/me/{link_of(entry)}/").status_code == 302
        assert held_by(client, entry.event) == link_of(entry)
    assert held_by(client, event) == link_of(own)


@pytest.mark.parametrize("value", ["renewed", "of another event", "nonsense"])
def test_a_link_replaces_what_is_no_valid_link_of_its_event(event, value):
    former, entry, elsewhere = EntryFactory(event=event), EntryFactory(event=event), EntryFactory()
    client = phone_of(former)
    if value == "renewed":
        Entry.objects.filter(pk=former.pk).update(generation=former.generation + 1)
    else:
        client.cookies[f"phone-{event.uid}"] = link_of(elsewhere) if value == "of another event" else "lse_nonsense"
    assert client.get(f"/me/{link_of(entry)}/").status_code == 302
    assert held_by(client, event) == link_of(entry)


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
