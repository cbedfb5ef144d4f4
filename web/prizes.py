"""How an event ended, as the projector, pages, phones and paper show it: the podium, and who won which prize."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from core.ordinals import ordinal
from scoring.models import StandingRow
from scoring.rankings.prizes import Award, Candidate
from scoring.selectors import awards
from tournaments.models import Event, PrizeKind, Round

STEPS = 3
MOST_ON_A_STEP = 6  # who share a place and are named; there may be as many as play


class Step(NamedTuple):
    """A step of the podium: a place, some of those who have it, and how many more do."""

    rank: int
    names: Sequence[str]
    more: int


class Podium(NamedTuple):
    """The steps of a podium; `has_final` where a final decided the first place."""

    steps: Sequence[Step]
    has_final: bool


class Won(NamedTuple):
    """A prize with the words for what it is for, which are empty where its name says all."""

    title: str
    name: str
    winners: Sequence[Candidate]

    @property
    def names(self) -> Sequence[str]:
        """The names of as many winners as are named in a list."""
        return [each.name for each in self.winners[:MOST_ON_A_STEP]]

    @property
    def more(self) -> int:
        """How many winners are not."""
        return max(0, len(self.winners) - MOST_ON_A_STEP)


class Closing(NamedTuple):
    """The end of an event."""

    podium: Podium
    prizes: Sequence[Won]


def closing_of(event: Event, rows: Sequence[Mapping[str, Any]], rounds: Sequence[Round]) -> Closing | None:
    """Return how an event ended, by its standings and rounds; None before it is finished. Prizes take one query."""
    if event.status != Event.Status.FINISHED:
        return None
    first = (row for row in rows if row["is_ranked"] and row["tables"] and row["rank"] <= STEPS)
    steps = _steps((row["rank"], row["player"]["name"]) for row in first)
    has_final = any(each.kind == Round.Kind.FINAL and each.status == Round.Status.CLOSED for each in rounds)
    return Closing(Podium(steps, has_final), won_in(event))


def podium_of(event: Event) -> Podium | None:
    """Return who came first in an event, in one query; None, and without one, before it is finished."""
    if event.status != Event.Status.FINISHED:
        return None
    final = Round.objects.filter(event=OuterRef("event"), kind=Round.Kind.FINAL, status=Round.Status.CLOSED)
    rows = StandingRow.objects.filter(event=event, is_ranked=True, tables__gt=0, rank__lte=STEPS).order_by("place")
    found = list(rows.annotate(has_final=Exists(final)).values_list("rank", "entry__name", "has_final"))
    return Podium(_steps((rank, name) for rank, name, _final in found), has_final=any(row[2] for row in found))


def _steps(ranked: Iterable[tuple[int, str]]) -> list[Step]:
    names: dict[int, list[str]] = {}
    for rank, name in ranked:
        names.setdefault(rank, []).append(name)
    return [Step(rank, all_[:MOST_ON_A_STEP], len(all_[MOST_ON_A_STEP:])) for rank, all_ in names.items()]


def won_in(event: Event) -> list[Won]:
    """Return the prizes of an event with their winners; without a query where there are none."""
    return [Won(_title(award), award.name, award.winners) for award in awards(event)]


def won_by(event: Event, entry: str) -> list[Won]:
    """Return what an entry has won; without a query before the event is finished."""
    return [each for each in won_in(event) if any(winner.entry == entry for winner in each.winners)]


def _title(award: Award) -> str:
    match award.kind:
        case PrizeKind.PLACE:
            return _("{place} place").format(place=ordinal(award.place or 0))
        case PrizeKind.BEST_SHEET:
            return _("Best sheet")
        case PrizeKind.BEST_NEWCOMER:
            return _("Best newcomer")
        case _:
            return ""
