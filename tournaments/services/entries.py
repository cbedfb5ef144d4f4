"""Who plays in an event: joining, checking in, dropping out, returning, taking somebody's place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from core.errors import DomainError
from core.likeness import looks, looks_of
from core.names import clean_name, numbered
from core.statements import insert_all
from tournaments import selectors, trust
from tournaments.access import credentials
from tournaments.access.callers import ENTRY_OF_LINK
from tournaments.actors import Actor, Kind
from tournaments.errors import AlreadyEnteredError, NameTakenError, ProofWrongError
from tournaments.models import Action, Contact, Entry, Event, Player, Role, Round, Seat, Table
from tournaments.services import places
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import action_of, record, refuse_too_many
from tournaments.services.people import affiliate, lock_people, present
from tournaments.services.permissions import require_own, require_role
from tournaments.services.webhooks import announce_changed, announce_entered

Status = Entry.Status
OPEN_FOR_ENTRY = (Event.Status.REGISTRATION, Event.Status.RUNNING)
TAKEN_BACK = "entry-taken-back"


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who is to be entered: by a new name, as a player, or as a phone that says it is a known player.

    `record` is the one of the player that they proved to be, where they have several: what they play is that one's.
    `rests_on` are all as whom they proved who they are, none on the club's word; None where nothing was proved.
    """

    name: str = ""
    player: Player | None = None
    record: Player | None = None
    claims: Player | None = None
    rests_on: Collection[int] | None = None


Outcome = Entry | DomainError  # of an arrival: an entry, or why there is none


def add_entry(
    *, actor: Actor, event: Event, name: str = "", player: Player | None = None, is_here: bool | None = None
) -> Entry:
    """Enter a player on the organiser's word; `is_here` is said where players check in, else it is once play began."""
    (outcome,) = add_entries(actor=actor, event=event, arrivals=[Arrival(name, player)], is_here=is_here)
    return entered(outcome)


@transaction.atomic
def add_entries(
    *, actor: Actor, event: Event, arrivals: Sequence[Arrival], is_here: bool | None = None
) -> list[Outcome]:
    """Enter many on the organiser's word, each for themselves; return what became of them, in their order."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    status = status_by_club(event, is_here=is_here)
    return enter_all(event, arrivals, actor=actor, status=status, are_own=True)


def status_by_club(event: Event, *, is_here: bool | None) -> Status:
    """Return as what the club enters somebody: they are here, unless they are to check in and nobody said so."""
    if not event.has_check_in or is_here or (is_here is None and event.status == Event.Status.RUNNING):
        return Status.CHECKED_IN
    return Status.REGISTERED


def _require_own(event: Event, player: Player | None) -> None:
    """Refuse to enter somebody else's person: a club enters its own people and new ones."""
    if player is not None:
        advice = _(
            "{name} belongs to another club. They join by themselves with the code of the event; or enter them as "
            "somebody new, and ask to merge the two records later."
        )
        require_own(event.club, player, advice)


def enter(event: Event, *, actor: Actor, status: Status = Status.CHECKED_IN, **who: Any) -> Entry:
    """Enter somebody in a locked event; `who` is what an `Arrival` is made of."""
    (outcome,) = enter_all(event, [Arrival(**who)], actor=actor, status=status)
    return entered(outcome)


def entered(outcome: Outcome) -> Entry:
    """Return the entry that somebody has; raises why there is none."""
    if isinstance(outcome, DomainError):
        raise outcome
    return outcome


def enter_all(
    event: Event, arrivals: Sequence[Arrival], *, actor: Actor, status: Status, are_own: bool = False
) -> list[Outcome]:
    """Enter many in a locked event, each for themselves; `are_own`: on the club's word, who are its people alone.

    On SQLite one writer holds up all others, so all that is needed is read once, and stored by a few statements.
    """
    roll = _Roll.of(event, arrivals, status)
    outcomes = [roll.outcome(arrival, is_own=are_own) for arrival in arrivals]
    try:
        # The lock of the event makes the roll right on PostgreSQL; the constraints are the second line of defence.
        with transaction.atomic():
            _store(event, [each for each in outcomes if isinstance(each, Entry)], actor=actor)
    except IntegrityError:  # another phone was quicker, on a database without row locks
        if len(arrivals) > 1:
            one_by_one = ([each] for each in arrivals)
            return [enter_all(event, each, actor=actor, status=status, are_own=are_own)[0] for each in one_by_one]
        return [_taken(entry.name, _Names(event)) for entry in outcomes if isinstance(entry, Entry)]
    return outcomes


