"""Events, who plays in them, and their rounds of tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import engines
from core.ids import CODE_LENGTH, ID_LENGTH, new_code, new_id
from core.language import reader_language
from engines.base import Engine
from engines.custom import CustomEngine
from tournaments.models.games import GameVersion, engine_of_version
from tournaments.models.people import Club, Player, Season

SMALLEST_TABLE, LARGEST_TABLE = 1, 8
LONGEST_REASON = 500  # that somebody gives for what they do
LONGEST_AUTHOR = 120  # of the label of a caller


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


class TieRule(models.TextChoices):
    """What decides at the line of a cut between players level on points."""

    TIEBREAKS = "tiebreaks", _("the tie-breaks, then lots")
    PLAYOFF = "playoff", _("a play-off table")
    LOTS = "lots", _("drawn lots")


class Showing(models.TextChoices):
    """Which places of the standings everybody sees while an event runs. The club sees all."""

    ALWAYS = "always", _("all places, always")
    TOP = "top", _("the first places only, until the event is finished")
    LATER = "later", _("none, until a round is closed or the event is finished")


class PrizeKind(models.TextChoices):
    """What a prize is for."""

    PLACE = "place", pgettext_lazy("prize", "place")
    BEST_SHEET = "best_sheet", pgettext_lazy("prize", "best sheet")
    BEST_NEWCOMER = "best_newcomer", pgettext_lazy("prize", "newcomer")
    FREE = "free", pgettext_lazy("prize", "other")


class Joining(models.TextChoices):
    """Whether players come in by the code of an event. Organisers enter people in any case."""

    OPEN = "open", pgettext_lazy("joining", "open")
    CLOSED = "closed", pgettext_lazy("joining", "closed")


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
    LONGEST_NAME = 80
    LONGEST_VARIANT = 20
    MOST_ROUNDS = 50
    MOST_ROUND_MINUTES = 1000
    MOST_TABLES_COUNTED = 1000
    MOST_PODIUM_POINTS = 1000
    SMALLEST_FINAL = 2
    LARGEST_CUT, MOST_STAGES = 256, 6
    MOST_ENTRIES = 10_000
    MOST_PLACES_SHOWN = 1000
    LONGEST_LABEL = 40
    MOST_LABELS = 500  # tables of a room plan
    MOST_PRIZES = 20
    USUAL_MOST_ENTRIES = 300  # far more than a café seats, and few enough to sort out by hand

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="events", verbose_name=_("club"))
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("season")
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    definition = models.ForeignKey(
        GameVersion,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="events",
        verbose_name=_("definition"),
        help_text=_("Of a club’s own game: the version that the event is played by."),
    )
    variant = models.CharField(_("variant"), max_length=LONGEST_VARIANT)
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
        validators=[MinValueValidator(SMALLEST_FINAL), MaxValueValidator(LARGEST_TABLE)],
    )
    stages = models.JSONField(
        _("stages of the final"),
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text=_("How many play in each, such as 8 and 4 for semi-finals and a final; instead of the cut."),
    )
    tie_rule = models.CharField(
        _("tie at the line"), max_length=12, choices=TieRule, default=TieRule.TIEBREAKS, db_default=TieRule.TIEBREAKS
    )
    standings_shown = models.CharField(
        _("standings shown"), max_length=8, choices=Showing, default=Showing.ALWAYS, db_default=Showing.ALWAYS
    )
    standings_number = models.PositiveSmallIntegerField(
        _("places or round"),
        null=True,
        blank=True,
        help_text=_("How many places are shown, or the round with whose end all are; without one, the end."),
    )
    prizes = models.JSONField(
        _("prizes"),
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text=_("In order, each with a kind and a name; a place has its number, another prize may have an entry."),
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
    join_code = models.CharField(_("join code"), max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    # Of the projector's link, which shows the code: renewed with it.
    generation = models.PositiveIntegerField(default=1, db_default=1, editable=False)
    joining = models.CharField(_("joining"), max_length=8, choices=Joining, default=Joining.OPEN)
    most_entries = models.PositiveIntegerField(
        _("players at most"),
        null=True,
        blank=True,
        default=USUAL_MOST_ENTRIES,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ENTRIES)],
        help_text=_("More do not come in by the code. Organisers may still enter people."),
    )
    table_labels = models.JSONField(
        _("labels of tables"),
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text=_("By number, from table 1: each with a label and a room, which may be empty."),
    )
    sign_up_ahead = models.BooleanField(
        _("sign-up ahead"),
        default=False,
        db_default=False,
        help_text=_("On its public page, without the code; who comes while every place is taken waits for one."),
    )
    sign_up_closes_at = models.DateTimeField(_("sign-up closes"), null=True, blank=True)
    check_in = models.BooleanField(
        _("check-in"),
        default=True,
        db_default=True,
        help_text=_("With sign-up ahead: who has not said that they are here is not seated."),
    )
    schedule = models.JSONField(
        _("schedule"), default=list, editable=False, help_text=_("Rotation: the rounds still to come, by entries.")
    )
    # Whether phones want to be told of changes: where none does, a change costs nothing more.
    has_phones = models.BooleanField(default=False, db_default=False, editable=False)
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
    def engine(self) -> Engine | None:
        """The rules it is played by: ours, or the club's own as they were when it began; None for an unknown game."""
        if self.definition_id is not None:
            return engine_of_version(self.game, self.definition_id)
        if self.definition is not None:
            return self.definition.engine  # of a file, whose event is judged before anything of it is stored
        return engines.GAMES.get(self.game)

    @property
    def game_name(self) -> str:
        """The name of the game in the language of the reader."""
        return self.engine.name.into(reader_language()) if self.engine else self.game

    @property
    def game_slug(self) -> str:
        """What its sheets, and everybody outside, call the game."""
        return self.engine.slug if self.engine else self.game

    @property
    def own_slug(self) -> str:
        """The slug of a club's own game."""
        return self.engine.definition.slug if isinstance(self.engine, CustomEngine) else ""

    @property
    def game_version(self) -> int | None:
        """Which version of a club's own game it is played by."""
        return self.engine.version if isinstance(self.engine, CustomEngine) else None

    @property
    def icon(self) -> str:
        """The picture that stands for its game."""
        return "custom" if self.definition_id is not None else self.game

    @property
    def is_solo(self) -> bool:
        """Whether everybody plays alone in it, for the best score."""
        variants = self.engine.variants if self.engine else ()
        return any(each.is_solo for each in variants if each.slug == self.variant)

    @property
    def format_name(self) -> str:
        """How players meet in it, or that they do not."""
        return gettext("alone, for the best score") if self.is_solo else self.get_format_display()

    def table_title(self, number: int) -> str:
        """Return what people call one of its tables; who plays alone plays a game, and sits at no table."""
        return (gettext("Game %(number)s") if self.is_solo else gettext("Table %(number)s")) % {"number": number}

    @property
    def counted_in(self) -> Season | None:
        """The season in which the event's standings count: its own, once it is finished."""
        return self.season if self.status == Event.Status.FINISHED else None

    @property
    def has_check_in(self) -> bool:
        """Whether players are registered until they are here. Without sign-up ahead, joining is being here."""
        return self.sign_up_ahead and self.check_in

    @property
    def cuts(self) -> list[int]:
        """How many play in each stage of the final; empty without one."""
        return list(self.stages) or ([self.cut_to] if self.cut_to else [])

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played in it."""
        return self.status in self.OVER


class Entry(models.Model):
    """A player's place in an event, under a name that is the only one of its kind there.

    A phone that says it is somebody known, and does not prove it, gets a record of its own: `player`. Whom it says it
    is stands in `claims` until somebody answers. Yes: the two records become one person. No: they stay two.
    """

    class Status(models.TextChoices):
        """Whether the player is to be seated."""

        REGISTERED = "registered", _("registered")
        CHECKED_IN = "checked_in", _("checked in")
        DROPPED = "dropped", _("dropped out")
        WAITING = "waiting", pgettext_lazy("entry", "waiting")

    IN = (Status.REGISTERED, Status.CHECKED_IN)  # who has one of the places

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="entries", verbose_name=_("event"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    name = models.CharField(_("name"), max_length=Player.LONGEST_NAME)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.CHECKED_IN)
    is_verified = models.BooleanField(
        _("verified"),
        default=True,
        help_text=_("Whether the personal link proves who the player is."),
    )
    claims = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="claimed_by",
        verbose_name=_("says to be"),
        help_text=_("A known player, until somebody vouches or says that it is not them."),
    )
    # The records as whom somebody came by its link; see `Merge`. Empty: the club said whose it is. Null: nothing was
    # proved, or a version without it did not tell.
    rests_on = models.JSONField(null=True, editable=False)
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    fixed_table = models.PositiveSmallIntegerField(
        _("always sits at table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(Event.MOST_LABELS)],
    )
    generation = models.PositiveIntegerField(default=1, editable=False)
    code_since = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When its phone was shown a code for another phone.")
    )
    waiting_since = models.DateTimeField(_("waiting since"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player"], name="tournaments_entry_player_uniq"),
            models.UniqueConstraint("event", Lower("name"), name="tournaments_entry_name_uniq"),
            models.UniqueConstraint(fields=["event", "claims"], name="tournaments_entry_claims_uniq"),
            models.CheckConstraint(
                condition=~Q(status="waiting") | Q(waiting_since__isnull=False), name="tournaments_entry_waits_since"
            ),
        ]
        indexes = [
            models.Index(fields=["event", "status"], name="tournaments_entry_status"),
            models.Index(fields=["code_since"], condition=~Q(code_since=None), name="tournaments_entry_code"),
            # Those who say to be somebody else are few, and asked for wherever people are listed.
            models.Index(fields=["player"], condition=Q(claims__isnull=False), name="tournaments_entry_claiming"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def person_id(self) -> int:
        """The key of the person it is seated as: whom it says it is, though nobody has vouched, or its own."""
        return (self.claims or self.player).person_id


class Contact(models.Model):
    """The address of a player who wants to be told of an event. Nobody is shown it; it goes when the event is over."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="contact", verbose_name=_("entry"))
    email = models.EmailField(_("e-mail address"))
    language = models.CharField(_("language"), max_length=10, blank=True)
    origin = models.CharField(_("address of the service"), max_length=200, blank=True)
    reminded_at = models.DateTimeField(_("reminded"), null=True, blank=True)
    told_round = models.PositiveSmallIntegerField(_("told of their table up to round"), default=0, db_default=0)
    told_place_at = models.DateTimeField(_("told of their final place"), null=True, blank=True)
    created_at = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        verbose_name = _("address of a player")
        verbose_name_plural = _("addresses of players")

    def __str__(self) -> str:
        return str(self.entry)


