"""A key that is repeated is answered again to whoever still may, and never with a secret that was renewed."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from api.base import ApiView
from core.models import StoredAnswer
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    SeatFactory,
    UserFactory,
)
from tests.scoring.evenings import evening
from tests.web.phones import link_of, slip_of
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.models import Credential, Entry, Event, Membership, Player, Role, Table
from tournaments.services import history
from tournaments.services.credentials import create_key, create_token
from tournaments.services.entries import renew_link
from tournaments.services.members import invite
from tournaments.services.merging import merge_players
from tournaments.services.people import unlink_player

pytestmark = pytest.mark.django_db

KEY = {"Idempotency-Key": "the-same-request-again"}


def test_body_of_a_sheet_with_a_key_is_read_once(monkeypatch):
    tonight, read = evening(), []
    monkeypatch.setattr(ApiView, "_read", lambda *asked, _read=ApiView._read: [read.append(asked), _read(*asked)][1])
    token = credentials.derive(credentials.ENTRY, tonight.entries[0].uid, tonight.entries[0].generation)
    address = f"/api/v1/tables/{tonight.table.uid}/reports/"
    assert bearer(token).post(address, {"report": tonight.sheet()}, headers=KEY).status_code == 201
    assert len(read) == 1


class Club:
    """A club with a running event, and an organiser with a token."""

    def __init__(self):
        self.club = ClubFactory()
        self.member = MembershipFactory(club=self.club, role=Role.ORGANISER)
        self.owner = Actor(Kind.USER, user=MembershipFactory(club=self.club, role=Role.OWNER).user)
        self.organiser = Actor(Kind.USER, user=self.member.user)
        self.client = bearer(create_token(actor=self.organiser, name="laptop")[1])
        self.event = EventFactory(club=self.club, status=Event.Status.RUNNING)
        self.entries = f"/api/v1/events/{self.event.uid}/entries/"


def enter(client, club):
    return client.post(club.entries, {"name": "Ana"}, headers=KEY)


@pytest.mark.parametrize(
    "change",
    [
        lambda membership: membership.delete(),
        lambda membership: Membership.objects.filter(pk=membership.pk).update(club=ClubFactory()),
    ],
)
def test_who_is_no_member_any_more_is_refused(change):
    club = Club()
    first = enter(club.client, club)
    assert enter(club.client, club).json() == first.json()
    change(club.member)
    again = enter(club.client, club)
    assert (again.status_code, again.json()["code"]) == (403, "forbidden")
    assert "lse_" not in again.content.decode()


def test_whose_role_was_lowered_is_refused_what_took_the_higher_one():
    club = Club()
    players = f"/api/v1/clubs/{club.club.slug}/players/"
    assert club.client.post(players, {"name": "Ben"}, headers=KEY).status_code == 201
    assert enter(club.client, club).status_code == 422, "a key is for one request"
    Membership.objects.filter(pk=club.member.pk).update(role=Role.SCOREKEEPER)
    assert club.client.post(players, {"name": "Ben"}, headers=KEY).status_code == 403


def test_a_lower_role_that_is_enough_is_answered_again():
    club = Club()
    first = enter(club.client, club)
    Membership.objects.filter(pk=club.member.pk).update(role=Role.SCOREKEEPER)
    assert enter(club.client, club).json() == first.json()


def test_a_key_that_was_revoked_is_refused():
    club = Club()
    client = bearer(create_key(actor=club.owner, club=club.club, name="site", scopes=["write"])[1])
    assert enter(client, club).status_code == 201
    Credential.objects.filter(club=club.club).update(revoked_at="2026-01-01T00:00Z")
    assert enter(client, club).status_code == 401


def test_a_link_that_was_renewed_is_not_given_to_who_entered_with_the_key():
    club = Club()
    client, body = APIClient(), {"name": "Ana", "join_code": club.event.join_code}
    first = client.post(club.entries, body, headers=KEY).json()
    assert client.post(club.entries, body, headers=KEY).json() == first
    entry = Entry.objects.get(uid=first["id"])
    renew_link(actor=club.organiser, entry=entry)
    again = client.post(club.entries, body, headers=KEY)
    assert (again.status_code, again.json()["code"]) == (409, "secret-renewed")
    assert "lse_" not in again.content.decode()
    own = bearer(first["token"]).post(f"/api/v1/entries/{entry.uid}/link/", {}, headers=KEY)
    assert own.status_code == 404, "the old link opens nothing"


def test_a_renewal_is_answered_again_until_the_next_one():
    club = Club()
    entry = EntryFactory(event=club.event)
    url = f"/api/v1/entries/{entry.uid}/link/"
    first = club.client.post(url, {}, headers=KEY).json()
    assert club.client.post(url, {}, headers=KEY).json() == first
    renew_link(actor=club.organiser, entry=entry)
    assert club.client.post(url, {}, headers=KEY).json()["code"] == "secret-renewed"


def test_a_slip_is_renewed_and_the_old_one_ends_at_once():
    tonight = evening()
    client = bearer(create_token(actor=tonight.organiser, name="laptop")[1])
    old = slip_of(tonight.table)
    url = f"/api/v1/tables/{tonight.table.uid}/"
    assert bearer(old).get(f"{url}draft/").status_code == 200
    renewed = client.post(f"{url}slip/", {}, headers=KEY).json()["token"]
    assert bearer(old).get(f"{url}draft/").status_code == 404
    assert bearer(renewed).get(f"{url}draft/").status_code == 200
    assert renewed == slip_of(Table.objects.get(pk=tonight.table.pk))
    assert client.post(f"{url}slip/", {}, headers=KEY).json()["token"] == renewed
    client.post(f"{url}slip/", {})
    again = client.post(f"{url}slip/", {}, headers=KEY)
    assert (again.status_code, again.json()["code"]) == (409, "secret-renewed")


def test_a_player_who_sits_there_does_not_renew_the_slip():
    tonight = evening()
    entry = tonight.entries[0]
    player = bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))
    assert player.post(f"/api/v1/tables/{tonight.table.uid}/slip/", {}).status_code == 403
    assert bearer(slip_of(tonight.table)).post(f"/api/v1/tables/{tonight.table.uid}/slip/", {}).status_code == 403


def test_the_form_to_join_gives_no_link_that_was_renewed():
    club = Club()
    address, form = f"/join/{club.event.join_code}/", {"name": "Ana", "key": "k" * 32}
    cookie = f"phone-{club.event.uid}"
    assert cookie in Client().post(address, form).cookies
    assert cookie in Client().post(address, form).cookies, "the answer was lost: the form is sent again"
    renew_link(actor=club.organiser, entry=Entry.objects.get())
    again = Client().post(address, form)
    assert (again.status_code, cookie in again.cookies) == (409, False)


def test_a_browser_has_one_number_whichever_links_it_holds():
    phone, (one, other) = Client(), SeatFactory.create_batch(2)
    for seat in (one, other):
        phone.get(f"/me/{credentials.derive(credentials.ENTRY, seat.entry.uid, seat.entry.generation)}/")
    kept = phone.cookies["device"]
    phone.get(f"/e/{one.entry.event.uid}/me/")
    assert phone.cookies["device"].value == kept.value
    assert (kept["httponly"], kept["samesite"]) == (True, "Lax")
    assert Client().get("/").cookies.get("device") is None


def test_nobody_guesses_the_key_of_a_phone_without_a_credential():
    """What such a phone sent is told from anybody's by its key alone, and the answer holds its link."""
    club = Club()
    body = {"name": "Ana", "join_code": club.event.join_code}
    bo = {"name": "Bo", "join_code": club.event.join_code}
    assert APIClient().post(club.entries, bo, headers={"Idempotency-Key": "1"}).status_code == 201
    guessed = APIClient().post(club.entries, bo, headers={"Idempotency-Key": "1"})
    assert (guessed.status_code, guessed.json()["code"]) == (409, "secret-already-shown")
    assert "UUID" in guessed.json()["detail"]
    assert Entry.objects.count() == 1
    key = {"Idempotency-Key": "0b7c1f2e-6a55-4e0b-9f0e-3a1d2c4b5e6f"}
    first = APIClient().post(club.entries, body, headers=key)
    assert first.status_code == 201
    assert APIClient().post(club.entries, body, headers=key).json() == first.json()


