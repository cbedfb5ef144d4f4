"""Games of one person: dealt by the service, checked by the engines, and verified by replay."""

from __future__ import annotations

import copy
import datetime as dt
import functools
import threading
from contextlib import suppress
from unittest.mock import patch

import pytest
from django.db import connection, connections
from django.utils import timezone, translation
from hypothesis import given, settings
from hypothesis import strategies as st

from core import costly
from core.names import NameInvalidError
from engines import game as playing
from engines import records
from play import rules, tasks
from play.errors import (
    ChallengeOverError,
    GameOverError,
    MoveIllegalError,
    MoveNumberError,
    NothingToUndoError,
    PracticeOnlyError,
    SetupInvalidError,
    TooManyGamesError,
)
from play.models import Challenge, SoloGame
from play.services import challenges, games
from play.services.games import Phone, Setup
from tests.factories import ClubFactory, UserFactory
from tests.play.people import ALIX, ALONE, ANA, BO, PRACTICE, answer, busy, play_on
from tournaments.models import Club

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("setup", [ALONE, ALIX, *PRACTICE], ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_whole_game_is_played_and_its_result_is_that_of_its_record(setup):
    game = play_on(games.start_game(phone=ANA, setup=setup))
    assert game.is_over
    report = records.report_of(game.record)
    rows = {row.seat: row for row in rules.verdict_of(rules.opened(game.record).engine, report).standings}
    assert game.score == rows["player"].score
    assert game.is_won is (None if setup is ALONE else rows["player"].rank == 1)


def begun_twice(setup, monkeypatch) -> list[SoloGame]:
    monkeypatch.setattr(games.secrets, "token_hex", lambda _: "the same")
    return [games.start_game(phone=phone, setup=setup) for phone in (ANA, BO)]


def test_one_seed_gives_everybody_the_same_deck_whatever_they_do(monkeypatch):
    first, other = begun_twice(ALIX, monkeypatch)
    first, other = play_on(first), play_on(other, player="random")
    turned = [[move for move in each.moves if move.startswith("turn")] for each in (first, other)]
    shared = min(map(len, turned))
    assert turned[0][:shared] == turned[1][:shared]
    assert first.moves != other.moves


def test_one_seed_gives_everybody_the_same_dice_whatever_they_keep(monkeypatch):
    first, other = begun_twice(ALONE, monkeypatch)
    assert first.moves == other.moves
    fallen = first.moves[0].split()[1:]
    first = games.make_move(game=first, number=1, move="keep" + " -" * 10)
    other = games.make_move(game=other, number=1, move=" ".join(["keep", *fallen[:5], *"-----"]))
    assert first.moves[-1].split()[6:] == other.moves[-1].split()[6:]
    first = games.make_move(game=first, number=3, move="pass")
    other = games.make_move(game=other, number=3, move="keep" + " -" * 10)
    other = games.make_move(game=other, number=5, move="pass")
    assert first.moves[-1] == other.moves[-1]  # the next attempt begins alike, however many throws the last one had


@functools.cache
def begun_alone() -> tuple[SoloGame, set[str]]:
    """Return a game against ALIX and the first moves of it that are legal."""
    game = SoloGame(game="dix", variant="solo", seats=["player", "ALIX"], seed="s", options={"difficulty": 5})
    rules.begin(game)
    return game, {offer["move"] for offer in rules.position(game, {}).legal["moves"]}


@settings(max_examples=20)
@given(st.text(max_size=60))
def test_whatever_is_no_legal_move_is_refused_and_changes_nothing(text):
    begun, legal = begun_alone()
    game, before = copy.deepcopy(begun), list(begun.moves)
    if text not in legal:
        with pytest.raises(MoveIllegalError) as refused:
            rules.move(game, text)
        assert refused.value.errors[0]["code"].startswith("dix.")
        assert game.moves == before


def test_forged_throw_is_refused_with_a_reason():
    game = games.start_game(phone=ANA, setup=ALONE)
    with pytest.raises(MoveIllegalError) as refused:
        games.make_move(game=game, number=1, move="roll 10r 10b 10o 10g 10r 10r Wb Wr Wr Wo")
    assert "“roll" in refused.value.errors[0]["message"]
    game.refresh_from_db()
    assert len(game.moves) == 1


def test_move_that_is_sent_again_is_made_once():
    game = games.start_game(phone=ANA, setup=ALONE)
    move = answer(game.record)
    once = games.make_move(game=game, number=1, move=move)
    again = games.make_move(game=game, number=1, move=move)
    assert once.moves == again.moves


def test_move_that_answers_an_older_position_is_refused():
    game = games.start_game(phone=ANA, setup=ALONE)
    games.make_move(game=game, number=1, move="pass")
    with pytest.raises(MoveNumberError) as refused:
        games.make_move(game=game, number=1, move=answer({**game.record, "moves": game.moves[:1]}))
    assert refused.value.facts == {"number": 3, "taken_back": 0}
    for number in (0, 2, 4, 10**9):
        with pytest.raises(MoveNumberError):
            games.make_move(game=game, number=number, move="pass")


def test_move_is_known_again_in_other_words_and_only_where_the_person_made_it():
    game = SoloGame(game="dix", variant="standard", seats=["player", "house-1"], seed="s", house="decent")
    game.options = {"deck": {"b1": 1, "b2": 1, "g9": 1, "5*": 1, "$3": 1}}
    game.moves = ["first 2", "turn b2", "take numbers", "pass", "turn b1", "take numbers", "buy b2 2c b1"]
    assert rules.is_made(game, 5, "take numbers")
    assert not rules.is_made(game, 5, "take currency")
    assert not rules.is_made(game, 2, "take numbers")  # that was the house
    assert rules.is_made(game, 6, "buy b2 b1 2c")
    assert not rules.is_made(game, 6, "nonsense")


@pytest.mark.django_db(transaction=True)
def test_others_write_while_the_house_thinks():
    """On SQLite there is one lock for everybody: what is slow is worked out before it is taken."""
    game = games.start_game(phone=ANA, setup=ALONE)
    think, states = rules.move, []

    def look(*args: object) -> None:
        states.append(connection.in_atomic_block)
        think(*args)

    with patch.object(rules, "move", look):
        games.make_move(game=game, number=len(game.moves), move="pass")
    assert states == [False]


@pytest.mark.django_db(transaction=True)
def test_two_tabs_never_move_twice():
    game = games.start_game(phone=ANA, setup=ALONE)

    def race() -> list[str]:
        ready, outcomes = threading.Barrier(2), []
        looked = rules.is_made

        def wait_for_the_other(*args: object) -> bool:
            made = looked(*args)
            with suppress(threading.BrokenBarrierError):  # who looks again looks alone
                ready.wait(1)
            return made

        def tab(move: str) -> None:
            try:
                games.make_move(game=game, number=len(before), move=move)
                outcomes.append("made")
            except MoveNumberError:
                outcomes.append("refused")
            finally:
                connections.close_all()

        game.refresh_from_db()
        before = list(game.moves)
        with patch.object(rules, "is_made", wait_for_the_other):
            tabs = [threading.Thread(target=tab, args=(move,)) for move in ("pass", "keep" + " -" * 10)]
            for each in tabs:
                each.start()
            for each in tabs:
                each.join()
        return sorted(outcomes)

    with patch.object(games, "_is_at", lambda *_: True):
        assert race() == ["made", "made"]  # without a second look one of them was told so and lost
    assert race() == ["made", "refused"]


def test_unfinished_game_goes_on_and_is_given_up_only_when_asked():
    first = games.start_game(phone=ANA, setup=ALONE)
    assert games.start_game(phone=ANA, setup=ALONE).pk == first.pk
    assert games.start_game(phone=BO, setup=ALONE).pk != first.pk
    assert games.start_game(phone=ANA, setup=ALIX).pk != first.pk
    second = games.start_game(phone=ANA, setup=ALONE, again=True)
    assert second.pk != first.pk
    assert not SoloGame.objects.filter(pk=first.pk).exists()


@pytest.mark.parametrize(
    "setup",
    [
        Setup("ten-phases", "solo", 2),
        Setup("ten-phases", "standard", 9, "decent"),
        Setup("dix", "standard", 3, "a genius"),
        Setup("dix", "nothing", 1),
        Setup("dix", "solo", options={"difficulty": 3}),
        Setup("dix", "solo", options={"deck": {"b1": 1}}),
    ],
)
def test_game_that_there_is_not_is_refused(setup):
    with pytest.raises(SetupInvalidError):
        games.start_game(phone=ANA, setup=setup)
    assert not SoloGame.objects.exists()


def test_phone_begins_only_so_many_games_a_day(monkeypatch):
    monkeypatch.setattr(games, "A_DAY", 2)
    for _ in range(2):
        games.start_game(phone=ANA, setup=ALONE, again=True)
        SoloGame.objects.update(status="over")
    with pytest.raises(TooManyGamesError):
        games.start_game(phone=ANA, setup=ALONE, again=True)
    games.start_game(phone=BO, setup=ALONE)


def test_house_players_are_shown_no_more_than_their_seat_sees():
    game = games.start_game(phone=ANA, setup=PRACTICE[-1])
    table = rules.position(game, {}).table
    hands = [player["hand"] for player in table["players"]]
    assert None not in hands[0]
    assert all(card is None for hand in hands[1:] for card in hand)
    steps = rules.told(game.record, 1, len(game.moves), 0)
    secret = [step for step in steps if step.move is None]
    assert len(secret) >= 2 * (len(game.seats) - 1)  # the objectives and hands of the others


def test_seed_of_a_challenge_is_the_servers_secret(settings):
    here = challenges.challenge_of(game="dix")
    assert challenges.challenge_of(game="dix").pk == here.pk
    assert here.seed != challenges.challenge_of(game="ten-phases").seed
    club = ClubFactory()
    assert challenges.challenge_of(game="dix", club=club).seed != here.seed
    settings.SECRET_KEY = "another key, of another server"
    assert challenges.challenge_of(game="dix").seed == here.seed  # a day that has begun stays as it is
    Challenge.objects.all().delete()
    assert challenges.challenge_of(game="dix").seed != here.seed


def test_club_that_takes_over_the_address_of_another_has_other_dice():
    first, other = ClubFactory(slug="cafe"), ClubFactory(slug="bar")
    seed = challenges.challenge_of(game="dix", club=first).seed
    Club.objects.filter(pk=first.pk).update(slug="old-cafe")
    Club.objects.filter(pk=other.pk).update(slug="cafe")
    other.refresh_from_db()
    assert challenges.challenge_of(game="dix", club=other).seed != seed


def test_everybody_has_one_try_at_a_challenge():
    challenge = challenges.challenge_of(game="ten-phases")
    user = UserFactory()
    first = games.start_challenge(phone=Phone(ANA.secret, user), challenge=challenge, name="Ana")
    assert games.start_challenge(phone=ANA, challenge=challenge).pk == first.pk
    assert games.start_challenge(phone=Phone("another phone of hers", user), challenge=challenge).pk == first.pk
    games.take_off(actor=None, phone=ANA, game=first)
    assert games.start_challenge(phone=ANA, challenge=challenge).pk == first.pk
    assert games.start_challenge(phone=BO, challenge=challenge).moves == first.moves


def test_challenge_ends_with_its_day_and_leaves_time_to_finish(monkeypatch):
    challenge = challenges.challenge_of(game="ten-phases")
    ana = games.start_challenge(phone=ANA, challenge=challenge)
    monkeypatch.setattr(timezone, "now", lambda: challenge.ends_at + dt.timedelta(minutes=5))
    with pytest.raises(ChallengeOverError):
        games.start_challenge(phone=BO, challenge=challenge)
    ana = play_on(ana, 2)
    monkeypatch.setattr(timezone, "now", lambda: challenge.closes_at)
    with pytest.raises(ChallengeOverError):
        play_on(ana, 1)


def test_board_ranks_equal_results_equally_and_shows_records_to_whom_they_tell_nothing():
    challenge = challenges.challenge_of(game="ten-phases")
    tries = [games.start_challenge(phone=Phone(f"phone number {n} of many"), challenge=challenge) for n in range(4)]
    for game, score in zip(tries, (300, 450, 300, 200), strict=True):
        SoloGame.objects.filter(pk=game.pk).update(status="over", score=score, finished_at=timezone.now())
    board = challenges.ranked(challenges.board_of(challenge))
    assert [(row.rank, row.game.score) for row in board] == [(1, 450), (2, 300), (2, 300), (4, 200)]
    best = board[0].game
    assert challenges.may_look(Phone("phone number 0 of many"), best)
    assert not challenges.may_look(ANA, best)
    games.start_challenge(phone=ANA, challenge=challenge)
    assert not challenges.may_look(ANA, best)
    with patch.object(timezone, "now", lambda: challenge.closes_at):
        assert challenges.may_look(ANA, best)


def test_names_on_the_board_are_names():
    challenge = challenges.challenge_of(game="ten-phases")
    with pytest.raises(NameInvalidError):
        games.start_challenge(phone=ANA, challenge=challenge, name="\u202eana")
    game = games.start_challenge(phone=ANA, challenge=challenge, name="  Ana  ")
    assert game.name == "Ana"
    assert games.sign(game=game, name=" ").name == ""


def test_old_games_are_cleared_and_what_is_played_stays(monkeypatch):
    monkeypatch.setattr(tasks, "is_steady", lambda: True)
    left = games.start_game(phone=ANA, setup=ALONE)
    SoloGame.objects.update(moved_at=timezone.now() - tasks.IDLE - dt.timedelta(days=1))
    going = games.start_game(phone=BO, setup=ALONE)
    shared = play_on(games.start_game(phone=BO, setup=ALIX))
    tasks.clear_games()
    assert set(SoloGame.objects.values_list("pk", flat=True)) == {going.pk, shared.pk}
    SoloGame.objects.filter(pk=shared.pk).update(moved_at=timezone.now() - tasks.KEPT - dt.timedelta(days=1))
    tasks.clear_games()
    assert list(SoloGame.objects.all()) == [going]
    assert left.pk != going.pk


def test_game_that_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(SoloGame, "MOST_MOVES", 20)
    game = games.start_game(phone=ANA, setup=ALONE)
    while len(game.moves) < 19:
        game = games.make_move(game=game, number=len(game.moves), move="pass")
    with pytest.raises(rules.TooLongError):
        games.make_move(game=game, number=19, move="pass")


def test_record_names_people_and_stays_the_same_game():
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[1]))
    named = rules.renamed(game.record, {"player": "Ana", "house-1": "Ana"})
    assert named["seats"] == ["Ana", "Ana′", "house-2"]
    assert playing.open_record(named).report["seats"] == named["seats"]


