"""Answers for load balancers and monitors: is the process alive, and can it do its work?"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.http import JsonResponse
from django.utils import timezone
from kombu import Connection
from kombu.exceptions import OperationalError as BrokerError

from core import computations, disk
from core.clocks import age
from core.models import Heartbeat
from core.patience import within
from core.tasks import WORKER

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger(__name__)

ALIVE = "/healthz"
LATE = 3 * settings.HEARTBEAT
DISK = "disk"  # the name of the row that only shows whether rows can be written
LONG = 5_000  # messages: far more than an evening's work
PATIENCE = 1.0  # seconds that the broker has to answer
PROBED_EVERY = 5.0  # seconds: a stranger who asks often must not keep the disk busy

_written = -PROBED_EVERY


class HealthMiddleware:
    """Answer /healthz and /readyz before anything that looks at hosts, sessions or redirects to HTTPS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a health check, or pass the request on."""
        if request.path == ALIVE:
            return alive(request)
        if request.path == "/readyz":
            return readiness()
        return self.get_response(request)


def alive(_request: HttpRequest) -> JsonResponse:
    """Say that this process lives."""
    return JsonResponse({"status": "ok"})


def readiness() -> JsonResponse:
    """Say whether requests can be served.

    Without the database nothing can: 503. Where nothing can be saved, without the broker or the worker, or with
    computations that are late or parked, at least pages are still answered: 200 with the status `degraded`, so that no
    balancer takes a working service away.
    """
    checks: dict[str, Any] = _broker()
    try:
        checks["database"] = _database()
        checks["work"] = _work()
        checks["computations"] = _computations()
    except DatabaseError as error:
        trouble = disk.note(error)
        if trouble is None:
            logger.warning("database away: %s", error)
        checks["database"] = trouble.code if trouble else "unreachable"
        return JsonResponse({"status": "unavailable", "checks": checks}, status=503)
    found = {check if isinstance(check, str) else check["status"] for check in checks.values()}
    return JsonResponse({"status": "ok" if found == {"ok"} else "degraded", "checks": checks})


def _database() -> str:
    """Say what keeps anything from being saved: only a row that is written shows it, every few seconds at most."""
    global _written  # noqa: PLW0603 -- one per process
    connection.ensure_connection()
    if time.monotonic() - _written >= PROBED_EVERY:
        try:
            with _hasty():
                _write()
            disk.forget()
        except DatabaseError as error:
            if disk.note(error) is None and not isinstance(error, OperationalError):
                raise
        _written = time.monotonic()
    trouble = disk.present()
    return trouble.code if trouble else "ok"


def _write() -> None:
    now = timezone.now()
    Heartbeat.objects.update_or_create(name=DISK, defaults={"sent_at": now, "done_at": now})


@contextmanager
def _hasty() -> Iterator[None]:
    """Wait for other writers of SQLite no longer than whoever asks for our health does."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute("PRAGMA busy_timeout = 500")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {before}")


def _broker() -> dict[str, Any]:
    """Say whether the broker takes messages, and how many wait in it."""
    try:
        status, waiting = within(PATIENCE, partial(_look_at, settings.BROKER_URL, current_app.conf))
    except (BrokerError, OSError, ValueError) as error:  # the last where its address leads nowhere at all
        logger.warning("broker away: %s", error)
        return {"broker": "unreachable"}
    return {"broker": status, "queue": {"status": "long" if waiting > LONG else "ok", "waiting": waiting}}


def _look_at(url: str, conf: Any) -> tuple[str, int]:
    with Connection(url, transport_options=conf.broker_transport_options, connect_timeout=1) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=1)
        waiting = sum(_waiting(broker, queue.name) for queue in conf.task_queues)
        return _refusal(broker) or "ok", waiting


def _waiting(broker: Connection, queue: str) -> int:
    with broker.channel() as opened:
        channel: Any = opened  # its kind is the broker's
        try:
            return int(channel.queue_declare(queue, passive=True).message_count)
        except broker.channel_errors:
            return 0  # on Redis there is no empty queue


def _refusal(broker: Connection) -> str | None:
    """Say why a Redis or Valkey refuses messages: its memory is used up, or it only follows another; else None."""
    if broker.transport.driver_type != "redis":
        return None
    channel: Any = broker.default_channel
    memory, replication = (channel.client.info(section) for section in ("memory", "replication"))
    if replication.get("slave_read_only"):
        return "read-only"
    return "full" if memory["maxmemory"] and memory["used_memory"] >= memory["maxmemory"] else None


def _work() -> dict[str, Any]:
    """Say how long the oldest message that no worker has answered has been waiting."""
    connection.ensure_connection()
    beat = Heartbeat.objects.filter(name=WORKER).first()
    if beat is None:
        return {"status": "never seen", "oldest_seconds": None}
    waiting = max(age(beat.sent_at, timezone.now()) - settings.HEARTBEAT, dt.timedelta())
    return {"status": "late" if waiting > LATE else "ok", "oldest_seconds": round(waiting.total_seconds(), 1)}


def _computations() -> dict[str, Any]:
    """Say how many computations failed too often, and how long the oldest of the others has been out of date."""
    parked = computations.parked().count()
    oldest = computations.oldest()
    waiting = age(oldest, timezone.now()) if oldest else dt.timedelta()
    status = "parked" if parked else "late" if waiting > LATE else "ok"
    return {"status": status, "parked": parked, "oldest_seconds": round(waiting.total_seconds(), 1)}
