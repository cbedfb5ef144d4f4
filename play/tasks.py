"""Clear games that nobody goes on with, and records that nobody asks for any more."""

from __future__ import annotations

import datetime as dt

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from core.clocks import is_steady
from play.models import Challenge, SoloGame

IDLE = dt.timedelta(days=14)  # until an unfinished game is given up
KEPT = dt.timedelta(days=90)  # how long the record of a finished game can be shared
BOARDS_KEPT = dt.timedelta(days=400)
AT_ONCE = 5000


@shared_task(ignore_result=True)
def clear_games() -> None:
    """Delete unfinished games that were left, finished ones after three months, and boards after a year."""
    if not is_steady():
        return
    now = timezone.now()
    left = Q(status=SoloGame.Status.PLAYING, moved_at__lt=now - IDLE)
    old = Q(status=SoloGame.Status.OVER, challenge=None, moved_at__lt=now - KEPT)
    doomed = SoloGame.objects.filter(left | old).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]
    SoloGame.objects.filter(pk__in=list(doomed)).delete()
    Challenge.objects.filter(day__lt=(now - BOARDS_KEPT).date()).delete()
