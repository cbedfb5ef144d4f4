"""DIX and Dice Run as people write them."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from tests.web.phone.sheets.filling import form_of, read_back
from web.phone.sheets.base import SeatName

SEATS = [SeatName("ana", "Ana"), SeatName("bo", "Bo"), SeatName("cy", "Cy")]


def read(game: str, fields: dict[str, str], seats: list[SeatName] = SEATS, variant: str = "standard") -> Any:
    data = QueryDict(mutable=True)
    data.update(fields)
    return form_of({"game": game, "variant": variant}, seats).read(data)


def test_runs_are_read_however_the_dash_is_written() -> None:
    written = {"blue": "1–6", "green": "2 - 4", "orange": "7"}
    hand = read("dix", {f"hands.ana.runs.{colour}": run for colour, run in written.items()})["hands"]["ana"]
    assert hand == {"runs": {"blue": "1-6", "green": "2-4", "orange": "7"}}


def test_what_is_no_number_is_left_out() -> None:
    fields = {"hands.ana.coins": "three", "hands.ana.consolation": "-1", "hands.ana.card_count": "٣"}
    assert read("dix", fields)["hands"]["ana"] == {"runs": {}}


def test_cards_are_read_in_either_case() -> None:
    assert read("dix", {"hands.bo.cards": " B1  7* g# "})["hands"]["bo"]["cards"] == "b1 7* g#"


def test_difficulty_belongs_to_the_solo_game() -> None:
    assert read("dix", {"difficulty": "7"}, SEATS[:1], "solo")["difficulty"] == 7
    assert "difficulty" not in read("dix", {"difficulty": "7"})


def test_alix_has_a_seat_of_her_own() -> None:
    assert read("dix", {}, SEATS[:1], "solo")["seats"] == ["ana", "ALIX"]
    assert read("dix", {}, [SEATS[0], SeatName("ALIX", "ALIX")], "solo")["seats"] == ["ana", "ALIX"]


def test_open_place_keeps_the_others_where_they_are() -> None:
    report = read("dice-run", {"stages.0.podium.0": "ana", "stages.0.podium.2": "cy", "stages.1.podium.0": "bo"})
    assert report["stages"] == [{"podium": ["ana", None, "cy"]}, {"podium": ["bo"]}, {}, {}]


def test_partial_podium_survives_being_shown() -> None:
    partial = read("dice-run", {"stages.0.podium.0": "ana", "stages.0.podium.2": "cy"})
    assert read_back(partial) == partial


def test_groups_are_lines() -> None:
    stage = read("dice-run", {"stages.2.groups": "B6  g1\r\n\r\n r2 \n", "stages.2.objectives.bo": "V5"})["stages"][2]
    assert stage == {"groups": ["b6 g1", "r2"], "objectives": {"bo": "v5"}}


def test_colours_of_another_box_are_kept() -> None:
    report = read("dice-run", {"colours": "abcde", "stages.0.groups": "a1"})
    assert read_back(report) == report
