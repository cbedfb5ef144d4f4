"""Sheets read entry by entry, and where two of one table differ."""

from __future__ import annotations

import copy

import pytest

from engines import GAMES
from scoring import sheet_differences
from tests.scoring.evenings import sheet_with

NAMES = {"a": "Ana", "b": "Bo", "c": "Cleo"}


def sheet(game: str, number: int = 0):
    """Return the deepest sheet of a game that the engines play."""
    return sheet_with(list(NAMES), number, game=game)


def differences(one, other):
    """Return paths and values of what differs."""
    found = sheet_differences.differences(GAMES[one["game"]], NAMES, one, other)
    return [(entry.path, entry.values) for entry in found]


def value_at(sheet, path):
    """Return the value at a path; None where there is none."""
    for step in path:
        try:
            sheet = sheet[step]
        except (KeyError, IndexError):
            return None
    return sheet


@pytest.mark.parametrize("game", GAMES)
def test_two_sheets_differ_in_entries_that_each_has_there(game):
    engine = GAMES[game]
    one, other = sheet(game, 0), sheet(game, 1)
    found = sheet_differences.differences(engine, NAMES, one, other)
    layers = engine.minimal(one), engine.minimal(other)
    assert found
    for entry in found:
        assert entry.values == tuple(value_at(layer, entry.path) for layer in layers)
        assert entry.values[0] != entry.values[1]
        assert entry.place == engine.place(entry.path, "en")
        assert entry.words == tuple("–" if each is None else NAMES.get(each, str(each)) for each in entry.values)


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_does_not_differ_from_itself_or_from_what_it_must_say(game):
    whole = sheet(game)
    assert differences(whole, whole) == []
    assert all(None in values for _, values in differences(whole, GAMES[game].minimal(whole)))


def test_entries_stand_in_the_order_of_the_seats_whatever_the_database_made_of_them():
    shuffled = sheet("dix")
    shuffled["hands"] = dict(reversed(shuffled["hands"].items()))
    found = sheet_differences.entries(GAMES["dix"], NAMES, shuffled)
    assert list(dict.fromkeys(entry.name for entry in found)) == list(NAMES.values())


def test_an_entry_that_only_the_second_sheet_has_stands_at_its_seat():
    one = GAMES["dix"].minimal(sheet("dix"))
    other = copy.deepcopy(one)
    colour = next(iter(one["hands"]["a"]["runs"]))
    value = one["hands"]["a"]["runs"].pop(colour)
    other["hands"]["c"]["runs"] = {}
    assert differences(one, other)[0] == (("hands", "a", "runs", colour), (None, value))
    assert {path[1] for path, _ in differences(one, other)[1:]} == {"c"}


def test_a_sheet_that_later_rules_refuse_is_read_in_full():
    refused = sheet("dix") | {"of_an_older_edition": "yes"}
    assert not GAMES["dix"].check(refused).ok
    found = {entry.path: entry.words for entry in sheet_differences.entries(GAMES["dix"], NAMES, refused)}
    assert found["of_an_older_edition",] == ("yes",)
    assert differences(refused, refused) == []


def purses(**coins: int):
    """Return a sheet of DIX with equal runs for all, so that the money decides."""
    hand = {"runs": {"blue": "1-4"}, "consolation": 0, "card_count": 6}
    hands = {label: hand | {"coins": coins[label]} for label in NAMES}
    return {"game": "dix", "variant": "standard", "seats": list(NAMES), "hands": hands}


def test_what_decides_the_places_is_named_where_all_that_must_be_said_is_equal():
    one, other = purses(a=5, b=3, c=1), purses(a=3, b=5, c=1)
    for each, count in ((one, 6), (other, 7)):
        each["hands"]["c"] = each["hands"]["c"] | {"card_count": count}  # evidence that decides nothing
    assert differences(one, other) == [(("hands", "a", "coins"), (5, 3)), (("hands", "b", "coins"), (3, 5))]
