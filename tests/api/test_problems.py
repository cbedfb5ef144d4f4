"""Every error of the API is a problem (RFC 9457) with a stable code."""

from __future__ import annotations

import json

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import path
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import handler400, handler404, handler500, urlpatterns
from core.errors import ConflictError

CHECK = "/api/v1/games/dix/check/"


class Broken(APIView):
    permission_classes = []

    def get(self, request, kind):
        class Shape(serializers.Serializer):
            seats = serializers.ListField(child=serializers.IntegerField(min_value=1))

        match kind:
            case "bug":
                raise ZeroDivisionError
            case "conflict":
                raise ConflictError("The round is closed.", possible=["reopen"])
            case "fields":
                Shape(data={"seats": [1, 0, "x"]}).is_valid(raise_exception=True)
            case "throttled":
                raise exceptions.Throttled(wait=2.2)
            case "database":
                raise OperationalError("server closed the connection")
        return Response({})


urlpatterns = [path("api/v1/broken/<slug:kind>/", Broken.as_view()), *urlpatterns]
_ = (handler400, handler404, handler500)  # Django finds them by name in this module


@pytest.fixture
def caller():
    return Client(raise_request_exception=False)


def problem_of(response, status, code):
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    body = json.loads(response.content)
    assert body["status"] == status
    assert body["code"] == code
    assert body["type"] == f"/docs/errors.md#{code}"
    assert body["title"]
    assert body["detail"]
    assert body["request_id"] == response["X-Request-ID"]
    return body


def test_unknown_address_is_a_problem(caller):
    problem_of(caller.get("/api/v1/nothing/"), 404, "not-found")


def test_unknown_game_is_a_problem(caller):
    problem_of(caller.get("/api/v1/games/chess/"), 404, "not-found")


def test_wrong_method_is_a_problem(caller):
    assert problem_of(caller.delete("/api/v1/games/"), 405, "method-not-allowed")


def test_wrong_media_type_is_a_problem(caller):
    problem_of(caller.post(CHECK, "<a/>", content_type="text/xml"), 415, "unsupported-media-type")


def test_unacceptable_answer_is_a_problem(caller):
    problem_of(caller.get("/api/v1/games/", headers={"Accept": "text/csv"}), 406, "not-acceptable")


@pytest.mark.parametrize(
    "body",
    [b"{", b'{"a": 1, "a": 2}', b'{"a": NaN}', b"\xff\xfe", b"[" * 20_000 + b"]" * 20_000, b"9" * 5_000],
    ids=["cut", "key twice", "NaN", "not UTF-8", "deep", "long number"],
)
def test_malformed_json_is_a_problem(caller, body):
    problem_of(caller.post(CHECK, body, content_type="application/json"), 400, "malformed-json")


def test_large_body_is_a_problem(caller):
    body = b'{"a": "' + b"x" * 2_000_000 + b'"}'
    problem_of(caller.post(CHECK, body, content_type="application/json"), 413, "body-too-large")


@pytest.mark.urls(__name__)
def test_unhandled_error_is_a_problem_and_tells_nothing(caller):
    body = problem_of(caller.get("/api/v1/broken/bug/"), 500, "server-error")
    assert "ZeroDivision" not in json.dumps(body)


@pytest.mark.urls(__name__)
def test_domain_error_brings_its_facts(caller):
    body = problem_of(caller.get("/api/v1/broken/conflict/"), 409, "conflict")
    assert body["detail"] == "The round is closed."
    assert body["possible"] == ["reopen"]


@pytest.mark.urls(__name__)
def test_field_errors_come_all_at_once_with_paths(caller):
    body = problem_of(caller.get("/api/v1/broken/fields/"), 400, "invalid-fields")
    assert [(each["path"], each["code"]) for each in body["errors"]] == [
        (["seats", 1], "min-value"),
        (["seats", 2], "invalid"),
    ]


@pytest.mark.urls(__name__)
def test_throttled_caller_is_told_when_to_come_back(caller):
    response = caller.get("/api/v1/broken/throttled/")
    problem_of(response, 429, "throttled")
    assert response["Retry-After"] == "3"


@pytest.mark.urls(__name__)
def test_database_that_is_away_is_a_clean_503(caller):
    response = caller.get("/api/v1/broken/database/")
    problem_of(response, 503, "database-unavailable")
    assert response["Retry-After"]


def test_errors_speak_the_language_of_the_reader(caller):
    body = problem_of(caller.get("/api/v1/games/chess/", headers={"Accept-Language": "fr"}), 404, "not-found")
    assert body["detail"].startswith("Il n’y a rien ici")


def test_unknown_page_is_a_page(caller, db):
    response = caller.get("/nothing/")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
