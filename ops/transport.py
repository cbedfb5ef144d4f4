"""How messages come from Redis or Valkey: what is none is thrown away, where kombu would end the worker.

Nothing is lost by that: what is to be done is written in the database, and the sweep finds it.
"""

from __future__ import annotations

import functools
import json
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from celery import current_app
from kombu.exceptions import KombuError
from kombu.transport import TRANSPORT_ALIASES, redis, virtual
from kombu.utils.json import dumps
from redis.exceptions import ConnectionError as AwayError
from redis.exceptions import DataError, ReadOnlyError, ResponseError

logger = logging.getLogger(__name__)

# What reading something that only looks like a message, or does not even, may raise. Not the errors of a connection.
JUNK = (ValueError, TypeError, AttributeError, LookupError, RecursionError, KombuError, DataError)
REPEATED = 10.0  # seconds between two lines about it
LONGEST_LIMIT = 86_400  # seconds that a message may let a task run: far more than any version of ours does
SKIMMED = 500  # messages that are looked at in one round trip
MOST_WAITING = 6_000  # messages of a queue, more than `/readyz` calls long; where more wait …
KEPT = 500  # … so many are kept, which take seconds

# What Celery lets a message ask for, and no task of ours does.
UNUSED = (
    "callbacks",
    "chain",
    "chord",
    "compression",
    "errbacks",
    "eta",
    "group",
    "retries",
    "shadow",
    "stamped_headers",
    "stamps",
)

_thrown_away = 0
_told = -REPEATED


def throw_away(reason: object) -> None:
    """Count a message that was thrown away, and say so now and then: never what is in it, which may be long."""
    global _thrown_away, _told  # noqa: PLW0603 -- one count per process
    _thrown_away += 1
    if time.monotonic() - _told >= REPEATED:
        _told = time.monotonic()
        logger.warning("threw away %s messages so far that are not ours, the last one: %.200s", _thrown_away, reason)


def check(message: Any) -> None:
    """Raise what is wrong with a message that does not ask for a task of ours, as we would write it.

    Celery finds most of it out too late. A time at which to start makes the worker hold on to a message, a limit that
    no clock reaches ends the worker, and the next one too, because the message is put back. What is to happen around a
    task can fail beside it, where nobody hears of it: then the message is never acknowledged, and after as many of
    them as a worker may hold it takes no more.
    """
    headers = message.headers
    arguments, named, around = message.decode()
    hard, soft = headers.get("timelimit") or (None, None)
    shape = (headers["task"], headers["id"], arguments, named, around, hard or 0, soft or 0)
    if tuple(map(type, shape)) != (str, str, list, dict, dict, int, int):
        raise TypeError("a part of it is of another kind")
    if max(hard or 0, soft or 0) > LONGEST_LIMIT:
        raise ValueError("no task of ours may take so long")
    if any(map(headers.get, UNUSED)) or any(around.values()):
        raise ValueError("it asks for what no task of ours does")
    if headers["task"].startswith("celery."):  # those that come with Celery run any other as often as a message says
        raise LookupError("it asks for a task that is not ours")
    # A task that this version does not know is a KeyError: the sweep of one that does finds the work.
    task: Any = current_app.tasks[headers["task"]]
    task.__header__(*arguments, **named)


class Message(virtual.Message):
    """A message of ours. To make one of anything else fails, before it is written down as under way."""

    def __init__(self, payload: Any, channel: Any = None, **given: Any) -> None:
        super().__init__(payload, channel=channel, **given | {"accept": {"application/json"}})
        check(self)


def mended(carry_out: Callable[..., Any]) -> Callable[..., Any]:
    """Let something be done once more, after what lies under a name of ours has been set aside."""

    @functools.wraps(carry_out)
    def do(one: Any, *args: Any, **given: Any) -> Any:
        try:
            return carry_out(one, *args, **given)
        except ResponseError as error:
            channel = one if isinstance(one, Channel) else one.channel
            channel.set_aside(error)
            return carry_out(one, *args, **given)

    return do


class QoS(redis.QoS):
    """What is under way. Junk among it is thrown away, where a worker that starts would end with each try."""

    append = mended(redis.QoS.append)
    ack = mended(redis.QoS.ack)
    reject = mended(redis.QoS.reject)
    restore_visible = mended(redis.QoS.restore_visible)

    def restore_by_tag(self, tag: Any, *args: Any, **given: Any) -> None:
        """Put a message back that another worker has left."""
        try:
            super().restore_by_tag(tag, *args, **given)
        except JUNK as error:
            throw_away(type(error).__name__)
            self._remove_from_indices(tag).execute()  # type: ignore[attr-defined]


