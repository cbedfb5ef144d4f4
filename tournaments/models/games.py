"""Games that clubs define themselves, and every version of their definitions."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH, new_id
from engines import custom
from engines.custom.definition import LONGEST_KEY
from tournaments.models.people import Club

PREFIX = "own-"  # and an id: what results of a club's own game are kept under, for two clubs may choose one slug
MOST_KEPT = 256  # engines of definitions, in memory


class OwnGame(models.Model):
    """A game that a club has described. Its slug stays, because sheets and addresses hold it."""

    LONGEST_SLUG = LONGEST_KEY
    MOST_IN_CLUB = 200
    MOST_VERSIONS = 1000

    uid = models.CharField(max_length=ID_LENGTH, unique=True, default=new_id, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="games", verbose_name=_("club"))
    slug = models.SlugField(_("slug"), max_length=LONGEST_SLUG)
    version = models.PositiveIntegerField(_("version"), default=1, help_text=_("The newest."))
    link = models.CharField(
        _("link"),
        max_length=ID_LENGTH,
        unique=True,
        null=True,
        blank=True,
        editable=False,
        help_text=_("By it other clubs may read and copy the game."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("own game")
        verbose_name_plural = _("own games")
        ordering = ["slug"]
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="tournaments_owngame_slug_uniq")]

    def __str__(self) -> str:
        return f"{self.club.slug} · {self.slug}"

    @property
    def key(self) -> str:
        """What its results are kept under."""
        return f"{PREFIX}{self.uid}"

    @property
    def name(self) -> str:
        """What everybody calls it in the API."""
        return f"{custom.PREFIX}{self.slug}"


class GameVersion(models.Model):
    """A definition as it was given. It is never changed: events are played by the version they began with."""

    game = models.ForeignKey(OwnGame, models.CASCADE, related_name="versions", verbose_name=_("game"))
    number = models.PositiveIntegerField(_("version"))
    definition = models.JSONField(_("definition"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("version of a game")
        verbose_name_plural = _("versions of games")
        ordering = ["game_id", "-number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="tournaments_gameversion_uniq")]

    def __str__(self) -> str:
        return f"{self.game} · {self.number}"

    @cached_property
    def engine(self) -> custom.CustomEngine:
        """What judges sheets by this definition, also while it is not stored; stored ones are kept for all instead."""
        return custom.engine(custom.stored(self.definition), stored=self.game.key, version=self.number)


@lru_cache(maxsize=MOST_KEPT)
def engine_of_version(key: str, version_id: int) -> custom.CustomEngine:
    """Return the engine of a version of a game. A version never changes, so that engines are kept."""
    return GameVersion.objects.select_related("game").get(pk=version_id).engine
