"""Games of one person: begun, moved, finished; one at a time for each phone and kind of game.

A move names the number of the move it answers, and an undo also how many were taken back. What the house answers is
worked out before anything is locked, because nobody's game is worth a moment of an evening; it is stored if the game
is still where it was, so that two tabs, or a request and its retry, never move twice.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from core import limits
from core.brute_force import address_of
from core.clocks import was_within
from core.models import User
from core.names import clean_name
from core.statements import Prepared
from play import rules
from play.errors import (
    ChallengeOverError,
    GameOverError,
    MoveNumberError,
    NothingToUndoError,
    PracticeOnlyError,
    SetupInvalidError,
    TooManyGamesError,
)
from play.models import Challenge, SoloGame
from scoring.rules import game as engine_of
from tournaments.actors import Actor
from tournaments.errors import ForbiddenError
from tournaments.models import Role
from tournaments.services.permissions import require_role

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

A_DAY = 200  # games that one phone may begin
AN_ADDRESS, AN_HOUR = 600, 3600  # games that one address may begin in so many seconds
TRIES, TWO_DAYS = 60, 2 * 86_400  # that one address may begin of one challenge, and how long they are counted
OPTIONS = {"difficulty", "bust_buy"}  # what a person sets; other dice and decks are for tables


@dataclass(frozen=True, slots=True)
class Phone:
    """Who plays: the secret that a phone holds, and the account that is logged in on it."""

    secret: str
    user: User | None = None

    @property
    def holder(self) -> str:
        """What the games of the phone are found by."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def holds(self, game: SoloGame) -> bool:
        """Say whether a game is theirs."""
        is_phone = bool(self.secret) and secrets.compare_digest(game.holder, self.holder)
        return is_phone or (self.user is not None and game.user_id == self.user.pk)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game is to be played."""

    game: str
    variant: str
    people: int = 1
    house: str = ""
    options: Mapping[str, Any] | None = None


def setup_of(game: str, variant: str | None, people: int, house: str, options: Mapping[str, Any]) -> Setup:
    """Return a setup; a variant that is not named is the first for so many."""
    kinds = engine_of(game).variants
    fitting = next((each.slug for each in kinds if people in each.people), "")
    return Setup(game, variant or fitting, people, house, options)


def count_start(request: Request | HttpRequest) -> None:
    """Count a game that is begun from an address; TooManyGamesError where more are than a full café plays."""
    if not limits.take("games", address_of(request), AN_ADDRESS, AN_HOUR).is_within:
        raise TooManyGamesError(_("Many games were begun from your network. Wait a while."))


def count_try(request: Request | HttpRequest, phone: Phone, challenge: Challenge) -> None:
    """Count a try at a challenge that is begun from an address: who forgets their secret gets no end of them."""
    if try_of(phone, challenge) is not None:
        return
    if not limits.take("tries", f"{challenge.pk} {address_of(request)}", TRIES, TWO_DAYS).is_within:
        raise TooManyGamesError(_("This challenge was begun many times from your network."))


def new_secret() -> str:
    """Return a new secret for a phone."""
    return secrets.token_urlsafe(24)


def held_by(phone: Phone) -> QuerySet[SoloGame]:
    """Return the games of a phone, and of the account that is logged in on it."""
    own = SoloGame.objects.filter(user=phone.user) if phone.user is not None else SoloGame.objects.none()
    return SoloGame.objects.filter(holder=phone.holder) | own if phone.secret else own


def leave(*, phone: Phone) -> None:
    """Let a phone hold no game of the account that is logged out on it: whoever has it next may be somebody else."""
    if phone.secret and phone.user is not None:
        theirs = SoloGame.objects.filter(holder=phone.holder, user=phone.user)
        theirs.update(holder=Phone(new_secret()).holder)


def start_game(*, phone: Phone, setup: Setup, again: bool = False) -> SoloGame:
    """Begin a game, or go on with the one of its kind that the phone has not finished; `again` gives that one up."""
    wanted = _made(phone, setup)
    with transaction.atomic():
        open_games = SoloGame.objects.select_for_update().filter(
            holder=phone.holder, game=setup.game, variant=setup.variant, challenge=None, status=SoloGame.Status.PLAYING
        )
        known = open_games.first()
        if known is not None and not again:
            return known
        _refuse_too_many(phone)
        if known is not None:
            known.delete()
    try:
        with transaction.atomic():
            wanted.save()
    except IntegrityError:  # the same phone began it at the same time
        return open_games.get()
    return wanted


def start_challenge(*, phone: Phone, challenge: Challenge, name: str = "") -> SoloGame:
    """Begin the challenge of a day, or go on with the one try that a person has."""
    if (known := try_of(phone, challenge)) is not None:
        return known
    if not challenge.can_begin:
        raise ChallengeOverError(_("This challenge is over. There is a new one every day."))
    _refuse_too_many(phone)
    setup = Setup(challenge.game, challenge.variant, options=challenge.options)
    wanted = _made(phone, setup, challenge)
    wanted.name = clean_name(name) if name.strip() else ""
    try:
        with transaction.atomic():
            wanted.save()
    except IntegrityError:
        if (known := try_of(phone, challenge)) is None:
            raise
        return known
    return wanted


def try_of(phone: Phone, challenge: Challenge) -> SoloGame | None:
    """Return the game of a challenge that a phone or its user has begun."""
    games = SoloGame.objects.filter(challenge=challenge)
    if phone.user is not None and (own := games.filter(user=phone.user).first()):
        return own
    return games.filter(holder=phone.holder).first() if phone.secret else None


def _made(phone: Phone, setup: Setup, challenge: Challenge | None = None) -> SoloGame:
    """Return a game that is dealt and not stored yet."""
    engine = engine_of(setup.game)
    kind = next((each for each in engine.variants if each.slug == setup.variant), None)
    if kind is None or setup.people not in kind.people:
        raise SetupInvalidError(_("This game is not played by so many."), variants=[v.slug for v in engine.variants])
    if setup.people > 1 and setup.house not in rules.house_players(engine):
        raise SetupInvalidError(_("There is no such house player."), possible=rules.house_players(engine))
    options = dict(setup.options or {})
    if unknown := sorted(set(options) - OPTIONS):
        raise SetupInvalidError(_("There is no option {name} here.").format(name=unknown[0]))
    game = SoloGame(
        game=setup.game,
        variant=setup.variant,
        options=options,
        seats=list(rules.seats_of(engine, setup.variant, setup.people)),
        house=setup.house if setup.people > 1 else "",
        seed=challenge.seed if challenge else secrets.token_hex(16),
        challenge=challenge,
        holder=phone.holder,
        user=phone.user,
    )
    rules.begin(game)
    return game


def _refuse_too_many(phone: Phone) -> None:
    today = was_within("created_at", timezone.now(), dt.timedelta(days=1))
    if SoloGame.objects.filter(today, holder=phone.holder).count() >= A_DAY:
        raise TooManyGamesError(_("You have begun many games today. Come back tomorrow."))


def make_move(*, game: SoloGame, number: int, move: str, taken_back: int | None = None) -> SoloGame:
    """Make the move that answers move `number` of a game, and let the others answer it.

    Sent again it changes nothing and returns the game as it is; MoveNumberError where another move was made there, or
    where moves were taken back since: `taken_back` is how many had been, where that is known.
    """
    now = _read(game)
    if rules.is_made(now, number, move):
        return now
    if number != len(now.moves) or taken_back not in {None, now.taken_back}:
        raise _other_position(now)
    if now.challenge is not None and now.challenge.is_closed:
        raise ChallengeOverError(_("This challenge is over. There is a new one every day."))
    before = _position(now)
    with rules.turn():
        rules.move(now, move)
        now.moved_at = timezone.now()
        if rules.is_over(now):
            _finish(now)
    is_kept = _keep(now, before, "moves", "moved_at", "status", "finished_at", "score", "is_won")
    return now if is_kept else make_move(game=game, number=number, move=move, taken_back=taken_back)


def take_back(*, game: SoloGame, number: int, taken_back: int) -> SoloGame:
    """Take back the person's last move in practice, with all that followed it.

    The position is named by how many moves there are and how many were taken back before: play may come to the same
    number of moves again, but never to both. Sent again, however late, it changes nothing and returns the game as it
    is.
    """
    now = _read(game)
    _require_practice(now)
    if taken_back < now.taken_back:
        return now
    if (number, taken_back) != (len(now.moves), now.taken_back):
        raise _other_position(now)
    before = _position(now)
    if not rules.take_back(now):
        raise NothingToUndoError(_("You have not made a move yet."))
    now.taken_back += 1
    now.moved_at = timezone.now()
    is_kept = _keep(now, before, "moves", "taken_back", "moved_at")
    return now if is_kept else take_back(game=game, number=number, taken_back=taken_back)


def _read(game: SoloGame) -> SoloGame:
    """Return a game as it is now; Http404 where it was deleted meanwhile."""
    now = _NOW.first(game.pk)
    if now is None:
        raise Http404
    return now


_NOW = Prepared(lambda game: SoloGame.objects.select_related("challenge").filter(pk=game), int)


def _position(game: SoloGame) -> tuple[int, list[str]]:
    return game.taken_back, list(game.moves)


@transaction.atomic
def _keep(now: SoloGame, before: tuple[int, list[str]], *fields: str) -> bool:
    """Store what was worked out of a game; False, and nothing is stored, where it moved on meanwhile or is gone."""
    locked = _LOCKED.first(now.pk)
    if locked is None or not _is_at(locked, before):
        return False
    now.save(update_fields=fields)
    return True


_LOCKED = Prepared(lambda game: SoloGame.objects.select_for_update(of=("self",)).filter(pk=game), int)


def _is_at(game: SoloGame, position: tuple[int, list[str]]) -> bool:
    return _position(game) == position


def _other_position(now: SoloGame) -> MoveNumberError:
    return MoveNumberError(
        _("Another move was made here meanwhile. Look at the game again."),
        number=len(now.moves),
        taken_back=now.taken_back,
    )


def advise(*, game: SoloGame, names: Mapping[str, str] | None = None) -> rules.Advice:
    """Say what a strong player would do in the person's place, in practice."""
    _require_practice(game)
    return rules.advice(game, names or {})


