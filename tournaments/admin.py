"""Clubs, people, events and credentials in the admin. What is history or a secret is to look at only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.admin import Locking, ShownRows
from tournaments.models import (
    Action,
    Affiliation,
    Call,
    Club,
    Contact,
    Credential,
    Delivery,
    Entry,
    Event,
    GameVersion,
    Invitation,
    KeepApart,
    KeyUse,
    Membership,
    Merge,
    MergeRequest,
    Origin,
    OwnGame,
    Penalty,
    Player,
    PushMessage,
    PushSubscription,
    Round,
    Season,
    Seat,
    SitOut,
    Table,
    Webhook,
)
from tournaments.services.clubs import mark_changed, set_rated
from tournaments.services.events import bump, changeable, hide_seasons, lock_event, mark_seasons, mark_standings
from tournaments.services.locks import lock_club_and_events
from tournaments.services.people import mark_named

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest


class LookOnly:
    """Rows that only the service itself writes."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes one by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody deletes one by hand."""
        return False


class MembershipInline(ShownRows):
    """The members of a club."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


class SeasonInline(ShownRows):
    """The seasons of a club."""

    model = Season
    extra = 0


@admin.register(Club)
class ClubAdmin(Locking):
    """Clubs."""

    list_display = ("name", "slug", "is_public", "is_rated_openly", "time_zone", "number_of_players", "created_at")
    list_filter = ("is_public", "is_rated_openly")
    search_fields = ("name", "slug")
    readonly_fields = ("created_at",)
    inlines = (MembershipInline, SeasonInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        """Return clubs with how many players they know."""
        clubs: QuerySet[Club] = super().get_queryset(request)
        return clubs.annotate(known=Count("affiliations"))

    def lock(self, row: Club) -> None:
        """Lock a club, and before it its events, which show its name and its times."""
        lock_club_and_events(row)

    def save_model(self, request: HttpRequest, obj: Club, form: forms.ModelForm, change: bool) -> None:
        """Save a club, and have ratings computed anew where it is withdrawn from them or given back, or hidden."""
        super().save_model(request, obj, form, change)
        # The form's own list of changes goes by what it showed of the time zone, which others may have changed since.
        changed = {name for name, value in form.cleaned_data.items() if value != form.initial.get(name)}
        mark_changed(obj, changed)
        if "is_rated_openly" in changed:
            set_rated(obj, is_rated=obj.is_rated_openly)

    def save_related(self, request: HttpRequest, form: forms.ModelForm, formsets: Any, change: bool) -> None:
        """Save its seasons too, and have them computed anew."""
        super().save_related(request, form, formsets, change)
        mark_seasons(form.instance.seasons.all())

    @admin.display(description=_("players"), ordering="known")
    def number_of_players(self, club: Any) -> int:
        """Return how many players a club knows."""
        return int(club.known)


@admin.register(Membership)
class MembershipAdmin(Locking):
    """Members of all clubs."""

    list_display = ("user", "club", "role", "created_at")
    list_filter = ("role",)
    list_select_related = ("user", "club")
    search_fields = ("user__email", "user__name", "club__name")
    autocomplete_fields = ("user", "club")


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    """Invitations: sent through the API or a page, deleted here if need be."""

    list_display = ("email", "club", "role", "invited_by", "created_at", "expires_at", "accepted_at")
    list_filter = ("role", ("accepted_at", admin.EmptyFieldListFilter))
    list_select_related = ("club", "invited_by")
    search_fields = ("email", "club__name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Its secret goes to the inviter and by mail, so nobody adds one here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Invitation | None = None) -> bool:
        """What was sent cannot be changed."""
        return False


class AffiliationInline(ShownRows):
    """The clubs that know a player."""

    model = Affiliation
    extra = 0
    autocomplete_fields = ("club",)

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Nobody writes a note of somebody who was made anonymous: a form from before would bring it back."""
        return super().has_change_permission(request, obj) and not (obj is not None and obj.is_anonymous)


