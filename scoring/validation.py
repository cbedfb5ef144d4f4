"""The only door from the service to the rules of the games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engines
from core.errors import RuleBrokenError
from engines import words
from engines.base import Engine, Finding, Report, Verdict
from engines.likelihood import tails
from scoring.errors import ReportInvalidError, ReportSeatsError, ReportVariantError
from tournaments.models import Table
from tournaments.services.rounds import variant_of

UNLIKELY = 0.0007  # of the scores in simulated games: about one table in two hundred of ours is flagged for it


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


def check(engine: Engine, report: object, names: Mapping[str, str] = words.NOBODY) -> dict[str, Any]:
    """Judge a report and say the verdict in the language of the reader, each place with its reason."""
    verdict = engine.check(report)
    answer = engines.as_json(verdict, names, language())
    answer["explanations"] = None
    if verdict.standings is not None and isinstance(report, dict):
        answer["explanations"] = words.explain(engine, report["variant"], verdict.standings, names, language())
    return answer


def assist(engine: Engine, position: object) -> dict[str, Any]:
    """Help with a position of a game."""
    try:
        return engines.assist(engine.slug, position)
    except engines.AssistError as error:
        faults = _say(error.findings, words.NOBODY)
        raise PositionInvalidError(_("This is not a position of the game."), errors=faults) from None


def names_of(table: Table) -> dict[str, str]:
    """Return the names at a table by the labels of its sheet."""
    return {seat.entry.player.uid: seat.entry.name for seat in table.seats.all()}


def labels_of(table: Table, forfeits: Collection[str] = ()) -> tuple[str, list[str]]:
    """Return the variant and the seats that a sheet of the table has, without players who forfeited."""
    present = [label for label in names_of(table) if label not in forfeits]
    variant = variant_of(table.round.event, len(present), table.round.kind) if forfeits else table.variant
    return variant, [*present, *game(table.round.event.game).variant(variant).partners]


def judge(table: Table, sheet: object, forfeits: Collection[str] = ()) -> Verdict:
    """Judge a sheet as the result of a table; raises what is wrong with it."""
    engine = game(table.round.event.game)
    variant, seats = labels_of(table, forfeits)
    if isinstance(sheet, dict):
        if isinstance(own := sheet.get("variant"), str) and own != variant:
            raise ReportVariantError(
                _("This table plays the variant {variant}.").format(variant=variant), sheet=sheet, variant=variant
            )
        if isinstance(sheet.get("seats"), list) and sheet["seats"] != seats:
            raise ReportSeatsError(
                _("The seats of the sheet must be those of the table, in order."), sheet=sheet, seats=seats
            )
    verdict = engine.check(sheet)
    if not verdict.ok:
        errors = _say(verdict.errors, names_of(table))
        raise ReportInvalidError(_("This sheet breaks the rules; `errors` says where."), sheet=sheet, errors=errors)
    return verdict


def _say(findings: Iterable[Finding], names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"code": each.code, "path": list(each.path), "message": engines.message(each, names, language())}
        for each in findings
    ]


def minimal(table: Table, sheet: Report) -> str:
    """Return a fingerprint that is equal for sheets that say the same, whatever evidence they carry."""
    layer = game(table.round.event.game).minimal(sheet)
    return hashlib.sha256(json.dumps(layer, sort_keys=True).encode()).hexdigest()


def flags(sheet: Report, verdict: Verdict) -> list[dict[str, Any]]:
    """Return why a person should look at a legal sheet: what is odd about it, and scores hardly ever seen."""
    odd = [{"code": each.code, "path": list(each.path)} for each in verdict.warnings]
    rare = [
        {"code": "unlikely-score", "seat": tail.seat, "score": tail.score, "share": round(tail.share, 6)}
        for tail in tails(sheet, verdict)
        if tail.share < UNLIKELY
    ]
    return odd + rare
