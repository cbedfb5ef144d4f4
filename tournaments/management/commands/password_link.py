"""Make a link by which somebody sets a password: `manage.py password_link ana@example.org`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from core.models import User
from core.tables import TablesCommand
from tournaments.links import password_link


class Command(TablesCommand):
    """Print a link to hand to somebody, for a service that sends no mail."""

    help = "Print a link by which somebody sets a password, once and within a day. Hand it to nobody else."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address, and where the service is reached."""
        parser.add_argument("email", help="the address of the account")
        parser.add_argument("--origin", default=settings.PUBLIC_URL, help="the address of the service (PUBLIC_URL)")

    def handle(self, *, email: str, origin: str, **_options: Any) -> None:
        """Print the link."""
        user = User.objects.at(email).filter(is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account with the address {email}.")
        self.stdout.write(password_link(user, (origin or "http://127.0.0.1:8000").rstrip("/")))
