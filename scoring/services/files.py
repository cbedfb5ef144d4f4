"""An event as one file: out with everything that was played, and in again, judged anew.

A file names everything by the ids it has here. Where an id is free it is kept, so that a file taken into an empty
service gives the same event; where somebody else has it, another takes its place throughout the file.
"""

from __future__ import annotations

import copy
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from core import computations
from core.computations import Kind, Since
from core.costly import FILE, bounded
from core.errors import ConflictError, RuleBrokenError
from core.ids import new_id
from core.names import NameInvalidError, clean_name
from core.zones import is_in_range
from scoring import rules
from scoring.errors import SheetRefusedError
from scoring.models import Report, Result, Voice
from scoring.services import counting
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
    Seat,
    SitOut,
    Table,
)
from tournaments.models.games import engine_of_version
from tournaments.selectors import SEATS
from tournaments.services.events import build_event, mark_standings
from tournaments.services.games import take_game
from tournaments.services.history import allow_rewriting, record
from tournaments.services.people import mark_boards
from tournaments.services.permissions import require_role
from tournaments.services.seasons import create_season

FORMAT, CLUB_FORMAT = "ludoscore.event/1", "ludoscore.club/1"
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
ROUND = (
    *("number", "kind", "status", "seed", "steps", "quality", "points"),
    *("started_at", "closed_at", "minutes", "extra_minutes"),
    *("stage", "cut", "paused_at", "paused_seconds"),
)
COUNTED = ("people", "entries", "rounds", "tables", "reports")

# What the service notes down for itself, and reads as it stands: the kinds of its values, and which of them are read.
CUT = {"entries": list, "contested": list, "tied": list, "order": list, "places": int, "seed": int, "decided_by": str}
OF_A_LINE = ("order", "places", "seed", "decided_by")  # of a cut at which somebody was level
OF_A_COST = ("repeats", "repeats_bound", "spread")
FLAG = {"code": str, "path": list, "seat": str, "score": int, "share": (int, float)}
OF_A_RARE_SCORE = ("seat", "score")
FACTS = {"entry": (str, NoneType), "name": str, "generation": int}
MOST_NOTED = 2**53
SEASON = ("name", "best_of", "starts_on", "ends_on", "tiebreaks")


class FileInvalidError(RuleBrokenError):
    """A file contradicts itself; nothing of it was taken."""

    code = "file-invalid"


