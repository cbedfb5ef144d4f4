"""A new event in two steps: the game, then the evening. And the settings of an event that exists."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import DomainError
from core.language import reader_language
from scoring.lengths import likely_length
from tournaments import games
from tournaments.games import GAMES
from tournaments.models import Club, Event, Role
from tournaments.services import events
from web.base import READ_OR_SEND, managed_club_or_404, managed_event_or_404, session_actor
from web.console.event_forms import EventForm, shown, suggested, variant_named

LATEST = 3  # evenings that may be wanted again


@login_required
@READ_OR_SEND
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a game, then create an event of it with what the game suggests."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    engine = games.engine_named(club, request.GET.get("game", ""))
    if engine is None:
        return _choose_game(request, club)
    variant = variant_named(engine, request.GET.get("variant", ""))
    players = min(4, variant.people[-1])
    length = likely_length(club=club, game=engine.key, variant=variant.slug, players=players)
    form = EventForm(
        request.POST or None, club=club, engine=engine, variant=variant, initial=suggested(engine, variant, length)
    )
    form.explain(length)
    if form.is_valid():
        fields = form.settings() | {"game": engine.slug}
        try:
            event = events.create_event(actor=session_actor(request), club=club, fields=fields)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The event is ready. Open registration when you want people to join."))
            return redirect("web:console", event.uid)
    language = reader_language()
    name = engine.name.into(language)
    if variant.is_solo:
        name = f"{name} · {variant.name.into(language)}"
    context = {"club": club, "form": form, "icon": engine.icon, "game_name": name}
    return render(request, "console/new_event.html", context)


def _choose_game(request: HttpRequest, club: Club) -> HttpResponse:
    language = reader_language()
    choices = [
        (engine, engine.name.into(language), engine.summary.into(language), [v for v in engine.variants if v.is_solo])
        for engine in [*GAMES.values(), *games.own_engines(club)]
    ]
    played = club.events.filter(starts_at__lte=timezone.now()).exclude(status=Event.Status.CANCELLED)
    latest = played.order_by("-starts_at", "-pk")[:LATEST]
    return render(request, "console/choose_game.html", {"club": club, "choices": choices, "latest": latest})


@login_required
@READ_OR_SEND
def edit(request: HttpRequest, uid: str) -> HttpResponse:
    """Change the settings of an event, as far as what was played lets them change."""
    event = managed_event_or_404(request, uid, Role.ORGANISER)
    engine = games.engine_of_event(event)
    form = EventForm(
        request.POST or None,
        club=event.club,
        engine=engine,
        variant=engine.variant(event.variant),
        people=dict(event.entries.values_list("uid", "name")),
        initial=shown(event),
    )
    if (changeable := events.changeable(event)) is not None:
        form.close(changeable)
    if form.is_valid():
        # What is sent as it was shown may have been changed by others meanwhile.
        changes = {name: value for name, value in form.settings().items() if value != getattr(event, name)}
        try:
            events.edit_event(actor=session_actor(request), event=event, fields=changes)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The event is changed."))
            return redirect("web:console", uid)
    return render(request, "console/event_settings.html", {"event": event, "form": form})
