"""The ratings of some people at one moment, as columns."""

from __future__ import annotations

import zlib
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.rankings.ratings.model import START, Ints

PACKED = ("<i8", "<i4", "<i4", "<i8")  # a column after the other, which compresses better than rows


def find(keys: Ints, wanted: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Return where wanted keys are, or would be, among keys in order, and which are there."""
    places = np.searchsorted(keys, wanted)
    return places, np.append(keys, -1)[places] == wanted


@dataclass
class RatingState:
    """People by their keys in order, each with rating, tables rated, and when they last played.

    Times are in microseconds since 1970.
    """

    players: Ints
    ratings: Ints
    counts: Ints
    played: Ints

    @classmethod
    def newcomers(cls, players: Ints) -> RatingState:
        """Return people who have not been rated, and their keys in order."""
        zeros = np.zeros(len(players), np.int64)
        return cls(players, zeros + START, zeros.copy(), zeros)

    @classmethod
    def nobody(cls) -> RatingState:
        """Return a state before the first table."""
        return cls.newcomers(np.array([], np.int64))

    @classmethod
    def unpack(cls, packed: bytes) -> RatingState:
        """Read what `pack` wrote."""
        data, begin = zlib.decompress(packed), 0
        people = len(data) // sum(np.dtype(kind).itemsize for kind in PACKED)
        columns = []
        for kind in PACKED:
            columns.append(np.frombuffer(data, kind, people, begin).astype(np.int64))
            begin += people * np.dtype(kind).itemsize
        return cls(*columns)

    def pack(self) -> bytes:
        """Return the state as bytes that mean the same on every machine."""
        columns = zip(astuple(self), PACKED, strict=True)
        return zlib.compress(b"".join(column.astype(kind).tobytes() for column, kind in columns), level=1)

    def with_others(self, others: RatingState) -> RatingState:
        """Return these people and others."""
        columns = [np.concatenate(both) for both in zip(astuple(self), astuple(others), strict=True)]
        order = np.argsort(columns[0])
        return RatingState(*(column[order] for column in columns))

    def rows(self) -> dict[int, tuple[int, int, int]]:
        """Return rating, tables and time by player."""
        columns = (column.tolist() for column in (self.ratings, self.counts, self.played))
        return dict(zip(self.players.tolist(), zip(*columns, strict=True), strict=True))