@dataclass(frozen=True, slots=True)
class _Roll:
    """Who is in a locked event, by folded names and by person, and those of whom arrive who are known, locked."""

    event: Event
    status: Status
    first_round: int
    names: _Names
    known: Mapping[int, Player]
    inside: dict[int, Entry]

    @classmethod
    def of(cls, event: Event, arrivals: Iterable[Arrival], status: Status) -> _Roll:
        coming = [player for each in arrivals if (player := each.claims or each.player)]
        # The event is locked before the people, the same order in which `people.anonymise_player` locks them.
        known = lock_people(each.person_id for each in coming)
        rounds = Round.objects.filter(event=event).exclude(status=Round.Status.CANCELLED)
        first_round = (rounds.aggregate(last=Max("number"))["last"] or 0) + 1
        return cls(event, status, first_round, _Names(event), known, _inside(event, known.values()))

    def outcome(self, arrival: Arrival, *, is_own: bool) -> Outcome:
        try:
            if is_own:
                _require_own(self.event, arrival.player)
            return self._admit(arrival, is_own=is_own)
        except DomainError as error:
            return error

    def _admit(self, arrival: Arrival, *, is_own: bool) -> Entry:
        """Return the entry of somebody, not stored yet, and let whoever comes after them find it."""
        known = self._find(arrival)
        rests_on = () if is_own else arrival.rests_on
        if known is None:
            name = clean_name(arrival.name)
            if name in self.names:
                raise _taken(name, self.names)
        elif trust.is_parted(known, arrival.rests_on):  # since they proved it, before they were locked
            raise ProofWrongError(_("It has changed in the meantime. Read it again, then change it."))
        else:
            name = self._name_of(known, is_clubs_word=rests_on == ())
        says = known if arrival.claims else None
        player = arrival.record or known
        if known is None or says is not None:
            player = Player(name=says.name if says else name, home=self.event.club)
        entry = Entry(
            event=self.event,
            player=player,
            name=name,
            is_verified=says is None,
            claims=says,
            rests_on=None if rests_on is None else sorted(rests_on),
            first_round=self.first_round,
            status=self.status,
            waiting_since=timezone.now() if self.status == Status.WAITING else None,
        )
        self.names.add(name)
        if known is not None:
            self.inside[known.pk] = entry
        return entry

    def _name_of(self, known: Player, *, is_clubs_word: bool) -> str:
        """Return a known player's name, with a number where it is another's, or looks it to others than the club."""
        is_taken = known.name in self.names or (not is_clubs_word and self.names.has_alike(known.name))
        return self.names.free(known.name) if is_taken else known.name

    def _find(self, arrival: Arrival) -> Player | None:
        """Return the known player somebody is, or says to be; refuse whoever is in the event already."""
        wanted = arrival.claims or arrival.player
        if wanted is None:
            return None
        known = present(self.known[wanted.person_id])
        if known.pk in self.inside:
            _refuse_inside(self.inside[known.pk])
        return known


def _inside(event: Event, people: Collection[Player]) -> dict[int, Entry]:
    """Return those entries of an event that are of these people, or say they are, by person."""
    if not people:
        return {}
    records = selectors.records_of(*people)
    found = Entry.objects.filter(Q(player__in=records) | Q(claims__in=records), event=event)
    entries = list(found.select_related("player", "claims").order_by("-pk"))
    return {each.person_id: entry for entry in entries for each in (entry.player, entry.claims) if each is not None}


def _taken(name: str, names: _Names) -> NameTakenError:
    return NameTakenError(
        _("Somebody in this event already has this name. Choose another one."), suggestion=names.free(name)
    )


def _store(event: Event, entries: Sequence[Entry], *, actor: Actor) -> None:
    """Store new entries of a locked event, and tell of them."""
    if not entries:
        return
    new = [entry.player for entry in entries if entry.player.pk is None]
    known = [entry.player for entry in entries if entry.player.pk is not None]
    # Also those whom a record leads to: they may be parted from one another.
    known += [step.kept for record in known if record.merged_into for step in selectors.way_of(record)]
    insert_all(new)
    affiliate(event.club, known, new)
    insert_all(entries)
    bump(event)
    mark_standings(event)
    refuse_too_many(actor)
    insert_all([_action(entry, actor) for entry in entries])
    announce_entered(event, entries)


def _action(entry: Entry, actor: Actor) -> Action:
    facts: dict[str, Any] = {"claims": entry.claims.uid} if entry.claims else {}
    return action_of(actor=actor, event=entry.event, verb="entered", entry=entry.uid, name=entry.name, **facts)


def entry_of(event: Event, player: Player) -> Entry | None:
    """Return the entry of a person in an event, or the one that says it is them; None where there is neither."""
    found = selectors.entries_as(player).filter(event=event)
    return found.select_related("event__club", "player__merged_into", "claims__merged_into").first()


