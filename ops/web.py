"""The web server: processes that answer on one listening socket, and are replaced without a gap.

`python -m ops.web --bind 127.0.0.1:8000 --workers 2` runs them for a deployment; SIGHUP replaces them, SIGTERM stops
them. The socket belongs to the process that starts them, which knows nothing of Django: a connection that comes while
one process ends and the next begins waits in the socket's queue, and every new process loads the code as it then is.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    # What is loaded from here on is as new as a reload asks for, which would end it until the supervisor takes over.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

import argparse
import asyncio
import errno
import importlib
import resource
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from granian._granian import SocketHolder
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server as Granian

from ops.console import Console
from ops.start import SetupError, parse_bind
from ops.supervisor import Supervisor, say_ready

APPLICATION = "config.front:application"
BACKLOG = 4096
LEAVE = 900.0  # seconds that an old process has at a reload: so long the largest file may come (`ops.front.Limits`)
SPARE_FILES = 512  # for databases, static files and logs
MOST_HEADER_BYTES = 65_536
# Seconds that one thread may compute while another waits. At Python's own 0.005 who asks the database a dozen things
# waits as often for all who compute; the event loop, which reads and sends for everybody, waits like them.
SWITCH = 0.0005


class Server(Granian):
    """granian on a socket that somebody else opened, for which it has no option."""

    def __init__(self, listener: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._listener = listener
        self._shd: Any = None

    def _init_shared_socket(self) -> None:
        # It is closed as soon as the server is to stop. What granian's stubs say of it is not for Linux.
        holder: Any = SocketHolder
        self._shd = holder(self._listener.detach(), False, BACKLOG)


def listen(bind: str) -> socket.socket:
    """Return a socket that listens at HOST:PORT, for processes to come; say it where that cannot be."""
    host, port = parse_bind(bind)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as if_it_fails:
            listener = if_it_fails.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
            if_it_fails.pop_all()
    except OSError as error:
        reason = "the port is taken" if error.errno == errno.EADDRINUSE else error.strerror
        raise SetupError(f"Cannot listen on {bind}: {reason}. Choose another address with --bind.") from error
    return listener


def answer(listener: socket.socket, application: str = APPLICATION, **more: Any) -> None:
    """Answer requests that come to a socket until SIGTERM, then end with those that were begun.

    `more` are options of granian.
    """
    sys.setswitchinterval(SWITCH)
    name, _, attribute = application.partition(":")
    target = getattr(importlib.import_module(name), attribute)
    target.load()  # before it says that it is ready: with that an old process leaves
    asyncio.run(_answer(listener, target, more))


async def _answer(listener: socket.socket, target: Any, more: dict[str, Any]) -> None:
    connections = _raise_file_limit(target.limits.connections)
    server = Server(
        listener,
        target,
        # HTTP/1 alone: where granian also looks for HTTP/2, a connection that says nothing is never closed.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(1000 * target.limits.headers), max_buffer_size=MOST_HEADER_BYTES
        ),
        websockets=False,
        backlog=BACKLOG,
        backpressure=connections,
        log_level=LogLevels.error,
        **more,
    )
    target.readers.most = connections // 2
    loop = asyncio.get_running_loop()

    def stop() -> None:
        target.end_streams()
        server.stop()  # type: ignore[no-untyped-call]

    loop.add_signal_handler(signal.SIGTERM, stop)
    serving = loop.create_task(server.serve())
    loop.call_later(0.1, say_ready)  # when the task has begun to listen
    await serving


def _raise_file_limit(connections: int) -> int:
    """Let this process open as many files as it may, and return how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    soft = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(128, min(connections, soft - SPARE_FILES))


def names(processes: int) -> list[str]:
    """Return what the processes that answer are called."""
    return [f"web-{number}" for number in range(1, processes + 1)]


def supervise(listener: socket.socket, workers: int, application: str) -> None:
    """Run processes that answer, until SIGTERM; replace them at SIGHUP."""
    run = partial(answer, listener, application)
    console = Console(sys.stderr)
    supervisor = Supervisor(
        dict.fromkeys(names(workers), run),
        console.write,
        keep=dict.fromkeys(names(workers), (listener.fileno(),)),
        marked=False,  # lines of JSON stay lines of JSON
        reload=signal.SIGHUP,
        leave=LEAVE,
    )
    # Whoever comes while the last requests are answered is refused at once, and a balancer takes another machine.
    try:
        supervisor.run(console.flush, at_stop=listener.close)
    finally:
        console.close()


def main(arguments: Sequence[str]) -> None:
    """Read the options and serve."""
    parser = argparse.ArgumentParser(prog="python -m ops.web", description=__doc__)
    parser.add_argument("--bind", metavar="HOST:PORT", default="127.0.0.1:8000", help="where to listen (%(default)s)")
    parser.add_argument("--workers", type=_count, default=2, help="how many processes answer (%(default)s)")
    parser.add_argument("--application", default=APPLICATION, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        listener = listen(options.bind)
    except SetupError as error:
        sys.exit(str(error))
    supervise(listener, options.workers, options.application)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("a number of processes, such as 2")
    return int(text)


if __name__ == "__main__":
    main(sys.argv[1:])
