"""Games that one person plays with the service, the challenges of days and clubs, and records of tables."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import engines
from core.ids import ID_LENGTH, new_id
from core.names import LONGEST
from tournaments.models import LONGEST_AUTHOR, Club, Table

HOLDER_LENGTH = 64
LATE = dt.timedelta(hours=2)  # that somebody who began before midnight has to finish


def zone_of(club: Club | None) -> dt.tzinfo:
    """Return the zone by whose clocks the days of a club's challenges begin, or of everybody's."""
    return club.zone if club else timezone.get_default_timezone()


def today(club: Club | None) -> dt.date:
    """Return which day it is where a club is, or the service."""
    return timezone.localdate(timezone=zone_of(club))


class Challenge(models.Model):
    """The game of a day, with the same dice or cards for everybody in a club, or everywhere.

    The seed is derived from the server's key, and kept here: a key that is replaced changes no day that has begun.
    """

    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="challenges", verbose_name=_("club")
    )
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    variant = models.CharField(_("variant"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    day = models.DateField(_("day"))
    seed = models.CharField(_("seed"), max_length=64)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["-day", "game", "club_id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "game", "day"], name="play_challenge_of_club"),
            models.UniqueConstraint(
                fields=["game", "day"], condition=Q(club=None), name="play_challenge_of_everybody"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} · {self.game}"

    @property
    def ends_at(self) -> dt.datetime:
        """When nobody can begin it any more: the end of its day, by the clocks of the club or of the service."""
        return dt.datetime.combine(self.day + dt.timedelta(days=1), dt.time(), zone_of(self.club))

    @property
    def closes_at(self) -> dt.datetime:
        """When no result is taken any more, and everybody may look at the records."""
        return self.ends_at + LATE

    @property
    def can_begin(self) -> bool:
        """Whether somebody may begin it now."""
        return self.day == today(self.club)

    @property
    def is_closed(self) -> bool:
        """Whether its results stand and its records are open."""
        return timezone.now() >= self.closes_at


class SoloGame(models.Model):
    """A game that one person plays with the service. Its record, the moves so far, is its state.

    `holder` is a digest of the secret that the phone holds. `seed` decides every throw and every card, and nobody is
    told it before the game is over. The person sits at the seat `player`.
    """

    SEAT = "player"
    MOST_MOVES = 3000
    LONGEST_MOVE = 200

    class Status(models.TextChoices):
        """Whether it goes on."""

        PLAYING = "playing", _("being played")
        OVER = "over", _("over")

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    game = models.CharField(_("game"), max_length=20, choices=engines.choices)
    variant = models.CharField(_("variant"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    seats = models.JSONField(_("seats"))
    house = models.CharField(_("house player"), max_length=20, blank=True)
    seed = models.CharField(_("seed"), max_length=64)
    moves = models.JSONField(_("moves"), default=list, blank=True)
    taken_back = models.PositiveIntegerField(_("moves taken back"), default=0)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.PLAYING)
    score = models.IntegerField(_("score"), null=True, blank=True)
    is_won = models.BooleanField(_("won"), null=True, blank=True)
    challenge = models.ForeignKey(
        Challenge, models.CASCADE, null=True, blank=True, related_name="games", verbose_name=_("challenge")
    )
    holder = models.CharField(_("phone"), max_length=HOLDER_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    name = models.CharField(_("name"), max_length=LONGEST, blank=True)
    is_hidden = models.BooleanField(_("taken off the board"), default=False)
    created_at = models.DateTimeField(_("begun"), auto_now_add=True)
    moved_at = models.DateTimeField(_("last move"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("game in play")
        verbose_name_plural = _("games in play")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["challenge", "holder"], condition=Q(challenge__isnull=False), name="play_one_try_a_phone"
            ),
            models.UniqueConstraint(
                fields=["challenge", "user"],
                condition=Q(challenge__isnull=False, user__isnull=False),
                name="play_one_try_a_user",
            ),
            models.UniqueConstraint(
                fields=["holder", "game", "variant"],
                condition=Q(challenge=None, status="playing"),
                name="play_one_open_game",
            ),
            models.CheckConstraint(condition=Q(status__in=["playing", "over"]), name="play_solo_status"),
        ]
        indexes = [
            models.Index(fields=["holder", "created_at"], name="play_solo_holder"),
            models.Index(fields=["status", "moved_at"], name="play_solo_idle"),
            models.Index(fields=["challenge", "-is_won", "-score"], name="play_solo_board"),
        ]

    def __str__(self) -> str:
        return f"{self.game} · {self.uid}"

    @property
    def is_practice(self) -> bool:
        """Whether it is for learning: against house players, and no challenge."""
        return bool(self.house) and self.challenge_id is None

    @property
    def is_over(self) -> bool:
        """Whether its last move was made."""
        return self.status == self.Status.OVER

    @property
    def record(self) -> dict[str, Any]:
        """The game as the engines replay it."""
        head: dict[str, Any] = {"game": self.game, "variant": self.variant, "seats": self.seats}
        return head | ({"options": self.options} if self.options else {}) | {"moves": self.moves}


class TableRecord(models.Model):
    """The record of the game that was played at a table. It was replayed, and told the result that `minimal` is of."""

    table = models.OneToOneField(
        Table, models.CASCADE, primary_key=True, related_name="record", verbose_name=_("table")
    )
    variant = models.CharField(_("variant"), max_length=20)
    seats = models.JSONField(_("seats"))
    options = models.JSONField(_("options"), default=dict, blank=True)
    moves = models.JSONField(_("moves"))
    minimal = models.CharField(_("fingerprint"), max_length=64)
    author = models.CharField(_("who"), max_length=LONGEST_AUTHOR)
    created_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("record of a table")
        verbose_name_plural = _("records of tables")

    def __str__(self) -> str:
        return str(self.table)

    @property
    def record(self) -> dict[str, Any]:
        """The game as the engines replay it."""
        head: dict[str, Any] = {"game": self.table.round.event.game, "variant": self.variant, "seats": self.seats}
        return head | ({"options": self.options} if self.options else {}) | {"moves": self.moves}
