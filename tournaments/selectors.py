"""Reads: what a caller may see, and the rows that pages and the API show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import Prefetch, Q, QuerySet

from core.models import User
from tournaments import credentials
from tournaments.actors import ORDER, Actor, Kind
from tournaments.models import (
    Action,
    Club,
    Credential,
    Entry,
    Event,
    Invitation,
    Membership,
    Player,
    Role,
    Round,
    Scope,
    Season,
    Seat,
    SitOut,
    Table,
    Webhook,
)


def clubs_of(actor: Actor) -> QuerySet[Club]:
    """Return the clubs a caller belongs to: by role, or by one of the club's keys."""
    if actor.kind == Kind.KEY and actor.credential:
        return Club.objects.filter(credentials=actor.credential)
    if actor.kind == Kind.USER and actor.user:
        return Club.objects.filter(pk__in=Membership.objects.filter(user=actor.user).values("club"))
    return Club.objects.none()


def clubs_run_by(actor: Actor, role: Role) -> QuerySet[Club]:
    """Return the clubs in which a caller has at least this role."""
    if actor.kind == Kind.KEY and actor.credential and actor.credential.scope == Scope.WRITE:
        return clubs_of(actor) if role != Role.OWNER else Club.objects.none()
    if actor.kind == Kind.USER and actor.user:
        roles = ORDER[ORDER.index(role) :]
        return Club.objects.filter(pk__in=Membership.objects.filter(user=actor.user, role__in=roles).values("club"))
    return Club.objects.none()


def roles_of(actor: Actor) -> list[tuple[Club, Role | None]]:
    """Return the clubs a caller belongs to, with their role there; None for a key that only reads."""
    if actor.kind == Kind.USER and actor.user:
        memberships = Membership.objects.filter(user=actor.user).select_related("club").order_by("club__name", "pk")
        return [(membership.club, Role(membership.role)) for membership in memberships]
    return [(club, actor.role_in(club)) for club in clubs_of(actor)]


def invitation_with(secret: str) -> Invitation | None:
    """Return the invitation a secret belongs to, whether or not it can still be accepted."""
    return Invitation.objects.select_related("club").filter(digest=credentials.digest(secret)).first()


def tokens_of(user: User) -> QuerySet[Credential]:
    """Return the tokens of a user that work, newest first."""
    return Credential.objects.filter(user=user, revoked_at=None).order_by("-pk")


def webhooks_of(club: Club) -> QuerySet[Webhook]:
    """Return the webhooks of a club, oldest first."""
    return Webhook.objects.filter(club=club).select_related("club").order_by("pk")


def visible_clubs(actor: Actor) -> QuerySet[Club]:
    """Return the clubs a caller may know of."""
    return Club.objects.filter(Q(is_public=True) | Q(pk__in=clubs_of(actor)))


def visible_events(actor: Actor) -> QuerySet[Event]:
    """Return the events a caller may know of; drafts are for the club alone."""
    own = Q(club__in=clubs_of(actor))
    public = Q(is_public=True, club__is_public=True) & ~Q(status=Event.Status.DRAFT)
    playing = Q()
    if actor.entry is not None:
        playing = Q(pk=actor.entry.event_id)
    elif actor.table is not None:
        playing = Q(pk=actor.table.round.event_id)
    return Event.objects.filter(own | public | playing).select_related("club", "season")


def events_run_by(actor: Actor, role: Role) -> QuerySet[Event]:
    """Return the events, drafts included, of the clubs in which a caller has at least this role."""
    return Event.objects.filter(club__in=clubs_run_by(actor, role)).select_related("club", "season")


def event_to_join(code: str) -> Event | None:
    """Return the event that players join with a code, however it was typed; None where nobody can."""
    code = "".join(filter(str.isalnum, code)).upper()  # a database may refuse to look for anything else
    event = Event.objects.select_related("club", "season").filter(join_code=code).first()
    return None if event is None or event.is_over or event.status == Event.Status.DRAFT else event


