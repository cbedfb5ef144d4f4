"""An event as one file: out with everything that was played, and in again, judged anew.

A file names everything by the ids it has here. Where an id is free it is kept, so that a file taken into an empty
service gives the same event; where somebody else has it, another takes its place throughout the file.
"""

from __future__ import annotations

import copy
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.costly import FILE, bounded
from core.ids import new_id
from core.names import NameInvalidError, clean_name
from core.statements import insert_all, parts
from core.transactions import anew_after
from core.zones import is_in_range
from scoring.errors import FileDiffersError, FileInvalidError, FileOvertakenError
from scoring.models import Placing, Report, Result, Voice
from scoring.services import file_rows
from scoring.services.file_rows import COUNTED, ROUND, Rows
from scoring.services.reports import CLOCKS_DIFFER
from tournaments import games, trust
from tournaments.actors import Actor
from tournaments.errors import GameInvalidError
from tournaments.models import (
    Action,
    Affiliation,
    Club,
    Entry,
    Event,
    GameVersion,
    Origin,
    Penalty,
    Player,
    Role,
    Round,
    Season,
    SitOut,
    Table,
)
from tournaments.selectors import SEATS, public_quality
from tournaments.services.events import compose_event
from tournaments.services.games import take_game, version_here
from tournaments.services.history import record
from tournaments.services.locks import lock_club
from tournaments.services.permissions import require_role
from tournaments.services.seasons import build_season, create_season

FORMAT, CLUB_FORMAT = "ludoscore.event/1", "ludoscore.club/1"
PLANNED = {("event", name) for name in ("starts_at", "ends_at", "sign_up_closes_at")}  # what may be still to come
IMPORTED = "event-imported"  # the action of taking a file in, which is of the service and not of the event
MOST_ENTRIES, MOST_ROUNDS, MOST_TABLES, MOST_REPORTS = 2_000, 2_000, 500, 50

# The settings of an event under the names they have in a file.
SETTINGS = {
    "name": "name",
    "game": "game",
    "variant": "variant",
    "format": "format",
    "rounds": "rounds_planned",
    "points": "points",
    "podium_points": "podium_points",
    "tiebreaks": "tiebreaks",
    "confirmation": "confirmation",
    "rated": "rated",
    "public": "is_public",
    "cut_to": "cut_to",
    "advance": "advance",
    "tables_counted": "tables_counted",
    "tables_least": "tables_least",
    "round_minutes": "round_minutes",
    "joining": "joining",
    "most_entries": "most_entries",
    "starts_at": "starts_at",
    "ends_at": "ends_at",
    "schedule": "schedule",
    "table_labels": "table_labels",
    "sign_up_ahead": "sign_up_ahead",
    "sign_up_closes_at": "sign_up_closes_at",
    "check_in": "check_in",
    "stages": "stages",
    "tie_rule": "tie_rule",
    "standings_shown": "standings_shown",
    "standings_number": "standings_number",
    "prizes": "prizes",
}
SIZES = ("min", "max", "preferred")

# What the service notes down for itself, and reads as it stands: the kinds of its values, and which of them are read.
CUT = {"entries": list, "contested": list, "tied": list, "order": list, "places": int, "seed": int, "decided_by": str}
OF_A_LINE = ("order", "places", "seed", "decided_by")  # of a cut at which somebody was level
OF_A_COST = ("repeats", "repeats_bound", "spread")
FLAG = {"code": str, "path": list, "seat": str, "score": int, "share": (int, float)}
OF_A_RARE_SCORE = ("seat", "score")
FACTS = {"entry": (str, NoneType), "name": str, "claims": str, "by": str, "generation": int}
MOST_NOTED = 2**53
SEASON = ("name", "best_of", "starts_on", "ends_on", "tiebreaks")


# --- Out ----------------------------------------------------------------------------------------------------------


def event_file(event: Event, *, is_whole: bool) -> dict[str, Any]:
    """Return an event as a file; for those outside of the club with what they may know: the results that count."""
    entries = list(event.entries.select_related("player__merged_into", "claims__merged_into").order_by("pk"))
    people = {each.uid: each for entry in entries for each in (entry.player, entry.claims) if each is not None}
    # Whoever has two records here is one person in the file.
    kept = {uid: each.merged_into for uid, each in people.items() if each.merged_into is not None}
    people = {each.uid: each for each in (kept.get(uid, player) for uid, player in people.items())}
    file: dict[str, Any] = _renamed(_as_stored(event, entries, is_whole=is_whole), {u: k.uid for u, k in kept.items()})
    file["people"] = [{"id": each.uid, "name": each.name} for each in people.values()]
    return file


