"""Whoever waits for news is woken so that what everybody is told never holds up what happens at a table."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.held import answering
from scoring.news import hub
from scoring.news.hub import AT_ONCE, Listener, Queue, Told
from tests.scoring.news.test_state import STATE, later
from tournaments.access.guards import Guard

NEWS, PLACE = b"event: news\ndata: 1\n\n", b'event: place\ndata: {"rank": 3}\n\n'
MANY = AT_ONCE + 20


@pytest.fixture(autouse=True)
def own_queue(monkeypatch):
    monkeypatch.setattr(hub, "queue", Queue())
    monkeypatch.setattr(hub, "APART", 0.0001)
    monkeypatch.setattr(answering, "number", 0)


async def listening(number: int) -> list[Listener]:
    found = [Listener(1, STATE, lambda _: NEWS, Guard(entry=(each, 1)), "", b"") for each in range(number)]
    for each in found:
        each.loop, each.news = asyncio.get_running_loop(), asyncio.Event()
    return found


def on_a_loop(work) -> None:
    """Run something on an event loop of its own: a browser of another test keeps one running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def told(listeners, part=NEWS, **facts):
    return [Told(each, part, is_last=False, **facts) for each in listeners]


def woken(listeners) -> int:
    return sum(each.news.is_set() for each in listeners)


async def until(condition) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.001)


def test_a_few_are_woken_at_once_and_everybody_in_the_end():
    async def play():
        readers = await listening(MANY)
        hub._hand(told(readers))
        assert woken(readers) == AT_ONCE
        await until(lambda: woken(readers) == MANY)

    on_a_loop(play())


def test_those_of_a_table_are_woken_before_all_who_wait_already(monkeypatch):
    monkeypatch.setattr(hub, "APART", 10)

    async def play():
        crowd, table = await listening(MANY), await listening(4)
        hub._hand(told(crowd))
        hub._hand([*told(crowd[AT_ONCE:]), *told(table, is_near=True)])
        assert woken(table) == len(table)

    on_a_loop(play())


def test_a_busy_process_wakes_nobody_but_after_a_while(monkeypatch):
    monkeypatch.setattr(answering, "number", hub.FEW)

    async def play():
        readers = await listening(MANY)
        hub.queue._last = asyncio.get_running_loop().time()
        hub._hand(told(readers))
        await asyncio.sleep(0.05)
        assert woken(readers) == AT_ONCE
        monkeypatch.setattr(hub, "LATEST", 0.0)
        await until(lambda: woken(readers) == MANY)

    on_a_loop(play())


def test_a_new_place_is_told_at_once_but_not_to_who_waits_for_a_page(monkeypatch):
    monkeypatch.setattr(hub, "APART", 10)

    async def play():
        readers, others = await listening(MANY), await listening(MANY)
        hub._hand(told(readers))
        hub._hand(told([*readers, *others], PLACE))
        assert (woken(readers), woken(others)) == (AT_ONCE, MANY)
        assert b"".join(readers[-1].unsent) == NEWS + PLACE, "it hears both when its turn comes"

    on_a_loop(play())


def test_silence_is_kept_alive_without_telling_what_waits_for_its_turn(monkeypatch):
    monkeypatch.setattr(hub, "BEAT", 0.001)

    async def play():
        (reader,) = await listening(1)
        reader.beat = b"event: beat\ndata: 1\n\n"
        reader.unsent.append(NEWS)
        assert await reader._next() == reader.beat
        reader.news.set()
        assert await reader._next() == NEWS

    on_a_loop(play())


def test_ones_own_table_is_near_and_for_the_club_every_table():
    guards = (Guard(entry=(11, 1)), Guard(entry=(99, 1)), Guard(member=(1, 1, "owner")))
    near = [Listener(1, STATE, lambda _: NEWS, guard, "", b"") for guard in guards]
    assert [each.is_near(later(tables={1: 2, 2: 1})) for each in near] == [True, False, True]


def no_room(_thread):
    raise RuntimeError("can't start new thread")


def test_readers_are_told_again_once_the_machine_has_a_thread_for_it(monkeypatch):
    watched = threading.Event()
    told_by = hub.Hub()
    monkeypatch.setattr(told_by, "_watch", watched.set)  # it ends as one does that met what nobody thought of
    reader = Listener(1, STATE, lambda _: NEWS, Guard(), "", b"")
    with monkeypatch.context() as full:
        full.setattr(hub.threading.Thread, "start", no_room)
        with pytest.raises(RuntimeError):
            told_by.add(reader)
    assert not told_by._all(), "who is not told is not counted"
    for _ in range(2):
        told_by.add(reader)
        assert watched.wait(5)
        told_by._thread.join()
        watched.clear()
