"""Games of one person and challenges by the API, and records for anybody."""

from __future__ import annotations

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from core.ids import ID_LENGTH
from engines.simulation import Plan, play_game
from play import rules
from play.models import SoloGame, TableRecord
from play.services import challenges, games
from play.services.games import Phone
from play.services.records import attach_record
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.factories import CredentialFactory, UserFactory
from tests.play.people import answer, play_on
from tests.scoring.evenings import evening
from tournaments.access import credentials

pytestmark = pytest.mark.django_db
TOKEN = "a secret that nobody guesses"


@pytest.fixture
def ana() -> APIClient:
    """Somebody who plays, by the secret of her program."""
    return APIClient(headers={"Play-Token": TOKEN})


def start(client: APIClient, **fields: object) -> dict:
    response = client.post("/api/v1/solo/", {"game": "ten-phases", **fields})
    assert response.status_code == 201, response.json()
    return response.json()


def test_game_is_played_to_its_end_and_its_record_replays(ana):
    solo = start(ana, game="dix", options={"difficulty": 4})
    assert (solo["seed"], solo["score"], solo["token"]) == (None, None, TOKEN)
    address = f"/api/v1/solo/{solo['id']}/"
    while solo["status"] == "playing":
        move = answer(SoloGame.objects.get().record)
        assert solo["position"]["actor"] == "player"
        body = {"number": solo["position"]["number"], "move": move}
        response = ana.post(f"{address}moves/", body)
        solo = response.json()
        assert response.status_code == 200
        assert any(step["move"] == move for step in solo["since"])
    assert solo["seed"]
    assert ana.post(f"{address}moves/", body).json() == solo  # the last move once more
    record = APIClient().get(f"{address}record/").json()
    verdict = APIClient().post("/api/v1/games/dix/records/check/", record).json()
    assert verdict["ok"]
    assert {row["seat"]: row["score"] for row in verdict["standings"]}["player"] == solo["score"]


def test_whoever_has_no_secret_is_given_one():
    solo = start(APIClient())
    assert len(solo["token"]) > 20
    address = f"/api/v1/solo/{solo['id']}/"
    assert APIClient().get(address).status_code == 403
    assert APIClient(headers={"Play-Token": solo["token"]}).get(address).status_code == 200
    short = start(APIClient(headers={"Play-Token": "short"}))
    assert short["token"] != "short"


def test_account_plays_on_without_the_secret():
    user = UserFactory()
    CredentialFactory(user=user, secret="lsu_ana")
    solo = start(bearer("lsu_ana"))
    assert bearer("lsu_ana").get(f"/api/v1/solo/{solo['id']}/").status_code == 200


def test_illegal_move_is_refused_with_a_reason_and_changes_nothing(ana):
    solo = start(ana)
    address = f"/api/v1/solo/{solo['id']}/moves/"
    refused = ana.post(address, {"number": 1, "move": "score 78"})
    assert (refused.status_code, refused.json()["code"]) == (422, "move-illegal")
    assert refused.json()["errors"][0]["path"] == ["moves", 1]
    assert "Possible here" in refused.json()["errors"][0]["message"]
    ana.post(address, {"number": 1, "move": "pass"})
    late = ana.post(address, {"number": 1, "move": "keep" + " -" * 10})
    assert (late.status_code, late.json()["code"], late.json()["number"]) == (409, "move-number", 3)
    assert ana.post(address, {"number": -1, "move": "pass"}).status_code == 400
    assert ana.post(address, {"number": 1, "move": "x" * 999}).status_code == 400


def test_record_of_a_game_that_goes_on_is_nobodys_to_see(ana):
    solo = start(ana)
    refused = ana.get(f"/api/v1/solo/{solo['id']}/record/")
    assert (refused.status_code, refused.json()["code"]) == (409, "game-running")


def test_practice_has_advice_and_takes_moves_back(ana):
    solo = start(ana, game="sixmix", players=3, house="random")
    address = f"/api/v1/solo/{solo['id']}/"
    advice = ana.get(f"{address}advice/").json()
    assert advice.keys() == {"number", "move", "words", "reason"}
    french = ana.get(f"{address}advice/", headers={"Accept-Language": "fr"}).json()
    assert french["move"] == advice["move"]
    assert french["reason"] != advice["reason"]
    after = ana.post(f"{address}moves/", {"number": advice["number"], "move": advice["move"]}).json()
    undo = {"number": after["position"]["number"], "taken_back": 0}
    assert ana.post(f"{address}undo/", {"number": undo["number"]}).status_code == 400
    back = ana.post(f"{address}undo/", undo)
    assert back.status_code == 200
    assert (back.json()["position"], back.json()["taken_back"]) == (solo["position"], 1)
    move = {"number": advice["number"], "move": advice["move"]}
    late = ana.post(f"{address}moves/", move | {"taken_back": 0})
    assert (late.status_code, late.json()["code"], late.json()["taken_back"]) == (409, "move-number", 1)
    again = ana.post(f"{address}moves/", move | {"taken_back": 1}).json()
    assert again["position"] == after["position"]
    assert ana.post(f"{address}undo/", undo).json()["position"] == after["position"]  # a copy that comes late
    for stranger in (APIClient(), APIClient(headers={"Play-Token": "somebody else’s secret"})):
        assert stranger.get(f"{address}advice/").status_code == 403
        assert stranger.post(f"{address}undo/", {"number": 1, "taken_back": 0}).status_code == 403