def _refuse_inside(entry: Entry) -> None:
    """Refuse somebody who is in the event already, or whom a phone in it says to be."""
    if entry.claims is None:
        raise AlreadyEnteredError(_("This player is already in the event."))
    raise AlreadyEnteredError(
        _("A phone that is already in the event says it is {name}. Answer for that one first.").format(
            name=entry.claims.name
        )
    )


class _Names:
    """The names in an event, by how they are folded (SQLite folds no letter outside of ASCII) and how they look.

    Nothing is looked at twice while the event is locked: it may be full of names that look like one, with every
    number, and a list of names may have them all again.
    """

    def __init__(self, event: Event) -> None:
        names = Entry.objects.filter(event=event).values_list("name", flat=True)
        self._names = {name.casefold(): name for name in names}
        self._numbers: dict[frozenset[str], int] = {}  # from which a name that looks like this may be free

    @cached_property
    def _looks(self) -> set[str]:
        return looks_of(self._names.values())

    def __contains__(self, name: str) -> bool:
        return name.casefold() in self._names

    def has_alike(self, name: str) -> bool:
        """Say whether somebody has a name that looks like one."""
        return not looks(name).isdisjoint(self._looks)

    def add(self, name: str) -> None:
        """Let somebody have a name."""
        if "_looks" in self.__dict__:
            self._looks.update(looks(name))
        self._names[name.casefold()] = name

    def free(self, name: str) -> str:
        """Return a name with the smallest number behind it that nobody has, nor one that looks like it."""
        look = looks(name)
        names = ((number, numbered(name, number)) for number in count(self._numbers.get(look, 2)))
        self._numbers[look], free = next(each for each in names if each[1] not in self and not self.has_alike(each[1]))
        return free


def free_name(event: Event, name: str) -> str:
    """Return the name with the smallest number behind it that nobody in the event has, nor one that looks like it."""
    return _Names(event).free(name)


@transaction.atomic
def change_status(*, actor: Actor, entry: Entry, status: str, is_at_door: bool = False) -> Entry:
    """Check a player in, take them out, or take them back in; players may do so for themselves.

    Who comes back while every place is taken waits for one, and a place that becomes free is given away.
    """
    event, entry = _lock(entry)
    _require_own_or_organiser(actor, entry, event)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    if status == entry.status:
        return entry
    if entry.status == Status.DROPPED:
        _require_return(actor, entry, event)
    is_member = actor.is_at_least(Role.SCOREKEEPER, event.club)
    status = places.granted(event, entry, status, is_member=is_member, is_at_door=is_at_door)
    before, entry.status = entry.status, status
    entry.waiting_since = timezone.now() if status == Status.WAITING else None
    entry.save(update_fields=["status", "waiting_since"])
    if status == Status.DROPPED:
        stand_up(entry)
        places.fill(event, actor=actor)
    bump(event)
    if (before in Entry.IN) != (status in Entry.IN):
        mark_standings(event)  # who waits, or dropped out before they played, is not listed
    record(actor=actor, event=event, verb=f"entry-{status}", entry=entry.uid, name=entry.name, before=before)
    announce_changed(event, [entry], before=before)
    return entry


def _lock(entry: Entry) -> tuple[Event, Entry]:
    """Lock the event of an entry; return both as they are now: its status or link may have changed meanwhile."""
    event = lock_event(entry.event)
    return event, Entry.objects.select_related("event__club", "player").get(pk=entry.pk)


def stand_up(entry: Entry) -> None:
    """Free an entry's seats at tables that are being formed in open play; a table that all have left is gone."""
    forming = Q(round__kind=Round.Kind.OPEN, round__status=Round.Status.RUNNING, table__status=Table.Status.SEATED)
    for seat in Seat.objects.filter(forming, entry=entry):
        seat.delete()
        others = list(Seat.objects.filter(table=seat.table_id).order_by("position"))
        # One by one in this order, so that no two seats share a position between two updates.
        for position, other in enumerate(others, 1):
            Seat.objects.filter(pk=other.pk).update(position=position)
        gone = {} if others else {"status": Table.Status.DROPPED}
        Table.objects.filter(pk=seat.table_id).change(**gone)
        if gone:
            Round.objects.filter(pk=seat.round_id).update(status=Round.Status.CANCELLED, closed_at=timezone.now())


def _require_own_or_organiser(actor: Actor, entry: Entry, event: Event) -> None:
    if not actor.holds_link_of(entry):
        require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)


def _require_return(actor: Actor, entry: Entry, event: Event) -> None:
    """Refuse to take somebody else's person in again who withdrew by themselves: they alone may change their mind."""
    if actor.holds_link_of(entry) or trust.is_self(actor, entry.player):
        return
    # The last word on it: who came back since, and is out by the club's own hand, did not withdraw.
    said = [f"entry-{status}" for status in Status]
    last = Action.objects.filter(event=event, verb__in=said, facts__entry=entry.uid).first()
    has_left = last is not None and last.verb == f"entry-{Status.DROPPED}"
    if last and has_left and (last.actor.startswith("player ") or last.user_id in _accounts(entry.player)):
        advice = _("{name} belongs to another club and withdrew by themselves: they come back with their own link.")
        require_own(event.club, entry.player, advice)


