"""Limits are the same with one process and with many, and none waits for the server that they are shared by."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from core import breaker, limits, shared
from tests.services import start_valkey, valkey_url

COUNTING = """
import sys
from core import limits, shared
if sys.argv[2] == "alone":
    shared.memory = shared.SharedMemory("amqp://guest@localhost//")
print(sum(limits.take(sys.argv[1], "10.0.0.1", 60, 60).is_within for _ in range(100)))
"""


@pytest.fixture
def scope():
    """A limit of this test alone: all tests have one broker."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def memory(monkeypatch):
    """The memory of the broker that the tests have."""
    found = shared.SharedMemory(settings.BROKER_URL)
    monkeypatch.setattr(shared, "memory", found)
    return found


@pytest.fixture
def valkey(tmp_path, monkeypatch):
    """A server of this test's own, which it may stop."""
    monkeypatch.setattr(shared, "memory", shared.SharedMemory(valkey_url(tmp_path)))
    server = start_valkey(tmp_path)
    yield server
    server.send_signal(signal.SIGCONT)
    server.kill()
    server.wait()


@pytest.fixture
def clock(monkeypatch):
    """The seconds of this process, which the test moves on."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def taken(scope, number, most=60, seconds=60):
    return sum(limits.take(scope, "10.0.0.1", most, seconds).is_within for _ in range(number))


@pytest.mark.parametrize(("how", "in_all"), [("together", 60), ("alone", 120)])
def test_two_processes_allow_as_much_as_one(scope, how, in_all):
    """The control counts alone, and allows twice as much."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, "-c", COUNTING, scope, how]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sum(int(process.communicate(timeout=60)[0]) for process in both) == in_all


def test_shared_and_own_counts_agree(scope, memory, monkeypatch):
    together = [limits.take(scope, "a", 5, 60) for _ in range(7)]
    cache.clear()
    monkeypatch.setattr(shared, "memory", shared.SharedMemory(""))
    alone = [limits.take(scope, "a", 5, 60) for _ in range(7)]
    assert [usage[:2] for usage in together] == [usage[:2] for usage in alone]
    assert [usage.is_within for usage in alone] == [True] * 5 + [False] * 2
    for one, other in zip(together, alone, strict=True):
        assert one.wait == pytest.approx(other.wait, abs=1)
        assert one.ends == pytest.approx(other.ends, abs=1)


def test_no_minute_has_more_than_the_limit_whenever_it_begins(clock, scope):
    assert taken(scope, 1) == 1
    clock[0] += 59
    assert taken(scope, 100) == 59
    clock[0] += 2
    assert taken(scope, 100) <= 2, "the minute before counts for what of it is less than a minute ago"
    clock[0] += 120
    assert taken(scope, 100) == 60


def test_wait_is_as_long_as_it_says(clock, scope):
    for _ in range(3):
        taken(scope, 60)
        wait = limits.take(scope, "10.0.0.1", 60, 60).wait
        assert wait > 0
        clock[0] += wait - 0.01
        assert taken(scope, 1) == 0
        clock[0] += 0.02
        assert taken(scope, 1) == 1


def test_looking_counts_nothing(scope, memory):
    assert not limits.is_used_up(scope, "a", 1, 60)
    assert limits.take(scope, "a", 1, 60).is_within
    assert limits.is_used_up(scope, "a", 1, 60)
    cache.clear()
    assert limits.is_used_up(scope, "a", 1, 60), "others have counted it"


def test_keys_say_nothing_of_anybody_and_end(scope, memory):
    limits.take(scope, "10.0.0.1", 5, 60)
    limits.turn(scope, 1, 5)
    keys = list(memory._client.scan_iter(f"*{scope}*"))
    assert len(keys) == 2
    assert not [key for key in keys if b"10.0.0.1" in key]
    assert all(0 < memory._client.pttl(key) <= 120_000 for key in keys)


def test_server_whose_clock_is_set_back_forgives(scope, memory):
    taken(scope, 60)
    (key,) = memory._client.scan_iter(f"*{scope}*")
    memory._client.hincrby(key, "since", 3_600_000)
    cache.clear()
    assert taken(scope, 61) == 60


def test_server_that_hangs_delays_nobody_and_lifts_no_limit(valkey, scope):
    assert taken(scope, 30) == 30
    valkey.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    assert taken(scope, 1000) == 30, "what this process counted before still counts"
    assert time.monotonic() - began < 1
    valkey.send_signal(signal.SIGCONT)


