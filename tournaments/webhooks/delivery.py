"""Deliver what is due, and write down how it went.

The database holds what is to be sent and when; a worker claims a webhook by a conditional update and sends its
oldest due message. A process that dies leaves a claim that ends by itself, so that the message is sent again: at
least once, under the same id. Of each webhook one message at a time is under way. Messages are sent by a few threads
that hold no database connection, so that receivers that hang do not delay the others.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from core.clocks import TOLERATED, is_over
from tournaments.models import Delivery, Failure, Webhook
from tournaments.webhooks.sending import Outcome, send
from tournaments.webhooks.shifts import Clock, Shift, Waiting, in_turn
from tournaments.webhooks.texts import body_of

logger = logging.getLogger(__name__)

# How long after a failed attempt the next one comes; after the last the message is given up.
PAUSES = (
    dt.timedelta(seconds=5),
    dt.timedelta(minutes=1),
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=30),
    dt.timedelta(hours=2),
    dt.timedelta(hours=5),
    dt.timedelta(hours=10),
)
PATIENCE = dt.timedelta(days=3)  # after which a webhook that never answers well is switched off
KEPT = dt.timedelta(days=30)
CLAIM = dt.timedelta(minutes=1)  # longer than an attempt can take
GONE = 410
PLAIN = {"Content-Type": "application/json", "User-Agent": "Ludoscore"}


def work(clock: Clock = timezone.now) -> None:
    """Deliver what is due until nothing is, or the shift is over."""
    shift.work(clock)


def due(now: dt.datetime) -> QuerySet[Webhook]:
    """Return the webhooks that nobody is sending to and that have a message due, the longest untouched first."""
    waiting = Delivery.objects.filter(_is_due(now)).values("webhook")
    free = is_over("busy_until", now, CLAIM)
    return Webhook.objects.filter(free, pk__in=waiting, is_active=True).order_by("busy_until")


def _is_due(now: dt.datetime) -> Q:
    # The clock was set back since it was written: nobody has tried it yet, and it was to be sent at once.
    is_early = Q(attempts=0, created_at__gt=now + TOLERATED, next_attempt_at__isnull=False)
    return is_over("next_attempt_at", now, PAUSES[-1]) | is_early


def claim(now: dt.datetime, *, senders: int, under_way: Sequence[Delivery] = ()) -> list[Delivery]:
    """Take on the oldest due message of as many webhooks as there are senders, in turn among the clubs."""
    webhooks = list(due(now))
    waiting = (Waiting(each.pk, (each.club_id,), each.failing_since is None) for each in webhooks)
    chosen = in_turn(waiting, [(each.webhook.club_id,) for each in under_way], senders=senders)
    by_pk = {each.pk: each for each in webhooks}
    return [delivery for pk in chosen if (delivery := _claim(by_pk[pk], now))]


def _claim(webhook: Webhook, now: dt.datetime) -> Delivery | None:
    if not due(now).filter(pk=webhook.pk).update(busy_until=now + CLAIM):
        return None  # somebody else was quicker
    waiting = webhook.deliveries.filter(_is_due(now)).select_related("webhook")
    delivery = waiting.order_by("next_attempt_at", "pk").first()
    if delivery is None:
        Webhook.objects.filter(pk=webhook.pk).update(busy_until=now)
    return delivery


def attempt(delivery: Delivery, now: dt.datetime) -> Outcome:
    """Send a message that was claimed; touches no database and never raises."""
    try:
        if delivery.webhook.is_chat:
            return send(delivery.webhook.url, body_of(delivery.webhook, delivery.payload), PLAIN)
        body = json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":"))
        return send(delivery.webhook.url, body.encode(), _headers(delivery, body, now))
    except Exception:  # one message that breaks the sender must not keep the others from being sent
        logger.exception("cannot send %s", delivery.uid)
        return Outcome(Failure.OUR_FAULT)


def _headers(delivery: Delivery, body: str, now: dt.datetime) -> dict[str, str]:
    webhook = delivery.webhook
    secrets = [webhook.secret]
    if webhook.former_until is not None and webhook.former_until > now:
        secrets.append(webhook.former_secret)
    return {
        **PLAIN,
        "webhook-id": delivery.uid,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Signer(secret).sign(delivery.uid, now, body) for secret in secrets),
    }


@transaction.atomic
def record(delivery: Delivery, outcome: Outcome, now: dt.datetime) -> None:
    """Write down how an attempt ended, when the next one comes, and that the webhook is free again."""
    attempts = delivery.attempts + 1
    row = Delivery.objects.filter(pk=delivery.pk)
    answer = {"attempts": attempts, "response_status": outcome.status, "response_ms": outcome.milliseconds}
    if outcome.failure is None:
        row.update(**answer, failure="", delivered_at=now, next_attempt_at=None)
        Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=now, failing_since=None)
        return
    again = now + PAUSES[attempts - 1] if attempts <= len(PAUSES) else None
    # Where a claim outlived its time and another process delivered the message, that stands.
    row.filter(delivered_at=None).update(**answer, failure=outcome.failure, next_attempt_at=again)
    _note_failure(delivery.webhook, outcome, now, again)


def _note_failure(webhook: Webhook, outcome: Outcome, now: dt.datetime, again: dt.datetime | None) -> None:
    row = Webhook.objects.filter(pk=webhook.pk)
    # By what it is now: somebody may have switched it on anew while this message was under way.
    row.update(busy_until=now, failing_since=Coalesce("failing_since", now))
    since = row.values_list("failing_since", flat=True).first() or now
    if outcome.status == GONE:
        switch_off(webhook, Webhook.Off.GONE)
    elif again is None and now - since >= PATIENCE:
        switch_off(webhook, Webhook.Off.FAILING)
    elif again is not None and not outcome.is_answered:
        # The receiver does not answer, so every other message would use up its timeout in vain.
        webhook.deliveries.filter(next_attempt_at__lt=again).update(next_attempt_at=again)


def switch_off(webhook: Webhook, reason: str = "") -> None:
    """Send nothing more to a webhook, and give up what is waiting; without a reason it was done by hand."""
    Webhook.objects.filter(pk=webhook.pk).update(is_active=False, switched_off=reason)
    webhook.deliveries.exclude(next_attempt_at=None).update(next_attempt_at=None)


def forget(now: dt.datetime) -> None:
    """Delete messages that are older than the log goes back and no longer wait to be sent."""
    Delivery.objects.filter(created_at__lt=now - KEPT, next_attempt_at=None).delete()


shift = Shift(
    task="tournaments.tasks.deliver",
    is_due=lambda now: due(now).exists(),
    claim=claim,
    attempt=attempt,
    record=record,
)
