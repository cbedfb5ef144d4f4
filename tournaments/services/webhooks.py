"""Webhooks: create and change them, queue their messages, and send a message again."""

from __future__ import annotations

import base64
import datetime as dt
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from core.publishing import publish_on_commit
from core.statements import Prepared
from tournaments import links
from tournaments.access import credentials
from tournaments.actors import Actor
from tournaments.errors import TooManyWebhooksError, WebhookInvalidError, WebhookOffError
from tournaments.models import Club, Delivery, Entry, Event, MessageType, Role, Round, Webhook
from tournaments.services.locks import lock_club
from tournaments.services.permissions import require_role
from tournaments.webhooks.delivery import switch_off
from tournaments.webhooks.targets import target_of
from tournaments.webhooks.texts import ping_text, round_text

DELIVER = "tournaments.tasks.deliver"
MOST = 10  # webhooks of a club
CHANGE_OVER = dt.timedelta(days=1)  # in which messages are signed with the former secret too
SUBSCRIBABLE = [each for each in MessageType if each != MessageType.PING]
SAID = (MessageType.ROUND_SEATED, MessageType.STANDINGS_FINAL)  # what channels are told in words

Told = Mapping[str, Any] | Callable[[], Mapping[str, Any]]

_LISTENING = Prepared(lambda club: Webhook.objects.filter(club=club, is_active=True), int)


def announce(club: Club, kind: str, *told: Told, subject: str = "", say: Callable[[], str] | None = None) -> None:
    """Tell the webhooks of a club that something happened, in the transaction in which it does.

    Each of `told` is what a message of this kind says, or returns it: nothing but one query is done where nobody
    listens. Channels, which people read, are told what `say` returns in their language, once about a `subject`.
    """
    listening = [webhook for webhook in _LISTENING(club.pk) if kind in webhook.types] if told else []
    if not listening:
        return
    programs = [webhook for webhook in listening if not webhook.is_chat]
    messages = [{"club": club.slug, **(data() if callable(data) else data)} for data in told]
    if programs:
        _send(programs, kind, *messages)
    if say is not None and (channels := [webhook for webhook in listening if webhook.is_chat]):
        _tell(channels, kind, messages[0], subject, say)


def _tell(
    channels: Sequence[Webhook], kind: str, data: Mapping[str, Any], subject: str, say: Callable[[], str]
) -> None:
    """Queue a text for channels. A second one about the same subject is no news: the database lets only one in."""
    made = []
    for webhook in channels:
        with translation.override(webhook.language or settings.LANGUAGE_CODE):
            payload = _payload(kind, {**data, "text": say()})
        made.append(Delivery(webhook=webhook, type=kind, payload=payload, subject=subject))
    Delivery.objects.bulk_create(made, ignore_conflicts=True)
    publish_on_commit(DELIVER)


