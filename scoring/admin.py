"""What the people who run the service look at: reports and results to read, computations to try again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from core import computations
from core.models import Derived, StaleMark
from scoring.models import Attempt, Checkpoint, Draft, Rating, Replay, Report, Result, Voice
from tournaments.admin import LookOnly

if TYPE_CHECKING:
    from django.http import HttpRequest


class VoiceInline(LookOnly, admin.TabularInline):
    """What others said of a report."""

    model = Voice
    extra = 0


@admin.register(Report)
class ReportAdmin(LookOnly, admin.ModelAdmin):
    """Reports, newest first."""

    list_display = ("table", "version", "status", "author", "entry", "created_at")
    list_filter = ("status",)
    list_select_related = ("table__round__event", "entry")
    search_fields = ("uid", "table__uid", "table__round__event__name")
    ordering = ("-pk",)
    inlines = [VoiceInline]


@admin.register(Attempt)
class AttemptAdmin(LookOnly, admin.ModelAdmin):
    """Refused sheets."""

    list_display = ("table", "code", "author", "entry", "created_at")
    list_filter = ("code",)
    list_select_related = ("table__round__event", "entry")


@admin.register(Draft)
class DraftAdmin(LookOnly, admin.ModelAdmin):
    """Sheets that are being filled in."""

    list_display = ("table", "version", "author", "updated_at")
    list_select_related = ("table__round__event",)


@admin.register(Result)
class ResultAdmin(LookOnly, admin.ModelAdmin):
    """What counts, in the order of ratings."""

    list_display = ("table", "game", "first_final_at", "is_rated", "is_counted")
    list_filter = ("game", "is_rated", "is_counted")
    list_select_related = ("table__round__event",)
    search_fields = ("table__uid", "event__name")
    ordering = ("-first_final_at",)


@admin.register(Rating)
class RatingAdmin(LookOnly, admin.ModelAdmin):
    """Ratings, best first."""

    list_display = ("player", "game", "rating", "tables", "last_played")
    list_filter = ("game",)
    list_select_related = ("player",)
    search_fields = ("player__name", "player__uid")


@admin.register(Replay)
class ReplayAdmin(LookOnly, admin.ModelAdmin):
    """When ratings were replayed, and why."""

    list_display = ("game", "at", "why", "tables", "players_moved", "largest_move")
    list_filter = ("game",)


@admin.register(Checkpoint)
class CheckpointAdmin(LookOnly, admin.ModelAdmin):
    """Where a replay can begin."""

    list_display = ("game", "at", "tables", "created_at")
    list_filter = ("game",)
    exclude = ("state",)


class Stale(LookOnly, admin.ModelAdmin):
    """Rows with the moment from which results are affected: it may be the first of all, before that of many zones."""

    exclude = ("since_at",)
    readonly_fields = ("affected_from",)

    @admin.display(description=_("affected from"), ordering="since_at")
    def affected_from(self, row: Derived | StaleMark) -> str | None:
        """Return the moment in UTC."""
        return row.since_at.isoformat(" ", "seconds") if row.since_at else None


@admin.register(StaleMark)
class StaleMarkAdmin(Stale):
    """Changes that no worker has taken in yet."""

    list_display = ("kind", "key", "at", "affected_from")
    list_filter = ("kind",)
    search_fields = ("key",)


@admin.register(Derived)
class DerivedAdmin(Stale):
    """What is computed, how far behind it is, and what failed."""

    list_display = ("kind", "key", "wanted", "done", "stale_since", "attempts", "parked_at", "error")
    list_filter = ("kind", ("parked_at", admin.EmptyFieldListFilter), ("stale_since", admin.EmptyFieldListFilter))
    search_fields = ("key",)
    actions = ["try_again"]

    @admin.action(description=_("Try again"))
    def try_again(self, request: HttpRequest, queryset: QuerySet[Derived]) -> None:
        """Let computations that failed too often be tried again."""
        for row in queryset:
            computations.retry(row)
        self.message_user(request, _("They are tried again within seconds."))