class Round(models.Model):
    """Tables that are played at the same time. In open play every table has a round of its own."""

    class Status(models.TextChoices):
        """Where a round is on its way."""

        DRAFT = "draft", pgettext_lazy("round", "draft")
        SEATED = "seated", _("seated")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")
        CANCELLED = "cancelled", pgettext_lazy("round", "cancelled")

    class Kind(models.TextChoices):
        """What a round is for."""

        NORMAL = "normal", _("round")
        FINAL = "final", pgettext_lazy("round", "final")
        PLAYOFF = "playoff", _("play-off")
        OPEN = "open", _("open play")

    OPEN = (Status.DRAFT, Status.SEATED, Status.RUNNING)
    MOST_MINUTES_AT_ONCE = 240  # by which a round is extended

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.NORMAL)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.SEATED)
    stage = models.PositiveSmallIntegerField(
        _("stage"), default=0, db_default=0, help_text=_("Of the final, from 1; 0 for rounds before it.")
    )
    cut = models.JSONField(
        _("line of the cut"),
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        help_text=_("Who was level there, and what decided."),
    )
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
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(_("seconds paused before"), default=0, db_default=0)
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
                condition=Q(status__in=["draft", "seated", "running"]) & ~Q(kind="open"),
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
    def is_stage(self) -> bool:
        """Whether it comes after the cut: a stage of the final, or a play-off for it."""
        return self.kind in {self.Kind.FINAL, self.Kind.PLAYOFF}

    @property
    def title(self) -> str:
        """What people call it."""
        if self.kind == self.Kind.PLAYOFF:
            return gettext("Play-off")
        if self.kind != self.Kind.FINAL:
            return pgettext("of an event", "Round {number}").format(number=self.number)
        return stage_name(len(self.event.cuts) - self.stage if self.stage else 0)

    @property
    def is_draft(self) -> bool:
        """Whether the club alone sees it, until it is published."""
        return self.status == self.Status.DRAFT

    @property
    def sitting_out(self) -> list[Entry]:
        """Who was forced to sit out."""
        return [each.entry for each in self.sit_outs.all()]

    @property
    def ends_at(self) -> dt.datetime | None:
        """When its time is up, extra time included; None without a clock or before it starts."""
        if self.started_at is None or self.minutes is None:
            return None
        clock = dt.timedelta(minutes=self.minutes + self.extra_minutes, seconds=self.paused_seconds)
        return self.started_at + clock

    @property
    def seconds_left(self) -> int | None:
        """How much time is left on a clock that is paused; None for one that runs, or where there is none."""
        ends_at = self.ends_at
        if self.paused_at is None or ends_at is None:
            return None
        return round((ends_at - self.paused_at).total_seconds())


