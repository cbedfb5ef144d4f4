"""The door of the web process: it reads every request whole before one of a few threads answers it.

granian calls it for each request on an event loop (RSGI). A body that never ends waits here, where waiting costs a
connection and the bytes that came: no thread, no transaction and no lock. What is too large, too slow or too much is
answered here too; everything else is answered by Django as before, through WSGI. An answer that stays open is held
here once Django has made it.
"""

from __future__ import annotations

import asyncio
import io
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.urls import Resolver404, resolve

from api.framework import BodyTooLargeError
from api.slashes import with_slash
from core.errors import DomainError
from core.held import HeldResponse, answering
from ops.errors import BusyError, FailedError, LettersError, NowhereError, SlowBodyError, refusal
from ops.health import ALIVE, alive
from ops.readers import Readers
from ops.request_ids import RequestIdMiddleware

if TYPE_CHECKING:
    from django.http import HttpResponse
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

    Environ = dict[str, Any]
    Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
    Headers = list[tuple[str, str]]

logger = logging.getLogger(__name__)

BODILESS = {"GET", "HEAD", "OPTIONS", "TRACE"}
LONGEST_PATH = 1_000  # characters, some times as many as the longest address of ours has
LONGEST_NAME = 100  # characters of the name of a header


class Refused(Exception):  # noqa: N818 (it says what happened, the error says why)
    """A request is refused with an error that is made, and says its reason, in the language of the caller."""

    def __init__(self, make: Callable[[], DomainError]) -> None:
        super().__init__()
        self.make = make


@dataclass(frozen=True)
class Limits:
    """How much one process takes on."""

    threads: int = 9  # each may hold a database connection
    waiting: int = 1000  # requests that wait for a thread; a full house at the end of a round is some 500
    patience: float = 10.0  # seconds that a request waits for a thread
    grace: float = 5.0  # seconds that any body may take, or be behind …
    rate: float = 10_000.0  # … the bytes per second that a longer one must keep up
    held: int = 64_000_000  # bytes of all bodies that are being read or wait for a thread …
    files: float = 0.8  # … the share of them that files may fill: whoever is slow with those keeps no others out …
    small: int = 16_000  # … but one of so many bytes is always taken: whoever is slow with much keeps no sheet out
    headers: float = 10.0  # seconds to send the headers of a request, and to stay idle between two
    connections: int = 8192  # open at a time; an idle one costs some 20 kB
    unread: int = 64_000_000  # bytes of all answers that nobody has read yet; beyond, the worst readers are closed
    reading: float = 30.0  # seconds that any answer may take to arrive, or be behind …
    pace: float = 2_000.0  # … the bytes per second that a longer one must keep up


