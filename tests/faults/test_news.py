"""Streams of news from a service of two web processes: across processes, through reloads, and with slow readers."""

from __future__ import annotations

import http.client
import importlib
import json
import os
import signal
import socket
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.factories import EntryFactory
from tests.faults.crowds import held
from tests.faults.phones import token_of
from tests.faults.stand import wait_for
from tests.scoring.evenings import evening, table_in
from tournaments.actors import Actor, Kind
from tournaments.models import Event
from tournaments.services import entries

pytestmark = pytest.mark.database


class Reader:
    """Somebody who reads a stream, in a thread of their own; `messages` are name and data, `last_id` the last id."""

    def __init__(self, stand, path, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", stand.port, timeout=60)
        self.connection.request("GET", path, headers=headers)
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.messages, self.last_id, self.is_over = [], "", False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        try:
            name = ""
            for line in self.answer:
                field, _, value = line.decode().strip().partition(": ")
                name = value if field == "event" else name
                self.last_id = value if field == "id" else self.last_id
                if field == "data":
                    self.messages.append((name, json.loads(value)))
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass
        self.is_over = True

    def heard(self, *names):
        """Return what came of messages of these names."""
        return [data for name, data in self.messages if name in names]

    def close(self):
        """Hang up."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.answer.close()
        self.connection.close()


@pytest.fixture
def listen(stand):
    """Return a function that opens a stream of an event, or as a phone does; all are closed in the end."""
    with ExitStack() as opened:

        def listen(event=None, *, phone=None, **headers):
            path = f"/api/v1/events/{event.uid}/stream/" if event else f"/e/{phone.entry.event.uid}/me/news/?tag="
            cookie = {"cookie": f"phone-{phone.entry.event.uid}={token_of(phone)}"} if phone else {}
            return opened.enter_context(closing(Reader(stand, path, **headers, **cookie)))

        yield listen


def test_every_process_tells_what_any_of_them_wrote(listen, ledger):
    tonight = evening(confirmation="confirm")
    readers = [listen(tonight.event) for _ in range(8)]
    wait_for(lambda: all(reader.messages for reader in readers))
    assert readers[0].answer.headers["Content-Type"].startswith("text/event-stream")
    before = readers[0].messages[0][1]["version"]
    ledger.report(tonight)
    wait_for(lambda: all(reader.heard("change")[-1]["version"] > before for reader in readers))
    for reader in readers:
        versions = [data["version"] for data in reader.heard("change")]
        assert versions == sorted(set(versions)), "each once, in their order"
        assert "tables" in {name for data in reader.heard("change")[1:] for name in data["what"]}


def test_a_phone_hears_of_its_own_table_and_not_of_others(listen, ledger):
    tonight = evening(confirmation="confirm")
    guests: list[Any] = [EntryFactory(event=tonight.event) for _ in range(3)]
    table_in(tonight.table.round, guests, number=2)
    mine, other = listen(phone=tonight.players[1]), listen(phone=Actor(Kind.ENTRY, entry=guests[0]))
    wait_for(lambda: mine.heard("beat") and other.heard("beat"))
    assert (len(mine.heard("news")), len(other.heard("news"))) == (1, 1), "the pages knew nothing"
    ledger.report(tonight)
    wait_for(lambda: len(mine.heard("news")) > 1)
    assert len(other.heard("news")) == 1


def test_a_stream_ends_with_its_link_and_with_its_event(listen):
    tonight = evening()
    renewed, other = listen(phone=tonight.players[0]), listen(phone=tonight.players[1])
    wait_for(lambda: renewed.heard("beat") and other.heard("beat"))
    entries.renew_link(actor=tonight.players[0], entry=tonight.entries[0])
    wait_for(lambda: renewed.is_over)
    assert not other.is_over
    Event.objects.filter(pk=tonight.event.pk).update(status="cancelled", version=100)
    wait_for(lambda: other.is_over)
    assert other.messages[-2:] == [("news", 1), ("end", 1)]


def test_an_event_that_becomes_private_is_told_to_its_own_alone(listen):
    tonight = evening()
    anybody, player = listen(tonight.event), listen(phone=tonight.players[0])
    wait_for(lambda: anybody.messages and player.heard("beat"))
    Event.objects.filter(pk=tonight.event.pk).update(is_public=False, version=100)
    wait_for(lambda: anybody.is_over)
    wait_for(lambda: len(player.heard("news")) == 2)
    assert not player.is_over


def test_processes_are_replaced_though_streams_are_open(stand, listen):
    tonight = evening()
    readers = [listen(tonight.event) for _ in range(20)]
    wait_for(lambda: all(reader.messages for reader in readers))
    before = set(stand.web_workers())
    os.kill(stand.running["web"].pid, signal.SIGHUP)
    wait_for(lambda: before.isdisjoint(stand.web_workers()))
    wait_for(lambda: all(reader.is_over for reader in readers))
    assert "did not stop" not in stand.log("web")
    known = readers[0].messages[-1][1]["version"]
    again = listen(tonight.event, **{"last-event-id": readers[0].last_id})
    Event.objects.filter(pk=tonight.event.pk).update(version=known + 5)
    assert wait_for(lambda: again.heard("change"))[0]["version"] == known + 5


def test_the_python_client_hears_at_once_and_comes_back(stand, ledger, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "clients" / "python")
    tonight = evening(confirmation="confirm")
    with importlib.import_module("ludoscore_client").Ludoscore(f"http://127.0.0.1:{stand.port}") as api:
        heard = api.stream(tonight.event.uid)
        first = next(heard)
        ledger.report(tonight)
        reported = next(heard)
        assert (reported.version > first.version, "tables" in reported.what) == (True, True)
        before = set(stand.web_workers())
        os.kill(stand.running["web"].pid, signal.SIGHUP)
        wait_for(lambda: before.isdisjoint(stand.web_workers()))
        known = Event.objects.get(pk=tonight.event.pk).version + 100
        Event.objects.filter(pk=tonight.event.pk).update(version=known)
        assert known in (change.version for change in heard)
        heard.close()


def test_readers_who_never_read_hold_nobody_up(stand, listen, ledger):
    tonight = evening(confirmation="confirm")
    request = f"GET /api/v1/events/{tonight.event.uid}/stream/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with held(stand.port, request, 100):
        reader = listen(tonight.event)
        wait_for(lambda: reader.messages)
        assert ledger.report(tonight).status == 201
        wait_for(lambda: len(reader.heard("change")) > 1)
