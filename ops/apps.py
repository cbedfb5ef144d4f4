"""Running the service, as an application: its commands."""

from contextlib import suppress
from pathlib import Path

from django.apps import AppConfig
from django.db import connection


class OpsConfig(AppConfig):
    """Commands that serve, back up and move the service."""

    name = "ops"

    def ready(self) -> None:
        """Make the folder of a SQLite file: even the system checks open it, before any command could."""
        if connection.vendor == "sqlite":
            with suppress(OSError):  # the command says what is wrong
                Path(str(connection.settings_dict["NAME"])).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