def test_server_that_comes_back_is_used_again(valkey, tmp_path, scope, monkeypatch):
    monkeypatch.setattr(breaker, "PAUSE", 0.0)
    assert taken(scope, 10) == 10
    valkey.kill()
    valkey.wait()
    assert taken(scope, 10) == 10
    (tmp_path / "valkey.sock").unlink()
    again = start_valkey(tmp_path)
    try:
        assert taken(scope, 30) == 30
        assert taken(scope, 30) == 10, "what it counted alone is not forgotten"
        cache.clear()
        assert taken(scope, 100) == 20, "another process was told of those since"
    finally:
        again.kill()
        again.wait()


@pytest.fixture
def name_server(monkeypatch):
    """A name server that hangs until the test is over, and who asked it."""
    asked, is_over = [], threading.Event()

    def hang(*place, **_):
        asked.append(place)
        is_over.wait()
        raise socket.gaierror("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield asked
    is_over.set()


def test_name_server_that_hangs_delays_nobody(name_server, monkeypatch, scope, caplog):
    monkeypatch.setattr(shared, "memory", shared.SharedMemory("redis://broker.example/0"))
    began = time.monotonic()
    with ThreadPoolExecutor(8) as many:
        assert sum(many.map(lambda _: taken(scope, 20), range(8))) == 60
    assert time.monotonic() - began < 1
    assert len(name_server) <= 8
    assert len(caplog.records) == 1
    name_server.clear()
    monkeypatch.setattr(shared.memory.breaker, "silent_until", 0.1)  # as after the pause
    with ThreadPoolExecutor(8) as many:
        list(many.map(lambda _: taken(f"{scope}-again", 1), range(8)))
    assert len(name_server) == 1


def test_server_that_is_found_late_is_used_from_then_on(memory, monkeypatch, scope):
    monkeypatch.setattr(breaker, "PAUSE", 0.0)
    patient = memory._client.connection_pool.connection_class
    kind = patient.__base__
    may_go_on, connect = threading.Event(), kind._connect

    def connect_late(kept):
        may_go_on.wait()
        return connect(kept)

    monkeypatch.setattr(kind, "_connect", connect_late)
    assert memory.run(limits.TAKE, scope, 1, 1, 0) is None
    may_go_on.set()
    end = time.monotonic() + 10
    while memory.run(limits.TAKE, scope, 1, 1, 0) is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    for each in patient.made:
        each.close()


def test_server_that_is_away_is_looked_for_once(monkeypatch, scope):
    with socket.create_server(("127.0.0.1", 0)) as taken_port:
        port = taken_port.getsockname()[1]
    asked, look_up = [], socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda *place, **how: asked.append(place) or look_up(*place, **how))
    assert shared.SharedMemory(f"redis://127.0.0.1:{port}/0").run(limits.TAKE, scope, 1, 1, 1) is None
    assert len(asked) == 1


@pytest.mark.parametrize("url", ["redis://localhost:notaport/0", "redis://[::1", "redis://a..b/0"])
def test_address_that_leads_nowhere_is_as_good_as_away(url):
    assert shared.SharedMemory(url).run(limits.TAKE, "key", 1, 1, 1) is None


def test_other_brokers_are_never_asked():
    assert shared.SharedMemory("amqp://guest@localhost//").run(limits.TAKE, "key", 1, 1, 1) is None


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://:secret@cache:6380/2", {"host": "cache", "port": 6380, "db": 2, "password": "secret"}),
        ("redis+socket:///run/broker.sock?virtual_host=3", {"path": "/run/broker.sock", "db": 3}),
        ("rediss://cache/0?ssl_cert_reqs=CERT_REQUIRED", {"host": "cache", "ssl_cert_reqs": "required"}),
    ],
)
def test_addresses_of_brokers_are_understood(url, place):
    found = shared.SharedMemory(url)._client.connection_pool.connection_kwargs
    assert place.items() <= found.items()


@pytest.mark.parametrize("how", ["together", "alone"])
def test_turns_come_one_after_another_and_patience_ends(scope, how, request):
    if how == "together":
        request.getfixturevalue("memory")
    waits = [limits.turn(scope, 2.0, 5.0) for _ in range(4)]
    assert [wait is not None and round(wait) for wait in waits] == [0, 2, 4, False]
    if how == "together":
        cache.clear()
        assert limits.turn(scope, 2.0, 5.0) is None, "another process has the same turns"
