"""Strict and kind: what nobody knows is refused with the nearest name, and nothing is lost on the way."""

from __future__ import annotations

import pytest
from django.urls import get_resolver
from hypothesis import given
from hypothesis import strategies as st
from rest_framework import serializers

from api import strict
from api.base import ApiView
from api.errors import MOST_ERRORS
from api.root import SchemaView
from api.slashes import with_slash
from core import transactions
from tests.api.schemas import published
from tests.factories import EventFactory
from tournaments.models import Entry, Event, Player

PLAYERS = "/api/v1/clubs/cafe-meeple/players/"
EVENT = {"club": "cafe-meeple", "name": "Wednesday", "game": "dix", "starts_at": "2026-11-18T19:00:00+01:00"}


def api_views():
    """Return every view of the API by its name."""
    (api,) = [each for each in get_resolver().url_patterns if str(each.pattern) == "api/v1/"]

    def walk(patterns):
        for each in patterns:
            if hasattr(each, "url_patterns"):
                yield from walk(each.url_patterns)
            elif hasattr(each.callback, "view_class"):
                yield each.name, each.callback.view_class

    return [(name, view) for name, view in walk(api.url_patterns) if view.__module__.startswith("api.")]


# --- Fields and parameters ----------------------------------------------------------------------------------------


def test_misspelt_field_is_named_with_the_nearest(cast):
    answer = cast.organiser.post("/api/v1/events/", EVENT | {"round": 4, "table_size": {"min": 3, "maks": 5}})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-field")
    found = {tuple(each["path"]): each for each in answer.json()["errors"]}
    assert found["round",]["code"] == "unknown-field"
    assert found["round",]["nearest"] == "rounds"
    assert found["table_size", "maks"]["nearest"] == "max"
    assert "“rounds”" in found["round",]["message"]
    assert not Event.objects.exists()


def test_what_else_is_wrong_is_said_in_the_same_answer(cast):
    answer = cast.organiser.post("/api/v1/events/", {"club": "cafe-meeple", "nam": "x", "game": "chess"}).json()
    assert {each["code"] for each in answer["errors"]} == {"unknown-field", "required", "invalid-choice"}


def test_the_nearest_is_looked_for_no_more_often_than_names_are_told(cast, monkeypatch):
    """Else a body of thousands of unknown fields takes seconds, from anybody."""
    asked, nearest = [], strict.nearest
    monkeypatch.setattr(strict, "nearest", lambda name, known: asked.append(name) or nearest(name, known))
    answer = cast.organiser.post("/api/v1/events/", EVENT | {f"tie{number}": 0 for number in range(500)})
    assert len(answer.json()["errors"]) == len(asked) == strict.MOST_NAMED
    address = "&".join(f"tie{number}=0" for number in range(500))
    answer = cast.organiser.get(f"/api/v1/events/?{address}")
    assert len(answer.json()["errors"]) == strict.MOST_NAMED
    assert len(asked) == 2 * strict.MOST_NAMED


@pytest.mark.parametrize("is_ahead", [True, False])
def test_a_body_is_looked_at_before_a_key_locks_anything(cast, monkeypatch, is_ahead):
    """On SQLite everybody else waits for the end of a transaction. The control shows the body read in it."""
    if not is_ahead:
        monkeypatch.setattr(ApiView, "read_ahead", lambda view: None)
    inside, look = [], strict.refuse_unknown_fields

    def noting(*args):
        inside.append(transactions._waiting.get() is not None)
        look(*args)

    monkeypatch.setattr(strict, "refuse_unknown_fields", noting)
    headers = {"Idempotency-Key": "0f2b7c1e-unknown"}
    answer = cast.organiser.post("/api/v1/events/", EVENT | {"round": 4}, headers=headers)
    assert answer.json()["code"] == "unknown-field"
    assert inside == [not is_ahead]


def test_what_is_wrong_with_a_body_is_said_after_what_comes_first(cast):
    path = f"/api/v1/events/{EventFactory(club__is_public=False).uid}/entries/names/"
    answer = cast.organiser.post(path, {"nams": []}, headers={"Idempotency-Key": "0f2b7c1e-hidden"})
    assert answer.status_code == 404, "what nobody may see is not there, whatever is sent to it"


