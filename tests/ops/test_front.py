"""The front of the web process, as `python -m ops.web` runs it before an application that tells what it was given."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import select
import signal
import socket
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from ops.front import Front, Limits, keep_type
from ops.logs import Flood
from ops.web import LEAVE
from tests.growth import takes_as_long_as_it_is
from tests.launcher import ROOT, Started
from tests.ops import front_app_limits as small
from tests.ops.test_serve import PATIENCE, children, free_port

GIVEN_UP = "the new process did not start; the old ones go on"


class Web:
    """A running web server."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.port, self.log = free_port(), folder / "web.log"
        options = f"--workers 1 --bind 127.0.0.1:{self.port} --application tests.ops.front_app:front"
        settings |= {"LUDOSCORE_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
        self.process = Started("-m", "ops.web", *options.split(), environment=os.environ | settings, log=self.log)
        self.wait(lambda: b"200" in self.say("GET /ready/ HTTP/1.0\r\n\r\n"))

    def wait(self, condition: Any) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.05)

    def open(self, text: str | bytes) -> socket.socket:
        """Send bytes over a new connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        connection.sendall(text.encode() if isinstance(text, str) else text)
        return connection

    def say(self, text: str | bytes) -> bytes:
        """Send bytes, and return everything that comes back until the connection is closed."""
        try:
            with self.open(text) as connection:
                return rest_of(connection)
        except ConnectionError:
            return b""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request, and return the answer and its body."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer, answer.read()

    def told(self, *args: Any, **headers: str) -> dict[str, Any]:
        """Return what the application says that it was given."""
        answer, content = self.ask(*args, **headers)
        assert answer.status == 200, content
        return dict(json.loads(content))


def rest_of(connection: socket.socket) -> bytes:
    """Return what comes until the connection is closed."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Run one web server for these tests."""
    web = Web(tmp_path_factory.mktemp("front"))
    yield web
    web.process.send_signal(signal.SIGTERM)
    web.process.wait(PATIENCE)


# --- Its log ------------------------------------------------------------------------------------------------------


def test_log_that_nobody_reads_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "web.log")
    web = Web(tmp_path)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
        for _ in range(2000):  # ten times the lines that a pipe holds, and those that wait
            connection.request("GET", "/healthz")
            assert connection.getresponse().read() == b'{"status": "ok"}'
        connection.close()
        web.process.send_signal(signal.SIGTERM)
        assert web.process.wait(PATIENCE) == 0
    finally:
        web.process.kill()


def test_lines_of_the_log_are_nobody_elses(tmp_path):
    """Each is an object of JSON where the settings say so, and none is lost at the end."""
    web = Web(tmp_path, LOG_FORMAT="json")
    for _ in range(100):
        web.ask("GET", "/healthz")
    web.process.send_signal(signal.SIGTERM)
    assert web.process.wait(PATIENCE) == 0
    lines = [json.loads(line) for line in web.log.read_text().splitlines() if line.startswith("{")]
    assert sum("/healthz" in line["message"] for line in lines) == 100


# --- What the application is given --------------------------------------------------------------------------------


