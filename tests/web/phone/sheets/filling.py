"""Score sheets as forms, and what a browser without JavaScript would send of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from django.http import QueryDict
from django.template.loader import render_to_string

from engines import GAMES
from web.phone.sheets.base import SeatName
from web.phone.sheets.forms import SheetForm

NAMES = ("Ana", "Bo", "Célestine", "Dag", "Eva Maria", "Fumiko", "Gus", "Hedwig")


def named(report: Mapping[str, Any]) -> list[SeatName]:
    """Return the seats of a report with names, without partners nobody plays."""
    variant = GAMES[report["game"]].variant(report["variant"])
    people = [uid for uid in report["seats"] if uid not in variant.partners]
    return [SeatName(uid, name) for uid, name in zip(people, NAMES, strict=False)]


def form_of(report: Mapping[str, Any], seats: Sequence[SeatName] = (), *, judged: bool = False) -> SheetForm:
    """Return the form that shows a report."""
    engine = GAMES[report["game"]]
    return SheetForm(engine, engine.variant(report["variant"]), seats or named(report), report, judged=judged)


def rendered(form: SheetForm) -> str:
    """Return the fields of a form as a page has them."""
    context = {"sheet": form.fields, "findings": form.findings, "questions": form.questions}
    return render_to_string(form.sheet.template, context)


def read_back(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the server reads from the form of a report that is sent as it is."""
    form = form_of(report)
    return form.read(submitted(rendered(form)))


def submitted(html: str) -> QueryDict:
    """Return what a browser sends of a form that nobody touches."""
    fields = _Fields()
    fields.feed(html)
    data = QueryDict(mutable=True)
    for name, value in fields.found:
        data.appendlist(name, value)
    return data


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        value = given.get("value") or ""
        if tag == "select":
            self.select = given["name"] or ""
        elif tag == "textarea":
            self.area = given["name"] or ""
        elif tag == "option" and "selected" in given:
            self.found.append((self.select, value))
        elif tag == "input" and given.get("name"):
            is_ticked = given.get("type") not in {"checkbox", "radio"} or "checked" in given
            if is_ticked and "disabled" not in given:
                self.found.append((given["name"] or "", value))

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found.append((self.area, data.removeprefix("\n")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.area = ""