# Learning: moves taken back, and advice


def take_back(game: SoloGame) -> SoloGame:
    return games.take_back(game=game, number=len(game.moves), taken_back=game.taken_back)


@pytest.mark.parametrize("setup", PRACTICE, ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_move_taken_back_and_made_again_meets_the_same_dice_cards_and_house(setup):
    game = play_on(games.start_game(phone=ANA, setup=setup), 3)
    before = game.moves
    back = take_back(game)
    assert back.moves == before[: len(back.moves)]
    assert rules.position(back, {}).actor == "player"
    assert (back.taken_back, back.seed) == (1, game.seed)
    again = games.make_move(game=back, number=len(back.moves), move=before[len(back.moves)])
    assert again.moves == before


def test_dice_fall_alike_for_whatever_is_kept_after_a_move_was_taken_back():
    game = games.start_game(phone=ANA, setup=PRACTICE[0])
    first = len(game.moves)
    fallen = games.make_move(game=game, number=first, move="keep" + " -" * 10).moves[first + 1].split()
    games.take_back(game=game, number=first + 2, taken_back=0)
    shown = game.moves[-1].split()[1:]
    kept = games.make_move(game=game, number=first, move=" ".join(["keep", *shown[:5], *"-----"]))
    assert kept.moves[first + 1].split()[6:] == fallen[6:]


def test_all_moves_can_be_taken_back_and_then_there_is_none():
    game = begin = games.start_game(phone=ANA, setup=PRACTICE[1])
    game = play_on(game, 3)
    for _ in range(3):
        game = take_back(game)
    assert game.moves == begin.moves
    assert not rules.has_moved(game)
    with pytest.raises(NothingToUndoError):
        take_back(game)
    assert SoloGame.objects.get().taken_back == 3


def test_move_is_taken_back_once_however_often_that_is_sent():
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[0]), 4)
    once, again = (games.take_back(game=game, number=len(game.moves), taken_back=0) for _ in range(2))
    assert (once.moves, once.taken_back) == (again.moves, again.taken_back)
    with pytest.raises(MoveNumberError):  # another tab has an older position open
        games.take_back(game=game, number=len(once.moves) - 1, taken_back=1)


