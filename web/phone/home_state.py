"""An evening as one player sees it: where they sit, what is asked of them now, and how they are doing."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from core import epochs
from scoring.models import Placing, Report, StandingRow
from scoring.notifications import (
    HIDDEN,
    Ask,
    Notification,
    ask_of,
    is_current,
    is_open_play,
    notifications_ahead,
    notifications_at,
    standing_reports,
)
from tournaments import selectors
from tournaments.actors import NOBODY
from tournaments.models import Entry, Event, Format, Penalty, Round, Seat, SitOut, Table
from tournaments.services import entries, places
from web.prizes import Podium, Won, podium_of, won_by

PLACE_EVERY = 30  # seconds after which a phone is told of a new place
AHEAD = (Entry.Status.REGISTERED, Entry.Status.WAITING)  # what they are shown depends on the time, or on others
SPREAD = 7  # seconds between two players, so that not all phones are told at once


class Between(StrEnum):
    """Why a player sits at no table now."""

    OVER = "over"
    LEFT = "left"
    CHECK_IN = "check-in"
    SIGNED_UP = "signed-up"
    WAITING = "waiting"
    SOON = "soon"
    SITTING_OUT = "sitting-out"
    LATE = "late"
    NOT_IN_FINAL = "not-in-final"
    NEXT = "next"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Place:
    """A player's seat at a table, and what is asked of them there. `report` is the sheet that waits or counts."""

    table: Table
    position: int
    others: Sequence[Entry]
    ask: Ask
    report: Report | None
    placing: Placing | None
    nudged_at: dt.datetime | None

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.others) + 1

    @property
    def notifications(self) -> Iterator[Notification]:
        """What the player is notified of here."""
        return notifications_at(self.table, self.position, ask=self.ask, report=self.report, nudged_at=self.nudged_at)

    @property
    def can_begin(self) -> bool:
        """Whether enough people sit at a table that is being formed."""
        return self.seats >= self.table.round.event.table_min


@dataclass(frozen=True, slots=True)
class Played:
    """A table that is over: the player's place there, and what it did to their rating."""

    table: Table
    placing: Placing
    change: int | None


@dataclass(frozen=True, slots=True)
class Evening:
    """Everything a player's own page shows. Ratings are in thousandths."""

    entry: Entry
    event: Event
    places: Sequence[Place]
    between: Between | None
    standing: StandingRow | None
    ranked: int
    played: Sequence[Played] = field(default_factory=list)
    round: Round | None = None
    waits_at: int = 0
    penalties: Sequence[Penalty] = ()
    won: Sequence[Won] = ()
    podium: Podium | None = None

    @property
    def opens_event(self) -> bool:
        """Whether the phone can open the event's other pages: once it is over, only one that anybody may see."""
        return not self.event.is_over or (self.event.is_public and self.event.club.is_public)

    @property
    def notifications(self) -> list[Notification]:
        """What the phone notifies its player of, each once."""
        if not self.places:
            return notifications_ahead(self.entry, self.event)
        return [each for place in self.places for each in place.notifications]

    @property
    def change(self) -> int | None:
        """What the evening did to the player's rating so far; None where no table was rated."""
        changes = [each.change for each in self.played if each.change is not None]
        return sum(changes) if changes else None

    @property
    def is_placed(self) -> bool:
        """Whether the player has a place among others; not before their tables are enough for one."""
        if self.standing is None or not self.standing.is_ranked or self.ranked < 2:
            return False
        return self.standing.tables > 0 or self.standing.rank > 1  # or everybody is first, before anybody has played

    @property
    def has_left_table(self) -> bool:
        """Whether the player dropped out while a table of theirs is still on."""
        return self.entry.status == Entry.Status.DROPPED and bool(self.places) and not self.event.is_over

    @property
    def can_form(self) -> bool:
        """Whether the player may form a table, or sit down at one."""
        unplayed = {Ask.GATHER, Ask.ENTER}
        is_on = self.event.format == Format.OPEN and self.event.status == Event.Status.RUNNING
        is_here = self.entry.status == Entry.Status.CHECKED_IN
        return is_on and is_here and not any(place.ask in unplayed for place in self.places)


