"""The front page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from core.language import reader_language
from tournaments import links
from tournaments.access import phone_cookies
from tournaments.games import GAMES, Engine
from tournaments.models import Entry, Event
from tournaments.services import entries, first_start
from web.public.demo import evening_of_demo


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the front page presents it; `least` and `most` count the people of its sociable variants."""

    slug: str
    name: str
    summary: str
    least: int
    most: int
    has_solo: bool

    @classmethod
    def of(cls, engine: Engine, language: str) -> GameCard:
        """Describe an engine in the reader's language."""
        sociable = [variant for variant in engine.variants if not variant.is_solo]
        return cls(
            slug=engine.slug,
            name=engine.name.into(language),
            summary=engine.summary.into(language),
            least=min(variant.seats_min for variant in sociable),
            most=max(variant.seats_max for variant in sociable),
            has_solo=len(sociable) < len(engine.variants),
        )


def front(request: HttpRequest) -> HttpResponse:
    """Say what the service is and which games it knows; one that was never used asks for its first account."""
    with suppress(Error):  # this page is there while the database is not
        if first_start.is_waiting():
            return redirect("web:start")
    evenings: list[Entry] = []
    with suppress(Error):
        evenings = _evenings(request)
    demo: Event | None = None
    with suppress(Error):
        demo = evening_of_demo()
    language = reader_language()
    games = [GameCard.of(engine, language) for engine in GAMES.values()]
    context = {
        "games": games,
        "evenings": evenings,
        "demo": demo,
        "is_out_of_reach": links.is_for_this_machine(links.origin_of(request)),
    }
    return render(request, "public/front.html", context)


def _evenings(request: HttpRequest) -> list[Entry]:
    """Return the entries whose links the phone holds, of events that are not over, the next one first."""
    phones = entries.earlier_phones(phone_cookies.personal_links(request))
    found = [phone.entry for phone in phones if phone.entry and not phone.entry.event.is_over]
    return sorted(found, key=lambda entry: entry.event.starts_at)
