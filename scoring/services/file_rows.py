"""The rows that the file of an event becomes: made, and its sheets judged, before anything is locked; then stored.

On SQLite one writer holds up all others, so `make` has everything that costs, and `store` a few statements a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from core import computations
from core.computations import Kind
from core.names import clean_name
from core.statements import insert_all
from scoring import rules
from scoring.errors import FileInvalidError, SheetRefusedError
from scoring.models import Report, Voice
from scoring.services import counting
from scoring.services.counting import Final
from tournaments.models import (
    Action,
    Entry,
    Event,
    Origin,
    Penalty,
    Player,
    Round,
    Seat,
    SitOut,
    Table,
)
from tournaments.services.people import affiliate

# The columns that have the same names in a file.
ROUND = (
    *("number", "kind", "status", "seed", "steps", "quality", "points"),
    *("started_at", "closed_at", "minutes", "extra_minutes"),
    *("stage", "cut", "paused_at", "paused_seconds"),
)
TABLE = ("number", "status", "variant", "label", "room", "extra_minutes")
REPORT = ("version", "status", "sheet", "forfeits", "flags", "author", "reason", "played_at", "created_at")
PENALTY = ("points", "round", "reason", "created_at", "taken_back_at")
ACTION = ("verb", "actor", "reason", "facts", "at")
COUNTED = ("people", "entries", "rounds", "tables", "reports")  # what whoever sent a file is told the numbers of


@dataclass
class Rows:
    """All that is stored of a file. Rows name each other, and get their keys when they are stored, once.

    `people` are by their ids here, new ones among them; `refused` are sheets that break a rule, each with its path.
    """

    event: Event
    people: dict[str, Player]
    origins: list[Origin] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    sit_outs: list[SitOut] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    voices: list[Voice] = field(default_factory=list)
    finals: list[Final] = field(default_factory=list)
    penalties: list[Penalty] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """How much was taken."""
        return {name: len(getattr(self, name)) for name in COUNTED}


def make(event: Event, file: Mapping[str, Any], known: Mapping[str, Player]) -> Rows:
    """Return the rows of a file that holds together, with ids that are free; `known` are people by the ids there.

    Reports that the rules refuse are left out, and the table of one that counted is dropped.
    """
    rows = Rows(event, {player.uid: player for player in known.values()})
    for each in file["people"]:
        if each["id"] not in rows.people:
            player = rows.people[each["id"]] = Player(uid=each["id"], name=clean_name(each["name"]), home=event.club)
            if each["origin"] != player.uid:
                rows.origins.append(Origin(club=event.club, uid=each["origin"], player=player))
    rows.entries = {each["id"]: _entry(rows, each) for each in file["entries"]}
    for number, each in enumerate(file["rounds"]):
        _add_round(rows, each, number)
    rows.penalties = [
        Penalty(uid=each["id"], event=event, entry=rows.entries[each["entry"]], **_columns(each, PENALTY))
        for each in file["penalties"]
    ]
    rows.actions = [
        Action(event=event, table=rows.tables.get(each["table"]), **_columns(each, ACTION)) for each in file["history"]
    ]
    return rows


def _columns(said: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: said[name] for name in names}


def _entry(rows: Rows, said: Mapping[str, Any]) -> Entry:
    return Entry(
        uid=said["id"],
        event=rows.event,
        player=rows.people[said["player"]],
        name=clean_name(said["name"]),
        status=said["status"],
        is_verified=said["verified"],
        claims=rows.people.get(said["claims"]),
        rests_on=[],  # by the club that takes the file
        first_round=said["first_round"],
        fixed_table=said["fixed_table"],
        waiting_since=said["waiting_since"],
        created_at=said["joined_at"],
    )


def _add_round(rows: Rows, said: Mapping[str, Any], number: int) -> None:
    current = Round(event=rows.event, created_at=said["seated_at"], **_columns(said, ROUND))
    rows.rounds.append(current)
    rows.sit_outs += [SitOut(round=current, entry=rows.entries[uid]) for uid in said["sitting_out"]]
    for place, each in enumerate(said["tables"]):
        _add_table(rows, current, each, ("rounds", number, "tables", place))


def _add_table(rows: Rows, current: Round, said: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
    table = rows.tables[said["id"]] = Table(uid=said["id"], round=current, **_columns(said, TABLE))
    seated = enumerate((rows.entries[uid] for uid in said["seats"]), 1)
    seats = [Seat(table=table, round=current, entry=entry, position=position) for position, entry in seated]
    rows.seats += seats
    reports = list(_judged(rows, table, seats, said, path))
    rows.reports += reports
    counting = [Final(each, seats, said["final_at"]) for each in reports if each.status == Report.Status.FINAL]
    rows.finals += counting
    if table.status == Table.Status.FINAL and not counting:
        table.status = Table.Status.DROPPED


def _judged(
    rows: Rows, table: Table, seats: Sequence[Seat], said: Mapping[str, Any], path: tuple[str | int, ...]
) -> Iterator[Report]:
    """Return the reports of a table that hold, with what the rules say of them now; note down those that do not."""
    names = {seat.entry.player.uid: seat.entry.name for seat in seats}
    sitting = rules.Sitting(rows.event, table.round.kind, table.variant, names)
    for index, each in enumerate(said["reports"]):
        entry = rows.entries[each["entry"]] if each["entry"] else None
        report = Report(uid=each["id"], table=table, entry=entry, **_columns(each, REPORT))
        try:
            _judge(report, sitting, each["standings"])
        except (SheetRefusedError, FileInvalidError) as error:
            refusal = {"path": [*path, "reports", index], "code": error.code, "message": error.detail}
            rows.refused.append({**refusal, "errors": list(error.errors)})
            continue
        rows.voices += [
            Voice(report=report, entry=rows.entries[voice["entry"]], **_columns(voice, ("says", "reason", "at")))
            for voice in each["voices"]
        ]
        yield report


def _judge(report: Report, sitting: rules.Sitting, by_hand: list[dict[str, Any]]) -> None:
    """Give a report what the rules say of its sheet; raises where that is not what it claims."""
    if report.sheet is None:
        present = sitting.names.keys() - set(report.forfeits)
        if {row["seat"] for row in by_hand} != present or len(by_hand) != len(present):
            raise FileInvalidError(_("A ranking by hand names every player of the table once."))
        report.standings = by_hand
        return
    verdict = rules.judge_sitting(sitting, report.sheet, report.forfeits)
    report.standings = [row.as_json() for row in verdict.standings or ()]
    report.minimal = rules.minimal(sitting.event, report.sheet)


def store(rows: Rows) -> None:
    """Store all rows of a file, those first that others name, and make its final reports count."""
    insert_all([rows.event], as_given=["created_at"])
    known = [player for player in rows.people.values() if player.pk is not None]
    new = [player for player in rows.people.values() if player.pk is None]
    insert_all(new)
    _store_origins(rows)
    insert_all(list(rows.entries.values()), as_given=["created_at"])
    affiliate(rows.event.club, known, new)
    if new:
        computations.mark(Kind.RATINGS, rows.event.game)  # the only board on which somebody new can stand
    insert_all(rows.rounds, as_given=["created_at"])
    insert_all(rows.sit_outs)
    insert_all(list(rows.tables.values()))
    insert_all(rows.seats)
    insert_all(rows.reports, as_given=["created_at"])
    insert_all(rows.voices, as_given=["at"])
    counting.count_new(rows.event, rows.finals)
    insert_all(rows.penalties, as_given=["created_at"])
    insert_all(rows.actions, as_given=["at"])


def _store_origins(rows: Rows) -> None:
    # Whom the club once took under such an id is somebody else's by now.
    before = Origin.objects.filter(club=rows.event.club, uid__in=[each.uid for each in rows.origins])
    before.filter(player__isnull=False).delete()
    insert_all(rows.origins, is_lenient=True)