class Front:
    """An RSGI application that reads bodies and runs a WSGI application in a bounded number of threads."""

    def __init__(self, application: Application, limits: Limits | None = None) -> None:
        self.application, self.limits = application, limits or Limits()
        self.held = self.waiting = 0
        self.is_ending = False
        self.streams: set[asyncio.Future[Any]] = set()
        known = self.limits
        self.readers = Readers(held=known.unread, patience=known.reading, pace=known.pace)

    def load(self) -> None:
        """Load every route, which takes a while, and fails where half an update was made."""
        most_bytes("/")

    def __rsgi_init__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, once the process is the one that answers."""
        self.threads = ThreadPoolExecutor(self.limits.threads, "answer")
        self.free = asyncio.Semaphore(self.limits.threads)
        self.readers.start()

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """End the threads."""
        self.readers.stop()
        self.threads.shutdown()

    def end_streams(self) -> None:
        """End the answers that are held open, so that the process can end; their readers come again, to another."""
        self.is_ending = True
        for stream in self.streams:
            stream.cancel()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer a request."""
        path, environ, size = scope.path, environ_of(scope), 0
        try:
            keep_type(environ)
            if len(path) > LONGEST_PATH:
                raise Refused(NowhereError)
            if scope.method not in BODILESS or "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
                size = await self._read_body(environ, path, protocol)
            self.held += size
            if path == ALIVE:  # here, where nothing is waited for: every thread may wait for a database that is away
                response = cast("HttpResponse", RequestIdMiddleware(alive)(WSGIRequest(environ)))
                return protocol.response_bytes(response.status_code, [*response.items()], response.content)
            answer = await self._run(environ, protocol, scope.client)
            if answer is not None:
                self.held, size = self.held - size, 0
                await self._hold(protocol, *answer)
        except Refused as refused:
            _refuse(environ, protocol, refused.make)
        except ConnectionError:
            protocol.response_empty(400, [("connection", "close")])  # whoever sent half a body is gone
        except Exception as error:  # granian would answer without a word, and log every one
            _refuse(environ, protocol, partial(_failed, path, error))
        finally:
            self.held -= size

    # --- The body -------------------------------------------------------------------------------------------------

    async def _read_body(self, environ: Environ, path: str, protocol: HTTPProtocol) -> int:
        most, declared = most_bytes(path), _length(environ)
        if declared is not None and declared > most:
            raise Refused(partial(BodyTooLargeError, most))
        body = b"" if declared == 0 else await self._collect(protocol, most, declared)
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        return len(body)

    async def _collect(self, protocol: HTTPProtocol, most: int, declared: int | None) -> bytes:
        """Return the body, which must keep coming; `declared` is its length, None where it comes in chunks."""
        body = bytearray()  # a list of parts that have two bytes each would take twenty times the memory
        size, ends, deadline = 0, 0, time.monotonic() + self.limits.grace
        stream = aiter(protocol)
        try:
            while size != declared:
                part = await self._next(stream, deadline)
                if part is None:
                    break
                # granian passes on a connection that broke as an empty part before the empty one that ends every body.
                ends += not part
                size += len(part)
                self.held += len(part)
                body += part
                if size > most:
                    raise Refused(partial(BodyTooLargeError, most))
                if self._is_too_much(size):
                    raise Refused(BusyError)
                # Who was quick with most of a file may not be slow with the rest: it would be held for many minutes.
                deadline = min(deadline + len(part) / self.limits.rate, time.monotonic() + self.limits.grace)
        finally:
            self.held -= size
        if ends > 1 or (declared is not None and size != declared):
            raise ConnectionError
        return bytes(body)

    def _is_too_much(self, size: int) -> bool:
        """Tell whether no more is held of a body of which so many bytes came."""
        is_file = size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        most = self.limits.held * (self.limits.files if is_file else 1)
        return self.held > most and size > self.limits.small

    async def _next(self, stream: Any, deadline: float) -> bytes | None:
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                return bytes(await anext(stream))
        except StopAsyncIteration:
            return None
        except TimeoutError:
            raise Refused(SlowBodyError) from None

    # --- The answer -----------------------------------------------------------------------------------------------

    async def _run(
        self, environ: Environ, protocol: HTTPProtocol, client: str
    ) -> tuple[int, Headers, HeldResponse] | None:
        """Have a thread answer, as soon as one is free; return an answer that is to be held open."""
        answering.number += 1
        try:
            await (self._wait() if self.free.locked() else self.free.acquire())
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self.threads, self._answer, environ, protocol, client)
            finally:
                self.free.release()
        finally:
            answering.number -= 1

    async def _wait(self) -> None:
        if self.waiting >= self.limits.waiting:
            raise Refused(BusyError)
        self.waiting += 1
        try:
            async with asyncio.timeout(self.limits.patience):
                await self.free.acquire()
        except TimeoutError:
            raise Refused(BusyError) from None
        finally:
            self.waiting -= 1

    def _answer(
        self, environ: Environ, protocol: HTTPProtocol, client: str
    ) -> tuple[int, Headers, HeldResponse] | None:
        status, headers = 500, list[tuple[str, str]]()

        def start_response(line: str, named: list[tuple[str, str]], _exc_info: Any = None) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), named

        result = self.application(environ, start_response)
        try:
            if isinstance(result, HeldResponse) and environ["REQUEST_METHOD"] == "GET" and not self.is_ending:
                return status, headers, result
            self._send(protocol, client, status, headers, result)
            return None
        finally:
            if hasattr(result, "close"):
                result.close()

    def _send(
        self, protocol: HTTPProtocol, client: str, status: int, headers: Headers, result: Iterable[bytes]
    ) -> None:
        if not getattr(result, "streaming", False):
            content = b"".join(result)
            self.readers.give(client, len(content))
            protocol.response_bytes(status, headers, content)
            return
        stream = protocol.response_stream(status, headers)
        try:
            for part in result:
                self.readers.give(client, len(part))
                # It is sent when it is called; what it returns tells whether somebody still reads.
                next(iter(stream.send_bytes(part).__await__()), None)
        except Exception:
            self.readers.cut(client)  # granian would end it as if it were whole
            raise

    async def _hold(self, protocol: HTTPProtocol, status: int, headers: Headers, answer: HeldResponse) -> None:
        """Hold an answer open until it has said everything, the reader is gone, or this process is to end."""
        stream = protocol.response_stream(status, [each for each in headers if each[0].lower() != "content-length"])
        await stream.send_bytes(answer.content)
        streaming = asyncio.ensure_future(answer.hold(stream.send_bytes))
        gone = asyncio.ensure_future(protocol.client_disconnect())
        self.streams.add(streaming)
        try:
            await asyncio.wait({streaming, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.streams.discard(streaming)
            gone.cancel()  # a future of granian's own, which cannot be gathered
            streaming.cancel()
            (end,) = await asyncio.gather(streaming, return_exceptions=True)
            if isinstance(end, Exception):
                logger.error("a stream broke", exc_info=end)


def _refuse(environ: Environ, protocol: HTTPProtocol, make: Callable[[], DomainError]) -> None:
    response = refusal(WSGIRequest(environ), make)
    headers = [*response.items(), ("Connection", "close")]
    protocol.response_bytes(response.status_code, headers, response.content)


def _failed(path: str, error: Exception) -> DomainError:
    logger.error("%s failed", path, exc_info=error)
    return FailedError()


class File:
    """A file as an answer (`wsgi.file_wrapper`): read at once, so that a slow reader keeps none open.

    All of ours together are a few megabytes, and of the largest a process keeps what its readers may be behind.
    """

    def __init__(self, source: Any, block: int = 1 << 16) -> None:
        self.source, self.block = source, block

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.source.read(self.block), b"")

    def close(self) -> None:
        """Close the file."""
        self.source.close()


# --- What WSGI calls a request ------------------------------------------------------------------------------------


# Stands for a header that is not ASCII, which granian names without its value, or that is far longer than any of ours:
# to read some takes the square of their length. Left out, an Idempotency-Key would let a request be done twice, and an
# If-Match one overwrite another. No header that can be read has this character.
UNREADABLE = "\x7f"
LONGEST_VALUE = 8_192  # characters
READ_LONG = {"HTTP_COOKIE", "CONTENT_TYPE"}  # a phone may hold the links of many; of a type `keep_type` keeps little


@lru_cache(1024)
def _variable(name: str) -> str:
    name = name.upper().replace("-", "_")
    return name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"


def _is_read(name: str) -> bool:
    """Tell whether a header counts: `X_Forwarded_For` would pass for the one that only a proxy may set."""
    return "_" not in name and len(name) <= LONGEST_NAME


def environ_of(scope: Scope) -> Environ:
    """Return a request as WSGI has it (PEP 3333), with an empty body."""
    server, _, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": File,
    }
    for name, value in scope.headers.items():
        if not _is_read(name):
            continue
        variable = _variable(name)
        if (known := environ.get(variable)) is not None:
            value = f"{known}; {value}" if variable == "HTTP_COOKIE" else f"{known},{value}"  # noqa: PLW2901
        environ[variable] = value if len(value) <= LONGEST_VALUE or variable in READ_LONG else UNREADABLE
    for name in scope.headers.keys():  # noqa: SIM118 (it is no dict, and these are more than its items)
        if _is_read(name):
            environ.setdefault(_variable(name), UNREADABLE)
    if "HTTP_HOST" not in environ and scope.authority:
        environ["HTTP_HOST"] = scope.authority
    return environ


