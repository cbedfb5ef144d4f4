"""A club's own game through the API alone: describe it, run an evening of it, see standings and ratings."""

from __future__ import annotations

import copy
import datetime as dt
import threading

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from core import computations, costly
from engines import custom
from scoring import tasks
from scoring.models import Rating
from tests.api.callers import bearer, club_with_organiser
from tests.engines.custom.test_definition import HARBOUR, changed
from tests.factories import AffiliationFactory, ClubFactory, PlayerFactory, UserFactory
from tournaments.actors import Actor, Kind
from tournaments.errors import GameInUseError
from tournaments.models import Club, Event, GameVersion, Membership, OwnGame, Player
from tournaments.services import events
from tournaments.services import games as services
from tournaments.services.credentials import create_token

pytestmark = pytest.mark.django_db
GAMES = "/api/v1/clubs/{}/games/"


def house(called="Café Meeple", **fields):
    """Return a club that has the game, and its owner as a caller."""
    club, organiser = club_with_organiser(called)
    response = organiser.post(GAMES.format(club.slug), HARBOUR | fields)
    assert response.status_code == 201, response.json()
    return club, organiser


def evening(club, organiser, names=("Ana", "Bo", "Cy"), **fields):
    """Return an event of the game with one table: its address, the table, and the entries by name."""
    body = {
        "club": club.slug,
        "name": "Harbour night",
        "game": "custom:harbour",
        "confirmation": "trust",
        "starts_at": timezone.now().isoformat(),
    } | fields
    made = organiser.post("/api/v1/events/", body)
    assert made.status_code == 201, made.json()
    url = f"/api/v1/events/{made.json()['id']}/"
    organiser.patch(url, {"status": "registration"})
    entries = {name: organiser.post(f"{url}entries/", {"name": name}).json() for name in names}
    seated = organiser.post(f"{url}rounds/", {"seed": 1})
    assert seated.status_code == 201, seated.json()
    return url, seated.json()["tables"][0], entries


def sheet_of(table, entries, **lines):
    seats = [seat["player"]["id"] for seat in table["seats"]]
    own = {entries[name]["player"]["id"]: {"ships": ships, "flag": flag} for name, (ships, flag) in lines.items()}
    return {"game": "custom:harbour", "variant": "standard", "seats": seats, "lines": own}


def report(caller, table, sheet):
    return caller.post(f"/api/v1/tables/{table['id']}/reports/", {"report": sheet})


def compute():
    """Compute what is stale, as a worker does."""
    for _ in range(3):  # standings wait for ratings, seasons for standings
        for kind, key in sorted(computations.behind()):
            tasks.refresh(kind, key)


