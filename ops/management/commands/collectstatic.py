"""Django's `collectstatic`, which says in a sentence what the disk keeps it from."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import CommandError


class Command(collectstatic.Command):
    """Collect the static files."""

    def handle(self, **options: Any) -> str | None:
        """Run it."""
        try:
            return super().handle(**options)
        except OSError as error:
            reason = error.strerror or error
            raise CommandError(
                f"The static files cannot be collected into {settings.STATIC_ROOT}: {reason}. "
                "Once that is mended, run this again: it goes on with those that are missing."
            ) from error