class FileDiffersError(ConflictError):
    """The club has this event already, and this file says something else of it."""

    code = "file-differs"


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
    """Return the rounds with all they hold; one that is not published is known to the club alone."""
    drafts = [] if is_whole else [Round.Status.DRAFT]
    reports = Report.objects.order_by("version").select_related("entry").prefetch_related("voices__entry")
    tables = Table.objects.order_by("number").select_related("result")
    tables = tables.prefetch_related(SEATS, Prefetch("reports", reports))
    sit_outs = SitOut.objects.order_by("pk").select_related("entry")
    return (
        event.rounds.exclude(status__in=drafts)
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


@transaction.atomic
def import_event(*, actor: Actor, club: Club, file: Mapping[str, Any]) -> Taken:
    """Take an event from a file into a club, every sheet judged anew; the same file again is the same event.

    Sheets that break a rule are left out, with their table dropped; a file that contradicts itself is refused whole.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    Club.objects.select_for_update().get(pk=club.pk)  # the same file twice at once is taken once
    if (known := _known_event(club, file)) is not None:
        return Taken(known, is_new=False)
    with _engines_forgotten_on_failure():
        return _take(actor, club, file)


def _take(actor: Actor, club: Club, file: Mapping[str, Any]) -> Taken:
    origin, digest = file["event"]["id"], digest_of(file)
    taken = _take_games(actor, club, file)
    file = _with_games(file, taken)
    _check(club, file)
    people = _people_here(club, file)
    _refuse_merged(file, people)
    renamed = _free_ids(file, people)
    event = _store_event(actor, club, renamed)
    done = Taken(event, is_new=True, games=taken)
    entries = _store_entries(event, renamed, done)
    _store_rounds(event, renamed, entries, done)
    _store_penalties(event, renamed, entries)
    _store_history(event, renamed)
    Origin.objects.create(club=club, uid=origin, event=event, digest=digest)
    record(actor=actor, event=event, verb=IMPORTED, **done.taken, refused=len(done.refused))
    mark_standings(event)
    return done


def _known_event(club: Club, file: Mapping[str, Any]) -> Event | None:
    uid = file["event"]["id"]
    origin = Origin.objects.filter(club=club, uid=uid, event__isnull=False).select_related("event__club").first()
    if origin is None or origin.event is None:
        return Event.objects.filter(club=club, uid=uid).select_related("club").first()
    if origin.digest != digest_of(file):
        detail = _("The club has taken this event from another file. Correct its results here instead.")
        raise FileDiffersError(detail, event=origin.event.uid)
    return origin.event


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


@contextmanager
def _engines_forgotten_on_failure() -> Iterator[None]:
    """Forget engines that were made from definitions that are not stored after all; their keys come again."""
    try:
        yield
    except Exception:
        engine_of_version.cache_clear()
        raise


def _take_games(actor: Actor, club: Club, file: Mapping[str, Any]) -> list[TakenGame]:
    """Take the definitions of a file, judged like any other; one that makes no sense refuses the file."""
    found = []
    for index, each in enumerate(file["definitions"]):
        try:
            version = take_game(
                actor=actor, club=club, uid=each["id"], number=each["version"], definition=each["definition"]
            )
        except GameInvalidError as error:
            path = ["definitions", index, "definition"]
            wrong = [{**fault, "path": [*path, *fault["path"]]} for fault in error.errors]
            raise FileInvalidError(error.detail, errors=wrong) from None
        found.append(TakenGame(f"{games.CUSTOM}{each['definition']['slug']}", version.game.name, version.number))
    return found


def _with_games(file: Mapping[str, Any], taken: Sequence[TakenGame]) -> Mapping[str, Any]:
    """Return a file of an event with its game by the name and version that it has here, on its sheets too."""
    mine = next((each for each in taken if each.name == file["event"]["game"]), None)
    if mine is None:
        return file
    changed: dict[str, Any] = copy.deepcopy(dict(file))
    changed["event"] |= {"game": mine.taken_as, "game_version": mine.version}
    for each in changed["rounds"]:
        for report in (report for table in each["tables"] for report in table["reports"]):
            if isinstance(report["sheet"], dict) and report["sheet"].get("game") == mine.name:
                report["sheet"]["game"] = mine.taken_as
    return changed


# --- Does the file hold together? ---------------------------------------------------------------------------------


def _check(club: Club, file: Mapping[str, Any]) -> None:
    errors = [{"code": code, "path": list(path), "message": message} for code, path, message in _faults(club, file)]
    if errors:
        raise FileInvalidError(_("The file contradicts itself; `errors` says where."), errors=errors[:50])


Fault = tuple[str, tuple[str | int, ...], str]


def _faults(club: Club, file: Mapping[str, Any]) -> Iterator[Fault]:
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
    yield from _wrong_rounds(club, file)
    for path in _odd_notes(file):
        yield "form", path, _("This has not the form in which the service writes it.")
    impossible = [("dates", path, _("Choose a day between the years 1900 and 2999.")) for path in _odd_times(file)]
    yield from impossible or _wrong_times(file)


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


def _wrong_rounds(club: Club, file: Mapping[str, Any]) -> Iterator[Fault]:
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
    engine = games.engine_named(club, file["event"]["game"], file["event"].get("game_version"))
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


def _odd_times(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Say where a file has moments that not every zone can show."""
    if isinstance(value, dt.datetime) and not is_in_range(value):
        yield path
    within = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in within:
        yield from _odd_times(inner, (*path, name))


def _wrong_times(file: Mapping[str, Any]) -> Iterator[Fault]:
    now, start = timezone.now() + dt.timedelta(minutes=5), file["event"]["starts_at"]
    earliest = min(start, file["event"]["created_at"]) - dt.timedelta(days=1)
    for number, each in enumerate(file["rounds"]):
        for place, table in enumerate(each["tables"]):
            times = [table["final_at"], *(report["played_at"] for report in table["reports"])]
            if any(time is not None and not earliest <= time <= now for time in times):
                message = _("A time lies before the event or is still to come.")
                yield "played-at", ("rounds", number, "tables", place), message


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
    seen: set[Player] = set()
    errors = []
    for index, entry in enumerate(file["entries"]):
        player = people.get(entry["player"])
        if player in seen:
            message = _("{name} and another of the file are one person here.").format(name=entry["name"])
            errors.append({"code": "merged-here", "path": ["entries", index, "player"], "message": message})
        seen |= {player} if player else set()
    if errors:
        detail = _("Two of the file were merged here into one person: part them first; `errors` says whom.")
        raise FileInvalidError(detail, errors=errors[:50])


def _free_ids(file: Mapping[str, Any], people: Mapping[str, Player]) -> dict[str, Any]:
    """Return the file with another id wherever one is taken here, and people under the ids the club knows them by."""
    taken = _taken(_ids(file)) - people.keys()
    ids = {uid: new_id() for uid in taken} | {uid: each.uid for uid, each in people.items()}
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
    return {uid for model in models for uid in model.objects.filter(uid__in=wanted).values_list("uid", flat=True)}


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {ids.get(key, key): _renamed(inner, ids) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, ids) for inner in value]
    return ids.get(value, value) if isinstance(value, str) else value