class Calling(models.TextChoices):
    """What the phones of a table show of calls for the organiser."""

    ASKED = "asked", _("asked about seats")
    OPEN = "open", _("called")
    COMING = "coming", _("coming")


def stage_name(before_last: int) -> str:
    """Return the name of a stage of the final, by how many come after it."""
    match before_last:
        case 1:
            return gettext("Semi-finals")
        case 2:
            return gettext("Quarter-finals")
        case later if later > 0:
            return gettext("{number} stages before the final").format(number=later)
    return gettext("Final")


class TableQuerySet(models.QuerySet["Table"]):
    """Tables, and the one way in which they change."""

    def change(self, **fields: Any) -> int:
        """Save fields of tables and raise their versions, so that everybody who polls them sees it."""
        return self.update(version=F("version") + 1, **fields)


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

    UNPLAYED = (Status.SEATED, Status.PLAYING)
    SETTLED = (Status.FINAL, Status.DROPPED)

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", verbose_name=_("round"))
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.SEATED)
    variant = models.CharField(_("variant"), max_length=Event.LONGEST_VARIANT)
    label = models.CharField(_("label"), max_length=Event.LONGEST_LABEL, blank=True, default="", db_default="")
    room = models.CharField(_("room"), max_length=Event.LONGEST_LABEL, blank=True, default="", db_default="")
    extra_minutes = models.PositiveSmallIntegerField(_("extra minutes"), default=0, db_default=0)
    call = models.CharField(
        _("call"),
        max_length=8,
        choices=Calling,
        blank=True,
        default="",
        db_default="",
        help_text=_("What its phones show of calls: written by the service of calls alone."),
    )
    code = models.CharField(
        _("code"),
        max_length=CODE_LENGTH,
        unique=True,
        null=True,
        blank=True,
        help_text=_("Open play: for the others to sit down."),
    )
    generation = models.PositiveIntegerField(default=1, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = TableQuerySet.as_manager()

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="tournaments_table_number_uniq")]

    def __str__(self) -> str:
        return f"{self.round} · {self.number}"

    @property
    def ends_at(self) -> dt.datetime | None:
        """When its time is up: that of the round, and what the table got beyond it."""
        ends_at = self.round.ends_at
        return ends_at and ends_at + dt.timedelta(minutes=self.extra_minutes)

    @property
    def seconds_left(self) -> int | None:
        """How much time is left while the round's clock is paused."""
        left = self.round.seconds_left
        return left if left is None else left + 60 * self.extra_minutes

    @property
    def where(self) -> str:
        """Where it stands, as the club calls it: its label and its room; empty without."""
        return " · ".join(each for each in (self.label, self.room) if each)


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


