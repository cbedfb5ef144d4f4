"""How messages come from Redis or Valkey: what is none is thrown away, where kombu would end the worker.

Nothing is lost by that: what is to be done is written in the database, and the sweep finds it.
"""

from __future__ import annotations

import contextlib
import logging
import time
from typing import Any

from kombu.exceptions import KombuError
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import DataError, ResponseError

logger = logging.getLogger(__name__)

# What reading something that only looks like a message, or does not even, may raise. Not the errors of a connection.
JUNK = (ValueError, TypeError, AttributeError, LookupError, RecursionError, KombuError, DataError)
REPEATED = 10.0  # seconds between two lines about it

_thrown_away = 0
_told = -REPEATED


def throw_away(reason: object) -> None:
    """Count a message that was thrown away, and say so now and then: never what is in it, which may be long."""
    global _thrown_away, _told  # noqa: PLW0603 -- one count per process
    _thrown_away += 1
    if time.monotonic() - _told >= REPEATED:
        _told = time.monotonic()
        logger.warning("threw away %s messages so far that are not ours, the last one: %.200s", _thrown_away, reason)


class Channel(redis.Channel):
    """A channel that survives what is not even JSON, and sends all its messages by one client."""

    _sender: Any = None

    def _create_client(self, asynchronous: bool = False) -> Any:
        """Return a client; the one that sends is kept, as making it takes a quarter of the time of a message."""
        if asynchronous:
            return super()._create_client(asynchronous=True)  # type: ignore[misc]  # the stubs do not know it
        if self._sender is None or self._sender.connection_pool is not self.pool:
            self._sender = super()._create_client()  # type: ignore[misc]
        return self._sender

    def _brpop_read(self, **options: Any) -> bool:
        try:
            return bool(super()._brpop_read(**options))  # type: ignore[misc]  # the stubs do not know it
        except JUNK as error:
            throw_away(type(error).__name__)
            return True


class Transport(redis.Transport):
    """Redis or Valkey, with messages that nobody can do anything with, or with no memory left."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        try:
            super()._deliver(message, queue)
        except ResponseError as error:  # it cannot write down that the message is under way: it is out of memory
            throw_away(error)
        except JUNK as error:
            throw_away(type(error).__name__)
            with contextlib.suppress(*JUNK):
                self._forget(message["properties"]["delivery_tag"])

    def _forget(self, tag: str) -> None:
        """Take a message from those under way, or it would come back."""
        for channel in self.channels or ():
            channel.qos.reject(tag)


def install() -> None:
    """Use this transport for every address of Redis or Valkey."""
    TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:Transport"))