def _as_stored(event: Event, entries: list[Entry], *, is_whole: bool) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "event": {
            "id": event.uid,
            "status": event.status,
            "table_size": {name: getattr(event, f"table_{name}") for name in SIZES},
            "season": event.season.name if event.season else None,
            "created_at": event.created_at,
            **{name: getattr(event, column) for name, column in SETTINGS.items()},
            "schedule": event.schedule if is_whole else [],  # the plan is for the club, as `plan_of` is
            "game": event.game_slug,
            "game_version": event.game_version,
        },
        "definitions": [_definition(event.definition)] if event.definition else [],
        "people": [],
        "entries": [_entry(entry) for entry in entries],
        "rounds": [_round(each, is_whole=is_whole) for each in _rounds(event, is_whole=is_whole)],
        "penalties": [_penalty(each, is_whole=is_whole) for each in _penalties(event)],
        "history": [_action(each) for each in _history(event)] if is_whole else [],
    }


def _definition(version: GameVersion) -> dict[str, Any]:
    return {"id": version.game.uid, "version": version.number, "definition": version.definition}


def _rounds(event: Event, *, is_whole: bool) -> Iterable[Round]:
    """Return the rounds with all they hold; one that is not published is known to the club alone.

    So is one that is cancelled: it may never have been published.
    """
    withheld = [] if is_whole else [Round.Status.DRAFT, Round.Status.CANCELLED]
    voices = Prefetch("voices", Voice.objects.select_related("entry"))
    reports = Report.objects.order_by("version").select_related("entry").prefetch_related(voices)
    tables = Table.objects.order_by("number").select_related("result")
    tables = tables.prefetch_related(SEATS, Prefetch("reports", reports))
    sit_outs = SitOut.objects.order_by("pk").select_related("entry")
    return (
        event.rounds.exclude(status__in=withheld)
        .order_by("pk")
        .prefetch_related(Prefetch("tables", tables), Prefetch("sit_outs", sit_outs))
    )


def _history(event: Event) -> Iterable[Action]:
    return event.actions.exclude(verb=IMPORTED).select_related("table").order_by("pk")


def _penalties(event: Event) -> Iterable[Penalty]:
    return event.penalties.select_related("entry").order_by("pk")


def _penalty(penalty: Penalty, *, is_whole: bool) -> dict[str, Any]:
    """Return a penalty; why it was given is for the club and the player to know."""
    return {
        "id": penalty.uid,
        "entry": penalty.entry.uid,
        "points": str(penalty.points),
        "round": penalty.round,
        "reason": penalty.reason if is_whole else "",
        "created_at": penalty.created_at,
        "taken_back_at": penalty.taken_back_at,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.uid,
        "player": entry.player.uid,
        "name": entry.name,
        "status": entry.status,
        "verified": entry.is_verified,
        "claims": entry.claims and entry.claims.uid,
        "first_round": entry.first_round,
        "fixed_table": entry.fixed_table,
        "waiting_since": entry.waiting_since,
        "joined_at": entry.created_at,
    }


def _round(each: Round, *, is_whole: bool) -> dict[str, Any]:
    return {
        **{name: getattr(each, name) for name in ROUND},
        "quality": each.quality if is_whole else public_quality(each.quality),
        "seated_at": each.created_at,
        "tables": [_table(table, is_whole=is_whole) for table in each.tables.all()],
        "sitting_out": [entry.uid for entry in each.sitting_out],
    }


def _table(table: Table, *, is_whole: bool) -> dict[str, Any]:
    result = getattr(table, "result", None)
    reports = [each for each in table.reports.all() if is_whole or each.status == Report.Status.FINAL]
    return {
        "id": table.uid,
        "number": table.number,
        "status": table.status,
        "variant": table.variant,
        "label": table.label,
        "room": table.room,
        "extra_minutes": table.extra_minutes,
        "seats": [seat.entry.uid for seat in table.seats.all()],
        "final_at": result.first_final_at if result and result.is_counted else None,
        "reports": [_report(each, is_whole=is_whole) for each in reports],
    }


def _report(report: Report, *, is_whole: bool) -> dict[str, Any]:
    return {
        "id": report.uid,
        "version": report.version,
        "status": report.status,
        "sheet": report.sheet,
        "standings": report.standings,
        "forfeits": report.forfeits,
        "played_at": report.played_at,
        "created_at": report.created_at,
        "entry": report.entry.uid if report.entry and is_whole else None,
        "author": report.author if is_whole else "",
        "reason": report.reason if is_whole else "",
        "flags": report.flags if is_whole else [],
        "voices": [_voice(each) for each in report.voices.all()] if is_whole else [],
    }