# --- Storing ------------------------------------------------------------------------------------------------------


def _store_event(actor: Actor, club: Club, file: Mapping[str, Any]) -> Event:
    said = file["event"]
    season = Season.objects.filter(club=club, name=said["season"] or "").first()
    fields = {column: said[name] for name, column in SETTINGS.items()}
    fields |= {f"table_{name}": said["table_size"][name] for name in SIZES}
    if (number := said.get("game_version")) is not None and games.engine_named(club, said["game"], number):
        fields["game_version"] = number
    event = build_event(actor=actor, club=club, fields={**fields, "season": season})
    event.uid, event.status = said["id"], said["status"]
    event.save()
    Event.objects.filter(pk=event.pk).update(created_at=said["created_at"])
    event.created_at = said["created_at"]
    return event


def _store_entries(event: Event, file: Mapping[str, Any], done: Taken) -> dict[str, Entry]:
    wanted = {each["id"]: each for each in file["people"]}
    people = {each.uid: each for each in Player.objects.filter(uid__in=wanted)}
    new = [uid for uid in wanted if uid not in people]
    people |= {uid: Player(uid=uid, name=clean_name(wanted[uid]["name"]), home=event.club) for uid in new}
    Player.objects.bulk_create(people[uid] for uid in new)
    moved = [uid for uid in new if wanted[uid]["origin"] != uid]
    origins = [Origin(club=event.club, uid=wanted[uid]["origin"], player=people[uid]) for uid in moved]
    # Whom the club once took under such an id is somebody else's by now.
    Origin.objects.filter(club=event.club, uid__in=[each.uid for each in origins], player__isnull=False).delete()
    Origin.objects.bulk_create(origins, ignore_conflicts=True)
    entries = [
        Entry(
            uid=each["id"],
            event=event,
            player=people[each["player"]],
            name=clean_name(each["name"]),
            status=each["status"],
            is_verified=each["verified"],
            claims=people.get(each["claims"]),
            first_round=each["first_round"],
            fixed_table=each["fixed_table"],
            waiting_since=each["waiting_since"],
        )
        for each in file["entries"]
    ]
    Entry.objects.bulk_create(entries)
    _date(Entry, entries, [each["joined_at"] for each in file["entries"]], "created_at")
    known = set(Affiliation.objects.filter(club=event.club).values_list("player", flat=True))
    for player in people.values():
        if player.pk not in known:
            Affiliation.objects.create(club=event.club, player=player)
            mark_boards(player)
    done.taken |= {"people": len(people), "entries": len(entries)}
    return {entry.uid: entry for entry in entries}