def test_a_newcomer_describes_a_game_runs_an_event_and_sees_ratings():
    club, organiser = club_with_organiser()
    lines = [
        {"key": "ships", "name": "Ships", "min": 0, "max": 40, "step": 5},
        {"key": "cargo", "name": "Cargo", "max": 30, "factor": 2},
        {"key": "flag", "name": "Flag", "values": [0, 7], "given_to": 1},
        {"key": "storms", "name": "Storms", "max": 9, "factor": -1},
    ]
    made = organiser.post(GAMES.format(club.slug), changed("sheet", lines=lines))
    assert made.status_code == 201
    assert {"version": 1, "game": "custom:harbour", "club": club.slug, "in_use": False}.items() <= made.json().items()
    assert made.json()["sheet"]["lines"] == lines

    url, table, entries = evening(club, organiser)
    event = organiser.get(url).json()
    assert (event["game"], event["game_version"], event["rated"]) == ("custom:harbour", 1, True)
    assert event["table_size"] == {"min": 2, "max": 5, "preferred": 4}
    uids = {name: entry["player"]["id"] for name, entry in entries.items()}
    columns = {"Ana": (20, 3, 7, 0), "Bo": (25, 4, 0, 0), "Cy": (25, 5, 0, 2)}
    own = {uids[n]: dict(zip(("ships", "cargo", "flag", "storms"), v, strict=True)) for n, v in columns.items()}
    sheet = sheet_of(table, entries) | {"lines": own}

    wrong = copy.deepcopy(sheet)
    wrong["lines"][uids["Bo"]]["ships"] = 26
    refused = report(bearer(entries["Ana"]["token"]), table, wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "report-invalid")
    assert [each["code"] for each in refused.json()["errors"]] == ["custom.value-off-step"]
    assert refused.json()["errors"][0]["message"].startswith("Bo: Ships: 26 is not possible")

    sent = report(bearer(entries["Ana"]["token"]), table, sheet)
    assert (sent.status_code, sent.json()["status"]) == (201, "final"), sent.json()
    assert [row["score"] for row in sent.json()["verdict"]["standings"]] == [33, 33, 33]
    assert "Ships: 20 against 25" in sent.json()["verdict"]["explanations"][2]

    compute()
    rows = organiser.get(f"{url}standings/").json()["rows"]
    assert {row["player"]["name"]: row["rank"] for row in rows} == {"Bo": 1, "Cy": 1, "Ana": 3}
    board = APIClient().get(f"/api/v1/clubs/{club.slug}/leaderboards/custom:harbour/").json()
    assert board["game"] == "custom:harbour"
    assert [row["player"]["name"] for row in board["results"]] == ["Bo", "Cy", "Ana"]
    assert board["results"][0]["rating"] > 1500 > board["results"][-1]["rating"]
    profile = APIClient().get(f"/api/v1/players/{uids['Bo']}/").json()
    assert [(each["game"], each["club"]) for each in profile["ratings"]] == [("custom:harbour", club.slug)]
    history = APIClient().get(f"/api/v1/players/{uids['Bo']}/ratings/custom:harbour/").json()
    assert history["results"][0]["rank"] == 1
    statistics = APIClient().get(f"/api/v1/players/{uids['Bo']}/statistics/custom:harbour/").json()
    assert (statistics["tables"], statistics["best_sheets"][0]["score"]) == (1, 33)
    finishes = APIClient().get(f"/api/v1/players/{uids['Bo']}/events/").json()["results"]
    assert finishes[0]["game"] == "custom:harbour"


def test_equal_sheets_confirm_each_other_and_different_ones_are_disputed():
    club, organiser = house()
    _, table, entries = evening(club, organiser, confirmation="confirm")
    sheet = sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0), Cy=(5, 0))
    other = sheet_of(table, entries, Ana=(20, 7), Bo=(30, 0), Cy=(5, 0))
    assert report(bearer(entries["Ana"]["token"]), table, sheet).json()["status"] == "pending"
    assert report(bearer(entries["Bo"]["token"]), table, other).json()["status"] == "disputed"
    found = organiser.get(f"/api/v1/tables/{table['id']}/reports/").json()
    assert "Bo · Ships" in str(found)
    assert report(bearer(entries["Cy"]["token"]), table, sheet).status_code == 201


def test_two_clubs_may_have_a_game_of_the_same_name_and_nothing_mixes():
    one, first = house()
    other, second = house("Dice Inn", winner="fewest")
    for club, organiser in ((one, first), (other, second)):
        _, table, entries = evening(club, organiser, names=("Ana", "Bo"))
        assert report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0))).status_code == 201
    compute()
    boards = [
        APIClient().get(f"/api/v1/clubs/{club.slug}/leaderboards/custom:harbour/").json()["results"]
        for club in (one, other)
    ]
    assert [[row["player"]["name"] for row in board] for board in boards] == [["Ana", "Bo"], ["Bo", "Ana"]]
    assert APIClient().get("/api/v1/leaderboards/custom:harbour/").status_code == 404
    listed = APIClient().get(f"/api/v1/events/?game=custom:harbour&club={other.slug}").json()["results"]
    assert [each["club"] for each in listed] == [other.slug]
    keys = {game.club_id: game.key for game in OwnGame.objects.all()}
    assert APIClient().get(f"/api/v1/leaderboards/{keys[one.pk]}/").json()["game"] == "custom:harbour"
    assert APIClient().get(f"/api/v1/clubs/{other.slug}/leaderboards/{keys[one.pk]}/").status_code == 404


