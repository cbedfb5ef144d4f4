"""Joining with and without a proof, answers, taking an entry back, and closed doors, through the API."""

from __future__ import annotations

import pytest

from core.brute_force import A_MINUTE
from core.conditional import etag
from tests.api.callers import bearer
from tests.factories import ClubFactory, EntryFactory, EventFactory, PlayerFactory
from tests.interleaving import meanwhile
from tests.web.phones import link_of
from tournaments.models import Entry, Event, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast):
    return EventFactory(club=cast.club, status=Event.Status.RUNNING)


@pytest.fixture
def ana(cast):
    """Somebody of the club, by the link of an evening that is on too."""
    return EntryFactory(event=EventFactory(club=cast.club), player=PlayerFactory(name="Ana", club=cast.club))


def join(caller, event, **body):
    return caller.post(f"/api/v1/events/{event.uid}/entries/", {"join_code": event.join_code} | body)


def test_an_unproven_phone_is_told_so_and_says_whom_it_claims_to_be(cast, event, ana):
    entry = join(cast.nobody, event, player=ana.player.uid).json()
    assert (entry["verified"], entry["claims"]) == (False, ana.player.uid)
    assert entry["player"]["id"] != ana.player.uid
    assert entry["player"]["name"] == "Ana"


def test_an_address_too_long_to_be_kept_is_refused(cast, event, settings):
    """PostgreSQL has no room for it, and the answer said nothing of the address."""
    settings.EMAIL_HOST = "mail.example.org"
    answer = join(cast.nobody, event, name="Bo", email=f"{'b' * 243}@example.org")
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, ["email"])
    assert join(cast.nobody, event, name="Bo", email=f"{'b' * 242}@example.org").status_code == 201


def test_a_link_a_code_and_an_account_prove(cast, event, ana):
    shown = bearer(link_of(ana)).post(f"/api/v1/entries/{ana.uid}/proof-code/")
    assert (shown.status_code, set(shown.json())) == (201, {"code", "expires_at"})
    Player.objects.filter(pk=ana.player.pk).update(user=cast.users["stranger"])
    for caller, body in [
        (cast.nobody, {"player": ana.player.uid, "proof": link_of(ana)}),
        (cast.nobody, {"proof": shown.json()["code"]}),
        (cast.stranger, {"player": ana.player.uid}),
        (bearer(link_of(ana)), {"player": ana.player.uid}),
    ]:
        entry = join(caller, event, **body)
        assert (entry.status_code, entry.json()["verified"], entry.json()["claims"]) == (201, True, None)
        assert entry.json()["player"]["id"] == ana.player.uid
        Entry.objects.filter(uid=entry.json()["id"]).delete()


def test_a_wrong_proof_is_refused_and_counted_and_a_right_one_works_after_it(cast, event, ana):
    for _ in range(A_MINUTE):
        wrong = join(cast.nobody, event, player=ana.player.uid, proof="23456789")
        assert (wrong.status_code, wrong.json()["code"]) == (403, "proof-wrong")
    assert join(cast.nobody, event, player=ana.player.uid, proof="23456789").status_code == 429
    assert join(cast.nobody, event, proof=link_of(ana)).status_code == 201


def test_a_proof_goes_with_a_player_or_alone(cast, event, ana):
    for body in ({"name": "Ana", "proof": link_of(ana)}, {"proof": ""}, {}):
        assert join(cast.nobody, event, **body).status_code == 400
    path = f"/api/v1/events/{event.uid}/entries/"
    assert cast.organiser.post(path, {"player": ana.player.uid, "proof": link_of(ana)}).status_code == 400


def test_somebody_of_a_private_club_proves_themselves_in(cast, event):
    guest = EntryFactory(event=EventFactory(club=ClubFactory(is_public=False)))
    assert join(cast.nobody, event, player=guest.player.uid).status_code == 404
    wrong = join(cast.nobody, event, player=guest.player.uid, proof="23456789")
    assert wrong.json()["code"] == "proof-wrong"
    assert join(cast.nobody, event, player=guest.player.uid, proof=link_of(guest)).status_code == 201


def test_somebody_of_another_club_needs_a_proof(cast, event):
    guest = EntryFactory()
    refused = join(cast.nobody, event, player=guest.player.uid)
    assert (refused.status_code, refused.json()["code"]) == (403, "proof-needed")


def test_an_entry_is_taken_back_with_a_proof(cast, event, ana):
    stranger = join(cast.nobody, event, player=ana.player.uid).json()
    refused = join(cast.nobody, event, proof=link_of(ana))
    assert (refused.status_code, refused.json()["code"]) == (409, "already-entered")
    assert (refused.json()["entry"], refused.json()["can_take_back"]) == (stranger["id"], True)
    path = f"/api/v1/entries/{stranger['id']}/take-back/"
    assert cast.nobody.post(path).status_code == 403
    assert cast.organiser.post(path).status_code == 403
    assert bearer(stranger["token"]).post(path).status_code == 403
    taken = cast.nobody.post(path, {"proof": link_of(ana)}).json()
    assert (taken["verified"], taken["claims"], taken["id"]) == (True, None, stranger["id"])
    assert bearer(stranger["token"]).get("/api/v1/me/").status_code == 404
    assert bearer(taken["token"]).get("/api/v1/me/").status_code == 200


