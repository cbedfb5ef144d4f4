"""An evening in progress: the second round is over its time, and not all is well."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from demo.director import Stage, people_at, phone, report, tables_of
from engines import GAMES
from scoring import rules
from scoring.services import drafts, reports
from tournaments.models import Club, Entry, Event, Format, Player, Table
from tournaments.services.tables import nudge

GAME = "dix"
MINUTES = 30
BEGINNER = 10.0  # half of the moves at random
TRIES = 6  # games of a beginner, most of which end with a score that is hardly ever seen


@dataclass(frozen=True, slots=True)
class Tonight:
    """The event, and phones worth looking at, each with what it shows."""

    event: Event
    phones: Sequence[tuple[str, Entry]]


def play_tonight(stage: Stage, *, club: Club, players: Iterable[Player], **fields: Any) -> Tonight:
    """Play a round, and a second one up to a dispute, a flag, a sheet nobody confirmed and a late table."""
    event = stage.announce(
        club=club,
        starts_at=stage.clock.real - dt.timedelta(minutes=80),
        players=players,
        fields={
            "name": "DIX tonight",
            "game": GAME,
            "format": Format.SWISS,
            "rounds_planned": 4,
            "round_minutes": MINUTES,
            "cut_to": 4,
            **fields,
        },
    )
    stage.play_round(event)
    stage.clock.set(stage.clock.real - dt.timedelta(minutes=MINUTES + 8))
    seated = tables_of(stage.start_round(event))
    stage.clock.wait(MINUTES - 8)
    disputed, flagged, waiting, late, *quiet = seated
    _dispute(stage, disputed)
    _flag(stage, flagged)
    _wait(stage, waiting)
    _be_late(stage, late)
    for table, sheet in zip(quiet, stage.play(map(people_at, quiet)), strict=True):
        report(table, sheet, people_at(table))
    event.refresh_from_db()
    phones = [
        ("has a sheet to confirm", people_at(waiting)[1]),
        ("sees two sheets that differ", people_at(disputed)[0]),
        ("has begun the sheet of the late table", people_at(late)[0]),
    ]
    return Tonight(event, phones)


def _dispute(stage: Stage, table: Table) -> None:
    """Have two seats send sheets that differ in one run."""
    first, second, *_others = people_at(table)
    (sheet,) = stage.play([people_at(table)])
    reports.submit_report(actor=phone(first), table=table, sheet=sheet)
    stage.clock.wait(2)
    reports.submit_report(actor=phone(second), table=table, sheet=_misread(sheet, second.player.uid))


def _misread(sheet: dict[str, Any], player: str) -> dict[str, Any]:
    """Return the sheet as remembered by somebody who forgot the first card of a run, without the cards to prove it."""
    counted = {name: sheet["hands"][player][name] for name in ("coins", "consolation", "card_count")}
    runs = dict(sheet["hands"][player]["runs"])
    colour, run = next((colour, run) for colour, run in runs.items() if "-" in run)
    runs[colour] = f"{int(run[0]) + 1}-{run[-1]}"
    return {**sheet, "hands": {**sheet["hands"], player: {"runs": runs, **counted}}}


def _flag(stage: Stage, table: Table) -> None:
    """Have a beginner end with a score so low that somebody should look at the sheet."""
    group = people_at(table)
    sitting = replace(stage.sitting(group), weakness=[0.0] * (len(group) - 1) + [BEGINNER])
    sheets = list(stage.hall.play(replace(sitting, seed=stage.new_seed()) for _ in range(TRIES)))
    odd = [sheet for sheet in sheets if rules.flags(sheet, GAMES[GAME].check(sheet))]
    report(table, odd[0] if odd else sheets[0], group)


def _wait(stage: Stage, table: Table) -> None:
    """Have a sheet wait for another seat."""
    (sheet,) = stage.play([people_at(table)])
    reports.submit_report(actor=phone(people_at(table)[0]), table=table, sheet=sheet)


def _be_late(stage: Stage, table: Table) -> None:
    """Leave a table with a sheet that is only begun, and ask it for its result."""
    first = people_at(table)[0]
    (sheet,) = stage.play([people_at(table)])
    begun = GAMES[GAME].minimal(sheet)
    begun["hands"] = {first.player.uid: begun["hands"][first.player.uid]}
    drafts.save_draft(actor=phone(first), table=table, sheet=begun, version=0)
    nudge(actor=stage.organiser, table=table)