def test_a_code_that_was_renewed_is_not_given_again():
    club = Club()
    path = f"/api/v1/events/{club.event.uid}/join-code/"
    first = club.client.post(path, {}, headers=KEY).json()
    assert club.client.post(path, {}, headers=KEY).json() == first
    club.client.post(path, {})
    again = club.client.post(path, {}, headers=KEY)
    assert (again.status_code, again.json()["code"]) == (409, "secret-renewed")
    assert first["join_code"] not in again.content.decode()


def test_who_accepted_an_invitation_and_was_removed_is_not_told_that_they_are_in(settings):
    settings.EMAIL_HOST = ""
    club, guest = Club(), UserFactory()
    page = "https://scores.example/invitations/"
    _invitation, secret = invite(actor=club.owner, club=club.club, email=guest.email, role=Role.OWNER, page=page)
    phone = bearer(create_token(actor=Actor(Kind.USER, user=guest), name="phone")[1])
    path = "/api/v1/invitations/accept/"
    first = phone.post(path, {"secret": secret}, headers=KEY)
    assert first.status_code == 201
    assert phone.post(path, {"secret": secret}, headers=KEY).json() == first.json()
    Membership.objects.get(user=guest).delete()
    assert phone.post(path, {"secret": secret}, headers=KEY).status_code == 403