class Channel(redis.Channel):
    """A channel that survives what is not even JSON, and sends all its messages by one client."""

    Message = Message
    QoS = QoS

    _sender: Any = None

    def _create_client(self, asynchronous: bool = False) -> Any:
        """Return a client; the one that sends is kept, as making it takes a quarter of the time of a message."""
        if asynchronous:
            return super()._create_client(asynchronous=True)  # type: ignore[misc]  # the stubs do not know it
        if self._sender is None or self._sender.connection_pool is not self.pool:
            self._sender = super()._create_client()  # type: ignore[misc]
        return self._sender

    @mended
    def _queue_bind(self, *args: Any) -> None:
        super()._queue_bind(*args)  # type: ignore[misc]  # the stubs do not know it

    @mended
    def _size(self, queue: str) -> int:
        return int(super()._size(queue))

    @mended
    def _put(self, queue: str, message: Any, **_given: Any) -> None:
        """Send a message; where far too many wait, throw away all but the newest.

        Nobody took any for days, or somebody sends them: what is sent now would wait behind all of them for minutes.
        The sweep finds the work that they were about.
        """
        key = self._q_for_pri(queue, self._get_message_priority(message, reverse=False))  # type: ignore[attr-defined]
        client = self._create_client()
        if client.lpush(key, dumps(message)) > MOST_WAITING:
            client.ltrim(key, 0, KEPT - 1)
            logger.warning("more than %s messages waited in %r: the newest %s are kept", MOST_WAITING, key, KEPT)

    def _brpop_read(self, **options: Any) -> bool:
        try:
            return bool(super()._brpop_read(**options))  # type: ignore[misc]  # the stubs do not know it
        except JUNK as error:
            throw_away(type(error).__name__)
            self._skim()
            return True
        except ResponseError as error:
            self.set_aside(error)
            return True

    def _deliver_fanout_message(self, message: Any, exchange: str) -> bool:
        try:
            return bool(super()._deliver_fanout_message(message, exchange))  # type: ignore[misc]  # likewise
        except JUNK as error:  # another's workers tell each other how they are
            throw_away(type(error).__name__)
            return True

    def set_aside(self, error: ResponseError) -> None:
        """Give another name to what lies under one of ours and is of another kind; raise any other error again.

        Nothing could be sent or taken while it is there. It is not deleted, as somebody who uses the same server may
        have meant it.
        """
        if isinstance(error, ReadOnlyError) or str(error).startswith("UNBLOCKED"):
            raise AwayError(str(error)) from error  # it follows another server now: as good as away, till it does not
        if "WRONGTYPE" not in str(error):
            raise error
        own: Any = self  # the stubs do not know all of it
        kinds = {own.unacked_key: b"hash", own.unacked_index_key: b"zset"}
        kinds |= dict.fromkeys(self._queue_keys(current_app.amqp.queues), b"list")
        for name in (own.keyprefix_queue, own.keyprefix_binding_permanent):
            kinds |= {name % exchange: b"set" for exchange in own.state.exchanges}
        client = self._create_client()
        for key, kind in kinds.items():
            if client.type(key) not in {kind, b"none"}:
                client.rename(key, f"{key}.set-aside-{time.time_ns()}")
                logger.warning("%r in the broker is a name of ours: what lay there has been given another", key)

    def _queue_keys(self, queues: Iterable[str]) -> list[str]:
        key_of: Any = self._q_for_pri  # type: ignore[attr-defined]  # the stubs do not know it
        return [key_of(queue, step) for queue in queues for step in self.priority_steps]

    def _do_restore_message(self, payload: Any, *where: Any, **how: Any) -> None:
        """Put back what is a message of ours, and raise what is wrong with anything else: kombu would log it whole."""
        Message(payload, channel=self)
        super()._do_restore_message(payload, *where, **how)  # type: ignore[misc]

    def _skim(self) -> None:
        """Look at what waits behind junk, many messages in one round trip, and put back what is worth doing.

        One at a time, a hundred thousand would keep the work behind them waiting for minutes. Whoever dies in between
        loses what was looked at, as with every message that is lost: the sweep finds the work.
        """
        client = self._create_client()
        keys = self._queue_keys(self.active_queues)
        asking, returning = client.pipeline(transaction=False), client.pipeline(transaction=False)
        for key in keys:
            asking.rpop(key, SKIMMED)
        for key, waiting in zip(keys, asking.execute(raise_on_error=False), strict=True):
            if isinstance(waiting, list) and (kept := self._worth_doing(waiting)):
                returning.rpush(key, *reversed(kept))  # the oldest is taken first, and from the right
        returning.execute(raise_on_error=False)

    def _worth_doing(self, waiting: Iterable[bytes]) -> list[bytes]:
        """Return those that are messages of ours, and of several that ask for the same the first."""
        kept: dict[Any, bytes] = {}
        for raw in waiting:
            try:
                message = Message(json.loads(raw), channel=self)
                asked = (message.headers["task"], message.body)
                kept.setdefault(asked, raw)
            except JUNK as error:
                throw_away(type(error).__name__)
        return list(kept.values())


class Transport(redis.Transport):
    """Redis or Valkey, with messages that nobody can do anything with, or with no memory left."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        try:
            super()._deliver(message, queue)
        except ResponseError as error:  # it cannot write down that the message is under way: it is out of memory
            throw_away(error)


def install() -> None:
    """Use this transport for every address of Redis or Valkey."""
    TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), f"{__name__}:Transport"))
