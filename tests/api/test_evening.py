"""A whole evening through the API alone, as an organiser and as players."""

from __future__ import annotations

from itertools import combinations
from threading import Semaphore

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from core import costly
from scoring.services import rounds as seating
from tests.api.evenings import Evening
from tournaments.models import Action

pytestmark = pytest.mark.django_db


def names(table):
    return [seat["player"]["name"] for seat in table["seats"]]


def numbered(number):
    return [f"P{each}" for each in range(number)]


def pairs(seated):
    return [frozenset(pair) for table in seated["tables"] for pair in combinations(names(table), 2)]


def test_evening_of_twenty_three_with_drop_out_late_entry_return_and_edited_seating():
    evening = Evening()
    everybody = [f"Player {number}" for number in range(1, 24)]
    for name in everybody:
        evening.join(name)
    met = []

    first = evening.seat(seed=7)
    assert (first["number"], first["status"], first["seed"]) == (1, "seated", 7)
    assert first["quality"]["repeats"] == first["quality"]["repeats_bound"] == 0
    assert sorted(name for table in first["tables"] for name in names(table)) == sorted(everybody)
    assert all(3 <= len(table["seats"]) <= 5 for table in first["tables"])
    assert all(table["token"].startswith("lst_") for table in first["tables"])
    assert evening.organiser.get(evening.url).json()["status"] == "running"
    met += pairs(first)
    evening.finish_round(1)

    evening.phone("Player 3").patch(f"/api/v1/entries/{evening.entries['Player 3']['id']}/", {"status": "dropped"})
    second = evening.seat(seed=8)
    seated = {name for table in second["tables"] for name in names(table)}
    assert seated == set(everybody) - {"Player 3"}
    evening.join("Latecomer")
    one, other = second["tables"][0], second["tables"][1]
    seats = {table["id"]: [seat["entry"] for seat in table["seats"]] for table in (one, other)}
    swapped = [
        {"id": one["id"], "seats": [*seats[one["id"]][:-1], seats[other["id"]][0]]},
        {
            "id": other["id"],
            "seats": [*seats[other["id"]][1:], seats[one["id"]][-1], evening.entries["Latecomer"]["id"]],
        },
    ]
    edited = evening.patch_round(2, tables=swapped)
    assert "Latecomer" in names(edited["tables"][1])
    assert edited["quality"]["repeats"] == len(set(met) & set(pairs(edited)))
    met += pairs(edited)
    extended = evening.patch_round(2, extend=5)
    assert extended["extra_minutes"] == 5
    evening.finish_round(2)

    evening.phone("Player 3").patch(f"/api/v1/entries/{evening.entries['Player 3']['id']}/", {"status": "checked_in"})
    third = evening.seat(seed=9)
    assert {name for table in third["tables"] for name in names(table)} == {*everybody, "Latecomer"}
    met += pairs(third)
    evening.finish_round(3)

    fourth = evening.seat(seed=10)
    met += pairs(fourth)
    evening.finish_round(4)
    assert len(met) - len(set(met)) <= 2, "four rounds of twenty-four need next to no repeats"

    assert evening.organiser.patch(evening.url, {"status": "finished"}).json()["status"] == "finished"
    rounds = APIClient().get(f"{evening.url}rounds/").json()["results"]
    assert [each["number"] for each in rounds] == [4, 3, 2, 1]
    assert all("token" not in table for each in rounds for table in each["tables"])
    verbs = set(Action.objects.filter(event__uid=evening.event["id"]).values_list("verb", flat=True))
    assert {"event-created", "entered", "round-seated", "entry-dropped", "seats-moved", "round-extended"} <= verbs


def test_same_seed_seats_the_same_round_again():
    evening = Evening()
    evening.enter(*numbered(12))
    first = evening.seat(seed=3)
    evening.patch_round(1, status="cancelled", reason="wrong button")
    again = evening.seat(seed=3)
    assert [names(table) for table in first["tables"]] == [names(table) for table in again["tables"]]
    assert again["number"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "next round"}], ids=["", "with a key"])
def test_a_round_is_seated_once_before_anything_is_locked(monkeypatch, headers):
    evening, seen, choose = Evening(), [], seating._choose
    evening.enter(*numbered(8))

    def choose_while_somebody_comes(*args, **how):
        seen.append(connection.in_atomic_block)
        if len(seen) == 1:
            evening.join("Late")
        return choose(*args, **how)

    monkeypatch.setattr(seating, "_choose", choose_while_somebody_comes)
    first, again = (evening.organiser.post(f"{evening.url}rounds/", {}, headers=headers) for _ in range(2))
    assert seen == [False, False]
    assert (first.status_code, again.status_code) == (201, 201 if headers else 409)
    assert sum(len(table["seats"]) for table in first.json()["tables"]) == 9
    assert not headers or first.json() == again.json()


