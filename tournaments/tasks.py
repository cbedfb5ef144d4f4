"""What the worker does for clubs: send the messages of their webhooks."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.webhooks import delivery


@shared_task(ignore_result=True)
def deliver() -> None:
    """Send the messages that are due; the schedule calls it too, for those that no hint brought."""
    delivery.work()


@shared_task(ignore_result=True)
def clear_deliveries() -> None:
    """Delete the oldest part of the log."""
    delivery.forget(timezone.now())
