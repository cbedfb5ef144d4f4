"""Clubs: make one, change one."""

from __future__ import annotations

import itertools

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from core.names import clean_name
from tournaments.actors import Actor
from tournaments.errors import SlugTakenError
from tournaments.models import Club, Membership, Role
from tournaments.services.permissions import require_role, require_user

LONGEST_NAME = 80
LONGEST_SLUG = 60
# Letters that do not come apart into a plain one and an accent.
LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})


def slug_of(name: str) -> str:
    """Return the slug a name suggests; one without a Latin letter or digit suggests `club`."""
    return slugify(name.casefold().translate(LETTERS))[:LONGEST_SLUG].strip("-_") or "club"


@transaction.atomic
def create_club(*, actor: Actor, name: str, slug: str = "", is_public: bool = True) -> Club:
    """Create a club whose owner is the caller; without a slug it gets the first free one its name suggests."""
    owner = require_user(actor)
    name = clean_name(name, longest=LONGEST_NAME)
    for candidate in [slug] if slug else _candidates(slug_of(name)):
        try:
            with transaction.atomic():
                club = Club.objects.create(name=name, slug=candidate, is_public=is_public)
        except IntegrityError:
            continue
        Membership.objects.create(club=club, user=owner, role=Role.OWNER)
        return club
    raise SlugTakenError(_("There is a club “{slug}” already. Choose another slug.").format(slug=slug))


def _candidates(stem: str) -> itertools.chain[str]:
    return itertools.chain([stem], (f"{stem[: LONGEST_SLUG - 6]}-{number}" for number in itertools.count(2)))


@transaction.atomic
def edit_club(*, actor: Actor, club: Club, name: str | None = None, is_public: bool | None = None) -> Club:
    """Change a club's name, or whether everybody may read it; None leaves things as they are."""
    require_role(actor=actor, club=club, role=Role.OWNER)
    if name is not None:
        club.name = clean_name(name, longest=LONGEST_NAME)
    if is_public is not None:
        club.is_public = is_public
    club.save(update_fields=["name", "is_public"])
    return club