@admin.register(Player)
class PlayerAdmin(Locking):
    """Players. Merging and anonymising need more than a field, so they are left to the API and the pages."""

    list_display = ("name", "uid", "home", "user", "tied_by_club", "merged_into", "anonymised_at", "created_at")
    list_filter = (("merged_into", admin.EmptyFieldListFilter), ("anonymised_at", admin.EmptyFieldListFilter))
    list_select_related = ("home", "user", "merged_into")
    search_fields = ("name", "=uid", "user__email")
    readonly_fields = ("uid", "tied_at", "merged_into", "anonymised_at", "created_at")
    autocomplete_fields = ("user", "home")
    inlines = (AffiliationInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Somebody who was made anonymous stays so: a form from before would bring name and account back."""
        is_anonymous = obj is not None and obj.is_anonymous
        return (*self.readonly_fields, "name", "user", "tied_by_club") if is_anonymous else self.readonly_fields

    def save_model(self, request: HttpRequest, obj: Player, form: forms.ModelForm, change: bool) -> None:
        """Save a player, whom leaderboards and seasons may show otherwise now."""
        if {"user", "tied_by_club"} & {*form.changed_data}:
            obj.tied_at, obj.tie_rests_on = timezone.now() if obj.user else None, None
        super().save_model(request, obj, form, change)
        mark_named(obj)


@admin.register(Merge)
class MergeAdmin(LookOnly, admin.ModelAdmin):
    """Which records became one person."""

    list_display = ("gone", "kept", "merged_by", "merged_at", "undone_at")
    list_select_related = ("gone", "kept", "merged_by")
    search_fields = ("gone__name", "kept__name")


@admin.register(MergeRequest)
class MergeRequestAdmin(LookOnly, admin.ModelAdmin):
    """Who asked whom whether two records are one person."""

    list_display = ("gone", "kept", "awaits", "club", "asked_by", "status", "created_at", "expires_at")
    list_filter = ("status",)
    list_select_related = ("gone", "kept", "awaits", "club", "asked_by")
    search_fields = ("gone__name", "kept__name", "club__name")


class KeepApartForm(forms.ModelForm):
    """Two players in whatever order they were chosen."""

    def clean(self) -> dict[str, Any]:
        """Put the pair in the order in which it is kept."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("first") and values.get("second"):
            values["first"], values["second"] = sorted(
                (values["first"], values["second"]), key=lambda player: int(player.pk)
            )
        return values


@admin.register(KeepApart)
class KeepApartAdmin(Locking):
    """Pairs to keep apart."""

    form = KeepApartForm
    list_display = ("first", "second", "club", "event", "created_at")
    list_select_related = ("first", "second", "club", "event")
    search_fields = ("first__name", "second__name", "club__name")
    autocomplete_fields = ("first", "second", "club", "event")


@admin.register(Season)
class SeasonAdmin(Locking):
    """Seasons of all clubs."""

    list_display = ("name", "club", "best_of", "starts_on", "ends_on")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")
    readonly_fields = ("uid", "created_at")
    autocomplete_fields = ("club",)

    def save_model(self, request: HttpRequest, obj: Season, form: forms.ModelForm, change: bool) -> None:
        """Save a season, and have it computed anew."""
        super().save_model(request, obj, form, change)
        mark_seasons([obj])


@admin.register(Credential)
class CredentialAdmin(admin.ModelAdmin):
    """Tokens and keys: never their secrets."""

    list_display = (
        "name",
        "prefix",
        "user",
        "club",
        "scope",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )
    list_filter = ("scope", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "club")
    search_fields = ("name", "prefix", "user__email", "club__name")
    actions = ("revoke",)

    @admin.action(description=_("Revoke"), permissions=["delete"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Credential]) -> None:
        """Make credentials worthless from now on."""
        queryset.filter(revoked_at=None).update(revoked_at=timezone.now())

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A secret is shown to whom it belongs, so nobody adds one here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Credential | None = None) -> bool:
        """A credential is revoked, not changed."""
        return False


@admin.register(KeyUse)
class KeyUseAdmin(LookOnly, admin.ModelAdmin):
    """What keys were used for. Counted by the service, and deleted after 90 days."""

    list_display = ("day", "credential", "method", "route", "status", "count", "last_at")
    list_select_related = ("credential",)
    search_fields = ("credential__name", "credential__prefix", "credential__club__name", "route")
    date_hierarchy = "day"


