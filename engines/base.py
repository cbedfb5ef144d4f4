"""What all engines share: findings, verdicts, standings, and the description of a game.

Knows no server, clock, database or language of a reader; messages are rendered in `engines.words`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from engines.play import Play

Path: TypeAlias = tuple[str | int, ...]
Rng: TypeAlias = random.Random
Report: TypeAlias = Mapping[str, Any]


_FRENCH_SPACES = {" :": "\u00a0:", "« ": "«\u00a0", " »": "\u00a0»", " ;": "\u202f;", " !": "\u202f!", " ?": "\u202f?"}


@lru_cache(maxsize=4096)  # texts of clubs come and go
def _typeset(french: str) -> str:
    """Keep punctuation on the line of its word."""
    for written, set_so in _FRENCH_SPACES.items():
        french = french.replace(written, set_so)
    return french


class Words(NamedTuple):
    """One text in the languages of the product."""

    en: str
    fr: str

    def into(self, language: str) -> str:
        """Return the text for a language code such as `fr` or `fr-ca`; English where there is none."""
        return _typeset(self.fr) if language.partition("-")[0].lower() == "fr" else self.en

    def filled(self, **facts: object) -> Words:
        """Return the text with its placeholders filled; facts that are words themselves in their own language."""
        return Words(
            self.en.format(**{name: each.en if isinstance(each, Words) else each for name, each in facts.items()}),
            self.fr.format(**{name: each.fr if isinstance(each, Words) else each for name, each in facts.items()}),
        )


def tenths(number: float) -> Words:
    """Write a number with one decimal, after a point in English and a comma in French."""
    text = f"{number:.1f}"
    return Words(text, text.replace(".", ","))


class RuleError(ValueError):
    """A move breaks a rule; `code` is stable, `facts` fill the message."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with, or odd about, a report.

    `facts` fill the message; the fact `seat` is the label of the seat it concerns, where there is one.
    """

    code: str
    path: Path
    facts: Mapping[str, object] = field(default_factory=dict)


class Standing(NamedTuple):
    """The place of one seat. `key` alone decides the rank, higher first; `score` is what people call the result."""

    seat: str
    rank: int
    score: int
    key: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """Return the row as it stands in a verdict."""
        return {"seat": self.seat, "rank": self.rank, "score": self.score, "key": list(self.key)}


class Verdict(NamedTuple):
    """The answer to a report: every error and warning, and the standings if there is no error."""

    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    standings: tuple[Standing, ...] | None = None

    @property
    def ok(self) -> bool:
        """Whether the report breaks no rule."""
        return not self.errors


def standings(seats: Sequence[str], scores: Sequence[int], keys: Sequence[tuple[int, ...]]) -> tuple[Standing, ...]:
    """Return a row per seat, sorted by rank and then seating order; equal keys share a rank: 1, 1, 3."""
    rows: list[Standing] = []
    rank, last = 0, None
    # A stable sort: seats with equal keys stay in seating order, also in reverse.
    for place, index in enumerate(sorted(range(len(keys)), key=keys.__getitem__, reverse=True), 1):
        key = keys[index]
        if key != last:
            rank, last = place, key
        rows.append(Standing(seats[index], rank, scores[index], key))
    return tuple(rows)


class Shape(BaseModel):
    """Base of all report and request shapes: strict types, nothing undocumented."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play a game: how many seats it has and the shape of its report.

    `seats_min` and `seats_max` count the labels in a report; `partners` are seats no person sits on (`ALIX`).
    """

    slug: str
    name: Words
    seats_min: int
    seats_max: int
    shape: type[Shape]
    partners: tuple[str, ...] = ()

    @property
    def people(self) -> range:
        """How many people can play it; partners are not counted."""
        return range(self.seats_min - len(self.partners), self.seats_max - len(self.partners) + 1)

    @property
    def is_solo(self) -> bool:
        """Whether one person plays alone, for the record and not against others."""
        return self.people[-1] == 1


class KeyWords(NamedTuple):
    """How a reader is told what one element of a standings key decided.

    `level` says that two seats are equal in it ("level on points"), `ahead` and `behind` compare two values
    (`{own}`, `{other}`) from the side of the winner and of the loser. None where the scores say enough.
    `sign` is -1 where the key holds a negated number because less is better.
    """

    level: Words | None = None
    ahead: Words | None = None
    behind: Words | None = None
    sign: int = 1


@dataclass(frozen=True, slots=True, eq=False)  # one per game: it is the same only as itself
class Engine:
    """A game as the rest of the product sees it. `slug` is what its reports say under `game`."""

    slug: str
    name: Words
    summary: Words
    variants: tuple[Variant, ...]
    check: Callable[[object], Verdict]
    """Judge a report of this game: never raises, whatever it is given."""
    minimal: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Strip a valid report of its evidence. Two sheets that say the same have equal minimal layers."""
    messages: Mapping[str, Words]
    """Text per code without the slug; placeholders are the finding's facts, `{place}` is the path in words."""
    place: Callable[[Path, str], str]
    """Say where a path points, in a language and without the seat: `("block", "ana", "phases", 3)` is "Phase 4"."""
    keys: Mapping[str, tuple[KeyWords, ...]]
    """Per variant, what each element of a standings key means."""
    solo_title: Callable[[Report, str], Words | None] = lambda _report, _winner: None
    """What the rulebook calls the result of a valid solo report that a seat won; None where it has no name for it."""
    is_worked_out: Callable[[Path], bool] = lambda _path: False
    """Whether a value of a sheet follows from others on it: nobody is asked which of two is right."""
    is_one_value: Callable[[Path], bool] = lambda _path: False
    """Whether a list of a sheet makes sense only as a whole, such as who came first, second and third."""
    is_assumed: Callable[[Path, object], bool] = lambda _path, _value: False
    """Whether a value is what stands there until somebody says more."""
    row: Words | None = None
    """How a row of the standings is said, where the score is not simply points."""
    is_low: bool = False
    """Whether the lowest score wins."""
    stored: str = ""
    """What results are kept under, where that is not the slug: two clubs may have a game of one name."""

    @property
    def key(self) -> str:
        """What tells the game from every other."""
        return self.stored or self.slug

    @property
    def icon(self) -> str:
        """The picture that stands for it."""
        return "custom" if self.stored else self.slug

    def variant(self, slug: str) -> Variant:
        """Return a variant by its slug; KeyError if the game does not have it."""
        for variant in self.variants:
            if variant.slug == slug:
                return variant
        raise KeyError(slug)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompleteEngine(Engine):
    """A game that we know by heart: it helps with positions, and plays."""

    assist_shape: type[Shape]
    assist: Callable[[Any], dict[str, Any]]
    """Help with a position; takes an `assist_shape`, returns a JSON object."""
    play: Play