def _payload(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": kind, "timestamp": timezone.now().isoformat(), "data": data}


def announce_event(event: Event, kind: MessageType, *, before: str) -> None:
    """Tell that an event has moved on from the status it had."""
    url = links.api_url("event", uid=event.uid)
    announce(event.club, kind, {"event": event.uid, "status": event.status, "before": before, "url": url})


def announce_round(current: Round, kind: MessageType, **facts: Any) -> None:
    """Tell that a round of an event has moved on."""
    event = current.event
    url = links.api_url("round", uid=event.uid, number=current.number)
    told = {"event": event.uid, "round": current.number, **facts, "url": url}
    if kind == MessageType.ROUND_SEATED:
        announce(event.club, kind, told, subject=f"{event.uid}-{current.number}", say=lambda: round_text(current))
    else:
        announce(event.club, kind, told)


def announce_entered(event: Event, entries: Iterable[Entry]) -> None:
    """Tell that people are entered in an event."""
    announce(event.club, MessageType.ENTRY_ADDED, *(_entry(event, each) for each in entries))


def announce_changed(event: Event, entries: Iterable[Entry], *, before: str) -> None:
    """Tell that entries of an event have another status than the one they all had."""
    announce(event.club, MessageType.ENTRY_CHANGED, *(_entry(event, each) | {"before": before} for each in entries))


def _entry(event: Event, entry: Entry) -> dict[str, Any]:
    return {
        "event": event.uid,
        "entry": entry.uid,
        "player": entry.player.uid,
        "name": entry.name,
        "status": str(entry.status),
        "url": links.api_url("entry", uid=entry.uid),
    }


def _send(webhooks: Sequence[Webhook], kind: str, *told: Mapping[str, Any]) -> list[Delivery]:
    payloads = [_payload(kind, data) for data in told]
    created = Delivery.objects.bulk_create(
        Delivery(webhook=webhook, type=kind, payload=payload) for payload in payloads for webhook in webhooks
    )
    publish_on_commit(DELIVER)
    return created


@transaction.atomic
def create_webhook(
    *,
    actor: Actor,
    club: Club,
    url: str,
    types: Sequence[str],
    form: str = Webhook.Form.JSON,
    language: str = "",
) -> Webhook:
    """Tell an address of what happens in a club; its secret is to be shown now, and never again.

    A channel of Discord or Slack is told in a language; the caller's where none is named.
    """
    require_role(actor=actor, club=club, role=Role.OWNER)
    target_of(url)
    _refuse_unsaid(form, types)
    lock_club(club)  # two at once must not both be the last
    if Webhook.objects.filter(club=club).count() >= MOST:
        raise TooManyWebhooksError(_("A club can have {most} webhooks. Delete one first.").format(most=MOST))
    language = language or translation.get_language() or ""
    return Webhook.objects.create(
        club=club, url=url, types=sorted(set(types)), form=form, language=language, secret=_new_secret()
    )


def _refuse_unsaid(form: str, types: Sequence[str]) -> None:
    """Refuse a channel of what has no words: it would wait for ever."""
    if form != Webhook.Form.JSON and not set(types) <= set(SAID):
        message = _("A channel is told of rounds that are seated and of final standings, and of nothing else.")
        raise WebhookInvalidError(message, errors=[{"code": "types", "path": ["types"], "message": message}])


def _new_secret() -> str:
    return credentials.WEBHOOK + base64.b64encode(secrets.token_bytes(32)).decode()


@transaction.atomic
def edit_webhook(
    *,
    actor: Actor,
    webhook: Webhook,
    url: str | None = None,
    types: Sequence[str] | None = None,
    is_active: bool | None = None,
    language: str = "",
) -> Webhook:
    """Change a webhook; None leaves things as they are. Switched off it gives up what is waiting."""
    require_role(actor=actor, club=webhook.club, role=Role.OWNER)
    given: dict[str, Any] = {"language": language} if language else {}
    if url is not None:
        target_of(url)
        given["url"] = url
    if types is not None:
        given["types"] = sorted(set(types))
    webhook = _locked(webhook)
    for name, value in given.items():
        setattr(webhook, name, value)
    _refuse_unsaid(webhook.form, webhook.types)
    webhook.save(update_fields=given)
    if is_active:
        Webhook.objects.filter(pk=webhook.pk).update(is_active=True, switched_off="", failing_since=None)
    elif is_active is not None:
        switch_off(webhook)
    webhook.refresh_from_db()
    return webhook


def _locked(webhook: Webhook) -> Webhook:
    """Return a webhook as it is now, locked until the end of the transaction; Http404 where it was deleted."""
    webhooks = Webhook.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return get_object_or_404(webhooks, pk=webhook.pk)


@transaction.atomic
def rotate_secret(*, actor: Actor, webhook: Webhook) -> Webhook:
    """Give a webhook a new secret; for a day messages are signed with the one before it too."""
    require_role(actor=actor, club=webhook.club, role=Role.OWNER)
    webhook = _locked(webhook)
    webhook.former_secret, webhook.secret = webhook.secret, _new_secret()
    webhook.former_until = timezone.now() + CHANGE_OVER
    webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook


@transaction.atomic
def delete_webhook(*, actor: Actor, webhook: Webhook) -> None:
    """Delete a webhook and its log."""
    require_role(actor=actor, club=webhook.club, role=Role.OWNER)
    webhook.delete()


@transaction.atomic
def ping(*, actor: Actor, webhook: Webhook) -> Delivery:
    """Send a webhook a message that only tests it."""
    require_role(actor=actor, club=webhook.club, role=Role.ORGANISER)
    _require_on(webhook)
    data = {"club": webhook.club.slug, "webhook": webhook.uid}
    if webhook.is_chat:
        with translation.override(webhook.language or settings.LANGUAGE_CODE):
            data["text"] = ping_text()
    (delivery,) = _send([webhook], MessageType.PING, data)
    return delivery


@transaction.atomic
def redeliver(*, actor: Actor, delivery: Delivery) -> Delivery:
    """Send a message again under the same id, with a full set of attempts, whether or not it was delivered."""
    require_role(actor=actor, club=delivery.webhook.club, role=Role.ORGANISER)
    _require_on(delivery.webhook)
    delivery.attempts, delivery.delivered_at, delivery.next_attempt_at = 0, None, timezone.now()
    delivery.save(update_fields=["attempts", "delivered_at", "next_attempt_at"])
    publish_on_commit(DELIVER)
    return delivery


def _require_on(webhook: Webhook) -> None:
    if not webhook.is_active:
        raise WebhookOffError(_("This webhook is switched off. Switch it on first."))
