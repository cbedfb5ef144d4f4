"""Clubs: make one, change one."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.text import slugify
from django.utils.translation import gettext as _

from core.likeness import PLAIN
from core.names import clean_name
from core.zones import default_zone
from tournaments.actors import Actor, note_grant
from tournaments.errors import ClubCreationError, SlugTakenError
from tournaments.models import Affiliation, Club, Membership, Player, Role, Table
from tournaments.services.events import hide_seasons, mark_ratings, mark_seasons
from tournaments.services.locks import lock_club, lock_club_and_events
from tournaments.services.people import mark_boards_with
from tournaments.services.permissions import require_role, require_user

SHOWN_WITH_EVENTS = frozenset({"name", "time_zone"})  # what pages of events and calendars show of their club


def slug_of(name: str) -> str:
    """Return the slug a name suggests; one without a Latin letter or digit suggests `club`."""
    return slugify(name.casefold().translate(PLAIN))[: Club.LONGEST_SLUG].strip("-_") or "club"


def may_found(actor: Actor) -> bool:
    """Say whether a caller may found a club: anybody with an account where the operator says so, else the operator."""
    return actor.user is not None and (settings.CLUB_CREATION == "anybody" or actor.user.is_superuser)


def found_club(*, actor: Actor, name: str, slug: str = "", is_public: bool = True, time_zone: str = "") -> Club:
    """Create a club for a caller who may found one."""
    require_user(actor)
    if not may_found(actor):
        raise ClubCreationError(_("Clubs are created by whoever runs this service. Ask them for one."))
    return create_club(actor=actor, name=name, slug=slug, is_public=is_public, time_zone=time_zone)


@transaction.atomic
def create_club(*, actor: Actor, name: str, slug: str = "", is_public: bool = True, time_zone: str = "") -> Club:
    """Create a club whose owner is the caller; without a slug it gets the first free one its name suggests.

    Without a time zone it is in the service's.
    """
    owner = require_user(actor)
    name = clean_name(name, longest=Club.LONGEST_NAME)
    zone = time_zone or default_zone()
    for candidate in [slug] if slug else _candidates(slug_of(name)):
        try:
            with transaction.atomic():
                club = Club.objects.create(name=name, slug=candidate, is_public=is_public, time_zone=zone)
        except IntegrityError:
            continue
        Membership.objects.create(club=club, user=owner, role=Role.OWNER)
        note_grant(club.pk, Role.OWNER.value)
        return club
    raise SlugTakenError(_("There is already a club “{slug}”. Choose another slug.").format(slug=slug))


def _candidates(stem: str) -> itertools.chain[str]:
    return itertools.chain([stem], (f"{stem[: Club.LONGEST_SLUG - 6]}-{number}" for number in itertools.count(2)))


@transaction.atomic
def edit_club(
    *,
    actor: Actor,
    club: Club,
    name: str | None = None,
    is_public: bool | None = None,
    time_zone: str | None = None,
    mails_players: bool | None = None,
) -> Club:
    """Change a club's name, who may read it, its time zone, or what it mails; None leaves things as they are.

    Events stay at the moments they were set to: what changes is what clocks say then.
    """
    require_role(actor=actor, club=club, role=Role.OWNER)
    given = {
        "name": None if name is None else clean_name(name, longest=Club.LONGEST_NAME),
        "is_public": is_public,
        "time_zone": time_zone or None,
        "mails_players": mails_players,
    }
    given = {field: value for field, value in given.items() if value is not None}
    # What the caller read may be old by now: others must find what they changed meanwhile.
    club = lock_club_and_events(club) if SHOWN_WITH_EVENTS & given.keys() else lock_club(club)
    changed = {field: value for field, value in given.items() if value != getattr(club, field)}
    for field, value in changed.items():
        setattr(club, field, value)
    club.save(update_fields=changed)
    mark_changed(club, changed)
    return club


def mark_changed(club: Club, fields: Collection[str]) -> None:
    """Write down what follows from other values of these fields of a club, which is locked with its events."""
    if "is_public" in fields:
        # Of a public club private events do not count: no table may name them from now on.
        (hide_seasons if club.is_public else mark_seasons)(club.seasons.all())
        _mark_boards_of(club)
    if SHOWN_WITH_EVENTS.intersection(fields):
        club.events.update(version=F("version") + 1)


def _mark_boards_of(club: Club) -> None:
    """Write down that the boards of everybody show other people: those whom only private clubs know are on none."""
    known = Affiliation.objects.filter(club=club).values("player")
    mark_boards_with(Player.objects.filter(Q(pk__in=known) | Q(merged_into__in=known)))


@transaction.atomic
def set_rated(club: Club, *, is_rated: bool) -> None:
    """Say, as the operator, whether a club's results count for ratings: for all of them, also the earlier ones.

    Nothing else of the results changes, so giving it back leads to the very ratings that there would have been.
    """
    Club.objects.filter(pk=club.pk).update(is_rated_openly=is_rated)
    club.is_rated_openly = is_rated
    mark_ratings(Table.objects.filter(round__event__club=club))