def test_a_change_makes_a_version_and_an_event_keeps_the_one_it_has():
    club, organiser = house()
    url, table, entries = evening(club, organiser)
    game = GAMES.format(club.slug) + "harbour/"
    lines = copy.deepcopy(HARBOUR["sheet"]["lines"])
    lines[0]["max"] = 10
    assert organiser.patch(game, {"sheet": {"kind": "categories", "lines": lines}}).json()["version"] == 2
    assert organiser.patch(game, {"minutes": 45}).json()["minutes"] == 45
    assert organiser.patch(game, {"minutes": None}).json()["version"] == 4
    assert organiser.patch(game, {}).json()["version"] == 4
    assert [each["version"] for each in organiser.get(f"{game}versions/").json()["results"]] == [4, 3, 2, 1]
    assert organiser.get(f"{game}versions/1/").json()["sheet"] == HARBOUR["sheet"]
    assert organiser.get(f"{game}versions/9/").status_code == 404
    sheet = sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0), Cy=(5, 0))
    assert not APIClient().post(f"{game}check/", sheet).json()["ok"]
    assert APIClient().post(f"{game}versions/1/check/", sheet).json()["ok"]
    assert report(organiser, table, sheet).status_code == 201
    assert organiser.patch(url, {"game": "custom:harbour", "name": "Same game"}).json()["game_version"] == 1
    assert organiser.patch(url, {"game_version": 2}).json()["code"] == "event-status"
    fixed = organiser.patch(game, {"slug": "port"})
    assert (fixed.status_code, fixed.json()["errors"][0]["code"]) == (422, "definition.slug-fixed")


def test_an_event_that_has_not_begun_may_take_another_version():
    club, organiser = house()
    body = {"club": club.slug, "name": "E", "game": "custom:harbour", "starts_at": timezone.now().isoformat()}
    url = f"/api/v1/events/{organiser.post('/api/v1/events/', body).json()['id']}/"
    organiser.patch(GAMES.format(club.slug) + "harbour/", {"minutes": 30})
    assert organiser.patch(url, {"game_version": 2}).json()["game_version"] == 2
    assert organiser.patch(url, {"game_version": 3}).json()["errors"][0]["code"] == "unknown-game"
    assert (
        organiser.patch(url, {"game": "dix", "table_size": {"min": 3, "max": 4, "preferred": 4}}).json()["game"]
        == "dix"
    )
    assert organiser.patch(url, {"game": "custom:harbour"}).json()["game_version"] == 2
    assert organiser.post("/api/v1/events/", body | {"game_version": 1}).json()["game_version"] == 1


def test_a_game_is_removed_only_while_no_event_is_played_by_it():
    club, organiser = house()
    evening(club, organiser)
    game = GAMES.format(club.slug) + "harbour/"
    refused = organiser.delete(game)
    assert (refused.status_code, refused.json()["code"]) == (409, "game-in-use")
    assert organiser.get(game).json()["in_use"] is True
    organiser.post(GAMES.format(club.slug), HARBOUR | {"slug": "other"})
    assert organiser.delete(GAMES.format(club.slug) + "other/").status_code == 204
    assert [each["slug"] for each in organiser.get(GAMES.format(club.slug)).json()["results"]] == ["harbour"]


def test_a_definition_that_makes_no_sense_is_refused_with_everything_that_is_wrong():
    club, organiser = club_with_organiser()
    wrong = changed("sheet", "lines", 0, name="a\u202eb", max=-1)
    refused = organiser.post(GAMES.format(club.slug), wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "game-invalid")
    assert [each["path"] for each in refused.json()["errors"]] == [["sheet", "lines", 0, "max"]]
    hidden = organiser.post(GAMES.format(club.slug), changed("sheet", "lines", 0, name="a\u202eb"))
    assert [each["code"] for each in hidden.json()["errors"]] == ["definition.name-invalid"]
    assert organiser.post(GAMES.format(club.slug), [1]).status_code == 422
    assert organiser.post(GAMES.format(club.slug), HARBOUR).status_code == 201
    taken = organiser.post(GAMES.format(club.slug), HARBOUR)
    assert (taken.status_code, taken.json()["code"]) == (409, "game-taken")
    assert OwnGame.objects.count() == GameVersion.objects.count() == 1


