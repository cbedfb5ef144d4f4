"""The games: their rules in our own words, and the score sheet of each to try without an account."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.language import reader_language
from scoring import rules
from tournaments.games import GAMES, Engine, Variant
from web.base import READ_OR_SEND, takes_a_sheet
from web.manual.markdown import rendered
from web.phone.sheets import SeatName
from web.phone.sheets.forms import SheetForm
from web.public.front import GameCard


@cache
def players_rules(slug: str, language: str) -> SafeString:
    """Return the rules for players as HTML: the documented ones from the first section to where the report begins."""
    folder = settings.FILES_DIR / "docs" / "rules" / ("fr" if language == "fr" else "")
    text = (folder / f"{slug}.md").read_text("utf-8")
    return rendered(re.split(r"\n## (?:The report|La feuille)\n", text[text.index("\n## ") :])[0])


def games(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    cards = [GameCard.of(engine, reader_language()) for engine in GAMES.values()]
    return render(request, "manual/games.html", {"games": cards})


@READ_OR_SEND
@takes_a_sheet
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rules and its score sheet; a sheet that is sent is judged, and stored nowhere."""
    engine = rules.game(slug)
    variant = _variant(engine, request.GET.get("variant", ""))
    people = _people(variant, request.GET.get("people", ""))
    form = SheetForm(engine, variant, people, {})
    if request.method == "POST":
        form = SheetForm(engine, variant, people, form.read(request.POST), judged=True)
    context: dict[str, Any] = {
        "game": GameCard.of(engine, reader_language()),
        "variants": [(each.slug, each.name.into(reader_language())) for each in engine.variants],
        "numbers": variant.people,
        "form": form,
        "rules": players_rules(slug, reader_language()),
    }
    return render(request, "manual/game.html", context)


def _variant(engine: Engine, slug: str) -> Variant:
    return next((each for each in engine.variants if each.slug == slug), engine.variants[0])


def _people(variant: Variant, wanted: str) -> list[SeatName]:
    """Return as many seats as asked for, else as many as fit best on a phone and in a café: up to four."""
    allowed = variant.people
    count = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else min(4, allowed[-1])
    count = min(max(count, allowed[0]), allowed[-1])
    return [SeatName(f"seat-{number}", _("Player %(number)d") % {"number": number}) for number in range(1, count + 1)]
