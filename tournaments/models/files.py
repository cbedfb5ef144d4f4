"""What came into a club by a file, under which id it had there."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import ID_LENGTH
from tournaments.models.events import Event
from tournaments.models.games import OwnGame
from tournaments.models.people import Club, Player


class Origin(models.Model):
    """An event, a person or a game that a club took from a file: the same id in another file means the same again.

    `digest` is of the file an event came from; people and games have none.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="origins", verbose_name=_("club"))
    uid = models.CharField(_("id in the file"), max_length=ID_LENGTH)
    event = models.ForeignKey(
        Event, models.CASCADE, null=True, blank=True, related_name="origins", verbose_name=_("event")
    )
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="origins", verbose_name=_("player")
    )
    game = models.ForeignKey(
        OwnGame, models.CASCADE, null=True, blank=True, related_name="origins", verbose_name=_("game")
    )
    digest = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(_("taken"), auto_now_add=True)

    class Meta:
        verbose_name = _("origin")
        verbose_name_plural = _("origins")
        constraints = [models.UniqueConstraint(fields=["club", "uid"], name="tournaments_origin_uniq")]

    def __str__(self) -> str:
        return self.uid
