"""Figures for Prometheus at /metrics; `docs/operations.md` lists them, with the alerts to set on them.

How often and how fast requests are answered is counted in the process. Several web processes of a machine add up
theirs through files in the folder that `PROMETHEUS_MULTIPROC_DIR` names; without it there must be one process only.
All other figures are read from the database when they are asked for: they are the same whichever process answers.
"""

from __future__ import annotations

import datetime as dt
import hmac
import ipaddress
import logging
import math
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, Min
from django.http import HttpResponse
from django.http.request import split_domain_port, validate_host
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from core import computations
from core.clocks import age
from core.models import Heartbeat
from core.tasks import WORKER
from ops.files import counts_folder, make_elsewhere
from scoring.models import Report
from tournaments.models import Delivery, Event

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger(__name__)

METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
FORWARDED = ("X-Forwarded-For", "Forwarded")
FIRST_BYTES = 65_536  # of a file of counts, as prometheus_client begins it
ENTRY_BYTES = 64  # of an entry in such a file beside its name, at the most
PAUSE = 10.0  # seconds without counting where there is no room


class RoomyDict(MmapedDict):
    """A file of counts that takes up its room before it is mapped; OSError where there is none.

    prometheus_client makes it long and empty, and the kernel kills a process that then writes to a page for which the
    place of the file has no room.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        if not read_mode:
            _take_room(Path(filename), FIRST_BYTES)
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        if self._used + len(key.encode()) + ENTRY_BYTES > self._capacity:
            _take_room(Path(self._fname), 2 * self._capacity)
        super()._init_value(key)  # type: ignore[no-untyped-call]


def _take_room(file: Path, size: int) -> None:
    """Make a file so long, with bytes that are really there, or leave it as it was."""
    before = file.stat().st_size if file.exists() else 0
    try:
        with file.open("ab") as opened:
            opened.write(bytes(max(size - before, 0)))
    except OSError:
        if before:
            os.truncate(file, before)
        else:
            file.unlink(missing_ok=True)  # whoever adds up the counts cannot read an empty one
        raise


values.MmapedDict = RoomyDict  # type: ignore[attr-defined]
disable_created_metrics()  # type: ignore[no-untyped-call]  # a second figure beside every one, which nobody asked for
if settings.METRICS_DIR and Path(settings.METRICS_DIR) != counts_folder(settings.DATA_DIR):  # which `serve` makes
    with suppress(OSError):  # whatever is counted says so: figures stop nobody's work
        Path(settings.METRICS_DIR).mkdir(parents=True, exist_ok=True)
counted = CollectorRegistry()
requests = Counter("ludoscore_requests", "Requests answered.", ["route", "method", "status"], registry=counted)
request_seconds = Histogram(
    "ludoscore_request_seconds", "Seconds until a request was answered.", ["route"], buckets=SECONDS, registry=counted
)


class MetricsMiddleware:
    """Count and time every request, and answer /metrics to those who may read it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the figures, or pass the request on; to others there is nothing at the address."""
        if request.path == "/metrics" and may_read(request):
            return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)
        started = time.perf_counter()
        response = self.get_response(request)
        count(request, response.status_code, time.perf_counter() - started)
        return response


_no_room_until = 0.0


def count(request: HttpRequest, status: int, seconds: float | None = None) -> None:
    """Count a request by the status of its answer, and the seconds it took; without room, go on without counting."""
    global _no_room_until  # noqa: PLW0603 -- one per process
    if time.monotonic() < _no_room_until:
        return
    method = request.method if request.method in METHODS else "other"
    try:
        if seconds is not None:
            request_seconds.labels(_route(request)).observe(seconds)
        requests.labels(_route(request), method, status).inc()
    except OSError as error:
        _no_room_until = time.monotonic() + PAUSE
        logger.warning("requests are not counted: %s: %s", settings.METRICS_DIR, error.strerror)


def start_anew(data: Path) -> None:
    """Make the folder of the counts ours alone, and forget what a service that has ended counted there.

    Where that cannot be, because somebody else was there first or there is no room, nothing is counted.
    """
    global _no_room_until  # noqa: PLW0603 -- the web processes have it from the one that starts them
    try:
        make_elsewhere(counts_folder(data))
        for file in counts_folder(data).glob("*.db"):
            file.unlink()
    except OSError as error:
        _no_room_until = math.inf
        logger.warning("requests are not counted: %s", error)


def forget(data: Path) -> None:
    """Remove what the processes of this service counted."""
    if _no_room_until < math.inf:
        shutil.rmtree(counts_folder(data), ignore_errors=True)


def may_read(request: HttpRequest) -> bool:
    """Say whether a caller shows METRICS_TOKEN, or, where none is set, is a program on this machine."""
    if settings.METRICS_TOKEN:
        offered = request.headers.get("Authorization", "")
        return hmac.compare_digest(offered.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if any(name in request.headers for name in FORWARDED):
        return False  # a proxy on this machine speaks for somebody else
    address = _number(request.META.get("REMOTE_ADDR", ""))
    return address is not None and address.is_loopback and not _is_asked_for_by_a_foreign_name(request)


def _number(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None


def _is_asked_for_by_a_foreign_name(request: HttpRequest) -> bool:
    """Tell a page in a browser here from a program: the name of its own place can be made to lead to this machine."""
    name, _ = split_domain_port(request.META.get("HTTP_HOST", request.META.get("SERVER_NAME", "")))
    ours = ["localhost", *(host for host in settings.ALLOWED_HOSTS if host != "*")]
    return _number(name) is None and not validate_host(name, ours)


def _route(request: HttpRequest) -> str:
    """Name the route, never the path: paths are without number, and some are secrets."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name
    return "static" if request.path.startswith(settings.STATIC_URL) else "unknown"


