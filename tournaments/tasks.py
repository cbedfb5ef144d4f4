"""What the worker does for clubs: send messages to webhooks and phones, shorten logs, and remind players of events."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from core.clocks import is_steady
from tournaments import notices
from tournaments.access import usage
from tournaments.push import delivery as pushing
from tournaments.webhooks import delivery


@shared_task(ignore_result=True)
def deliver() -> None:
    """Send the messages that are due; the schedule calls it too, for messages whose task was not published."""
    delivery.work()


@shared_task(ignore_result=True)
def push() -> None:
    """Send phones what they are to be told; the schedule calls it too, for messages whose task was not published."""
    pushing.work()


@shared_task(ignore_result=True)
def clear_deliveries() -> None:
    """Delete the oldest part of the log."""
    if is_steady():
        delivery.forget(timezone.now())


@shared_task(ignore_result=True)
def clear_key_uses() -> None:
    """Delete the oldest part of the log of what keys did."""
    if is_steady():
        usage.forget(timezone.now())


@shared_task(ignore_result=True)
def remind() -> None:
    """Have players reminded of tomorrow's events, and forget the addresses and phones of those that are over."""
    if is_steady():
        notices.remind(timezone.now())
        notices.forget()
        pushing.forget(timezone.now())
