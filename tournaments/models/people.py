"""Clubs, who runs them, and the people who play."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least, Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core import names, zones
from core.ids import ID_LENGTH, new_id
from core.likeness import look, look_folded, searchable
from core.models import User


class Club(models.Model):
    """A café or club that runs events."""

    LONGEST_NAME = 80
    LONGEST_SLUG = 60

    slug = models.SlugField(_("slug"), max_length=LONGEST_SLUG, unique=True)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    is_public = models.BooleanField(_("public"), default=True, help_text=_("Anybody may read events and standings."))
    is_rated_openly = models.BooleanField(
        _("rated"),
        default=True,
        help_text=_("Its results count for everybody’s ratings. The operator may withdraw that, and give it back."),
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=zones.LONGEST_NAME,
        default=zones.default_zone,
        db_default=zones.UTC,
        validators=[zones.require_zone],
    )
    mails_players = models.BooleanField(
        _("mails players"),
        default=False,
        db_default=False,
        help_text=_("Players who left an address are mailed their table of each round and their final place."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    members: models.ManyToManyField[models.Model, models.Model] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", verbose_name=_("members"), related_name="clubs"
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone that its clocks show."""
        return zones.zone_named(self.time_zone)


class Role(models.TextChoices):
    """What a member may do; each may do all that the ones after it may."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")


class Membership(models.Model):
    """A user's role in a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships", verbose_name=_("user")
    )
    role = models.CharField(_("role"), max_length=12, choices=Role)
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="tournaments_membership_uniq"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="tournaments_membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"


class Invitation(models.Model):
    """An offer of a role to somebody who may not have an account yet. Only the hash of its secret is kept."""

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations", verbose_name=_("club"))
    email = models.EmailField(_("e-mail address"), max_length=User.LONGEST_EMAIL)
    role = models.CharField(_("role"), max_length=12, choices=Role)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("invited by"),
    )
    created_at = models.DateTimeField(_("sent"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    is_mailed = models.BooleanField(
        _("by mail alone"),
        default=False,
        db_default=False,
        help_text=_("Its secret went to the address and was shown to nobody, so that it proves the address."),
    )
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.UniqueConstraint(
                "club", Lower("email"), condition=Q(accepted_at=None), name="tournaments_invitation_open_uniq"
            )
        ]

    def __str__(self) -> str:
        return self.email


class MadeOfNameField(models.TextField):
    """What is made of the name beside it; written whenever the row is."""

    make: Callable[[str], str]

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return what is made of the name; `update`, and `save` of some fields, must name all of `Player.named`."""
        value = self.make(model_instance.name)  # type: ignore[attr-defined]  # it stands beside a name
        setattr(model_instance, self.attname, value)
        return value


class SearchField(MadeOfNameField):
    """A name without case and accents, as it is searched."""

    make = staticmethod(searchable)


class LookField(MadeOfNameField):
    """How a name looks as it is written."""

    make = staticmethod(look)


class FoldedLookField(MadeOfNameField):
    """How a name looks without case."""

    make = staticmethod(look_folded)


class Player(models.Model):
    """Somebody who plays, known by a display name; most have no account.

    A record that turned out to be the same person as another points there with `merged_into`, one step and never two.
    """

    LONGEST_NAME = names.LONGEST

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    search = SearchField(_("name as searched"), db_default="", editable=False)
    # Whoever shares one of the two looks of a name can be taken for them, and is found without reading all names.
    look = LookField(db_default="", editable=False)
    look_folded = FoldedLookField(db_default="", editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="player", verbose_name=_("user")
    )
    # Nothing tells how an account was tied before this was written down: such a tie counts as proved, as it did.
    tied_by_club = models.BooleanField(
        _("tied by the club"),
        default=False,
        db_default=False,
        help_text=_("The account is theirs on an organiser’s word alone, and does not prove that it is them."),
    )
    tied_at = models.DateTimeField(  # null: by a version that did not write it down
        _("tied"), null=True, editable=False, help_text=_("Since when the account is theirs.")
    )
    # As whom somebody proved the account, if they were not this record alone; see `Merge`.
    tie_rests_on = models.JSONField(null=True, editable=False)
    home = models.ForeignKey(
        Club,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="own_players",
        verbose_name=_("home club"),
        help_text=_("The first that entered them. Its organisers speak for them; other clubs do not."),
    )
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged", verbose_name=_("same person as")
    )
    anonymised_at = models.DateTimeField(_("anonymised"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    clubs: models.ManyToManyField[Club, Affiliation] = models.ManyToManyField(
        Club, through="Affiliation", verbose_name=_("clubs"), related_name="players"
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name", "pk"]
        indexes = [
            models.Index(Lower("name"), name="tournaments_player_name"),
            models.Index(fields=["home", "search"], name="tournaments_player_search"),
            models.Index(fields=["home", "look"], name="tournaments_player_look"),
            models.Index(fields=["home", "look_folded"], name="tournaments_player_look_folded"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="tournaments_player_named"),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")), name="tournaments_player_not_into_itself"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_anonymous(self) -> bool:
        """Whether their name was replaced for good."""
        return self.anonymised_at is not None

    @property
    def person_id(self) -> int:
        """The key of the person's one record: this one, or the one it was merged into."""
        return self.merged_into_id or self.pk

    @classmethod
    def named(cls, name: str) -> dict[str, str]:
        """Return the fields of somebody with a name, and their values: the name, and all that is made of it."""
        made = (field for field in cls._meta.concrete_fields if isinstance(field, MadeOfNameField))
        return {"name": name} | {field.attname: field.make(name) for field in made}

    def take_name(self, name: str) -> None:
        """Give somebody a name, and all that is made of it; nothing is saved."""
        for field, value in self.named(name).items():
            setattr(self, field, value)


class Affiliation(models.Model):
    """A player whom a club knows."""

    LONGEST_NOTE = 2000

    club = models.ForeignKey(Club, models.CASCADE, related_name="affiliations", verbose_name=_("club"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="affiliations", verbose_name=_("player"))
    note = models.TextField(
        _("note"),
        max_length=LONGEST_NOTE,
        blank=True,
        default="",
        db_default="",
        help_text=_("Of the club’s organisers about the player. Nobody else reads it."),
    )
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("known player")
        verbose_name_plural = _("known players")
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="tournaments_affiliation_uniq")]

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"


