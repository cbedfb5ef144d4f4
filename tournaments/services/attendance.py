"""What the club does with many entries at once: names from a list, who is here, and who did not come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.likeness import folded, searchable
from core.names import NameInvalidError, clean_name
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import ImportInvalidError
from tournaments.models import Club, Entry, Event, Player, Role
from tournaments.services import places
from tournaments.services.entries import OPEN_FOR_ENTRY, Arrival, enter_all, entered, stand_up, status_by_club
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.webhooks import announce_changed

Status = Entry.Status
MOST_NAMES = 500  # in one list


@transaction.atomic
def check_in(*, actor: Actor, event: Event, uids: Sequence[str] | None = None) -> list[Entry]:
    """Say that players who signed up are here: all of them, or those that are named; return them."""
    event = _lock(actor, event)
    here = _registered(event, uids)
    for entry in here:
        entry.status = Status.CHECKED_IN
        record(
            actor=actor, event=event, verb="entry-checked_in", entry=entry.uid, name=entry.name, before="registered"
        )
    Entry.objects.filter(pk__in=[entry.pk for entry in here]).update(status=Status.CHECKED_IN)
    if here:
        bump(event)
        announce_changed(event, here, before=Status.REGISTERED)
    return here


@transaction.atomic
def drop_absent(*, actor: Actor, event: Event) -> list[Entry]:
    """Take out everybody who signed up and is not here; their places go to those who wait. Return who is out."""
    event = _lock(actor, event)
    absent = _registered(event, None)
    Entry.objects.filter(pk__in=[entry.pk for entry in absent]).update(status=Status.DROPPED)
    for entry in absent:
        entry.status = Status.DROPPED
        stand_up(entry)
        record(actor=actor, event=event, verb="entry-dropped", entry=entry.uid, name=entry.name, before="registered")
    if absent:
        places.fill(event, actor=actor)
        bump(event)
        mark_standings(event)
        announce_changed(event, absent, before=Status.REGISTERED)
    return absent


def _lock(actor: Actor, event: Event) -> Event:
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    require_status(event, Event.Status.DRAFT, *OPEN_FOR_ENTRY)
    return event


def _registered(event: Event, uids: Sequence[str] | None) -> list[Entry]:
    found = selectors.entries_of(event).select_related("event__club", "claims").filter(status=Status.REGISTERED)
    return list(found if uids is None else found.filter(uid__in=uids))


@dataclass(slots=True)
class Listed:
    """What a list of names comes to: entries that were made, and names that were in the event already."""

    entries: list[Entry] = field(default_factory=list)
    here_already: list[str] = field(default_factory=list)


def add_names(*, actor: Actor, event: Event, names: Iterable[str], is_here: bool | None = None) -> Listed:
    """Enter everybody on a list of names, all or nobody where a name is none. Who is in the event is passed over.

    A name of one of the club's own people is theirs, however its accents were typed; any other is somebody new.
    """
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    return _enter_names(actor, event, _cleaned(names), is_here)  # nothing is locked while names are looked at


@transaction.atomic
def _enter_names(actor: Actor, event: Event, wanted: Sequence[str], is_here: bool | None) -> Listed:
    event = _lock(actor, event)
    known = own_by_name(event.club, wanted)
    taken, inside = _in_event(event)
    made, arrivals = Listed(), []
    for name in wanted:
        key = folded(name)
        player = known.get(key)
        if key in taken or (player is not None and player.pk in inside):
            made.here_already.append(name)
        else:
            arrivals.append(Arrival(name, player, rests_on=()))
        taken.add(key)
    outcomes = enter_all(event, arrivals, actor=actor, status=status_by_club(event, is_here=is_here))
    made.entries = [entered(each) for each in outcomes]
    return made


def _in_event(event: Event) -> tuple[set[str], set[int]]:
    """Return who is in an event: their names, folded, and the keys of all whom an entry is of or says to be."""
    entries = list(selectors.entries_of(event).select_related("claims"))
    people = {each.person_id for entry in entries for each in (entry.player, entry.claims) if each is not None}
    return {folded(entry.name) for entry in entries}, people


def own_by_name(club: Club, names: Iterable[str]) -> dict[str, Player]:
    """Return those of a club's own people who have one of these names, by their folded name.

    One that several have is left out: who is meant, nobody knows, and whoever takes the name of somebody else must not
    get their entries by it. Where one of the names has nothing to search by, all others like that are among them.
    """
    found: dict[str, Player | None] = {}
    for player in selectors.own_players(club).filter(search__in={searchable(name) for name in names}):
        key = folded(player.name)
        found[key] = None if key in found else player
    return {key: player for key, player in found.items() if player is not None}


def _cleaned(names: Iterable[str]) -> list[str]:
    lines = list(islice(((number, line) for number, line in enumerate(names, 1) if line.strip()), MOST_NAMES + 1))
    if len(lines) > MOST_NAMES:
        message = _("A list can have at most {most} names.").format(most=MOST_NAMES)
        raise _invalid([{"code": "too-many-lines", "path": ["names"], "message": message}])
    cleaned: list[str] = []
    errors = []
    for number, line in lines:
        try:
            cleaned.append(clean_name(line))
        except NameInvalidError as error:
            message = _("Line {number}: {reason}").format(number=number, reason=error.detail)
            errors.append({"code": error.code, "path": ["names", number - 1], "message": message})
    if errors:
        raise _invalid(errors)
    return cleaned


def _invalid(errors: Sequence[dict[str, Any]]) -> ImportInvalidError:
    return ImportInvalidError(_("Nobody was entered; `errors` says which lines to correct."), errors=errors)
