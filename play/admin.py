"""What the people who run the service look at: games in play, and boards from which they take what must not stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from play.models import Challenge, SoloGame, TableRecord
from tournaments.admin import LookOnly

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(SoloGame)
class SoloGameAdmin(LookOnly, admin.ModelAdmin):
    """Games, newest first. What decides a game that goes on is not shown, not even here."""

    list_display = ("uid", "game", "variant", "status", "name", "score", "challenge", "moved_at", "is_hidden")
    list_filter = ("game", "status", "is_hidden")
    list_select_related = ("challenge",)
    search_fields = ("uid", "name")
    exclude = ("seed", "holder", "moves")
    actions = ["take_off"]

    @admin.action(description=_("Take off the board"))
    def take_off(self, request: HttpRequest, queryset: QuerySet[SoloGame]) -> None:
        """Take results off the boards, with the names that stood there."""
        queryset.update(is_hidden=True, name="")
        self.message_user(request, _("They are no longer on any board."))


@admin.register(Challenge)
class ChallengeAdmin(LookOnly, admin.ModelAdmin):
    """Challenges, newest first."""

    list_display = ("day", "game", "club")
    list_filter = ("game",)
    list_select_related = ("club",)
    exclude = ("seed",)


@admin.register(TableRecord)
class TableRecordAdmin(LookOnly, admin.ModelAdmin):
    """Records of tables."""

    list_display = ("table", "author", "created_at")
    list_select_related = ("table__round__event",)
