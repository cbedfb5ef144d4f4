"""Pages of games in play, without a script: forms are enough."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation
from rest_framework.test import APIClient

from engines import game as playing
from engines.simulation import Plan, play_game
from play import rules
from play.models import SoloGame
from play.rules import report_of
from play.services import challenges, games
from play.services.games import Phone
from play.services.records import attach_record
from scoring import rules as scoring_rules
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.factories import ClubFactory, EntryFactory, MembershipFactory, UserFactory
from tests.play.people import ALIX, ALONE, DICE_RUN, PRACTICE, answer, busy, long_game, play_on
from tests.scoring.evenings import evening
from tests.web.markup import tags
from tests.web.phones import link_of, phone_of, slip_of
from web.play.base import COOKIE
from web.play.records import _packed

pytestmark = pytest.mark.django_db


def begun(client: Client, setup) -> SoloGame:
    fields = {"variant": setup.variant, "people": setup.people, "house": setup.house, **(setup.options or {})}
    response = client.post(f"/play/{setup.game}/", fields)
    assert response.status_code == 302, response.content
    return SoloGame.objects.get(uid=response.url.split("/")[2])


def fields_of(game: SoloGame, page: str) -> dict[str, object]:
    """Return what the page's own form sends for the move that a decent player makes."""
    move = answer(game.record)
    number = {"number": len(game.moves)}
    if move.startswith("keep"):
        faces = next(tag.attributes["value"] for tag in tags(page, "input") if tag.attributes.get("name") == "dice")
        kept = [place for place, face in enumerate(move.split()[1:]) if face != "-"]
        return number | {"move": "keep", "dice": faces, "kept": kept}
    if move.startswith("sprint"):
        in_front = [tag.attributes["value"] for tag in tags(page, "input") if tag.attributes.get("name") == "leader"]
        assert Counter(move.split()[1:]) <= Counter(in_front), move
        return number | {"move": "sprint", "leader": move.split()[1:]}
    offered = {tag.attributes.get("value") for tag in [*tags(page, "button"), *tags(page, "option")]}
    assert move in offered, move
    return number | {"move": move}


def test_a_level_is_no_tie_in_french(client):
    html = client.get("/play/dix/", headers={"accept-language": "fr"}).content.decode()
    assert '<label for="difficulty">Niveau</label>' in html


