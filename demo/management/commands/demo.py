"""Make a demo: three clubs, what they played in the last months, and an evening in progress."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.urls import reverse

from core.tables import TablesCommand, bring_up_to_date, troubles_told
from demo.story import Demo, fill
from tournaments import links

BAR = 30  # characters


class Command(TablesCommand):
    """Fill the database with something to look at."""

    help = (
        "Make three clubs with months of games really played, and an evening in progress. Existing clubs stay alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take where the service will be found, and whether the tables may be changed."""
        parser.add_argument("--migrate", action="store_true", help="bring the database up to date first")
        parser.add_argument(
            "--origin",
            default=settings.PUBLIC_URL or "http://127.0.0.1:8000",
            help="how the links begin (%(default)s)",
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it once the tables are there; in the same process, as a second one would start for seconds."""
        if options["migrate"]:
            with troubles_told():
                bring_up_to_date(sys.stderr)
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill it, and say where to look."""
        began = time.monotonic()
        if not self.stderr.isatty():
            self.stderr.write("Playing months of evenings …")
        demo = fill(self._draw)
        self.stdout.write(f"Made in {time.monotonic() - began:.0f} s from games the engines really played.\n")
        self.stdout.write("\n".join(_where_to_look(demo, options["origin"].rstrip("/"))))

    def _draw(self, done: int, steps: int, what: str) -> None:
        """Draw the bar on a terminal; a log is spared it."""
        if self.stderr.isatty():
            filled = BAR * done // steps
            self.stderr.write(f"\r\033[K[{'█' * filled}{'·' * (BAR - filled)}] {what}", ending="")
            if done == steps:
                self.stderr.write("\r\033[K", ending="")
            self.stderr.flush()


def _where_to_look(demo: Demo, origin: str) -> Iterator[str]:
    event = demo.tonight.event
    yield f"The story   {origin}{reverse('web:front')}"
    yield f"Log in      {origin}{reverse('web:login')}"
    yield f"            {demo.email}"
    yield f"            {demo.password}"
    yield f"Organiser   {origin}{reverse('web:console', args=[event.uid])}"
    yield f"Projector   {links.projector_link(event, origin)}"
    yield f"Join        {links.join_link(event, origin)}"
    for number, (shows, entry) in enumerate(demo.tonight.phones, 1):
        yield f"Phone {number}     {links.personal_link(entry, origin)}"
        yield f"            {entry.name} {shows}"
    for club in demo.clubs:
        yield f"Club        {origin}{reverse('web:club', args=[club.slug])}"
    yield ""