def test_names_are_stored_in_their_one_form():
    club, organiser = house(name="  Café\u0301  du  port ".replace("é\u0301", "e\u0301"))
    assert organiser.get(GAMES.format(club.slug) + "harbour/").json()["name"] == "Café du port"


def test_a_game_is_copied_by_link_and_by_file_and_stays_apart():
    one, first = house()
    other, second = club_with_organiser("Dice Inn")
    game = GAMES.format(one.slug) + "harbour/"
    link = first.post(f"{game}link/").json()["link"]
    assert first.post(f"{game}link/").json()["link"] == link
    assert link.endswith(f"/shared-games/{OwnGame.objects.get().link}/")
    copied = second.post(GAMES.format(other.slug), {"copy": link, "slug": "port"})
    assert (copied.status_code, copied.json()["game"], copied.json()["version"]) == (201, "custom:port", 1)
    file = APIClient().get(game).json()
    assert second.post(GAMES.format(other.slug), file).json()["sheet"] == HARBOUR["sheet"]
    first.patch(game, {"minutes": 99})
    assert "minutes" not in second.get(GAMES.format(other.slug) + "harbour/").json()
    assert first.delete(f"{game}link/").status_code == 204
    assert second.post(GAMES.format(other.slug), {"copy": link, "slug": "third"}).status_code == 404
    assert "link" not in APIClient().get(game).json()


def test_games_of_a_private_club_are_its_own_unless_shared():
    club, organiser = house()
    _, table, entries = evening(club, organiser, names=("Ana", "Bo"))
    report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0)))
    compute()
    Club.objects.filter(pk=club.pk).update(is_public=False)
    _, stranger = club_with_organiser("Elsewhere")
    game, key = GAMES.format(club.slug) + "harbour/", OwnGame.objects.get().key
    for caller in (stranger, APIClient()):
        for address in (
            GAMES.format(club.slug),
            game,
            f"{game}versions/",
            f"/api/v1/leaderboards/{key}/",
            f"/api/v1/clubs/{club.slug}/leaderboards/custom:harbour/",
        ):
            assert caller.get(address).status_code == 404, address
        assert caller.post(f"{game}check/", {}).status_code == 404
    link = organiser.post(f"{game}link/").json()["link"].rstrip("/").rpartition("/")[2]
    assert APIClient().get(f"/api/v1/shared-games/{link}/").json()["slug"] == "harbour"
    player = bearer(entries["Ana"]["token"])
    assert player.post(f"{game}versions/1/check/", {}).status_code == 200, "whoever plays it may have sheets checked"
    seen = organiser.get(f"/api/v1/players/{entries['Ana']['player']['id']}/").json()
    assert [each["game"] for each in seen["ratings"]] == ["custom:harbour"]


def test_ratings_of_a_private_clubs_game_are_not_told_to_others():
    club, organiser = house()
    _, table, entries = evening(club, organiser, names=("Ana", "Bo"))
    report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0)))
    compute()
    Club.objects.filter(pk=club.pk).update(is_public=False)
    public, other = club_with_organiser("Elsewhere")
    ana = Player.objects.get(uid=entries["Ana"]["player"]["id"])
    AffiliationFactory(club=public, player=ana)
    assert other.get(f"/api/v1/players/{ana.uid}/").json()["ratings"] == []
    assert other.get(f"/api/v1/players/{ana.uid}/ratings/custom:harbour/").status_code == 404


def in_a_private_event(club, organiser, player, status):
    """Enter somebody in a private event of the game."""
    body = {"club": club.slug, "name": "Secret", "game": "custom:harbour", "public": False}
    url = organiser.post("/api/v1/events/", body | {"starts_at": timezone.now().isoformat()}).json()["id"]
    organiser.patch(f"/api/v1/events/{url}/", {"status": status})
    assert organiser.post(f"/api/v1/events/{url}/entries/", {"player": player.uid}).status_code == 201


