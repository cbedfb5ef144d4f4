"""Addresses that a club wants told of what happens, and every message that was or is to be sent to them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH, new_id
from tournaments.models.people import Club

SHOWN = 40  # characters of the address of a channel: its host and which channel, but not the whole secret


class MessageType(models.TextChoices):
    """What a message tells of."""

    RESULT_FINAL = "result.final", _("a result is final")
    RESULT_CORRECTED = "result.corrected", _("a result is corrected")
    REPORT_SUBMITTED = "report.submitted", _("a sheet has come in and does not count yet")
    REPORT_DISPUTED = "report.disputed", _("the result of a table is disputed")
    ROUND_SEATED = "round.seated", _("a round is seated")
    ROUND_STARTED = "round.started", _("a round is started")
    ROUND_CLOSED = "round.closed", _("a round is closed")
    ENTRY_ADDED = "entry.added", _("somebody is entered in an event")
    ENTRY_CHANGED = "entry.changed", _("somebody checks in, drops out or moves up")
    EVENT_OPENED = "event.opened", _("an event is open for players")
    EVENT_STARTED = "event.started", _("an event has begun")
    EVENT_FINISHED = "event.finished", _("an event is finished")
    EVENT_CANCELLED = "event.cancelled", _("an event is cancelled")
    STANDINGS_FINAL = "standings.final", _("the final standings of an event are there")
    RATINGS_CHANGED = "ratings.changed", _("ratings have changed")
    PING = "ping", _("a test")


class Failure(models.TextChoices):
    """Why a message was not delivered."""

    PRIVATE_TARGET = "private-target", _("its address is not a public one")
    UNKNOWN_HOST = "unknown-host", _("its host name was not found")
    UNREACHABLE = "unreachable", _("no connection")
    TLS = "tls", _("no encrypted connection, or a certificate that is not valid")
    TIMEOUT = "timeout", _("no answer in time")
    NO_ANSWER = "no-answer", _("the answer was not HTTP")
    REDIRECT = "redirect", _("it redirects elsewhere, and redirects are not followed")
    STATUS = "status", _("it answered with an error")
    OUR_FAULT = "our-fault", _("an error on our side")


class Webhook(models.Model):
    """An address that is told of what happens in a club.

    `busy_until` is the claim of the process that is sending to it. For `former_until` messages are signed with the
    secret before the present one too, so that receivers can change over.
    """

    class Off(models.TextChoices):
        """Why a webhook was switched off other than by hand."""

        FAILING = "failing", _("nothing could be delivered for days")
        GONE = "gone", _("the receiver answered that it is gone")

    class Form(models.TextChoices):
        """How messages are written: as JSON for programs, or as a text for people in a channel."""

        JSON = "json", _("a program: JSON, signed")
        DISCORD = "discord", _("a channel of Discord")
        SLACK = "slack", _("a channel of Slack")

    LONGEST_URL = 500

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks", verbose_name=_("club"))
    url = models.CharField(_("address"), max_length=LONGEST_URL)
    types = models.JSONField(_("told of"), default=list)
    form = models.CharField(_("for"), max_length=8, choices=Form, default=Form.JSON, db_default=Form.JSON)
    language = models.CharField(_("language"), max_length=10, blank=True, default="", db_default="")
    secret = models.CharField(max_length=60, editable=False)
    former_secret = models.CharField(max_length=60, blank=True, editable=False)
    former_until = models.DateTimeField(null=True, blank=True, editable=False)
    is_active = models.BooleanField(_("active"), default=True)
    switched_off = models.CharField(_("switched off because"), max_length=8, choices=Off, blank=True, editable=False)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True, editable=False)
    busy_until = models.DateTimeField(default=timezone.now, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.shown_url

    @property
    def is_chat(self) -> bool:
        """Whether people read its messages, in a channel."""
        return self.form != self.Form.JSON

    @property
    def shown_url(self) -> str:
        """The address as it is shown: that of a channel lets whoever knows it write there, so its end is left out."""
        return f"{self.url[:SHOWN]}…" if self.is_chat else self.url


class Delivery(models.Model):
    """A message to a webhook. Its `uid` stays the same over all attempts, so that receivers can drop doubles."""

    class Status(models.TextChoices):
        """How far a message has come."""

        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed")

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    type = models.CharField(_("type"), max_length=20, choices=MessageType)
    payload = models.JSONField(_("message"))
    # What a channel is told of once, whatever happens to it later; empty where every message counts.
    subject = models.CharField(_("about"), max_length=60, blank=True, default="", db_default="")
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # Without a next attempt a message was delivered, or is given up.
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, blank=True, default=timezone.now)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    failure = models.CharField(_("last failure"), max_length=14, choices=Failure, blank=True)
    response_status = models.PositiveSmallIntegerField(_("last answer"), null=True, blank=True)
    response_ms = models.PositiveIntegerField(_("milliseconds"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["webhook", "next_attempt_at"],
                condition=Q(next_attempt_at__isnull=False),
                name="tournaments_delivery_due",
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(delivered_at=None) | Q(next_attempt_at=None), name="tournaments_delivery_once"
            ),
            models.UniqueConstraint(
                fields=["webhook", "type", "subject"], condition=~Q(subject=""), name="tournaments_delivery_told_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} → {self.webhook}"

    @property
    def status(self) -> Status:
        """How far the message has come."""
        if self.delivered_at is not None:
            return self.Status.DELIVERED
        return self.Status.FAILED if self.next_attempt_at is None else self.Status.WAITING
