"""Bring the tables up to date: `manage.py migrate`, as Django does it, but one process at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from core.tables import alone, troubles_told


class Command(migrate.Command):
    """Bring the tables up to date."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run it; Django's checks, which come first, ask the database already."""
        with troubles_told():
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Choose what is missing once nobody else is making it: the service and a first command may begin at once."""
        with alone(connections[options["database"]]):
            super().handle(*args, **options)