def _accounts(player: Player) -> set[int]:
    tied = selectors.records_of(player).filter(tied_by_club=False).exclude(user=None)
    return set(tied.values_list("user", flat=True))


def earlier_phone(secret: str, among: QuerySet[Entry] | None = None) -> Actor | None:
    """Return the caller that an earlier link of a player stands for, also when that event is over."""
    uid = credentials.uid_of(secret)
    entry = ENTRY_OF_LINK.first(uid) if among is None else among.filter(uid=uid).first()
    if entry is None or not credentials.is_genuine(secret, entry.uid, entry.generation):
        return None
    return Actor(Kind.ENTRY, entry=entry)


def earlier_phones(links: Sequence[str]) -> list[Actor]:
    """Return the callers that the links on a phone stand for, the latest entry first, in one query."""
    found = Entry.objects.filter(uid__in={credentials.uid_of(link) for link in links}).order_by("-pk")
    return [
        Actor(Kind.ENTRY, entry=entry)
        for entry in found.select_related("event__club", "player__merged_into")
        if any(
            credentials.is_genuine(link, entry.uid, entry.generation)
            for link in links
            if credentials.uid_of(link) == entry.uid
        )
    ]


def taken_back(player: Player, since: dt.datetime) -> list[Entry]:
    """Return the entries of a person that were taken back since, by whoever proved to be them."""
    own = Entry.objects.filter(player__in=selectors.records_of(player)).select_related("event")
    acts = Action.objects.filter(event__in=own.values("event"), verb=TAKEN_BACK, at__gte=since)
    said = set(acts.values_list("facts__entry", "event"))
    return [entry for entry in own if (entry.uid, entry.event_id) in said]


def end_link(entry: Entry) -> None:
    """Make the personal link of an entry of a locked event invalid, for whoever came by it.

    The address for news goes with it: mails hold the link, and the next one would bring the new link to whoever left
    the address with the old one.
    """
    Entry.objects.filter(pk=entry.pk).update(generation=F("generation") + 1)
    Contact.objects.filter(entry=entry).delete()


@transaction.atomic
def renew_link(*, actor: Actor, entry: Entry) -> Entry:
    """Make the entry's personal link invalid and give it another."""
    event, entry = _lock(entry)
    _require_own_or_organiser(actor, entry, event)  # by the link of now: whose ended while they waited gets no other
    end_link(entry)
    entry.refresh_from_db()
    record(actor=actor, event=event, verb="link-renewed", entry=entry.uid, name=entry.name)
    return entry


@transaction.atomic
def substitute(*, actor: Actor, entry: Entry, name: str = "", player: Player | None = None) -> Entry:
    """Put another player in somebody's place from now on: also at their table, if it has no result yet."""
    event = lock_event(entry.event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, *OPEN_FOR_ENTRY)
    _require_own(event, player)
    new = enter(event, name=name, player=player, actor=actor, rests_on=())
    before, entry.status = entry.status, Status.DROPPED
    Entry.objects.filter(pk=entry.pk).update(status=Status.DROPPED)
    seats = Seat.objects.filter(entry=entry, table__status__in=Table.UNPLAYED, round__status__in=Round.OPEN)
    moved = list(seats.select_related("round"))  # read first: after the update the query finds nothing
    seats.update(entry=new)
    for seat in moved:
        Round.objects.filter(pk=seat.round_id).update(version=F("version") + 1)
        Table.objects.filter(pk=seat.table_id).change()
        plays_from(seat.round.number, [new])
    new.refresh_from_db()
    record(actor=actor, event=event, verb="substituted", entry=new.uid, for_entry=entry.uid, at_the_table=bool(moved))
    if before != Status.DROPPED:
        announce_changed(event, [entry], before=before)
    return new


def plays_from(number: int, entries: Iterable[Entry]) -> None:
    """Write down that entries play in a round, also those who were to come in later."""
    late = Entry.objects.filter(pk__in=[entry.pk for entry in entries], first_round__gt=number)
    late.update(first_round=number)


@transaction.atomic
def fix_table(*, actor: Actor, entry: Entry, number: int | None) -> Entry:
    """Say at which table a player always sits, from the next seating on; None for any."""
    event = lock_event(entry.event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    Entry.objects.filter(pk=entry.pk).update(fixed_table=number)
    entry.refresh_from_db(fields=["fixed_table"])
    bump(event)
    record(actor=actor, event=event, verb="entry-fixed", entry=entry.uid, name=entry.name, table_number=number)
    return entry