def test_too_few_players_are_told_so():
    evening = Evening()
    evening.join("Ana")
    refused = evening.seat(expect=409)
    assert (refused["code"], refused["players"], refused["least"]) == ("too-few-players", 1, 3)


def test_second_round_waits_for_the_first():
    evening = Evening()
    evening.enter(*numbered(4))
    evening.seat()
    refused = evening.seat(expect=409)
    assert (refused["code"], refused["round"]) == ("round-open", 1)


def test_sit_outs_are_forced_shared_and_shown():
    evening = Evening(game="dice-run", table_size={"min": 3, "max": 3}, rounds=4)
    evening.enter(*numbered(4))
    sat = []
    for number in range(1, 5):
        seated = evening.seat(seed=number)
        sat += [person["name"] for person in seated["sitting_out"]]
        evening.close_round(number)
    assert sorted(sat) == ["P0", "P1", "P2", "P3"]


def test_rotation_is_planned_ahead_and_planned_anew_when_somebody_leaves():
    evening = Evening(format="rotation", game="ten-phases", table_size={"min": 3, "max": 4, "preferred": 4}, rounds=5)
    evening.enter(*numbered(16))
    met = []
    for number in (1, 2, 3):
        seated = evening.seat(seed=1)
        met += pairs(seated)
        evening.finish_round(number)
    assert len(met) == len(set(met)), "sixteen players at tables of four have five clean rounds"
    evening.phone("P5").patch(f"/api/v1/entries/{evening.entries['P5']['id']}/", {"status": "dropped"})
    seated = evening.seat(seed=1)
    assert "P5" not in {name for table in seated["tables"] for name in names(table)}


def test_keep_apart_pair_is_kept_apart():
    evening = Evening()
    people = evening.enter(*numbered(8))
    ids = [people[0]["player"]["id"], people[1]["player"]["id"]]
    response = evening.organiser.post(f"/api/v1/clubs/{evening.club.slug}/keep-apart/", {"players": ids})
    assert response.status_code == 201, response.json()
    for number in (1, 2):
        seated = evening.seat(seed=number)
        assert frozenset({"P0", "P1"}) not in pairs(seated)
        evening.close_round(number)


def test_pair_is_kept_apart_after_one_of_them_was_merged_into_another_record():
    evening = Evening()
    people = evening.enter(*numbered(8))
    club = f"/api/v1/clubs/{evening.club.slug}"
    old = evening.organiser.post(f"{club}/players/", {"name": "Old record"}).json()["id"]
    ids = [old, people[1]["player"]["id"]]
    assert evening.organiser.post(f"{club}/keep-apart/", {"players": ids}).status_code == 201
    merged = evening.organiser.post(f"/api/v1/players/{old}/merge/", {"into": people[0]["player"]["id"]})
    assert merged.status_code == 200, merged.json()
    for number in (1, 2):
        assert frozenset({"P0", "P1"}) not in pairs(evening.seat(seed=number))
        evening.close_round(number)


def test_substitute_takes_the_seat_and_the_link_is_a_new_one():
    evening = Evening()
    evening.enter(*numbered(4))
    evening.seat()
    response = evening.organiser.post(f"/api/v1/entries/{evening.entries['P2']['id']}/substitute/", {"name": "Sub"})
    assert response.status_code == 201
    table = APIClient().get(f"{evening.url}rounds/1/").json()["tables"][0]
    assert "Sub" in names(table)
    assert "P2" not in names(table)


def test_seating_by_hand_that_seats_somebody_twice_or_not_is_refused():
    evening = Evening()
    evening.enter(*numbered(8))
    one, other = evening.seat()["tables"]
    seats, others = ([seat["entry"] for seat in table["seats"]] for table in (one, other))
    for case, wrong in {
        "two tables at once": [*seats, others[0]],
        "lost": seats[:-1],
        "twice": [*seats[:-1], seats[0]],
        "unknown": [*seats[:-1], "nobody"],
    }.items():
        refused = evening.patch_round(1, expect=422, tables=[{"id": one["id"], "seats": wrong}])
        assert refused["code"] == "seating-invalid", case
        unchanged = evening.organiser.get(f"{evening.url}rounds/1/").json()["tables"][0]
        assert [seat["entry"] for seat in unchanged["seats"]] == seats, case