def _voice(voice: Voice) -> dict[str, Any]:
    return {"entry": voice.entry.uid, "says": voice.says, "reason": voice.reason, "at": voice.at}


def _action(action: Action) -> dict[str, Any]:
    return {
        "verb": action.verb,
        "actor": action.actor,
        "reason": action.reason,
        "facts": action.facts,
        "table": action.table.uid if action.table else None,
        "at": action.at,
    }


# --- In -----------------------------------------------------------------------------------------------------------


class TakenGame(NamedTuple):
    """A club's own game in a file, by the name it has there and the name and version it has here."""

    name: str
    taken_as: str
    version: int


@dataclass
class Taken:
    """What became of a file: the event, how much of it was taken, and what was refused, each with its path."""

    event: Event
    is_new: bool
    taken: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    refused: list[dict[str, Any]] = field(default_factory=list)
    games: list[TakenGame] = field(default_factory=list)


def digest_of(file: Mapping[str, Any]) -> str:
    """Return what tells two files apart, however they are written."""
    # Files from before there were such lists have none, and stay the files they were.
    file = {name: value for name, value in file.items() if value or name not in {"definitions", "penalties"}}
    return hashlib.sha256(json.dumps(file, sort_keys=True, default=str).encode()).hexdigest()


@dataclass(frozen=True)
class Here:
    """What a file meets in a club, as far as its rows depend on it: people, ids that are taken, the season."""

    people: dict[str, Player]
    taken: set[str]
    season: Season | None


@dataclass(frozen=True)
class JudgedEvent:
    """A file of an event, with all that is found out without a lock; no `rows` where the club has the event."""

    actor: Actor
    club: Club
    file: Mapping[str, Any]
    digest: str
    games: Sequence[FoundGame] = ()
    here: Here | None = None
    rows: Rows | None = None


def import_event(*, actor: Actor, club: Club, file: Mapping[str, Any]) -> Taken:
    """Take an event from a file into a club, every sheet judged anew; the same file again is the same event.

    Sheets that break a rule are left out, with their table dropped; a file that contradicts itself is refused whole.
    """
    return anew_after(FileOvertakenError, lambda: take_judged(judge_event(actor=actor, club=club, file=file)))


def judge_event(*, actor: Actor, club: Club, file: Mapping[str, Any]) -> JudgedEvent:
    """Check the file of an event, judge its sheets and make its rows, before anything is locked.

    On SQLite everybody who writes waits while one does, so `take_judged` has only what is left: to store the rows.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    digest = digest_of(file)
    if _known_event(club, file, digest) is not None:
        return JudgedEvent(actor, club, file, digest)
    found = _find_games(club, file)
    with_game, version = _with_game(club, file, found)
    _check(with_game, version)
    here = _look(club, file)
    _refuse_merged(file, here.people)
    renamed = _with_free_ids(with_game, here)
    event = _event(actor, club, renamed, version, here.season)
    return JudgedEvent(actor, club, file, digest, found, here, file_rows.make(event, renamed, here.people))


def take_judged(judged: JudgedEvent) -> Taken:
    """Take an event that was judged; raises FileOvertakenError where what it depends on has changed since."""
    try:
        with transaction.atomic():
            return _take(judged)
    except IntegrityError as error:  # somebody took one of the ids at this very moment
        raise FileOvertakenError from error


def _take(judged: JudgedEvent) -> Taken:
    actor, club, file, rows = judged.actor, judged.club, judged.file, judged.rows
    _take_turn(actor, club)
    if (known := _known_event(club, file, judged.digest)) is not None:
        return Taken(known, is_new=False)
    if rows is None or _look(club, file) != judged.here:
        raise FileOvertakenError
    event, taken = rows.event, _take_games(judged, rows.event)
    file_rows.store(rows)
    Origin.objects.create(club=club, uid=file["event"]["id"], event=event, digest=judged.digest)
    record(actor=actor, event=event, verb=IMPORTED, **rows.counts, refused=len(rows.refused))
    return Taken(event, is_new=True, taken=rows.counts, refused=rows.refused, games=taken)


def _take_turn(actor: Actor, club: Club) -> None:
    """Refuse whoever may not do this any more, and let nobody else take a file into the club meanwhile."""
    lock_club(club)
    require_role(actor=actor, club=club, role=Role.ORGANISER)


def _known_event(club: Club, file: Mapping[str, Any], digest: str) -> Event | None:
    uid = file["event"]["id"]
    origin = Origin.objects.filter(club=club, uid=uid, event__isnull=False).select_related("event__club").first()
    if origin is None or origin.event is None:
        return Event.objects.filter(club=club, uid=uid).select_related("club").first()
    if origin.digest != digest:
        detail = _("The club has taken this event from another file. Correct its results here instead.")
        raise FileDiffersError(detail, event=origin.event.uid)
    return origin.event


def _event(
    actor: Actor, club: Club, file: Mapping[str, Any], version: GameVersion | None, season: Season | None
) -> Event:
    """Return the event of a file, whose settings hold together; it is not stored yet."""
    said = file["event"]
    fields = {column: said[name] for name, column in SETTINGS.items()}
    fields |= {f"table_{name}": said["table_size"][name] for name in SIZES}
    fields |= {"definition": version, "game": version.game.key if version else said["game"], "season": season}
    event = compose_event(actor=actor, club=club, fields=fields)
    event.uid, event.status, event.created_at = said["id"], said["status"], said["created_at"]
    return event


# --- What somebody uploads ----------------------------------------------------------------------------------------

Reader = Callable[[bytes], Mapping[str, Any]]
_readers: list[Reader] = []


def read_by(reader: Reader) -> None:
    """Register who reads the bytes of a file: the API, whose schema says what shape a file has."""
    _readers[:] = [reader]


def take_upload(*, actor: Actor, club: Club, body: bytes) -> ClubTaken:
    """Take what somebody uploaded: the file of an event, or of a whole club."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    (reader,) = _readers
    with bounded(FILE):
        file = reader(body)
        if file["format"] == CLUB_FORMAT:
            return import_club(actor=actor, club=club, file=file)
        taken = import_event(actor=actor, club=club, file=file)
        return ClubTaken(taken.games, [taken])


