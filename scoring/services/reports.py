"""Sheets that players send: submit, confirm, dispute, withdraw.

Each is one change to the reports and voices of a table, then `settle`: it puts equal sheets together, sees whether two
differ or somebody objects, and counts the sheet once the event's policy is met. What came by slip is no match for what
a person says. The event is locked throughout; what the rules say of a sheet is found before that (`judge`).

One person is one voice: a sheet that needs a confirmation counts once two people have said the same, each from a phone
of their own. A personal link speaks for its player, a member of the club for the club, a slip for nobody.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core.statements import insert, together
from core.strict_json import can_keep, written_length
from core.transactions import atomic, on_rollback
from scoring import rules
from scoring.errors import (
    OwnReportError,
    PlayedAtError,
    ReportStatusError,
    SamePhoneError,
    SentPersonallyError,
    SheetRefusedError,
    TableClosedError,
    TooManySheetsError,
)
from scoring.models import DEVICE_LENGTH, Attempt, Report, Voice
from scoring.services import counting
from scoring.services.announcements import announce_dispute, announce_report, announce_result
from tournaments.actors import Actor, Kind
from tournaments.errors import ForbiddenError, SeatingInvalidError, TableStatusError
from tournaments.models import LONGEST_AUTHOR, Action, Confirmation, Entry, Event, Player, Role, Round, Table
from tournaments.selectors import SEATS
from tournaments.services import rounds
from tournaments.services.history import action_of, record, refuse_too_many
from tournaments.services.permissions import require_role
from tournaments.services.tables import change_table, lock_as_read, lock_table, require_at_table

Status = Report.Status
EARLY = dt.timedelta(days=1)  # how long before its start an event may be played
CLOCKS_DIFFER = dt.timedelta(minutes=5)  # how far the clock of a phone, or of a file, may be ahead of ours
OBJECTED = "disputed-after-final"  # the flag of a final report that a player disputes
PEOPLE = 2  # who must say the same where a sheet needs a confirmation
SAID = ("says", "device", "reason")  # of a voice, wherever it stands
MOST_SHEETS = 50  # of a table from one seat, or by its slip: all are kept, and read whenever somebody looks


@dataclass(frozen=True, slots=True)
class Judged:
    """A sheet and what the rules say of it, found without a lock; `table` is as it was read, with its seats."""

    table: Table
    sheet: Any
    forfeits: Collection[str]
    labels: tuple[str, list[str]]
    outcome: rules.Verdict | SheetRefusedError


def judge(*, table: Table, sheet: Any, forfeits: Collection[str] = ()) -> Judged:
    """Judge a sheet as the result of a table that was read with its seats; a refusal waits until it is its turn."""
    outcome: rules.Verdict | SheetRefusedError
    try:
        outcome = rules.judge(table, sheet, forfeits)
    except SheetRefusedError as error:
        outcome = error
    return Judged(table, sheet, forfeits, rules.labels_of(table, forfeits), outcome)


def submit_report(
    *,
    actor: Actor,
    table: Table,
    sheet: Any,
    seat: str | None = None,
    played_at: dt.datetime | None = None,
) -> Report:
    """Judge a sheet and store it as the table's next report; return the report that stands for it now."""
    read = Table.objects.select_related("round__event__club").prefetch_related(SEATS).get(pk=table.pk)
    return submit_judged(actor=actor, judged=judge(table=read, sheet=sheet), seat=seat, played_at=played_at)


