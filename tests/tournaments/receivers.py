"""Receivers of webhooks on this machine: real servers that answer, refuse, redirect, hang or drip."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """A server that answers every message with `status`, once it `is_ready`, and keeps what it got."""

    url: str = ""
    status: int = 200
    is_ready: Callable[[], bool] = lambda: True
    headers: dict[str, str] = field(default_factory=dict)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        """The ids of the messages, in the order in which they came."""
        return [headers["webhook-id"] for headers, _ in self.got]


@contextlib.contextmanager
def receiver(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver, over TLS where a context is given."""
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            while not kept.is_ready():
                time.sleep(0.01)
            self.send_response(kept.status)
            for name, value in kept.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(b"thank you")

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *args: Any) -> None:
            pass  # who hangs up on a wrong certificate is no news

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    kept.url = f"{'https' if tls else 'http'}://localhost:{server.server_port}/hook?x=1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def listener(speak: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Run something that takes connections and does with each what it likes; yield its address."""
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.02)

        def run() -> None:
            with contextlib.ExitStack() as open_connections:
                while not stop.is_set():
                    with contextlib.suppress(TimeoutError):
                        connection = open_connections.enter_context(server.accept()[0])
                        with contextlib.suppress(OSError):
                            speak(connection, stop)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        finally:
            stop.set()
            thread.join()


def hang(connection: socket.socket, stop: threading.Event) -> None:
    """Take the connection and never say a word."""


def hang_until(is_over: Callable[[], bool]) -> Callable[[socket.socket, threading.Event], None]:
    """Return what takes a connection, says no word, and ends it once something else is over."""

    def speak(connection: socket.socket, stop: threading.Event) -> None:
        while not (is_over() or stop.wait(0.01)):
            pass
        connection.close()

    return speak


def drip(connection: socket.socket, stop: threading.Event) -> None:
    """Send a header that never ends, a byte at a time."""
    while not stop.wait(0.02):
        connection.sendall(b"H")


def babble(connection: socket.socket, stop: threading.Event) -> None:
    """Speak something that is not HTTP."""
    connection.sendall(b"220 mail.example.org ESMTP\r\n")