@pytest.mark.parametrize("status", ["draft", "registration"])
@pytest.mark.parametrize("what", ["statistics", "ratings"])
def test_a_private_event_of_a_game_is_told_to_the_club_and_unless_a_draft_to_who_plays_there(what, status):
    club, organiser = house()
    ana, bo = PlayerFactory(club=club, user=UserFactory()), PlayerFactory(club=club)
    own = bearer(create_token(actor=Actor(Kind.USER, user=ana.user), name="phone")[1])
    in_a_private_event(club, organiser, ana, status)
    _, stranger = club_with_organiser("Elsewhere")
    for name in ("custom:harbour", OwnGame.objects.get().key):
        addresses = [f"/api/v1/players/{each.uid}/{what}/{name}/" for each in (ana, bo)]
        for caller in (APIClient(), stranger):
            assert [caller.get(each).status_code for each in addresses] == [404, 404]
        assert [organiser.get(each).status_code for each in addresses] == [200, 404]
        assert [own.get(each).status_code for each in addresses] == [404 if status == "draft" else 200, 404]


def test_who_plays_the_game_of_a_private_club_reads_what_they_did_in_it():
    club, organiser = house()
    ana = PlayerFactory(club=club, user=UserFactory())
    in_a_private_event(club, organiser, ana, "registration")
    Club.objects.filter(pk=club.pk).update(is_public=False)
    AffiliationFactory(club=club_with_organiser("Elsewhere")[0], player=ana)
    own = bearer(create_token(actor=Actor(Kind.USER, user=ana.user), name="phone")[1])
    address = f"/api/v1/players/{ana.uid}/statistics/custom:harbour/"
    assert [caller.get(address).status_code for caller in (own, APIClient())] == [200, 404]


def test_an_account_is_told_of_no_game_that_another_clubs_record_of_theirs_played():
    """A club can tie an account to a record that it invented, and ask for a merge with somebody else's person."""
    club, organiser = house()
    ana, invented = PlayerFactory(club=club), PlayerFactory(club=ClubFactory(), user=UserFactory())
    in_a_private_event(club, organiser, ana, "registration")
    Club.objects.filter(pk=club.pk).update(is_public=False)
    key = OwnGame.objects.get().key
    for kept, gone in ((ana, invented), (invented, ana)):
        Player.objects.filter(pk=kept.pk).update(merged_into=None)
        Player.objects.filter(pk=gone.pk).update(merged_into=kept)
        Rating.objects.all().delete()
        Rating.objects.create(player=kept, game=key, rating=1_500_000, tables=1, last_played=timezone.now())
        caller = bearer(create_token(actor=Actor(Kind.USER, user=invented.user), name=f"phone {kept.pk}")[1])
        assert caller.get(f"/api/v1/players/{kept.uid}/").json()["ratings"] == []
        for name in ("custom:harbour", key):
            assert caller.get(f"/api/v1/players/{kept.uid}/statistics/{name}/").status_code == 404


@pytest.mark.parametrize("status", ["draft", "registration"])
def test_only_those_who_may_know_of_an_event_are_told_that_its_game_is_in_use(status):
    club, organiser = house()
    game = GAMES.format(club.slug) + "harbour/"
    shared = organiser.post(f"{game}link/").json()["link"].rstrip("/").rpartition("/")[2]
    in_a_private_event(club, organiser, PlayerFactory(club=club), status)
    _, stranger = club_with_organiser("Elsewhere")

    def told(caller):
        (listed,) = caller.get(GAMES.format(club.slug)).json()["results"]
        read = [caller.get(each).json() for each in (game, f"{game}versions/1/", f"/api/v1/shared-games/{shared}/")]
        return {each["in_use"] for each in (listed, *read)}

    assert told(organiser) == {True}
    assert told(stranger) == told(APIClient()) == {False}
    evening(club, organiser)
    assert told(APIClient()) == {True}


def test_a_game_that_is_not_rated_makes_no_ratings():
    club, organiser = house(rated=False)
    url, table, entries = evening(club, organiser, names=("Ana", "Bo"))
    assert organiser.get(url).json()["rated"] is False
    report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0)))
    compute()
    board = APIClient().get(f"/api/v1/clubs/{club.slug}/leaderboards/custom:harbour/").json()
    assert board["results"] == []
    body = {"club": club.slug, "name": "E", "game": "custom:harbour", "rated": True}
    refused = organiser.post("/api/v1/events/", body | {"starts_at": timezone.now().isoformat()})
    assert refused.json()["errors"][0]["code"] == "unrated-game"