@admin.register(OwnGame)
class OwnGameAdmin(LookOnly, admin.ModelAdmin):
    """Games that clubs define themselves. Clubs change them, by another version."""

    list_display = ("slug", "club", "version", "created_at")
    list_select_related = ("club",)
    search_fields = ("slug", "=uid", "club__name")


@admin.register(GameVersion)
class GameVersionAdmin(LookOnly, admin.ModelAdmin):
    """Every definition that was given of a game."""

    list_display = ("game", "number", "created_at")
    list_select_related = ("game__club",)
    search_fields = ("game__slug", "game__club__name")


@admin.register(Event)
class EventAdmin(Locking):
    """Events. How they move on is left to the API and the pages."""

    list_display = ("name", "club", "game", "format", "status", "starts_at")
    list_filter = ("status", "game", "format", "rated", "is_public")
    list_select_related = ("club",)
    search_fields = ("name", "=uid", "=join_code", "club__name")
    date_hierarchy = "starts_at"
    readonly_fields = ("uid", "status", "join_code", "version", "created_by", "created_at")
    autocomplete_fields = ("club", "season")

    def lock(self, row: Event) -> None:
        """Lock an event, as whoever changes one does."""
        lock_event(row)

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> tuple[str, ...]:
        """A club's own game stays: it comes with its version. So does the club whose people are entered and rated.

        Once somebody is seated, what no organiser may change stays too: results were judged and rated by it.
        """
        if obj is None:
            return self.readonly_fields
        shown = [each.name for each in Event._meta.fields if each.editable]  # noqa: SLF001 (Django's own API)
        fixed = {"game"} if obj.definition_id else set()
        fixed |= {"club"} if obj.entries.exists() else set()
        if (allowed := changeable(obj)) is not None:
            fixed |= set(shown) - allowed
        return (*self.readonly_fields, *(name for name in shown if name in fixed - {*self.readonly_fields}))

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save an event as its next version, and have its standings and its seasons computed anew."""
        former = Season.objects.filter(events=obj.pk).first()
        obj.version += change
        super().save_model(request, obj, form, change)
        mark_standings(obj)
        if "is_public" in form.changed_data and not obj.is_public:
            hide_seasons({former, obj.season})
        else:
            mark_seasons({former, obj.season} - {obj.counted_in})


@admin.register(Entry)
class EntryAdmin(Locking):
    """Entries of all events."""

    list_display = ("name", "event", "player", "claims", "status", "is_verified", "created_at")
    list_filter = ("status", "is_verified")
    list_select_related = ("event", "player", "claims")
    search_fields = ("name", "=uid", "event__name", "player__name")
    # Who an entry is needs more than a row: answers are given on the console.
    readonly_fields = ("uid", "event", "player", "claims", "is_verified", "generation", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Entering a player needs more than a row, so nobody adds one here."""
        return False

    def lock(self, row: Entry) -> None:
        """Lock the event of an entry, as whoever changes one does."""
        lock_event(row.event)

    def save_model(self, request: HttpRequest, obj: Entry, form: Any, change: bool) -> None:
        """Save an entry; its event has changed with it, and the tables where its name stands."""
        is_waiting = obj.status == Entry.Status.WAITING
        obj.waiting_since = (obj.waiting_since or timezone.now()) if is_waiting else None
        super().save_model(request, obj, form, change)
        Table.objects.filter(seats__entry=obj).update(version=F("version") + 1)
        bump(obj.event)
        mark_standings(obj.event)

    def delete_model(self, request: HttpRequest, obj: Entry) -> None:
        """Delete an entry that never played; its event has changed with it."""
        self.delete_queryset(request, Entry.objects.filter(pk=obj.pk))

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> None:
        """Delete entries that never played; their events have changed with them."""
        events = list(Event.objects.filter(entries__in=queryset).distinct())
        super().delete_queryset(request, queryset)
        for event in events:
            bump(event)
            mark_standings(event)


@admin.register(Contact)
class ContactAdmin(LookOnly, admin.ModelAdmin):
    """Addresses of players, for as long as their events are to come or run."""

    list_display = ("entry", "email", "language", "reminded_at", "created_at")
    list_select_related = ("entry",)
    search_fields = ("email", "entry__name")


class PushMessageInline(LookOnly, admin.TabularInline):
    """What a phone was told."""

    model = PushMessage
    extra = 0
    fields = ("kind", "occasion", "attempts", "next_attempt_at", "expires_at", "delivered_at")