class Call(models.Model):
    """Somebody at a table asks for the organiser. `other` is with whom they say to have changed seats."""

    class Kind(models.TextChoices):
        """What it is about."""

        QUESTION = "question", _("a question")
        PROBLEM = "problem", _("a problem")
        SEATS = "seats", _("wrong seats")

    class Status(models.TextChoices):
        """Where a call is on its way."""

        OPEN = "open", pgettext_lazy("call", "open")
        COMING = "coming", _("coming")
        DONE = "done", _("done")

    LONGEST_TEXT = 200

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    table = models.ForeignKey(Table, models.CASCADE, related_name="calls", verbose_name=_("table"))
    entry = models.ForeignKey(
        Entry, models.CASCADE, null=True, blank=True, related_name="calls", verbose_name=_("entry")
    )
    other = models.ForeignKey(
        Entry, models.SET_NULL, null=True, blank=True, related_name="asked", verbose_name=_("changed seats with")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    text = models.CharField(_("text"), max_length=LONGEST_TEXT, blank=True)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.OPEN)
    created_at = models.DateTimeField(_("called"), auto_now_add=True)

    class Meta:
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "entry"], condition=~Q(status="done"), name="tournaments_call_of_entry"
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(entry=None) & ~Q(status="done"), name="tournaments_call_of_slip"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.get_kind_display()}"


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


class Penalty(models.Model):
    """Points taken off an entry for a reason; what was taken back stays here, and counts nothing."""

    STEP = Decimal("0.025")  # 840 of these make whole 840ths, so that standings stay exact
    MOST_POINTS = 100_000
    MOST = 1000  # in an event

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="penalties", verbose_name=_("event"))
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="penalties", verbose_name=_("entry"))
    points = models.DecimalField(_("points"), max_digits=9, decimal_places=3)
    round = models.PositiveIntegerField(
        _("round"), null=True, blank=True, help_text=_("The number of the round in which it happened.")
    )
    reason = models.CharField(_("why"), max_length=LONGEST_REASON)
    created_at = models.DateTimeField(_("given"), auto_now_add=True)
    taken_back_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=Q(points__gt=0), name="tournaments_penalty_points")]

    def __str__(self) -> str:
        return f"{self.entry} · {self.points}"


class Action(models.Model):
    """Who did what to an event, when and why. Rows are only ever added."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="actions", verbose_name=_("event"))
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="actions", verbose_name=_("table")
    )
    verb = models.CharField(_("what"), max_length=40)
    actor = models.CharField(
        _("who"), max_length=LONGEST_AUTHOR, help_text=_("The kind of credential and what it stands for.")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    reason = models.CharField(_("why"), max_length=LONGEST_REASON, blank=True)
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["event", "-id"], name="tournaments_action_event")]

    def __str__(self) -> str:
        return f"{self.verb} · {self.actor}"
