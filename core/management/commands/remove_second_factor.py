"""Switch somebody's second factor off: `manage.py remove_second_factor ana@example.org`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core import second_factor
from core.models import User
from core.tables import TablesCommand


class Command(TablesCommand):
    """Let somebody who lost both phone and recovery codes in again."""

    help = "Switch somebody's second factor off. Make sure that it is them who ask."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("email", help="the address of the account")

    def handle(self, *, email: str, **_options: Any) -> None:
        """Switch it off."""
        user = User.objects.at(email).first()
        if user is None:
            raise CommandError(f"There is no account with the address {email}.")
        if not second_factor.switch_off(user):
            raise CommandError(f"{user.email} has no second factor.")
        self.stdout.write(f"{user.email} logs in with the password alone from now on.")