def test_where_the_fewest_points_win_the_standings_of_scores_know_it():
    club, organiser = house(winner="fewest")
    url, table, entries = evening(club, organiser, names=("Ana", "Bo"), points="score")
    report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0)))
    compute()
    rows = organiser.get(f"{url}standings/").json()["rows"]
    assert [(row["player"]["name"], row["points"]) for row in rows] == [("Bo", "-25.000"), ("Ana", "-27.000")]


def test_seasons_count_places_across_different_games():
    club, organiser = house()
    organiser.post(GAMES.format(club.slug), HARBOUR | {"slug": "port", "sheet": {"kind": "places"}, "tiebreaks": []})
    season = organiser.post(f"/api/v1/clubs/{club.slug}/seasons/", {"name": "2026"}).json()["id"]
    url, table, entries = evening(club, organiser, names=("Ana", "Bo"), season=season)
    report(organiser, table, sheet_of(table, entries, Ana=(20, 7), Bo=(25, 0)))
    organiser.patch(f"{url}rounds/1/", {"status": "closed"})
    assert organiser.patch(url, {"status": "finished"}).status_code == 200
    people = [entries[name]["player"]["id"] for name in ("Ana", "Bo")]
    body = {"club": club.slug, "name": "Port", "game": "custom:port", "season": season, "confirmation": "trust"}
    second = organiser.post("/api/v1/events/", body | {"starts_at": timezone.now().isoformat()}).json()
    other = f"/api/v1/events/{second['id']}/"
    organiser.patch(other, {"status": "registration"})
    for uid in people:
        assert organiser.post(f"{other}entries/", {"player": uid}).status_code == 201
    table = organiser.post(f"{other}rounds/", {}).json()["tables"][0]
    seats = [seat["player"]["id"] for seat in table["seats"]]
    sheet = {"game": "custom:port", "variant": "standard", "seats": seats, "places": [[people[0]], [people[1]]]}
    assert report(organiser, table, sheet).status_code == 201
    organiser.patch(f"{other}rounds/1/", {"status": "closed"})
    organiser.patch(other, {"status": "finished"})
    compute()
    rows = organiser.get(f"/api/v1/seasons/{season}/standings/").json()["rows"]
    assert [(row["player"]["name"], row["events"]) for row in rows] == [("Ana", 2), ("Bo", 2)]


def test_definitions_can_be_read_and_tried_by_anybody():
    found = APIClient().get("/api/v1/definitions/").json()
    assert len(found["results"]) >= 12
    assert found["schema"]["title"] == "Definition"
    for each in found["results"]:
        assert APIClient().post("/api/v1/definitions/check/", {"definition": each}).status_code == 200
    body = {"definition": HARBOUR, "report": {"game": "custom:harbour"}}
    answer = APIClient().post("/api/v1/definitions/check/", body).json()
    assert answer["verdict"]["ok"] is False
    assert APIClient().post("/api/v1/definitions/check/", [1]).json()["code"] == "game-invalid"
    assert OwnGame.objects.count() == 0


def test_definitions_are_tried_a_few_at_a_time_and_an_organiser_waits_for_nobody(monkeypatch):
    club, organiser = club_with_organiser()
    monkeypatch.setattr(costly.OWN_GAME, "places", threading.Semaphore(0))
    refused = APIClient().post("/api/v1/definitions/check/", {"definition": HARBOUR})
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-at-once")
    assert organiser.post(GAMES.format(club.slug), HARBOUR).status_code == 201


def test_a_list_of_games_costs_the_same_however_many_there_are(django_assert_max_num_queries):
    club, organiser = house()
    for number in range(5):
        organiser.post(GAMES.format(club.slug), HARBOUR | {"slug": f"game-{number}"})
    with django_assert_max_num_queries(8):
        assert len(organiser.get(GAMES.format(club.slug)).json()["results"]) == 6


