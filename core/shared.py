"""The broker's server as a small memory that all processes share, where it is a Redis or a Valkey.

It may be away at any time: whoever asks is told so at once, and does without. Nothing here holds up a request.
"""

from __future__ import annotations

import functools
import logging
import re
import socket
from contextlib import suppress
from typing import Any

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import ConnectionError as AwayError
from redis.exceptions import RedisError
from redis.retry import Retry

from core.breaker import Breaker
from core.patience import within

logger = logging.getLogger(__name__)

PATIENCE = 0.05  # seconds that somebody waits for an answer


class SharedMemory:
    """Scripts on a server, each of which runs there as a whole; one breaker for all of them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.breaker = Breaker()
        self._scripts: dict[str, Script] = {}

    def run(self, script: str, key: str, *args: int) -> Any:
        """Return what a script answers; None where the server is away, or is none that knows scripts."""
        if not self.breaker.lets_through():
            return None
        try:
            if self._client is None:
                return None
            answer = self._script(self._client, script)(keys=[key], args=args)
        except (RedisError, OSError, ValueError) as error:  # the last where its address leads nowhere at all
            if self.breaker.note_failure():
                logger.warning("the broker's server is away, limits are counted in each process: %s", error)
            return None
        self.breaker.note_answer()
        return answer

    def _script(self, client: Redis, script: str) -> Script:
        if script not in self._scripts:
            self._scripts[script] = client.register_script(script)
        return self._scripts[script]

    @functools.cached_property
    def _client(self) -> Redis | None:
        return client_of(self.url)


def client_of(url: str) -> Redis | None:
    """Return who asks the server at a broker's address; None where that is no Redis and no Valkey."""
    if not url.startswith("redis"):
        return None
    # Celery's address of a socket and of how to look at a certificate, in the words of the client.
    url = url.replace("redis+socket:", "unix:").replace("virtual_host=", "db=")
    url = re.sub("ssl_cert_reqs=CERT_([A-Z]+)", lambda found: f"ssl_cert_reqs={found[1].lower()}", url)
    client = Redis.from_url(
        url,
        socket_connect_timeout=PATIENCE,
        socket_timeout=PATIENCE,
        # A server that was started again has closed the connections that are kept: then, and only then, once more.
        retry=Retry(NoBackoff(), 1, supported_errors=(AwayError,)),
    )
    client.connection_pool.connection_class = _patient(client.connection_pool.connection_class)
    return client


class UnreachableError(RedisError):
    """There is no connection, and none would be made by trying once more."""


def _patient(kind: Any) -> Any:
    """Return the kind of connection that is made within our patience, though looking up a name knows no time-out."""

    class Patient(kind):
        made: list[socket.socket] = []

        def _connect(self) -> socket.socket:
            while True:
                with suppress(IndexError):
                    return self.made.pop()  # what came too late for one is for the next
                try:
                    within(PATIENCE, lambda: self.made.append(kind._connect(self)))  # noqa: SLF001 (its parent's)
                except OSError as error:
                    raise UnreachableError(str(error)) from error

    return Patient


memory = SharedMemory(settings.BROKER_URL)
