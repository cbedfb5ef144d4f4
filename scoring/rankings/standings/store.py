"""Standings from the database and back, in a fixed number of queries (SQLite inserts a hundred rows at a time)."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from core import computations
from scoring.models import Placing, StandingRow
from scoring.rankings import bulk
from scoring.rankings.locks import advisory_lock
from scoring.rankings.ratings.model import START
from scoring.rankings.standings import compute
from scoring.rankings.standings.course import Step, course
from scoring.rankings.standings.values import NO_SCORE, Attendance, Ints, Penalties, Placings
from scoring.units import UNIT
from tournaments.models import Entry, Event, Format, Penalty, Round, Seat, SitOut, TieBreak, TieRule

# Rounds that rank nobody. A draft is for the club alone: standings are marked as stale when it is published.
UNSEEN = (Round.Status.CANCELLED, Round.Status.DRAFT)


class Inputs(NamedTuple):
    """What the standings of an event are computed from. `ids` and `uids` are of the entries, in order."""

    rules: compute.Rules
    played: compute.Played
    ids: Ints
    uids: list[str]
    statuses: list[str]

    def standings(self) -> compute.Standings:
        """Compute the standings."""
        return compute.compute(self.rules, self.played)


def load(event: Event) -> Inputs:
    """Read everything played in an event. Who dropped out before playing, or waits for a place, is not listed.

    Nobody has a place in an event that was cancelled.
    """
    placings = _placings(event)
    sit_outs = _attendance(SitOut.objects.filter(round__event=event))
    entries = list(Entry.objects.filter(event=event).order_by("pk").values_list("pk", "uid", "status"))
    there = {*placings["entry_id"].tolist(), *sit_outs.entry.tolist()}
    is_cancelled = event.status == Event.Status.CANCELLED
    listed = [each for each in entries if not is_cancelled and (each[2] in Entry.IN or each[0] in there)]
    ids = np.array([pk for pk, _uid, _status in listed], dtype=np.int64)
    seated = _attendance(Seat.objects.filter(round__event=event)) if event.format == Format.ELIMINATION else None
    everything = Placings(
        table=placings["result_id"],
        round=placings["number"].astype(np.int64),
        entry=np.searchsorted(ids, placings["entry_id"]),
        rank=placings["rank"].astype(np.int64),
        score=_scores(event, placings["known_score"].astype(np.int64)),
        is_forfeit=placings["is_forfeit"].astype(bool),
        is_final=placings["is_final"].astype(bool),
    )
    is_playoff = placings["is_playoff"].astype(bool)
    played = compute.Played(
        size=len(ids),
        placings=everything.where(~is_playoff),
        playoffs=everything.where(is_playoff),
        lots=_lots(event, [uid for _pk, uid, _status in listed]) if event.cuts else None,
        sit_outs=_indexed(sit_outs, ids),
        seated=seated and _indexed(seated, ids),
        ratings=_ratings(event, ids) if TieBreak.PERFORMANCE in event.tiebreaks else None,
        penalties=_penalties(event, ids),
    )
    return Inputs(rules_of(event), played, ids, [uid for _pk, uid, _status in listed], [each[2] for each in listed])


def _scores(event: Event, scores: Ints) -> Ints:
    """Return the scores so that more is better: of a game that the fewest points win, they count below zero."""
    is_low = event.engine is not None and event.engine.is_low
    return np.where(scores == NO_SCORE, NO_SCORE, -scores) if is_low else scores


def rules_of(event: Event) -> compute.Rules:
    """Return how an event ranks."""
    return compute.Rules(
        points=event.points,
        podium=event.podium_points,
        tiebreaks=event.tiebreaks,
        is_open=event.format == Format.OPEN,
        is_elimination=event.format == Format.ELIMINATION,
        counted=event.tables_counted,
        least=event.tables_least,
        tie_rule=event.tie_rule,
    )


def _placings(event: Event) -> bulk.Columns:
    counted = Placing.objects.filter(event=event, result__is_counted=True)
    rows = counted.exclude(result__table__round__status=Round.Status.CANCELLED).annotate(
        number=F("result__table__round__number"),
        known_score=Coalesce("score", NO_SCORE),
        is_final=Q(result__table__round__kind=Round.Kind.FINAL),
        is_playoff=Q(result__table__round__kind=Round.Kind.PLAYOFF),
    )
    kinds = {"result_id": "i8", "entry_id": "i8", "rank": "i2", "number": "i4", "known_score": "i4"}
    return bulk.fetch(rows.order_by(), kinds | {"is_forfeit": "i1", "is_final": "i1", "is_playoff": "i1"})


def _attendance(rows: QuerySet) -> Attendance:
    kept = rows.exclude(round__status__in=UNSEEN).order_by().annotate(number=F("round__number"))
    columns = bulk.fetch(kept, {"number": "i4", "entry_id": "i8"})
    return Attendance(columns["number"].astype(np.int64), columns["entry_id"])


def _indexed(attendance: Attendance, ids: Ints) -> Attendance:
    """Return who was there by their index; who is not listed never played."""
    listed = np.isin(attendance.entry, ids)
    return Attendance(attendance.round[listed], np.searchsorted(ids, attendance.entry[listed]))


def _ratings(event: Event, ids: Ints) -> Ints:
    """Return the rating of each entry before its first table in the event that is rated."""
    rated = Placing.objects.filter(event=event, change__isnull=False).annotate(before=F("change__before"))
    found = bulk.fetch(rated.order_by(), {"entry_id": "i8", "at": bulk.TIME, "result_id": "i8", "before": "i4"})
    order = np.lexsort((found["result_id"], found["at"], found["entry_id"]))
    entries, first = np.unique(found["entry_id"][order], return_index=True)
    ratings = np.full(len(ids), START)
    ratings[np.searchsorted(ids, entries)] = found["before"][order][first]
    return ratings


def _penalties(event: Event, ids: Ints) -> Penalties:
    """Return the penalties that stand, of those who are listed."""
    index = {pk: number for number, pk in enumerate(ids.tolist())}
    rows = Penalty.objects.filter(event=event, taken_back_at=None).order_by()
    found = [
        (number or 0, index[entry], int(points * UNIT))
        for number, entry, points in rows.values_list("round", "entry", "points")
        if entry in index
    ]
    columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return Penalties(*columns)


def preview(event: Event) -> list[compute.Row]:
    """Compute the standings as the present transaction sees them, and write nothing; rows have ids of entries."""
    inputs = load(event)
    return _rows(inputs, inputs.standings())


def _rows(inputs: Inputs, standings: compute.Standings) -> list[compute.Row]:
    ids = inputs.ids.tolist()
    return [row._replace(entry=ids[row.entry]) for row in standings.rows()]


class Computed(NamedTuple):
    """The standings of an event, and by its entry what each round brought somebody."""

    event: Event
    rows: list[compute.Row]
    steps: dict[int, list[Step]]


def refresh(event_uid: str) -> None:
    """Compute the standings of an event and write them down.

    They are computed before the transaction that writes them, because SQLite lets nobody else write meanwhile. Where
    others may have written them since, from what is newer, they are computed again.
    """
    turn = computations.turn(computations.Kind.STANDINGS, event_uid)
    computed = _computed(event_uid)
    with transaction.atomic():
        advisory_lock(computations.Kind.STANDINGS, event_uid)
        if computations.turn(computations.Kind.STANDINGS, event_uid) != turn:
            computed = _computed(event_uid)
        if computed is not None:
            _write(computed)


def _computed(event_uid: str) -> Computed | None:
    event = Event.objects.select_related("season").filter(uid=event_uid).first()
    if event is None:
        return None
    inputs = load(event)
    standings = inputs.standings()
    steps = zip(inputs.ids.tolist(), course(inputs.rules, inputs.played, standings), strict=True)
    return Computed(event, _rows(inputs, standings), dict(steps))


def _write(computed: Computed) -> None:
    event = computed.event
    StandingRow.objects.filter(event=event).delete()
    StandingRow.objects.bulk_create(
        StandingRow(
            entry_id=row.entry,
            event=event,
            place=row.place,
            rank=row.rank,
            points=row.points,
            penalty=row.penalty,
            tables=row.tables,
            tiebreaks=row.tiebreaks,
            reason=row.reason,
            is_ranked=row.is_ranked,
            rounds=computed.steps[row.entry],
        )
        for row in computed.rows
    )


def ranked_by_ratings(game: str, since: computations.Since | None = None) -> list[str]:
    """Return the events of a game whose standings look at ratings, by their ids; those with results since then."""
    events = Event.objects.filter(game=game, results__isnull=False)
    if since is not None:
        events = events.filter(results__first_final_at__gte=since.at)
    found = events.distinct().values_list("uid", "tiebreaks")
    return [uid for uid, tiebreaks in found if TieBreak.PERFORMANCE in tiebreaks]


def waits_for_ratings(event_uid: str) -> bool:
    """Say whether an event's standings look at ratings that are out of date."""
    found = Event.objects.filter(uid=event_uid).values_list("game", "tiebreaks").first()
    if found is None or TieBreak.PERFORMANCE not in found[1]:
        return False
    return not computations.is_up_to_date(computations.Kind.RATINGS, found[0])


