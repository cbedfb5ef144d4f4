"""Say what changed in the API since its released schema, as lines for a changelog."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from drf_spectacular.generators import SchemaGenerator

from api import promises


class Command(BaseCommand):
    """Print a line per change, breaking ones first and marked."""

    help = "Say what changed in the API since its released schema."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the wish to release."""
        parser.add_argument("--release", action="store_true", help="make the present schema the released one")

    def handle(self, **options: Any) -> None:
        """Compare, and release where asked to."""
        schema: Any = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        for change in promises.changes(promises.released(), promises.skeleton(schema)):
            self.stdout.write(f"- {'**Breaking:** ' if change.is_breaking else ''}`{change.where}` {change.what}")
        if options["release"]:
            promises.release(schema)