@pytest.mark.parametrize("setup", [ALONE, ALIX, *PRACTICE], ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_game_is_played_by_forms_alone(client, setup):
    game = begun(client, setup)
    for _ in range(4):
        page = client.get(f"/solo/{game.uid}/")
        assert page.status_code == 200
        sent = client.post(f"/solo/{game.uid}/", fields_of(game, page.content.decode()))
        assert sent.url == f"/solo/{game.uid}/"
        before, game = len(game.moves), SoloGame.objects.get(pk=game.pk)
        assert len(game.moves) > before
    game = play_on(game)
    page = client.get(f"/solo/{game.uid}/").content.decode()
    assert "The game is over" in page
    assert f"data-score>{game.score}<" in page
    replay = Client().get(f"/solo/{game.uid}/record/?move={len(game.moves) // 2}")
    assert replay.status_code == 200
    assert f"Move {len(game.moves) // 2} of {len(game.moves)}" in replay.content.decode()


def dealt(client: Client, monkeypatch, seed: str, moves: int = 0) -> tuple[SoloGame, str]:
    """Begin a game of Dice Run that a seed deals, make the first moves, and return it with its page."""
    monkeypatch.setattr(games.secrets, "token_hex", lambda _: seed)
    game = play_on(begun(client, DICE_RUN), moves)
    return game, client.get(f"/solo/{game.uid}/").content.decode()


def test_account_that_is_logged_out_leaves_no_game_on_the_phone(client):
    """A café's tablet: the next one to log in was given the game of the one before, and could sign it."""
    before = begun(client, DICE_RUN)
    ana, bo = UserFactory(), UserFactory()
    client.force_login(ana)
    client.post("/challenge/ten-phases/", {"name": "Ana"})
    game = SoloGame.objects.get(user=ana)
    assert client.post("/logout/").status_code == 302
    assert client.get(f"/solo/{game.uid}/").status_code == 403
    assert client.get(f"/solo/{before.uid}/").status_code == 200, "what was begun without the account stays here"
    client.force_login(bo)
    client.post("/challenge/ten-phases/", {"name": "Bo"})
    assert SoloGame.objects.get(user=bo).pk != game.pk
    assert f"/solo/{game.uid}/" not in client.get("/play/").content.decode()
    there = Client()
    there.force_login(ana)
    assert f"/solo/{game.uid}/" in there.get("/play/").content.decode()
    assert there.get(f"/solo/{game.uid}/").status_code == 200


def test_any_three_dice_in_front_may_sprint(client, monkeypatch):
    game, page = dealt(client, monkeypatch, "seed 16")
    assert answer(game.record) == "sprint b4 g4 g4"  # one of 1286 moves
    in_front = [tag.attributes["value"] for tag in tags(page, "input") if tag.attributes.get("name") == "leader"]
    front = playing.open_record(game.record).position()["table"]["groups"][0]
    assert in_front == front
    sent = {"number": len(game.moves), "move": "sprint", "leader": ["g4", "b4", "g4"]}
    client.post(f"/solo/{game.uid}/", sent)
    game.refresh_from_db()
    assert "sprint b4 g4 g4" in game.moves


def test_sprint_of_too_few_dice_is_refused_with_its_reason(client, monkeypatch):
    game, _page = dealt(client, monkeypatch, "seed 16")
    sent = {"number": len(game.moves), "move": "sprint", "leader": ["g4", "b4"]}
    refused = client.post(f"/solo/{game.uid}/", sent, headers={"X-Part": "1"})
    assert refused.status_code == 422
    assert "exactly three dice sprint" in refused.content.decode()


def test_every_move_of_a_long_turn_is_offered(client, monkeypatch):
    game, page = dealt(client, monkeypatch, "seed 5", moves=10)
    now = playing.open_record(game.record)
    legal = [now.engine.play.write(move) for move in now.engine.play.legal(now.state)]
    assert len(legal) == 93
    offered = [tag.attributes.get("value") for tag in [*tags(page, "button"), *tags(page, "option")]]
    assert [move for move in legal if move not in offered] == []
    assert 'name="leader"' not in page


def test_forged_move_is_refused_with_its_reason(client):
    game = begun(client, ALONE)
    refused = client.post(f"/solo/{game.uid}/", {"number": 1, "move": "score 99"}, headers={"X-Part": "1"})
    assert refused.status_code == 422
    assert "score 99" in refused.content.decode()
    shown = client.post(f"/solo/{game.uid}/", {"number": 1, "move": "score 99"}, follow=True)
    assert "score 99" in shown.content.decode()
    late = client.post(f"/solo/{game.uid}/", {"number": 7, "move": "pass"}, headers={"X-Part": "1"})
    assert late.status_code == 409
    game.refresh_from_db()
    assert len(game.moves) == 1


@pytest.mark.parametrize("setup", PRACTICE, ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_practice_has_advice_and_a_way_back(client, setup):
    game = begun(client, setup)
    here, number = f"/solo/{game.uid}/", len(game.moves)
    page = client.get(here).content.decode()
    assert f'href="?advice={number}"' in page
    assert 'name="undo"' not in page  # nothing was done yet
    page = client.get(f"{here}?advice={number}").content.decode()
    assert "A strong player would do this" in page
    assert "A strong player would do this" not in client.get(f"{here}?advice={number + 1}").content.decode()
    advised = games.advise(game=game)
    assert client.post(here, {"number": number, "move": advised.move}).status_code == 302
    game.refresh_from_db()
    assert 'name="undo"' in client.get(here).content.decode()
    back = client.post(here, {"number": len(game.moves), "taken_back": 0, "undo": "1"}, headers={"X-Part": "1"})
    assert back.status_code == 200
    game.refresh_from_db()
    assert (len(game.moves), game.taken_back) == (number, 1)
    assert "One move was taken back." in client.get(f"/solo/{play_on(game).uid}/").content.decode()


def test_forged_way_back_in_a_challenge_is_refused(client):
    begun_at = client.post("/challenge/ten-phases/", {"name": "Ana"}).url
    client.post(begun_at, {"number": 1, "move": "keep", "dice": "- " * 10})
    game = SoloGame.objects.get()
    page = client.get(f"{begun_at}?advice={len(game.moves)}").content.decode()
    assert "strong player" not in page
    assert 'name="undo"' not in page
    refused = client.post(begun_at, {"number": len(game.moves), "taken_back": 0, "undo": "1"}, headers={"X-Part": "1"})
    assert refused.status_code == 403
    assert "in practice against the house alone" in refused.content.decode()
    assert SoloGame.objects.get().moves == game.moves


def test_game_is_seen_and_played_on_its_own_phone_alone(client):
    game = begun(client, ALONE)
    for stranger in (Client(), Client(headers={"cookie": f"{COOKIE}=somebody-elses"})):
        assert stranger.get(f"/solo/{game.uid}/").status_code == 403
        assert stranger.post(f"/solo/{game.uid}/", {"number": 1, "move": "pass"}).status_code == 403
        assert stranger.get(f"/solo/{game.uid}/record/").status_code == 404
    game.refresh_from_db()
    assert len(game.moves) == 1
    assert game.seed not in client.get(f"/solo/{game.uid}/").content.decode()


def test_account_goes_on_with_its_game_on_another_phone(client):
    user = UserFactory()
    client.force_login(user)
    game = begun(client, ALONE)
    other = Client()
    other.force_login(user)
    assert other.get(f"/solo/{game.uid}/").status_code == 200


def test_unfinished_game_waits_in_the_lobby(client):
    assert "Not finished yet" not in client.get("/play/").content.decode()
    game = begun(client, ALIX)
    assert f"/solo/{game.uid}/" in client.get("/play/").content.decode()
    assert begun(client, ALIX).pk == game.pk


@pytest.mark.parametrize("fields", [{"variant": "solo", "people": "x"}, {"variant": "no", "people": 1}])
def test_setup_that_there_is_not_says_so(client, fields):
    answered = client.post("/play/dix/", fields)
    assert answered.status_code == 200
    assert "notice bad" in answered.content.decode()


def challenge_page(challenge) -> str:
    return f"/challenge/{challenge.game}/"


def test_challenge_is_played_once_and_its_records_open_when_they_tell_nothing(client):
    today = challenges.challenge_of(game="ten-phases")
    other = play_on(games.start_challenge(phone=Phone("the phone of Bo, who was first"), challenge=today, name="Bo"))
    page = client.get("/challenge/ten-phases/").content.decode()
    assert "Bo" in page
    assert other.uid not in page
    assert client.get(f"/solo/{other.uid}/record/").status_code == 403
    begun = client.post("/challenge/ten-phases/", {"name": "Ana"})
    again = client.post("/challenge/ten-phases/", {"name": "Ana the second"})
    assert begun.url == again.url
    assert client.get(f"/solo/{other.uid}/record/").status_code == 403
    own = play_on(SoloGame.objects.get(uid=begun.url.split("/")[2]))
    assert client.get(f"/solo/{other.uid}/record/").status_code == 200
    page = client.get("/challenge/ten-phases/").content.decode()
    assert page.index("Bo") > 0
    assert own.uid in page
    assert Client().get(f"/solo/{own.uid}/record/").status_code == 403
    with patch.object(timezone, "now", lambda: today.closes_at):
        assert Client().get(f"/solo/{own.uid}/record/").status_code == 200


def test_name_is_written_on_the_board_and_taken_off(client):
    begun = client.post("/challenge/ten-phases/", {})
    game = play_on(SoloGame.objects.get(uid=begun.url.split("/")[2]))
    client.post(f"/solo/{game.uid}/sign/", {"name": "Ana <3"})
    assert "Ana &lt;3" in client.get("/challenge/ten-phases/").content.decode()
    Client().post(f"/solo/{game.uid}/sign/", {"name": "Mallory"})
    Client().post(f"/solo/{game.uid}/sign/", {"remove": "1"})
    assert "Ana &lt;3" in client.get("/challenge/ten-phases/").content.decode()
    client.post(f"/solo/{game.uid}/sign/", {"remove": "1"})
    page = client.get("/challenge/ten-phases/").content.decode()
    assert "Ana &lt;3" not in page  # three letters alone may stand in a random token
    assert "Nobody has finished yet" in page


def test_clubs_challenge_is_its_own_and_its_organiser_clears_the_board(client):
    club = ClubFactory()
    here = challenges.challenge_of(game="dix", club=club)
    game = play_on(games.start_challenge(phone=Phone("a phone in the café"), challenge=here, name="Rude"))
    assert "Rude" in client.get(f"/clubs/{club.slug}/challenge/dix/").content.decode()
    assert "Rude" not in client.get("/challenge/dix/").content.decode()
    client.force_login(MembershipFactory(club=club, role="organiser").user)
    client.post(f"/solo/{game.uid}/sign/", {"remove": "1"})
    assert "Rude" not in client.get(f"/clubs/{club.slug}/challenge/dix/").content.decode()


def test_challenge_of_a_private_club_is_its_members_alone(client):
    club = ClubFactory(is_public=False)
    member = MembershipFactory(club=club, role="scorekeeper").user
    challenge = challenges.challenge_of(game="dix", club=club)
    game = play_on(games.start_challenge(phone=Phone("x" * 20, member), challenge=challenge))
    addresses = [f"/clubs/{club.slug}/challenge/dix/", f"/solo/{game.uid}/record/"]
    assert [client.get(each).status_code for each in addresses] == [404, 404]
    assert client.get(f"/embed/clubs/{club.slug}/challenge/dix/").status_code == 404
    client.force_login(member)
    assert [client.get(each).status_code for each in addresses] == [200, 200]
    assert client.get(f"/embed/clubs/{club.slug}/challenge/dix/").status_code == 404


def test_embedded_board_is_public_and_says_no_more_than_the_board(client):
    today = challenges.challenge_of(game="ten-phases")
    game = play_on(games.start_challenge(phone=Phone("the phone of Bo"), challenge=today, name="Bo & Co"))
    answered = client.get("/embed/challenge/ten-phases/")
    html = answered.content.decode()
    assert answered["Access-Control-Allow-Origin"] == "*"
    assert "Bo &amp; Co" in html
    assert str(game.score) in html
    assert game.uid not in html
    assert not answered.cookies


@pytest.mark.parametrize("address", ["/challenge/sixmix/", "/challenge/nothing/", "/challenge/dix/?day=x"])
def test_challenge_that_there_is_not_is_not_found(client, address):
    assert client.get(address).status_code == 404
    assert client.get("/challenge/dix/?day=2999-01-01").status_code == 404


def test_record_somebody_brings_is_replayed_from_its_link_and_stored_nowhere(client):
    game = play_on(games.start_game(phone=Phone("somebody’s phone"), setup=ALONE))
    sent = client.post("/records/", {"record": json.dumps(game.record)})
    assert sent.status_code == 302
    shown = Client().get(sent.url + "&move=1")
    assert "Move 1 of" in shown.content.decode()
    SoloGame.objects.all().delete()
    assert Client().get(sent.url).status_code == 200


def test_forged_record_is_refused_with_its_reason(client):
    game = play_on(games.start_game(phone=Phone("somebody’s phone"), setup=ALONE))
    forged = game.record | {"moves": [re.sub(r"score \d+", "score 78", move) for move in game.moves]}
    refused = client.post("/records/", {"record": json.dumps(forged)})
    assert refused.status_code == 422
    assert "score 78" in refused.content.decode()
    assert client.get("/records/", {"record": _packed(forged)}).status_code == 404


@pytest.mark.parametrize("text", ["", "x", "{}", "[]", "1", "[" * 100_000, '{"game": "dix"}', '"\\ud800"'])
def test_what_is_no_record_is_refused(client, text):
    assert client.post("/records/", {"record": text[:60_000]}).status_code == 422
    assert client.get("/records/", {"record": text[:9000]}).status_code == 404


def test_link_that_unpacks_to_too_much_is_refused(client):
    bomb = _packed({"moves": ["a" * 5_000_000]})
    assert len(bomb) < 8000
    assert client.get("/records/", {"record": bomb}).status_code == 404


def test_record_of_a_table_is_shown_with_its_result_by_the_names_of_its_people(client):
    tonight = evening(seats=3, game="sixmix", confirmation="trust")
    labels = [entry.player.uid for entry in tonight.entries]
    record = {**played(), "seats": labels}
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=report_of(record))
    address = f"/e/{tonight.event.uid}/record/{tonight.table.uid}/"
    page = f"/e/{tonight.event.uid}/table/{tonight.table.uid}/"
    assert client.get(address).status_code == 404
    assert address not in client.get(page).content.decode()
    attach_record(actor=tonight.players[1], table=tonight.table, record=record)
    shown = client.get(address + "?move=3")
    assert tonight.entries[0].name in shown.content.decode()
    assert labels[0] not in shown.content.decode()
    assert address in client.get(page).content.decode()


def test_record_tells_a_result_of_a_former_version(client, monkeypatch):
    with monkeypatch.context() as former:
        former.setattr(scoring_rules, "minimal", lambda _event, _sheet: "of a former version")
        tonight, record = recorded_table()
    labels = record | {"seats": [entry.player.uid for entry in tonight.entries]}
    attach_record(actor=tonight.players[1], table=tonight.table, record=labels)
    assert client.get(f"/e/{tonight.event.uid}/record/{tonight.table.uid}/").status_code == 200


@functools.cache
def played(number: int = 0) -> Mapping[str, Any]:
    """Return the record of a game of three."""
    return play_game(Plan("sixmix", "standard", 3, 1), number).record


def recorded_table():
    """Return an evening, and the record of its table by the names of its people, whose sheet was sent."""
    tonight = evening(seats=3, game="sixmix", confirmation="trust")
    by_label = {**played(), "seats": [entry.player.uid for entry in tonight.entries]}
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=report_of(by_label))
    return tonight, {**played(), "seats": [entry.name for entry in tonight.entries]}


