"""What was reported, what counts, and what is computed from it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import engines
from core.ids import ID_LENGTH, new_id
from engines.base import Verdict
from tournaments.actors import Kind
from tournaments.models import LONGEST_AUTHOR, LONGEST_REASON, Entry, Event, Player, Season, Seat, Table

DEVICE_LENGTH = 32


class Draft(models.Model):
    """The score sheet of a table as far as it is filled in."""

    table = models.OneToOneField(
        Table, models.CASCADE, primary_key=True, related_name="draft", verbose_name=_("table")
    )
    sheet = models.JSONField(_("sheet"), default=dict)
    version = models.PositiveIntegerField(_("version"), default=1)
    author = models.CharField(_("who"), max_length=LONGEST_AUTHOR)
    writers = models.JSONField(
        _("who wrote what"),
        blank=True,
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        help_text=_("By the path of each value that is there."),
    )
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")

    def __str__(self) -> str:
        return f"{self.table} · {self.version}"


class Report(models.Model):
    """A legal result of a table, as somebody reported it. A correction is a new version; none is ever rewritten.

    `standings` are the verdict's, `sheet` is what they were judged from: labels are the ids of players. A result that
    an organiser ranked by hand has no sheet. `forfeits` are players who take the last places whatever the sheet says.
    """

    class Status(models.TextChoices):
        """Whether it counts."""

        PENDING = "pending", _("waiting")
        FINAL = "final", _("final")
        DISPUTED = "disputed", _("disputed")
        REPLACED = "replaced", _("replaced")
        WITHDRAWN = "withdrawn", _("withdrawn")

    LIVE = (Status.PENDING, Status.DISPUTED)  # may still count
    STANDING = (*LIVE, Status.FINAL)  # may still count, or does
    MOST_POINTS = 10**6  # that an organiser gives by hand, more or less
    LONGEST_REASON = LONGEST_REASON  # for the pages

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    table = models.ForeignKey(Table, models.CASCADE, related_name="reports", verbose_name=_("table"))
    version = models.PositiveIntegerField(_("version"))
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.PENDING)
    sheet = models.JSONField(_("sheet"), null=True, blank=True)
    minimal = models.CharField(
        _("fingerprint"), max_length=64, help_text=_("Of what a table must report: equal for sheets that agree.")
    )
    standings = models.JSONField(_("standings"), default=list)
    forfeits = models.JSONField(_("forfeits"), default=list, blank=True)
    flags = models.JSONField(_("flags"), default=list, blank=True, help_text=_("Why somebody should look at it."))
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="reports", verbose_name=_("seat")
    )
    author = models.CharField(
        _("who"), max_length=LONGEST_AUTHOR, help_text=_("The kind of credential and what it stands for.")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    device = models.CharField(
        _("browser"), max_length=DEVICE_LENGTH, blank=True, help_text=_("Tells at this table which browser sent it.")
    )
    reason = models.CharField(_("why"), max_length=LONGEST_REASON, blank=True)
    played_at = models.DateTimeField(_("played"), null=True, blank=True)
    created_at = models.DateTimeField(_("received"), auto_now_add=True)
    said: list[Voice]  # by others; there where a report was read with `selectors.VOICES`
    verdict: Verdict | None = None  # there where the sheet was just judged
    present: tuple[str, list[dict[str, Any]]] | None = None  # fingerprint and places, where `renew` found them anew

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["table_id", "version"]
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="scoring_report_version_uniq"),
            models.UniqueConstraint(fields=["table"], condition=Q(status="final"), name="scoring_report_one_final"),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "final", "disputed", "replaced", "withdrawn"]),
                name="scoring_report_status",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.version}"

    @property
    def claim(self) -> tuple[object, ...]:
        """What the report says happened: equal for sheets that confirm each other, whatever else they carry.

        What decides the first place need not be part of what a table must report, so the places belong to it.
        """
        minimal, standings = self.present or (self.minimal, self.standings)
        places = ((row["seat"], row["rank"], tuple(row["key"])) for row in standings)
        return (minimal, *sorted(places))

    @property
    def is_personal(self) -> bool:
        """Whether a player sent it by their own link; nobody else touches it then."""
        return self.author == Kind.ENTRY

    @property
    def is_by_slip(self) -> bool:
        """Whether it came by the table's slip, which anybody there may have used."""
        return self.author == Kind.TABLE

    @property
    def agreed(self) -> list[Voice]:
        """The voices of seats that confirm it."""
        return [voice for voice in self.said if voice.says == Voice.Says.CONFIRM]

    @property
    def objections(self) -> list[Voice]:
        """The voices of seats that dispute it."""
        return [voice for voice in self.said if voice.says == Voice.Says.DISPUTE]


