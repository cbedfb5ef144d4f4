"""Work out which dice the players of 10 Phases keep of every throw, and write `engines/data/keeps.zip`.

Prints per phase how many bytes are not those that the file had: none, unless the players have other aims, or
expectations are worked out otherwise. Takes half a minute.
"""

from __future__ import annotations

import argparse
from functools import cache
from itertools import combinations, groupby
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from bench.tables import show
from engines.ten_phases.expectation import Half, Table, halves, keep_values
from engines.ten_phases.keeping import NEARLY
from engines.ten_phases.kept import KEEPS, Aim, name_of
from engines.ten_phases.pieces import PHASES
from engines.ten_phases.play.aims import every_aim

Grid = NDArray[np.int64]


def run(arguments: list[str]) -> None:
    """Work the tables out, say what changed, and write them."""
    parser = argparse.ArgumentParser(prog="./run bench keeps", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write no table")
    options = parser.parse_args(arguments)
    before, aims = _written(Path(str(KEEPS))), every_aim()
    now = {name_of(*each): work_out(*each) for each in aims}
    rows = []
    for number, group in groupby(aims, key=lambda each: each[0]):
        names = [name_of(*each) for each in group]
        changed = sum(_differences(before.get(name, b""), now[name]) for name in names)
        rows.append((number + 1, len(names), sum(len(now[name]) for name in names), changed))
    show("Dice to keep", ("phase", "aims", "bytes", "not as in the file"), rows)
    if not options.keep:
        _write(Path(str(KEEPS)), now)


def work_out(number: int, aim: Aim) -> bytes:
    """Return what the file of a phase, counted from 0, and an aim holds."""
    return b"".join([_choices(table) for table in keep_values(PHASES[number], aim.floor, aim.prize)])


def _choices(table: Table) -> bytes:
    """Return which of the high dice are kept of every throw, and then which of the low ones.

    What can be kept is compared as `keeping.rank` does, then by its place in the table, so that one is the best: the
    best of the high dice for every low hand, and of those the best low hand.
    """
    high, low = halves()
    sizes = np.add.outer([len(hand) for hand in high.hands], [len(hand) for hand in low.hands])
    places = np.arange(sizes.size).reshape(sizes.shape)
    ranks = (np.rint(np.array(table) / NEARLY).astype(np.int64) << 4 | sizes) * sizes.size + places
    by_high = np.array([ranks[list(parts)].max(axis=0) for parts in _bits(high)])
    best: Grid = np.array([by_high[:, list(parts)].max(axis=1) for parts in _bits(low)]).T
    kept_high, kept_low = np.divmod(best % sizes.size, sizes.shape[1])
    return _written_as(high, kept_high) + _written_as(low, kept_low.T, is_turned=True)


@cache
def _bits(half: Half) -> list[dict[int, int]]:
    """Return per throw the hands that can be kept of it, each with a bit for every die in ascending order."""
    return [
        {
            half.index[tuple(hand[place] for place in part)]: sum(1 << place for place in part)
            for size in range(len(hand) + 1)
            for part in combinations(range(len(hand)), size)
        }
        for hand in half.hands[half.open :]
    ]


def _written_as(half: Half, kept: Grid, *, is_turned: bool = False) -> bytes:
    bits = np.array(
        [[own[hand] for hand in row] for own, row in zip(_bits(half), kept.tolist(), strict=True)], np.uint8
    )
    return (bits.T if is_turned else bits).tobytes()


def _differences(before: bytes, now: bytes) -> int:
    return sum(map(int.__ne__, before, now)) if before else len(now)


def _written(path: Path) -> dict[str, bytes]:
    if not path.exists():
        return {}
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write(path: Path, tables: dict[str, bytes]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, table in tables.items():
            archive.writestr(ZipInfo(name), table, ZIP_DEFLATED)  # without a time: the same tables are the same file