@pytest.mark.parametrize("way", ["written", "file", "organiser", "organiser who plays along"])
def test_record_is_attached_from_a_page_by_the_names_of_the_people(client, way):
    tonight, record = recorded_table()
    replay = f"/e/{tonight.event.uid}/record/{tonight.table.uid}/"
    sheet = f"/e/{tonight.event.uid}/table/{tonight.table.uid}/"
    is_organiser = way.startswith("organiser")
    phone = client if is_organiser else phone_of(tonight.entries[1])
    if is_organiser:
        if way != "organiser":
            client.get(f"/me/{link_of(EntryFactory(event=tonight.event))}/")
        client.force_login(MembershipFactory(club=tonight.event.club, role="scorekeeper").user)
        console = f"/e/{tonight.event.uid}/console/table/{tonight.table.uid}/"
        assert f"{replay}attach/" in client.get(console).content.decode()
    assert f"{replay}attach/" in phone.get(sheet).content.decode()
    assert f"{replay}attach/" not in Client().get(sheet).content.decode()
    assert phone.get(f"{replay}attach/").status_code == 200
    text = json.dumps(record)
    sent = {"file": SimpleUploadedFile("game.json", text.encode())} if way == "file" else {"record": text}
    assert phone.post(f"{replay}attach/", sent).url == replay
    assert tonight.entries[0].name in Client().get(replay).content.decode()
    results = f"/e/{tonight.event.uid}/"
    for page in (sheet, results):
        assert replay in Client().get(page).content.decode()
    assert phone.post(f"{replay}attach/", {"remove": "1"}).status_code == 302
    assert Client().get(replay).status_code == 404
    assert replay not in Client().get(results).content.decode()


