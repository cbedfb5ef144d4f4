"""Django's `changepassword`, which may be somebody's first command."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.management.commands import changepassword
from django.core.management import CommandError

from core.tables import TablesCommand


class Command(TablesCommand, changepassword.Command):
    """Run it once the tables are there, and where somebody can type."""

    def _get_pass(self, prompt: str = "Password: ") -> str:
        try:
            password: str = super()._get_pass(prompt)  # type: ignore[misc]  # the stubs lack it
        except EOFError:
            raise CommandError(
                "The password is asked for at a terminal, and this is none (`docker exec` needs `-it`). "
                f"Or have a link to a new password made: {settings.MANAGE_COMMAND} password_link EMAIL."
            ) from None
        return password
