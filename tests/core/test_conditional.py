"""Answers that are kept as bytes."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest

from core.conditional import Answer, forget_all, kept
from core.costly import Work

AT_ONCE = 4
KEY = "tests: asked for at once"


@pytest.mark.parametrize(("keep", "times"), [(lambda _key, make: make(), AT_ONCE), (kept, 1)])
def test_what_many_ask_for_at_once_is_made_once_where_the_others_wait(keep, times):
    made, together = [], Barrier(AT_ONCE)

    def make():
        made.append(KEY)
        with suppress(BrokenBarrierError):  # where nobody else makes it
            together.wait(0.5)
        return Answer("tag", b"body", "text/plain")

    forget_all()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda _: keep(KEY, make), range(AT_ONCE)))
    assert ({answer.body for answer in answers}, len(made)) == ({b"body"}, times)
    forget_all()


def test_what_waits_for_its_turn_is_not_made_again_where_it_was_made_meanwhile():
    made, work = [], Work(AT_ONCE - 1)

    def make():
        made.append(KEY)
        time.sleep(0.3)  # in which the others come
        return Answer("tag", b"body", "text/plain")

    forget_all()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda _: kept(KEY, make, work), range(AT_ONCE)))
    assert ({answer.body for answer in answers}, len(made)) == ({b"body"}, 1)
    forget_all()


def test_what_could_not_be_made_is_made_by_the_next_who_asks():
    with pytest.raises(ZeroDivisionError):
        kept(KEY, lambda: 1 // 0)
    assert kept(KEY, lambda: Answer("tag", b"body", "text/plain")).body == b"body"
    forget_all()