class Merge(models.Model):
    """That two records were found to be one person, so that it can be taken back.

    `moved` are the records that had been merged into `gone` before, by their keys, and those of phones that said to be
    `gone` and were vouched for since: they go with it where this is taken back. `last_entry` is the key of the newest
    entry there was, of anybody: later ones are new, whenever a file says that they were made.

    `rests_on` are the other records as whom somebody said that the two are one, by their keys: where one of them is
    parted from the person, this is taken back as well. So are the tie of an account that rests on it, and the link of
    an entry, and in turn what was said by either. Of a vouching, `entry` is the phone's, and `claims` the record that
    it named, so that it can be asked about again.
    """

    kept = models.ForeignKey(Player, models.CASCADE, related_name="merges", verbose_name=_("kept"))
    gone = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("merged"))
    moved = models.JSONField(_("moved along"), default=list, blank=True)
    last_entry = models.BigIntegerField(null=True, editable=False)  # null: merged by a version without it
    # Null: merged by a version without it. Nothing tells on whose word, so that it is taken back by itself alone.
    rests_on = models.JSONField(null=True, editable=False)
    entry = models.ForeignKey("Entry", models.SET_NULL, null=True, editable=False, related_name="+")
    claims = models.ForeignKey(Player, models.SET_NULL, null=True, editable=False, related_name="+")
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("merged by")
    )
    merged_at = models.DateTimeField(_("merged"), auto_now_add=True)
    undone_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        constraints = [
            models.UniqueConstraint(fields=["gone"], condition=Q(undone_at=None), name="tournaments_merge_once"),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"


class MergeRequest(models.Model):
    """That somebody who speaks for one of two records asks the other side whether they are one person.

    `awaits` is the record whose side has to answer. The asker is a club, or else a person by their account.
    """

    class Status(models.TextChoices):
        """What became of it."""

        OPEN = "open", pgettext_lazy("request", "open")
        ACCEPTED = "accepted", pgettext_lazy("request", "accepted")
        DECLINED = "declined", pgettext_lazy("request", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("request", "withdrawn")
        EXPIRED = "expired", pgettext_lazy("request", "expired")

    LASTS = dt.timedelta(days=30)
    MOST_OPEN = 20  # of one asker, so that nobody's list is filled by another

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    gone = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("to be merged"))
    kept = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("to be kept"))
    awaits = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("waits for the side of"))
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="merge_requests", verbose_name=_("asked by the club")
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("asked by")
    )
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    may_answer: bool  # for the caller; there where a request was read with `selectors.merge_requests_of`
    may_withdraw: bool
    expires_at = models.DateTimeField(_("expires"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("request to merge")
        verbose_name_plural = _("requests to merge")
        ordering = ["-pk"]
        constraints = [
            # A pair is asked about once at a time, whichever of the two is to be kept.
            models.UniqueConstraint(
                Least("gone", "kept"),
                Greatest("gone", "kept"),
                condition=Q(status="open"),
                name="tournaments_mergerequest_open_uniq",
            ),
            models.CheckConstraint(condition=~Q(gone=F("kept")), name="tournaments_mergerequest_two"),
            models.CheckConstraint(
                condition=Q(awaits=F("gone")) | Q(awaits=F("kept")), name="tournaments_mergerequest_awaits"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return self.status == self.Status.OPEN and self.expires_at > timezone.now()

    @property
    def shown_status(self) -> str:
        """Its status, with time passed: nobody writes down that an open one has expired."""
        is_expired = self.status == self.Status.OPEN and not self.is_open
        return self.Status.EXPIRED.value if is_expired else self.status

    @property
    def shown_status_name(self) -> str:
        """Its status in words."""
        return str(self.Status(self.shown_status).label)

    @property
    def asker(self) -> Player:
        """The record whose side asked."""
        return self.gone if self.awaits_id == self.kept_id else self.kept


class KeepApart(models.Model):
    """Two players who should not meet: in one event, or in every event of the club."""

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="kept_apart", verbose_name=_("club"))
    event = models.ForeignKey(
        "Event", models.CASCADE, null=True, blank=True, related_name="kept_apart", verbose_name=_("only in")
    )
    # Always the smaller key first, so that a pair is one row.
    first = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("first"))
    second = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("second"))
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("pair to keep apart")
        verbose_name_plural = _("pairs to keep apart")
        constraints = [
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="tournaments_keepapart_ordered"),
            models.UniqueConstraint(
                fields=["club", "first", "second"], condition=Q(event=None), name="tournaments_keepapart_club_uniq"
            ),
            models.UniqueConstraint(fields=["event", "first", "second"], name="tournaments_keepapart_event_uniq"),
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"


class SeasonTieBreak(models.TextChoices):
    """What decides between players level in a season."""

    WINS = "wins", _("events won")
    BEST_EVENT = "best_event", _("best result of an event")
    EVENTS = "events", _("events played")
    LAST_EVENT = "last_event", _("result of the latest event")


def default_season_tiebreaks() -> list[str]:
    """Return the tie-breaks of a season that names none."""
    return [SeasonTieBreak.WINS.value, SeasonTieBreak.BEST_EVENT.value, SeasonTieBreak.LAST_EVENT.value]


class Season(models.Model):
    """Several events of a club that count together: the best `best_of` results of each player."""

    LONGEST_NAME = 80
    MOST_COUNTED = 1000

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    best_of = models.PositiveSmallIntegerField(_("results that count"), default=5)
    tiebreaks = models.JSONField(_("tie-breaks"), default=default_season_tiebreaks, blank=True)
    starts_on = models.DateField(_("from"), null=True, blank=True)
    ends_on = models.DateField(_("until"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint("club", Lower("name"), name="tournaments_season_name_uniq"),
            models.CheckConstraint(condition=Q(best_of__gte=1), name="tournaments_season_best_of"),
            models.CheckConstraint(
                condition=Q(starts_on=None) | Q(ends_on=None) | Q(starts_on__lte=F("ends_on")),
                name="tournaments_season_dates",
            ),
        ]

    def __str__(self) -> str:
        return self.name
