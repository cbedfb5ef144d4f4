"""The tie-breaks once more, as slowly and plainly as they are written down: in fractions, one player at a time."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from tests.scoring.rankings.standings.tables import NAMES

HALF = Fraction(1, 2)


def order_of(seat):
    return seat["forfeit"], seat["rank"]


def against(one, other):
    """Return what one seat has against another: 1 ahead, a half level, 0 behind."""
    if order_of(one) == order_of(other):
        return Fraction(0) if one["forfeit"] else HALF
    return Fraction(order_of(one) < order_of(other))


def placement(seats, seat):
    if seat["forfeit"]:
        return Fraction(0)
    others = [other for other in seats if other is not seat]
    return sum((against(seat, other) for other in others), Fraction()) / len(others) if others else HALF


def mean(values):
    values = list(values)
    return sum(values, Fraction()) / len(values) if values else Fraction(0)


class Event:
    """Tables of named seats."""

    def __init__(self, tables):
        self.tables = [seats for _round, seats, _final in tables]

    def seats_of(self, name):
        """Return the tables of a player, each with their seat."""
        return [(seats, seat) for seats in self.tables for seat in seats if seat["name"] == name]

    def points(self, name):
        return sum((placement(seats, seat) for seats, seat in self.seats_of(name)), Fraction())

    def wins(self, name, tied):
        won = Fraction(0)
        for seats, _seat in self.seats_of(name):
            first = [seat["name"] for seat in seats if seat["rank"] == 1 and not seat["forfeit"]]
            won += Fraction(name in first, max(len(first), 1))
        return won

    def opponents(self, name, tied):
        means = []
        for seats, _seat in self.seats_of(name):
            for other in seats:
                without = [
                    placement(theirs, seat)
                    for theirs, seat in self.seats_of(other["name"])
                    if all(each["name"] != name for each in theirs)
                ]
                if without:
                    means.append(mean(without))
        return mean(means)

    def score_share(self, name, tied):
        def counted(seat):
            return 0 if seat["forfeit"] else max(seat["score"] or 0, 0)

        sums = [(counted(seat), sum(map(counted, seats))) for seats, seat in self.seats_of(name)]
        return mean(Fraction(own, whole) for own, whole in sums if whole)

    def head_to_head(self, name, tied):
        met = {
            frozenset((one["name"], other["name"])) for seats in self.tables for one, other in combinations(seats, 2)
        }
        if len(tied) == 1 or any(frozenset(pair) not in met for pair in combinations(tied, 2)):
            return None
        return sum(
            (
                against(seat, other)
                for seats, seat in self.seats_of(name)
                for other in seats
                if other["name"] in tied and other["name"] != name
            ),
            Fraction(),
        )

    def best_table(self, name, tied):
        scores = [seat["score"] for _seats, seat in self.seats_of(name) if not seat["forfeit"]]
        return max((score for score in scores if score is not None), default=None)

    def ranked(self, size, tiebreaks):
        """Return the order as text, ties in brackets."""
        names = NAMES[:size]
        groups = self.split([list(names)], lambda name, _tied: bool(self.seats_of(name)))
        groups = self.split(groups, lambda name, _tied: self.points(name))
        for key in tiebreaks:
            groups = self.split(groups, getattr(self, key))
        return "".join(each[0] if len(each) == 1 else f"({''.join(each)})" for each in groups)

    @staticmethod
    def split(groups, value):
        result = []
        for group in groups:
            values = {name: value(name, group) for name in group}
            known = sorted({each for each in values.values() if each is not None}, reverse=True)
            result += [[name for name in group if values[name] == each] for each in known]
            if unknown := [name for name in group if values[name] is None]:
                result.append(unknown)
        return result