@pytest.mark.parametrize("fields", [{"challenge": True}, {}])
def test_challenge_and_games_alone_have_neither_advice_nor_a_way_back(ana, fields):
    solo = start(ana, **fields)
    address = f"/api/v1/solo/{solo['id']}/"
    after = ana.post(f"{address}moves/", {"number": 1, "move": "pass"}).json()
    undo = {"number": after["position"]["number"], "taken_back": 0}
    forged = ana.post(f"{address}undo/", undo | {"house": "decent"})
    refused = ana.post(f"{address}undo/", undo)
    assert forged.status_code in {403, 422, 400}
    assert (refused.status_code, refused.json()["code"]) == (403, "practice-only")
    advice = ana.get(f"{address}advice/")
    assert (advice.status_code, advice.json()["code"]) == (403, "practice-only")
    assert ana.get(address).json()["position"] == after["position"]


def test_game_that_is_deleted_while_the_house_thinks_is_not_found(ana, monkeypatch):
    """Begun again in another tab, say."""
    solo = start(ana)
    think = rules.move

    def meanwhile(*args):
        think(*args)
        SoloGame.objects.all().delete()

    monkeypatch.setattr(rules, "move", meanwhile)
    assert ana.post(f"/api/v1/solo/{solo['id']}/moves/", {"number": 1, "move": "pass"}).status_code == 404


def test_too_many_games_from_one_address_are_refused(ana, monkeypatch):
    monkeypatch.setattr(games, "AN_ADDRESS", 2)
    start(ana)
    start(ana)
    refused = ana.post("/api/v1/solo/", {"game": "dix"})
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-games")
    assert refused["Retry-After"] == "3600"


def test_who_forgets_their_secret_gets_no_end_of_tries_at_a_challenge(ana, monkeypatch):
    monkeypatch.setattr(games, "TRIES", 2)
    first = start(ana, challenge=True)
    start(APIClient(), challenge=True)
    refused = APIClient().post("/api/v1/solo/", {"game": "ten-phases", "challenge": True})
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-games")
    assert start(ana, challenge=True)["id"] == first["id"]  # who has begun goes on
    start(APIClient(), game="dix", challenge=True)


@pytest.mark.parametrize("body", [{"game": "dix", "players": 9}, {"game": "dix", "house": "x", "players": 3}])
def test_game_that_there_is_not_is_refused(ana, body):
    refused = ana.post("/api/v1/solo/", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "setup-invalid")
    assert ana.post("/api/v1/solo/", {"game": "chess"}).status_code == 404


def test_board_of_a_challenge_and_its_records(ana):
    first = start(ana, challenge=True, name="Ana")
    again = start(ana, challenge=True, name="Anna")
    assert (again["id"], again["name"]) == (first["id"], "Ana")
    assert first["challenge"]["day"] == str(timezone.localdate())
    challenge = challenges.challenge_of(game="ten-phases")
    other = play_on(games.start_challenge(phone=Phone("the phone of Bo"), challenge=challenge, name="Bo"))
    board = ana.get("/api/v1/challenges/ten-phases/").json()
    assert (board["count"], board["may_look"]) == (1, False)
    assert board["results"][0] | {"finished_at": None} == {
        "rank": 1, "id": other.uid, "name": "Bo", "score": other.score, "is_won": None, "finished_at": None,
    }  # fmt: skip
    refused = ana.get(f"/api/v1/solo/{other.uid}/record/")
    assert (refused.status_code, refused.json()["code"]) == (403, "play-first")
    play_on(SoloGame.objects.get(uid=first["id"]))
    assert ana.get("/api/v1/challenges/ten-phases/").json()["may_look"]
    assert ana.get(f"/api/v1/solo/{other.uid}/record/").status_code == 200
    assert ana.get(f"/api/v1/solo/{first['id']}/").json()["seed"] is None  # others still play with it
    renamed = ana.patch(f"/api/v1/solo/{first['id']}/", {"name": "Anna"})
    assert renamed.json()["name"] == "Anna"
    assert APIClient().patch(f"/api/v1/solo/{first['id']}/", {"name": "Bo"}).status_code == 403
    assert APIClient().delete(f"/api/v1/solo/{first['id']}/").status_code == 403
    assert ana.delete(f"/api/v1/solo/{first['id']}/").status_code == 204
    assert ana.get("/api/v1/challenges/ten-phases/").json()["count"] == 1