def _require_practice(game: SoloGame) -> None:
    """Refuse what is for learning where a result stands for how somebody plays, and where the game is over."""
    if not game.is_practice:
        raise PracticeOnlyError(_("Moves are taken back, and advice is given, in practice against the house alone."))
    if game.is_over:
        raise GameOverError(_("This game is over."))


def _finish(game: SoloGame) -> None:
    """Replay a finished game from its record, and write down what the rules say of its report."""
    report = rules.report_of(game.record)
    verdict = rules.verdict_of(engine_of(game.game), report)
    standings = verdict.standings or ()  # what was played is a legal report: a property of the engines
    own = next(row for row in standings if row.seat == SoloGame.SEAT)
    game.status, game.finished_at = SoloGame.Status.OVER, timezone.now()
    game.score = own.score
    game.is_won = own.rank == 1 if len(standings) > 1 else None


def sign(*, game: SoloGame, name: str) -> SoloGame:
    """Write a name, or none, on the result of a challenge."""
    game.name = clean_name(name) if name.strip() else ""
    game.save(update_fields=["name"])
    return game


def take_off(*, actor: Actor, phone: Phone, game: SoloGame) -> None:
    """Delete a game of one's own; an organiser takes the result of somebody else off the board of their club.

    The row of a challenge stays, without its name: nobody gets a second try by it.
    """
    if not phone.holds(game):
        club = game.challenge.club if game.challenge else None
        if club is None:
            raise ForbiddenError(_("Only whoever played it may do this."))
        require_role(actor=actor, club=club, role=Role.ORGANISER)
    if game.challenge is None:
        game.delete()
    else:
        SoloGame.objects.filter(pk=game.pk).update(is_hidden=True, name="")


def require_own(phone: Phone, game: SoloGame) -> None:
    """Refuse somebody else than whoever plays a game."""
    if not phone.holds(game):
        raise ForbiddenError(_("Only whoever plays it may do this."))
