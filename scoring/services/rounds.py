"""Seat the next round: read what was played, choose the tables, and ask `tournaments` to open the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from core.costly import SEATING, bounded
from core.transactions import anew_after
from scoring.rankings.standings import store
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import EventOvertakenError, RoundStatusError, SeatingInvalidError, TooFewPlayersError
from tournaments.models import Entry, Event, Format, Role, Round, TieRule
from tournaments.seating import (
    Entrant,
    SeatedRound,
    Seating,
    SizeLimits,
    assess,
    place,
    plan_rotation,
    seat_swiss,
    table_sizes,
)
from tournaments.services import rounds
from tournaments.services.events import bump, lock_event
from tournaments.services.permissions import require_role

LARGEST_SEED = 2**31 - 1


class Stage(NamedTuple):
    """A stage of the final, from 1, and who plays in it."""

    number: int
    cut: store.Cut


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a seating is computed from, read at one version of the event."""

    event: Event
    entries: Mapping[str, Entry]
    points: Mapping[str, int]
    past: Sequence[SeatedRound]
    apart: Sequence[tuple[str, str]]
    stage: Stage | None = None

    @property
    def kind(self) -> str:
        """What a round after the cut is: a stage of the final, or a play-off for it."""
        is_playoff = self.stage is not None and not self.stage.cut.entries
        return Round.Kind.PLAYOFF if is_playoff else Round.Kind.FINAL

    @property
    def limits(self) -> SizeLimits:
        """How many may sit at a table."""
        return SizeLimits(self.event.table_min, self.event.table_max, self.event.table_preferred)


@dataclass(frozen=True, slots=True)
class Planned:
    """A round that was seated before anything was locked, and the rounds after it in a rotation."""

    actor: Actor
    event: Event  # as it was read
    plan: rounds.Plan
    schedule: list[list[list[str]]]


def seat_next_round(*, actor: Actor, event: Event, seed: int, **choices: Any) -> Round:
    """Seat and open the event's next round. `choices` are those of `plan_next_round`."""
    return anew_after(
        EventOvertakenError,
        lambda: open_planned(plan_next_round(actor=actor, event=event, seed=seed, **choices)),
    )


def plan_next_round(
    *,
    actor: Actor,
    event: Event,
    seed: int,
    only: Sequence[str] | None = None,
    is_final: bool = False,
    is_draft: bool = False,
) -> Planned:
    """Seat the event's next round by its format and the standings so far.

    `only` names the entries that play. Where it is None the standings choose for a final and in elimination,
    and else everybody who is checked in plays. A draft is for the club alone until it is published. The search takes
    a second, so it is to run outside of any transaction: on SQLite everybody who writes waits while one does.
    """
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    snapshot = _read(event, only, seed, is_final=is_final)
    kind = snapshot.kind if is_final else Round.Kind.NORMAL
    _require_enough(snapshot, kind)
    with bounded(SEATING):
        seating, schedule = _choose(snapshot, seed, is_final=is_final)
        numbers, seating = _placed(snapshot, seating)
    plan = replace(_plan(snapshot, seating, kind), numbers=numbers, is_draft=is_draft)
    if snapshot.stage is not None:
        plan = replace(plan, stage=snapshot.stage.number, cut=snapshot.stage.cut._asdict())
    return Planned(actor, snapshot.event, plan, schedule)


@transaction.atomic
def open_planned(planned: Planned) -> Round:
    """Open a round that was seated; raises EventOvertakenError where the event has changed since."""
    require_role(actor=planned.actor, club=planned.event.club, role=Role.ORGANISER)  # they may have lost it since
    current = lock_event(planned.event)
    if current.version != planned.event.version:
        raise EventOvertakenError(
            _("Players keep coming and going. Try again in a moment."), event_status=current.status
        )
    bump(current, schedule=planned.schedule)
    return rounds.open_round(actor=planned.actor, event=current, plan=planned.plan)


