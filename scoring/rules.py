"""The only door from the service to the rules of the games."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

import engines
from core.errors import RuleBrokenError
from core.language import reader_language
from engines import base, words
from engines import vectors as published
from engines.base import CompleteEngine, Engine, Finding, Report
from engines.likelihood import tails
from engines.simulation import Plan, play_game
from scoring.errors import ReportInvalidError, ReportSeatsError, ReportVariantError
from tournaments import games
from tournaments.actors import Actor
from tournaments.games import CUSTOM
from tournaments.models import Club, Event, OwnGame, Player, Table
from tournaments.models.games import PREFIX
from tournaments.selectors import records_of, visible_events, visible_games
from tournaments.services.rounds import variant_of
from tournaments.trust import own_events

Verdict: TypeAlias = base.Verdict
UNLIKELY = 0.0007  # of the scores in simulated games: about one table in two hundred of ours is flagged for it


class PositionInvalidError(RuleBrokenError):
    """A position sent for assistance cannot be read as one of its game."""

    code = "position-invalid"


def game(slug: str) -> CompleteEngine:
    """Return a game of ours by its slug; Http404 where there is no such game."""
    try:
        return engines.GAMES[slug]
    except KeyError:
        raise Http404(slug) from None


def game_of(event: Event) -> Engine:
    """Return the rules an event is played by."""
    return games.engine_of_event(event)


def known_game(actor: Actor, name: str, club: Club | None = None, player: Player | None = None) -> Engine:
    """Return a game that a caller may know of: ours, or a club's own by `custom:harbour` or by its key; else Http404.

    Clubs may choose the same slug. It is looked for in `club`, or among the games that `player` has played, the home
    club's first; a key names one game only, which stands on the boards of no other club. Of events that the caller may
    not know of they learn nothing: neither that there is one, nor who plays there.
    """
    if name in engines.GAMES:
        return engines.GAMES[name]
    own = visible_games(actor) if player is None else own_games(actor, player)
    if name.startswith(PREFIX):
        own = own.filter(uid=name.removeprefix(PREFIX))
    elif name.startswith(CUSTOM) and (club or player):
        own = own.filter(slug=name.removeprefix(CUSTOM))
    else:
        raise Http404(name)
    if club is not None:
        own = own.filter(club=club)
    if player is not None:
        played = visible_events(actor).filter(entries__player__in=records_of(player)).values("definition")
        own = own.filter(Q(versions__in=played) | Q(versions__in=own_events(actor, player).values("definition")))
    found = sorted(own, key=lambda each: (player is None or each.club_id != player.home_id, each.pk))
    if not found:
        raise Http404(name)
    return games.engine_of_game(found[0])


def own_games(actor: Actor, player: Player) -> QuerySet[OwnGame]:
    """Return the games of clubs that a caller may know of, or that they played themselves as the player."""
    seen = Q(pk__in=visible_games(actor).values("pk"))
    played = own_events(actor, player).values("definition")
    return OwnGame.objects.filter(seen | Q(versions__in=played)).select_related("club").distinct()


def report_schema(engine: Engine) -> dict[str, Any]:
    """Return the JSON Schema of a game's report."""
    return engine.schema if isinstance(engine, games.CustomEngine) else engines.schema(engine.slug)


def vectors(engine: Engine) -> Sequence[dict[str, Any]]:
    """Return reports of a game with the verdicts that every implementation of its rules must reach."""
    return published.vectors(engine.slug)


@functools.cache
def example(slug: str) -> dict[str, Any]:
    """Return a sheet of a game as a table sends it, with what it must say and no more: for the documents."""
    engine = engines.GAMES[slug]
    report = play_game(Plan(slug, engine.variants[0].slug, engine.variants[0].people[0], seed=1), 0).report
    return dict(engine.minimal(report))


def assist_schema(engine: CompleteEngine) -> dict[str, Any]:
    """Return the JSON Schema of a position sent for assistance."""
    return engine.assist_shape.model_json_schema()


def check(engine: Engine, report: object, names: Mapping[str, str] = words.NOBODY) -> dict[str, Any]:
    """Judge a report and say the verdict in the language of the reader, each place with its reason."""
    return in_words(engine, report, engine.check(report), names)