def test_slip_that_takes_somebodys_record_away_is_told_why_not(client):
    tonight, record = recorded_table()
    here = f"/e/{tonight.event.uid}/record/{tonight.table.uid}/"
    assert phone_of(tonight.entries[1]).post(f"{here}attach/", {"record": json.dumps(record)}).url == here
    client.get(f"/t/{slip_of(tonight.table)}/")
    refused = client.post(f"{here}attach/", {"remove": "1"})
    assert refused.status_code == 403
    assert "Use a personal link" in refused.content.decode()
    assert Client().get(here).status_code == 200


def test_record_that_does_not_tell_the_result_is_refused_with_the_reason():
    tonight, record = recorded_table()
    phone, here = phone_of(tonight.entries[0]), f"/e/{tonight.event.uid}/record/{tonight.table.uid}/attach/"
    other = {**played(1), "seats": record["seats"]}
    forged = {**record, "moves": [*record["moves"][:5], "put b 9"]}
    for text, said in (
        (json.dumps(other), "another result than the sheet"),
        (json.dumps({**record, "moves": record["moves"][:-1]}), "ends before the game does"),
        (json.dumps(forged), "put b 9"),
        (json.dumps({**record, "seats": ["Nobody", *record["seats"][1:]]}), "seats"),
        ("[" * 30_000, "not JSON"),
        ("", "not JSON"),
        ("[]", ""),
    ):
        refused = phone.post(here, {"record": text})
        assert refused.status_code == 422, said
        assert said in refused.content.decode()
    assert Client().get(here.removesuffix("attach/")).status_code == 404