def _read(event: Event, only: Sequence[str] | None, seed: int, *, is_final: bool) -> Snapshot:
    event = Event.objects.select_related("club").get(pk=event.pk)
    rounds.require_can_seat(event)
    if event.format == Format.OPEN:
        raise RoundStatusError(_("In open play the players form the tables themselves."), event_format=event.format)
    stage = _stage(event, only, seed) if is_final and event.cuts else None
    if stage is not None:
        only = stage.cut.entries or stage.cut.tied
    elif only is None:
        only = _who_plays_on(event, is_final=is_final)
    active = {entry.uid: entry for entry in selectors.entries_of(event) if entry.status == Entry.Status.CHECKED_IN}
    if only is not None:
        if missing := [uid for uid in only if uid not in active]:
            raise SeatingInvalidError(_("These are not checked in: {entries}.").format(entries=", ".join(missing)))
        active = {uid: active[uid] for uid in only}
    past = rounds.past_rounds(event, rounds.next_number(event))
    points = store.points_of(event)
    kept_apart = rounds.apart(event, active.values())
    return Snapshot(event, active, {uid: points.get(uid, 0) for uid in active}, past, kept_apart, stage)


def _stage(event: Event, only: Sequence[str] | None, seed: int) -> Stage:
    """Return the next stage of the final with who plays in it: by the standings, or as the organiser says."""
    played = selectors.rounds_of(event).filter(kind=Round.Kind.FINAL).prefetch_related(None).count()
    index = min(played, len(event.cuts) - 1)
    if only is not None:
        return Stage(index + 1, store.Cut(list(only), decided_by="organiser"))
    found = store.cut(event, event.cuts[index], seed)
    least, _most = rounds.limits_of(event, Round.Kind.PLAYOFF)
    if not found.entries and found.tied and len(found.tied) < least:
        # Too few for a table of this game: lots, which are shown.
        lots = store.cut(_with_rule(event, TieRule.LOTS), event.cuts[index], seed)
        return Stage(index + 1, lots)
    if not found.entries and not found.tied:
        raise SeatingInvalidError(_("Say which entries play the final."))
    return Stage(index + 1, found)


def _with_rule(event: Event, rule: str) -> Event:
    changed = copy(event)
    changed.tie_rule = rule
    return changed


def _who_plays_on(event: Event, *, is_final: bool) -> list[str] | None:
    """Return who the standings choose, best first; None for everybody."""
    is_elimination = event.format == Format.ELIMINATION
    if is_final and not is_elimination:
        chosen, question = [], _("Say which entries play the final.")
    elif is_elimination and rounds.next_number(event) > 1:
        chosen, question = store.advancing(event), _("Say which entries advance.")
    else:
        return None
    if not chosen:
        raise SeatingInvalidError(question)
    return chosen


def _require_enough(snapshot: Snapshot, kind: str) -> None:
    players = len(snapshot.entries)
    least, _most = rounds.limits_of(snapshot.event, kind)
    if players < least:
        detail = _("There are {players} players; the smallest table seats {least}.")
        raise TooFewPlayersError(detail.format(players=players, least=least), players=players, least=least)


def _choose(snapshot: Snapshot, seed: int, *, is_final: bool) -> tuple[Seating, list[list[list[str]]]]:
    """Return the seating, and in a rotation the rounds after it."""
    if is_final:
        return _final(snapshot, seed), snapshot.event.schedule
    if snapshot.event.format == Format.ROTATION:
        return _rotate(snapshot, seed)
    entrants = [Entrant(uid, points) for uid, points in snapshot.points.items()]
    remaining = snapshot.event.rounds_planned - len(snapshot.past)
    return seat_swiss(
        entrants,
        snapshot.limits,
        past=snapshot.past,
        keep_apart=snapshot.apart,
        seed=seed,
        rounds_left=max(1, remaining),
    ), []


