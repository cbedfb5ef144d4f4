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
from django.utils import timezone
from django.utils.functional import cached_property
from django_filters.fields import ChoiceField
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.response import Response

from api.base import IF_MATCH, IF_NONE_MATCH, ApiView
from api.idempotency import idempotent
from api.ordering import Ordering
from api.serializers import EventAsSeen, EventForOrganisers, EventInput, EventOutput, EventPatch
from core.brute_force import look_up
from core.conditional import etag
from core.names import NameField
from tournaments import games, selectors
from tournaments.models import Event, Role, Season
from tournaments.services import copying, events, joining, proof
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.actors import Actor

# A day from either end, so that a date can be had in every time zone.
ALL_TIME = [
    MinValueValidator(dt.datetime(1, 1, 2, tzinfo=dt.UTC)),
    MaxValueValidator(dt.datetime(9999, 12, 30, tzinfo=dt.UTC)),
]


class GameChoice(ChoiceField):
    """One of our games, or `custom:` and the slug of a club's own."""

    def valid_value(self, value: Any) -> bool:
        """Say whether there may be such a game."""
        return str(value).startswith(games.CUSTOM) or super().valid_value(value)


class GameFilter(django_filters.ChoiceFilter):
    """Events of a game. Several clubs may have one of the same name: `club` tells them apart."""

    field_class = GameChoice

    def filter(self, qs: QuerySet[Event], value: str) -> QuerySet[Event]:
        """Return the events of the game."""
        if value and value.startswith(games.CUSTOM):
            return qs.filter(definition__game__slug=value.removeprefix(games.CUSTOM))
        found: QuerySet[Event] = super().filter(qs, value)
        return found


class EventFilter(django_filters.FilterSet):
    """What a list of events can be narrowed to."""

    club = django_filters.CharFilter("club__slug")
    game = GameFilter(choices=games.choices)
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
    event = get_object_or_404(selectors.visible_events(actor), uid=uid)
    timezone.activate(event.club.zone)  # whatever is said of it has the offset of its clocks, until the request ends
    return event


def knows_more_of(actor: Actor, event: Event) -> bool:
    """Say whether the caller sees codes and slips too."""
    return actor.is_at_least(Role.SCOREKEEPER, event.club)


def _fields(body: Mapping[str, Any], club_id: int) -> dict[str, Any]:
    """Return the fields of an event that a body names, with the season as an object."""
    fields = {name: value for name, value in body.items() if name not in {"club", "status", "reason", "unproven"}}
    if (season := fields.get("season")) is not None:
        fields["season"] = get_object_or_404(Season, uid=season, club=club_id)
    return fields


class Events(ApiView, generics.GenericAPIView):
    """All events a caller may see."""

    creates = ("event", "id")

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
        with timezone.override(club.zone):  # read again: now it is known whose clocks a time without an offset is by
            body = self.body(EventInput)
        event = events.create_event(actor=self.actor, club=club, fields=_fields(body, club.pk))
        return Response(EventForOrganisers(event).data, status=201, headers={"ETag": etag(event.version)})


class OneEvent(ApiView):
    """One event."""

    @extend_schema(operation_id="events_retrieve", parameters=[IF_NONE_MATCH], responses=EventAsSeen)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read an event. Its join code and the statuses it can move to are for organisers."""
        event = event_or_404(self.actor, uid)
        knows_more = knows_more_of(self.actor, event)
        found = EventAsSeen(event, context={"for_organiser": knows_more})
        return self.polled(lambda: Response(found.data), event.version, knows_more)

    @extend_schema(
        operation_id="events_change", parameters=[IF_MATCH], request=EventPatch, responses=EventForOrganisers
    )
    def patch(self, request: Request, uid: str) -> Response:
        """Change an event's settings, its status, or both. `If-Match` is honoured."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.ORGANISER)
        # The body is read before anything is locked: nobody waits for one that comes slowly.
        return self._change(event, self.body(EventPatch, partial=True))

    @transaction.atomic
    def _change(self, event: Event, body: Mapping[str, Any]) -> Response:
        event = events.lock_event(event)
        self.require_version(version=event.version)
        if fields := _fields(body, event.club_id):
            event = events.edit_event(actor=self.actor, event=event, fields=fields)
        if answer := body.get("unproven"):
            proof.answer_all(actor=self.actor, event=event, answer=proof.Answer(answer))
            event = events.lock_event(event)
        if status := body.get("status"):
            reason = body.get("reason", "")
            event = events.change_status(actor=self.actor, event=event, status=status, reason=reason)
        return Response(EventForOrganisers(event).data, headers={"ETag": etag(event.version)})


class CopyInput(serializers.Serializer):
    """When an event is to happen again."""

    starts_at = serializers.DateTimeField(
        required=False, help_text="Left out: the next time that is whole weeks after its start."
    )
    name = NameField(longest=Event.LONGEST_NAME, required=False, help_text="Several get the day added.")
    times = serializers.IntegerField(min_value=1, max_value=copying.MOST_COPIES, default=1)
    every = serializers.IntegerField(min_value=1, max_value=copying.MOST_COPIES, default=1, help_text="Weeks between.")


class Copy(ApiView):
    """The same event again."""

    @extend_schema(operation_id="events_copy", request=CopyInput, responses={201: EventForOrganisers(many=True)})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Create an event again, once or every week: its settings, none of its people. The copies are drafts."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.ORGANISER)
        body = self.body(CopyInput)
        body.setdefault("starts_at", copying.next_start(event, timezone.now()))
        made = copying.copy_event(actor=self.actor, event=event, **body)
        return Response(EventForOrganisers(made, many=True).data, status=201)


class JoinCode(ApiView):
    """The code that players join an event with."""

    @extend_schema(operation_id="events_join_code_renew", request=None, responses=EventForOrganisers)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Give the event another join code; the old one ends at once."""
        event = joining.renew_code(actor=self.actor, event=event_or_404(self.actor, uid))
        return Response(EventForOrganisers(event).data, headers={"ETag": etag(event.version)})


class Join(ApiView):
    """Which event a code belongs to."""

    @extend_schema(operation_id="join", responses=EventOutput)
    def get(self, request: Request, code: str) -> Response:
        """Find the event that players join with a code."""
        event = self.event
        if event is None:
            raise Http404
        return Response(EventOutput(event).data)

    def throttled(self, request: Request, wait: float) -> None:  # type: ignore[override]  # not always
        """Refuse whoever asks too often, but for who has the code: others of their address may be guessing."""
        if self.event is None:
            super().throttled(request, wait)

    @cached_property
    def event(self) -> Event | None:
        """The event that the code belongs to; None for a wrong one."""
        return look_up(self.request, lambda: selectors.event_to_join(self.kwargs["code"]))


urlpatterns = [
    path("events/", Events.as_view(), name="events"),
    path("events/<slug:uid>/", OneEvent.as_view(), name="event"),
    path("events/<slug:uid>/copy/", Copy.as_view(), name="event-copy"),
    path("events/<slug:uid>/join-code/", JoinCode.as_view(), name="join-code"),
    path("join/<str:code>/", Join.as_view(), name="join"),
]
