"""Who won which prize: from the final standings and the scores, without a database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Candidate(NamedTuple):
    """Somebody who may have won something. `rank` is None for who is not ranked, `best` without a score."""

    entry: str
    player: str
    name: str
    rank: int | None
    best: int | None
    is_newcomer: bool


class Award(NamedTuple):
    """A prize, with all who share it, best place first; empty where nobody qualifies."""

    kind: str
    place: int | None
    name: str
    winners: Sequence[Candidate]


def awards_of(prizes: Iterable[Mapping[str, Any]], candidates: Sequence[Candidate]) -> list[Award]:
    """Return the prizes in their order, each with its winners."""
    return [
        Award(prize["kind"], prize.get("place"), prize["name"], sorted(_winners(prize, candidates), key=_order))
        for prize in prizes
    ]


def _order(each: Candidate) -> tuple[bool, int, str, str]:
    return each.rank is None, each.rank or 0, each.name, each.entry


def _winners(prize: Mapping[str, Any], candidates: Sequence[Candidate]) -> list[Candidate]:
    match prize["kind"]:
        case "place":
            return _at(prize["place"], candidates)
        case "best_sheet":
            best = max((each.best for each in candidates if each.best is not None), default=None)
            return [each for each in candidates if best is not None and each.best == best]
        case "best_newcomer":
            return _first([each for each in candidates if each.is_newcomer])
        case _:
            return [each for each in candidates if each.entry == prize.get("entry")]


def _at(place: int, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return who is at a place. Two who share the first place have the second between them too."""
    ranks = sorted(each.rank for each in candidates if each.rank is not None)
    return [each for each in candidates if place <= len(ranks) and each.rank == ranks[place - 1]]


def _first(candidates: Sequence[Candidate]) -> list[Candidate]:
    rank = min((each.rank for each in candidates if each.rank is not None), default=None)
    return [each for each in candidates if rank is not None and each.rank == rank]
