"""Reads: reports, results and standings as plain values, and who may see which."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from django.db.models import Exists, Max, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring import rules
from scoring.models import Attempt, Placing, Report, SeasonRow, StandingRow, Voice
from scoring.rankings.prizes import Award, Candidate, awards_of
from scoring.rankings.standings.words import explain, explain_penalty, explain_season
from scoring.sheet_differences import differences
from scoring.units import MILLI, UNIT, as_text
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.models import Action, Event, Player, Role, Round, Season, Table

ALL = slice(None)
VOICES: Any = Prefetch("voices", Voice.objects.select_related("entry__player").order_by("pk"), to_attr="said")


def knows_table(actor: Actor, table: Table) -> bool:
    """Say whether a caller may see everything about a table: who sits there, and members of the club."""
    return selectors.sits_at(actor, table) or actor.is_at_least(Role.SCOREKEEPER, table.round.event.club)


def knows_result(actor: Actor, table: Table) -> bool:
    """Say whether a caller may see the result of a table: others than its own wait until standings are shown."""
    return knows_table(actor, table) or selectors.shown_places(actor, table.round.event) is None


def may_see(actor: Actor, report: Report) -> bool:
    """Say whether a caller may see a report of a table they know of: strangers what counts, unless it is hidden."""
    is_final = report.status == Report.Status.FINAL
    return knows_result(actor, report.table) if is_final else knows_table(actor, report.table)


def reports_of(actor: Actor, table: Table) -> list[Report]:
    """Return the reports of a table that a caller may see, newest first; strangers see what counts."""
    reports = table.reports.select_related("entry__player").prefetch_related(VOICES).order_by("-version")
    if knows_table(actor, table):
        return list(reports)
    final = reports.filter(status=Report.Status.FINAL)
    return [_without_doubts(report) for report in final] if knows_result(actor, table) else []


def as_seen(actor: Actor, report: Report) -> Report:
    """Return a report that a caller may see as they see it: what people said of it is for its table and the club."""
    return report if knows_table(actor, report.table) else _without_doubts(report)


def _without_doubts(report: Report) -> Report:
    report.reason, report.flags = "", []
    for voice in report.said:
        voice.reason = ""
    return report


def visible_reports(actor: Actor) -> QuerySet[Report]:
    """Return the reports of all tables a caller may know of; what is not final is for the table and the club."""
    tables = selectors.visible_tables(actor).values("pk")
    return (
        Report.objects.filter(table__in=tables)
        .select_related("table__round__event__club", "entry__player")
        .prefetch_related(VOICES, Prefetch("table__seats", selectors.SEATS.queryset))
    )


def verdict_of(report: Report, table: Table) -> dict[str, Any]:
    """Return the verdict of a report in the reader's language: the standings are those it was stored with.

    A sheet that was accepted stays accepted, whatever later rules say: only the words of its warnings are found again.
    """
    if report.sheet is None:
        return {"ok": True, "errors": [], "warnings": [], "standings": report.standings, "explanations": None}
    engine = rules.game_of(table.round.event)
    judged = report.verdict or engine.check(report.sheet)
    stored = rules.stored_verdict(report.standings, judged.warnings)
    return rules.in_words(engine, report.sheet, stored, rules.names_of(table))


def pairs_of(reports: Iterable[Report]) -> list[tuple[Report, Report]]:
    """Return every two of some reports, the older one first; two that came by slip, which settle nothing, last."""
    pairs = combinations(sorted(reports, key=lambda report: report.version), 2)
    return sorted(pairs, key=lambda pair: all(report.is_by_slip for report in pair))


def difference_of(table: Table, reports: Iterable[Report]) -> dict[str, Any] | None:
    """Return the first entry in which two sheets of a table that may still count differ, in words and values."""
    live = [each for each in reports if each.status in Report.LIVE and each.sheet is not None]
    engine = rules.game_of(table.round.event)
    names = rules.names_of(table)
    for one, other in pairs_of(live):
        if found := differences(engine, names, one.sheet or {}, other.sheet or {}):
            first = found[0]
            return {
                "reports": [one.uid, other.uid],
                "path": list(first.path),
                "place": f"{first.name} · {first.place}" if first.name else first.place,
                "values": list(first.values),
            }
    return None


def attempts_of(table: Table) -> QuerySet[Attempt]:
    """Return the refused sheets of a table, newest first."""
    return Attempt.objects.filter(table=table).select_related("entry__player").order_by("-pk")


def history_of(table: Table) -> QuerySet[Action]:
    """Return what was done at a table, newest first."""
    return Action.objects.filter(table=table).order_by("-pk")


def verdict_of_attempt(attempt: Attempt, table: Table) -> dict[str, Any]:
    """Return what is wrong with a refused sheet, judged again for the reader's language."""
    return rules.check(rules.game_of(table.round.event), attempt.sheet, rules.names_of(table))