@admin.register(PushSubscription)
class PushSubscriptionAdmin(LookOnly, admin.ModelAdmin):
    """Phones that are told, for as long as their events are to come or run; their whole address is not shown."""

    list_display = ("entry", "host", "language", "failures", "created_at", "renewed_at")
    list_select_related = ("entry",)
    search_fields = ("entry__name",)
    fields = ("entry", "host", "language", "failures", "created_at", "renewed_at")
    inlines = (PushMessageInline,)


class SeatInline(LookOnly, admin.TabularInline):
    """Who sits at a table."""

    model = Seat
    extra = 0
    fields = ("position", "entry")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Return seats with who sits there."""
        return super().get_queryset(request).select_related("entry", "table__round__event")


class TableInline(LookOnly, admin.TabularInline):
    """The tables of a round."""

    model = Table
    extra = 0
    fields = ("number", "status", "variant")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """Return tables with their event."""
        return super().get_queryset(request).select_related("round__event")


class SitOutInline(LookOnly, admin.TabularInline):
    """Who sits out a round."""

    model = SitOut
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[SitOut]:
        """Return sit-outs with who it is."""
        return super().get_queryset(request).select_related("entry", "round__event")


@admin.register(Round)
class RoundAdmin(LookOnly, admin.ModelAdmin):
    """Rounds of all events."""

    list_display = ("event", "number", "kind", "status", "started_at", "closed_at")
    list_filter = ("status", "kind")
    list_select_related = ("event",)
    search_fields = ("event__name", "=event__uid")
    inlines = (TableInline, SitOutInline)


@admin.register(Table)
class TableAdmin(LookOnly, admin.ModelAdmin):
    """Tables of all rounds."""

    list_display = ("round", "number", "status", "variant")
    list_filter = ("status",)
    list_select_related = ("round__event",)
    search_fields = ("=uid", "round__event__name")
    inlines = (SeatInline,)


@admin.register(Call)
class CallAdmin(LookOnly, admin.ModelAdmin):
    """Calls for the organiser from tables."""

    list_display = ("created_at", "table", "entry", "kind", "status", "text")
    list_filter = ("status", "kind")
    list_select_related = ("table__round__event", "entry")
    search_fields = ("=uid", "table__round__event__name")


@admin.register(Penalty)
class PenaltyAdmin(LookOnly, admin.ModelAdmin):
    """Penalties. They are given and taken back on the console, where the standings hear of it."""

    list_display = ("created_at", "event", "entry", "points", "round", "reason", "taken_back_at")
    list_select_related = ("event", "entry")
    search_fields = ("=uid", "event__name", "entry__name", "reason")


@admin.register(Action)
class ActionAdmin(LookOnly, admin.ModelAdmin):
    """Who did what, when and why."""

    list_display = ("at", "event", "verb", "actor", "reason")
    list_filter = ("verb",)
    list_select_related = ("event",)
    search_fields = ("event__name", "=event__uid", "actor", "reason")
    date_hierarchy = "at"


@admin.register(Origin)
class OriginAdmin(LookOnly, admin.ModelAdmin):
    """What came into a club by a file."""

    list_display = ["uid", "club", "event", "player", "created_at"]
    list_select_related = ["club", "event", "player"]
    search_fields = ["uid"]


@admin.register(Webhook)
class WebhookAdmin(LookOnly, admin.ModelAdmin):
    """Webhooks of all clubs: never their secrets."""

    exclude = ("url",)
    readonly_fields = ("shown_url",)
    list_display = ("shown_url", "club", "form", "is_active", "switched_off", "failing_since", "created_at")
    list_filter = ("is_active", "switched_off")
    list_select_related = ("club",)
    search_fields = ("url", "=uid", "club__name")


@admin.register(Delivery)
class DeliveryAdmin(LookOnly, admin.ModelAdmin):
    """Messages to all webhooks, as far as the log goes back."""

    list_display = ("type", "webhook", "attempts", "next_attempt_at", "delivered_at", "failure", "response_status")
    list_filter = ("type", "failure")
    list_select_related = ("webhook",)
    search_fields = ("=uid", "webhook__url", "webhook__club__name")
    date_hierarchy = "created_at"