def test_an_answer_lists_fifty_errors_and_says_that_there_are_more(cast):
    event = EventFactory(club=cast.club)
    names = ["\u202e"] * 60
    answer = cast.organiser.post(f"/api/v1/events/{event.uid}/entries/names/", {"names": names}).json()
    assert len(answer["errors"]) == MOST_ERRORS + 1
    assert answer["errors"][-1]["code"] == "too-many-findings"
    labels = cast.organiser.post("/api/v1/events/", EVENT | {"table_labels": [[]] * 60}).json()["errors"]
    assert (len(labels), labels[-1]["code"]) == (MOST_ERRORS + 1, "too-many-findings")


@pytest.mark.parametrize("field", ["table_labels", "prizes"])
def test_more_rows_than_there_can_be_are_not_looked_at(cast, field):
    (fault,) = cast.organiser.post("/api/v1/events/", EVENT | {field: [[]] * 20_000}).json()["errors"]
    assert (fault["code"], fault["path"]) == ("max-length", [field])


@pytest.mark.parametrize("file_format", ["csv", "json"])
def test_methods_are_told_whatever_format_is_asked_for(cast, file_format):
    answer = cast.organiser.options(f"/api/v1/leaderboards/dix/?format={file_format}")
    assert (answer.status_code, answer.content, answer["Allow"]) == (204, b"", "GET, HEAD, OPTIONS")


def test_call_without_a_body_takes_none(cast):
    event = EventFactory(club=cast.club)
    path = f"/api/v1/events/{event.uid}/join-code/"
    refused = cast.organiser.post(path, {"code": "AAAAAA"})
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-field")
    assert cast.organiser.post(path, {}).status_code == 200
    assert cast.organiser.post(path).status_code == 200


def test_fields_of_a_sheet_are_for_the_rules_to_judge(cast):
    answer = cast.nobody.post("/api/v1/games/dix/check/", {"game": "dix", "sheets": []})
    assert answer.status_code == 200
    assert not answer.json()["ok"]


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/api/v1/events/?stats=running", "status"),
        ("/api/v1/clubs/?page_sise=3", "page_size"),
        ("/api/v1/leaderboards/dix/?min_table=3", "min_tables"),
        ("/api/v1/clubs/cafe-meeple/players/?search=a", None),
        ("/api/v1/games/?lang=fr", None),
        ("/api/v1/", None),
    ],
)
def test_misspelt_parameter_is_named_with_the_nearest(cast, path, nearest):
    answer = cast.nobody.get(path if "?" in path else f"{path}?q=1")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-parameter")
    assert answer.json()["errors"][0]["nearest"] == nearest