def test_request_is_what_wsgi_says(web):
    told = web.told("POST", "/caf%C3%A9/%2F?a=%20b", b"name=x", Content_Type="text/plain", Host="scores.example:80")
    environ = told["environ"]
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/café//"
    assert (environ["QUERY_STRING"], environ["SCRIPT_NAME"]) == ("a=%20b", "")
    assert (environ["REQUEST_METHOD"], environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == (
        "POST",
        "text/plain",
        "6",
    )
    assert (environ["REMOTE_ADDR"], environ["SERVER_PORT"]) == ("127.0.0.1", str(web.port))
    assert (environ["wsgi.url_scheme"], environ["HTTP_HOST"]) == ("http", "scores.example:80")
    assert "HTTP_CONTENT_LENGTH" not in environ


def test_address_that_was_typed_as_it_is_written_is_read(web):
    """curl sends letters as they are typed, and says them in UTF-8."""
    said = web.say("GET /café/?search=Łukasz+é HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    environ = json.loads(said.partition(b"\r\n\r\n")[2])["environ"]
    assert environ["QUERY_STRING"].encode("latin-1").decode() == "search=Łukasz+é"
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/café/"


def test_threads_that_compute_let_others_go_on_soon(web):
    """Who asks a database waits for them at each answer: at Python's own 5 ms, that was half of the wait."""
    assert web.told("GET", "/")["switch"] <= 0.001


def test_headers_sent_twice_are_joined_and_underscores_smuggle_none(web):
    lines = "Cookie: a=1\r\nCookie: b=2\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n"
    lines += "X_Forwarded_For: 6.6.6.6\r\nX_Forwarded_Proto: https\r\n"
    said = web.say(f"GET / HTTP/1.1\r\nHost: x\r\n{lines}Connection: close\r\n\r\n")
    environ = json.loads(said.partition(b"\r\n\r\n")[2])["environ"]
    assert (environ["HTTP_COOKIE"], environ["HTTP_X_FORWARDED_FOR"]) == ("a=1; b=2", "1.1.1.1,2.2.2.2")
    assert "HTTP_X_FORWARDED_PROTO" not in environ
    assert said.count(b"set-cookie: ") == 2, "and so are those of the answer kept"


@pytest.mark.parametrize("value", ["clé".encode(), "clé".encode("latin-1"), b"\xff"])
def test_header_that_cannot_be_read_is_not_taken_for_none(web, value):
    head = b"GET /told/ HTTP/1.0\r\nIdempotency-Key: " + value + b"\r\nAccept: text/plain\r\n\r\n"
    told = json.loads(web.say(head).partition(b"\r\n\r\n")[2])["environ"]
    assert not told["HTTP_IDEMPOTENCY_KEY"].isprintable()
    assert told["HTTP_ACCEPT"] == "text/plain"


def test_address_that_is_too_long_leads_nowhere(web):
    answer, content = web.ask("GET", f"/api/v1/{'x' * 50_000}/")
    assert (answer.status, json.loads(content)["code"]) == (404, "not-found")
    assert web.ask("POST", f"/{'x' * 50_000}/", b"x")[0].status == 404


def test_header_with_a_name_that_none_has_is_overlooked(web):
    environ = web.told("GET", "/told/", **{"x" * 5_000: "1", "Accept": "text/plain"})["environ"]
    assert environ["HTTP_ACCEPT"] == "text/plain"
    assert max(map(len, environ)) < 100


def test_body_in_chunks_is_read(web):
    told = web.told("POST", "/", iter([b"one ", b"two"]))
    assert (told["body"], told["environ"]["CONTENT_LENGTH"]) == ("one two", "7")


def test_body_of_a_get_is_read_too(web):
    assert web.told("GET", "/", b"odd")["body"] == "odd"


def test_two_requests_share_a_connection(web):
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
    for _ in range(2):
        connection.request("POST", "/", b"x" * 1000)
        answer = connection.getresponse()
        assert len(json.loads(answer.read())["body"]) == 1000
        assert not answer.will_close
    connection.close()


# --- What it answers ----------------------------------------------------------------------------------------------


def test_files_and_parts_of_files_are_sent(web):
    answer, content = web.ask("GET", "/file/")
    assert (answer.status, content) == (200, (ROOT / "tests/ops/front_app.py").read_bytes())
    answer, content = web.ask("GET", "/part/")
    assert (answer.status, content) == (206, b"part")


def test_stream_comes_in_chunks_and_ends(web):
    answer, content = web.ask("GET", "/stream/")
    assert (answer.headers["Transfer-Encoding"], content) == ("chunked", b"one two")


@pytest.mark.parametrize("path", ["/", "/file/", "/stream/"])
def test_head_has_no_body(web, path):
    said = web.say(f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 200")
    assert said.endswith(b"\r\n\r\n")


def test_304_has_no_body_and_no_length(web):
    said = web.say("GET /unchanged/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").lower()
    assert said.startswith(b"http/1.1 304")
    assert said.endswith(b"\r\n\r\n")
    assert b"content-length" not in said


@pytest.mark.parametrize("path", ["/fail/", "/api/v1/fail/"])
def test_failure_of_the_application_is_answered_and_logged_once_as_every_other(web, path):
    before = web.log.read_text().count("ValueError: on purpose")
    answer, content = web.ask("GET", path, X_Request_ID="failed-1", Accept_Language="fr")
    assert (answer.status, answer.headers["X-Request-ID"]) == (500, "failed-1")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    if path.startswith("/api/"):
        assert json.loads(content)["code"] == "server-error"
    else:
        assert b'<html lang="fr"' in content
    web.wait(lambda: web.log.read_text().count("ValueError: on purpose") > before)
    log = web.log.read_text()
    assert log.count("ValueError: on purpose") == before + 1
    assert f"ERROR ops.front [failed-1] {path}" in log
    assert web.told("GET", "/")["body"] == ""


def test_answer_that_fails_half_way_is_not_taken_for_a_whole_one_is_logged_and_breaks_no_other(web):
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        web.ask("GET", "/broken/")
    web.wait(lambda: web.log.read_text().count("ValueError: half way") == 1)  # lines come by way of the supervisor
    assert web.told("GET", "/")["body"] == ""


def test_failures_in_a_row_fill_no_log(web):
    before = web.log.read_text().count("ValueError: on purpose")
    for _ in range(3 * Flood.MOST):
        assert web.ask("GET", "/fail/")[0].status == 500
    assert web.log.read_text().count("ValueError: on purpose") <= before + 2 * Flood.MOST


def test_stream_that_nobody_reads_any_more_is_closed(web):
    with web.open("GET /endless/ HTTP/1.1\r\nHost: x\r\n\r\n") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
    web.wait(lambda: web.told("GET", "/")["closed"] > 0)


def test_answer_that_is_held_open_takes_no_thread_and_ends_with_its_reader(web):
    closed = web.told("GET", "/")["closed"]
    opened = []
    for _ in range(3 * small.THREADS):
        connection, said = web.open("GET /held/ HTTP/1.1\r\nHost: x\r\n\r\n"), b""
        opened.append(connection)
        while b":\n\n" not in said:
            part = connection.recv(1000)
            assert part
            said += part
        assert b"content-length" not in said.lower()
        assert said.index(b"first\n\n") < said.index(b"data: MainThread\n\n")
        assert web.told("GET", "/")["thread"].startswith("answer"), "the threads are free"
    for connection in opened:
        connection.close()
    web.wait(lambda: web.told("GET", "/")["closed"] == closed + len(opened))


def test_answer_to_head_is_not_held_open(web):
    assert web.ask("HEAD", "/held/")[0].status == 200


# --- Who does not read --------------------------------------------------------------------------------------------


def narrow(web: Web, path: str) -> socket.socket:
    """Ask for something over a connection that takes little at a time; it is answered when this returns."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", web.port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Tell whether the other side has closed a connection, without reading what it sent."""
    watch = select.poll()
    watch.register(connection, select.POLLIN)
    return any(event & (select.POLLHUP | select.POLLERR) for _file, event in watch.poll(0))


def files_open(web: Web) -> int:
    """Return how many files the process that answers has open."""
    (process,) = children(web.process.pid)
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell how much has arrived")
def test_answer_that_nobody_reads_is_given_up_and_one_that_is_read_slowly_is_not(web):
    with narrow(web, "/long/") as unread, narrow(web, "/long/") as slow:
        began, got = time.monotonic(), 0
        while not is_closed(unread):
            assert time.monotonic() - began < PATIENCE
            got += len(slow.recv(2048))
            time.sleep(2048 / (4 * small.PACE))
        assert time.monotonic() - began > small.READING
        assert got + len(rest_of(slow)) > small.LONG


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell how much has arrived")
def test_of_answers_that_nobody_reads_no_more_is_held_than_may_be(web):
    most, began = small.UNREAD // small.LONG, time.monotonic()
    with ExitStack() as opened:
        unread = [opened.enter_context(narrow(web, "/long/")) for _ in range(3 * most)]
        web.wait(lambda: sum(map(is_closed, unread)) >= 2 * most)
        assert time.monotonic() - began < small.READING, "or else they were too slow, and not too many"
        assert not all(map(is_closed, unread))
        assert web.told("GET", "/")


def test_file_that_nobody_reads_is_not_kept_open(web):
    before = files_open(web)
    with ExitStack() as opened:
        unread = [opened.enter_context(narrow(web, "/file/")) for _ in range(5)]
        web.wait(lambda: web.told("GET", "/") and files_open(web) <= before + len(unread))


# --- What it refuses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(
    ("path", "most"),
    [("/api/v1/games/dix/check/", 64_000), ("/games/dix/", 64_000), ("/api/v1/events/", 256_000), ("/x/", 256_000)],
)
def test_body_has_the_cap_of_its_address(web, path, most, chunked):
    def send(size: int) -> Any:
        return web.ask("POST", path, iter([b"x" * size]) if chunked else b"x" * size)

    answer, content = send(most)
    assert (answer.status, len(json.loads(content)["body"])) == (200, most)
    began = web.told("GET", "/")["began"]
    answer, content = send(most + 1)
    assert (answer.status, answer.headers["Connection"]) == (413, "close")
    if path.startswith("/api/"):
        problem = json.loads(content)
        assert (problem["code"], problem["most_bytes"]) == ("body-too-large", most)
        assert problem["request_id"] == answer.headers["X-Request-ID"]
    else:
        assert b"That is too much at once" in content
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert web.told("GET", "/")["began"] == began + 1, "the application was not asked"


def test_file_to_import_has_a_cap_of_its_own(web):
    assert web.ask("POST", "/api/v1/clubs/x/players/import/", b"x" * 300_000)[0].status == 200


@pytest.mark.parametrize("kind", ["Content-Length: 500", "Transfer-Encoding: chunked"])
def test_body_that_stops_is_answered_408_and_closed(web, kind):
    began = time.monotonic()
    said = web.say(f"POST /api/v1/events/ HTTP/1.1\r\nHost: x\r\n{kind}\r\nX-Request-ID: slow-1\r\n\r\n1\r\nx\r\n")
    assert said.startswith(b"HTTP/1.1 408")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == "body-too-slow"
    assert time.monotonic() - began >= small.GRACE
    web.wait(lambda: "POST /api/v1/events/ 408" in web.log.read_text())
    assert "slow-1" in web.log.read_text()


def test_page_that_comes_too_slowly_is_told_in_its_language(web):
    said = web.say("POST /x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nAccept-Language: fr\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 408")
    assert b'<html lang="fr"' in said


def test_body_that_trickles_is_cut_and_one_that_keeps_up_is_not(web):
    with web.open("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nConnection: close\r\n\r\n") as trickling:
        began = time.monotonic()
        trickling.settimeout(0.1)
        said = b""
        while not said:
            try:
                said = trickling.recv(1000)
            except TimeoutError:
                trickling.sendall(b"x")
            assert time.monotonic() - began < 10
        assert said.startswith(b"HTTP/1.1 408")
    for _ in range(5):
        said, longest = say_steadily(web)
        if longest < small.GRACE / 2:
            break  # otherwise the machine kept this one from sending, who is then cut with good reason
    assert said.startswith(b"HTTP/1.1 200")


def say_steadily(web: Web) -> tuple[bytes, float]:
    """Send a body for longer than the grace, as quickly as is asked; return the answer and the longest pause."""
    size, longest = int(small.RATE * small.GRACE) * 2, 0.0
    with web.open(f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n") as steady:
        try:
            for _ in range(8):
                began = time.monotonic()
                steady.sendall(b"x" * (size // 8))
                time.sleep(small.GRACE / 6)
                longest = max(longest, time.monotonic() - began)
            return rest_of(steady), longest
        except ConnectionError:
            return b"", max(longest, time.monotonic() - began)


def test_body_that_was_quick_may_not_be_slow_with_the_rest(web):
    """By what it had sent, a file of 8 MB but for some bytes was held for 13 minutes."""
    head = "POST /api/v1/clubs/x/players/import/ HTTP/1.1\r\nHost: x\r\nContent-Length: 250000\r\n\r\n"
    with web.open(head + "x" * 240_000) as stopped:
        stopped.settimeout(4 * small.GRACE)
        assert stopped.recv(1000).startswith(b"HTTP/1.1 408")


def test_half_a_body_is_never_taken_for_a_whole_one(web):
    began = web.told("GET", "/")["began"]
    for kind in ("Content-Length: 500", "Transfer-Encoding: chunked"):
        web.open(f"POST / HTTP/1.1\r\nHost: x\r\n{kind}\r\n\r\n5\r\nabcde\r\n").close()
    time.sleep(0.3)
    assert web.told("GET", "/")["began"] == began + 1


def test_bodies_that_are_held_are_bounded(web):
    head = "POST /api/v1/clubs/x/players/import/ HTTP/1.1\r\nHost: x\r\nContent-Length: 250000\r\n\r\n"
    with web.open(head + "x" * 240_000):
        assert web.ask("POST", "/", b"x" * 100_000)[0].status == 200
        answer, _content = web.ask("POST", "/", b"x" * 200_000)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    time.sleep(small.GRACE)
    assert web.ask("POST", "/", b"x" * 200_000)[0].status == 200, "what was held is let go"


def test_a_sheet_is_taken_while_slow_strangers_hold_all_there_is(web):
    head = "POST /api/v1/clubs/x/players/import/ HTTP/1.1\r\nHost: x\r\nContent-Length: 250000\r\n\r\n"
    rest = small.HELD - 240_000 - 100
    with web.open(head + "x" * 240_000), web.open(head + "x" * rest):
        time.sleep(0.2)
        assert web.ask("POST", "/", b"x" * (small.SMALL + 1))[0].status == 503
        assert web.ask("POST", "/", b"x" * small.SMALL)[0].status == 200
    time.sleep(small.GRACE)


def test_files_leave_room_for_other_bodies(web):
    most = int(Limits.files * small.HELD)
    head = "POST /api/v1/clubs/x/players/import/ HTTP/1.1\r\nHost: x\r\nContent-Length: 390000\r\n\r\n"
    with web.open(head + "x" * (most - 10_000)) as held:
        assert web.ask("POST", "/", b"x" * 50_000)[0].status == 200
        held.sendall(b"x" * 20_000)
        assert held.recv(1000).startswith(b"HTTP/1.1 503")


def test_bodies_that_wait_for_a_thread_are_held_too(web):
    with ThreadPoolExecutor(small.THREADS + small.WAITING) as many:
        slow = [many.submit(web.ask, "POST", "/sleep/", b"x" * 200_000) for _ in range(2)]
        time.sleep(0.4)
        assert web.ask("POST", "/", b"x" * 200_000)[0].status == 503
        assert [each.result()[0].status for each in slow] == [200, 200]
    assert web.ask("POST", "/", b"x" * 200_000)[0].status == 200


def test_body_in_tiny_chunks_takes_no_more_memory_than_it_has_bytes():
    async def tiny() -> AsyncIterator[bytes]:
        for number in range(20_000):
            await asyncio.sleep(0)
            yield b"%04d" % (number % 10_000)

    protocol: Any = tiny()
    tracemalloc.start()
    try:
        body = asyncio.run(Front(lambda *_: [])._collect(protocol, 80_000, 80_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(body) == 80_000
    assert peak < 5 * len(body)


def test_no_more_wait_for_a_thread_than_may_and_none_for_long(web):
    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(lambda _: web.ask("GET", "/sleep/"), range(8)))
    statuses = sorted(answer.status for answer, _ in answers)
    assert statuses == [200] * (small.THREADS + small.WAITING) + [503] * (8 - small.THREADS - small.WAITING)
    refused = next(answer for answer, _ in answers if answer.status == 503)
    assert refused.headers["Retry-After"] == "2"
    assert web.told("GET", "/")["body"] == ""


def test_process_says_that_it_lives_while_no_thread_is_free(web):
    with ThreadPoolExecutor(8) as many:
        begun = [many.submit(web.ask, "GET", "/sleep/") for _ in range(8)]
        web.wait(lambda: any(each.done() for each in begun))  # those that are refused, because it is full
        answer, content = web.ask("GET", "/healthz", X_Request_ID="proxy-17")
    assert (answer.status, content) == (200, b'{"status": "ok"}')
    assert (answer.headers["Content-Type"], answer.headers["X-Request-ID"]) == ("application/json", "proxy-17")
    assert max(each.result()[0].status for each in begun) == 503, "there was no room for another"


# --- What a body is ------------------------------------------------------------------------------------------------

FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data"


@pytest.mark.parametrize(
    ("sent", "given"),
    [
        ("application/json", "application/json"),
        ("Application/JSON; charset=utf-16; a*=nope''%41", "application/json"),
        ("text/csv; charset=windows-1252", "text/csv"),
        ("text/plain; charset=undefined", "text/plain"),
        (FORM, FORM),
        (f"{FORM}; charset=UTF-8", FORM),
        (f'{FORM} ;charset="utf-8";', FORM),
        (f"{FORM}; Charset = us-ascii", FORM),
        (f"{PARTS}; boundary=a-b", f'{PARTS}; boundary="a-b"'),
        (f'{PARTS}; charset=utf8; x="; boundary=c"; Boundary="a b"', f'{PARTS}; boundary="a b"'),
        (f"{PARTS}; boundary=a_b=/c; charset=", f'{PARTS}; boundary="a_b=/c"'),
    ],
)
def test_of_what_a_body_is_only_that_is_passed_on_by_which_it_is_read(web, sent, given):
    assert web.told("POST", "/", b"x", Content_Type=sent)["environ"]["CONTENT_TYPE"] == given


def test_body_that_says_nothing_of_itself_is_passed_on(web):
    assert "CONTENT_TYPE" not in web.told("POST", "/", b"x")["environ"]


CODECS = "hex rot13 base64 zlib bz2 quopri uu idna punycode undefined unicode_escape raw_unicode_escape utf-16 latin-1"


@pytest.mark.parametrize("kind", [FORM, f"{PARTS}; boundary=a"])
@pytest.mark.parametrize(
    "more", [*(f"charset={codec}" for codec in CODECS.split()), 'charset="punycode"', "charset*=nope''%41", "a*0=b"]
)
@pytest.mark.parametrize("path", ["/x/", "/api/v1/x/"])
def test_form_in_letters_that_are_not_ours_is_refused_before_it_is_read(web, path, kind, more):
    answer, content = web.ask("POST", path, b"x", Content_Type=f"{kind}; {more}", Accept_Language="fr")
    assert answer.status == 415
    assert answer.headers["X-Request-ID"]
    if path.startswith("/api/"):
        assert json.loads(content)["code"] == "unsupported-media-type"
    else:
        assert b'<html lang="fr"' in content
    assert "Traceback" not in web.log.read_text().partition(answer.headers["X-Request-ID"])[2]


TYPES = [';"{};', '{};a="', "{};a ", ";{}a", "{}; ", ';boundary="{};']


@pytest.mark.parametrize("kind", ["a/b", FORM, PARTS])
@pytest.mark.parametrize("more", TYPES)
def test_what_a_body_is_takes_no_more_time_than_it_is_long(kind, more):
    before, repeated = more.split("{}")

    def read(written):
        environ = {"CONTENT_TYPE": written}
        keep_type(environ)
        assert environ["CONTENT_TYPE"] == kind

    assert takes_as_long_as_it_is(read, lambda length: kind + before + length * repeated, 6_000)


@pytest.mark.parametrize("name", ["Accept", "Idempotency-Key", "X-Some"])
def test_header_far_longer_than_any_stands_for_one_that_cannot_be_read(web, name):
    variable = f"HTTP_{name.upper().replace('-', '_')}"
    assert web.told("GET", "/", **{name: 8_192 * "a"})["environ"][variable] == 8_192 * "a"
    assert web.told("GET", "/", **{name: 8_193 * "a"})["environ"][variable] == "\x7f"


def test_many_cookies_are_read(web):
    many = "; ".join(["a=1"] * 4_000)
    assert web.told("GET", "/", Cookie=many)["environ"]["HTTP_COOKIE"] == many


# --- How it ends and begins again ---------------------------------------------------------------------------------


def test_reload_replaces_the_process_and_finishes_what_was_begun(web):
    (old,) = children(web.process.pid)
    with ThreadPoolExecutor(2) as slow:
        begun = slow.submit(web.ask, "GET", "/sleep/")
        held = slow.submit(web.say, "GET /held/ HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)
        web.process.send_signal(signal.SIGHUP)
        assert begun.result()[0].status == 200
        assert held.result().startswith(b"HTTP/1.1 200"), "which would never end by itself"
    web.wait(lambda: "replaced all processes" in web.log.read_text())
    web.wait(lambda: old not in children(web.process.pid))
    assert web.told("GET", "/")["body"] == ""


def test_old_process_has_as_long_as_the_largest_file_may_take():
    limits = Limits()
    longest = settings.FILE_UPLOAD_MAX_MEMORY_SIZE / limits.rate + limits.grace
    assert longest + limits.patience + limits.reading <= LEAVE


@pytest.mark.parametrize("what", ["broken", "broken-routes"])
def test_process_that_does_not_start_leaves_the_old_one_alone(web, what):
    (old,) = children(web.process.pid)
    broken = web.log.parent / what
    broken.touch()
    before = web.log.read_text().count(GIVEN_UP)
    web.process.send_signal(signal.SIGHUP)
    web.wait(lambda: web.log.read_text().count(GIVEN_UP) > before)
    broken.unlink()
    assert "half an update" in web.log.read_text()
    assert children(web.process.pid) == [old]
    assert web.told("GET", "/")["body"] == ""