@atomic()
def submit_judged(
    *, actor: Actor, judged: Judged, seat: str | None = None, played_at: dt.datetime | None = None
) -> Report:
    """Store a sheet that was judged as its table's next report; return the report that stands for it now.

    A table's slip must name the `seat` it speaks for: a player, an entry or a position. An equal sheet of another seat
    confirms what is there, so the report returned may be that one.
    """
    table, sheet = lock_as_read(judged.table), judged.sheet
    entry = speaker(actor, table, seat)
    require_open(table)
    _require_played_within(table.round.event, played_at)
    verdict = verdict_at(table, judged, actor=actor, entry=entry)
    known = counting.all_reports(table)
    live = [report for report in known if report.status in Report.LIVE]
    own = _own(actor, live, entry)
    # A phone that got no answer sends its sheet again, which must not replace the report and lose its confirmations.
    if own is not None and own.sheet == sheet and own.author == author_of(actor):
        return own
    if own is not None:
        refuse_too_many(actor)  # every sheet is kept
    _refuse_more_sheets(actor, known, entry)
    report = new_report(
        actor=actor, table=table, known=known, sheet=sheet, verdict=verdict, entry=entry, played_at=played_at
    )
    counting.renew(live, report.claim)
    if (said_before := _said_personally(actor, live, report)) is not None:
        return said_before
    # An equal sheet that came by the slip is put together with the new one, and brings what was said of it.
    if own is not None and not (own.is_by_slip and own.claim == report.claim):
        _change(own, Status.REPLACED)
        live.remove(own)
    if actor.kind == Kind.ENTRY and entry is not None:
        _take_back(entry, live)
    # A report that counts at once is inserted as final, which saves an UPDATE on the most frequent path.
    if not live and _is_agreed(report):
        report.status = Status.FINAL
    insert(report)
    said = action_of(actor=actor, event=table.round.event, verb="reported", table=table, **_facts(report))
    settled = _settle(actor, _started(actor, table), [*live, report], said, is_new=True)
    return _standing(settled, report)


def verdict_at(table: Table, judged: Judged, *, actor: Actor, entry: Entry | None = None) -> rules.Verdict:
    """Return what was found of a sheet, judged again where the locked table seats others or plays another variant.

    One that is refused is kept for the organiser to see, though everything else is undone.
    """
    if table.version != judged.table.version and rules.labels_of(table, judged.forfeits) != judged.labels:
        judged = judge(table=table, sheet=judged.sheet, forfeits=judged.forfeits)
    if isinstance(judged.outcome, SheetRefusedError):
        # The refusal rolls the transaction back, and the attempt with it, so it is stored after the rollback.
        on_rollback(partial(_keep_attempt, actor, table, entry, judged.outcome))
        raise judged.outcome
    return judged.outcome


def _keep_attempt(actor: Actor, table: Table, entry: Entry | None, error: SheetRefusedError) -> None:
    """Store a refused sheet in place of the oldest of its seat; the same one again is kept once, nonsense never."""
    if written_length(error.sheet) > Attempt.MOST_BYTES_PER_SEAT:  # far larger than what people write
        return
    if not can_keep(error.sheet):  # a field of a form may hold any character
        return
    mine = Attempt.objects.filter(table=table, author=author_of(actor), entry=entry).order_by("-pk")
    last = mine.first()
    if last is None or last.sheet != error.sheet:
        Attempt.objects.create(table=table, code=error.code, sheet=error.sheet, entry=entry, author=author_of(actor))
        _forget_oldest(mine)


def _forget_oldest(attempts: QuerySet[Attempt]) -> None:
    """Delete those of a seat, newest first, that are too many or for which there is no room beside the newer ones."""
    room, old = Attempt.MOST_BYTES_PER_SEAT, []
    for place, attempt in enumerate(attempts):
        room -= written_length(attempt.sheet)
        if place >= Attempt.MOST_PER_SEAT or room < 0:
            old.append(attempt.pk)
    Attempt.objects.filter(pk__in=old).delete()


def speaker(actor: Actor, table: Table, seat: str | None) -> Entry | None:
    """Return the entry a caller speaks for at a table; None for the club, which speaks for nobody."""
    require_at_table(actor=actor, table=table)
    if actor.kind == Kind.ENTRY:
        return actor.entry
    if seat is None and actor.kind == Kind.TABLE:
        raise SeatingInvalidError(
            _("Say which seat you speak for."),
            errors=[{"code": "missing-field", "path": ["seat"], "message": _("A player of the table.")}],
        )
    if seat is None:
        return None
    for each in table.seats.all():
        if seat in {each.entry.uid, each.entry.player.uid, str(each.position)}:
            return each.entry
    raise SeatingInvalidError(
        _("Nobody has this seat. Choose a player of the table."),
        errors=[{"code": "bad-value", "path": ["seat"], "message": _("A player of the table.")}],
    )


def require_open(table: Table) -> None:
    """Refuse a table that has a result, or whose result nobody waits for."""
    if table.status == Table.Status.FINAL:
        raise TableClosedError(
            _("Table {number} has a final result. An organiser can correct it.").format(number=table.number)
        )
    rounds.require_counting(table.round)
    forming = table.round.kind == Round.Kind.OPEN and table.status == Table.Status.SEATED
    if table.status == Table.Status.DROPPED or not table.round.is_open or forming:
        raise TableStatusError(
            _("Table {number} is {status}.").format(number=table.number, status=table.get_status_display()),
            table_status=table.status,
        )