# --- The club's own games -----------------------------------------------------------------------------------------


class FoundGame(NamedTuple):
    """A definition of a file that makes sense, and the version that it is here, stored or not."""

    uid: str
    number: int
    definition: dict[str, Any]
    version: GameVersion

    @property
    def name(self) -> str:
        """What it is called in the file."""
        return f"{games.CUSTOM}{self.definition['slug']}"

    @property
    def rules(self) -> tuple[str, int, Any]:
        """What sheets are judged by."""
        return self.version.game.slug, self.version.number, self.version.definition


def _find_games(club: Club, file: Mapping[str, Any]) -> list[FoundGame]:
    """Return the definitions of a file; one that makes no sense refuses the file."""
    found = []
    for index, each in enumerate(file["definitions"]):
        try:
            definition = games.defined(each["definition"])
        except GameInvalidError as error:
            path = ["definitions", index, "definition"]
            wrong = [{**fault, "path": [*path, *fault["path"]]} for fault in error.errors]
            raise FileInvalidError(error.detail, errors=wrong) from None
        version = version_here(club=club, uid=each["id"], number=each["version"], definition=definition)
        found.append(FoundGame(each["id"], each["version"], definition, version))
    return found


def _take_game(actor: Actor, club: Club, found: FoundGame) -> FoundGame:
    version = take_game(actor=actor, club=club, uid=found.uid, number=found.number, definition=found.definition)
    return found._replace(version=version)


def _as_taken(found: FoundGame) -> TakenGame:
    return TakenGame(found.name, found.version.game.name, found.version.number)


def _take_games(judged: JudgedEvent, event: Event) -> list[TakenGame]:
    """Take the definitions that an event came with, and see that its game is still the one it was judged by."""
    if event.definition is not None and event.definition.pk is not None:
        # This locks the game too, so that nobody removes it meanwhile.
        said = {"game": event.definition.game.name, "game_version": event.definition.number}
        if games.as_stored(judged.club, said)["definition"] != event.definition:
            raise FileOvertakenError
    taken = [_take_game(judged.actor, judged.club, each) for each in judged.games]
    for now, before in zip(taken, judged.games, strict=True):
        if now.rules != before.rules:
            raise FileOvertakenError
        if event.definition is before.version:
            event.game, event.definition = now.version.game.key, now.version
    return [_as_taken(each) for each in taken]


def _with_game(
    club: Club, file: Mapping[str, Any], found: Sequence[FoundGame]
) -> tuple[Mapping[str, Any], GameVersion | None]:
    """Return a file with its game by the name that it has here, on its sheets too, and the version of a club's own."""
    name, number = file["event"]["game"], file["event"].get("game_version")
    mine = next((each for each in found if each.name == name), None)
    if mine is None:
        return file, games.version_named(club, name, number)
    taken_as = mine.version.game.name
    changed: dict[str, Any] = copy.deepcopy(dict(file))
    changed["event"] |= {"game": taken_as, "game_version": mine.version.number}
    for each in changed["rounds"]:
        for report in (report for table in each["tables"] for report in table["reports"]):
            if isinstance(report["sheet"], dict) and report["sheet"].get("game") == name:
                report["sheet"]["game"] = taken_as
    return changed, mine.version


