"""One attempt to hand a message to its receiver. No database, so that it can run in any thread.

The connection goes to an address that was checked, and the name is not looked up again: it serves for the `Host`
header, for SNI and to verify the certificate. Redirects are not followed; of the answer only the status counts.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tournaments.errors import WebhookInvalidError
from tournaments.models import Failure, Webhook
from tournaments.webhooks.targets import Address, PrivateTargetError, Target, addresses_of, target_of

SECONDS = 10.0  # for all of it, so that a receiver that sends a byte now and then is cut off too
LONGEST_ANSWER = 65_536
STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended: without a failure the message was delivered."""

    failure: Failure | None
    status: int | None = None
    milliseconds: int = 0

    @property
    def is_answered(self) -> bool:
        """Whether the receiver spoke HTTP, whatever it said."""
        return self.status is not None


class Deadline:
    """A moment after which nothing more is waited for."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left; TimeoutError when none are."""
        if (left := self.end - time.monotonic()) <= 0:
            raise TimeoutError
        return left


class Connection(http.client.HTTPConnection):
    """A connection to one of the addresses that were checked."""

    def __init__(self, target: Target, addresses: list[Address], deadline: Deadline) -> None:
        self.default_port = 443 if target.is_encrypted else 80  # which the Host header leaves out
        super().__init__(target.host, target.port)
        self.target, self.addresses, self.deadline = target, addresses, deadline

    def connect(self) -> None:
        """Connect to the first address that answers."""
        plain = self._reach()
        plain.settimeout(self.deadline.left())
        self.sock = tls().wrap_socket(plain, server_hostname=self.host) if self.target.is_encrypted else plain

    def _reach(self) -> socket.socket:
        refusal: OSError = OSError("no address")
        for family, address in self.addresses:
            attempt = socket.socket(family, socket.SOCK_STREAM)
            try:
                attempt.settimeout(self.deadline.left())
                attempt.connect(address)
            except OSError as error:
                attempt.close()
                refusal = error
            else:
                return attempt
        raise refusal

    def status(self) -> int:
        """Return the status of the answer, and drop the rest of it as far as it comes soon."""
        head = b""
        parts = self._parts()
        for part in parts:
            head += part
            if b"\n" in head:
                break
        found = STATUS_LINE.match(head)
        if found is None:
            raise http.client.BadStatusLine(repr(head[:80]))
        # The receiver has answered; it may finish its sentence, and nobody waits for it.
        with contextlib.suppress(OSError):
            self.deadline = Deadline(min(1.0, self.deadline.left()))
            for _part in parts:
                pass
        return int(found[1])

    def _parts(self) -> Iterator[bytes]:
        left = LONGEST_ANSWER
        while left > 0:
            self.sock.settimeout(self.deadline.left())
            part = self.sock.recv(min(left, 4096))
            if not part:
                return
            left -= len(part)
            yield part


@functools.cache
def tls() -> ssl.SSLContext:
    """Return how receivers are verified: by the certificates that the machine trusts."""
    return ssl.create_default_context()


def send(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    longest: int = Webhook.LONGEST_URL,
) -> Outcome:
    """Post a message, and return how that ended; never raises for what a receiver does."""
    started = time.monotonic()
    status = None
    try:
        status = _post(target_of(url, longest), body, headers, Deadline(seconds))
        failure = _judge(status)
    except (OSError, http.client.HTTPException, ValueError, WebhookInvalidError) as error:
        failure = _failure_of(error)
    return Outcome(failure, status, int((time.monotonic() - started) * 1000))


def _post(target: Target, body: bytes, headers: Mapping[str, str], deadline: Deadline) -> int:
    with contextlib.closing(Connection(target, addresses_of(target), deadline)) as connection:
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
        return connection.status()


def _judge(status: int) -> Failure | None:
    match status // 100:
        case 2:
            return None
        case 3:
            return Failure.REDIRECT
    return Failure.STATUS


def _failure_of(error: Exception) -> Failure:
    match error:
        case PrivateTargetError() | WebhookInvalidError():
            return Failure.PRIVATE_TARGET
        case TimeoutError():
            return Failure.TIMEOUT
        case ssl.SSLError():
            return Failure.TLS
        case socket.gaierror() | UnicodeError():
            return Failure.UNKNOWN_HOST
        case OSError():
            return Failure.UNREACHABLE
    return Failure.NO_ANSWER