def test_undo_that_comes_late_takes_nothing_back_though_play_has_returned_to_the_same_number():
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[0]), 4)
    number = len(game.moves)
    back = take_back(game)
    again = games.make_move(game=back, number=len(back.moves), move=game.moves[len(back.moves)])
    assert len(again.moves) == number
    late = games.take_back(game=again, number=number, taken_back=0)
    assert (late.moves, late.taken_back) == (again.moves, 1)
    assert SoloGame.objects.get().moves == again.moves


def test_move_that_was_taken_back_is_not_made_again_by_a_copy_that_comes_late():
    game = games.start_game(phone=ANA, setup=PRACTICE[0])
    number, move = len(game.moves), answer(game.record)
    back = take_back(games.make_move(game=game, number=number, move=move, taken_back=0))
    assert len(back.moves) == number
    with pytest.raises(MoveNumberError) as refused:
        games.make_move(game=back, number=number, move=move, taken_back=0)
    assert refused.value.facts == {"number": number, "taken_back": 1}
    assert SoloGame.objects.get().moves == back.moves
    assert len(games.make_move(game=back, number=number, move=move, taken_back=1).moves) > number


@pytest.mark.parametrize(("more", "taken_back"), [(5, 0), (0, 1), (0, 10**9)])
def test_position_that_never_was_takes_nothing_back(more, taken_back):
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[0]), 2)
    with pytest.raises(MoveNumberError):
        games.take_back(game=game, number=len(game.moves) + more, taken_back=taken_back)
    assert SoloGame.objects.get().moves == game.moves


