"""Where the service writes its lines may be paused, full, gone or short of letters: the service goes on."""

from __future__ import annotations

import io
import os
import pty
import select
import termios
from collections.abc import Callable, Iterator

import pytest

from ops.console import MOST_WAITING, Console

LINE = "x" * 199


@pytest.fixture
def written_to() -> Iterator[Callable[..., Console]]:
    """Return what makes a console of a descriptor, and closes both at the end."""
    made: list[Console] = []

    def make(descriptor: int, encoding: str = "utf-8") -> Console:
        made.append(Console(os.fdopen(descriptor, "w", encoding=encoding)))
        return made[-1]

    yield make
    for console in made:
        console.waiting.clear()
        console.close()
        console.file.close()


def read_all(descriptor: int) -> bytes:
    found = b""
    while select.select([descriptor], [], [], 0.2)[0]:
        found += os.read(descriptor, 65536)
    return found


@pytest.fixture
def pipe(written_to: Callable[..., Console]) -> Iterator[tuple[int, Console]]:
    reader, writer = os.pipe()
    yield reader, written_to(writer)
    os.close(reader)


def test_lines_are_written_as_they_come(pipe):
    reader, console = pipe
    console.write("one")
    console.write("two")
    assert read_all(reader) == b"one\ntwo\n"


def test_pipe_that_nobody_reads_holds_nobody_up_and_what_was_left_out_is_counted(pipe):
    reader, console = pipe
    for _ in range(2_000):
        console.write(LINE)
    assert len(console.waiting) <= MOST_WAITING
    left_out = console.left_out
    assert left_out > 500
    found = b""
    while console.waiting:
        found += read_all(reader)
        console.flush()
    found += read_all(reader)
    assert found.count(LINE.encode()) == 2_000 - left_out
    assert found.endswith(f"({left_out} lines could not be shown here.)\n".encode())


@pytest.mark.parametrize("is_stopped", [True, False], ids=["paused", "not read"])
def test_terminal_that_takes_nothing_holds_nobody_up(written_to, is_stopped):
    master, terminal = pty.openpty()
    console = written_to(terminal)
    if is_stopped:
        termios.tcflow(terminal, termios.TCOOFF)
    for _ in range(2_000):
        console.write(LINE)
    assert console.left_out
    assert os.get_blocking(terminal), "the shell shares it"
    termios.tcflow(terminal, termios.TCOON)
    while console.waiting:
        read_all(master)
        console.flush()
    os.close(master)


def test_reader_that_went_away_ends_nothing(written_to):
    reader, writer = os.pipe()
    console = written_to(writer)
    os.close(reader)
    console.write("nobody reads this")
    console.write("nor this")
    console.close()
    assert console.waiting


def test_full_disk_below_the_log_ends_nothing(written_to):
    console = written_to(os.open("/dev/full", os.O_WRONLY))
    console.write("one")
    console.close()
    assert console.waiting == b"one\n"


def test_letters_that_a_terminal_does_not_know_are_replaced(written_to):
    reader, writer = os.pipe()
    console = written_to(writer, "ascii")
    console.write("Stopping … Öl")
    assert read_all(reader) == b"Stopping ? ?l\n"
    os.close(reader)


def test_what_was_written_before_comes_first(tmp_path):
    file = tmp_path / "log"
    with file.open("w") as opened:
        assert isinstance(opened, io.TextIOWrapper)
        opened.write("before\n")
        Console(opened).write("after")
    assert file.read_text() == "before\nafter\n"
