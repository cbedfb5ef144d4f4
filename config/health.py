"""Answers for load balancers and monitors: is the process alive, and can it do its work?"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Min
from django.http import JsonResponse
from django.utils import timezone
from kombu import Connection
from kombu.exceptions import OperationalError

from config.celery import PUBLISHER
from core import derived
from core.models import Derived, Heartbeat
from core.tasks import WORKER

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger(__name__)

LATE = 3 * settings.HEARTBEAT


class HealthMiddleware:
    """Answer /healthz and /readyz before anything that looks at hosts, sessions or redirects to HTTPS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a health check, or pass the request on."""
        if request.path == "/healthz":
            return JsonResponse({"status": "ok"})
        if request.path == "/readyz":
            return readiness()
        return self.get_response(request)


def readiness() -> JsonResponse:
    """Say whether requests can be served.

    Without the database nothing can: 503. Without the broker or the worker, or with computations that are late or
    parked, every request is still answered: 200 with the status `degraded`, so that no balancer takes a working
    service away.
    """
    checks: dict[str, Any] = {"database": "ok", "broker": _broker()}
    try:
        checks["work"] = _work()
        checks["computations"] = _computations()
    except DatabaseError as error:
        logger.warning("database away: %s", error)
        return JsonResponse({"status": "unavailable", "checks": checks | {"database": "unreachable"}}, status=503)
    fine = all(
        status == "ok" for status in (checks["broker"], checks["work"]["status"], checks["computations"]["status"])
    )
    return JsonResponse({"status": "ok" if fine else "degraded", "checks": checks})


def _broker() -> str:
    try:
        with Connection(settings.BROKER_URL, transport_options=PUBLISHER, connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=1)
    except (OperationalError, OSError) as error:
        logger.warning("broker away: %s", error)
        return "unreachable"
    return "ok"


def _work() -> dict[str, Any]:
    """Say how long the oldest message that no worker has answered has been waiting."""
    connection.ensure_connection()
    beat = Heartbeat.objects.filter(name=WORKER).first()
    if beat is None:
        return {"status": "never seen", "oldest_seconds": None}
    waiting = max(timezone.now() - beat.sent_at - settings.HEARTBEAT, dt.timedelta())
    return {"status": "late" if waiting > LATE else "ok", "oldest_seconds": round(waiting.total_seconds(), 1)}


def _computations() -> dict[str, Any]:
    """Say how many computations failed too often, and how long the oldest of the others has been out of date."""
    parked = derived.parked().count()
    oldest = Derived.objects.filter(parked_at=None).aggregate(at=Min("stale_since"))["at"]
    waiting = timezone.now() - oldest if oldest else dt.timedelta()
    status = "parked" if parked else "late" if waiting > LATE else "ok"
    return {"status": status, "parked": parked, "oldest_seconds": round(waiting.total_seconds(), 1)}
