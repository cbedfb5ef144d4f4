"""Seat the next round: read what was played, choose the tables, and ask `tournaments` to open the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.standings import store
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import EventStatusError, RoundStatusError, SeatingInvalidError, TooFewPlayersError
from tournaments.models import Entry, Event, Format, Role, Round
from tournaments.seating import Entrant, SeatedRound, Seating, SizeLimits, assess, plan_rotation, seat_swiss
from tournaments.services import rounds
from tournaments.services.events import bump, lock_event
from tournaments.services.permissions import require_role

ATTEMPTS = 3  # a search takes a second: players who come or go meanwhile make it start again


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a seating is computed from, read at one version of the event."""

    event: Event
    entries: Mapping[str, Entry]
    points: Mapping[str, int]
    past: Sequence[SeatedRound]
    apart: Sequence[tuple[str, str]]

    @property
    def limits(self) -> SizeLimits:
        """How many may sit at a table."""
        return SizeLimits(self.event.table_min, self.event.table_max, self.event.table_preferred)


def seat_next_round(
    *,
    actor: Actor,
    event: Event,
    seed: int,
    only: Sequence[str] | None = None,
    is_final: bool = False,
) -> Round:
    """Seat the event's next round by its format and the standings so far.

    `only` names the entries that play. Where it is None the standings choose for a final and in elimination,
    and else everybody who is checked in plays. The search runs outside of any lock: if the event changed meanwhile,
    it is done again.
    """
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    for _attempt in range(ATTEMPTS):
        snapshot = _read(event, only, is_final=is_final)
        kind = Round.Kind.FINAL if is_final else Round.Kind.NORMAL
        _require_enough(snapshot, kind)
        seating, schedule = _choose(snapshot, seed, is_final=is_final)
        with transaction.atomic():
            current = lock_event(event)
            if current.version != snapshot.event.version:
                continue
            bump(current, schedule=schedule)
            plan = _plan(snapshot, seating, kind)
            return rounds.open_round(actor=actor, event=current, plan=plan)
    raise EventStatusError(_("Players keep coming and going. Try again in a moment."), event_status=event.status)


def _read(event: Event, only: Sequence[str] | None, *, is_final: bool) -> Snapshot:
    event = Event.objects.select_related("club").get(pk=event.pk)
    rounds.require_can_seat(event)
    if event.format == Format.OPEN:
        raise RoundStatusError(_("In open play the players form the tables."), event_format=event.format)
    if only is None:
        only = _who_plays_on(event, is_final=is_final)
    active = {entry.uid: entry for entry in selectors.entries_of(event) if entry.status == Entry.Status.CHECKED_IN}
    if only is not None:
        if missing := [uid for uid in only if uid not in active]:
            raise SeatingInvalidError(_("These are not checked in: {entries}.").format(entries=", ".join(missing)))
        active = {uid: active[uid] for uid in only}
    past = rounds.past_rounds(event, rounds.next_number(event))
    points = store.points_of(event)
    return Snapshot(
        event, active, {uid: points.get(uid, 0) for uid in active}, past, rounds.apart(event, active.values())
    )


def _who_plays_on(event: Event, *, is_final: bool) -> list[str] | None:
    """Return who the standings choose, best first; None for everybody."""
    is_elimination = event.format == Format.ELIMINATION
    if is_final and (event.cut_to is not None or not is_elimination):
        chosen, question = store.finalists(event), _("Say which entries play the final.")
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
    """Return the one table of a final, seated in the order of the entries given."""
    tables = (tuple(snapshot.entries),)
    entrants = [Entrant(uid, points) for uid, points in snapshot.points.items()]
    quality = assess(SeatedRound(tables), entrants, past=snapshot.past, keep_apart=snapshot.apart)
    return Seating(tables, (), quality, seed, steps=0)


def _rotate(snapshot: Snapshot, seed: int) -> tuple[Seating, list[list[list[str]]]]:
    """Return the next round of the schedule and the rounds after it; plan anew when players came or went."""
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