def test_an_event_names_only_a_game_that_its_club_has():
    house()
    other, second = club_with_organiser("Dice Inn")
    key = OwnGame.objects.get().key
    body = {"club": other.slug, "name": "E", "starts_at": timezone.now().isoformat()}
    assert (
        second.post("/api/v1/events/", body | {"game": "custom:harbour"}).json()["errors"][0]["code"] == "unknown-game"
    )
    assert second.post("/api/v1/events/", body | {"game": key}).status_code == 400
    assert second.post("/api/v1/events/", body | {"game": "custom:" + "x" * 60}).status_code == 400


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "own game"}], ids=["", "with a key"])
def test_a_definition_is_judged_before_anything_is_locked(monkeypatch, headers):
    one, first = house()
    game = GAMES.format(one.slug) + "harbour/"
    link = first.post(f"{game}link/").json()["link"]
    other, second = club_with_organiser("Dice Inn")
    seen, read = [], custom.read
    monkeypatch.setattr(custom, "read", lambda value: seen.append(connection.in_atomic_block) or read(value))
    assert first.post(GAMES.format(one.slug), HARBOUR | {"slug": "port"}, headers=headers).status_code == 201
    assert first.patch(game, {"minutes": 45}).json()["version"] == 2
    assert second.post(GAMES.format(other.slug), {"copy": link}, headers=headers).status_code == 201
    assert seen == [False] * 3


def test_a_copy_that_is_asked_for_again_is_answered_as_the_first_time():
    one, first = house()
    game = GAMES.format(one.slug) + "harbour/"
    body = {"copy": first.post(f"{game}link/").json()["link"]}
    other, second = club_with_organiser("Dice Inn")
    copied = second.post(GAMES.format(other.slug), body, headers={"Idempotency-Key": "copy"})
    assert copied.status_code == 201
    first.delete(f"{game}link/")
    again = second.post(GAMES.format(other.slug), body, headers={"Idempotency-Key": "copy"})
    assert (again.status_code, again.json()) == (201, copied.json())


def test_a_game_is_judged_only_for_an_organiser(monkeypatch):
    club, _ = house()
    _, stranger = club_with_organiser("Elsewhere")
    monkeypatch.setattr(custom, "read", lambda _value: pytest.fail("it was judged"))
    assert stranger.post(GAMES.format(club.slug), HARBOUR | {"slug": "port"}).status_code == 403
    for changes in ({"minutes": 45}, {"slug": "port"}):
        assert stranger.patch(GAMES.format(club.slug) + "harbour/", changes).status_code == 403


def test_two_changes_at_once_are_both_kept(monkeypatch):
    club, organiser = house()
    game = GAMES.format(club.slug) + "harbour/"
    read, others = custom.read, [{"remarks": "By the sea."}]

    def read_while_another_changes(value):
        if others:
            organiser.patch(game, others.pop())
        return read(value)

    monkeypatch.setattr(custom, "read", read_while_another_changes)
    changed_game = organiser.patch(game, {"minutes": 45}).json()
    assert (changed_game["version"], changed_game["minutes"]) == (3, 45)
    assert changed_game["remarks"] == "By the sea."


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("sqlite" in str(connection.vendor), reason="rows are not locked there")
def test_a_game_is_not_removed_while_an_event_of_it_is_being_made():
    club, _ = house()
    actor = Actor(Kind.USER, user=Membership.objects.get(club=club).user)
    game = OwnGame.objects.get()
    fields = {"name": "E", "game": "custom:harbour", "starts_at": timezone.now() + dt.timedelta(hours=1)}
    said = []

    def remove():
        try:
            services.remove_game(actor=actor, game=game)
            said.append("removed")
        except GameInUseError:
            said.append("in use")
        finally:
            connections.close_all()

    other = threading.Thread(target=remove)
    with transaction.atomic():
        events.create_event(actor=actor, club=club, fields=fields)
        other.start()
        other.join(0.5)
        assert not said, "it waits for the event"
    other.join()
    assert said == ["in use"]
    assert Event.objects.get().game_version == 1
