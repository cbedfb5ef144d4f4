"""The games, and their rules as a service for anybody."""

from __future__ import annotations

import pytest

from engines import GAMES
from engines.vectors import vectors

VALID = {
    "game": "dice-run",
    "variant": "standard",
    "seats": ["ana", "bo", "cy"],
    "stages": [
        {"podium": ["ana", "bo", "cy"]},
        {"podium": ["bo", "cy", "ana"]},
        {"podium": ["cy", "ana", "bo"]},
        {"podium": ["ana", "bo", "cy"]},
    ],
}


def post(client, path, body, **headers):
    return client.post(f"/api/v1/games/{path}/", body, content_type="application/json", headers=headers)


def test_list_names_every_game_with_its_seats(client):
    games = client.get("/api/v1/games/").json()
    assert games["next"] is games["previous"] is None
    assert [game["slug"] for game in games["results"]] == list(GAMES)
    dix = games["results"][2]
    assert [(each["slug"], each["seats"], each["solo"]) for each in dix["variants"]] == [
        ("standard", {"min": 2, "max": 5}, False),
        ("bust-buy", {"min": 2, "max": 5}, False),
        ("solo", {"min": 2, "max": 2}, True),
    ]


def test_names_come_in_the_language_of_the_reader(client):
    english, french = (
        client.get("/api/v1/games/sixmix/", headers={"Accept-Language": language}).json() for language in ("en", "fr")
    )
    assert english["summary"] != french["summary"]


@pytest.mark.parametrize("slug", GAMES)
def test_game_brings_the_schemas_of_what_it_reads(client, slug):
    game = client.get(f"/api/v1/games/{slug}/").json()
    assert {"anyOf", "properties", "oneOf"} & set(game["schema"])
    assert game["assist_schema"]["properties"]


def test_valid_report_is_ranked_and_every_place_explained(client):
    verdict = post(client, "dice-run/check", VALID).json()
    assert verdict["ok"] is True
    assert [(row["seat"], row["rank"], row["score"]) for row in verdict["standings"]] == [
        ("ana", 1, 12),
        ("cy", 2, 9),
        ("bo", 3, 9),
    ]
    assert verdict["explanations"][1].startswith("cy: second with 9 points; level on points with bo")


def test_invalid_report_is_answered_with_200_and_every_finding(client):
    response = post(client, "dice-run/check", VALID | {"points": {"ana": 30, "bo": 9}})
    assert response.status_code == 200
    verdict = response.json()
    assert verdict["ok"] is False
    assert verdict["standings"] is verdict["explanations"] is None
    assert [(each["code"], each["path"]) for each in verdict["errors"]] == [
        ("dice-run.missing-field", ["points", "cy"])
    ]


@pytest.mark.parametrize("body", [[1], "text", 3, None, True])
def test_any_json_value_gets_a_verdict(client, body):
    import json

    verdict = post(client, "dix/check", json.dumps(body)).json()
    assert [each["code"] for each in verdict["errors"]] == ["dix.not-an-object"]


def test_findings_come_in_french(client):
    response = post(client, "dix/check", "[]", **{"Accept-Language": "fr"})
    assert response.json()["errors"][0]["message"].startswith("La feuille")


@pytest.mark.parametrize(
    ("slug", "position", "look"),
    [
        ("dix", {"cards": "b1 b2 3* b4 g9"}, "points"),
        ("ten-phases", {"phase": 4, "dice": "7 6 5 4 3 2 1"}, "28"),
        ("sixmix", {"rows": {"ana": "365231", "ben": "651344", "cleo": "651155"}}, "tokens"),
        (
            "dice-run",
            {
                "seats": ["ana", "bo", "cy"],
                "groups": ["b6 b1 g2", "g6 r1 p5"],
                "objectives": {"ana": "r1", "bo": "b6", "cy": "g6"},
            },
            "podium",
        ),
    ],
)
def test_help_with_a_position(client, slug, position, look):
    response = post(client, f"{slug}/assist", position)
    assert response.status_code == 200, response.json()
    assert look in response.content.decode()


def test_position_that_is_none_is_a_problem_that_says_where(client):
    response = post(client, "dix/assist", {"cards": "b1 zz"})
    assert response.status_code == 422
    problem = response.json()
    assert problem["code"] == "position-invalid"
    assert [(each["code"], each["path"]) for each in problem["errors"]] == [("dix.card-notation", ["cards", 1])]


@pytest.mark.parametrize("slug", ["ten-phases", "sixmix", "dix", "dice-run"])
def test_vectors_are_served_as_they_are_published(client, slug):
    served = client.get(f"/api/v1/games/{slug}/vectors/").json()["results"]
    assert len(served) > 20
    assert served == list(vectors(slug))
    assert client.get("/api/v1/games/chess/vectors/").status_code == 404
