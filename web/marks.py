"""The mark of a player: a colour and a pattern that come from the id, so that they stay whatever the name becomes."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

SIZE = 5  # squares across the pattern
PATTERN = "#fffcf3"
# Each has a contrast of at least 4.5 : 1 with the pattern, and neighbours differ in lightness as well as in hue.
COLOURS = (
    "#17594a", "#a33b20", "#234f7d", "#7a5a00", "#7b2d6b", "#3f6212",
    "#9c2020", "#0e6b75", "#5a3d99", "#8a4b14", "#3b4a54", "#b0295c",
)  # fmt: skip


class Mark(NamedTuple):
    """A tile of one colour, and which squares of it the pattern takes, row by row."""

    colour: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def runs(self) -> list[tuple[int, int, int]]:
        """Return the pattern as few strips: column, row, and how many squares wide."""
        found = []
        for row, squares in enumerate(self.rows):
            start = None
            for column, is_taken in enumerate((*squares, False)):
                if is_taken and start is None:
                    start = column
                elif not is_taken and start is not None:
                    found.append((start, row, column - start))
                    start = None
        return found


def mark_of(uid: str) -> Mark:
    """Return the mark of a player by their id: symmetric, neither empty nor full, the same for ever."""
    digest = sha256(f"mark:{uid}".encode()).digest()
    half = SIZE // 2 + 1
    # Eight of the fifteen squares that decide, the first eight in an order that the id gives.
    order = sorted(range(SIZE * half), key=lambda square: digest[square + 1])
    taken = set(order[: SIZE * half // 2 + 1])
    rows = [[row * half + column in taken for column in range(half)] for row in range(SIZE)]
    return Mark(COLOURS[digest[0] % len(COLOURS)], tuple((*row, *row[-2::-1]) for row in rows))