@pytest.mark.parametrize("kind", ["challenge", "alone", "alix"])
def test_nothing_is_taken_back_or_advised_where_a_result_stands_for_somebody(kind):
    if kind == "challenge":
        game = games.start_challenge(phone=ANA, challenge=challenges.challenge_of(game="ten-phases"))
    else:
        game = games.start_game(phone=ANA, setup=ALONE if kind == "alone" else ALIX)
    game = play_on(game, 2)
    game.house = "decent"  # what a caller holds does not count: the row does
    with pytest.raises(PracticeOnlyError):
        games.take_back(game=game, number=len(game.moves), taken_back=0)
    assert SoloGame.objects.get().moves == game.moves
    with pytest.raises(PracticeOnlyError):
        games.advise(game=SoloGame.objects.get())


def test_game_that_is_over_stays_over():
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[3]))
    for act in (
        lambda: games.take_back(game=game, number=len(game.moves), taken_back=0),
        lambda: games.advise(game=game),
    ):
        with pytest.raises(GameOverError):
            act()
    assert SoloGame.objects.get().is_over


@pytest.mark.parametrize("setup", PRACTICE, ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_advice_is_a_legal_move_with_a_reason_in_both_languages_and_the_same_again(setup):
    game = play_on(games.start_game(phone=ANA, setup=setup), 2)
    advice = games.advise(game=game)
    assert advice == games.advise(game=game)
    assert advice.number == len(game.moves)
    with translation.override("fr"):
        french = games.advise(game=game)
    assert french.move == advice.move
    assert french.reason != advice.reason
    assert games.make_move(game=game, number=advice.number, move=advice.move).moves[advice.number] == advice.move


def test_advice_knows_no_more_than_the_person_sees():
    game = play_on(games.start_game(phone=ANA, setup=PRACTICE[4]), 2)
    advice = games.advise(game=game)
    game.seed = "another"  # what is to come follows from it
    assert games.advise(game=game) == advice


@pytest.mark.parametrize("setup", PRACTICE, ids=lambda setup: f"{setup.game}-{setup.variant}")
def test_game_that_is_kept_replayed_is_the_one_that_its_record_tells(setup):
    game = games.start_game(phone=ANA, setup=setup)
    for step in (play_on, play_on, take_back, play_on, take_back, take_back, play_on):
        game = step(game, 2) if step is play_on else step(game)
        for names in ({}, {SoloGame.SEAT: "Ana"}):
            record = rules.renamed(game.record, names)
            assert rules.position(game, names).game == playing.open_record(record)
            told = rules.told(record, 1, len(game.moves), 0)
            own = [step.number for step in told if step.seat == record["seats"][0]]
            assert rules.since(game, names) == told[own[-1] - 1 :]


def test_turn_is_taken_once_by_one_thread():
    with rules.turn(), rules.turn():
        assert costly.PLAY.places._value == 1
    assert costly.PLAY.places._value == 2


def test_house_moves_before_the_first_one_when_it_is_its_turn():
    alone, against = Setup("dix", "solo"), Setup("dix", "standard", 3, "decent")
    with busy():
        games.start_game(phone=ANA, setup=alone)
        with pytest.raises(costly.TooManyAtOnceError):
            games.start_game(phone=Phone("another phone"), setup=against)
