"""Rules engines of the four games. Imports the standard library and pydantic only."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Any

from pydantic import TypeAdapter, ValidationError

from engines import dice_run, dix, sixmix, ten_phases, words
from engines.base import CompleteEngine, Engine, Finding, Verdict
from engines.checking import finding_of, oversized, shortened

GAMES: Mapping[str, CompleteEngine] = {
    "ten-phases": ten_phases.ENGINE,
    "sixmix": sixmix.ENGINE,
    "dix": dix.ENGINE,
    "dice-run": dice_run.ENGINE,
}


class AssistError(ValueError):
    """A request for assistance is not of the game's shape; `findings` say where."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(*findings)
        self.findings = findings


def choices() -> list[tuple[str, str]]:
    """Return the games as choices of a form or a database field."""
    return [(slug, engine.name.en) for slug, engine in GAMES.items()]


def check(report: object, game: str | None = None) -> Verdict:
    """Judge a report as a game, or by its own `game` where none is given; never raises on a JSON value."""
    slug = game if game is not None or not isinstance(report, dict) else report.get("game")
    if isinstance(slug, str) and slug in GAMES:
        return GAMES[slug].check(report)
    if not isinstance(report, dict):
        return Verdict(errors=(Finding("report.not-an-object", ()),))
    return Verdict(errors=(Finding("report.unknown-game", ("game",), {"games": ", ".join(GAMES)}),))


def assist(game: str, request: object) -> dict[str, Any]:
    """Help with a position of a game; AssistError lists what is wrong with the request."""
    engine = GAMES[game]
    if found := oversized(game, request):
        raise AssistError(shortened(game, found))
    try:
        position = engine.assist_shape.model_validate(request)
    except ValidationError as error:
        raise AssistError(shortened(game, [finding_of(game, each) for each in error.errors()])) from None
    return engine.assist(position)


def message(
    finding: Finding, names: Mapping[str, str] = words.NOBODY, language: str = "en", engine: Engine | None = None
) -> str:
    """Say a finding in a sentence; `names` are display names by seat label. `engine` is that of a club's own game."""
    return words.render(engine or GAMES.get(finding.code.partition(".")[0]), finding, names, language)


def as_json(
    verdict: Verdict, names: Mapping[str, str] = words.NOBODY, language: str = "en", engine: Engine | None = None
) -> dict[str, Any]:
    """Return a verdict as the JSON object everybody outside sees."""

    def say(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
        return [
            {"code": each.code, "path": list(each.path), "message": message(each, names, language, engine)}
            for each in findings
        ]

    rows = None if verdict.standings is None else [row.as_json() for row in verdict.standings]
    return {"ok": verdict.ok, "errors": say(verdict.errors), "warnings": say(verdict.warnings), "standings": rows}


@cache
def schema(game: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's report, all variants together."""
    shapes = {variant.shape for variant in GAMES[game].variants}
    return TypeAdapter(reduce(or_, sorted(shapes, key=lambda shape: shape.__name__))).json_schema()
