"""An event as those who wait for its news know it, and what differs between two such states. Plain values alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple


class What(StrEnum):
    """What of an event changed, as readers of its news are told."""

    EVENT = "event"
    ENTRIES = "entries"
    ROUND = "round"
    TABLES = "tables"
    STANDINGS = "standings"


class Head(NamedTuple):
    """What one row says of an event. While it stays the same, nothing else has to be read."""

    version: int
    is_over: bool
    is_open_to_all: bool
    done: int  # how far its standings are computed, and ought to be
    wanted: int
    rated: int  # how far the ratings of its game are computed
    drafts: int = 0  # how many sheets are being filled in, and how often they were saved
    saves: int = 0


class Place(NamedTuple):
    """An entry's place in the standings."""

    rank: int
    points: int
    tables: int


@dataclass(frozen=True)
class EventState:
    """Everything about an event that somebody may wait for; people and tables by their keys.

    The values of `fields`, `entries`, `rounds`, `tables` and `ratings` are only compared. `rounds` are those that all
    see; a round of open play belongs to its table. `ratings` are what the event did to them, by entry. `drafts` are
    sheets that are being filled in: they concern their own tables alone, and leave the version as it is.
    """

    uid: str
    head: Head
    fields: tuple[Any, ...] = ()
    entries: Mapping[int, Any] = field(default_factory=dict)
    rounds: Mapping[int, Any] = field(default_factory=dict)
    tables: Mapping[int, Any] = field(default_factory=dict)
    seats: Mapping[int, frozenset[int]] = field(default_factory=dict)  # entries by table
    places: Mapping[int, Place] = field(default_factory=dict)
    ranked: int = 0
    ratings: Mapping[int, Any] = field(default_factory=dict)
    drafts: Mapping[int, int] = field(default_factory=dict)  # versions by table

    @property
    def version(self) -> int:
        """A number that rises with every change: both of the event and of its standings only ever rise."""
        return self.head.version + self.head.done

    @property
    def is_settled(self) -> bool:
        """Whether the event is over and its standings are computed."""
        return self.head.is_over and self.head.done == self.head.wanted


@dataclass(frozen=True)
class Difference:
    """What happened between two states of an event."""

    before: EventState
    after: EventState

    @cached_property
    def what(self) -> tuple[What, ...]:
        """What changed; nothing where the versions are the same."""
        if self.before.version == self.after.version:
            return ()
        parts = {
            What.EVENT: self.before.fields != self.after.fields,
            What.ENTRIES: self.before.entries != self.after.entries,
            What.ROUND: self.before.rounds != self.after.rounds,
            What.TABLES: bool(self.tables),
            What.STANDINGS: self.before.head.done != self.after.head.done,
        }
        # Whatever raises an event's version, and is none of these, is said to be of the event itself.
        return tuple(what for what, is_new in parts.items() if is_new) or (What.EVENT,)

    @cached_property
    def is_for_all(self) -> bool:
        """Whether every player's page shows it: something of the event, or of the round that is on."""
        return self.before.fields != self.after.fields or self.before.rounds != self.after.rounds

    @cached_property
    def tables(self) -> frozenset[int]:
        """The tables at which something changed, with those that came and went."""
        return _changed(self.before.tables, self.after.tables)

    @cached_property
    def drafts(self) -> frozenset[int]:
        """The tables whose sheet, while it is filled in, was saved anew."""
        return _changed(self.before.drafts, self.after.drafts)

    @cached_property
    def entries(self) -> frozenset[int]:
        """The entries whose own pages show something new, not counting what is for all and what is a mere place."""
        own = _changed(self.before.entries, self.after.entries) | _changed(self.before.ratings, self.after.ratings)
        return own.union(self.seated, _changed(_scores(self.before.places), _scores(self.after.places)))

    @cached_property
    def seated(self) -> frozenset[int]:
        """The entries at whose own tables something changed."""
        states = (self.before, self.after)
        return frozenset(entry for table in self.tables for state in states for entry in state.seats.get(table, ()))

    def moves(self, entry: int) -> bool:
        """Say whether an entry has another place, or one among others than before."""
        before, after = self.before.places.get(entry), self.after.places.get(entry)
        return after is not None and (before is None or before.rank != after.rank or self._is_ranked_otherwise)

    @property
    def _is_ranked_otherwise(self) -> bool:
        return self.before.ranked != self.after.ranked


def _scores(places: Mapping[int, Place]) -> dict[int, tuple[int, int]]:
    return {entry: (place.points, place.tables) for entry, place in places.items()}


def _changed(before: Mapping[int, Any], after: Mapping[int, Any]) -> frozenset[int]:
    if before is after:
        return frozenset()
    keys: Iterable[int] = before.keys() | after.keys()
    return frozenset(key for key in keys if before.get(key) != after.get(key))