class Attempt(models.Model):
    """A sheet that broke a rule. It counts for nothing; the organiser can see what was tried."""

    MOST_PER_SEAT = 5
    # Of the sheets together: nonsense by all links and the slip of a table of eight takes less than a megabyte.
    MOST_BYTES_PER_SEAT = 48_000

    table = models.ForeignKey(Table, models.CASCADE, related_name="attempts", verbose_name=_("table"))
    code = models.CharField(_("refused as"), max_length=40)
    sheet = models.JSONField(_("sheet"))
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="attempts", verbose_name=_("seat")
    )
    author = models.CharField(_("who"), max_length=LONGEST_AUTHOR)
    created_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.table} · {self.code}"


class Voice(models.Model):
    """What another seat said of a report."""

    class Says(models.TextChoices):
        """Agreed or not."""

        CONFIRM = "confirm", _("confirms")
        DISPUTE = "dispute", _("disputes")

    report = models.ForeignKey(Report, models.CASCADE, related_name="voices", verbose_name=_("report"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="voices", verbose_name=_("seat"))
    says = models.CharField(_("says"), max_length=8, choices=Says)
    device = models.CharField(_("browser"), max_length=DEVICE_LENGTH, blank=True)
    reason = models.CharField(_("why"), max_length=LONGEST_REASON, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("voice")
        verbose_name_plural = _("voices")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["report", "entry"], name="scoring_voice_uniq")]

    def __str__(self) -> str:
        return f"{self.entry} {self.get_says_display()}"