def in_words(
    engine: Engine, report: object, verdict: Verdict, names: Mapping[str, str] = words.NOBODY
) -> dict[str, Any]:
    """Say a verdict in the language of the reader, each place with its reason."""
    answer = engines.as_json(verdict, names, reader_language(), engine)
    answer["explanations"] = None
    if verdict.standings is not None and isinstance(report, dict):
        first, *others = words.explain(engine, report["variant"], verdict.standings, names, reader_language())
        title = solo_title(engine, report, verdict.standings[0].seat)
        answer["explanations"] = [f"{first}. {title}" if title else first, *others]
    return answer


def stored_verdict(rows: Iterable[Mapping[str, Any]], warnings: Iterable[Finding]) -> Verdict:
    """Return the verdict of a report that was accepted, from the standings it was stored with."""
    standings = tuple(base.Standing(row["seat"], row["rank"], row["score"], tuple(row["key"])) for row in rows)
    return Verdict(warnings=tuple(warnings), standings=standings)


def solo_title(engine: Engine, report: Report, winner: str) -> str:
    """Return what the rulebook calls a solo result, in the language of the reader; empty where it has no name."""
    title = engine.solo_title(report, winner)
    return title.into(reader_language()) if title else ""


def assist(engine: Engine, position: object) -> dict[str, Any]:
    """Help with a position of a game."""
    try:
        return engines.assist(engine.slug, position)
    except engines.AssistError as error:
        faults = _say(engine, error.findings, words.NOBODY)
        raise PositionInvalidError(_("This is not a position of the game."), errors=faults) from None


def names_of(table: Table) -> dict[str, str]:
    """Return the names at a table by the labels of its sheet."""
    return {seat.entry.player.uid: seat.entry.name for seat in table.seats.all()}


def partners_on(event: Event, sheet: Mapping[str, Any] | None) -> set[str]:
    """Return the labels of a sheet that no person has; a ranking by hand, which has no sheet, has none."""
    return set(game_of(event).variant(sheet["variant"]).partners) if sheet is not None else set()


class Sitting(NamedTuple):
    """A table as its sheet knows it, stored or not: what is played there, and who sits there by the sheet's labels."""

    event: Event
    kind: str
    variant: str
    names: Mapping[str, str]


def _sitting_at(table: Table) -> Sitting:
    return Sitting(table.round.event, table.round.kind, table.variant, names_of(table))


def labels_of(table: Table, forfeits: Collection[str] = ()) -> tuple[str, list[str]]:
    """Return the variant and the seats that a sheet of the table has, without players who forfeited."""
    return _labels(_sitting_at(table), forfeits)


def _labels(sitting: Sitting, forfeits: Collection[str]) -> tuple[str, list[str]]:
    present = [label for label in sitting.names if label not in forfeits]
    variant = variant_of(sitting.event, len(present), sitting.kind) if forfeits else sitting.variant
    return variant, [*present, *game_of(sitting.event).variant(variant).partners]


def judge(table: Table, sheet: object, forfeits: Collection[str] = ()) -> Verdict:
    """Judge a sheet as the result of a table; raises what is wrong with it."""
    return judge_sitting(_sitting_at(table), sheet, forfeits)


def judge_sitting(sitting: Sitting, sheet: object, forfeits: Collection[str] = ()) -> Verdict:
    """Judge a sheet like `judge`, of a table that need not be stored."""
    engine = game_of(sitting.event)
    variant, seats = _labels(sitting, forfeits)
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
        errors = _say(engine, verdict.errors, sitting.names)
        raise ReportInvalidError(_("This sheet breaks the rules; `errors` says where."), sheet=sheet, errors=errors)
    return verdict


def _say(engine: Engine, findings: Iterable[Finding], names: Mapping[str, str]) -> list[dict[str, Any]]:
    language = reader_language()
    return [
        {"code": each.code, "path": list(each.path), "message": engines.message(each, names, language, engine)}
        for each in findings
    ]


def minimal(event: Event, sheet: Report) -> str:
    """Return a fingerprint that is equal for sheets that say the same, whatever evidence they carry."""
    layer = game_of(event).minimal(sheet)
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


def moves_of_a_game(slug: str, variant: str, players: int, number: int) -> int:
    """Return how many moves a game takes that house players play; the number picks one."""
    return len(play_game(Plan(slug, variant, players, seed=1), number).record["moves"])