def standing_rows(event: Event, *, most: int | None = None, is_explained: bool = True) -> list[dict[str, Any]]:
    """Return the first of an event's standings, or all, in one query; each says what put it there, where wanted."""
    rows = StandingRow.objects.filter(event=event).order_by("place")
    fields = ("entry__player__uid", "entry__name", "entry__uid", "entry__status", "rank", "points", "penalty")
    shapes: list[dict[str, Any]] = []
    above = ""
    columns = rows.values_list(*fields, "tables", "tiebreaks", "reason", "is_ranked", "rounds")[:most]
    for uid, name, entry, status, rank, points, penalty, tables, tiebreaks, reason, is_ranked, steps in columns:
        shapes.append(
            {
                "rank": rank,
                "player": {"id": uid, "name": name},
                "entry": entry,
                "status": status,
                "points": as_text(points, UNIT),
                "tables": tables,
                "tiebreaks": tiebreaks,
                "is_ranked": is_ranked,
                "reason": reason,
                "penalty": as_text(penalty, UNIT),
                "explanation": _explained(event, reason, above, penalty) if is_explained else "",
                "rounds": [_step(*step) for step in steps],
            }
        )
        above = name
    return shapes


def _step(number: int, rank: int, points: int | None, place: int | None, seats: int | None) -> dict[str, Any]:
    shown = None if points is None else as_text(points, UNIT)
    return {"round": number, "rank": rank, "points": shown, "place": place, "seats": seats}


def _explained(event: Event, reason: dict[str, Any], above: str, penalty: int) -> str:
    """Return what put somebody there, and what penalties had to do with it."""
    said = explain(reason, above, is_solo=event.is_solo)
    return f"{said} {explain_penalty(as_text(penalty, UNIT))}" if penalty else said


def awards(event: Event) -> list[Award]:
    """Return the prizes of an event with those who won them, in one query; nobody has before it is finished."""
    is_finished = event.status == Event.Status.FINISHED
    return awards_of(event.prizes, _candidates(event) if is_finished and event.prizes else [])


def _candidates(event: Event) -> list[Candidate]:
    placings = Placing.objects.filter(entry=OuterRef("pk"), is_forfeit=False)
    counted = placings.exclude(seat__round__status=Round.Status.CANCELLED).order_by().values("entry")
    person = OuterRef(OuterRef("person"))
    records = Player.objects.filter(Q(pk=person) | Q(merged_into=person)).values("pk")
    before = Placing.objects.filter(
        player__in=records, event__club=event.club_id, event__starts_at__lt=event.starts_at
    ).exclude(event=event)
    if event.is_public:  # of a public club everybody sees who won, and is told of no private event by it
        before = before.filter(Q(event__is_public=True) | Q(event__club__is_public=False))
    entries = event.entries.annotate(
        person=Coalesce("player__merged_into", "player"),
        best=Subquery(counted.annotate(best=Max("score")).values("best")),
        came_before=Exists(before),
    )
    columns = ("uid", "player__uid", "name", "standing__rank", "standing__tables", "standing__is_ranked")
    return [
        Candidate(uid, player, name, rank if tables and is_ranked else None, best, is_newcomer=not came_before)
        for uid, player, name, rank, tables, is_ranked, best, came_before in entries.order_by("pk").values_list(
            *columns, "best", "came_before"
        )
    ]


def season_rows(season: Season, places: slice = ALL) -> list[dict[str, Any]]:
    """Return a season's table, or a part, as plain values, in one query; each row says what put it there."""
    rows = SeasonRow.objects.filter(season=season).select_related("player").defer("steps").order_by("place")[places]
    shapes: list[dict[str, Any]] = []
    above = ""
    for row in rows:
        shapes.append(
            {
                "rank": row.rank,
                "player": {"id": row.player.uid, "name": row.player.name},
                "points": as_text(row.points, MILLI),
                "events": row.events,
                "results": row.results,
                "reason": row.reason,
                "explanation": explain_season(row.reason, above),
            }
        )
        above = row.player.name
    return shapes


def season_course(season: Season, *, top: int | None = None, person: int | None = None) -> list[dict[str, Any]]:
    """Return where people stood after each event of a season, in one query: the first so many, and one person more."""
    rows = SeasonRow.objects.filter(season=season).order_by("place")
    if top is not None:
        rows = rows.filter(Q(place__lte=top) | Q(player=person))
    return [
        {
            "rank": rank,
            "player": {"id": uid, "name": name},
            "steps": [each | {"points": as_text(each["points"], MILLI)} for each in steps],
        }
        for rank, uid, name, steps in rows.values_list("rank", "player__uid", "player__name", "steps")
    ]


def result_rows(event: Event) -> list[dict[str, Any]]:
    """Return every counted place of an event, in one query."""
    rows = Placing.objects.filter(event=event).exclude(result__table__round__status=Round.Status.CANCELLED)
    fields = {
        "round": "result__table__round__number",
        "table": "result__table__uid",
        "table_number": "result__table__number",
        "position": "seat__position",
        "uid": "entry__player__uid",
        "name": "entry__name",
        "rank": "rank",
        "score": "score",
        "forfeit": "is_forfeit",
        "report": "result__report__uid",
        "played_at": "result__played_at",
    }
    found = rows.order_by("result__table__round__number", "result__table__number", "seat__position")
    return [_with_player(dict(zip(fields, row, strict=True))) for row in found.values_list(*fields.values())]


def _with_player(row: dict[str, Any]) -> dict[str, Any]:
    player = {"id": row.pop("uid"), "name": row.pop("name")}
    return {**row, "player": player}
