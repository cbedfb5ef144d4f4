"""Hand somebody everything that is stored about them: `manage.py export_person ID`."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from core.tables import TablesCommand
from scoring.exports import everything_about
from tournaments.models import Player


class Command(TablesCommand):
    """Write everything about a player as JSON."""

    help = "Write everything that is stored about a player as JSON, for that person alone."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the player."""
        parser.add_argument("id", help="the player's id, as their public page has it")

    def handle(self, *, id: str, **_options: Any) -> None:  # noqa: A002 (the name people see)
        """Write it."""
        player = Player.objects.filter(uid=id).first()
        if player is None:
            raise CommandError(f"There is no player with the id {id}.")
        text = json.dumps(everything_about(player), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
        self.stdout.write(text)