def _final(snapshot: Snapshot, seed: int) -> Seating:
    """Return the tables of a stage of the final: one in the order of the entries given, several dealt out in turns.

    The best of each start apart: 1, 4, 5, 8 at one of two tables, 2, 3, 6, 7 at the other.
    """
    players = list(snapshot.entries)
    low, high = rounds.limits_of(snapshot.event, Round.Kind.FINAL)
    tables: tuple[tuple[str, ...], ...] = (tuple(players),)
    if len(players) > high:
        preferred = min(max(snapshot.event.table_preferred, low), high)
        sizes = table_sizes(len(players), SizeLimits(max(low, 2), high, preferred))
        tables = _dealt(players, sizes)
    entrants = [Entrant(uid, points) for uid, points in snapshot.points.items()]
    quality = assess(SeatedRound(tables), entrants, past=snapshot.past, keep_apart=snapshot.apart)
    return Seating(tables, (), quality, seed, steps=0)


def _dealt(players: Sequence[str], sizes: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Deal players out to tables in turns, there and back again; full ones are passed over."""
    tables: list[list[str]] = [[] for _ in sizes]
    turn = [*range(len(sizes)), *reversed(range(len(sizes)))]
    left, step = list(players), 0
    while left and any(len(table) < size for table, size in zip(tables, sizes, strict=True)):
        here = turn[step % len(turn)]
        if len(tables[here]) < sizes[here]:
            tables[here].append(left.pop(0))
        step += 1
    return tuple(tuple(table) for table in tables)


def _rotate(snapshot: Snapshot, seed: int) -> tuple[Seating, list[list[list[str]]]]:
    """Return the next round of the schedule and the rounds after it; plan again when players came or went."""
    planned = [SeatedRound(tuple(map(tuple, tables))) for tables in snapshot.event.schedule]
    seats = {uid for tables in planned[:1] for table in tables.tables for uid in table}
    steps = 0
    if seats != set(snapshot.entries) or snapshot.apart:
        remaining = max(1, snapshot.event.rounds_planned - len(snapshot.past))
        schedule = plan_rotation(
            snapshot.entries,
            remaining,
            snapshot.limits,
            past=snapshot.past,
            planned=planned,
            keep_apart=snapshot.apart,
            seed=seed,
        )
        planned, steps = list(schedule.rounds), schedule.steps
    first, *later = planned
    entrants = [Entrant(uid, points) for uid, points in snapshot.points.items()]
    quality = assess(first, entrants, past=snapshot.past, keep_apart=snapshot.apart)
    to_come = [[list(table) for table in each.tables] for each in later]
    return Seating(first.tables, first.sitting_out, quality, seed, steps), to_come


def _placed(snapshot: Snapshot, seating: Seating) -> tuple[list[int], Seating]:
    """Return the numbers of the tables and the seating in that order: who always sits at one table sits there."""
    fixed = {uid: entry.fixed_table for uid, entry in snapshot.entries.items() if entry.fixed_table is not None}
    if not fixed:
        return list(range(1, len(seating.tables) + 1)), seating
    numbered = place(seating.tables, fixed, snapshot.points)
    tables = tuple(table for _number, table in numbered)
    entrants = [Entrant(uid, points) for uid, points in snapshot.points.items()]
    quality = assess(SeatedRound(tables), entrants, past=snapshot.past, keep_apart=snapshot.apart)
    return [number for number, _table in numbered], replace(seating, tables=tables, quality=quality)


def _plan(snapshot: Snapshot, seating: Seating, kind: str) -> rounds.Plan:
    return rounds.Plan(
        tables=[[snapshot.entries[uid] for uid in table] for table in seating.tables],
        sitting_out=[snapshot.entries[uid] for uid in seating.sitting_out],
        seed=seating.seed,
        steps=seating.steps,
        quality=asdict(seating.quality),
        points={uid: points for uid, points in snapshot.points.items() if points},
        kind=kind,
    )