def test_who_founded_a_club_and_was_removed_is_not_told_of_it(settings):
    settings.CLUB_CREATION = "anybody"
    founder = UserFactory()
    phone = bearer(create_token(actor=Actor(Kind.USER, user=founder), name="phone")[1])
    body = {"name": "Back room", "slug": "back-room", "public": False}
    first = phone.post("/api/v1/clubs/", body, headers=KEY)
    assert first.status_code == 201
    assert phone.post("/api/v1/clubs/", body, headers=KEY).json() == first.json()
    Membership.objects.get(user=founder).delete()
    assert phone.get("/api/v1/clubs/back-room/").status_code == 404
    assert phone.post("/api/v1/clubs/", body, headers=KEY).status_code == 403


def test_who_took_an_entry_back_by_an_account_that_was_parted_since_gets_no_link():
    club = Club()
    entry = EntryFactory(event=club.event)
    user = UserFactory()
    Player.objects.filter(pk=entry.player_id).update(user=user, home=club.club)
    phone = bearer(create_token(actor=Actor(Kind.USER, user=user), name="phone")[1])
    path = f"/api/v1/entries/{entry.uid}/take-back/"
    first = phone.post(path, {}, headers=KEY)
    assert first.status_code == 200
    assert phone.post(path, {}, headers=KEY).json() == first.json()
    Player.objects.filter(pk=entry.player_id).update(user=None)
    again = phone.post(path, {}, headers=KEY)
    assert (again.status_code, "lse_" in again.content.decode()) == (403, False)


def test_who_said_a_player_is_them_by_a_link_and_was_parted_since_is_not_told_so_again():
    club = Club()
    entry = EntryFactory(event=club.event, player=PlayerFactory(club=club.club))
    phone = bearer(create_token(actor=Actor(Kind.USER, user=UserFactory()), name="phone")[1])
    path = f"/api/v1/players/{entry.player.uid}/link/"
    body = {"token": credentials.derive(credentials.ENTRY, entry.uid, entry.generation)}
    first = phone.post(path, body, headers=KEY)
    assert first.status_code == 200
    assert phone.post(path, body, headers=KEY).json() == first.json()
    renew_link(actor=club.organiser, entry=entry)
    assert phone.post(path, body, headers=KEY).json() == first.json(), "the account proves it by now"
    unlink_player(actor=club.organiser, player=entry.player)
    assert phone.post(path, body, headers=KEY).status_code == 403


