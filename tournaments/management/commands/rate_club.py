"""Withdraw a club's results from ratings, or give that back: `manage.py rate_club cafe-meeple --withdraw`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from core.tables import TablesCommand
from tournaments.models import Club
from tournaments.services.clubs import set_rated


class Command(TablesCommand):
    """Say whether a club's results count for ratings."""

    help = "Say whether the results of a club count for everybody's ratings; these are computed anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the club, and what to do."""
        parser.add_argument("slug", help="the club's part of an address")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--withdraw", action="store_true", help="none of its results count")
        what.add_argument("--restore", action="store_true", help="all of its results count again")

    def handle(self, *, slug: str, withdraw: bool, **_options: Any) -> None:
        """Do it."""
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise CommandError(f"There is no club with the slug {slug}.")
        set_rated(club, is_rated=not withdraw)
        self.stdout.write(f"Results of {club.name} {'do not count' if withdraw else 'count'} for ratings.")