@dataclass(frozen=True, slots=True)
class Rows:
    """What the page of a player is made of: read in two statements, or three while they sit at no table.

    The entry comes with its event, club, player and standing. `seats` are the player's own, latest first, with
    everybody at those tables that they may still be sitting at.
    """

    entry: Entry
    seats: Sequence[Seat]
    round: Round | None
    is_sitting_out: bool
    waits_at: int

    @classmethod
    def held_by(cls, secret: str, uid: str) -> Rows | None:
        """Return them for the link that a phone holds for an event; None where it is none, or is no longer good."""
        phone = entries.earlier_phone(secret, _ENTRIES)
        return cls._of(phone.entry) if phone and phone.entry and phone.entry.event.uid == uid else None

    @classmethod
    def _of(cls, entry: Entry) -> Rows:
        seats = _seats(entry)
        now = next((seat.table.round for seat in seats if is_current(seat) and not is_open_play(seat)), None)
        sits_out = False
        if now is None and entry.event.format != Format.OPEN and not entry.event.is_over:
            beside = SitOut.objects.filter(round=OuterRef("pk"), entry=entry)
            published = selectors.open_rounds(entry.event).exclude(status=Round.Status.DRAFT)
            now = published.annotate(sits_out=Exists(beside)).defer(*HEAVY).first()
            sits_out = now is not None and now.sits_out
        return cls(entry, seats, now, sits_out, _waits_at(entry))

    @property
    def standing(self) -> StandingRow | None:
        """The player's place; None before anything was computed, and while it is hidden from everybody."""
        found: StandingRow | None = getattr(self.entry, "standing", None)
        most = selectors.shown_places(NOBODY, self.entry.event)
        return found if found is None or most is None or found.place <= most else None

    @property
    def penalty(self) -> int:
        """What was taken off the player's points, which they are told though their place may be hidden."""
        return self.entry.standing.penalty if hasattr(self.entry, "standing") else 0

    @property
    def own(self) -> str:
        """What tells one state of everything but the player's place from another."""
        entry, event, standing = self.entry, self.entry.event, self.standing
        seats = [(seat.table, seat.position, getattr(seat, "placing", None)) for seat in self.seats]
        changes = [placing.change for _table, _position, placing in seats if placing and hasattr(placing, "change")]
        shown = (
            epochs.current(),
            (entry.pk, entry.status, event.status, event.format, event.confirmation, event.table_min),
            (event.starts_at, places.is_check_in_open(event), self.waits_at) if entry.status in AHEAD else (),
            [(table.pk, at, table.version, table.round.version, table.round.status) for table, at, _placing in seats],
            self.round and (self.round.pk, self.round.version),
            standing and (standing.points, standing.tables),
            self.penalty,
            event.version if event.is_over else 0,  # podium and prizes may still change
            [(change.before, change.after) for change in changes],
        )
        return hashlib.blake2b(repr(shown).encode(), digest_size=12).hexdigest()


HEAVY = ("points", "quality")  # columns of a round, which have a value for each entry
_RANKED = StandingRow.objects.filter(event=OuterRef("event"), is_ranked=True).order_by().values("event")
_ENTRIES = Entry.objects.select_related(
    "event__club", "player__merged_into__home", "player__home", "standing"
).annotate(ranked=Coalesce(Subquery(_RANKED.annotate(number=Count("pk")).values("number")), 0))


def evening_of(rows: Rows) -> Evening:
    """Return a player's evening, in two queries more than its rows took; once it is finished, two for how it ended."""
    entry, event = rows.entry, rows.entry.event
    current = [seat for seat in rows.seats if is_current(seat)]
    reports = standing_reports([seat.table for seat in current])
    seated = [_place(seat, entry, reports.get(seat.table_id, [])) for seat in current]
    return Evening(
        entry=entry,
        event=event,
        places=seated,
        between=None if seated else _between(rows),
        standing=rows.standing,
        ranked=entry.ranked,  # type: ignore[attr-defined]  # annotated above
        played=[_played(seat) for seat in rows.seats if hasattr(seat, "placing")],
        round=rows.round,
        waits_at=rows.waits_at,
        penalties=_penalties(rows),
        won=won_by(event, entry.uid),
        podium=podium_of(event),
    )


