"""Everything that is stored about a person, for the person. Others appear by the ids on sheets, and never by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When

from core import second_factor
from core.addresses import is_address
from core.models import Login, OutgoingMail, User
from scoring.models import Attempt, Placing, Rating, Report, SeasonRow, StandingRow, Voice
from tournaments.actors import NOBODY, Actor
from tournaments.models import (
    Action,
    Affiliation,
    Club,
    Contact,
    Credential,
    Entry,
    Event,
    Invitation,
    KeepApart,
    Membership,
    Merge,
    MergeRequest,
    OwnGame,
    Penalty,
    Player,
    PushSubscription,
    Role,
    Seat,
    SitOut,
)
from tournaments.models.games import PREFIX
from tournaments.selectors import (
    clubs_run_by,
    hiding,
    records_of,
    unpublished,
    visible_clubs,
    visible_events,
    visible_players,
)
from tournaments.trust import is_settled_account_of, own_records

Export = Callable[[QuerySet[User]], object]
_parts: dict[str, Export] = {}


def add(name: str, part: Export) -> None:
    """Register what an application above keeps of a person's account, under the name that it has in the export."""
    _parts[name] = part


def everything_about(player: Player, *, seen_by: Actor | None = None) -> dict[str, Any]:
    """Return all that is stored about a person under any of their records, and about their account.

    Of records that are not wholly theirs, `seen_by` gets what is known in events, clubs and records that they may know
    of.
    """
    records = records_of(player)
    own = records if seen_by is None else records.none()
    if seen_by is not None and is_settled_account_of(seen_by, player):
        own = own_records(seen_by, player)
    others = records.exclude(pk__in=own.values("pk"))
    users = User.objects.filter(player__in=own.filter(tied_by_club=False))
    events, clubs, people = Event.objects.all(), Club.objects.all(), Player.objects.all()
    if seen_by is not None and others.exists():
        people = _any_of(visible_players(seen_by), own)
        events = _any_of(visible_events(seen_by), events.filter(entries__player__in=own))
        clubs = _any_of(visible_clubs(seen_by), _knowing(own, others), clubs.filter(events__entries__player__in=own))
    entries = Entry.objects.filter(player__in=records, event__in=events.values("pk"))
    return {
        "player": {
            **_records(records, own, people, clubs),
            **_in_clubs(records, events, clubs),
            "notes": _notes(own, others, seen_by or NOBODY),
        },
        "account": [_account(user) for user in users],
        "events": _events(entries, entries.filter(player__in=own)),
        "sheets": _sheets(entries),
        "results": _results(records, entries, clubs),
        "history": _history(entries, users),
        **{name: part(users) for name, part in _parts.items()},
    }


def _any_of(*found: QuerySet[Any]) -> QuerySet[Any]:
    rows: QuerySet[Any] = found[0].model.objects.all()
    return rows.filter(reduce(or_, (Q(pk__in=each.values("pk")) for each in found)))


def _knowing(own: QuerySet[Player], others: QuerySet[Player]) -> QuerySet[Club]:
    """Return the clubs of some records, and those that know them otherwise than by a merge with the others."""
    clubs = Club.objects.filter(affiliations__player__in=own).exclude(affiliations__player__in=others)
    return _any_of(Club.objects.filter(own_players__in=own), clubs)


def _notes(own: QuerySet[Player], others: QuerySet[Player], seen_by: Actor) -> list[dict[str, Any]]:
    """Return what clubs noted about the person; where it is not wholly the caller's, only what their own clubs did."""
    theirs = Q(player__in=own, club__in=_knowing(own, others).values("pk"))
    seen = Q(player__in=own | others, club__in=clubs_run_by(seen_by, Role.ORGANISER).values("pk"))
    return _rows(Affiliation.objects.filter(theirs | seen).exclude(note=""), club="club__slug", note="note")


def _rows(rows: QuerySet[Any, Any], **columns: str) -> list[dict[str, Any]]:
    """Return rows as plain values: a name for each column, and the way to it."""
    ordered = rows.order_by("pk").values_list(*columns.values())
    return [dict(zip(columns, row, strict=True)) for row in ordered]


def _records(
    records: QuerySet[Player], own: QuerySet[Player], people: QuerySet[Player], clubs: QuerySet[Club]
) -> dict[str, Any]:
    """Return the records of a person among `people`, their homes among `clubs`, and how they became one.

    Since when each has an account is told of `own` ones alone.
    """
    known = people.order_by().values("pk")
    shown = records.filter(pk__in=known).annotate(
        home_shown=Subquery(clubs.order_by().filter(pk=OuterRef("home")).values("slug")),
        tied_shown=Case(When(pk__in=own.order_by().values("pk"), then="tied_at")),
    )
    pair = (Q(kept__in=records) | Q(gone__in=records)) & Q(kept__in=known, gone__in=known)
    record = {"id": "uid", "name": "name", "created_at": "created_at", "home": "home_shown"}
    record |= {"merged_into": "merged_into__uid", "account_since": "tied_shown"}
    request = {"kept": "kept__uid", "gone": "gone__uid", "status": "status", "asked_at": "created_at"}
    merge = {"kept": "kept__uid", "gone": "gone__uid", "merged_at": "merged_at", "undone_at": "undone_at"}
    return {
        "records": _rows(shown, **record),
        "merges": _rows(Merge.objects.filter(pair), **merge),
        "merge_requests": _rows(MergeRequest.objects.filter(pair), **request),
    }