def points_of(event: Event) -> dict[str, int]:
    """Return the points so far in 840ths, by the id of the entry."""
    inputs = load(event)
    return dict(zip(inputs.uids, inputs.standings().points.tolist(), strict=True))


def advancing(event: Event) -> list[str]:
    """Return the ids of the entries that play on in elimination and are here, best first."""
    inputs = load(event)
    chosen = compute.advancing(inputs.played, inputs.standings(), event.advance)
    return _present(inputs, chosen)


class Cut(NamedTuple):
    """Who plays in a stage of the final, best first, as ids; and what happened at the line.

    `contested` were level on points there, for `places` places. Where the event wants a play-off and there was none,
    `entries` is empty and `tied` are those who play it. `order` is that of lots drawn with `seed`.
    """

    entries: list[str]
    contested: list[str] = []
    tied: list[str] = []
    places: int = 0
    decided_by: str = ""
    order: list[str] = []
    seed: int = 0


def cut(event: Event, size: int, seed: int) -> Cut:
    """Choose who plays in a stage of the final: the first of those here, and at the line by the event's rule.

    Nobody is chosen in silence: what the standings leave level is drawn by lots with this seed, or played for.
    """
    inputs = load(event)
    present = [status == Entry.Status.CHECKED_IN for status in inputs.statuses]
    line = compute.line(inputs.rules, inputs.standings(), present, size)

    def named(entries: list[int]) -> list[str]:
        return [inputs.uids[each] for each in entries]

    places = size - len([each for each in line.through if each not in line.contested])
    if not line.tied:
        codes = {TieRule.TIEBREAKS: "tie-breaks", TieRule.PLAYOFF: "play-off", TieRule.LOTS: "lots"}
        decided_by = codes[TieRule(event.tie_rule)] if line.contested else ""
        return Cut(named(line.through), named(line.contested), places=places, decided_by=decided_by)
    tied = named(line.tied)
    if event.tie_rule == TieRule.PLAYOFF:
        return Cut([], named(line.contested), tied, line.places, "play-off")
    drawn = random.Random(seed).sample(sorted(tied), len(tied))  # to be drawn again by anybody
    entries = [*named(line.through), *drawn[: line.places]]
    return Cut(entries, named(line.contested), tied, line.places, "lots", drawn, seed)


def _lots(event: Event, uids: list[str]) -> Ints:
    """Return the order of the last lots that each entry drew at a line; 0 for none."""
    lots = np.zeros(len(uids), dtype=np.int64)
    index = {uid: number for number, uid in enumerate(uids)}
    rounds = Round.objects.filter(event=event, stage__gt=0).exclude(status__in=UNSEEN)
    for drawn in rounds.order_by("number").values_list("cut__order", flat=True):
        for place, uid in enumerate(drawn or (), 1):
            if uid in index:
                lots[index[uid]] = place
    return lots


def finalists(event: Event) -> list[str]:
    """Return the ids of the entries that are through to the first stage of the final, and level at its line."""
    found = cut(event, event.cuts[0] if event.cuts else 0, seed=0) if event.cuts else Cut([])
    return found.entries or [*found.contested]


def _present(inputs: Inputs, entries: list[int]) -> list[str]:
    return [inputs.uids[each] for each in entries if inputs.statuses[each] == Entry.Status.CHECKED_IN]