def test_declared_parameters_are_taken_everywhere(cast):
    """Every parameter in the schema is known to the strictness too, so that no guard refuses what is documented."""
    event = EventFactory(club=cast.club)
    schema = published()
    values = {"slug": "cafe-meeple", "uid": event.uid, "game": "dix", "number": "1", "code": "AAAAAA"}
    values |= {"club": "cafe-meeple", "link": "nosuchlink"}
    for path, methods in schema["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query":
                place = path.format_map({**values, **({"slug": "dix"} if "/games/" in path else {})})
                answer = cast.organiser.get(f"{place}?{parameter['name']}=1")
                code = answer.json()["code"] if answer.status_code == 400 else ""
                assert code != "unknown-parameter", (path, parameter["name"])


def test_many_unknown_names_are_counted_and_long_ones_cut(cast):
    answer = cast.organiser.post(PLAYERS, {"name": "Ana", **{f"x{number}" * 50: 1 for number in range(500)}})
    assert answer.status_code == 400
    assert len(answer.json()["errors"]) == strict.MOST_NAMED
    assert all(len(each["path"][-1]) <= strict.LONGEST_NAME for each in answer.json()["errors"])
    assert not Player.objects.exists()


class Inner(serializers.Serializer):
    min = serializers.IntegerField()


class Outer(serializers.Serializer):
    one = Inner()
    many = Inner(many=True)
    anything = serializers.JSONField()


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["one", "many", "min", "anything", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_value_can_be_looked_at_and_every_path_leads_to_an_unknown_field(data):
    for path, _nearest in strict.unknown_fields(Outer(), data):
        value = data
        for step in path:
            value = value[step]
        assert path[0] != "anything"
        assert path[-1] not in (Outer().fields if len(path) == 1 else Inner().fields)


def test_every_view_is_strict():
    """A view that is none of ours takes whatever it is sent: derive it from `ApiView`, and read bodies by `body`."""
    lenient = {view.__name__ for _name, view in api_views() if not issubclass(view, ApiView)}
    assert lenient == {SchemaView.__name__}


# --- Addresses ----------------------------------------------------------------------------------------------------


def test_post_without_the_last_slash_creates_as_with_it(cast):
    answer = cast.organiser.post(PLAYERS.rstrip("/"), {"name": "Ana"})
    assert answer.status_code == 201
    assert Player.objects.get().uid == answer.json()["id"]
    assert cast.nobody.get("/api/v1/events").status_code == 200
    assert cast.nobody.get("/api/v1/nothing").status_code == 404
    assert cast.organiser.delete("/api/v1/me/tokens/none").status_code == 404


def test_slash_is_added_under_the_api_only():
    assert with_slash("/api/v1/events") == "/api/v1/events/"
    assert with_slash("/api/v1/nothing") == "/api/v1/nothing"
    assert with_slash("/organise") == "/organise"


def test_everything_that_is_created_says_where_it_is(cast):
    made = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers={"Idempotency-Key": "a"})
    assert made["Location"] == f"http://testserver/api/v1/players/{made.json()['id']}/"
    again = cast.organiser.post(PLAYERS, {"name": "Ana"}, headers={"Idempotency-Key": "a"})
    assert again["Location"] == made["Location"]
    event = cast.organiser.post("/api/v1/events/", EVENT)
    assert cast.organiser.get(event["Location"]).json()["id"] == event.json()["id"]
    cast.organiser.patch(event["Location"], {"status": "registration"})
    for name in ("Ana", "Bo", "Cy"):
        entry = cast.organiser.post(f"{event['Location']}entries/", {"name": f"{name} 2"})
        assert cast.organiser.get(entry["Location"]).json()["id"] == entry.json()["id"]
    seated = cast.organiser.post(f"{event['Location']}rounds/", {})
    assert cast.organiser.get(seated["Location"]).json()["tables"] == seated.json()["tables"]
    assert Entry.objects.count() == 3


def test_every_view_that_creates_says_what():
    """A view whose POST answers 201 needs `creates`: the route of what it makes. A code is no resource."""
    schema = published()
    creating = {
        operation["operationId"]
        for methods in schema["paths"].values()
        for operation in methods.values()
        if "201" in operation["responses"] and "Location" not in operation["responses"]["201"].get("headers", {})
    }
    assert creating == {"entries_proof_code", "entries_list_names", "events_copy"}


# --- Other origins ------------------------------------------------------------------------------------------------


def test_page_anywhere_may_read_what_is_public(cast):
    answer = cast.nobody.get("/api/v1/leaderboards/dix/", headers={"Origin": "https://club.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert {"ETag", "Location", "Retry-After"} <= set(answer["Access-Control-Expose-Headers"].split(", "))


def test_page_anywhere_may_send_a_credential_in_a_header_and_no_cookie(cast):
    answer = cast.nobody.options(
        "/api/v1/events/",
        headers={
            "Origin": "https://club.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        },
    )
    assert answer.status_code == 200
    assert {"authorization", "idempotency-key"} <= set(answer["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer


def test_other_pages_are_closed_to_other_origins(client, db):
    assert "Access-Control-Allow-Origin" not in client.get("/", headers={"Origin": "https://club.example"})


def test_options_say_which_methods_there_are(cast):
    answer = cast.nobody.options("/api/v1/events/")
    assert answer.status_code == 204
    assert set(answer["Allow"].split(", ")) == {"GET", "POST", "HEAD", "OPTIONS"}


# --- Limits and problems ------------------------------------------------------------------------------------------


def test_answer_says_how_many_requests_are_left(cast):
    left = [cast.organiser.get("/api/v1/me/")["RateLimit"] for _ in range(2)]
    assert left == ['"credential";r=599;t=60', '"credential";r=598;t=60']
    answer = cast.nobody.get("/api/v1/games/")
    assert answer["RateLimit-Policy"] == '"address";q=1200;w=60'


def test_last_request_within_the_limit_and_the_one_after(cast):
    for _ in range(600):
        last = cast.organiser.options("/api/v1/me/")
    assert last["RateLimit"].startswith('"credential";r=0;')
    over = cast.organiser.get("/api/v1/me/")
    assert (over.status_code, over["RateLimit"].split(";")[1]) == (429, "r=0")
    assert 0 < int(over["Retry-After"]) <= 60


def test_type_of_a_problem_leads_to_its_line_in_the_documents(cast):
    kind = cast.nobody.get("/api/v1/nothing/").json()["type"]
    address, _, anchor = kind.partition("#")
    page = cast.nobody.get(address)
    assert page.status_code == 200
    assert f'id="{anchor}"' in page.content.decode()