def _in_clubs(records: QuerySet[Player], events: QuerySet[Event], clubs: QuerySet[Club]) -> dict[str, Any]:
    known = Affiliation.objects.filter(player__in=records, club__in=clubs)
    apart = KeepApart.objects.filter(Q(first__in=records) | Q(second__in=records), club__in=clubs)
    apart = apart.filter(Q(event=None) | Q(event__in=events.values("pk")))
    return {
        "clubs": _rows(known, club="club__slug", since="created_at"),
        # From whom is not theirs to know.
        "kept_apart": _rows(apart, club="club__slug", event="event__uid", since="created_at"),
    }


def _account(user: User) -> dict[str, Any]:
    tokens = Credential.objects.filter(user=user)
    invitations = Invitation.objects.filter(is_address("email", user.email))
    return {
        "email": user.email,
        "name": user.name,
        "address_proved_at": user.email_proved_at,
        "joined_at": user.date_joined,
        "last_login": user.last_login,
        "roles": _rows(Membership.objects.filter(user=user), club="club__slug", role="role", since="created_at"),
        "tokens": _rows(tokens, name="name", created_at="created_at", last_used_at="last_used_at", ended="revoked_at"),
        "logins": _rows(
            Login.objects.filter(user=user), browser="browser", since="created_at", last_seen="last_seen_at"
        ),
        "mails": _rows(
            OutgoingMail.objects.filter(is_address("to", user.email)), kind="kind", at="created_at", sent="sent_at"
        ),
        "has_second_factor": second_factor.is_on(user),
        "invitations": _rows(invitations, club="club__slug", role="role", sent_at="created_at", ended="accepted_at"),
        "events_created": _rows(Event.objects.filter(created_by=user), id="uid", name="name", at="created_at"),
    }


def _events(entries: QuerySet[Entry], own: QuerySet[Entry]) -> dict[str, Any]:
    """Return where the person played, and of `own` entries the addresses: of phones, and for news, as was promised."""
    entry = {"id": "uid", "event": "event__uid", "event_name": "event__name", "club": "event__club__slug"}
    entry |= {"name": "name", "status": "status", "joined_at": "created_at", "is_verified": "is_verified"}
    seat = {"event": "entry__event__uid", "round": "round__number", "table": "table__uid", "position": "position"}
    seats, sit_outs = (rows.objects.filter(entry__in=entries).exclude(unpublished()) for rows in (Seat, SitOut))
    penalty = {"event": "event__uid", "points": "points", "round": "round", "reason": "reason", "at": "created_at"}
    phone = {"event": "entry__event__uid", "address": "endpoint", "language": "language", "since": "created_at"}
    return {
        "entries": _rows(entries, **entry),
        "penalties": _rows(Penalty.objects.filter(entry__in=entries), **penalty, taken_back_at="taken_back_at"),
        "phones": _rows(PushSubscription.objects.filter(entry__in=own), **phone),
        "addresses": _rows(Contact.objects.filter(entry__in=own), event="entry__event__uid", email="email"),
        "seats": _rows(seats, **seat),
        "sit_outs": _rows(sit_outs, event="round__event__uid", round="round__number"),
    }


def _sheets(entries: QuerySet[Entry]) -> dict[str, Any]:
    common = {"table": "table__uid", "sheet": "sheet", "at": "created_at"}
    sent = Report.objects.filter(entry__in=entries)
    tried = Attempt.objects.filter(entry__in=entries)
    said = Voice.objects.filter(entry__in=entries)
    return {
        "reports": _rows(sent, id="uid", version="version", status="status", reason="reason", **common),
        "refused": _rows(tried, code="code", **common),
        "voices": _rows(said, report="report__uid", says="says", reason="reason", at="at"),
    }


def _results(records: QuerySet[Player], entries: QuerySet[Entry], clubs: QuerySet[Club]) -> dict[str, Any]:
    placing = {"event": "event__uid", "table": "result__table__uid", "game": "game", "at": "at", "rank": "rank"}
    placing |= {"score": "score", "is_forfeit": "is_forfeit", "before": "change__before", "after": "change__after"}
    standing = {"event": "event__uid", "rank": "rank", "points": "points", "tables": "tables"}
    seasons = SeasonRow.objects.filter(player__in=records, season__club__in=clubs)
    rating = {"game": "game", "rating": "rating", "tables": "tables", "last_played": "last_played"}
    return {
        "placings": _named(_rows(Placing.objects.filter(entry__in=entries), **placing), clubs),
        "standings": _rows(
            StandingRow.objects.filter(entry__in=entries).exclude(event__in=hiding(NOBODY).values("pk")), **standing
        ),
        "seasons": _rows(seasons, season="season__uid", rank="rank", points="points"),
        "ratings": _named(_rows(Rating.objects.filter(player__in=records), **rating), clubs),
    }


def _named(rows: list[dict[str, Any]], clubs: QuerySet[Club]) -> list[dict[str, Any]]:
    """Call clubs' own games what everybody calls them; those of other clubs are left out."""
    names = {game.key: game.name for game in OwnGame.objects.filter(club__in=clubs)}
    return [
        row | {"game": names.get(row["game"], row["game"])}
        for row in rows
        if row["game"] in names or not row["game"].startswith(PREFIX)
    ]


def _history(entries: QuerySet[Entry], users: QuerySet[User]) -> list[dict[str, Any]]:
    """Return what they did, and what was done to their entries; facts about others are left out."""
    own = {entry.uid for entry in entries}
    about = Q(user__in=users)
    for entry in entries:
        about |= Q(event=entry.event_id) & (Q(facts__entry=entry.uid) | Q(actor=f"player {entry.name}"))
    columns = {"event": "event__uid", "verb": "verb", "reason": "reason", "facts": "facts", "at": "at"}
    rows = _rows(Action.objects.filter(about), **columns)
    return [row if row["facts"].get("entry") in own else row | {"facts": {}} for row in rows]
