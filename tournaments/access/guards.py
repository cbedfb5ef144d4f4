"""Those who stay: what a reader was let in by, written down so that it can be looked at again for many at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone

from core.models import User
from tournaments.actors import Actor, Kind
from tournaments.models import Credential, Entry, Event, Membership, Round, Table

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

Rows = Callable[[Collection[Any]], Collection[Any]]


@dataclass(frozen=True, slots=True)
class Guard:
    """What must still be found in the database for a reader to stay with an event.

    `is_inside`: they may see the event though others may not.
    """

    entry: tuple[int, int] | None = None  # and its generation
    table: tuple[int, int] | None = None
    credential: int | None = None
    session: str | None = None
    user: int | None = None
    member: tuple[int, int, str] | None = None  # user, club and role
    projector: tuple[int, int] | None = None  # the event, and the generation of its projector's link
    is_inside: bool = False

    @classmethod
    def of(cls, actor: Actor, event: Event, request: HttpRequest | Request) -> Guard:
        """Return what a caller is let in by."""
        match actor:
            case Actor(kind=Kind.ENTRY, entry=Entry() as entry):
                return cls(entry=(entry.pk, entry.generation), is_inside=entry.event_id == event.pk)
            case Actor(kind=Kind.TABLE, table=Table() as table):
                return cls(table=(table.pk, table.generation), is_inside=table.round.event_id == event.pk)
            case Actor(kind=Kind.KEY, credential=Credential() as key):
                return cls(credential=key.pk, is_inside=key.club_id == event.club_id)
            case Actor(kind=Kind.USER, user=User() as user):
                role = actor.role_in(event.club)
                return cls(
                    credential=actor.credential.pk if actor.credential else None,
                    session=None if actor.credential else request.session.session_key,
                    user=user.pk,
                    member=(user.pk, event.club_id, role.value) if role else None,
                    is_inside=role is not None,
                )
        return cls()


def ended(guards: Collection[Guard]) -> set[Guard]:
    """Return those of readers who may no longer stay, in a statement for each thing that some were let in by."""
    return {guard for name, rows in FOUND.items() for guard in _missing(name, rows, guards)}


def _missing(name: str, rows: Rows, guards: Collection[Guard]) -> set[Guard]:
    wanted: dict[Guard, Hashable] = {guard: key for guard in guards if (key := getattr(guard, name)) is not None}
    if not wanted:
        return set()
    found = set(rows(set(wanted.values())))
    return {guard for guard, key in wanted.items() if key not in found}


def _entries(keys: Collection[tuple[int, int]]) -> Collection[Any]:
    return Entry.objects.filter(pk__in=[key for key, _ in keys]).order_by().values_list("pk", "generation")


def _tables(keys: Collection[tuple[int, int]]) -> Collection[Any]:
    open_now = Table.objects.filter(pk__in=[key for key, _ in keys], round__status__in=Round.OPEN)
    return open_now.order_by().values_list("pk", "generation")


def _credentials(keys: Collection[int]) -> Collection[Any]:
    is_active = Q(user=None) | Q(user__is_active=True)
    return Credential.objects.filter(is_active, Credential.working(), pk__in=keys).values_list("pk", flat=True)


def _sessions(keys: Collection[str]) -> Collection[Any]:
    return Session.objects.filter(pk__in=keys, expire_date__gt=timezone.now()).values_list("pk", flat=True)


def _users(keys: Collection[int]) -> Collection[Any]:
    return User.objects.filter(pk__in=keys, is_active=True).values_list("pk", flat=True)


def _members(keys: Collection[tuple[int, int, str]]) -> Collection[Any]:
    users = {user for user, _club, _role in keys}
    return Membership.objects.filter(user__in=users).order_by().values_list("user", "club", "role")


def _projectors(keys: Collection[tuple[int, int]]) -> Collection[Any]:
    return Event.objects.filter(pk__in=[key for key, _ in keys]).order_by().values_list("pk", "generation")


FOUND: dict[str, Rows] = {
    "entry": _entries,
    "table": _tables,
    "credential": _credentials,
    "session": _sessions,
    "user": _users,
    "member": _members,
    "projector": _projectors,
}