def test_days_without_a_challenge_are_not_found(ana):
    assert ana.get("/api/v1/challenges/sixmix/").status_code == 404
    assert ana.get("/api/v1/challenges/dix/?day=2020-01-01").status_code == 404
    assert ana.get("/api/v1/challenges/dix/?day=yesterday").status_code == 400


def test_record_is_stepped_through_and_converted():
    played = play_game(Plan("sixmix", "standard", 3, 1), 0)
    step = APIClient().post("/api/v1/games/sixmix/records/step/", {"record": played.record, "at": 4}).json()
    assert (step["number"], step["of"], step["is_over"]) == (4, len(played.record["moves"]), False)
    assert step["last"]["move"] == played.record["moves"][3]
    assert step["legal"]["count"] >= len(step["legal"]["moves"]) > 0
    unfinished = played.record | {"moves": played.record["moves"][:4]}
    again = APIClient().post("/api/v1/games/sixmix/records/step/", {"record": unfinished}).json()
    assert again["table"] == step["table"]
    converted = APIClient().post("/api/v1/games/sixmix/records/convert/", played.record).json()
    assert converted == {"report": played.report}


@pytest.mark.parametrize("what", ["check", "step", "convert"])
def test_forged_record_is_refused_with_its_move(what):
    played = play_game(Plan("ten-phases", "standard", 2, 1), 0)
    moves = ["pass", *played.record["moves"]]
    record = played.record | {"moves": moves}
    response = APIClient().post(
        f"/api/v1/games/ten-phases/records/{what}/", {"record": record} if what == "step" else record
    )
    assert response.status_code == (200 if what == "check" else 422)
    assert response.json()["errors"][0]["path"] == ["moves", 0]
    other = APIClient().post("/api/v1/games/dix/records/convert/", played.record)
    assert (other.status_code, other.json()["code"]) == (422, "record-invalid")
    nothing = APIClient().post("/api/v1/games/dix/records/convert/", [1])
    assert (nothing.status_code, nothing.json()["code"]) == (422, "record-invalid")
    long = APIClient().post("/api/v1/games/dix/records/convert/", played.record | {"moves": ["pass"] * 4000})
    assert (long.status_code, long.json()["code"]) == (422, "record-invalid")


def played_at(tonight) -> tuple[dict, dict]:
    """Return the record of a game at a table, and its report."""
    played = play_game(Plan("dix", "standard", len(tonight.entries), 1), 0)
    names = dict(zip(played.record["seats"], [entry.player.uid for entry in tonight.entries], strict=True))
    hands = {names[seat]: hand for seat, hand in played.report["hands"].items()}
    seats = list(names.values())
    return played.record | {"seats": seats}, played.report | {"seats": seats, "hands": hands}


def test_record_is_attached_to_the_table_whose_result_it_tells():
    tonight = evening(seats=3, confirmation="trust")
    record, report = played_at(tonight)
    address = f"/api/v1/tables/{tonight.table.uid}/record/"
    entry = tonight.entries[0]
    player = bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))
    early = player.put(address, record)
    assert (early.status_code, early.json()["code"]) == (409, "table-status")
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=report)
    assert APIClient().put(address, record).status_code == 403
    forged = player.put(address, record | {"moves": record["moves"][:-1]})
    assert (forged.status_code, forged.json()["code"]) == (422, "record-invalid")
    others = player.put(address, record | {"seats": ["a" * ID_LENGTH, *record["seats"][1:]]})
    assert (others.status_code, others.json()["code"]) == (422, "report-seats")
    assert not TableRecord.objects.exists()
    assert player.put(address, record).status_code == 200
    assert APIClient().get(address).json() == record
    assert APIClient().delete(address).status_code == 403
    assert player.delete(address).status_code == 204
    assert APIClient().get(address).status_code == 404


def test_slip_leaves_alone_the_record_that_somebody_attached():
    tonight = evening(seats=3, confirmation="trust")
    record, report = played_at(tonight)
    address = f"/api/v1/tables/{tonight.table.uid}/record/"
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=report)
    slip = bearer(credentials.derive(credentials.TABLE, tonight.table.uid, tonight.table.generation))
    assert slip.put(address, record).status_code == 200
    assert slip.delete(address).status_code == 204, "its own"
    attach_record(actor=tonight.players[0], table=tonight.table, record=record)
    for refused in (slip.put(address, record), slip.delete(address)):
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert APIClient().get(address).json() == record


def test_record_that_tells_another_result_is_refused():
    tonight = evening(seats=3, confirmation="trust")
    record, _ = played_at(tonight)
    submit_report(actor=tonight.players[1], table=tonight.table, sheet=tonight.sheet(7))
    entry = tonight.entries[0]
    player = bearer(credentials.derive(credentials.ENTRY, entry.uid, entry.generation))
    refused = player.put(f"/api/v1/tables/{tonight.table.uid}/record/", record)
    assert (refused.status_code, refused.json()["code"]) == (422, "record-invalid")