# --- Does the file hold together? ---------------------------------------------------------------------------------


def _check(file: Mapping[str, Any], version: GameVersion | None) -> None:
    game = version.game.key if version else file["event"]["game"]
    faults = _faults(file, Event(game=game, definition=version).engine)
    errors = [{"code": code, "path": list(path), "message": message} for code, path, message in faults]
    if errors:
        raise FileInvalidError(_("The file contradicts itself; `errors` says where."), errors=errors[:50])


def _repeated_in(name: str) -> FileInvalidError:
    twice = {"code": "repeated", "path": [name], "message": _("This is in the file twice.")}
    return FileInvalidError(_("The file contradicts itself; `errors` says where."), errors=[twice])


Fault = tuple[str, tuple[str | int, ...], str]
Moment = tuple[tuple[str | int, ...], dt.datetime]


def _faults(file: Mapping[str, Any], engine: games.Engine | None) -> Iterator[Fault]:
    people = {each["id"] for each in file["people"]}
    entries = {each["id"]: each for each in file["entries"]}
    yield from _repeated(file)
    for index, entry in enumerate(file["entries"]):
        for name in ("player", "claims"):
            if entry[name] is not None and entry[name] not in people:
                yield "unknown-person", ("entries", index, name), _("No person of the file has this id.")
    for path, uid in _named_entries(file):
        if uid not in entries:
            yield "unknown-entry", path, _("No entry of the file has this id.")
    for index, entry in enumerate(file["entries"]):
        if (entry["status"] == Entry.Status.WAITING) != (entry["waiting_since"] is not None):
            yield "status", ("entries", index, "waiting_since"), _("Who waits for a place says since when.")
    for index, each in enumerate(file["people"]):
        try:
            clean_name(each["name"])
        except NameInvalidError as error:
            yield error.code, ("people", index, "name"), error.detail
    for index, each in enumerate(file["penalties"]):
        if each["points"] <= 0 or each["points"] % Penalty.STEP:
            message = _("Use points above 0, in steps of {step}.").format(step=Penalty.STEP)
            yield "penalty-points", ("penalties", index, "points"), message
    yield from _wrong_rounds(file, engine)
    for path in _odd_notes(file):
        yield "form", path, _("This has not the form in which the service writes it.")
    message = _("Choose a day between the years 1900 and 2999.")
    moments = list(_moments(file))
    impossible = [("dates", path, message) for path, moment in moments if not is_in_range(moment)]
    yield from impossible or _wrong_times(file, moments)


def _repeated(file: Mapping[str, Any]) -> Iterator[Fault]:
    """Say which id, name or number is there twice."""
    message = _("This is in the file twice.")
    tables = [table for each in file["rounds"] for table in each["tables"]]
    lists: list[tuple[str, list[Any]]] = [
        ("people", [each["id"] for each in file["people"]]),
        ("entries", [each["id"] for each in file["entries"]]),
        ("event", _ids(file)),
        ("entries", [each["player"] for each in file["entries"]]),
        ("entries", [each["name"].casefold() for each in file["entries"]]),
        ("entries", [each["claims"] for each in file["entries"] if each["claims"]]),
        ("penalties", [each["id"] for each in file["penalties"]]),
        ("rounds", [each["number"] for each in file["rounds"] if each["status"] != Round.Status.CANCELLED]),
        ("rounds", [table["id"] for table in tables]),
        ("rounds", [report["id"] for table in tables for report in table["reports"]]),
    ]
    for table in tables:
        lists.append(("rounds", [report["version"] for report in table["reports"]]))
        lists += [("rounds", [voice["entry"] for voice in each["voices"]]) for each in table["reports"]]
    for each in file["rounds"]:
        seated = [uid for table in each["tables"] for uid in table["seats"]]
        lists += [("rounds", [*seated, *each["sitting_out"]]), ("rounds", [t["number"] for t in each["tables"]])]
    for name, values in lists:
        if len(set(values)) != len(values):
            yield "repeated", (name,), message


