"""Housekeeping that runs on a schedule."""

from __future__ import annotations

import datetime as dt
from typing import Any

from celery import Task, shared_task
from django.core.management import call_command
from django.utils import timezone

from core.models import Heartbeat, StoredAnswer

WORKER = "worker"
ANSWERS_KEPT = dt.timedelta(hours=24)


@shared_task(bind=True, ignore_result=True)
def beat(self: Task[Any, Any]) -> None:
    """Record that a message came through, and when it was sent."""
    now = timezone.now()
    sent = dt.datetime.fromisoformat(self.request.get("sent_at") or now.isoformat())
    Heartbeat.objects.update_or_create(name=WORKER, defaults={"sent_at": sent, "done_at": now})


@shared_task(ignore_result=True)
def clear_sessions() -> None:
    """Delete sessions that have expired."""
    call_command("clearsessions")


@shared_task(ignore_result=True)
def clear_answers() -> None:
    """Delete stored answers that nobody retries any more."""
    StoredAnswer.objects.filter(created_at__lt=timezone.now() - ANSWERS_KEPT).delete()