def _date(model: type[Any], rows: list[Any], times: list[dt.datetime], column: str) -> None:
    """Give rows the times at which they really came to be, which saving them sets to now."""
    for row, time in zip(rows, times, strict=True):
        setattr(row, column, time)
    model.objects.bulk_update(rows, [column], batch_size=500)


def _store_rounds(event: Event, file: Mapping[str, Any], entries: Mapping[str, Entry], done: Taken) -> None:
    first: Since | None = None
    for number, said in enumerate(file["rounds"]):
        stored = Round(event=event, **{name: said[name] for name in ROUND})
        stored.save()
        Round.objects.filter(pk=stored.pk).update(created_at=said["seated_at"])
        SitOut.objects.bulk_create(SitOut(round=stored, entry=entries[uid]) for uid in said["sitting_out"])
        done.taken["rounds"] += 1
        for place, wanted in enumerate(said["tables"]):
            table = _store_table(stored, wanted, entries)
            path = ("rounds", number, "tables", place)
            since = _store_reports(table, wanted, entries, done, path)
            first = min(filter(None, (first, since)), default=None)
            done.taken["tables"] += 1
    if first is not None and event.rated:
        # These tables were played before others that are rated already, so ratings are replayed from the first on.
        computations.mark(Kind.RATINGS, event.game, first)


def _store_penalties(event: Event, file: Mapping[str, Any], entries: Mapping[str, Entry]) -> None:
    names = ("points", "round", "reason", "taken_back_at")
    rows = [
        Penalty(uid=each["id"], event=event, entry=entries[each["entry"]], **{name: each[name] for name in names})
        for each in file["penalties"]
    ]
    Penalty.objects.bulk_create(rows)
    _date(Penalty, rows, [each["created_at"] for each in file["penalties"]], "created_at")


def _store_table(stored: Round, said: Mapping[str, Any], entries: Mapping[str, Entry]) -> Table:
    fields = {name: said[name] for name in ("number", "status", "variant", "label", "room", "extra_minutes")}
    table = Table.objects.create(uid=said["id"], round=stored, **fields)
    seats = enumerate(said["seats"], 1)
    Seat.objects.bulk_create(
        Seat(table=table, round=stored, entry=entries[uid], position=position) for position, uid in seats
    )
    return Table.objects.select_related("round__event__club").prefetch_related(SEATS).get(pk=table.pk)


def _store_reports(
    table: Table, said: Mapping[str, Any], entries: Mapping[str, Entry], done: Taken, path: tuple[str | int, ...]
) -> Since | None:
    """Judge the reports of a table and store those that hold; return its place among ratings, if it counts."""
    since = None
    for index, each in enumerate(said["reports"]):
        try:
            report = _judged(table, each)
        except (SheetRefusedError, FileInvalidError) as error:
            refusal = {"path": [*path, "reports", index], "code": error.code, "message": error.detail}
            done.refused.append({**refusal, "errors": list(error.errors)})
            continue
        report.entry = entries[each["entry"]] if each["entry"] else None
        report.save(force_insert=True)
        allow_rewriting()
        Report.objects.filter(pk=report.pk).update(created_at=each["created_at"])
        report.created_at = each["created_at"]
        voices = [
            Voice(report=report, entry=entries[voice["entry"]], says=voice["says"], reason=voice["reason"])
            for voice in each["voices"]
        ]
        Voice.objects.bulk_create(voices)
        _date(Voice, voices, [voice["at"] for voice in each["voices"]], "at")
        done.taken["reports"] += 1
        if report.status == Report.Status.FINAL:
            counting.count(report, said["final_at"], is_only=True)
            since = Since(said["final_at"], table.pk)
    if said["status"] == Table.Status.FINAL and since is None:
        Table.objects.filter(pk=table.pk).update(status=Table.Status.DROPPED)
    return since


