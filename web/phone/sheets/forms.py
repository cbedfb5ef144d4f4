"""A score sheet on a page: the fields of a report, what is found about them, and where they are sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from core import strict_json
from core.short_names import short_names
from engines.base import Engine, Variant
from engines.custom import CustomEngine
from scoring import rules, sheet_differences
from tournaments.models import Event
from web.phone.sheets import sheet_of
from web.phone.sheets.base import SeatName, Sheet
from web.phone.sheets.evidence import FRAME, merged, split

KEPT = "kept"  # the field, and the place for findings, of evidence that has no field of its own
LEAVE_OUT = "leave_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where a sheet goes. Without `send` it is only checked; without `draft` it is kept on the phone alone.

    `key` is the Idempotency-Key of a sheet sent by the plain form, `then` the page to show after sending; a sheet of
    a club's own game is judged at `check`. `author` is who a draft says wrote it.
    """

    draft: str = ""
    version: int = 0
    send: str = ""
    key: str = ""
    then: str = ""
    check: str = ""
    author: str = ""


@dataclass(frozen=True)
class SheetForm:
    """The score sheet of a table, ready for `phone/_sheet.html`.

    `judged` says whether findings are shown; `corrected` is the sheet sent before that this one is to correct.
    """

    engine: Engine
    variant: Variant
    people: Sequence[SeatName]
    report: Mapping[str, Any]
    links: Links = Links()
    judged: bool = False
    corrected: Mapping[str, Any] | None = None

    @property
    def before(self) -> str:
        """The sheet that is corrected, as the script reads it; empty where there is none."""
        return json.dumps(self.corrected, ensure_ascii=False) if self.corrected else ""

    @cached_property
    def sheet(self) -> Sheet:
        """The sheet of the game."""
        return sheet_of(self.engine)

    @property
    def check(self) -> str:
        """Where a script has it judged."""
        return self.links.check or reverse("api:check", args=[self.engine.slug])

    @property
    def assist(self) -> str:
        """Where a script asks for help; a club's own game has none to give."""
        return "" if self.links.check else reverse("api:assist", args=[self.engine.slug])

    @cached_property
    def seats(self) -> list[SeatName]:
        """The labels of the report, with the partners no person plays."""
        seats = seats_of(self.variant, self.people)
        short = short_names(seat.name for seat in seats if seat.name)
        return [seat._replace(short=short.get(seat.name, "")) for seat in seats]

    @property
    def fields(self) -> dict[str, Any]:
        """What the game's own template shows."""
        return self.sheet.context(self.variant.slug, self.seats, self.report)

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        return split(self.report, FRAME + self.sheet.fields)

    @property
    def kept(self) -> str:
        """The evidence that has no field, as the form carries it; empty where there is none."""
        is_of_these = self.report.get("seats") == [seat.uid for seat in self.seats]
        return json.dumps(self._parts[1], ensure_ascii=False) if is_of_these and self._parts[1] else ""

    @cached_property
    def verdict(self) -> dict[str, Any] | None:
        """What the rules say; None while nobody has asked."""
        return self._check(dict(self.report)) if self.judged else None

    def _check(self, report: object) -> dict[str, Any]:
        return rules.check(self.engine, report, {seat.uid: seat.name for seat in self.seats})

    @property
    def findings(self) -> dict[str, list[str]]:
        """The errors in words, by the field they belong to."""
        found: dict[str, list[str]] = {}
        errors = self.verdict["errors"] if self.verdict else ()
        # What goes away with the evidence that has no field is a contradiction between that and the fields.
        fielded = self._check(self._parts[0])["errors"] if errors and self.kept else errors
        for each in errors:
            name = self.sheet.field_of(tuple(each["path"])) if each in fielded else KEPT
            found.setdefault(name, []).append(each["message"])
        return found

    @property
    def questions(self) -> dict[str, list[str]]:
        """The warnings as questions, by the field they belong to."""
        asked: dict[str, list[str]] = {}
        for each in self.verdict["warnings"] if self.verdict else ():
            question = f"{each['message']} {_('Is that what happened?')}"
            asked.setdefault(self.sheet.field_of(tuple(each["path"])), []).append(question)
        return asked

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

    def place(self, field: str) -> str:
        """Say in words where a field stands, without its seat; for a script, which knows no rules."""
        path = tuple(int(step) if step.isdecimal() else step for step in field.split("."))
        return sheet_differences.place(self.engine, path)

    def read(self, data: QueryDict) -> dict[str, Any]:
        """Return the report a sent form says, with the evidence that has no field unless it is to be left out."""
        report = self.sheet.read(data, self.variant.slug, self.seats)
        return report if LEAVE_OUT in data else dict(merged(report, self._carried(data)))

    def _carried(self, data: QueryDict) -> Any:
        try:
            carried = strict_json.read(data.get(KEPT, ""))
        except ValueError:
            return None
        return split(carried, FRAME + self.sheet.fields)[1]


def check_of(event: Event) -> str:
    """Return where a script has sheets of an event judged, if it is of a club's own game; else nothing."""
    engine = event.engine
    if not isinstance(engine, CustomEngine):
        return ""
    where = [event.club.slug, engine.definition.slug, engine.version]
    return reverse("api:own-game-version-check", args=where)


def seats_of(variant: Variant, people: Sequence[SeatName]) -> list[SeatName]:
    """Return the seats of a report: the people, and the partners of the variant."""
    known = {seat.uid for seat in people}
    return [*people, *(SeatName(partner, partner) for partner in variant.partners if partner not in known)]
