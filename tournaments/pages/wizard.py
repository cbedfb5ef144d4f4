"""A new event in two steps: the game, then the evening. And the settings of an event that exists."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from core.errors import DomainError
from engines import GAMES
from tournaments import games
from tournaments.models import Club, Role
from tournaments.pages.base import READ_OR_SEND, club_or_404, event_or_404, reader_language, session_actor
from tournaments.pages.event_forms import EventForm, shown, suggested, variant_named
from tournaments.services import events


@login_required
@READ_OR_SEND
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a game, then create an event of it with what the game suggests."""
    club = club_or_404(request, slug, Role.ORGANISER)
    engine = games.engine_of(request.GET.get("game", ""))
    if engine is None:
        return _choose_game(request, club)
    variant = variant_named(engine, request.GET.get("variant", ""))
    form = EventForm(request.POST or None, club=club, engine=engine, initial=suggested(engine, variant))
    if form.is_valid():
        fields = form.settings() | {"game": engine.slug}
        try:
            event = events.create_event(actor=session_actor(request), club=club, fields=fields)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The event is ready. Open registration when you want people to join."))
            return redirect("scoring:console", event.uid)
    language = reader_language()
    context = {"club": club, "form": form, "game": engine.slug, "game_name": engine.name.into(language)}
    return render(request, "tournaments/console/new_event.html", context)


def _choose_game(request: HttpRequest, club: Club) -> HttpResponse:
    language = reader_language()
    choices = [
        (engine, engine.name.into(language), engine.summary.into(language), [v for v in engine.variants if v.is_solo])
        for engine in GAMES.values()
    ]
    return render(request, "tournaments/console/choose_game.html", {"club": club, "choices": choices})


@login_required
@READ_OR_SEND
def edit(request: HttpRequest, uid: str) -> HttpResponse:
    """Change the settings of an event, as far as what was played lets them change."""
    event = event_or_404(request, uid, Role.ORGANISER)
    engine = GAMES[event.game]
    form = EventForm(request.POST or None, club=event.club, engine=engine, initial=shown(event))
    if (changeable := events.changeable(event)) is not None:
        form.close(changeable)
    if form.is_valid():
        try:
            events.edit_event(actor=session_actor(request), event=event, fields=form.settings())
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The event is changed."))
            return redirect("scoring:console", uid)
    return render(request, "tournaments/console/event_settings.html", {"event": event, "form": form})
