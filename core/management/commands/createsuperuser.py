"""Django's `createsuperuser`, which may be somebody's first command."""

from django.contrib.auth.management.commands import createsuperuser

from core.tables import TablesCommand


class Command(TablesCommand, createsuperuser.Command):
    """Run it once the tables are there, for an address that nobody has."""

    username_is_unique = True  # by a constraint that ignores its case, which Django does not look for