def _require_played_within(event: Event, played_at: dt.datetime | None) -> None:
    """Refuse a time at which nobody can have played: before the event, or still to come."""
    try:
        start = event.starts_at - EARLY
    except OverflowError:  # the first day of the calendar
        start = event.starts_at
    earliest, latest = min(start, event.created_at), timezone.now() + CLOCKS_DIFFER
    if played_at is None or earliest <= played_at <= latest:
        return
    detail = _("`played_at` lies between {earliest} and {latest}.").format(
        earliest=earliest.isoformat(timespec="seconds"), latest=latest.isoformat(timespec="seconds")
    )
    raise PlayedAtError(detail, errors=[{"code": "bad-value", "path": ["played_at"], "message": detail}])


def author_of(actor: Actor) -> str:
    """Return who sends a sheet. A player is told by the entry, whose name may change or be forgotten."""
    return (actor.kind.value if actor.kind in {Kind.ENTRY, Kind.TABLE} else actor.label)[:LONGEST_AUTHOR]


def device_at(actor: Actor, table: Table) -> str:
    """Return what tells the caller's browser from others at a table, and nowhere else; empty where nothing does."""
    if not actor.device:
        return ""
    return hashlib.sha256(f"{table.uid} {actor.device}".encode("utf-8", "replace")).hexdigest()[:DEVICE_LENGTH]


def _own(actor: Actor, live: Sequence[Report], entry: Entry | None) -> Report | None:
    """Return the report that a new one of the same voice replaces."""
    same = [report for report in live if report.entry == entry and _may_replace(actor, report)]
    return same[-1] if same else None


def _may_replace(actor: Actor, report: Report) -> bool:
    """Say whether a caller who speaks for the seat of a report may replace it or take it back."""
    match actor.kind:
        case Kind.ENTRY:
            return True
        case Kind.TABLE:
            return report.is_by_slip
    return not report.is_personal and (report.entry is not None or report.author == author_of(actor))


def _refuse_more_sheets(actor: Actor, known: Sequence[Report], entry: Entry | None) -> None:
    """Refuse another sheet of a voice that sends them without end; what an organiser decides is none of these."""
    said = [report for report in known if report.author == author_of(actor)]
    if sum(report.entry == entry or report.is_by_slip for report in said) >= MOST_SHEETS:
        raise TooManySheetsError(
            _("Very many sheets were sent from here for this table. Ask the organiser, who can enter the result.")
        )


def _said_personally(actor: Actor, live: Sequence[Report], new: Report) -> Report | None:
    """Return the personal sheet that says the same as one of a slip or a scorekeeper; refuse a different one.

    Also refuse to count a browser twice: it holds two personal links, and sends the same sheet by both.
    """
    same = [report for report in live if report.claim == new.claim]
    if actor.kind == Kind.ENTRY:
        spoken = [(report.entry_id, report.device) for report in same if not report.is_by_slip]
        spoken += [(voice.entry_id, voice.device) for report in same for voice in report.agreed]
        _require_other_phone(new.device, *(device for entry, device in spoken if entry != new.entry_id))
        return None
    is_personal = any(report.is_personal for report in live)
    if not is_personal or actor.is_at_least(Role.ORGANISER, new.table.round.event.club):
        return None
    equal = next((report for report in same if report.is_personal), None)
    if equal is None:
        raise SentPersonallyError(
            _("A player has sent a sheet from their own phone. Confirm or dispute it from yours.")
        )
    return equal


def _require_other_phone(device: str, *heard: str) -> None:
    if device and device in heard:
        raise SamePhoneError(
            _(
                "This phone has already spoken for somebody at the table. "
                "Somebody else confirms from their own phone, or the organiser accepts the sheet."
            )
        )


def new_report(
    *,
    actor: Actor,
    table: Table,
    known: Sequence[Report],
    sheet: Any,
    verdict: rules.Verdict,
    entry: Entry | None = None,
    **fields: Any,
) -> Report:
    """Return a legal sheet as the next version after the known reports of a locked table, not stored yet."""
    report = Report(
        table=table,
        version=next_version(known),
        sheet=sheet,
        minimal=rules.minimal(table.round.event, sheet),
        standings=[row.as_json() for row in verdict.standings or ()],
        flags=rules.flags(sheet, verdict),
        entry=entry,
        author=author_of(actor),
        user=actor.user,
        device=device_at(actor, table),
        **fields,
    )
    report.said, report.verdict = [], verdict
    return report


