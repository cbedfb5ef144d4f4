"""`python -m engines play`, and `replay` of games that are not over."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engines import GAMES, __main__, game, records, terminal
from tests.engines import command
from tests.engines.games import every_variant, played

ROOT = Path(__file__).resolve().parents[2]


def sit(names, slug="dix", variant="standard", lines=(), language="en", is_advised=False, secret="7"):
    """Play with what a person types, and return the game and all that was said."""
    seating = terminal.seat(GAMES[slug], variant, names)
    said = io.StringIO()
    typed = io.StringIO("".join(f"{line}\n" for line in lines))
    start = game.start(slug, variant, seating.labels)
    return terminal.Table(start, seating, secret, typed, said, language, is_advised).play(), said.getvalue()


def run(*arguments, lines=()):
    done = command.run(*arguments, typed="".join(f"{line}\n" for line in lines).encode())
    return done.status, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize(("engine", "variant"), every_variant())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_person_plays_every_variant_by_numbers_until_typing_ends(engine, variant, language):
    names = ["ana", *["decent"] * (variant.people[0] - 1)]
    played_so_far, said = sit(names, engine.slug, variant.slug, ["1"] * 6, language, is_advised=True)
    assert said.count("ana> ") == 7
    assert said.count("La maison jouerait" if language == "fr" else "The house would play") == 7
    assert records.header_of(played_so_far.record).seats[0] == "ana"
    assert game.open_record(played_so_far.record).moves == played_so_far.moves


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_a_table_of_house_players_plays_to_the_end(engine, variant):
    names = [("strong", "decent", "random")[seat % 3] for seat in range(variant.people[0])]
    if engine.slug == "ten-phases":
        names = ["strong" for _ in names]  # at random it takes a thousand turns
    over, said = sit(names, engine.slug, variant.slug)
    assert over.is_over
    assert "The game is over." in said
    assert "first with" in said
    assert records.report_of(over.record) == over.report


def test_house_players_of_one_kind_are_numbered_and_partners_sit_down_by_themselves():
    seating = terminal.seat(GAMES["dix"], "standard", ["ana", "decent", "strong", "decent"])
    assert seating.labels == ("ana", "decent-1", "strong", "decent-2")
    assert seating.house == {1: "decent", 2: "strong", 3: "decent"}
    assert terminal.seat(GAMES["dix"], "solo", ["ana", "ALIX"]) == terminal.Seating(("ana", "ALIX"), {})


def test_undo_takes_back_the_last_choice_and_the_same_cards_come_again():
    once, _ = sit(["ana", "decent"], lines=["1", "1"])
    again, said = sit(["ana", "decent"], lines=["undo", "1", "undo", "1", "1"])
    assert again.record == once.record
    assert "You have not chosen anything yet." in said


def test_what_is_typed_wrong_is_told_and_asked_again():
    going, said = sit(
        ["ana", "decent"], lines=["sing", "99", "9" * 5000, "²", "", "  ", "help", "table", "more", "q", "1"]
    )
    assert "not a move" in said
    assert "The list has no number 99." in said
    assert "Type the number of a move" in said
    assert said.rstrip().endswith("the record is kept.")
    start, _ = sit(["ana", "decent"])
    assert going.moves == start.moves


def test_a_move_may_be_typed_as_it_is_written():
    going, _ = sit(["ana"], "ten-phases", "solo", ["keep - - - - - - - - - -", "pass"])
    assert going.moves[1] == "keep - - - - - - - - - -"
    assert going.moves[3] == "pass"


def test_nobody_is_told_what_another_draws():
    _, said = sit(["ana", "decent", "decent"], "dice-run", lines=["1"] * 5)
    assert "decent-1 draws a card." in said
    assert "decent-1 gets four objectives." in said
    assert "ana gets the objectives" in said
    assert "? ? ?" in said
    _, to_two = sit(["ana", "ben", "decent"], "dice-run", lines=["1"] * 5)
    assert "ana gets four objectives." in to_two


def test_advice_is_a_legal_move_with_its_reason():
    for slug, engine in GAMES.items():
        for variant in engine.variants:
            record = played(engine, variant, variant.people[0]).record
            for before in list(game.steps(record))[:-1]:
                if before.actor is not None and before.seats[before.actor] not in variant.partners:
                    advice = before.advise(random.Random(1))
                    assert before.move(advice.text).moves[-1] == advice.text
                    assert "{" not in advice.reason.en + advice.reason.fr
                    assert advice.reason.en != advice.reason.fr, slug


def test_the_record_goes_to_standard_output_and_talk_does_not():
    status, lines, said = run("play", "sixmix", "--seats", "ana,decent,decent", "--seed", "3", lines=["1", "1"])
    assert status == 0
    (record,) = map(json.loads, lines)
    assert record["seats"] == ["ana", "decent-1", "decent-2"]
    assert "your move" in said
    again = run("play", "sixmix", "--seats", "ana,decent,decent", "--seed", "3", lines=["1", "1"])
    assert again == (status, lines, said)
    other = run("play", "sixmix", "--seats", "ana,decent,decent", lines=["1", "1"])
    assert other[1] != lines


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("dice-run", "--seats", "ana,decent"), "cannot be played by 2"),
        (("dix", "--seats", "ana,ana"), "different names"),
        (("dix", "--seats", "ana,ben", "--variant", "blitz"), "no variant"),
        (("dix", "--seats", "ana", "--option", "difficulty=99"), "difficulty"),
        (("dix", "--seats", ","), "cannot be played by 0"),
    ],
)
def test_what_cannot_be_played_is_one_sentence_and_a_status(arguments, told):
    status, lines, said = run("play", *arguments)
    assert (status, lines) == (2, [])
    assert told in said
    assert len(said.splitlines()) == 1


def test_interrupting_keeps_the_record():
    parent, child = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "engines", "play", "ten-phases", "--seats", "ana", "--seed", "3"],
        stdin=child,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        # What a shell starts in the background ignores Ctrl-C, and so would this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (nothing else runs here)
    ) as process:
        said = ""
        while "ana> " not in said:
            said += process.stderr.read(1)
        os.write(parent, b"pass\n")
        while said.count("ana> ") < 2:
            said += process.stderr.read(1)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    os.close(parent)
    os.close(child)
    assert process.returncode == 0
    assert json.loads(output)["moves"][1] == "pass"


# Records that are not over


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_an_unfinished_record_is_shown_with_what_can_follow(engine, variant, capsys, monkeypatch):
    record = played(engine, variant, variant.people[0]).record
    cut = record | {"moves": record["moves"][: len(record["moves"]) // 2]}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(cut).encode())))
    assert __main__.main(["replay"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [each["code"] for each in answer["errors"]] == ["record.unfinished"]
    assert answer["position"]["number"] == len(cut["moves"])
    assert answer["legal_moves"]["count"] >= 1
    going = game.open_record(cut)
    for each in answer["legal_moves"]["moves"][:3]:
        going.move(each["move"])


def test_steps_are_written_one_position_a_line(capsys, monkeypatch):
    record = played(GAMES["sixmix"], GAMES["sixmix"].variant("two-player"), 2).record
    broken = record | {"moves": [*record["moves"][:3], "put z9"]}
    lines = f"{json.dumps(record)}\n{json.dumps(broken)}\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert __main__.main(["replay", "--steps"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["move"] for each in answers[: len(record["moves"]) + 1]] == [None, *record["moves"]]
    assert answers[len(record["moves"])]["is_over"]
    assert answers[-1]["errors"][0]["path"] == ["moves", 3]


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_a_record_is_judged_whether_it_is_finished_or_not(engine, variant):
    whole = played(engine, variant, variant.people[0])
    record = whole.record
    judged = game.judge(record)
    assert (judged["ok"], judged["is_over"], judged["report"]) == (True, True, whole.report)
    assert judged["standings"]
    half = record | {"moves": record["moves"][: len(record["moves"]) // 2]}
    judged = game.judge(half, "fr")
    assert (judged["ok"], judged["is_over"], judged["standings"]) == (True, False, None)
    assert judged["legal_moves"]["moves"]
    forged = record | {"moves": [*half["moves"], "sing", *record["moves"][len(half["moves"]) :]]}
    judged = game.judge(forged)
    assert (judged["ok"], judged["is_over"]) == (False, False)
    assert judged["errors"][0]["path"] == ["moves", len(half["moves"])]
    assert judged["position"]["number"] == len(half["moves"])
    assert "report" not in judged
    assert game.judge({"game": "chess"})["ok"] is False
    longer = record | {"moves": [*record["moves"], record["moves"][-1]]}
    assert (game.judge(longer)["ok"], game.judge(longer)["is_over"]) == (False, False)


def test_a_story_tells_every_move_and_a_position_can_be_looked_up():
    record = played(GAMES["dix"], GAMES["dix"].variant("solo"), 1).record
    story = game.story(record, "fr")
    assert [each["move"] for each in story] == record["moves"]
    assert {each["seat"] for each in story} == {None, "seat-1", "ALIX"}
    assert game.position_at(record, 0)["number"] == 0
    assert game.position_at(record, 5)["number"] == 5
    assert game.position_at(record, 10**9)["is_over"]
    assert game.position_at(record, -3)["number"] == 0
