"""The Python client: against a running service, and against one that fails in every way."""

from __future__ import annotations

import asyncio
import email.utils
import importlib
import importlib.util
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from clients import generate
from tests.api.schemas import published
from tests.documents import ROOT

FOLDER = ROOT / "clients" / "python"
FRIDAY = {"name": "Friday", "game": "dix", "starts_at": "2026-11-20T19:00:00+01:00"}


@pytest.fixture
def client(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("ludoscore_client")


@pytest.fixture
def slept(monkeypatch):
    """The pauses that were made, none of which takes time."""
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return pauses


class Wire:
    """A service that answers as it is told, one outcome per request; the last one again and again."""

    def __init__(self, *outcomes):
        self.outcomes, self.requests = list(outcomes), []

    def __call__(self, request):
        self.requests.append(request)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def later(self, request):
        return self(request)

    def waiting(self, client, **options):
        http = httpx.Client(transport=httpx.MockTransport(self))
        return client.Ludoscore("https://scores.test", "lsu_1", http=http, **options)

    def awaited(self, client):
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.later))
        return client.AsyncLudoscore("https://scores.test", "lsu_1", http=http)


def ok(**body):
    return httpx.Response(200, json=body)


def told(*messages):
    """A stream that says something and ends."""
    lines = [
        f"id: {number}\nevent: change\ndata: {json.dumps({'version': number, 'what': what})}\n\n"
        for number, what in messages
    ]
    return httpx.Response(200, text=":\n\n" + "".join(lines), headers={"Content-Type": "text/event-stream"})


# --- Against the service ----------------------------------------------------------------------------------------


def test_generated_files_say_what_the_schema_says():
    schema = json.loads(json.dumps(published(), default=str))
    stale = [name for name, text in generate.files(schema).items() if (ROOT / "clients" / name).read_text() != text]
    assert stale == [], "run .venv/bin/python -m clients.generate"


def test_answers_that_did_not_change_are_not_sent_again(service, client):
    with client.Ludoscore(os.environ["URL"], os.environ["TOKEN"]) as api:
        event = api.events_create({"club": os.environ["CLUB"], **FRIDAY})
        first = api.events_retrieve(event["id"])
        assert api.events_retrieve(event["id"]) == first
        api.events_change(event["id"], {"name": "Saturday"})
        assert api.events_retrieve(event["id"])["name"] == "Saturday"


def test_pages_are_turned(service, client):
    with client.Ludoscore(os.environ["URL"], os.environ["TOKEN"]) as api:
        made = {api.players_create(os.environ["CLUB"], {"name": f"P{number}"})["id"] for number in range(5)}
        page = api.players_list(os.environ["CLUB"], page_size=2)
        assert {row["id"] for row in api.rows(page)} == made


