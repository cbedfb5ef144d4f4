"""Django's `changepassword`, which may be somebody's first command."""

from django.contrib.auth.management.commands import changepassword

from core.tables import TablesCommand


class Command(TablesCommand, changepassword.Command):
    """Run it once the tables are there."""
