"""Put together what several phones wrote on one sheet: three sheets in, one out. Plain values alone, of any shape.

A value that only one side changed since the base is taken. One that both changed, to different things, is a clash: the
sheet keeps what is there, and the clash says what the other side wrote, so that somebody can be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
DEEPEST = 12  # what lies deeper is one value: no sheet of ours goes half as deep


class Clash(NamedTuple):
    """One value that two phones changed differently since they last agreed; None where one of them took it away."""

    path: Path
    theirs: Any
    yours: Any


class Merged(NamedTuple):
    """A sheet that several wrote, and what has to be asked about it."""

    sheet: dict[str, Any]
    clashes: tuple[Clash, ...]


@dataclass(frozen=True, slots=True)
class Habits:
    """What a game knows of its values: which follow from others, which lists are one value, which are mere guesses."""

    is_worked_out: Callable[[Path], bool] = lambda _path: False
    is_one_value: Callable[[Path], bool] = lambda _path: False
    is_assumed: Callable[[Path, Any], bool] = lambda _path, _value: False


@dataclass(slots=True)
class _Merging:
    habits: Habits
    clashes: list[Clash] = field(default_factory=list)

    def merge(self, base: Any, theirs: Any, yours: Any, path: Path = ()) -> Any:
        """Return what both sides together say of a value; None is nothing."""
        kind = None if self.habits.is_one_value(path) else _kind(theirs, yours, path)
        if kind is not None:
            act: Callable[..., Any] = self._by_name if kind is dict else self._by_place
            known: Any = base if isinstance(base, kind) else kind()
            # What one side took away with everything in it is gone, unless the other side has put something there.
            return act(known, theirs or kind(), yours or kind(), path) or (None if None in (theirs, yours) else kind())
        if same(yours, base) or same(yours, theirs) or self.habits.is_worked_out(path):
            return theirs
        if same(theirs, base):
            return yours
        if base is None and self.habits.is_assumed(path, theirs):
            return yours
        if not (base is None and self.habits.is_assumed(path, yours)):
            self.clashes.append(Clash(path, theirs, yours))
        return theirs

    def _by_name(
        self, base: dict[str, Any], theirs: dict[str, Any], yours: dict[str, Any], path: Path
    ) -> dict[str, Any]:
        names = dict.fromkeys([*theirs, *yours])
        merged = {name: self.merge(base.get(name), theirs.get(name), yours.get(name), (*path, name)) for name in names}
        return {name: value for name, value in merged.items() if value is not None}

    def _by_place(self, base: list[Any], theirs: list[Any], yours: list[Any], path: Path) -> list[Any]:
        places = range(max(len(theirs), len(yours)))
        merged = [self.merge(_at(base, at), _at(theirs, at), _at(yours, at), (*path, at)) for at in places]
        while merged and merged[-1] is None:
            merged.pop()
        return merged


def merge(
    *, base: Mapping[str, Any], theirs: Mapping[str, Any], yours: Mapping[str, Any], habits: Habits | None = None
) -> Merged:
    """Return the sheet that has what both sides changed since the base, and where they contradict each other.

    Nothing is lost but what a clash says. Where there is none the sides may change places, and the same changes merged
    a second time change nothing. An empty place of a list is None, and the end of a list has none.
    """
    merging = _Merging(habits or Habits())
    sheet = merging.merge(dict(base), dict(theirs), dict(yours))
    return Merged(sheet, tuple(merging.clashes))


def values(sheet: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value of a sheet with its path, in order; nothing where there is none."""
    if isinstance(sheet, dict) and len(path) < DEEPEST:
        for name, inner in sheet.items():
            yield from values(inner, (*path, name))
    elif isinstance(sheet, list) and len(path) < DEEPEST:
        for at, inner in enumerate(sheet):
            yield from values(inner, (*path, at))
    elif sheet is not None:
        yield path, sheet


def same(one: Any, other: Any) -> bool:
    """Say whether two values are the same, with all that is in them; yes and no are not one and nought."""
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
            pairs.extend((inner, other[name]) for name, inner in one.items())
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            pairs.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) != isinstance(other, bool) or one != other:
            return False
    return True


def _kind(theirs: Any, yours: Any, path: Path) -> type | None:
    """Return what both sides have in common where that has parts; one of them may have nothing there."""
    kind = type(yours if theirs is None else theirs)
    has_parts = kind in (dict, list) and len(path) < DEEPEST
    return kind if has_parts and (yours is None or isinstance(yours, kind)) else None


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None