def _registry() -> CollectorRegistry:
    """Return what to show: the counts of this process or of all on the machine, and what the database says."""
    shown = CollectorRegistry()
    if settings.METRICS_DIR and Path(settings.METRICS_DIR).is_dir() and _no_room_until < math.inf:
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
    else:
        shown.register(counted)  # a registry collects as a collector does
    shown.register(Stored())
    return shown


class Stored(Collector):
    """What the database says: the same in every process."""

    def collect(self) -> Iterable[Metric]:
        """Yield every figure; where the database is away, that alone."""
        try:
            figures = list(_stored(timezone.now()))
        except DatabaseError as error:
            logger.warning("database away: %s", error)
            figures = []
        yield GaugeMetricFamily("ludoscore_database_up", "Whether the database answers.", value=bool(figures))
        yield from figures


def _stored(now: dt.datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("ludoscore_database_bytes", "Size of the database.", value=_database_bytes())
    yield from _computations(now)
    yield from _worker(now)
    yield from _deliveries(now)
    yield from _play()


def _computations(now: dt.datetime) -> Iterator[Metric]:
    behind = [kind for kind, _key in computations.behind()]
    stale = _by("ludoscore_computations_stale", "Computations that are out of date and not parked.", "kind")
    parked = _by("ludoscore_computations_parked", "Computations that failed too often.", "kind")
    for kind in computations.Kind.values:
        stale.add_metric([kind], behind.count(kind))
        parked.add_metric([kind], computations.parked().filter(kind=kind).count())
    yield stale
    yield parked
    help_text = "Seconds that the longest outdated computation has been so; parked ones left out."
    oldest = computations.oldest()
    waiting = age(oldest, now).total_seconds() if oldest else 0.0
    yield GaugeMetricFamily("ludoscore_computations_oldest_seconds", help_text, value=waiting)


def _worker(now: dt.datetime) -> Iterator[Metric]:
    if beat := Heartbeat.objects.filter(name=WORKER).first():
        help_text = "Seconds since a message last came from the scheduler through broker and worker to the database."
        yield GaugeMetricFamily(
            "ludoscore_heartbeat_age_seconds", help_text, value=age(beat.done_at, now).total_seconds()
        )


def _deliveries(now: dt.datetime) -> Iterator[Metric]:
    waiting = Delivery.objects.exclude(next_attempt_at=None)
    failed = Delivery.objects.filter(next_attempt_at=None, delivered_at=None)
    due = waiting.filter(webhook__is_active=True).aggregate(at=Min("next_attempt_at"))["at"]
    help_text = "Messages to webhooks that are still to be delivered."
    yield GaugeMetricFamily("ludoscore_deliveries_waiting", help_text, value=waiting.count())
    help_text = "Messages to webhooks that were given up and are still in the log."
    yield GaugeMetricFamily("ludoscore_deliveries_failed", help_text, value=failed.count())
    help_text = "Seconds that the longest due message to a webhook has been due."
    yield GaugeMetricFamily("ludoscore_deliveries_oldest_seconds", help_text, value=_age(due, now))


def _play() -> Iterator[Metric]:
    # Of running events only: the sheets of all the years are too many to count at every look.
    running = Event.objects.filter(status=Event.Status.RUNNING)
    yield GaugeMetricFamily("ludoscore_events_running", "Events that are being played.", value=running.count())
    found = Report.objects.filter(table__round__event__in=running).order_by().values_list("status")
    counts = dict(found.annotate(count=Count("pk")))
    reports = _by("ludoscore_reports", "Reports of running events.", "status")
    for status in Report.Status.values:
        reports.add_metric([status], counts.get(status, 0))
    yield reports


def _by(name: str, help_text: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, labels=[label])


def _age(since: dt.datetime | None, now: dt.datetime) -> float:
    return max((now - since).total_seconds(), 0.0) if since else 0.0


def _database_bytes() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])
