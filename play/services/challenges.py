"""The challenge of the day: made when somebody first asks for it, with dice or cards that nobody can foresee."""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Iterable
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from play.errors import PlayFirstError
from play.models import Challenge, SoloGame, today
from play.services.games import Phone, try_of
from scoring.rules import game as engine_of
from tournaments.games import GAMES
from tournaments.models import Club

LEVELS = range(4, 11)  # of ALIX; each day of the week has another


def games() -> list[str]:
    """Return the games that have a challenge: those that one person can play alone."""
    return [slug for slug, engine in GAMES.items() if any(variant.is_solo for variant in engine.variants)]


def challenge_of(*, game: str, club: Club | None = None, day: dt.date | None = None) -> Challenge:
    """Return a challenge, of today unless a day is named; Http404 where there is none."""
    engine = engine_of(game)
    variant = next((each for each in engine.variants if each.is_solo), None)
    day = day or today(club)
    known = Challenge.objects.filter(club=club, game=game, day=day).select_related("club").first()
    if known is not None:
        return known
    if variant is None or day != today(club):
        raise Http404(game)
    options = {"difficulty": LEVELS[day.toordinal() % len(LEVELS)]} if game == "dix" else {}
    made = Challenge(club=club, game=game, variant=variant.slug, options=options, day=day, seed=_seed(game, club, day))
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:  # somebody else asked first
        return Challenge.objects.select_related("club").get(club=club, game=game, day=day)
    return made


def _seed(game: str, club: Club | None, day: dt.date) -> str:
    # Nothing that is public tells it: without the server's key nobody computes it, before the day or after. An address
    # may pass from one club to another, and the dice of one would be those of the other.
    about = f"challenge:{club.pk if club else '*'}:{game}:{day.isoformat()}"
    return hmac.digest(settings.SECRET_KEY.encode(), about.encode(), "sha256").hex()


def board_of(challenge: Challenge) -> QuerySet[SoloGame]:
    """Return the results of a challenge, the best first."""
    over = SoloGame.objects.filter(challenge=challenge, status=SoloGame.Status.OVER, is_hidden=False)
    return over.order_by(F("is_won").desc(nulls_last=True), "-score", "finished_at", "pk")


class Row(NamedTuple):
    """A place on a board."""

    rank: int
    game: SoloGame


def ranked(games_of: Iterable[SoloGame]) -> list[Row]:
    """Return the rows of a board with their ranks: equal results share one."""
    rows: list[Row] = []
    for place, each in enumerate(games_of, 1):
        same = bool(rows) and (rows[-1].game.is_won, rows[-1].game.score) == (each.is_won, each.score)
        rows.append(Row(rows[-1].rank if same else place, each))
    return rows


def has_finished(phone: Phone, challenge: Challenge) -> bool:
    """Say whether somebody may look at how others played a challenge: they have, or it is over."""
    if challenge.is_closed:
        return True
    own = try_of(phone, challenge)
    return own is not None and own.is_over


def may_look(phone: Phone, game: SoloGame) -> bool:
    """Say whether somebody may see the record of a game: their own; that of a challenge once it tells them nothing."""
    return game.challenge is None or phone.holds(game) or has_finished(phone, game.challenge)


def require_look(phone: Phone, game: SoloGame) -> None:
    """Refuse somebody who could copy what they see."""
    if not may_look(phone, game):
        raise PlayFirstError(_("Play the challenge first: you see how others played it once you have finished."))