FORMS = {"application/x-www-form-urlencoded", "multipart/form-data"}
LETTERS = {"", "utf-8", "utf8", "us-ascii", "ascii"}
PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))')
BOUNDARY = re.compile(r'[^;"\\]{1,200}')


def keep_type(environ: Environ) -> None:
    """Keep of what a body says that it is no more than it is read by; refuse a form in other letters than UTF-8.

    Django decodes addresses and forms by whatever codec of Python is named there: some break it, some take seconds.
    JSON and CSV are read without asking. Parameters written `name*=` name a codec too, and no form has them.
    """
    if "CONTENT_TYPE" not in environ:
        return
    kind, semicolon, rest = environ["CONTENT_TYPE"].partition(";")
    environ["CONTENT_TYPE"] = kind = kind.strip().lower()
    if kind not in FORMS:
        return
    found = {name.lower(): quoted or plain for name, quoted, plain in PARAMETER.findall(semicolon + rest)}
    if any("*" in name for name in found) or found.get("charset", "").lower() not in LETTERS:
        raise Refused(LettersError)
    if BOUNDARY.fullmatch(found.get("boundary", "")):
        environ["CONTENT_TYPE"] = f'{kind}; boundary="{found["boundary"]}"'


def _length(environ: Environ) -> int | None:
    """Return how long a body says it is; None where it comes in chunks and ends when it ends."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    return int(environ.get("CONTENT_LENGTH") or 0)


def most_bytes(path: str) -> int:
    """Return how many bytes a body may have at an address: views that take a sheet or a file say so."""
    try:
        view = resolve(with_slash(path)).func
    except Resolver404:
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return getattr(getattr(view, "view_class", view), "most_bytes", settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