def test_an_organiser_answers_one_by_one_or_for_all(cast, event):
    known = [PlayerFactory(club=cast.club) for _ in range(4)]
    ids = [join(cast.nobody, event, player=player.uid).json()["id"] for player in known]
    assert cast.organiser.post(f"/api/v1/entries/{ids[0]}/reject/").json()["claims"] is None
    assert cast.organiser.post(f"/api/v1/entries/{ids[0]}/reject/").json()["code"] == "entry-status"
    all_of_them = f"/api/v1/events/{event.uid}/entries/vouch/"
    some = cast.organiser.post(all_of_them, {"entries": ids[:2], "answer": "reject"}, format="json").json()
    assert [entry["id"] for entry in some] == [ids[1]]
    rest = cast.organiser.post(all_of_them, {}, format="json").json()
    assert [(entry["id"], entry["verified"]) for entry in rest] == [(ids[2], True), (ids[3], True)]
    assert cast.organiser.post(all_of_them, {"answer": "perhaps"}, format="json").status_code == 400


def test_finishing_asks_and_takes_the_answer_with_it(cast, event):
    entry = join(cast.nobody, event, player=PlayerFactory(club=cast.club).uid).json()
    path = f"/api/v1/events/{event.uid}/"
    asked = cast.organiser.patch(path, {"status": "finished"})
    assert (asked.status_code, asked.json()["code"]) == (409, "entries-unproven")
    assert [each["id"] for each in asked.json()["entries"]] == [entry["id"]]
    assert cast.organiser.patch(path, {"status": "finished", "unproven": "vouch"}).json()["status"] == "finished"
    again = EventFactory(club=cast.club, status=Event.Status.RUNNING)
    assert cast.organiser.patch(f"/api/v1/events/{again.uid}/", {"status": "finished"}).status_code == 200


def test_an_answer_alone_raises_the_version(cast, event):
    join(cast.nobody, event, player=PlayerFactory(club=cast.club).uid)
    answered = cast.organiser.patch(f"/api/v1/events/{event.uid}/", {"unproven": "reject"})
    event.refresh_from_db()
    assert answered.headers["ETag"] == etag(event.version)


def test_joining_is_closed_capped_and_its_code_renewed(cast, event):
    path = f"/api/v1/events/{event.uid}/"
    assert cast.organiser.patch(path, {"joining": "closed"}).json()["joining"] == "closed"
    assert join(cast.nobody, event, name="Bo").json()["code"] == "joining-closed"
    cast.organiser.patch(path, {"joining": "open", "most_entries": 1})
    assert join(cast.nobody, event, name="Bo").status_code == 201
    full = join(cast.nobody, event, name="Cleo")
    assert (full.status_code, full.json()["code"], full.json()["most_entries"]) == (409, "event-full", 1)
    assert cast.organiser.post(f"{path}entries/", {"name": "Cleo"}).status_code == 201
    assert cast.organiser.patch(path, {"most_entries": 0}).status_code == 400
    cast.organiser.patch(path, {"most_entries": None}, format="json")
    renewed = cast.organiser.post(f"{path}join-code/").json()["join_code"]
    assert renewed != event.join_code
    assert join(cast.nobody, event, name="Dai").status_code == 403
    event.refresh_from_db()
    assert join(cast.nobody, event, name="Dai").status_code == 201


def test_a_flood_is_told_when_to_come_back(cast, event, monkeypatch):
    monkeypatch.setattr("tournaments.services.joining.MOST_A_MINUTE", 1)
    assert join(cast.nobody, event, name="Bo").status_code == 201
    busy = join(cast.nobody, event, name="Cleo")
    assert (busy.status_code, busy.json()["code"], busy.headers["Retry-After"]) == (429, "joining-busy", "60")


def test_sixty_wrong_codes_do_not_keep_a_right_one_out(cast, event):
    for _ in range(A_MINUTE):
        assert join(cast.nobody, event, name="Bo", join_code="222222").status_code in {403, 404}
    assert join(cast.nobody, event, name="Bo", join_code="222222").status_code == 429
    assert cast.nobody.get("/api/v1/join/222222/").status_code == 429
    assert join(cast.nobody, event, name="Bo").status_code == 201
    assert cast.nobody.get(f"/api/v1/join/{event.join_code}/").status_code == 200


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_phone_that_is_out_gets_no_link_by_a_request_that_came_before(cast, event, ana, method):
    """It holds the link when it calls, and the player takes the entry back before it is answered."""
    entry = Entry.objects.get(uid=join(cast.nobody, event, player=ana.player.uid).json()["id"])
    stranger, path = bearer(link_of(entry)), f"/api/v1/entries/{entry.uid}/"

    def take_back() -> None:
        assert cast.nobody.post(path + "take-back/", {"proof": link_of(ana)}).status_code == 200

    with meanwhile(Entry, take_back):
        refused = getattr(stranger, method)(path + "link/")
    assert refused.status_code == 403
    assert bearer(link_of(Entry.objects.get(pk=entry.pk))).get(path + "link/").status_code == 200
