"""Files of events that were played by a game of a club's own."""

from __future__ import annotations

import copy
import json

import pytest

from scoring.models import Report
from tests.api.files import FILES, file_of, organiser_of, played_own
from tests.engines.custom.test_definition import HARBOUR
from tests.factories import (
    ClubFactory,
)
from tournaments.models import Event
from tournaments.services.games import define_game, redefine_game


@pytest.fixture(scope="module")
def stored(shared_rows):
    """The rows of `harbour`."""
    club = ClubFactory(slug="here")
    actor, _ = organiser_of(club)
    game = define_game(actor=actor, club=club, definition=HARBOUR)
    first = played_own(club, actor, HARBOUR)
    redefine_game(actor=actor, game=game, changes={"minutes": 45})
    second = played_own(club, actor, HARBOUR, 2)
    return game, file_of(first), file_of(second)


@pytest.fixture
def harbour(stored, db):
    """A club with a game of its own in two versions, and an event played by each: the game and the two files."""
    return copy.deepcopy(stored)


def test_a_file_carries_the_definition_it_was_played_by(harbour):
    game, first, second = harbour
    assert first["definitions"] == [{"id": game.uid, "version": 1, "definition": HARBOUR}]
    assert second["definitions"][0]["version"] == second["event"]["game_version"] == 2
    assert second["definitions"][0]["definition"]["minutes"] == 45


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_versions_of_a_game_come_in_by_several_files_in_any_order(harbour, order):
    _, *sent = harbour
    club = ClubFactory(slug="there")
    _, caller = organiser_of(club)
    for index in order:
        answer = caller.post(FILES.format(slug="there"), sent[index])
        assert (answer.status_code, answer.json()["refused"]) == (201, []), answer.json()
        taken = {"game": "custom:harbour", "taken_as": "custom:harbour", "version": index + 1}
        assert answer.json()["games"] == [taken]
        assert answer.json()["taken"]["reports"] == 1
        here = Event.objects.get(uid=answer.json()["event"])
        assert (here.game_slug, here.game_version, here.club) == ("custom:harbour", index + 1, club)
    own = club.games.get()
    assert (own.version, own.versions.count()) == (2, 2)
    for file in sent:
        again = caller.post(FILES.format(slug="there"), file)
        assert (again.status_code, again.json()["games"]) == (200, [])
    assert club.games.get().versions.count() == 2


def test_another_game_of_the_same_name_stays_what_it_is(harbour):
    _, *sent = harbour
    club = ClubFactory(slug="there")
    actor, caller = organiser_of(club)
    theirs = define_game(actor=actor, club=club, definition={**HARBOUR, "winner": "fewest"})
    names = []
    for file in sent:
        answer = caller.post(FILES.format(slug="there"), file).json()
        names += [(each["taken_as"], each["version"]) for each in answer["games"]]
        assert answer["refused"] == []
        here = Event.objects.get(uid=answer["event"])
        sheet = Report.objects.get(table__round__event=here).sheet
        assert here.game_slug == sheet["game"] == "custom:harbour-2"
    assert names == [("custom:harbour-2", 1), ("custom:harbour-2", 2)]
    theirs.refresh_from_db()
    assert (theirs.version, theirs.versions.get().definition["winner"]) == (1, "fewest")


def test_the_same_rules_under_the_same_name_are_the_same_game(harbour):
    _, first, _ = harbour
    club = ClubFactory(slug="there")
    actor, caller = organiser_of(club)
    own = define_game(actor=actor, club=club, definition=HARBOUR)
    answer = caller.post(FILES.format(slug="there"), first)
    assert answer.json()["games"] == [{"game": "custom:harbour", "taken_as": "custom:harbour", "version": 1}]
    assert Event.objects.get(uid=answer.json()["event"]).game == own.key
    assert club.games.get() == own


def test_a_definition_is_judged_again_and_nothing_of_a_wrong_file_stays(harbour):
    _, first, _ = harbour
    club = ClubFactory(slug="there")
    _, caller = organiser_of(club)
    wrong = json.loads(json.dumps(first))
    wrong["definitions"][0]["definition"]["seats"]["max"] = 99
    answer = caller.post(FILES.format(slug="there"), wrong)
    assert (answer.status_code, answer.json()["code"]) == (422, "file-invalid")
    assert answer.json()["errors"][0]["path"][:4] == ["definitions", 0, "definition", "seats"]
    other = json.loads(json.dumps(first))
    other["definitions"][0]["definition"]["winner"] = "fewest"
    other["entries"][0]["player"] = other["entries"][1]["player"]
    assert caller.post(FILES.format(slug="there"), other).status_code == 422
    assert not club.games.exists()
    assert caller.post(FILES.format(slug="there"), first).json()["refused"] == []
    del first["definitions"]
    first["event"]["id"] = first["event"]["id"][::-1]
    elsewhere = organiser_of(ClubFactory(slug="elsewhere"))[1].post(FILES.format(slug="elsewhere"), first)
    assert [each["code"] for each in elsewhere.json()["errors"]] == ["unknown-game"]
