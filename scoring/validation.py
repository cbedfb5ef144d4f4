"""The only door from the service to the rules of the games."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engines
from core.errors import RuleBrokenError
from engines import words
from engines.base import Engine


class PositionInvalidError(RuleBrokenError):
    """A position sent for assistance cannot be read as one of its game."""

    code = "position-invalid"


def language() -> str:
    """Return the language of the reader."""
    return get_language() or "en"


def game(slug: str) -> Engine:
    """Return a game by its slug; Http404 where there is none such."""
    try:
        return engines.GAMES[slug]
    except KeyError:
        raise Http404(slug) from None


def describe(engine: Engine) -> dict[str, Any]:
    """Return what a client needs to offer a game, in the language of the reader."""
    return {
        "slug": engine.slug,
        "name": engine.name.into(language()),
        "summary": engine.summary.into(language()),
        "variants": [
            {
                "slug": variant.slug,
                "name": variant.name.into(language()),
                "seats": {"min": variant.seats_min, "max": variant.seats_max},
                "solo": variant.is_solo,
            }
            for variant in engine.variants
        ],
    }


def check(engine: Engine, report: object) -> dict[str, Any]:
    """Judge a report and say the verdict in the language of the reader, each place with its reason."""
    verdict = engine.check(report)
    answer = engines.as_json(verdict, language=language())
    answer["explanations"] = None
    if verdict.standings is not None and isinstance(report, dict):
        answer["explanations"] = words.explain(engine, report["variant"], verdict.standings, language=language())
    return answer


def assist(engine: Engine, position: object) -> dict[str, Any]:
    """Help with a position of a game."""
    try:
        return engines.assist(engine.slug, position)
    except engines.AssistError as error:
        faults = [
            {"code": each.code, "path": list(each.path), "message": engines.message(each, language=language())}
            for each in error.findings
        ]
        raise PositionInvalidError(_("This is not a position of the game."), errors=faults) from None