def _named_entries(file: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for index, penalty in enumerate(file["penalties"]):
        yield ("penalties", index, "entry"), penalty["entry"]
    for index, prize in enumerate(file["event"]["prizes"]):
        if (uid := prize.get("entry")) is not None:
            yield ("event", "prizes", index, "entry"), uid
    for number, each in enumerate(file["rounds"]):
        for index, uid in enumerate(each["sitting_out"]):
            yield ("rounds", number, "sitting_out", index), uid
        for place, table in enumerate(each["tables"]):
            path = ("rounds", number, "tables", place)
            for index, uid in enumerate(table["seats"]):
                yield (*path, "seats", index), uid
            for index, report in enumerate(table["reports"]):
                if report["entry"] is not None:
                    yield (*path, "reports", index, "entry"), report["entry"]
                for voice in report["voices"]:
                    yield (*path, "reports", index, "voices"), voice["entry"]


def _wrong_rounds(file: Mapping[str, Any], engine: games.Engine | None) -> Iterator[Fault]:
    is_over = file["event"]["status"] in Event.OVER
    is_unplayed = file["event"]["status"] in {Event.Status.DRAFT, Event.Status.REGISTRATION}
    live = [each for each in file["rounds"] if each["status"] != Round.Status.CANCELLED]
    running = [each for each in live if each["status"] in Round.OPEN]
    if is_over and running:
        yield "status", ("event", "status"), _("An event that is over has no open round.")
    if is_unplayed and live:
        yield "status", ("event", "status"), _("An event with rounds is running or over.")
    if file["event"]["status"] == Event.Status.CANCELLED and live:
        # Their tables would count, or could be decided: nothing else looks at the status of the event.
        yield "status", ("event", "status"), _("The rounds of an event that is cancelled are cancelled too.")
    if len([each for each in running if each["kind"] != Round.Kind.OPEN]) > 1:
        yield "status", ("rounds",), _("Only one round is open at a time.")
    if engine is None:
        yield "unknown-game", ("event", "game"), _("The club has no such game. Copy it first.")
        return
    variants = {variant.slug: variant for variant in engine.variants}
    for number, each in enumerate(file["rounds"]):
        for place, table in enumerate(each["tables"]):
            path: tuple[str | int, ...] = ("rounds", number, "tables", place)
            variant = variants.get(table["variant"])
            is_forming = each["kind"] == Round.Kind.OPEN and table["status"] == Table.Status.SEATED
            if variant is None or not (is_forming or len(table["seats"]) in variant.people):
                yield "variant", (*path, "variant"), _("This variant is not played by so many.")
            final = [report for report in table["reports"] if report["status"] == Report.Status.FINAL]
            is_final = table["status"] == Table.Status.FINAL
            if len(final) != int(is_final) or (table["final_at"] is not None) != is_final:
                yield "status", (*path, "status"), _("A table is final where one report and `final_at` say so.")
            if is_final and each["status"] == Round.Status.CANCELLED:
                yield "status", (*path, "status"), _("Nothing counts in a round that is cancelled.")
            if is_final and each["status"] == Round.Status.DRAFT:  # nor in one that nobody has seen
                said = _("Round {number} is {status}.").format(number=each["number"], status=Round.Status.DRAFT.label)
                yield "status", (*path, "status"), said


def _odd_notes(file: Mapping[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """Say where a file has something else than the service notes down: pages and computations read it as it stands."""
    for number, each in enumerate(file["rounds"]):
        cut, numbers = each["cut"], [*each["quality"].values(), *each["points"].values()]
        if not _is_of(cut, CUT, OF_A_LINE if cut.get("contested") else ()):
            yield "rounds", number, "cut"
        if each["quality"] and not each["quality"].keys() >= set(OF_A_COST):
            yield "rounds", number, "quality"
        if any(abs(value) > MOST_NOTED for value in numbers):
            yield "rounds", number
        for place, table in enumerate(each["tables"]):
            for index, report in enumerate(table["reports"]):
                if not all(_is_flag(flag) for flag in report["flags"]):
                    yield "rounds", number, "tables", place, "reports", index, "flags"
    for index, action in enumerate(file["history"]):
        if not _is_of(action["facts"], FACTS):
            yield "history", index, "facts"


def _is_flag(flag: Any) -> bool:
    return isinstance(flag, dict) and _is_of(flag, FLAG, ("code", *(OF_A_RARE_SCORE if "share" in flag else ())))


def _is_of(value: Mapping[str, Any], kinds: Mapping[str, Any], needed: Iterable[str] = ()) -> bool:
    """Say whether a value has what is needed, and each of its members the kind it has here; lists are of texts."""
    return value.keys() >= set(needed) and all(
        isinstance(value[name], kind)
        and (name == "path" or not isinstance(value[name], list) or all(isinstance(each, str) for each in value[name]))
        for name, kind in kinds.items()
        if name in value
    )


def _moments(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Moment]:
    """Return every moment of a file, with where it stands."""
    if isinstance(value, dt.datetime):
        yield path, value
    within = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in within:
        yield from _moments(inner, (*path, name))


def _wrong_times(file: Mapping[str, Any], moments: Iterable[Moment]) -> Iterator[Fault]:
    latest = timezone.now() + CLOCKS_DIFFER
    for path, moment in moments:
        if moment > latest and path not in PLANNED:
            yield "dates", path, _("This time is still to come.")
    earliest = min(file["event"]["starts_at"], file["event"]["created_at"]) - dt.timedelta(days=1)
    for number, each in enumerate(file["rounds"]):
        for place, table in enumerate(each["tables"]):
            # A sheet that names no time was played when it was sent.
            sheets = [time for report in table["reports"] for time in (report["played_at"], report["created_at"])]
            if any(time is not None and time < earliest for time in (table["final_at"], *sheets)):
                yield "played-at", ("rounds", number, "tables", place), _("A time lies before the event.")


# --- Whose ids are they? ------------------------------------------------------------------------------------------


def _people_here(club: Club, file: Mapping[str, Any]) -> dict[str, Player]:
    """Return the people of the file whom the club may enter: its own, also those it took from a file before."""
    uids = [each["id"] for each in file["people"]]
    known = {each.uid: each for each in Player.objects.filter(uid__in=uids).select_related("merged_into", "home")}
    origins = Origin.objects.filter(club=club, uid__in=uids, player__isnull=False)
    taken = {each.uid: each.player for each in origins.select_related("player__merged_into") if each.player}
    # Who was merged into somebody of another club is theirs, and comes in by themselves.
    here = {uid: player for uid, player in (known | taken).items() if trust.is_own(player, club)}
    return {uid: kept for uid, player in here.items() if not (kept := player.merged_into or player).is_anonymous}


def _refuse_merged(file: Mapping[str, Any], people: Mapping[str, Player]) -> None:
    """Refuse a file in which two play who are one person here: somebody joined the records of two others."""
    errors = []
    for name in ("player", "claims"):
        seen: set[Player] = set()
        for index, entry in enumerate(file["entries"]):
            player = people.get(entry[name])
            if player in seen:
                message = _("{name} and another of the file are one person here.").format(name=entry["name"])
                errors.append({"code": "merged-here", "path": ["entries", index, name], "message": message})
            seen |= {player} if player else set()
    if errors:
        detail = _("Two of the file were merged here into one person: part them first; `errors` says whom.")
        raise FileInvalidError(detail, errors=errors[:50])


def _look(club: Club, file: Mapping[str, Any]) -> Here:
    """Return what the file of an event meets in a club."""
    people = _people_here(club, file)
    season = Season.objects.filter(club=club, name=file["event"]["season"] or "").first()
    return Here(people, _taken(_ids(file)) - people.keys() | _strangers(club, file), season)


def _strangers(club: Club, file: Mapping[str, Any]) -> set[str]:
    """Return whom phones said to be, as the history tells, though they are another club's people here."""
    claimed = {each["facts"]["claims"] for each in file["history"] if "claims" in each["facts"]}
    own = Q(home=club, merged_into=None) | Q(merged_into__home=club)
    strangers = Player.objects.exclude(own)
    return {
        uid for part in parts(list(claimed)) for uid in strangers.filter(uid__in=part).values_list("uid", flat=True)
    }


def _with_free_ids(file: Mapping[str, Any], here: Here) -> dict[str, Any]:
    """Return the file with another id wherever one is taken here, and people under the ids the club knows them by."""
    ids = {uid: new_id() for uid in here.taken} | {uid: each.uid for uid, each in here.people.items()}
    renamed: dict[str, Any] = _renamed(file, ids)
    for each, before in zip(renamed["people"], file["people"], strict=True):
        each["origin"] = before["id"]
    return renamed


def _ids(file: Mapping[str, Any]) -> list[str]:
    """Return the ids that a file of an event gives to anything."""
    tables = [table for each in file["rounds"] for table in each["tables"]]
    reports = [report for table in tables for report in table["reports"]]
    named = [file["event"], *file["people"], *file["entries"], *file["penalties"], *tables, *reports]
    return [each["id"] for each in named]


def _taken(uids: Iterable[str]) -> set[str]:
    """Return which ids something here has, whatever it is: an entry with the id of somebody would pass for them."""
    wanted = list(uids)
    models: Sequence[type[Any]] = (Event, Player, Entry, Penalty, Table, Report)
    return {
        uid
        for model in models
        for part in parts(wanted)
        for uid in model.objects.filter(uid__in=part).values_list("uid", flat=True)
    }


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {ids.get(key, key): _renamed(inner, ids) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, ids) for inner in value]
    return ids.get(value, value) if isinstance(value, str) else value


# --- A whole club -------------------------------------------------------------------------------------------------


def club_file(club: Club) -> dict[str, Any]:
    """Return everything of a club as a file: its people, its seasons and its events, oldest first."""
    people = Player.objects.filter(home=club, merged_into=None, anonymised_at=None).order_by("pk")
    return {
        "format": CLUB_FORMAT,
        "club": {"slug": club.slug, "name": club.name},
        "definitions": [_definition(each) for each in _versions(club)],
        "people": [{"id": each.uid, "name": each.name} for each in people],
        "seasons": [
            {name: getattr(each, name) for name in SEASON} for each in Season.objects.filter(club=club).order_by("pk")
        ],
        "events": [event_file(each, is_whole=True) for each in _events(club)],
    }


def _events(club: Club) -> Iterable[Event]:
    related = ("club", "season", "definition__game")
    return Event.objects.filter(club=club).select_related(*related).order_by("starts_at", "pk")


def _versions(club: Club) -> Iterable[GameVersion]:
    return GameVersion.objects.filter(game__club=club).select_related("game").order_by("game__slug", "number")


@dataclass
class ClubTaken:
    """What became of a club's file."""

    games: list[TakenGame]
    events: list[Taken]


def import_club(*, actor: Actor, club: Club, file: Mapping[str, Any]) -> ClubTaken:
    """Take everything from a club's file into a club: seasons by name, people, games, events.

    A file that contradicts itself anywhere is refused whole. Otherwise one thing is taken after the other, so that
    nobody waits for all of them; whatever comes between, the same file again goes on where it ended.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    found = _find_games(club, file)
    _check_club(actor, club, file, found)
    _take_seasons(actor, club, file)
    for part in parts(file["people"]):
        _take_people(actor, club, part)
    taken = [_take_club_game(actor, club, each) for each in found]
    return ClubTaken(taken, [import_event(actor=actor, club=club, file=each) for each in file["events"]])


def _check_club(actor: Actor, club: Club, file: Mapping[str, Any], found: Sequence[FoundGame]) -> None:
    """Refuse a file that contradicts itself, before anything of it is taken."""
    if len({each["id"] for each in file["people"]}) < len(file["people"]):
        raise _repeated_in("people")
    for each in file["seasons"]:
        build_season(Season(club=club), each)
    for each in file["events"]:
        if _known_event(club, each, digest_of(each)) is None:
            with_game, version = _with_game(club, each, [*_find_games(club, each), *found])
            _check(with_game, version)
            _event(actor, club, with_game, version, None)


@transaction.atomic
def _take_seasons(actor: Actor, club: Club, file: Mapping[str, Any]) -> None:
    _take_turn(actor, club)
    names = set(Season.objects.filter(club=club).values_list("name", flat=True))
    for each in file["seasons"]:
        if each["name"] not in names:
            create_season(actor=actor, club=club, fields=each)


@transaction.atomic
def _take_people(actor: Actor, club: Club, people: Sequence[Mapping[str, Any]]) -> None:
    _take_turn(actor, club)
    known = _people_here(club, {"people": people}).keys() | _taken(each["id"] for each in people)
    new = [Player(uid=each["id"], name=each["name"], home=club) for each in people if each["id"] not in known]
    insert_all(new)
    insert_all([Affiliation(club=club, player=player) for player in new])


@transaction.atomic
def _take_club_game(actor: Actor, club: Club, found: FoundGame) -> TakenGame:
    _take_turn(actor, club)
    return _as_taken(_take_game(actor, club, found))


# --- For those who mirror -----------------------------------------------------------------------------------------


def results_since(events: Any, since: dt.datetime | None) -> Generator[dict[str, Any]]:
    """Return each table that counts in events, by the time of its last change, with its places: for those who mirror.

    A table whose result was taken away is told too, without places.
    """
    results = Result.objects.filter(event__in=events).select_related("event__club", "table__round", "report")
    if since is not None:
        results = results.filter(changed_at__gte=since)
    placings = Prefetch("placings", Placing.objects.select_related("entry", "player"))
    places = results.order_by("changed_at", "table_id").prefetch_related(placings)
    for result in places.iterator(chunk_size=200):
        rows = sorted(result.placings.all(), key=lambda placing: (placing.rank, placing.seat_id))
        yield {
            "table": result.table.uid,
            "event": result.event.uid,
            "club": result.event.club.slug,
            "game": result.event.game_slug,
            "round": result.table.round.number,
            "report": result.report.uid,
            "rated": result.is_rated,
            "counted": result.is_counted,
            "played_at": result.played_at,
            "final_at": result.first_final_at,
            "modified_at": result.changed_at,
            "places": [
                {
                    "player": {"id": placing.player.uid, "name": placing.entry.name},
                    "rank": placing.rank,
                    "score": placing.score,
                    "forfeit": placing.is_forfeit,
                }
                for placing in rows
            ],
        }
