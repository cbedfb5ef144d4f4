"""How often something may happen: counted for all processes together, in the memory that they share.

While that is away each process counts for itself; and it goes on counting what is its own, so that nobody starts anew
when the shared memory goes or comes back. Windows begin with what is first counted in them; of the window before
counts the share that is less than a window ago. Clocks may jump: a window of the future is forgotten. Keys are hashed
with our secret, because an address is personal, and end by themselves.
"""

from __future__ import annotations

import hashlib
import time
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from core import shared

_lock = Lock()

NOW = "local clock = redis.call('TIME') local now = clock[1] * 1000 + math.floor(clock[2] / 1000)"
TAKE = f"""{NOW}
local most, span, number = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'since', 'count', 'before')
local since, count, before = tonumber(kept[1] or now), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
if since > now or now - since >= 2 * span then
    since, count, before = now, 0, 0
elseif now - since >= span then
    since, count, before = since + span, 0, count
end
local is_within = before * (1 - (now - since) / span) + count + 1 <= most
if is_within and number > 0 then
    count = count + number
    redis.call('HSET', KEYS[1], 'since', since, 'count', count, 'before', before)
    redis.call('PEXPIRE', KEYS[1], 2 * span)
end
return {{is_within and 1 or 0, now - since, count, before}}
"""
TURN = f"""{NOW}
local every, patience = tonumber(ARGV[1]), tonumber(ARGV[2])
local free = tonumber(redis.call('GET', KEYS[1]) or now)
if free < now or free > now + patience + every then free = now end
if free > now + patience then return -1 end
redis.call('SET', KEYS[1], free + every, 'PX', free + every - now)
return free - now
"""


class Usage(NamedTuple):
    """How much of a limit is used: whether one more is within it, how many are, and the seconds of two waits."""

    is_within: bool
    left: int
    wait: float  # until one more is
    ends: float  # until the window ends

    @classmethod
    def of(cls, window: Window, most: int, seconds: int, *, is_within: bool) -> Usage:
        """Return the usage that a window shows."""
        past, count, before = window.past / 1000, window.counted, window.before
        left = max(int(most - count - before * (1 - past / seconds)), 0)
        if is_within:
            wait = 0.0
        elif count < most:
            wait = seconds * (1 - (most - count - 1) / before) - past
        else:  # in the next window, in which this one is the one before
            wait = seconds * (2 - (most - 1) / max(count, 1)) - past
        return cls(is_within, left, max(wait, 0.0), seconds - past)


class Window(NamedTuple):
    """What was counted since so many milliseconds, and in the window before."""

    past: int
    counted: int
    before: int


def take(scope: str, who: str, most: int, seconds: int) -> Usage:
    """Count one more of somebody, unless there were as many as may be, and say how much is used."""
    key = _key(scope, who)
    own = _local(key, most, seconds, 0)
    if not own.is_within:  # as it counted while it was alone
        return own
    answer = shared.memory.run(TAKE, key, most, 1000 * seconds, 1)
    if answer is None:
        return _local(key, most, seconds, 1)
    is_within, window = bool(answer[0]), Window(*answer[1:])
    if is_within:
        _local(key, most, seconds, 1)
    usage = Usage.of(window, most, seconds, is_within=is_within)
    if usage.left < own.left:  # others counted too: known here, it still counts while the server is away or slow
        now = round(1000 * time.monotonic())
        with _lock:
            cache.set(key, (now - window.past, window.counted, window.before), 2 * seconds)
    return usage


def is_used_up(scope: str, who: str, most: int, seconds: int) -> bool:
    """Say whether there were as many as may be; count nothing."""
    key = _key(scope, who)
    if not _local(key, most, seconds, 0).is_within:
        return True
    answer = shared.memory.run(TAKE, key, most, 1000 * seconds, 0)
    return answer is not None and not answer[0]


def turn(scope: str, every: float, patience: float) -> float | None:
    """Take the next turn of those that come `every` so many seconds; return the seconds until then.

    None, and no turn, where it is later than somebody's patience allows.
    """
    key, milliseconds = _key(f"turn-{scope}", ""), (round(1000 * every), round(1000 * patience))
    own = _local_turn(key, *milliseconds)
    answer = shared.memory.run(TURN, key, *milliseconds) if own >= 0 else None
    wait = own if answer is None else -1 if answer < 0 else max(own, answer)
    return None if wait < 0 else wait / 1000


def _key(scope: str, who: str) -> str:
    digest = hashlib.blake2b(who.encode(), key=settings.SECRET_KEY.encode()[:64], digest_size=16)
    return f"ludoscore:limit:{scope}:{digest.hexdigest()}"


# --- In this process, the same by a clock that nobody can set -------------------------------------------------------


def _local(key: str, most: int, seconds: int, number: int) -> Usage:
    now, span = round(1000 * time.monotonic()), 1000 * seconds
    with _lock:
        since, count, before = cache.get(key, (now, 0, 0))
        if now - since >= 2 * span:
            since, count, before = now, 0, 0
        elif now - since >= span:
            since, count, before = since + span, 0, count
        is_within = before * (1 - (now - since) / span) + count + 1 <= most
        if is_within and number:
            count += number
            cache.set(key, (since, count, before), 2 * seconds)
    return Usage.of(Window(now - since, count, before), most, seconds, is_within=is_within)


def _local_turn(key: str, every: int, patience: int) -> int:
    now = round(1000 * time.monotonic())
    with _lock:
        free = max(cache.get(key, now), now)
        if free > now + patience:
            return -1
        cache.set(key, free + every, (free + every - now) / 1000 + 1)
    return int(free - now)
