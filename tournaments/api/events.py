"""Events: list, create, read, change."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import django_filters
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.response import Response

import engines
from core.guesses import count_guess, refuse_guesser
from tournaments import selectors
from tournaments.api.base import IF_MATCH, IF_NONE_MATCH, ApiView, etag
from tournaments.api.idempotency import idempotent
from tournaments.api.ordering import Ordering
from tournaments.api.serializers import EventAsSeen, EventForOrganisers, EventInput, EventOutput, EventPatch
from tournaments.models import Event, Role, Season
from tournaments.services import events
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.actors import Actor

# A day from either end, so that a date can be had in every time zone.
ALL_TIME = [
    MinValueValidator(dt.datetime(1, 1, 2, tzinfo=dt.UTC)),
    MaxValueValidator(dt.datetime(9999, 12, 30, tzinfo=dt.UTC)),
]


class EventFilter(django_filters.FilterSet):
    """What a list of events can be narrowed to."""

    club = django_filters.CharFilter("club__slug")
    game = django_filters.ChoiceFilter(choices=engines.choices)
    status = django_filters.MultipleChoiceFilter(choices=Event.Status.choices)
    season = django_filters.CharFilter("season__uid")
    starts_after = django_filters.IsoDateTimeFilter("starts_at", "gte", validators=ALL_TIME)
    starts_before = django_filters.IsoDateTimeFilter("starts_at", "lt", validators=ALL_TIME)
    ordering = Ordering(starts_at="starts_at", name="name")

    class Meta:
        model = Event
        fields: list[str] = []


def event_or_404(actor: Actor, uid: str) -> Event:
    """Return an event that the caller may know of."""
    return get_object_or_404(selectors.visible_events(actor), uid=uid)


def knows_more_of(actor: Actor, event: Event) -> bool:
    """Say whether the caller sees codes and slips too."""
    return actor.is_at_least(Role.SCOREKEEPER, event.club)


def _fields(body: Mapping[str, Any], club_id: int) -> dict[str, Any]:
    """Return the fields of an event that a body names, with the season as an object."""
    fields = {name: value for name, value in body.items() if name not in {"club", "status", "reason"}}
    if (season := fields.get("season")) is not None:
        fields["season"] = get_object_or_404(Season, uid=season, club=club_id)
    return fields


class Events(ApiView, generics.GenericAPIView):
    """All events a caller may see."""

    filterset_class = EventFilter
    serializer_class = EventOutput

    def get_queryset(self) -> QuerySet[Event]:
        """Return the events, latest first."""
        return selectors.visible_events(self.actor).order_by("-starts_at", "-pk")

    @extend_schema(operation_id="events_list", responses=EventOutput(many=True))
    def get(self, request: Request) -> Response:
        """List events, latest first unless `ordering` says otherwise."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(EventOutput(page, many=True).data)

    @extend_schema(
        operation_id="events_create", request=EventInput, responses={201: EventForOrganisers}, filters=False
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create an event as a draft. What is left out takes the defaults of the game."""
        body = self.body(EventInput)
        club = get_object_or_404(selectors.visible_clubs(self.actor), slug=body["club"])
        event = events.create_event(actor=self.actor, club=club, fields=_fields(body, club.pk))
        return Response(EventForOrganisers(event).data, status=201, headers={"ETag": etag(event.version)})


class OneEvent(ApiView):
    """One event."""

    @extend_schema(operation_id="events_retrieve", parameters=[IF_NONE_MATCH], responses=EventAsSeen)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read an event. Its join code and the statuses it can move to are for organisers."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)
        shape = EventForOrganisers if knows_more else EventOutput
        return self.polled(lambda: Response(shape(event).data), event.version, knows_more)

    @extend_schema(
        operation_id="events_change", parameters=[IF_MATCH], request=EventPatch, responses=EventForOrganisers
    )
    @transaction.atomic
    def patch(self, request: Request, uid: str) -> Response:
        """Change an event's settings, its status, or both. `If-Match` is honoured."""
        event = events.lock_event(event_or_404(self.actor, uid))
        require_role(actor=self.actor, club=event.club, role=Role.ORGANISER)
        self.require_version(version=event.version)
        body = self.body(EventPatch, partial=True)
        if fields := _fields(body, event.club_id):
            event = events.edit_event(actor=self.actor, event=event, fields=fields)
        if status := body.get("status"):
            reason = body.get("reason", "")
            event = events.change_status(actor=self.actor, event=event, status=status, reason=reason)
        return Response(EventForOrganisers(event).data, headers={"ETag": etag(event.version)})


class Join(ApiView):
    """Which event a code belongs to."""

    @extend_schema(operation_id="join", responses=EventOutput)
    def get(self, request: Request, code: str) -> Response:
        """Find the event that players join with a code."""
        refuse_guesser(request)
        event = selectors.event_to_join(code)
        if event is None:
            count_guess(request)
            raise Http404
        return Response(EventOutput(event).data)


urlpatterns = [
    path("events/", Events.as_view(), name="events"),
    path("events/<slug:uid>/", OneEvent.as_view(), name="event"),
    path("join/<str:code>/", Join.as_view(), name="join"),
]