def awaited(work):
    """Wait for something in a thread: in ours the driver of the browser may have a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def test_awaited_client_does_the_same(service, client):
    async def run():
        async with client.AsyncLudoscore(os.environ["URL"], os.environ["TOKEN"]) as api:
            made = {(await api.players_create(os.environ["CLUB"], {"name": f"P{n}"}))["id"] for n in range(3)}
            page = await api.players_list(os.environ["CLUB"], page_size=2)
            assert {row["id"] async for row in api.rows(page)} == made
            event = await api.events_create({"club": os.environ["CLUB"], **FRIDAY})
            with pytest.raises(client.Problem) as caught:
                await api.with_token(None).events_change(event["id"], {"name": "Mine"})
            assert caught.value.status in {401, 404}
            with pytest.raises(client.Problem) as caught:
                await api.events_change(event["id"], {"nmae": "Saturday"})
            assert caught.value.code == "unknown-field"
            async for change in api.stream(event["id"]):
                assert "standings" in change.what
                break

    awaited(run())


def test_stream_goes_on_where_it_ended_until_the_event_is_over(service, client, monkeypatch):
    monkeypatch.setattr(importlib.import_module("ludoscore_client.listening"), "SHORTEST", 0.01)
    with client.Ludoscore(os.environ["URL"], os.environ["TOKEN"]) as api:
        event = api.events_create({"club": os.environ["CLUB"], **FRIDAY})
        heard = api.stream(event["id"])
        first = next(heard)
        api.events_change(event["id"], {"status": "registration"})
        second = next(heard)
        assert second.version > first.version
        assert "event" in second.what
        api.events_change(event["id"], {"status": "cancelled"})
        assert [change.id for change in heard][-1:] >= [second.id], "and then no more"


# --- What fails on the way --------------------------------------------------------------------------------------


@pytest.mark.parametrize("failure", [httpx.Response(503), httpx.Response(502), httpx.ReadTimeout("slow")])
def test_post_is_repeated_under_one_key(client, slept, failure):
    wire = Wire(failure, failure, ok(id="e1"))
    assert wire.waiting(client).events_create({"club": "c", **FRIDAY}) == {"id": "e1"}
    keys = {request.headers["Idempotency-Key"] for request in wire.requests}
    assert (len(wire.requests), len(keys)) == (3, 1)
    assert slept[1] > slept[0]


def test_awaited_post_is_repeated_under_one_key(client, slept):
    wire = Wire(httpx.Response(503), httpx.ReadTimeout("slow"), ok(id="e1"))
    assert awaited(wire.awaited(client).events_create({"club": "c", **FRIDAY})) == {"id": "e1"}
    assert len({request.headers["Idempotency-Key"] for request in wire.requests}) == 1
    assert len(slept) == 2


def test_first_request_that_still_runs_is_waited_for(client, slept):
    wire = Wire(httpx.Response(409, json={"code": "idempotency-running"}), ok(id="e1"))
    assert wire.waiting(client).events_create({"club": "c", **FRIDAY}) == {"id": "e1"}


@pytest.mark.parametrize("failure", [httpx.Response(503), httpx.ReadTimeout("slow"), httpx.ReadError("cut")])
def test_what_would_be_done_twice_is_not_repeated(client, slept, failure):
    wire = Wire(failure, ok())
    with pytest.raises((client.Problem, httpx.TransportError)):
        wire.waiting(client).rounds_change("e1", 1, {"extend": 5})
    assert len(wire.requests) == 1


@pytest.mark.parametrize("failure", [httpx.Response(429, headers={"Retry-After": "7"}), httpx.ConnectError("no")])
def test_what_was_certainly_not_done_is_repeated(client, slept, failure):
    wire = Wire(failure, ok(number=1))
    assert wire.waiting(client).rounds_change("e1", 1, {"extend": 5}) == {"number": 1}


def test_service_says_how_long_to_wait(client, slept):
    soon = email.utils.formatdate(time.time() + 20, usegmt=True)
    wire = Wire(
        httpx.Response(429, headers={"Retry-After": "7"}),
        httpx.Response(503, headers={"Retry-After": soon}),
        httpx.Response(503, headers={"Retry-After": "soon, I hope"}),
        ok(results=[], next=None),
    )
    wire.waiting(client).clubs_list()
    assert slept[0] == 7
    assert 15 < slept[1] <= 20
    assert slept[2] < 5


def test_nobody_waits_for_an_hour(client, slept):
    wire = Wire(httpx.Response(429, headers={"Retry-After": "3600"}, json={"code": "throttled"}))
    with pytest.raises(client.Problem) as caught:
        wire.waiting(client).clubs_list()
    assert (caught.value.code, caught.value.retry_after, slept) == ("throttled", 3600, [])


def test_attempts_end(client, slept):
    wire = Wire(httpx.Response(503, text="<h1>Down</h1>"))
    with pytest.raises(client.Problem, match="503"):
        wire.waiting(client, attempts=3).clubs_list()
    assert len(wire.requests) == 3


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 500])
def test_refusal_is_told_at_once(client, slept, status):
    wire = Wire(httpx.Response(status, json={"code": "no", "detail": "No.", "errors": [{"path": []}]}))
    with pytest.raises(client.Problem) as caught:
        wire.waiting(client).clubs_list()
    assert (caught.value.code, caught.value.detail, len(wire.requests)) == ("no", "No.", 1)


def test_credential_is_not_carried_elsewhere(client):
    page = {"results": [{"id": 1}], "next": "https://elsewhere.test/api/v1/clubs/?cursor=2"}
    wire = Wire(ok(**page), ok(results=[{"id": 2}], next=None))
    api = wire.waiting(client)
    assert [row["id"] for row in api.rows(api.clubs_list())] == [1, 2]
    assert str(wire.requests[1].url) == "https://scores.test/api/v1/clubs/?cursor=2"
    moved = Wire(httpx.Response(301, headers={"Location": "https://elsewhere.test/"}))
    with pytest.raises(client.Problem, match=r"moved to https://elsewhere\.test/"):
        moved.waiting(client).me()
    assert len(moved.requests) == 1
    astray = Wire(ok(results=[], next="https://scores.test/admin/"))
    api = astray.waiting(client)
    with pytest.raises(ValueError, match="no address of the API"):
        list(api.rows(api.clubs_list()))


def test_id_from_elsewhere_stays_one_part_of_the_path(client):
    wire = Wire(ok())
    wire.waiting(client).events_retrieve("../me/tokens/?x=#")
    assert wire.requests[0].url.raw_path == b"/api/v1/events/..%2Fme%2Ftokens%2F%3Fx%3D%23/"
    for bad in ("", ".", ".."):
        with pytest.raises(ValueError, match="cannot be a part"):
            wire.waiting(client).events_retrieve(bad)


def test_another_caller_gets_no_answer_of_the_first(client):
    wire = Wire(
        httpx.Response(200, json={"kind": "user"}, headers={"ETag": '"1"'}), httpx.Response(304), ok(kind="no")
    )
    api = wire.waiting(client)
    assert api.me() == api.me() == {"kind": "user"}
    assert api.with_token(None).me() == {"kind": "no"}
    assert "If-None-Match" in wire.requests[1].headers
    assert not {"If-None-Match", "Authorization"} & set(wire.requests[2].headers)


def test_kept_answers_are_few(client):
    wire = Wire(httpx.Response(200, json={}, headers={"ETag": '"1"'}))
    api = wire.waiting(client)
    for number in range(300):
        api.events_retrieve(f"e{number}")
    assert len(api._caller._known) == 256


def test_query_is_written_as_the_api_reads_it(client):
    wire = Wire(ok(results=[], next=None))
    wire.waiting(client).leaderboards_retrieve("dix", provisional=False, min_tables=3)
    assert wire.requests[0].url.query == b"min_tables=3&provisional=false"


def test_lines_of_results_are_a_list(client):
    wire = Wire(httpx.Response(200, text='{"a": 1}\n{"a": 2}\n', headers={"Content-Type": "application/x-ndjson"}))
    assert wire.waiting(client).clubs_results("c") == [{"a": 1}, {"a": 2}]


def test_stream_resumes_by_the_last_id(client, slept):
    over = httpx.Response(204)
    wire = Wire(told((4, ["event"])), httpx.ReadError("cut"), httpx.Response(503), told((9, ["tables"])), over)
    assert [(change.id, change.what) for change in wire.waiting(client).stream("e1")] == [
        ("4", ["event"]),
        ("9", ["tables"]),
    ]
    assert [request.headers.get("Last-Event-ID") for request in wire.requests] == [None, "4", "4", "4", "9"]
    assert len(slept) == 4


def test_awaited_stream_resumes_by_the_last_id(client, slept):
    wire = Wire(told((4, ["event"])), httpx.ReadError("cut"), told((9, ["tables"])), httpx.Response(204))

    async def run():
        return [change.version async for change in wire.awaited(client).stream("e1", "2")]

    assert awaited(run()) == [4, 9]
    assert [request.headers.get("Last-Event-ID") for request in wire.requests] == ["2", "4", "4", "9"]


def test_half_a_message_is_heard_again(client, slept):
    half = httpx.Response(200, text='id: 5\nevent: change\ndata: {"version": 5,')
    wire = Wire(told((4, ["event"])), half, told((5, ["tables"])), httpx.Response(204))
    assert [change.version for change in wire.waiting(client).stream("e1")] == [4, 5]
    assert wire.requests[2].headers["Last-Event-ID"] == "4"


def test_silent_service_is_asked_less_and_less(client, slept):
    wire = Wire(*[httpx.Response(200, text=":\n\n")] * 7, httpx.Response(204))
    assert list(wire.waiting(client).stream("e1")) == []
    assert slept == [1, 2, 4, 8, 15, 15, 15]


def test_stream_that_is_refused_or_stays_away_is_told(client, slept):
    with pytest.raises(client.Problem, match="404"):
        list(Wire(httpx.Response(404, json={"code": "not-found"})).waiting(client).stream("e1"))
    with pytest.raises(httpx.ConnectError):
        list(Wire(httpx.ConnectError("no")).waiting(client, attempts=3).stream("e1"))
    many = Wire(httpx.Response(429, headers={"Retry-After": "9"}), httpx.Response(204))
    assert list(many.waiting(client).stream("e1")) == []
    assert slept[-1] == 9
