"""Housekeeping that runs on a schedule."""

from __future__ import annotations

import datetime as dt
from typing import Any

from celery import Task, shared_task
from django.core.management import call_command
from django.utils import timezone

from core import mails
from core.clocks import is_steady
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
    if is_steady():
        call_command("clearsessions")


@shared_task(ignore_result=True)
def clear_answers() -> None:
    """Delete stored answers that nobody retries any more."""
    if is_steady():
        StoredAnswer.objects.filter(created_at__lt=timezone.now() - ANSWERS_KEPT).delete()


@shared_task(ignore_result=True)
def send_mails() -> None:
    """Send the mails that are due; the schedule calls it too, for mails whose task was not published."""
    mails.send_due()


@shared_task(ignore_result=True)
def clear_mails() -> None:
    """Delete mails that were sent long ago."""
    if is_steady():
        mails.forget(timezone.now())
