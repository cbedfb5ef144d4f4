"""Events, who plays in them, and their rounds of tables."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import engines
from core.ids import new_code, new_id
from tournaments.models.people import Club, Player, Season

SMALLEST_TABLE, LARGEST_TABLE = 1, 8


class Format(models.TextChoices):
    """How players meet."""

    SWISS = "swiss", _("Swiss")
    ROTATION = "rotation", _("rotation")
    OPEN = "open", _("open play")
    ELIMINATION = "elimination", _("elimination")


class Points(models.TextChoices):
    """What a place at a table is worth."""

    PLACEMENT = "placement", _("share of opponents beaten")
    PODIUM = "podium", _("points per place")
    SCORE = "score", _("the game's own score")


class TieBreak(models.TextChoices):
    """What decides between players level on points."""

    WINS = "wins", _("tables won")
    OPPONENTS = "opponents", _("points of the opponents")
    SCORE_SHARE = "score_share", _("share of the tables’ scores")
    HEAD_TO_HEAD = "head_to_head", _("points against each other")
    BEST_TABLE = "best_table", _("best score at one table")
    PERFORMANCE = "performance", _("performance rating")


class Confirmation(models.TextChoices):
    """Who must agree before a result counts."""

    TRUST = "trust", _("a legal sheet counts at once")
    CONFIRM = "confirm", _("another seat confirms")
    ORGANISER = "organiser", _("the organiser approves")


def default_tiebreaks() -> list[str]:
    """Return the tie-breaks of an event that names none."""
    return [TieBreak.WINS.value, TieBreak.OPPONENTS.value, TieBreak.SCORE_SHARE.value]


def default_podium() -> list[int]:
    """Return the points per place of an event that names none."""
    return [5, 3, 2, 1]


class Event(models.Model):
    """A tournament, or a period of open play."""

    class Status(models.TextChoices):
        """Where an event is on its way."""

        DRAFT = "draft", _("draft")
        REGISTRATION = "registration", _("registration")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    OVER = (Status.FINISHED, Status.CANCELLED)

    uid = models.CharField(max_length=16, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="events", verbose_name=_("club"))
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("season")
    )
    name = models.CharField(_("name"), max_length=80)
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    variant = models.CharField(_("variant"), max_length=20)
    format = models.CharField(_("format"), max_length=12, choices=Format, default=Format.SWISS)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.DRAFT)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=4)
    table_min = models.PositiveSmallIntegerField(_("smallest table"))
    table_max = models.PositiveSmallIntegerField(_("largest table"))
    table_preferred = models.PositiveSmallIntegerField(_("preferred table"))
    points = models.CharField(_("points"), max_length=12, choices=Points, default=Points.PLACEMENT)
    podium_points = models.JSONField(_("points per place"), default=default_podium, blank=True)
    tiebreaks = models.JSONField(_("tie-breaks"), default=default_tiebreaks, blank=True)
    confirmation = models.CharField(
        _("confirmation"), max_length=12, choices=Confirmation, default=Confirmation.CONFIRM
    )
    rated = models.BooleanField(_("rated"), default=True)
    is_public = models.BooleanField(_("public"), default=True)
    cut_to = models.PositiveSmallIntegerField(
        _("cut to a final table of"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(LARGEST_TABLE)],
    )
    advance = models.PositiveSmallIntegerField(
        _("advance per table"), null=True, blank=True, help_text=_("Elimination; half of each table where empty.")
    )
    tables_counted = models.PositiveSmallIntegerField(
        _("best tables counted"), null=True, blank=True, help_text=_("Open play; the mean of all where empty.")
    )
    tables_least = models.PositiveSmallIntegerField(_("tables before one counts"), default=3)
    round_minutes = models.PositiveSmallIntegerField(_("minutes per round"), null=True, blank=True)
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    join_code = models.CharField(_("join code"), max_length=6, unique=True, default=new_code, editable=False)
    schedule = models.JSONField(
        _("schedule"), default=list, editable=False, help_text=_("Rotation: the rounds still to come, by entries.")
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("created by"),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts_at", "-pk"]
        indexes = [
            models.Index(fields=["club", "-starts_at", "-id"], name="tournaments_event_club"),
            models.Index(fields=["-starts_at", "-id"], name="tournaments_event_start"),
            models.Index(fields=["game", "status", "-starts_at"], name="tournaments_event_game"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    table_min__gte=SMALLEST_TABLE,
                    table_min__lte=F("table_preferred"),
                    table_preferred__lte=F("table_max"),
                    table_max__lte=LARGEST_TABLE,
                ),
                name="tournaments_event_sizes",
            ),
            models.CheckConstraint(condition=Q(rounds_planned__gte=1), name="tournaments_event_rounds"),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gte=F("starts_at")), name="tournaments_event_dates"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def game_name(self) -> str:
        """The name of the game in the language of the reader."""
        return engines.GAMES[self.game].name.into(get_language() or settings.LANGUAGE_CODE)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played in it."""
        return self.status in self.OVER


