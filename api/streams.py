"""News of an event as server-sent events: what changed and which version it has now, nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer

from api.base import ApiView
from scoring.news.hub import hub, place_of
from scoring.news.state import Difference, EventState, What
from scoring.news.streams import stream
from tournaments.access.guards import Guard
from tournaments.selectors import visible_events

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rest_framework.request import Request

BEAT = b":\n\n"
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    location=OpenApiParameter.HEADER,
    description="The id of the last message that the caller has: what came after it is told in one message.",
)


class StreamRenderer(JSONRenderer):
    """For callers who ask for a stream by its media type; what is refused is a problem for them too."""

    media_type = "text/event-stream"
    format = "stream"


class StreamMessage(serializers.Serializer):
    """One message of a stream."""

    id = serializers.CharField(help_text="What `Last-Event-ID` says to hear of what came after it.")
    event = serializers.ChoiceField(["change"], help_text="Its kind.")
    data = serializers.CharField(  # type: ignore[assignment]
        help_text="JSON with `event`, `version` and `what`: names out of event, entries, round, tables and standings."
    )


class EventStream(ApiView):
    """News of an event."""

    renderer_classes = [StreamRenderer, JSONRenderer]

    @extend_schema(
        operation_id="events_stream",
        parameters=[LAST_EVENT_ID],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                StreamMessage, description="Such messages, one after the other, for as long as there are any."
            ),
            204: OpenApiResponse(description="The event is over, and the caller has heard of everything."),
        },
    )
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Hear of every change of an event within a second; fetch what `what` names, if you show it.

        `what` has names out of event, entries, round, tables and standings. The first message tells the version that
        the event has now. A stream ends when the event is over, when the caller's credential ends, and after a quarter
        of an hour: come again with the id of the last message, as browsers do by themselves.
        """
        event = get_object_or_404(visible_events(self.actor), uid=uid)
        state = hub.state_of(event.pk, event.version)
        missed = hub.missed(event.pk, state, request.headers.get("Last-Event-ID", ""))
        if state.is_settled:
            first = _message(state, missed)
            return HttpResponse(first, content_type="text/event-stream") if missed else HttpResponse(status=204)
        guard = Guard.of(self.actor, event, request)
        first = _message(state, missed)
        return stream(request, self.actor, event, state, guard, first=first, say=_say, beat=BEAT)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        """Let the pages of other sites listen too; a browser sends them no cookie and no credential along."""
        response = super().finalize_response(*args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        return response


def _say(happened: Difference) -> bytes:
    return _message(happened.after, happened.what)


def _message(state: EventState, what: Iterable[What]) -> bytes:
    """Return a message as it goes over the wire; nothing where nothing changed."""
    names = [each.value for each in what]
    if not names:
        return b""
    data = json.dumps({"event": state.uid, "version": state.version, "what": names})
    return f"id: {place_of(state)}\nevent: change\ndata: {data}\n\n".encode()


urlpatterns = [path("events/<slug:uid>/stream/", EventStream.as_view(), name="event-stream")]