class Result(models.Model):
    """A table that has had a final report. `first_final_at` is its place in the order of ratings, for good.

    `is_counted` is false while no report of the table is final any more.
    """

    table = models.OneToOneField(
        Table, models.CASCADE, primary_key=True, related_name="result", verbose_name=_("table")
    )
    event = models.ForeignKey(Event, models.CASCADE, related_name="results", verbose_name=_("event"))
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    report = models.ForeignKey(Report, models.CASCADE, related_name="+", verbose_name=_("report"))
    first_final_at = models.DateTimeField(_("first final"))
    played_at = models.DateTimeField(_("played"))
    is_rated = models.BooleanField(_("rated"))
    is_counted = models.BooleanField(_("counts"), default=True)
    changed_at = models.DateTimeField(_("changed"), default=timezone.now, db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["first_final_at", "table_id"]
        indexes = [
            models.Index(fields=["game", "first_final_at", "table"], name="scoring_result_order"),
            models.Index(fields=["event", "first_final_at"], name="scoring_result_event"),
            models.Index(fields=["changed_at", "table"], name="scoring_result_changed"),
        ]

    def __str__(self) -> str:
        return str(self.table)


class Placing(models.Model):
    """A seat's place in the result that counts. The columns of others are repeated for one indexed read."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True, related_name="placing", verbose_name=_("seat"))
    result = models.ForeignKey(Result, models.CASCADE, related_name="placings", verbose_name=_("result"))
    event = models.ForeignKey(Event, models.CASCADE, related_name="+", verbose_name=_("event"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="placings", verbose_name=_("entry"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="placings", verbose_name=_("player"))
    game = models.CharField(_("game"), max_length=20)
    at = models.DateTimeField(_("first final"))
    rank = models.PositiveSmallIntegerField(_("rank"))
    score = models.IntegerField(_("score"), null=True, blank=True)
    is_forfeit = models.BooleanField(_("forfeited"), default=False)

    class Meta:
        verbose_name = _("placing")
        verbose_name_plural = _("placings")
        ordering = ["result_id", "rank", "seat_id"]
        indexes = [
            models.Index(fields=["player", "game", "-at", "-seat"], name="scoring_placing_player"),
            models.Index(fields=["event"], name="scoring_placing_event"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} · {self.rank}"


class StandingRow(models.Model):
    """An entry's place in the standings of its event. `points` are in 840ths; `tiebreaks` in the event's order.

    `reason` says, as a code with facts, what put it behind the row before it. `rounds` are how it came about.
    """

    entry = models.OneToOneField(
        Entry, models.CASCADE, primary_key=True, related_name="standing", verbose_name=_("entry")
    )
    event = models.ForeignKey(Event, models.CASCADE, related_name="standings", verbose_name=_("event"))
    place = models.PositiveIntegerField(_("place"), help_text=_("The order of the list; ties share a rank."))
    rank = models.PositiveIntegerField(_("rank"))
    points = models.BigIntegerField(_("points"))
    penalty = models.BigIntegerField(
        _("penalty"), default=0, db_default=0, help_text=_("What penalties took off the points, in 840ths.")
    )
    tables = models.PositiveIntegerField(_("tables"))
    tiebreaks = models.JSONField(_("tie-breaks"), default=list)
    reason = models.JSONField(_("reason"), default=dict)
    is_ranked = models.BooleanField(_("counts"), default=True, help_text=_("Open play: enough tables were played."))
    rounds = models.JSONField(
        _("rounds"),
        blank=True,
        default=list,
        db_default=[],
        help_text=_("Round, rank after it, points, place and seats of the table."),
    )

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["event_id", "place"]
        constraints = [models.UniqueConstraint(fields=["event", "place"], name="scoring_standingrow_place_uniq")]

    def __str__(self) -> str:
        return f"{self.rank} · {self.entry}"


class SeasonRow(models.Model):
    """A person's place in a season. `points` are in thousandths; `results` are what they are the sum of."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="rows", verbose_name=_("season"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="seasons", verbose_name=_("player"))
    place = models.PositiveIntegerField(_("place"))
    rank = models.PositiveIntegerField(_("rank"))
    points = models.BigIntegerField(_("points"))
    events = models.PositiveIntegerField(_("events"))
    results = models.JSONField(_("results"), default=list)
    reason = models.JSONField(_("reason"), default=dict)
    steps = models.JSONField(
        _("steps"),
        default=list,
        db_default=[],
        blank=True,
        help_text=_("After each event since their first: place, rank and points."),
    )

    class Meta:
        verbose_name = _("season standing")
        verbose_name_plural = _("season standings")
        ordering = ["season_id", "place"]
        constraints = [
            models.UniqueConstraint(fields=["season", "place"], name="scoring_seasonrow_place_uniq"),
            models.UniqueConstraint(fields=["season", "player"], name="scoring_seasonrow_player_uniq"),
        ]

    def __str__(self) -> str:
        return f"{self.rank} · {self.player}"


class Rating(models.Model):
    """How strong a person is at a game, in thousandths of a point."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", verbose_name=_("player"))
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    rating = models.IntegerField(_("rating"))
    tables = models.PositiveIntegerField(_("tables"))
    last_played = models.DateTimeField(_("last played"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["game", "-rating", "player_id"]
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="scoring_rating_uniq")]
        indexes = [models.Index(fields=["game", "-rating", "player"], name="scoring_rating_board")]

    def __str__(self) -> str:
        return f"{self.player} · {self.game}"


class RatingChange(models.Model):
    """What one table did to the rating of one seat: one narrow row, found through the seat's placing."""

    # No constraint towards the placing: a replay writes millions of rows, and deletes them with the result.
    placing = models.OneToOneField(
        Placing,
        models.DO_NOTHING,
        primary_key=True,
        related_name="change",
        db_constraint=False,
        verbose_name=_("placing"),
    )
    before = models.IntegerField(_("before"))
    after = models.IntegerField(_("after"))

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"

    @property
    def delta(self) -> int:
        """By how much the rating rose."""
        return self.after - self.before


class RatingModel(models.Model):
    """Which rating model computed the ratings and checkpoints of a game. Those of another are replayed."""

    game = models.CharField(_("game"), max_length=20, choices=engines.choices, primary_key=True)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)

    class Meta:
        verbose_name = _("rating model")
        verbose_name_plural = _("rating models")

    def __str__(self) -> str:
        return f"{self.game} · {self.fingerprint[:8]}"


class Checkpoint(models.Model):
    """All ratings of a game after some table in order, so that a replay need not begin at the first."""

    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    at = models.DateTimeField(_("after"))
    table = models.PositiveBigIntegerField(_("table"))
    tables = models.PositiveBigIntegerField(_("tables so far"))
    state = models.BinaryField(_("ratings"))
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ["game", "-at", "-table"]
        constraints = [models.UniqueConstraint(fields=["game", "at", "table"], name="scoring_checkpoint_uniq")]

    def __str__(self) -> str:
        return f"{self.game} · {self.tables}"


class Replay(models.Model):
    """A computation of ratings that went back in time: why, from where, and what it changed."""

    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    why = models.CharField(_("why"), max_length=500)
    since_at = models.DateTimeField(_("from"), null=True, blank=True)
    since_table = models.PositiveBigIntegerField(_("table"), null=True, blank=True)
    tables = models.PositiveBigIntegerField(_("tables"))
    players_moved = models.PositiveIntegerField(_("players moved"))
    largest_move = models.PositiveIntegerField(_("largest move"), help_text=_("In thousandths of a point."))
    facts = models.JSONField(_("facts"), default=dict, blank=True, encoder=DjangoJSONEncoder)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("replay")
        verbose_name_plural = _("replays")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.game} · {self.at:%Y-%m-%d %H:%M}"