class Entry(models.Model):
    """A player's place in an event, under a name that is the only one of its kind there."""

    class Status(models.TextChoices):
        """Whether the player is to be seated."""

        REGISTERED = "registered", _("registered")
        CHECKED_IN = "checked_in", _("checked in")
        DROPPED = "dropped", _("dropped out")

    uid = models.CharField(max_length=16, unique=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="entries", verbose_name=_("event"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    name = models.CharField(_("name"), max_length=60)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.CHECKED_IN)
    is_verified = models.BooleanField(
        _("verified"), default=True, help_text=_("Somebody who joined as a known player is, until vouched for, not.")
    )
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    generation = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="tournaments_entry_player_uniq"),
            models.UniqueConstraint("event", Lower("name"), name="tournaments_entry_name_uniq"),
        ]
        indexes = [models.Index(fields=["event", "status"], name="tournaments_entry_status")]

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """Tables that are played at the same time. In open play every table has a round of its own."""

    class Status(models.TextChoices):
        """Where a round is on its way."""

        SEATED = "seated", _("seated")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")
        CANCELLED = "cancelled", pgettext_lazy("round", "cancelled")

    class Kind(models.TextChoices):
        """What a round is for."""

        NORMAL = "normal", _("round")
        FINAL = "final", pgettext_lazy("round", "final")
        OPEN = "open", _("open play")

    OPEN = (Status.SEATED, Status.RUNNING)

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.NORMAL)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.SEATED)
    seed = models.BigIntegerField(_("seed"), default=0)
    steps = models.PositiveBigIntegerField(_("steps of the search"), default=0)
    quality = models.JSONField(_("quality"), default=dict, blank=True)
    points = models.JSONField(
        _("points before"), default=dict, blank=True, help_text=_("By entry, in 840ths: what it was seated by.")
    )
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes"), null=True, blank=True)
    extra_minutes = models.PositiveSmallIntegerField(_("extra minutes"), default=0)
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(_("seated at"), auto_now_add=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number"], condition=~Q(status="cancelled"), name="tournaments_round_number_uniq"
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(status__in=["seated", "running"]) & ~Q(kind="open"),
                name="tournaments_round_one_open",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="tournaments_round_number"),
        ]

    def __str__(self) -> str:
        return f"{self.event} · {self.number}"

    @property
    def is_open(self) -> bool:
        """Whether its tables are still to be played."""
        return self.status in self.OPEN

    @property
    def ends_at(self) -> dt.datetime | None:
        """When its time is up, extra time included; None without a clock or before it starts."""
        if self.started_at is None or self.minutes is None:
            return None
        return self.started_at + dt.timedelta(minutes=self.minutes + self.extra_minutes)


class Table(models.Model):
    """Players at one table for one game."""

    class Status(models.TextChoices):
        """What is known of the table's result."""

        SEATED = "seated", _("seated")
        PLAYING = "playing", _("playing")
        REPORTED = "reported", _("reported")
        DISPUTED = "disputed", _("disputed")
        FINAL = "final", _("final")
        DROPPED = "dropped", _("dropped")

    uid = models.CharField(max_length=16, unique=True, default=new_id, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", verbose_name=_("round"))
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.SEATED)
    variant = models.CharField(_("variant"), max_length=20)
    code = models.CharField(
        _("code"),
        max_length=6,
        unique=True,
        null=True,
        blank=True,
        help_text=_("Open play: for the others to sit down."),
    )
    generation = models.PositiveIntegerField(default=1, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="tournaments_table_number_uniq")]

    def __str__(self) -> str:
        return f"{self.round} · {self.number}"


class Seat(models.Model):
    """A player at a table. `round` repeats the table's, so that the database keeps anybody from sitting twice."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", verbose_name=_("table"))
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats", verbose_name=_("round"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats", verbose_name=_("entry"))
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "position"]
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="tournaments_seat_once_a_round"),
            models.UniqueConstraint(fields=["table", "position"], name="tournaments_seat_position_uniq"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=LARGEST_TABLE), name="tournaments_seat_position"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.position}"


class SitOut(models.Model):
    """A player whom the numbers forced to sit out a round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="sit_outs", verbose_name=_("round"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="sit_outs", verbose_name=_("entry"))

    class Meta:
        verbose_name = _("sit-out")
        verbose_name_plural = _("sit-outs")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="tournaments_sitout_uniq")]

    def __str__(self) -> str:
        return f"{self.round} · {self.entry}"


class Action(models.Model):
    """Who did what to an event, when and why. Rows are only ever added."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="actions", verbose_name=_("event"))
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="actions", verbose_name=_("table")
    )
    verb = models.CharField(_("what"), max_length=40)
    actor = models.CharField(_("who"), max_length=120, help_text=_("The kind of credential and what it stands for."))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    reason = models.CharField(_("why"), max_length=500, blank=True)
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["event", "-id"], name="tournaments_action_event")]

    def __str__(self) -> str:
        return f"{self.verb} · {self.actor}"
