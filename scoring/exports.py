"""Everything that is stored about a person, for the person. Others appear by the ids on sheets, and never by name."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt
from django.db.models import Q, QuerySet

from core.models import User
from scoring.models import Attempt, Placing, Rating, Report, SeasonRow, StandingRow, Voice
from tournaments.models import (
    Action,
    Affiliation,
    Credential,
    Entry,
    Event,
    Invitation,
    KeepApart,
    Membership,
    Merge,
    Player,
    SitOut,
)
from tournaments.selectors import records_of


def everything_about(player: Player) -> dict[str, Any]:
    """Return all that is stored about a person under any of their records, and about their account."""
    records = records_of(player)
    entries = Entry.objects.filter(player__in=records)
    users = User.objects.filter(player__in=records)
    return {
        "player": _player(records),
        "account": [_account(user) for user in users],
        "events": _events(entries),
        "sheets": _sheets(entries),
        "results": _results(records, entries),
        "history": _history(entries, users),
    }


def _rows(rows: QuerySet[Any, Any], **columns: str) -> list[dict[str, Any]]:
    """Return rows as plain values: a name for each column, and the way to it."""
    ordered = rows.order_by("pk").values_list(*columns.values())
    return [dict(zip(columns, row, strict=True)) for row in ordered]


def _player(records: QuerySet[Player]) -> dict[str, Any]:
    apart = KeepApart.objects.filter(Q(first__in=records) | Q(second__in=records))
    merges = Merge.objects.filter(Q(kept__in=records) | Q(gone__in=records))
    return {
        "records": _rows(records, id="uid", name="name", created_at="created_at", merged_into="merged_into__uid"),
        "merges": _rows(merges, kept="kept__uid", gone="gone__uid", merged_at="merged_at", undone_at="undone_at"),
        "clubs": _rows(Affiliation.objects.filter(player__in=records), club="club__slug", since="created_at"),
        # From whom is not theirs to know.
        "kept_apart": _rows(apart, club="club__slug", event="event__uid", since="created_at"),
    }


def _account(user: User) -> dict[str, Any]:
    tokens = Credential.objects.filter(user=user)
    invitations = Invitation.objects.filter(email__iexact=user.email)
    failures = AccessAttempt.objects.filter(username=user.email.lower())
    return {
        "email": user.email,
        "name": user.name,
        "joined_at": user.date_joined,
        "last_login": user.last_login,
        "roles": _rows(Membership.objects.filter(user=user), club="club__slug", role="role", since="created_at"),
        "tokens": _rows(tokens, name="name", created_at="created_at", last_used_at="last_used_at", ended="revoked_at"),
        "invitations": _rows(invitations, club="club__slug", role="role", sent_at="created_at", ended="accepted_at"),
        "wrong_passwords": _rows(failures, at="attempt_time", address="ip_address", browser="user_agent"),
        "events_created": _rows(Event.objects.filter(created_by=user), id="uid", name="name", at="created_at"),
    }


def _events(entries: QuerySet[Entry]) -> dict[str, Any]:
    own = {"id": "uid", "event": "event__uid", "event_name": "event__name", "club": "event__club__slug"}
    own |= {"name": "name", "status": "status", "joined_at": "created_at", "is_verified": "is_verified"}
    seats = {"event": "event__uid", "round": "seats__round__number", "table": "seats__table__uid"}
    return {
        "entries": _rows(entries, **own),
        "seats": _rows(entries.exclude(seats=None), **seats, position="seats__position"),
        "sit_outs": _rows(SitOut.objects.filter(entry__in=entries), event="round__event__uid", round="round__number"),
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


def _results(records: QuerySet[Player], entries: QuerySet[Entry]) -> dict[str, Any]:
    placing = {"event": "event__uid", "table": "result__table__uid", "game": "game", "at": "at", "rank": "rank"}
    placing |= {"score": "score", "is_forfeit": "is_forfeit", "before": "change__before", "after": "change__after"}
    standing = {"event": "event__uid", "rank": "rank", "points": "points", "tables": "tables"}
    rating = {"game": "game", "rating": "rating", "tables": "tables", "last_played": "last_played"}
    return {
        "placings": _rows(Placing.objects.filter(player__in=records), **placing),
        "standings": _rows(StandingRow.objects.filter(entry__in=entries), **standing),
        "seasons": _rows(
            SeasonRow.objects.filter(player__in=records), season="season__uid", rank="rank", points="points"
        ),
        "ratings": _rows(Rating.objects.filter(player__in=records), **rating),
    }


def _history(entries: QuerySet[Entry], users: QuerySet[User]) -> list[dict[str, Any]]:
    """Return what they did, and what was done to their entries; facts about others are left out."""
    own = {entry.uid for entry in entries}
    about = Q(user__in=users)
    for entry in entries:
        about |= Q(event=entry.event_id) & (Q(facts__entry=entry.uid) | Q(actor=f"player {entry.name}"))
    columns = {"event": "event__uid", "verb": "verb", "reason": "reason", "facts": "facts", "at": "at"}
    rows = _rows(Action.objects.filter(about), **columns)
    return [row if row["facts"].get("entry") in own else row | {"facts": {}} for row in rows]
