"""A club's own games: describe one, change it by another version, share it, copy it, remove it while unused."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError, Q
from django.utils.translation import gettext as _

from core.ids import new_id
from tournaments import games
from tournaments.actors import Actor
from tournaments.errors import GameInUseError, GameTakenError, TooManyGamesError
from tournaments.models import Club, GameVersion, Origin, OwnGame, Role
from tournaments.services.permissions import require_role


def define_game(*, actor: Actor, club: Club, definition: object) -> OwnGame:
    """Describe a game of a club for the first time."""
    return keep_game(actor=actor, club=club, value=judge_game(actor=actor, club=club, definition=definition))


def judge_game(*, actor: Actor, club: Club, definition: object) -> dict[str, Any]:
    """Return a definition that makes sense as it is kept; to be called before anything is locked."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    return games.defined(definition)


@transaction.atomic
def keep_game(*, actor: Actor, club: Club, value: dict[str, Any]) -> OwnGame:
    """Store a definition that was judged as a new game of a club."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    _refuse_more(club)
    try:
        with transaction.atomic():
            game = OwnGame.objects.create(club=club, slug=value["slug"])
    except IntegrityError:
        raise GameTakenError(
            _("The club already has a game “{slug}”. Choose another short name, or change that game.").format(
                slug=value["slug"]
            )
        ) from None
    _keep(game, value, actor)
    return game


def redefine_game(*, actor: Actor, game: OwnGame, changes: Mapping[str, Any]) -> OwnGame:
    """Describe a game anew: what is not named stays as it was, and events that have begun keep their version."""
    require_role(actor=actor, club=game.club, role=Role.ORGANISER)
    before = GameVersion.objects.get(game=game, number=F("game__version"))
    merged = {name: value for name, value in {**before.definition, **changes}.items() if value is not None}
    if merged.get("slug") != game.slug:
        raise games.refuse_slug(game.slug)
    kept = _keep_next(actor, game, before, games.defined(merged))
    # Where another version was made meanwhile, the changes are to that one.
    return kept or redefine_game(actor=actor, game=game, changes=changes)


@transaction.atomic
def _keep_next(actor: Actor, game: OwnGame, before: GameVersion, value: dict[str, Any]) -> OwnGame | None:
    """Return the game with the version that follows another; None where that is not the newest any more."""
    game = _locked(actor, game)
    if game.version != before.number:
        return None
    if value == before.definition:
        return game
    if game.version >= OwnGame.MOST_VERSIONS:
        raise TooManyGamesError(_("This game has as many versions as are kept. Copy it under another short name."))
    game.version += 1
    game.save(update_fields=["version"])
    _keep(game, value, actor)
    return game


@transaction.atomic
def remove_game(*, actor: Actor, game: OwnGame) -> None:
    """Remove a game that no event is played by, with all its versions."""
    game = _locked(actor, game)
    try:
        game.delete()
    except ProtectedError:
        raise GameInUseError(_("Events are played by this game, so it stays.")) from None


@transaction.atomic
def share_game(*, actor: Actor, game: OwnGame, is_shared: bool = True) -> OwnGame:
    """Give a game a link by which other clubs may read and copy it, or take the link away."""
    game = _locked(actor, game)
    if is_shared == (game.link is None):
        game.link = new_id() if is_shared else None
        game.save(update_fields=["link"])
    return game


def copy_game(*, actor: Actor, club: Club, source: OwnGame, slug: str = "") -> OwnGame:
    """Make a game of another club one's own, as it is now; later changes there change nothing here."""
    return define_game(actor=actor, club=club, definition=definition_to_copy(source, slug))


def definition_to_copy(source: OwnGame, slug: str = "") -> dict[str, Any]:
    """Return the newest definition of a game, under another slug if one is given."""
    newest = GameVersion.objects.get(game=source, number=source.version)
    return {**newest.definition, "slug": slug or source.slug}


def version_here(*, club: Club, uid: str, number: int, definition: dict[str, Any]) -> GameVersion:
    """Return the version that a definition of a file is in a club; one that it has to take yet is not stored.

    A version with the same rules is that one. A game that the club has, or took from a file before, gets the version
    under the number it has there; where the club has another game of this name, it is taken under a free one.
    """
    slug = definition["slug"]
    origin = Origin.objects.filter(club=club, uid=uid, game__isnull=False).select_related("game").first()
    known = origin.game if origin else OwnGame.objects.filter(club=club, uid=uid).first()
    alike = Q(slug=slug) | Q(slug__startswith=f"{_stem(slug)}-") | Q(pk=known.pk if known else None)
    candidates = OwnGame.objects.filter(alike, club=club)
    for version in GameVersion.objects.filter(game__in=candidates).select_related("game__club").order_by("pk"):
        if {**version.definition, "slug": slug} == definition:
            return version
    if known is None or known.versions.filter(number=number).exists():
        known = _new_game(club, uid, number, slug)
    return GameVersion(game=known, number=number, definition={**definition, "slug": known.slug})


def _new_game(club: Club, uid: str, number: int, slug: str) -> OwnGame:
    _refuse_more(club)
    taken = set(OwnGame.objects.filter(club=club).values_list("slug", flat=True))
    stems = (f"{_stem(slug)}-{count}" for count in itertools.count(2))
    free = next(each for each in itertools.chain([slug], stems) if each not in taken)
    is_free = not OwnGame.objects.filter(uid=uid).exists()
    return OwnGame(uid=uid if is_free else new_id(), club=club, slug=free, version=number)


@transaction.atomic
def take_game(*, actor: Actor, club: Club, uid: str, number: int, definition: dict[str, Any]) -> GameVersion:
    """Take a definition of a file that makes sense (`games.defined`), and return the version it is here."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    version = version_here(club=club, uid=uid, number=number, definition=definition)
    if version.pk:
        return version
    game = version.game
    if not game.pk:
        game.save()
        if game.uid != uid:
            Origin.objects.get_or_create(club=club, uid=uid, defaults={"game": game})
    elif game.version < number:
        game.version = number
        game.save(update_fields=["version"])
    return _keep(game, version.definition, actor, number)


def _stem(slug: str) -> str:
    """Return as much of a slug as leaves room for a number behind it."""
    return slug[: OwnGame.LONGEST_SLUG - 4].rstrip("-")


def _locked(actor: Actor, game: OwnGame) -> OwnGame:
    require_role(actor=actor, club=game.club, role=Role.ORGANISER)
    return OwnGame.objects.select_for_update(of=("self",)).select_related("club").get(pk=game.pk)


def _refuse_more(club: Club) -> None:
    if OwnGame.objects.filter(club=club).count() >= OwnGame.MOST_IN_CLUB:
        raise TooManyGamesError(_("The club has as many games as are kept. Remove one that nobody plays."))


def _keep(game: OwnGame, value: dict[str, Any], actor: Actor, number: int | None = None) -> GameVersion:
    number = number or game.version
    return GameVersion.objects.create(game=game, number=number, definition=value, created_by=actor.user)
