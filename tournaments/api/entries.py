"""Entries: who plays in an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_filters
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from core.csv import CsvRenderer
from core.guesses import count_guess, refuse_guesser
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.api.base import IF_NONE_MATCH, ApiView
from tournaments.api.events import event_or_404
from tournaments.api.idempotency import idempotent
from tournaments.api.ordering import Ordering
from tournaments.api.serializers import EntryInput, EntryOutput, EntryPatch, EntryWithToken
from tournaments.models import Entry, Event, Player, Role
from tournaments.services import entries
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request


class EntryFilter(django_filters.FilterSet):
    """What a list of entries can be narrowed to."""

    status = django_filters.MultipleChoiceFilter(choices=Entry.Status.choices)
    ordering = Ordering(name="name", joined="pk")

    class Meta:
        model = Entry
        fields: list[str] = []


def _player_of(actor: Actor, event: Event, body: dict[str, Any]) -> Player | None:
    """Return the known player a request names: of the event's club, or of another that the caller may know of."""
    if "player" not in body:
        return None
    visible = Q(clubs=event.club) | Q(pk__in=selectors.visible_players(actor).values("pk"))
    players = Player.objects.filter(visible, anonymised_at=None).select_related("merged_into").distinct()
    return get_object_or_404(players, uid=body["player"])


class Entries(ApiView, generics.GenericAPIView):
    """The entries of an event."""

    queryset = Entry.objects.none()  # for the schema; `get` knows the event
    filterset_class = EntryFilter
    serializer_class = EntryOutput
    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("id", "player", "name", "status", "first_round")

    @extend_schema(operation_id="entries_list", parameters=[IF_NONE_MATCH], responses=EntryOutput(many=True))
    def get(self, request: Request, uid: str) -> HttpResponse:
        """List the players of an event, latest first unless `ordering` says otherwise."""
        event = event_or_404(self.actor, uid)
        return self.polled(lambda: self._list(event), event.version)

    def _list(self, event: Event) -> Response:
        found = self.filter_queryset(selectors.entries_of(event).select_related("event").order_by("-pk"))
        if self.request.accepted_renderer.format == "csv":
            return Response([_flat(entry) for entry in found])
        return self.get_paginated_response(EntryOutput(self.paginate_queryset(found), many=True).data)

    @extend_schema(operation_id="entries_create", request=EntryInput, responses={201: EntryWithToken}, filters=False)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Enter a player: as an organiser, or as the player with the event's join code and no credential."""
        event = self._joinable(uid)
        body = self.body(EntryInput)
        name, player = body.get("name", ""), _player_of(self.actor, event, body)
        if "join_code" in body:
            code = body["join_code"]
            entry = entries.join(event=event, code=code, name=name, player=player, actor=self.actor)
        else:
            entry = entries.add_entry(actor=self.actor, event=event, name=name, player=player)
        return Response(EntryWithToken(entry).data, status=201)

    def _joinable(self, uid: str) -> Event:
        """Return the event: also a private one, for whoever shows its code."""
        code = self.request.data.get("join_code") if isinstance(self.request.data, dict) else None
        if isinstance(code, str):
            refuse_guesser(self.request)
            wanted = Event.objects.select_related("club").exclude(status=Event.Status.DRAFT).filter(uid=uid).first()
            if wanted is not None and entries.is_code(wanted, code):
                return wanted
            count_guess(self.request)
        return event_or_404(self.actor, uid)


def _flat(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.uid,
        "player": entry.player.uid,
        "name": entry.name,
        "status": entry.status,
        "first_round": entry.first_round,
    }


def _entry_or_404(actor: Actor, uid: str) -> Entry:
    visible = Entry.objects.filter(event__in=selectors.visible_events(actor).values("pk"))
    return get_object_or_404(visible.select_related("event__club", "player"), uid=uid)


class OneEntry(ApiView):
    """One entry."""

    @extend_schema(operation_id="entries_retrieve", responses=EntryOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read an entry."""
        return Response(EntryOutput(_entry_or_404(self.actor, uid)).data)

    @extend_schema(operation_id="entries_change", request=EntryPatch, responses=EntryOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Check a player in, drop them out, or take them back: an organiser, or the player with their link."""
        entry = _entry_or_404(self.actor, uid)
        body = self.body(EntryPatch)
        entry = entries.change_status(actor=self.actor, entry=entry, status=body["status"])
        return Response(EntryOutput(entry).data)


class Link(ApiView):
    """The personal link of an entry."""

    @extend_schema(operation_id="entries_link", responses=EntryWithToken)
    def get(self, request: Request, uid: str) -> Response:
        """Show the secret of a player's personal link again, to an organiser or the player."""
        entry = _entry_or_404(self.actor, uid)
        if not (self.actor.kind == Kind.ENTRY and self.actor.entry == entry):
            require_role(actor=self.actor, club=entry.event.club, role=Role.SCOREKEEPER)
        return Response(EntryWithToken(entry).data)

    @extend_schema(operation_id="entries_link_renew", request=None, responses=EntryWithToken)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Make the personal link invalid and give the player another."""
        entry = entries.renew_link(actor=self.actor, entry=_entry_or_404(self.actor, uid))
        return Response(EntryWithToken(entry).data)


class VouchInput(serializers.Serializer):
    """Who vouches, besides the caller's credential: nothing, or an earlier link of the same player."""

    token = serializers.CharField(max_length=80, required=False, help_text="The `lse_` of an earlier event.")


class Vouch(ApiView):
    """Vouch for a returning player."""

    @extend_schema(operation_id="entries_vouch", request=VouchInput, responses=EntryOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that an entry really is the known player: an organiser, or an earlier phone of that player."""
        entry = _entry_or_404(self.actor, uid)
        body = self.body(VouchInput)
        actor = self.actor
        if earlier := body.get("token"):
            actor = entries.earlier_phone(earlier) or actor
        return Response(EntryOutput(entries.vouch(actor=actor, entry=entry)).data)


class Substitute(ApiView):
    """Put another player in somebody's place."""

    @extend_schema(operation_id="entries_substitute", request=EntryInput, responses={201: EntryWithToken})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Put another player in somebody's place from now on, also at a table that has no result yet."""
        entry = _entry_or_404(self.actor, uid)
        body = self.body(EntryInput)
        player = _player_of(self.actor, entry.event, body)
        new = entries.substitute(actor=self.actor, entry=entry, name=body.get("name", ""), player=player)
        return Response(EntryWithToken(new).data, status=201)


urlpatterns = [
    path("events/<slug:uid>/entries/", Entries.as_view(), name="entries"),
    path("entries/<slug:uid>/", OneEntry.as_view(), name="entry"),
    path("entries/<slug:uid>/link/", Link.as_view(), name="entry-link"),
    path("entries/<slug:uid>/vouch/", Vouch.as_view(), name="entry-vouch"),
    path("entries/<slug:uid>/substitute/", Substitute.as_view(), name="entry-substitute"),
]