def test_stranger_attaches_nothing_and_takes_nothing_off():
    tonight, record = recorded_table()
    here = f"/e/{tonight.event.uid}/record/{tonight.table.uid}/attach/"
    labels = {**record, "seats": [entry.player.uid for entry in tonight.entries]}
    attach_record(actor=tonight.players[1], table=tonight.table, record=labels)
    stranger = Client()
    assert stranger.get(here).status_code == 403
    assert stranger.post(here, {"remove": "1"}).status_code == 403
    assert stranger.post(here, {"record": json.dumps(record)}).status_code == 403
    assert stranger.get(here.removesuffix("attach/")).status_code == 200


def test_records_are_replayed_a_few_at_a_time_whichever_page_asks_for_it(client):
    tonight, record = recorded_table()
    labels = {**record, "seats": [entry.player.uid for entry in tonight.entries]}
    attach_record(actor=tonight.players[1], table=tonight.table, record=labels)
    here = f"/e/{tonight.event.uid}/record/{tonight.table.uid}/"
    game = play_on(games.start_game(phone=Phone("somebody’s phone"), setup=ALONE))
    phone, player = phone_of(tonight.entries[0]), bearer(link_of(tonight.entries[0]))

    def answers():
        yield client.get("/records/", {"record": _packed(record)})
        yield client.post("/records/", {"record": json.dumps(record)})
        yield client.get(f"/solo/{game.uid}/record/")
        yield client.get(here)
        yield phone.post(f"{here}attach/", {"record": json.dumps(record)})
        yield player.put(f"/api/v1/tables/{tonight.table.uid}/record/", labels)

    assert [answer.status_code for answer in answers()] == [200, 302, 200, 200, 302, 200]
    with busy():
        assert {answer.status_code for answer in answers()} == {429}