def _judged(table: Table, said: Mapping[str, Any]) -> Report:
    """Return a report of the file with what the rules say of its sheet; raises where that is not what it claims."""
    report = Report(
        uid=said["id"],
        table=table,
        **{name: said[name] for name in ("version", "status", "sheet", "forfeits", "flags", "author", "reason")},
        played_at=said["played_at"],
    )
    if said["sheet"] is None:
        report.standings = _ranked_by_hand(table, said["standings"], said["forfeits"])
        return report
    verdict = rules.judge(table, said["sheet"], said["forfeits"])
    report.standings = [row.as_json() for row in verdict.standings or ()]
    report.minimal = rules.minimal(table, said["sheet"])
    return report


def _ranked_by_hand(table: Table, rows: list[dict[str, Any]], forfeits: list[str]) -> list[dict[str, Any]]:
    present = {seat.entry.player.uid for seat in table.seats.all()} - set(forfeits)
    if {row["seat"] for row in rows} != present or len(rows) != len(present):
        raise FileInvalidError(_("A ranking by hand names every player of the table once."))
    return rows


def _store_history(event: Event, file: Mapping[str, Any]) -> None:
    tables = {each.uid: each for each in Table.objects.filter(round__event=event)}
    names = ("verb", "actor", "reason", "facts")
    rows = [
        Action(event=event, table=tables.get(each["table"]), **{name: each[name] for name in names})
        for each in file["history"]
    ]
    Action.objects.bulk_create(rows)
    allow_rewriting()
    _date(Action, rows, [each["at"] for each in file["history"]], "at")


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


@transaction.atomic
def import_club(*, actor: Actor, club: Club, file: Mapping[str, Any]) -> ClubTaken:
    """Take everything from a club's file into a club: games, people, seasons by name, events; all of it or none."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    Club.objects.select_for_update().get(pk=club.pk)
    uids = {each["id"] for each in file["people"]}
    if len(uids) < len(file["people"]):
        twice = {"code": "repeated", "path": ["people"], "message": _("This is in the file twice.")}
        raise FileInvalidError(_("The file contradicts itself; `errors` says where."), errors=[twice])
    known = _people_here(club, file).keys() | _taken(uids)
    new = [Player(uid=each["id"], name=each["name"], home=club) for each in file["people"] if each["id"] not in known]
    Player.objects.bulk_create(new)
    Affiliation.objects.bulk_create(Affiliation(club=club, player=player) for player in new)
    names = set(Season.objects.filter(club=club).values_list("name", flat=True))
    for each in file["seasons"]:
        if each["name"] not in names:
            create_season(actor=actor, club=club, fields=each)
    with _engines_forgotten_on_failure():
        taken = _take_games(actor, club, file)
        return ClubTaken(taken, [import_event(actor=actor, club=club, file=each) for each in file["events"]])


# --- For those who mirror -----------------------------------------------------------------------------------------


def results_since(events: Any, since: dt.datetime | None) -> Iterator[dict[str, Any]]:
    """Return each table that counts in events, by the time of its last change, with its places: for those who mirror.

    A table whose result was taken away is told too, without places.
    """
    results = Result.objects.filter(event__in=events).select_related("event__club", "table__round", "report")
    if since is not None:
        results = results.filter(changed_at__gte=since)
    places = results.order_by("changed_at", "table_id").prefetch_related("placings__entry", "placings__player")
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
