"""News for pages: a stream that says when the part of a page that keeps itself fresh is worth fetching again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from scoring.news.hub import hub
from scoring.news.state import Difference, EventState
from scoring.news.streams import stream
from tournaments.access.guards import Guard
from tournaments.actors import Actor
from tournaments.models import Event

Concerns = Callable[[Difference], bool]
NEWS, BEAT, END = (b"event: %s\ndata: 1\n\n" % name for name in (b"news", b"beat", b"end"))


def message(name: str, data: Any) -> bytes:
    """Return a message as it goes over the wire."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def news(
    request: HttpRequest,
    actor: Actor,
    event: Event,
    *,
    is_new: Callable[[EventState], bool],
    say: Callable[[Difference], bytes],
    first: Callable[[EventState], bytes] = lambda _state: b"",
    guard: Guard | None = None,
) -> HttpResponse:
    """Answer a page with a stream of what `say` makes of everything that happens.

    `is_new` says, after the state was read from which on news are told, whether the page shows something older.
    """
    state = hub.state_of(event.pk, event.version)
    begin = (NEWS if is_new(state) else b"") + first(state)
    if state.is_settled:
        return HttpResponse(begin + END, content_type="text/event-stream")
    guard = guard or Guard.of(actor, event, request)
    return stream(request, actor, event, state, guard, first=begin + BEAT, say=say, beat=BEAT, last=END)


def says_news(concerns: Concerns) -> Callable[[Difference], bytes]:
    """Return what tells a page that there is something new, where that is its concern."""
    return lambda happened: NEWS if concerns(happened) else b""


def of_event(happened: Difference) -> bool:
    """Say whether anything of the event changed but its standings."""
    return happened.before.head.version != happened.after.head.version


def of_all(happened: Difference) -> bool:
    """Say whether anything of the event changed."""
    return bool(happened.what)


def has_other_tag(request: HttpRequest, tag: str) -> bool:
    """Say whether a page, which sends the tag of what it shows along, shows something else."""
    return request.GET.get("tag", "") != tag
