"""Phones that hold links."""

from __future__ import annotations

from django.test import Client

from tournaments.access import credentials
from tournaments.models import Entry, Table


def link_of(entry: Entry) -> str:
    """Return the secret of a personal link."""
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def slip_of(table: Table) -> str:
    """Return the secret on a table's slip."""
    return credentials.derive(credentials.TABLE, table.uid, table.generation)


def phone_of(entry: Entry) -> Client:
    """Return a phone that holds a player's personal link."""
    client = Client()
    client.cookies[f"phone-{entry.event.uid}"] = link_of(entry)
    return client
