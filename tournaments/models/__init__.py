"""Clubs and people, events and tables, and the credentials that open them."""

from tournaments.models.credentials import Credential, Scope
from tournaments.models.events import (
    Action,
    Confirmation,
    Entry,
    Event,
    Format,
    Points,
    Round,
    Seat,
    SitOut,
    Table,
    TieBreak,
)
from tournaments.models.people import (
    Affiliation,
    Club,
    Invitation,
    KeepApart,
    Membership,
    Merge,
    Player,
    Role,
    Season,
    SeasonTieBreak,
)
from tournaments.models.webhooks import Delivery, Failure, MessageType, Webhook

__all__ = [
    "Action",
    "Affiliation",
    "Club",
    "Confirmation",
    "Credential",
    "Delivery",
    "Entry",
    "Event",
    "Failure",
    "Format",
    "Invitation",
    "KeepApart",
    "Membership",
    "Merge",
    "MessageType",
    "Player",
    "Points",
    "Role",
    "Round",
    "Scope",
    "Season",
    "SeasonTieBreak",
    "Seat",
    "SitOut",
    "Table",
    "TieBreak",
    "Webhook",
]
