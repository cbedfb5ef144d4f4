"""The groups of dice and how they move. Knows positions and dice, nothing of players, hands or turns.

A group is an integer whose octal digits count its dice, one digit per face from `a1` to `z6`; a Gap is 0. So
picking dice is a mask and joining groups is an addition, and no digit overflows: a colour has only six dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import TypeAlias

from engines.dice_run.pieces import VALUES

Group: TypeAlias = int
Groups: TypeAlias = tuple[Group, ...]
"""The race from front to back, Gaps included."""

NO_DICE: Group = 0
_FACES = [colour + value for colour in ascii_lowercase for value in VALUES]
_DIGIT = 3  # bits
DIE: Mapping[str, Group] = {face: 1 << (_DIGIT * index) for index, face in enumerate(_FACES)}
"""A group of one die, by its face."""
_ONES = sum(DIE.values())


def _mask(feature: str) -> Group:
    return 7 * sum(one for face, one in DIE.items() if feature in face)


MASK: Mapping[str, Group] = {feature: _mask(feature) for feature in ascii_lowercase + VALUES}
"""Every die of a colour or of a value, as many as there can be."""


def group_of(dice: Iterable[str]) -> Group:
    """Put dice together."""
    return sum([DIE[die] for die in dice])


def dice_of(group: Group) -> list[str]:
    """Return the dice of a group, sorted."""
    dice: list[str] = []
    while group:
        index = ((group & -group).bit_length() - 1) // _DIGIT
        count = group >> (_DIGIT * index) & 7
        dice += [_FACES[index]] * count
        group -= count << (_DIGIT * index)
    return dice


def size(group: Group) -> int:
    """Count the dice of a group."""
    ones, twos, fours = group & _ONES, group >> 1 & _ONES, group >> 2 & _ONES
    return ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()


def has_dice(group: Group, dice: Sequence[str]) -> bool:
    """Tell whether all these dice are in a group together."""
    return all(group // DIE[die] & 7 >= dice.count(die) for die in dice)


def count_groups(groups: Groups) -> int:
    """Count the groups, Gaps left out."""
    return len(groups) - groups.count(NO_DICE)


def position(groups: Groups, number: int) -> int:
    """Return where the group of a number stands: numbers count from 1 at the front and leave Gaps out."""
    return [index for index, group in enumerate(groups) if group][number - 1]


def advance(groups: Groups, mask: Group) -> Groups:
    """Move every die the mask picks up to the group ahead; those of the front group break away from the others."""
    front = groups[0]
    movers = front & mask
    out = [movers, front - movers] if movers and movers != front else [front]
    for group in groups[1:]:
        movers = group & mask
        if movers:
            out[-1] += movers
        if movers != group or not group:
            out.append(group - movers)
    return _tidy(out)


def swap(groups: Groups, index: int) -> Groups:
    """Exchange the group at a position with the one behind it."""
    return (*groups[:index], groups[index + 1], groups[index], *groups[index + 2 :])


def break_away(groups: Groups, leaders: Group) -> Groups:
    """Let some dice of the front group form a new one."""
    return (leaders, groups[0] - leaders, *groups[1:])


def come_back(groups: Groups) -> Groups:
    """Bring the last group directly behind the front group."""
    return _tidy([groups[0], groups[-1], *groups[1:-1]]) if len(groups) > 1 else groups


def turn_over(groups: Groups, index: int, value: int) -> Groups:
    """Turn all dice of a value in one group to the opposite face."""
    group = groups[index]
    turned = group & MASK[str(value)]
    steps = _DIGIT * (7 - 2 * value)
    opposite = turned << steps if steps > 0 else turned >> -steps
    return (*groups[:index], group - turned + opposite, *groups[index + 1 :])


def open_gap(groups: Groups, index: int) -> Groups:
    """Lay a Gap directly behind the group at a position."""
    return (*groups[: index + 1], NO_DICE, *groups[index + 1 :])


def fall_back(groups: Groups, die: Group) -> Groups:
    """Send a die of the front group to the last group."""
    out = list(groups)
    out[0] -= die
    out[-1] += die
    return _tidy(out)


def put_group(groups: Groups, index: int, group: Group) -> Groups:
    """Put other dice in the place of a group."""
    return (*groups[:index], group, *groups[index + 1 :])


def swappable(groups: Groups) -> list[int]:
    """Return the positions of groups that may be exchanged with the one directly behind; never the front group's."""
    return [index for index in range(1, len(groups) - 1) if groups[index] and groups[index + 1]]


def _tidy(groups: list[Group]) -> Groups:
    """Drop an emptied front group and the Gaps that no longer lie between two groups."""
    while not groups[-1]:
        groups.pop()
    first = 0
    while not groups[first]:
        first += 1
    return tuple(groups[first:])
