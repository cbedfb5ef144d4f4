"""A club's own games: describe one, change it by another version, share it, copy it, remove it while unused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from core.ids import new_id
from tournaments import games
from tournaments.actors import Actor
from tournaments.errors import GameInUseError, GameTakenError, TooManyGamesError
from tournaments.models import Club, GameVersion, OwnGame, Role
from tournaments.services.permissions import require_role


@transaction.atomic
def define_game(*, actor: Actor, club: Club, definition: object) -> OwnGame:
    """Describe a game of a club for the first time."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    value = games.defined(definition)
    if OwnGame.objects.filter(club=club).count() >= OwnGame.MOST_IN_CLUB:
        raise TooManyGamesError(_("The club has as many games as are kept. Remove one that nobody plays."))
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


@transaction.atomic
def redefine_game(*, actor: Actor, game: OwnGame, changes: Mapping[str, Any]) -> OwnGame:
    """Describe a game anew: what is not named stays as it was, and events that have begun keep their version."""
    game = _locked(actor, game)
    before = GameVersion.objects.get(game=game, number=game.version).definition
    merged = {name: value for name, value in {**before, **changes}.items() if value is not None}
    if merged.get("slug") != game.slug:
        raise games.refuse_slug(game.slug)
    value = games.defined(merged)
    if value == before:
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
    newest = GameVersion.objects.get(game=source, number=source.version)
    return define_game(actor=actor, club=club, definition={**newest.definition, "slug": slug or source.slug})


def _locked(actor: Actor, game: OwnGame) -> OwnGame:
    require_role(actor=actor, club=game.club, role=Role.ORGANISER)
    return OwnGame.objects.select_for_update(of=("self",)).select_related("club").get(pk=game.pk)


def _keep(game: OwnGame, value: dict[str, Any], actor: Actor) -> None:
    GameVersion.objects.create(game=game, number=game.version, definition=value, created_by=actor.user)
