"""The schema as documentation and as a promise: what linters check, held here, and no breaking change in v1."""

from __future__ import annotations

import copy
import datetime as dt
import io
import sys

import pytest
from django.core.management import call_command
from django.urls import path
from jsonschema import Draft7Validator
from rest_framework.response import Response

from api import promises
from api.base import ApiView
from api.describing import TAGS
from api.root import SchemaView
from config.urls import handler400, handler404, handler500, urlpatterns
from core.conditional import Answer, forget_all
from tests.api.schemas import published
from tournaments.games import GAMES


@pytest.fixture(scope="module")
def schema():
    return published()


def operations(schema):
    return [(path, method, each) for path, item in schema["paths"].items() for method, each in item.items()]


def parts(value, place=()):
    """Yield every object within the schema, with its place."""
    if isinstance(value, dict):
        yield place, value
        for name, each in value.items():
            if name not in {"example", "default"}:
                yield from parts(each, (*place, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from parts(each, (*place, index))


def test_every_operation_says_what_it_does(schema):
    seen = set()
    for place, method, operation in operations(schema):
        where = f"{method} {place}: write a docstring that begins with one sentence"
        assert operation["summary"], where
        assert operation["description"], where
        assert operation["operationId"] not in seen
        seen.add(operation["operationId"])
        assert operation["responses"], where


def test_no_library_for_maps_is_looked_for(schema):
    """Looking for one starts the machine's compiler a dozen times, in the process that answers requests."""
    assert "django.contrib.gis" not in sys.modules


def test_every_property_and_parameter_is_described(schema):
    """Give a field `help_text`, or add what its name means everywhere to `api/describing.py`."""
    missing = {
        f"{name}.{field}"
        for name, each in schema["components"]["schemas"].items()
        for field, prop in each.get("properties", {}).items()
        if not prop.get("description")
    }
    missing |= {
        f"{place} ?{each['name']}"
        for place, _, operation in operations(schema)
        for each in operation.get("parameters", ())
        if not each.get("description")
    }
    assert missing == set()


def test_tags_come_in_the_order_people_need_them(schema):
    """A new first part of an address belongs into `TAGS` of `api/describing.py`."""
    named = [tag["name"] for tag in schema["tags"]]
    used = {tag for _, _, operation in operations(schema) for tag in operation["tags"]}
    assert set(named) == used
    assert named == [tag for tag in TAGS if tag in used]
    assert all(tag["description"] for tag in schema["tags"])


def test_schema_says_where_it_is_served_and_by_whom(schema, settings):
    assert schema["servers"] == [{"url": "/", "description": "This service."}]
    assert schema["info"]["license"]
    assert schema["info"]["contact"]


def as_json_schema(value):
    """Return a schema of OpenAPI 3.0 as one that JSON Schema's validators read."""
    if isinstance(value, list):
        return [as_json_schema(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: as_json_schema(each) for name, each in value.items() if name not in {"example", "discriminator"}}
    if made.pop("nullable", False) and "type" in made:
        return {"anyOf": [made, {"type": "null"}]}
    return made


def test_every_example_is_what_its_schema_says(schema):
    plain = as_json_schema({"components": {"schemas": copy.deepcopy(schema["components"]["schemas"])}})
    examples = 0
    for place, value in parts(schema["paths"]):
        if "schema" in value and "example" in value:
            examples += 1
            errors = Draft7Validator({**as_json_schema(value["schema"]), **plain}).iter_errors(value["example"])
            assert not [error.message for error in errors], place
    with_content = [
        operation
        for _, _, operation in operations(schema)
        if "requestBody" in operation or "content" in operation["responses"].get("200", {})
    ]
    assert examples >= len(with_content)


def test_body_and_answer_of_every_operation_have_an_example(schema):
    for place, method, operation in operations(schema):
        bodies = list(operation.get("requestBody", {}).get("content", {}).items())
        for status, answer in operation["responses"].items():
            bodies += answer.get("content", {}).items() if status.startswith("2") else []
        for kind, content in bodies:
            if kind in {"application/json", "text/csv", "application/x-ndjson", "multipart/form-data"}:
                assert "example" in content or "examples" in content, (method, place, kind)


def test_schema_is_as_linters_want_it(schema):
    schemas = schema["components"]["schemas"]
    for place, value in parts(schema):
        if "$ref" in value and isinstance(value["$ref"], str):
            assert set(value) == {"$ref"}, place
            assert value["$ref"].rpartition("/")[2] in schemas, place
        if value.get("nullable") is True:
            assert "type" in value, place
        assert value.get("type") != "null", place
    used = {value["$ref"].rpartition("/")[2] for _, value in parts(schema) if isinstance(value.get("$ref"), str)}
    assert schemas.keys() - used == set()


def test_sheets_are_typed_per_game(schema):
    sheets = schema["components"]["schemas"]["SheetOfGame"]
    assert sheets["discriminator"]["mapping"].keys() == GAMES.keys()
    assert len(sheets["oneOf"]) == len(GAMES)
    report = schema["components"]["schemas"]["ReportInputRequest"]["properties"]["report"]
    assert report["allOf"] == [{"$ref": "#/components/schemas/Sheet"}]


def test_bodies_take_no_other_fields(schema):
    requests = {name: each for name, each in schema["components"]["schemas"].items() if name.endswith("Request")}
    assert {name for name, each in requests.items() if each.get("additionalProperties") is not False} <= {
        name for name, each in requests.items() if "properties" not in each
    }


# --- Promises -----------------------------------------------------------------------------------------------------


def test_nothing_that_was_released_is_broken(schema):
    """Within v1 calls and fields are added, never taken away.

    A change that has to be is retired first (docs/api-promises.md). What was never released may be changed:
    `./run manage api_changes --release` writes the present schema down, on the day of a release.
    """
    found = promises.changes(promises.released(), promises.skeleton(schema))
    assert [str(change) for change in found if change.is_breaking] == []


def changed(schema, change):
    other = copy.deepcopy(schema)
    club, event = other["components"]["schemas"]["ClubOutput"], other["components"]["schemas"]["EventInputRequest"]
    match change:
        case "call gone":
            del other["paths"]["/api/v1/clubs/{slug}/"]["patch"]
        case "call new":
            other["paths"]["/api/v1/new/"] = {"get": {"responses": {"200": {}}}}
        case "field of an answer gone":
            del club["properties"]["name"]
        case "field of an answer new":
            club["properties"]["motto"] = {"type": "string"}
        case "field of an answer null":
            club["properties"]["name"]["nullable"] = True
        case "field of an answer of another type":
            club["properties"]["name"]["type"] = "integer"
        case "field of a body gone":
            del event["properties"]["rounds"]
        case "field of a body new":
            event["properties"]["motto"] = {"type": "string"}
        case "field of a body new and required":
            event["properties"]["motto"] = {"type": "string"}
            event["required"].append("motto")
        case "field of a body required":
            event["required"].append("rounds")
        case "field of a body no longer required":
            event["required"].remove("name")
        case "parameter gone":
            other["paths"]["/api/v1/events/"]["get"]["parameters"].pop(0)
    return other


@pytest.mark.parametrize(
    ("change", "is_breaking"),
    [
        ("call gone", True),
        ("call new", False),
        ("field of an answer gone", True),
        ("field of an answer new", False),
        ("field of an answer null", True),
        ("field of an answer of another type", True),
        ("field of a body gone", True),
        ("field of a body new", False),
        ("field of a body new and required", True),
        ("field of a body required", True),
        ("field of a body no longer required", False),
        ("parameter gone", True),
    ],
)
def test_what_breaks_a_program_is_known_from_what_does_not(schema, change, is_breaking):
    found = promises.changes(promises.skeleton(schema), promises.skeleton(changed(schema, change)))
    assert found
    assert any(each.is_breaking for each in found) == is_breaking


def test_changelog_is_made_from_the_schema(tmp_path, monkeypatch, schema):
    before = promises.skeleton(changed(schema, "field of an answer gone"))
    monkeypatch.setattr(promises, "released", lambda: before)
    monkeypatch.setattr(promises, "RELEASED", tmp_path / "released.json")
    out = io.StringIO()
    call_command("api_changes", "--release", stdout=out)
    assert "- `GET /api/v1/clubs/{slug}/` answers with .name" in out.getvalue().splitlines()
    assert (tmp_path / "released.json").is_file()


class Retired(ApiView):
    deprecation = promises.Deprecation(dt.date(2026, 11, 1), dt.date(2027, 11, 1), "/api/v1/events/")

    def get(self, request):
        """Read what is retired."""
        return Response({})


urlpatterns = [path("api/v1/retired/", Retired.as_view()), *urlpatterns]
_ = (handler400, handler404, handler500)  # Django finds them by name in this module


@pytest.mark.urls(__name__)
def test_call_that_is_retired_says_since_when_until_when_and_what_instead(client):
    answer = client.get("/api/v1/retired/")
    assert answer["Deprecation"] == "@1793491200"
    assert answer["Sunset"] == "Mon, 01 Nov 2027 00:00:00 GMT"
    assert '</api/v1/events/>; rel="successor-version"' in answer["Link"]


def test_schema_is_made_once_however_many_languages_are_asked_for(client, monkeypatch):
    made = []
    monkeypatch.setattr(SchemaView, "_made", lambda self, request, tag: made.append(tag) or Answer(tag, b"{}", "x"))
    forget_all()
    for language in ("en", "xx", "1", "../fr", "e" * 600):
        assert client.get("/api/v1/schema/", {"lang": language}).status_code == 200
    assert len(made) == 1
    assert client.get("/api/v1/schema/", {"lang": "fr-CA"}).status_code == 200
    assert len(made) == 2, "the control: French is another"
    forget_all()