def next_version(known: Sequence[Report]) -> int:
    """Return the version of the report after those of a table, oldest first."""
    return known[-1].version + 1 if known else 1


def _started(actor: Actor, table: Table) -> Table:
    """Return the table in a round that runs: where nobody started it, a legal sheet shows that it is played."""
    if table.round.status != Round.Status.SEATED:
        return table
    rounds.start(actor=actor, current=table.round)
    return lock_table(table)  # the locks are held already; this reads the new statuses and versions


def _standing(settled: Sequence[Report], report: Report) -> Report:
    """Return the report that stands for one: itself, or the equal one it was put together with."""
    counting.renew(settled, report.claim)
    return next(each for each in settled if each.claim == report.claim)


def _take_back(entry: Entry, live: Sequence[Report], *says: str) -> None:
    """Forget what a seat said of others' reports: its own new sheet, or one that it confirms, says what it means."""
    for report in live:
        gone = [voice for voice in report.said if voice.entry_id == entry.pk and (not says or voice.says in says)]
        if gone:
            report.voices.filter(pk__in=[voice.pk for voice in gone]).delete()
            report.said = [voice for voice in report.said if voice not in gone]


def settle(*, actor: Actor, table: Table) -> list[Report]:
    """Bring the reports of a locked table in line with each other; return those that could count, as they are now."""
    return _settle(actor, table, counting.live_reports(table))


def _settle(actor: Actor, table: Table, live: Sequence[Report], *said: Action, is_new: bool = False) -> list[Report]:
    """Settle reports that were read; `said` are actions that stand in the history before what follows from them.

    `is_new`: the last of the reports has just come in.
    """
    newest = live[-1] if is_new else None
    live = _put_together(table, live)
    aside = _nobodys(live)
    heard = [report for report in live if report not in aside]
    is_disputed = len(heard) > 1 or any(report.objections for report in heard)
    if heard and not is_disputed and _is_agreed(heard[0]):
        for report in aside:
            _change(report, Status.REPLACED)
        return [_count(actor, heard[0], *said, is_only=True), *aside]
    if said:
        insert(*said)
    for report in live:
        _change(report, Status.DISPUTED if is_disputed or report in aside else Status.PENDING)
    # Where only a slip differs from what a person says, nothing waits for it, but somebody should look.
    is_doubted = is_disputed or bool(aside)
    reported = Table.Status.DISPUTED if is_doubted else Table.Status.REPORTED
    was_disputed = table.status == Table.Status.DISPUTED
    change_table(table, status=reported if live else Table.Status.PLAYING)
    if newest is not None:
        announce_report(_standing(live, newest))
    if is_doubted and not was_disputed:
        announce_dispute(table, live)
    return live


def _nobodys(live: Sequence[Report]) -> list[Report]:
    """Return the sheets by slip that nobody agreed to, where a person says otherwise: they dispute nothing."""
    is_said = any(report.is_personal or report.agreed for report in live)
    return [report for report in live if is_said and report.is_by_slip and not report.agreed]


def _put_together(table: Table, live: Sequence[Report]) -> list[Report]:
    """Keep one of the reports that say the same, the one with the most evidence; other players confirm it."""
    # The length of the sheet stands for how much evidence it carries; of equally long ones the older stays. One that
    # somebody answers for goes before one by slip.
    kept: dict[tuple[object, ...], Report] = {}
    for report in sorted(live, key=lambda each: (each.is_by_slip, -written_length(each.sheet), each.version)):
        best = kept.setdefault(report.claim, report)
        if best is report:
            continue
        _change(report, Status.REPLACED)
        heard = {each.entry_id: {name: getattr(each, name) for name in SAID} for each in report.said}
        if report.is_personal and report.entry_id is not None:
            heard[report.entry_id] = {"says": Voice.Says.CONFIRM, "device": report.device}
        for entry, said in heard.items():
            if entry != best.entry_id or best.is_by_slip:
                Voice.objects.get_or_create(report=best, entry_id=entry, defaults=said)
    # The reports in memory do not know the voices that were added, so they are read again.
    return list(live) if len(kept) == len(live) else counting.live_reports(table)


