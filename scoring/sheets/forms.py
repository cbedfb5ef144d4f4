"""A score sheet on a page: the fields of a report, what is found about them, and where they are sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict

from engines.base import Engine, Variant
from scoring import validation
from scoring.sheets import SHEETS
from scoring.sheets.base import SeatName, Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where a sheet goes. Without `send` it is only checked; without `draft` it is kept on the phone alone.

    `key` is the Idempotency-Key of a sheet sent by the plain form, `then` the page to show after sending.
    """

    draft: str = ""
    version: int = 0
    send: str = ""
    key: str = ""
    then: str = ""


@dataclass(frozen=True)
class SheetForm:
    """The score sheet of a table, ready for `scoring/_sheet.html`. `judged` says whether findings are shown."""

    engine: Engine
    variant: Variant
    people: Sequence[SeatName]
    report: Mapping[str, Any]
    links: Links = Links()
    judged: bool = False

    @property
    def sheet(self) -> Sheet:
        """The sheet of the game."""
        return SHEETS[self.engine.slug]

    @property
    def seats(self) -> list[SeatName]:
        """The labels of the report, with the partners no person plays."""
        return seats_of(self.variant, self.people)

    @property
    def fields(self) -> dict[str, Any]:
        """What the game's own template shows."""
        return self.sheet.context(self.variant.slug, self.seats, self.report)

    @cached_property
    def verdict(self) -> dict[str, Any] | None:
        """What the rules say; None while nobody has asked."""
        names = {seat.uid: seat.name for seat in self.seats}
        return validation.check(self.engine, dict(self.report), names) if self.judged else None

    @property
    def findings(self) -> dict[str, list[str]]:
        """The errors and warnings in words, by the field they belong to."""
        found: dict[str, list[str]] = {}
        if self.verdict:
            for each in (*self.verdict["errors"], *self.verdict["warnings"]):
                found.setdefault(self.sheet.field_of(tuple(each["path"])), []).append(each["message"])
        return found

    @property
    def placings(self) -> list[dict[str, Any]]:
        """Every seat in seating order, with rank and score once the sheet is right."""
        rows = (self.verdict["standings"] if self.verdict else None) or []
        by_seat = {row["seat"]: row for row in rows}
        return [{"seat": seat, **by_seat.get(seat.uid, {"rank": None, "score": None})} for seat in self.seats]

    @property
    def labels(self) -> str:
        """The seats as the script reads them."""
        return json.dumps([seat._asdict() for seat in self.seats], ensure_ascii=False)

    def read(self, data: QueryDict) -> dict[str, Any]:
        """Return the report a sent form says."""
        return self.sheet.read(data, self.variant.slug, self.seats)


def seats_of(variant: Variant, people: Sequence[SeatName]) -> list[SeatName]:
    """Return the seats of a report: the people, and the partners of the variant."""
    known = {seat.uid for seat in people}
    return [*people, *(SeatName(partner, partner) for partner in variant.partners if partner not in known)]