@pytest.mark.parametrize("act", ["confirm", "report", "withdraw"])
def test_a_phone_that_says_the_same_under_new_keys_leaves_few_answers(act, monkeypatch):
    """The same confirmation was kept 590 times in 19 seconds: it changed nothing, and nothing counted it."""
    monkeypatch.setattr(history, "MOST_DONE", 5)
    tonight = evening(confirmation="organiser")
    sheet, (sender, other) = tonight.sheet(), tonight.players[:2]
    report = submit_report(actor=sender, table=tonight.table, sheet=sheet)
    speaks = other if act == "confirm" else sender
    phone = bearer(link_of(speaks.entry))
    path, body = f"/api/v1/reports/{report.uid}/{act}/", {}
    if act == "report":
        path, body = f"/api/v1/tables/{tonight.table.uid}/reports/", {"report": sheet}

    def send(number):
        return phone.post(path, body, headers={"Idempotency-Key": f"said-{number}"})

    first, *rest = (send(number) for number in range(8))
    assert [answer.status_code for answer in rest[-3:]] == [429] * 3
    assert rest[-1].json()["code"] == "too-many-actions"
    assert StoredAnswer.objects.count() == 5
    again = send(0)
    assert (again.status_code, again.json()) == (first.status_code, first.json()), "the answer was lost"
    history.refuse_too_many(tonight.players[2], "answers")  # nobody else is stopped


def test_who_was_forgotten_on_their_own_word_is_told_so_again():
    club = Club()
    player = PlayerFactory(club=club.club, user=UserFactory())
    own = bearer(create_token(actor=Actor(Kind.USER, user=player.user), name="phone")[1])
    path = f"/api/v1/players/{player.uid}/anonymise/"
    first = own.post(path, headers=KEY)
    assert first.json()["anonymous"]
    assert own.post(path, headers=KEY).json() == first.json(), "the answer was lost, and the account is parted"


def test_who_asked_as_a_player_and_was_parted_since_is_not_answered_again():
    club = Club()
    player = PlayerFactory(club=club.club, user=UserFactory())
    own = bearer(create_token(actor=Actor(Kind.USER, user=player.user), name="phone")[1])
    body = {"gone": player.uid, "kept": PlayerFactory(club=ClubFactory()).uid}
    first = own.post("/api/v1/merge-requests/", body, headers=KEY)
    assert first.status_code == 201
    assert own.post("/api/v1/merge-requests/", body, headers=KEY).json() == first.json()
    unlink_player(actor=club.organiser, player=player)
    assert own.post("/api/v1/merge-requests/", body, headers=KEY).status_code == 403


def test_who_took_a_merge_back_and_is_the_other_record_by_it_is_answered_again():
    club = Club()
    gone, kept = PlayerFactory(club=club.club, user=UserFactory()), PlayerFactory(club=club.club)
    merge_players(actor=club.organiser, gone=gone, kept=kept)
    own = bearer(create_token(actor=Actor(Kind.USER, user=gone.user), name="phone")[1])
    path = f"/api/v1/players/{gone.uid}/unmerge/"
    first = own.post(path, headers=KEY)
    assert first.status_code == 200
    assert own.post(path, headers=KEY).json() == first.json(), "the answer was lost"


def test_the_form_to_join_gives_no_link_to_an_account_that_was_parted_since():
    club = Club()
    player = PlayerFactory(club=club.club, user=UserFactory())
    address, form = f"/join/{club.event.join_code}/", {"player": player.uid, "key": "k" * 32}
    cookie = f"phone-{club.event.uid}"

    def send():
        browser = Client()
        browser.force_login(player.user, "django.contrib.auth.backends.ModelBackend")
        answer = browser.post(address, form)
        return answer.status_code, cookie in answer.cookies

    assert send() == (302, True)
    assert send() == (302, True), "the answer was lost: the form is sent again"
    unlink_player(actor=club.organiser, player=player)
    assert send() == (403, False)