def _is_agreed(report: Report) -> bool:
    """Say whether the event's policy lets a report count now."""
    table = report.table
    match table.round.event.confirmation:
        case Confirmation.TRUST:
            return True
        case Confirmation.CONFIRM:
            # In a solo game there is no other seat that could confirm.
            is_alone = report.entry_id is not None and len(table.seats.all()) == 1
            return _people_of(report) >= (1 if is_alone else PEOPLE)
    return _is_approved(report)


def _people_of(report: Report) -> int:
    """Count who said what a report says: people and not seats, each browser once, and slips not at all."""
    people = 0 if report.is_by_slip else 1
    heard = _marks(report.entry if report.is_personal else None, report.device, report.user_id)
    if report.user_id is not None and report.agreed:
        # Their account may be on another record than the one they play under.
        heard |= {("person", player.person_id) for player in Player.objects.filter(user=report.user_id)}
    for voice in report.agreed:
        marks = _marks(voice.entry, voice.device)
        people += not marks & heard
        heard |= marks
    return people


def _marks(entry: Entry | None, device: str, user: int | None = None) -> set[tuple[str, object]]:
    """Return what a voice is told from others by: the person, whom it says to be, their accounts, the browser."""
    marks: set[tuple[str, object]] = {("account", user), ("browser", device)}
    for player in (entry.player, entry.claims) if entry else ():
        if player is not None:
            marks |= {("person", player.person_id), ("account", player.user_id)}
    return {mark for mark in marks if mark[1]}


def _is_approved(report: Report) -> bool:
    """Say whether an organiser sent the report themselves."""
    return report.user is not None and Actor(Kind.USER, user=report.user).is_at_least(
        Role.ORGANISER, report.table.round.event.club
    )


def count_report(*, actor: Actor, report: Report, reason: str = "") -> Report:
    """Make a report of a locked table final and tell everybody."""
    return _count(actor, report, reason=reason)


def _count(actor: Actor, report: Report, *said: Action, reason: str = "", is_only: bool = False) -> Report:
    with together():
        before = counting.count(report, timezone.now(), is_only=is_only)
        event = report.table.round.event
        verb = "result-final" if before is None else "result-corrected"
        facts = _facts(report) | {"before": before.report.version if before and before.is_counted else None}
        counted = action_of(actor=actor, event=event, verb=verb, table=report.table, reason=reason, **facts)
        insert(*said, counted)
        announce_result(report, is_correction=before is not None)
    return report


def _facts(report: Report) -> dict[str, Any]:
    return {"report": report.uid, "version": report.version, "entry": report.entry and report.entry.uid}


def _change(report: Report, status: str) -> None:
    if report.status != status:
        Report.objects.filter(pk=report.pk).update(status=status)
        report.status = status


def _lock_report(report: Report) -> Report:
    table = lock_table(report.table)
    rounds.require_counting(table.round)
    if table.status == Table.Status.DROPPED:
        require_open(table)
    return counting.read(report, table)


@atomic()
def confirm_report(*, actor: Actor, report: Report) -> Report:
    """Agree to a report as another seat, or approve it as an organiser.

    A confirmation that comes too late, because the report was already decided, is refused but kept in the history.
    """
    report = _lock_report(report)
    try:
        return _confirm(actor, report)
    except ReportStatusError:
        event, table, facts = report.table.round.event, report.table, _facts(report)
        on_rollback(partial(record, actor=actor, event=event, verb="confirmed-too-late", table=table, **facts))
        raise


def _confirm(actor: Actor, report: Report) -> Report:
    table, event = report.table, report.table.round.event
    if actor.kind in {Kind.USER, Kind.KEY}:
        require_role(actor=actor, club=event.club, role=Role.ORGANISER)
        return _approve(actor, report)
    entry = _other_seat(actor, report)
    _require_status(report, Status.PENDING, Status.DISPUTED, Status.FINAL)
    if entry in [voice.entry for voice in report.agreed]:
        return report
    device = device_at(actor, table)
    _require_other_phone(device, report.device, *(voice.device for voice in report.agreed))
    live = counting.live_reports(table)
    _take_back(entry, live, Voice.Says.CONFIRM)  # who finds this sheet right stands by no other any more
    for own in live:
        if own.is_personal and own.entry_id == entry.pk:
            _change(own, Status.REPLACED)
    _say(report, entry, Voice.Says.CONFIRM, device=device)
    record(actor=actor, event=event, verb="confirmed", table=table, **_facts(report))
    if report.status != Status.FINAL:
        return _standing(settle(actor=actor, table=table), report)
    report = counting.read(report, table)
    _clear_objection(report)
    return report


