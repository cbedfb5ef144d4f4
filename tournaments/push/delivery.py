"""Hand messages to the push services of phones, and write down how that went.

As with webhooks the database holds what is to be sent, a worker claims a message by a conditional update, and threads
without a database connection send. A message is news for a few minutes only: it is tried a few times within them, and
then given up. The page itself says the same, so nothing is lost.
"""

from __future__ import annotations

import datetime as dt
import hmac
import json
import logging
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from core.clocks import is_over
from tournaments.models import Failure, PushMessage, PushSubscription
from tournaments.push.encryption import encrypt
from tournaments.push.keys import encoded, signature
from tournaments.webhooks.sending import Outcome, send
from tournaments.webhooks.shifts import Clock, Owner, Shift, Waiting, in_turn

logger = logging.getLogger(__name__)

LIFETIME = dt.timedelta(minutes=10)  # for which it is news that somebody has a seat
PAUSES = (dt.timedelta(seconds=5), dt.timedelta(seconds=30), dt.timedelta(minutes=2))  # before each further attempt
CLAIM = dt.timedelta(minutes=1)  # longer than an attempt can take
SECONDS = 5.0  # for an attempt: push services answer within one
PATIENCE = 5  # messages in a row that fail, after which a phone is forgotten
KEPT = dt.timedelta(days=90)  # for which a phone is told that does not open its page
GONE = (404, 410)
BUSY = 429
NEVER = (Failure.PRIVATE_TARGET, Failure.OUR_FAULT)  # what no further attempt mends
FORM = {"Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm", "User-Agent": "Ludoscore"}


def work(clock: Clock = timezone.now) -> None:
    """Send what is due until nothing is, or the shift is over."""
    shift.work(clock)


def due(now: dt.datetime) -> QuerySet[PushMessage]:
    """Return the messages that are to be sent now, the oldest first, to phones that still want them."""
    if not settings.WEB_PUSH:
        return PushMessage.objects.none()
    standing = PushSubscription.objects.standing().values("pk")
    messages = PushMessage.objects.filter(_is_due(now), expires_at__gt=now, subscription__in=standing)
    return messages.order_by("next_attempt_at", "pk")


def _is_due(now: dt.datetime) -> Q:
    return is_over("next_attempt_at", now, PAUSES[-1])


def claim(now: dt.datetime, *, senders: int, under_way: Sequence[PushMessage] = ()) -> list[PushMessage]:
    """Take on as many due messages as there are senders, in turn among the clubs and their events."""
    chosen = in_turn(_waiting(now, senders), [_owner(each) for each in under_way], senders=senders)
    messages = PushMessage.objects.select_related("subscription__entry__event").in_bulk(chosen)
    return [messages[pk] for pk in chosen if pk in messages and _claim(messages[pk], now)]


def _waiting(now: dt.datetime, senders: int) -> Iterator[Waiting]:
    """Yield what is due, the oldest first; of an event no more than there are senders, since thousands may be."""
    event, is_well = F("subscription__entry__event"), Q(attempts=0, subscription__failures=0)
    rank = Window(RowNumber(), partition_by=event, order_by=["-is_well", "next_attempt_at", "pk"])
    first = due(now).annotate(is_well=ExpressionWrapper(is_well, BooleanField()), rank=rank).filter(rank__lte=senders)
    fields = ("pk", "subscription__entry__event__club", "subscription__entry__event", "is_well")
    for pk, club, of, well in first.values_list(*fields):
        yield Waiting(pk, (club, of), well)


def _owner(message: PushMessage) -> Owner:
    event = message.subscription.entry.event
    return event.club_id, event.pk


def _claim(message: PushMessage, now: dt.datetime) -> bool:
    row = PushMessage.objects.filter(_is_due(now), pk=message.pk, attempts=message.attempts)
    message.attempts += 1
    return bool(row.update(next_attempt_at=now + CLAIM, attempts=message.attempts))


def attempt(message: PushMessage, now: dt.datetime) -> Outcome:
    """Send a message that was claimed; touches no database and never raises."""
    phone = message.subscription
    try:
        signed = signature(phone.endpoint, key=phone.key, now=now)
        if signed is None:  # the phone asked for messages by a key that we no longer have
            return Outcome(None, GONE[-1])
        body = encrypt(json.dumps(message.text, ensure_ascii=False).encode(), p256dh=phone.p256dh, auth=phone.auth)
        left = max(int((message.expires_at - now).total_seconds()), 1)
        headers = FORM | {"Authorization": signed, "TTL": str(left), "Urgency": "high", "Topic": _topic(message)}
        return send(phone.endpoint, body, headers, seconds=SECONDS, longest=phone.LONGEST_ENDPOINT)
    except Exception:  # one message that breaks the sender must not keep the others from being sent
        logger.exception("cannot push to %s", phone.uid)
        return Outcome(Failure.OUR_FAULT)


def _topic(message: PushMessage) -> str:
    """Return what makes a push service drop an older message of the same kind, and tells it nothing else."""
    said = f"{message.subscription.uid} {message.text['tag']}"
    return encoded(hmac.digest(settings.SECRET_KEY.encode(), said.encode(), "sha256"))[:32]


def record(message: PushMessage, outcome: Outcome, now: dt.datetime) -> None:
    """Write down how an attempt ended: a phone that is gone is forgotten, and with it what it was to be told."""
    phone = PushSubscription.objects.filter(pk=message.subscription_id)
    row = PushMessage.objects.filter(pk=message.pk)
    if outcome.status in GONE:
        phone.delete()
    elif outcome.failure is None:
        row.update(next_attempt_at=None, delivered_at=now)
        phone.update(failures=0)
    elif (again := _again(message, outcome, now)) is not None:
        row.update(next_attempt_at=again)
    else:
        row.update(next_attempt_at=None)
        phone.update(failures=F("failures") + 1)
        phone.filter(failures__gte=PATIENCE).delete()


def _again(message: PushMessage, outcome: Outcome, now: dt.datetime) -> dt.datetime | None:
    """Return when a message is tried again; None where that would change nothing, or come too late."""
    is_refused = outcome.status is not None and outcome.status < 500 and outcome.status != BUSY
    if is_refused or outcome.failure in NEVER or message.attempts > len(PAUSES):
        return None
    again = now + PAUSES[message.attempts - 1]
    return again if again < message.expires_at else None


def forget(now: dt.datetime) -> None:
    """Delete phones whose event is over, whose link was renewed, or that nobody has opened for months."""
    standing = PushSubscription.objects.standing().values("pk")
    PushSubscription.objects.filter(~Q(pk__in=standing) | Q(renewed_at__lt=now - KEPT)).delete()


shift = Shift(
    task="tournaments.tasks.push",
    is_due=lambda now: due(now).exists(),
    claim=claim,
    attempt=attempt,
    record=record,
)
