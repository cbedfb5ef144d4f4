"""What load balancers and monitors are told."""

from __future__ import annotations

import datetime as dt
import json
import logging
import socket
import sqlite3
import threading
import time

import pytest
from django.utils import timezone

from core import context
from core.models import Heartbeat
from ops import health
from ops.logs import DiskTroubles, Flood, JsonLines, PlainLines
from tests.factories import DerivedFactory


def ready(client):
    response = client.get("/readyz", headers={"Host": "10.1.2.3"})  # a balancer asks by address
    return response.status_code, response.json()


def beat(seconds_ago):
    sent = timezone.now() - dt.timedelta(seconds=seconds_ago)
    Heartbeat.objects.create(name="worker", sent_at=sent, done_at=sent)


def test_process_is_alive_whatever_the_host_and_without_a_database(client):
    assert client.get("/healthz", headers={"Host": "10.1.2.3"}).json() == {"status": "ok"}


@pytest.mark.django_db
def test_ready_when_database_broker_and_worker_answer(client):
    beat(seconds_ago=5)
    status, body = ready(client)
    assert status == 200
    assert body["checks"]["queue"].pop("waiting") >= 0  # other tests leave messages behind
    assert body == {
        "status": "ok",
        "checks": {
            "database": "ok",
            "broker": "ok",
            "queue": {"status": "ok"},
            "work": {"status": "ok", "oldest_seconds": 0.0},
            "computations": {"status": "ok", "parked": 0, "oldest_seconds": 0.0},
        },
    }


@pytest.mark.django_db
def test_late_worker_is_degraded_and_says_how_late(client):
    beat(seconds_ago=300)
    status, body = ready(client)
    assert (status, body["status"]) == (200, "degraded")
    assert body["checks"]["work"]["status"] == "late"
    assert 279 <= body["checks"]["work"]["oldest_seconds"] <= 285


@pytest.mark.django_db
def test_computation_that_is_late_or_parked_is_degraded(client):
    beat(seconds_ago=5)
    late = DerivedFactory(stale_since=timezone.now() - dt.timedelta(minutes=10))
    _, body = ready(client)
    assert (body["status"], body["checks"]["computations"]["status"]) == ("degraded", "late")
    assert 600 <= body["checks"]["computations"]["oldest_seconds"] <= 610
    late.parked_at = timezone.now()
    late.save()
    _, body = ready(client)
    assert body["checks"]["computations"] == {"status": "parked", "parked": 1, "oldest_seconds": 0.0}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url",
    ["redis+socket:///nowhere/broker.sock", "redis://localhost:notaport/0", "redis://localhost/abc", "redis://[::1"],
)
def test_broker_that_is_away_is_degraded_and_not_unavailable(client, settings, url):
    settings.BROKER_URL = url
    status, body = ready(client)
    assert (status, body["checks"]["broker"]) == (200, "unreachable")


@pytest.mark.django_db
def test_name_server_that_hangs_makes_the_broker_unreachable_and_nobody_wait(client, settings, monkeypatch):
    settings.BROKER_URL = "redis://broker.example/0"
    is_over, began = threading.Event(), time.monotonic()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: is_over.wait(30) and [])
    try:
        status, body = ready(client)
    finally:
        is_over.set()
    assert (status, body["checks"]["broker"]) == (200, "unreachable")
    assert time.monotonic() - began < 10


def test_database_that_is_away_is_unavailable(client, monkeypatch):
    def away():
        raise health.DatabaseError("away")

    monkeypatch.setattr(health.connection, "ensure_connection", away)
    status, body = ready(client)
    assert (status, body["status"]) == (503, "unavailable")


def test_request_id_is_kept_when_safe_and_replaced_when_not(client):
    assert client.get("/api/v1/games/", headers={"X-Request-ID": "proxy-17"})["X-Request-ID"] == "proxy-17"
    made = client.get("/api/v1/games/", headers={"X-Request-ID": "a b\n{}"})["X-Request-ID"]
    assert len(made) == 32


def test_log_lines_carry_the_request_id_and_no_query(client, caplog):
    with caplog.at_level(logging.INFO, "ludoscore.requests"):
        client.get("/api/v1/games/?format=json&as=secret", headers={"X-Request-ID": "proxy-17"})
    record = next(record for record in caplog.records if record.name == "ludoscore.requests")
    token = context.request_id.set("proxy-17")
    line = json.loads(JsonLines().format(record))
    context.request_id.reset(token)
    assert line["path"] == "/api/v1/games/"
    assert line["status"] == 200
    assert line["request_id"] == "proxy-17"
    assert "secret" not in json.dumps(line)


def test_flood_of_one_error_is_cut_off_and_others_are_not():
    flood = Flood()
    failed = {"name": "n", "levelno": logging.ERROR, "lineno": 1}
    records = [logging.makeLogRecord(failed | {"msg": f"failed {number}"}) for number in range(99)]
    written = [record for record in records if flood.filter(record)]
    assert len(written) == Flood.MOST
    assert "more of this kind are left out" in written[-1].msg
    assert flood.filter(logging.makeLogRecord(failed | {"msg": "another", "lineno": 2}))
    assert flood.filter(logging.makeLogRecord(failed | {"msg": "failed", "levelno": logging.INFO}))


@pytest.mark.parametrize(("code", "is_told"), [(sqlite3.SQLITE_FULL, False), (sqlite3.SQLITE_ERROR, True)])
def test_traceback_of_a_full_disk_does_not_drown_the_line_that_says_so(code, is_told):
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = code
    record = logging.makeLogRecord({"msg": "Task raised unexpected", "exc_info": (type(error), error, None)})
    assert DiskTroubles().filter(record)
    assert ("OperationalError" in PlainLines().format(record)) is is_told


@pytest.mark.django_db
def test_heartbeat_of_the_future_is_late(client):
    beat(seconds_ago=-3600)
    assert ready(client)[1]["checks"]["work"]["status"] == "late"


def test_exceptions_are_logged_within_one_json_line():
    try:
        raise ValueError("broken\nin two")
    except ValueError as error:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": (type(error), error, error.__traceback__)})
    text = JsonLines().format(record)
    assert "\n" not in text
    assert "ValueError: broken" in json.loads(text)["exception"]
    assert "failed" in PlainLines().format(record)