def _penalties(rows: Rows) -> list[Penalty]:
    """Return what was taken off the player's points, and why; nothing is asked where the standings know of none."""
    if not rows.penalty:
        return []
    return list(Penalty.objects.filter(entry=rows.entry, taken_back_at=None))


def version_of(rows: Rows, known: str = "") -> str:
    """Return what tells one state of a player's evening from another, cheaper than the evening itself.

    What happens at other tables leaves it as it is, so that phones do not load their page again for every result. Only
    the player's place changes with them: a phone that holds a `known` version hears of that once in half a minute.
    Those that hear of news by a stream are told of their place there, without the page.
    """
    own = rows.own
    turn = str(int(timezone.now().timestamp() + rows.entry.pk * SPREAD) // PLACE_EVERY)
    before = known.split("-")
    if before[:2] == [own, turn]:
        return known
    standing = rows.standing
    new = f"{standing and standing.rank}_{rows.entry.ranked}"  # type: ignore[attr-defined]  # annotated above
    return known if [before[0], before[-1]] == [own, new] else f"{own}-{turn}-{new}"


def _seats(entry: Entry) -> list[Seat]:
    """Return the player's seats, latest first; others at tables of rounds that are on are found through the tables."""
    tables = Seat.objects.filter(entry=entry).values("table")
    seats = Seat.objects.filter(Q(entry=entry) | Q(round__status__in=Round.OPEN), table__in=tables)
    seats = seats.exclude(round__status__in=HIDDEN).order_by("-round__number", "position")
    rows = seats.select_related("table__round", "entry", "placing__change")
    rows = rows.annotate(nudged_at=selectors.last_nudge("table"))
    everybody = list(rows.defer(*(f"table__round__{name}" for name in HEAVY)))
    for seat in everybody:
        seat.table.round.event = entry.event
        seat.others = [  # type: ignore[attr-defined]
            other.entry for other in everybody if other.table_id == seat.table_id and other.entry_id != entry.pk
        ]
    return [seat for seat in everybody if seat.entry_id == entry.pk]


def _place(seat: Seat, entry: Entry, reports: Sequence[Report]) -> Place:
    return Place(
        table=seat.table,
        position=seat.position,
        others=seat.others,  # type: ignore[attr-defined]  # as `_seats` has it, with `nudged_at`
        ask=ask_of(seat.table, entry, reports),
        report=reports[0] if reports else None,
        placing=getattr(seat, "placing", None),
        nudged_at=seat.nudged_at,  # type: ignore[attr-defined]
    )


def _between(rows: Rows) -> Between:
    entry, event = rows.entry, rows.entry.event
    is_time = not event.has_check_in or places.is_check_in_open(event)
    away = {
        Entry.Status.DROPPED.value: Between.LEFT,
        Entry.Status.REGISTERED.value: Between.CHECK_IN if is_time else Between.SIGNED_UP,
        Entry.Status.WAITING.value: Between.WAITING,
    }
    if event.is_over:
        return Between.OVER
    if entry.status in away:
        return away[entry.status]
    if event.status != Event.Status.RUNNING:
        return Between.SOON
    if event.format == Format.OPEN:
        return Between.OPEN
    return _beside(rows)


def _beside(rows: Rows) -> Between:
    """Return why a player who is here has no seat in the round that is on."""
    if rows.round is None:
        return Between.NEXT
    if rows.round.is_stage:
        return Between.NOT_IN_FINAL
    return Between.SITTING_OUT if rows.is_sitting_out else Between.LATE


def _waits_at(entry: Entry) -> int:
    """Return the place of an entry among those who wait; 0 for one that does not."""
    if entry.status != Entry.Status.WAITING:
        return 0
    return next((number for number, each in enumerate(places.line(entry.event), 1) if each.pk == entry.pk), 0)


def _played(seat: Seat) -> Played:
    change = getattr(seat.placing, "change", None)
    return Played(seat.table, seat.placing, change and change.delta)