def _say(report: Report, entry: Entry, says: str, reason: str = "", device: str = "") -> None:
    """Write down what a seat says of a report, instead of what it said before."""
    # One upsert, because a seat that disputed may confirm later and the other way round.
    Voice.objects.bulk_create(
        [Voice(report=report, entry=entry, says=says, reason=reason, device=device)],
        update_conflicts=True,
        unique_fields=["report", "entry"],
        update_fields=["says", "reason", "device", "at"],
    )


def _approve(actor: Actor, report: Report) -> Report:
    if report.status == Status.FINAL:
        return report
    _require_status(report, Status.PENDING, Status.DISPUTED)
    record(actor=actor, event=report.table.round.event, verb="approved", table=report.table, **_facts(report))
    return count_report(actor=actor, report=report)


def _other_seat(actor: Actor, report: Report) -> Entry:
    """Return the seat that speaks of somebody else's report."""
    require_at_table(actor=actor, table=report.table)
    if actor.kind != Kind.ENTRY or actor.entry is None:
        raise ForbiddenError(_("A slip speaks for nobody. Use a personal link."))
    is_same = report.entry is not None and report.entry.player.person_id == actor.entry.player.person_id
    if is_same and not report.is_by_slip:
        raise OwnReportError(_("This is your own report. Another player of the table must confirm it."))
    return actor.entry


def _require_status(report: Report, *allowed: str) -> None:
    if report.status not in allowed:
        detail = _("This report is {status}.").format(status=report.get_status_display())
        raise ReportStatusError(detail, report_status=report.status)


@transaction.atomic
def dispute_report(*, actor: Actor, report: Report, reason: str = "") -> Report:
    """Object to a report. One that is final still counts, and is flagged for the organiser until the round closes."""
    report = _lock_report(report)
    table = report.table
    entry = _other_seat(actor, report)
    _require_status(report, Status.PENDING, Status.DISPUTED, Status.FINAL)
    if report.status == Status.FINAL and not table.round.is_open:
        raise ReportStatusError(_("The round is closed. Ask the organiser."), report_status=report.status)
    _say(report, entry, Voice.Says.DISPUTE, reason)
    record(actor=actor, event=table.round.event, verb="disputed", reason=reason, table=table, **_facts(report))
    if report.status != Status.FINAL:
        return _standing(settle(actor=actor, table=table), report)
    if not _is_objected(report):
        _set_flags(report, [*report.flags, {"code": OBJECTED}])
        announce_dispute(table, [report])
    return counting.read(report, table)


def _is_objected(report: Report) -> bool:
    return any(flag["code"] == OBJECTED for flag in report.flags)


def _clear_objection(report: Report) -> None:
    if _is_objected(report) and not report.objections:
        _set_flags(report, [flag for flag in report.flags if flag["code"] != OBJECTED])


def _set_flags(report: Report, flags: list[dict[str, Any]]) -> None:
    Report.objects.filter(pk=report.pk).update(flags=flags)
    report.flags = flags
    change_table(report.table)


@transaction.atomic
def clear_flags(*, actor: Actor, report: Report) -> Report:
    """Note that an organiser looked at a report that was marked, and found it fine; it stands out no longer."""
    report = _lock_report(report)
    table = report.table
    require_role(actor=actor, club=table.round.event.club, role=Role.ORGANISER)
    if report.flags:
        codes = [flag["code"] for flag in report.flags]
        _set_flags(report, [])
        record(actor=actor, event=table.round.event, verb="flags-cleared", table=table, flags=codes, **_facts(report))
    return counting.read(report, table)


@transaction.atomic
def withdraw_report(*, actor: Actor, report: Report, seat: str | None = None, reason: str = "") -> Report:
    """Take one's own report back while it does not count."""
    report = _lock_report(report)
    table = report.table
    entry = speaker(actor, table, seat)
    is_own = entry == report.entry and _may_replace(actor, report)
    if not is_own and not actor.is_at_least(Role.ORGANISER, table.round.event.club):
        raise ForbiddenError(_("Only the author of a report may withdraw it."))
    if report.status == Status.WITHDRAWN:
        return report
    _require_status(report, Status.PENDING, Status.DISPUTED)
    _change(report, Status.WITHDRAWN)
    record(actor=actor, event=table.round.event, verb="withdrawn", reason=reason, table=table, **_facts(report))
    settle(actor=actor, table=table)
    return report
