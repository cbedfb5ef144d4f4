"""A stream of news as an answer: what both doors need to open one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from django.http import HttpResponse

from core.brute_force import address_of
from core.held import HeldResponse
from scoring.news.hub import Listener, Say, hub
from scoring.news.state import EventState
from tournaments.access.guards import Guard
from tournaments.actors import Actor
from tournaments.models import Event

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

SOONEST, LATEST = 1000, 4000  # milliseconds until a reader comes again: not all at once when a process ends


def stream(
    request: HttpRequest | Request,
    actor: Actor,
    event: Event,
    state: EventState,
    guard: Guard,
    *,
    first: bytes,
    say: Say,
    beat: bytes,
    last: bytes = b"",
) -> HttpResponse:
    """Answer with a stream: `first`, then what `say` makes of everything that differs from a state.

    `guard` is what the reader was let in by, and must still be good.

    Raise TooManyStreamsError where the reader, or this process, holds too many.
    """
    holder = actor.throttle_key or address_of(request)
    hub.require_room(holder, is_address=actor.throttle_key is None)
    listener = Listener(event.pk, state, say, guard, holder, beat, last)
    pause = random.randint(SOONEST, LATEST)
    return HeldResponse(b"retry: %d\n\n" % pause + first, listener.listen)