def test_final_table_is_cut_from_the_entries_named():
    evening = Evening(cut_to=3)
    people = evening.enter(*numbered(8))
    evening.seat()
    evening.finish_round(1)
    final = evening.seat(kind="final", entries=[people[4]["id"], people[1]["id"], people[6]["id"]])
    assert (final["kind"], names(final["tables"][0])) == ("final", ["P4", "P1", "P6"])
    assert final["sitting_out"] == []


def test_elimination_seats_those_who_advance():
    evening = Evening(format="elimination", game="ten-phases", table_size={"min": 2, "max": 4})
    people = evening.enter(*numbered(8))
    evening.seat()
    evening.finish_round(1)
    assert evening.seat(expect=422)["code"] == "seating-invalid"
    second = evening.seat(entries=[person["id"] for person in people[:4]])
    assert sorted(name for table in second["tables"] for name in names(table)) == ["P0", "P1", "P2", "P3"]


def test_players_may_not_do_what_organisers_do():
    evening = Evening()
    evening.enter(*numbered(4))
    me = evening.phone("P0")
    assert me.post(f"{evening.url}rounds/", {}).status_code == 403
    evening.seat()
    assert me.patch(f"{evening.url}rounds/1/", {"status": "running"}).status_code == 403
    other = evening.entries["P1"]["id"]
    assert me.patch(f"/api/v1/entries/{other}/", {"status": "dropped"}).status_code == 403


@pytest.mark.parametrize("path", ["rounds/", "rounds/1/"])
def test_rounds_of_many_tables_are_read_a_few_at_a_time_and_organisers_wait_for_nobody(path, monkeypatch):
    evening = Evening()
    evening.enter(*numbered(4))
    evening.seat()
    monkeypatch.setattr(costly.EXPORT, "places", Semaphore(0))
    whole = APIClient().get(evening.url + path).json()
    monkeypatch.setattr("api.rounds.MANY", 0)
    refused = APIClient().get(evening.url + path)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-at-once")
    assert evening.organiser.get(evening.url + path).status_code == 200
    monkeypatch.setattr(costly.EXPORT, "places", Semaphore(1))
    assert APIClient().get(evening.url + path).json() == whole


@pytest.mark.parametrize("path", ["entries/?format=csv", "file/", "history/?format=csv", "players/?format=csv"])
def test_people_of_a_club_have_a_turn_of_their_own_for_what_they_export(monkeypatch, path):
    evening = Evening()
    evening.enter(*numbered(4))
    address = f"/api/v1/clubs/{evening.event['club']}/{path}" if path.startswith("players") else evening.url + path
    monkeypatch.setattr(costly.EXPORT, "places", Semaphore(0))
    assert evening.organiser.get(address).status_code == 200
    assert APIClient().get(address).status_code != 200


def test_whoever_is_asked_to_come_back_had_no_table_read(monkeypatch):
    """4,000 tables of an event were read before it was known whose turn it was."""
    evening = Evening()
    evening.enter(*numbered(4))
    evening.seat()
    monkeypatch.setattr("api.rounds.MANY", 0)
    monkeypatch.setattr(costly.EXPORT, "places", Semaphore(0))
    with CaptureQueriesContext(connection) as read:
        assert APIClient().get(f"{evening.url}rounds/").status_code == 429
    assert not [each["sql"] for each in read.captured_queries if 'SELECT "tournaments_table"' in each["sql"]]


@pytest.mark.parametrize("tables", [4, 40])
def test_reading_a_round_takes_a_fixed_number_of_queries(tables, django_assert_num_queries):
    evening = Evening(game="ten-phases", table_size={"min": 3, "max": 4})
    from tournaments.models import Entry, Event, Player

    event = Event.objects.get(uid=evening.event["id"])
    players = Player.objects.bulk_create(Player(name=f"P{number}") for number in range(4 * tables))
    Entry.objects.bulk_create(Entry(event=event, player=player, name=player.name) for player in players)
    evening.seat()
    with django_assert_num_queries(6):
        APIClient().get(f"{evening.url}rounds/1/")
    with django_assert_num_queries(6):
        APIClient().get(f"{evening.url}rounds/")
    with django_assert_num_queries(2):
        APIClient().get(f"{evening.url}entries/")
