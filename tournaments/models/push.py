"""Phones that want to be told what is asked of their player, and what each of them was told."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH, new_id
from tournaments.models.events import Entry, Event


class PushSubscriptionQuerySet(models.QuerySet["PushSubscription"]):
    """Subscriptions, and which of them still stand."""

    def standing(self) -> PushSubscriptionQuerySet:
        """Return those whose personal link is still good: it ends with the event, or when it is renewed."""
        return self.exclude(entry__event__status__in=Event.OVER).filter(generation=F("entry__generation"))


class PushSubscription(models.Model):
    """A browser that notifies a player in one event.

    `endpoint` is where its push service takes messages for it, `p256dh` and `auth` are what they are encrypted for,
    and `key` is ours that it was made for. `seen` is the version of the event up to which news was looked for, and
    `failures` counts the messages in a row that could not be delivered.
    """

    LONGEST_ENDPOINT = 1000
    MOST = 5  # browsers of an entry: a sixth takes the place of the oldest

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="push_subscriptions", verbose_name=_("entry"))
    generation = models.PositiveIntegerField(editable=False)
    endpoint = models.CharField(_("address"), max_length=LONGEST_ENDPOINT)
    p256dh = models.CharField(max_length=100, editable=False)
    auth = models.CharField(max_length=30, editable=False)
    key = models.CharField(max_length=100, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True)
    seen = models.PositiveIntegerField(default=0, editable=False)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    created_at = models.DateTimeField(_("since"), auto_now_add=True)
    renewed_at = models.DateTimeField(_("last renewed by the phone"), default=timezone.now)

    objects = PushSubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = _("phone that is told")
        verbose_name_plural = _("phones that are told")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "endpoint"], name="tournaments_push_once")]

    def __str__(self) -> str:
        return f"{self.entry} · {self.host}"

    @property
    def host(self) -> str:
        """The push service. The rest of the address lets whoever knows it send something there, and is not shown."""
        return urlsplit(self.endpoint).hostname or ""


class PushMessage(models.Model):
    """What a phone was told, is to be told, or knew already: each occasion once."""

    class Kind(models.TextChoices):
        """What a phone is told of."""

        PLACE = "in", _("a place in the event")
        SEAT = "seat", _("a seat")
        NUDGE = "nudge", _("a nudge")
        CONFIRM = "confirm", _("a sheet to confirm")
        COMING = "coming", _("the organiser is coming")
        ASKED = "asked", _("a change of seats")

    LONGEST_OCCASION = 60

    subscription = models.ForeignKey(
        PushSubscription, models.CASCADE, related_name="messages", verbose_name=_("phone")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    occasion = models.CharField(_("occasion"), max_length=LONGEST_OCCASION)
    text = models.JSONField(_("text"), default=dict)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # Without a next attempt a message was delivered, is given up, or was known to the phone.
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    expires_at = models.DateTimeField(_("no news after"), default=timezone.now)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)

    class Meta:
        verbose_name = _("message to a phone")
        verbose_name_plural = _("messages to phones")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "occasion"], name="tournaments_pushmessage_once")
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at"],
                condition=Q(next_attempt_at__isnull=False),
                name="tournaments_pushmessage_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} → {self.subscription}"
