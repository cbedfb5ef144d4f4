"""Create a club with its owner and their first token: `manage.py create_club "Café Meeple" --owner a@example.org`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import MaxLengthValidator, validate_email, validate_slug
from django.db import transaction

from core.errors import DomainError
from core.models import User
from core.tables import TablesCommand
from tournaments.actors import Actor, Kind
from tournaments.links import way_to_password
from tournaments.models import Club
from tournaments.services import clubs
from tournaments.services.credentials import create_token


class Command(TablesCommand):
    """Create a club, its owner, and a token for the API."""

    help = "Create a club with an owner and a token for the API, which is shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("name", help="the club's name")
        parser.add_argument("--owner", required=True, metavar="EMAIL", help="the owner; an account is made if needed")
        parser.add_argument("--slug", help="the club's part of an address (made from the name)")
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the club and print the token."""
        slug = options["slug"] or clubs.slug_of(options["name"])
        try:
            validate_email(options["owner"])
            validate_slug(slug)
            # SQLite would keep what PostgreSQL has no room for.
            MaxLengthValidator(User.LONGEST_EMAIL)(options["owner"])
            MaxLengthValidator(Club.LONGEST_SLUG)(slug)
            owner, secret = self._create(options["name"], slug, options["owner"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except DomainError as error:
            raise CommandError(error.detail) from None
        if options["json"]:
            facts = {"club": slug, "user": owner.email, "token": secret}
            self.stdout.write(json.dumps(facts, ensure_ascii=False))
        else:
            self.stdout.write(f"Club   {slug}\nOwner  {owner.email}\nToken  {secret}  (shown this once)")
        if not owner.has_usable_password():
            way = way_to_password(owner, settings.PUBLIC_URL)
            self.stderr.write(f"To log in with a browser, set a password: {way}")

    @transaction.atomic
    def _create(self, name: str, slug: str, email: str) -> tuple[User, str]:
        owner = User.objects.at(email).first() or User.objects.create_user(email)
        actor = Actor(Kind.USER, user=owner)
        clubs.create_club(actor=actor, name=name, slug=slug)
        _token, secret = create_token(actor=actor, name="create_club")
        return owner, secret