def test_long_games_are_replayed_a_few_at_a_time_whoever_asks_for_them(client):
    phone = Phone("a phone that holds a long game")
    game = long_game(phone)
    client.cookies[COOKIE] = phone.secret
    program = APIClient(headers={"Play-Token": phone.secret})
    page, address = f"/solo/{game.uid}/", f"/api/v1/solo/{game.uid}/"
    where = {"number": len(game.moves), "taken_back": 0}

    def answers():
        yield client.get(page)
        yield client.post(page, {**where, "undo": "1"}, headers={"X-Part": "1"})
        yield program.get(address)
        yield program.get(f"{address}advice/")
        yield program.post(f"{address}moves/", {**where, "move": "pass"})
        yield program.post(f"{address}undo/", where)

    with busy():
        assert {(answer.status_code, answer["Retry-After"]) for answer in answers()} == {(429, "2")}
    assert [answer.status_code for answer in (client.get(page), program.get(address))] == [200, 200]
    with busy():  # what was replayed is kept
        assert [answer.status_code for answer in (client.get(page), program.get(address))] == [200, 200]


def test_short_game_is_shown_however_many_replay_long_ones(client):
    game = begun(client, PRACTICE[0])
    with busy():
        assert client.get(f"/solo/{game.uid}/").status_code == 200


def test_game_is_replayed_once_for_an_answer(client, monkeypatch):
    game = play_on(begun(client, PRACTICE[0]), 5)
    rules._replays.clear()
    made = []
    apply = playing.play.move
    monkeypatch.setattr(playing.play, "move", lambda *given: made.append(given) or apply(*given))
    assert client.get(f"/solo/{game.uid}/").status_code == 200
    since = len(game.moves) - len(rules._replayed(game).own.moves)
    assert len(made) <= 2 * len(game.moves) + since


def test_pages_speak_french(client):
    with translation.override("fr"):
        page = client.get("/play/", headers={"accept-language": "fr"}).content.decode()
    assert "Défi du jour" in page