def visible_tables(actor: Actor) -> QuerySet[Table]:
    """Return the tables of the events a caller may know of, with their seats."""
    return tables_in_sight(actor).select_related("round__event__club").prefetch_related(SEATS)


def tables_in_sight(actor: Actor) -> QuerySet[Table]:
    """Return the tables of the events a caller may know of, bare: for whoever will lock one and read it then."""
    return Table.objects.filter(round__event__in=visible_events(actor).values("pk"))


def sits_at(actor: Actor, table: Table) -> bool:
    """Say whether a caller sits at a table, or holds its slip."""
    if actor.kind == Kind.TABLE:
        return actor.table is not None and actor.table.pk == table.pk
    return actor.entry is not None and any(seat.entry_id == actor.entry.pk for seat in table.seats.all())


def visible_players(actor: Actor) -> QuerySet[Player]:
    """Return the players a caller may know of: those of clubs that they may know of."""
    clubs = visible_clubs(actor).values("pk")
    return Player.objects.filter(
        Q(clubs__in=clubs) | Q(entries__event__in=visible_events(actor).values("pk"))
    ).distinct()


def records_of(player: Player) -> QuerySet[Player]:
    """Return every record of the person a player is: the one that is kept, and all that were merged into it."""
    kept = player.merged_into_id or player.pk
    return Player.objects.filter(Q(pk=kept) | Q(merged_into=kept))


def visible_seasons(actor: Actor) -> QuerySet[Season]:
    """Return the seasons of the clubs a caller may know of."""
    return Season.objects.filter(club__in=visible_clubs(actor).values("pk")).select_related("club")


SEATS = Prefetch("seats", Seat.objects.order_by("position").select_related("entry__player"))
SIT_OUTS = Prefetch("sit_outs", SitOut.objects.select_related("entry__player"))
TABLES = Prefetch("tables", Table.objects.order_by("number").prefetch_related(SEATS))


def all_rounds() -> QuerySet[Round]:
    """Return rounds with tables, seats and sit-outs, in a fixed number of queries."""
    return Round.objects.select_related("event__club").prefetch_related(TABLES, SIT_OUTS)


def rounds_of(event: Event) -> QuerySet[Round]:
    """Return the rounds of an event that were not cancelled, as `all_rounds` does."""
    return all_rounds().filter(event=event).exclude(status=Round.Status.CANCELLED).order_by("number")


def entries_of(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event with their players."""
    return Entry.objects.filter(event=event).select_related("player").order_by("pk")


def open_round(event: Event) -> Round | None:
    """Return the round of an event that is seated or running, if there is one; open play has none."""
    open_now = Round.objects.filter(event=event, status__in=[Round.Status.SEATED, Round.Status.RUNNING])
    return open_now.exclude(kind=Round.Kind.OPEN).first()


def table_to_join(event: Event, code: str) -> Table | None:
    """Return the table of open play at which players sit down with a code, however it was typed."""
    code = "".join(filter(str.isalnum, code)).upper()
    tables = Table.objects.filter(round__event=event, round__kind=Round.Kind.OPEN, code=code)
    return tables.select_related("round__event__club").first()


def known_players(club: Club, text: str = "") -> QuerySet[Player]:
    """Return the players of a club whose name has words that begin with the text, one record per person."""
    players = Player.objects.filter(clubs=club, merged_into=None, anonymised_at=None)
    if text := text.strip():
        players = players.filter(Q(name__istartswith=text) | Q(name__icontains=f" {text}"))
    return players.order_by("name", "pk")


NUDGED = "table-nudged"


def nudged_at(tables: Iterable[Table]) -> dict[int, dt.datetime]:
    """Return when tables were last asked for their result, by key; those that never were are left out."""
    nudges = Action.objects.filter(table__in=tables, verb=NUDGED)
    return dict(nudges.order_by("pk").values_list("table", "at"))  # the latest is read last
