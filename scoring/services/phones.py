"""Phones that want to be told what is asked of their player: subscribe, unsubscribe, and look what is new to them.

What is asked is a state (`scoring/notifications.py`), so a look compares it with what each phone knows. Whatever
missed a look, or comes too late to be news, is still on the player's page, and is told to nobody else.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from core.publishing import publish_on_commit, publish_spaced_on_commit
from scoring.notifications import RECURRING, Notification, notifications_of
from tournaments import links
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError, PushOffError, SubscriptionInvalidError, WebhookInvalidError
from tournaments.models import Action, Entry, Event, PushMessage, PushSubscription
from tournaments.push.delivery import LIFETIME
from tournaments.push.encryption import phone_key, phone_secret
from tournaments.push.keys import public_key
from tournaments.services.events import lock_event, require_status
from tournaments.webhooks.targets import target_of

NOTIFY = "scoring.tasks.notify"
SEND = "tournaments.tasks.push"


@dataclass(frozen=True, slots=True)
class Browser:
    """What a browser hands out by which messages reach it."""

    endpoint: str
    p256dh: str
    auth: str


def require_own(actor: Actor, entry: Entry) -> None:
    """Refuse whoever does not hold the personal link of an entry: its phones are nobody else's affair."""
    if not actor.holds_link_of(entry):
        raise ForbiddenError(_("Only the player’s own phone may do this."))


@transaction.atomic
def subscribe(*, actor: Actor, entry: Entry, browser: Browser) -> tuple[PushSubscription, bool]:
    """Let a browser of a player be told from now on, or renew it; return it, and whether it is new."""
    require_own(actor, entry)
    if not settings.WEB_PUSH:
        raise PushOffError(_("This service sends no messages to phones."))
    _require_usable(browser)
    event = lock_event(entry.event)
    require_status(event, Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.RUNNING)
    entry = Entry.objects.get(pk=entry.pk)
    require_own(actor, entry)  # its link may have ended meanwhile
    fields = {"p256dh": browser.p256dh, "auth": browser.auth, "key": public_key(), "generation": entry.generation}
    fields |= {"language": translation.get_language() or "", "renewed_at": timezone.now(), "failures": 0}
    phone, is_new = PushSubscription.objects.update_or_create(
        entry=entry, endpoint=browser.endpoint, defaults=fields, create_defaults=fields | {"seen": event.version}
    )
    if is_new:
        # What the page shows already is no news; and nobody's list of phones grows without end.
        PushMessage.objects.bulk_create(_known(phone, each) for each in notifications_of(event, [entry])[entry.pk])
        older = list(entry.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[PushSubscription.MOST :])
        PushSubscription.objects.filter(pk__in=older).delete()
        Event.objects.filter(pk=event.pk, has_phones=False).update(has_phones=True)
    return phone, is_new


def _require_usable(browser: Browser) -> None:
    try:
        target_of(browser.endpoint, PushSubscription.LONGEST_ENDPOINT)
    except WebhookInvalidError as error:
        raise _invalid("endpoint", str(error.detail)) from None
    for name, read, text in (("p256dh", phone_key, browser.p256dh), ("auth", phone_secret, browser.auth)):
        try:
            read(text)
        except ValueError:
            raise _invalid(name, _("This is not a key of a browser.")) from None


def _invalid(name: str, message: str) -> SubscriptionInvalidError:
    path = ["endpoint"] if name == "endpoint" else ["keys", name]
    return SubscriptionInvalidError(message, errors=[{"code": "bad-value", "path": path, "message": message}])


@transaction.atomic
def unsubscribe(*, actor: Actor, phone: PushSubscription) -> None:
    """Tell a browser of a player nothing more, and forget it."""
    require_own(actor, phone.entry)
    phone.delete()


def publish_look(event: Event) -> None:
    """Have the phones of an event told, as soon as what changed is committed."""
    if settings.WEB_PUSH:
        publish_spaced_on_commit(NOTIFY, event.pk)


def unseen() -> list[int]:
    """Return the events that changed since their phones were looked after, for changes that no message brought."""
    behind = PushSubscription.objects.standing().exclude(seen=F("entry__event__version"))
    return list(behind.order_by().values_list("entry__event", flat=True).distinct()) if settings.WEB_PUSH else []


@transaction.atomic
def look(event: int, now: dt.datetime) -> int:
    """Find what is new to the phones of an event, and have it sent; return how many messages that makes."""
    found = Event.objects.filter(pk=event).first()
    phones = list(PushSubscription.objects.standing().filter(entry__event=event).select_related("entry"))
    if found is None or not phones or not settings.WEB_PUSH:
        return 0
    # Read first: another look may forget an occasion that is over, and this one must not take it for a new one then.
    told = PushMessage.objects.filter(subscription__in=phones).values_list("pk", "subscription", "occasion", "kind")
    known = {(phone, occasion): (pk, kind) for pk, phone, occasion, kind in told}
    notifications = notifications_of(found, list({phone.entry_id: phone.entry for phone in phones}.values()))
    shown = {(phone.pk, each.key): (phone, each) for phone in phones for each in notifications[phone.entry_id]}
    gone = [pk for key, (pk, kind) in known.items() if kind in RECURRING and key not in shown]
    players = Counter(phone.endpoint for phone in phones)
    PushMessage.objects.filter(pk__in=gone).delete()
    last = Action.objects.filter(event=event).order_by("-pk").values_list("at", flat=True).first()
    new = [
        _message(*each, found, last, now, is_shared=players[each[0].endpoint] > 1)
        for key, each in shown.items()
        if key not in known
    ]
    PushMessage.objects.bulk_create(new, ignore_conflicts=True)  # another worker may look at the same time
    PushSubscription.objects.filter(pk__in=[phone.pk for phone in phones]).update(seen=found.version)
    sent = sum(message.next_attempt_at is not None for message in new)
    if sent:
        publish_on_commit(SEND)
    return sent


def _message(
    phone: PushSubscription,
    notification: Notification,
    event: Event,
    last: dt.datetime | None,
    now: dt.datetime,
    *,
    is_shared: bool,
) -> PushMessage:
    """Return a message that tells a phone of something; where it is too old to be news, one that is not sent.

    Not everything says when it began. What does not is as old as the last thing that was done in the event, since
    phones are looked after at once: after an outage it may be older, and is still asked of the player.
    """
    message = _known(phone, notification)
    since = notification.at or last
    if since is not None and now < since + LIFETIME:
        message.text = _text(phone, notification, event, is_shared=is_shared)
        message.next_attempt_at, message.expires_at = now, since + LIFETIME
    return message


def _known(phone: PushSubscription, notification: Notification) -> PushMessage:
    return PushMessage(subscription=phone, kind=notification.kind, occasion=notification.key)


def _text(phone: PushSubscription, notification: Notification, event: Event, *, is_shared: bool) -> dict[str, str]:
    """Return what the phone shows, in its language: no secret, and where a tap on it leads.

    No name either, unless several players of the event share the phone: then whose it is, and none replaces another's.
    """
    with translation.override(phone.language or settings.LANGUAGE_CODE):
        where = notification.table.where if notification.table else ""
        name, tag = (phone.entry.name, f"-{phone.entry.uid}") if is_shared else ("", "")
        return {
            "title": notification.text,
            "body": " · ".join(filter(None, (name, where, event.name))),
            "lang": translation.get_language() or "",
            "tag": f"{event.uid}-{notification.kind}{tag}",  # a later seat takes the place of an earlier one
            "url": links.evening_path(event),
        }
