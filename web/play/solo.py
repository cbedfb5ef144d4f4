"""Play a game in the browser. Forms are enough; `play.js` sends a move again until it arrives."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from core.language import reader_language
from play import rules
from play.errors import MoveNumberError
from play.models import SoloGame
from play.selectors import names_of, visible_games
from play.services import challenges, games
from scoring import rules as judging
from tournaments.games import GAMES, Engine
from web.base import READ_OR_SEND, Refusal, attempt, reasons, refuse, session_actor
from web.play.base import drawn, hold, kinds_of, name_of, phone_for, phone_of, variant_name
from web.public.front import GameCard

DICE = 10  # of 10 Phases
OFFERED = ("keep", "sprint")  # moves that the dice themselves offer
BY_DICE = ("ten-phases", "dice-run")  # games that have them: nothing has to be written there
IN_ROWS = ("put",)  # and those of the squares of Sixmix
# A turn of Dice Run has far fewer moves than this beside its Sprints, which come last: no other move is left out.
LISTED = {"dice-run": 500}
PART = "X-Part"  # a request of the script, which wants the game alone


@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show what can be played here, and what this phone has not finished."""
    phone = phone_of(request)
    unfinished = games.held_by(phone).filter(status=SoloGame.Status.PLAYING)
    context = {
        "games": [GameCard.of(engine, reader_language()) for engine in GAMES.values()],
        "challenges": [(slug, name_of(slug)) for slug in challenges.games()],
        "unfinished": [(each, name_of(each.game), variant_name(each.game, each.variant)) for each in unfinished],
    }
    return render(request, "play/lobby.html", context)


@never_cache
@READ_OR_SEND
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose how to play a game, and begin."""
    engine = judging.game(slug)
    if request.method == "POST":
        phone = phone_for(request)
        begun = attempt(request, lambda: _begun(request, engine, phone))
        if begun is not None:
            return hold(request, redirect("web:solo", begun.uid), phone)
    sociable = [variant for variant in engine.variants if not variant.is_solo]
    context = {
        "game": GameCard.of(engine, reader_language()),
        "solo": next((variant.slug for variant in engine.variants if variant.is_solo), ""),
        "levels": list(challenges.LEVELS) if slug == "dix" else [],
        "variants": [
            (variant.slug, variant.name.into(reader_language()), list(variant.people)) for variant in sociable
        ],
        "house": [(player, _house_name(player)) for player in reversed(rules.house_players(engine))],
        "has_challenge": slug in challenges.games(),
    }
    return render(request, "play/begin.html", context)


def _house_name(player: str) -> str:
    return {"random": _("at random"), "decent": _("well"), "strong": _("very well")}.get(player, player)


def _begun(request: HttpRequest, engine: Engine, phone: games.Phone) -> SoloGame:
    games.count_start(request)
    variant, people = request.POST.get("variant", ""), _whole(request.POST.get("people", "1"))
    options: dict[str, Any] = {}
    if level := request.POST.get("difficulty"):
        options["difficulty"] = _whole(level)
    if request.POST.get("bust_buy"):
        options["bust_buy"] = True
    setup = games.setup_of(engine.slug, variant, people, request.POST.get("house", ""), options)
    return games.start_game(phone=phone, setup=setup, again="again" in request.POST)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


@never_cache
@READ_OR_SEND
def play(request: HttpRequest, uid: str) -> HttpResponse:
    """Show a game to whoever plays it, and take their move."""
    game = get_object_or_404(visible_games(session_actor(request)), uid=uid)
    phone = phone_of(request)
    if not phone.holds(game):
        if game.is_over:
            return redirect("web:solo-replay", uid)
        advice = _("Only whoever began it sees it before it is over.")
        return refuse(request, Refusal(403, _("This game is played on another phone"), advice))
    if request.method != "POST":
        return _shown(request, game)
    refused = ""
    status = 200
    number, taken_back = (_whole(request.POST.get(name, "")) for name in ("number", "taken_back"))
    try:
        if "undo" in request.POST:
            game = games.take_back(game=game, number=number, taken_back=taken_back)
        else:
            game = games.make_move(game=game, number=number, move=_move(request), taken_back=taken_back)
    except DomainError as error:
        refused, status = " ".join(reasons(error)), error.status
        game.refresh_from_db()
        if isinstance(error, MoveNumberError):
            refused = error.detail
    if PART in request.headers:
        return _shown(request, game, refused, "play/_solo.html", status)
    if refused:
        messages.error(request, refused)
    return redirect("web:solo", uid)


def _move(request: HttpRequest) -> str:
    """Return the move that a form says: as text, as the dice that are kept, or as those that sprint."""
    if "keep" in request.POST or request.POST.get("move") == "keep":
        faces = request.POST.get("dice", "").split(" ")[:DICE]
        kept = set(request.POST.getlist("kept"))
        return " ".join(["keep", *(face if str(place) in kept else "-" for place, face in enumerate(faces))])
    move = request.POST.get("move", "")
    if move == "sprint":
        move = " ".join([move, *request.POST.getlist("leader")])
    return move[: SoloGame.LONGEST_MOVE]


def _shown(
    request: HttpRequest, game: SoloGame, refused: str = "", template: str = "play/solo.html", status: int = 200
) -> HttpResponse:
    names = names_of(game, is_own=True)
    position = rules.position(game, names, LISTED.get(game.game, rules.MOST_LISTED))
    table = position.table
    is_learning = game.is_practice and not game.is_over
    is_asked = is_learning and request.GET.get("advice") == str(position.number)
    context = {
        **drawn(game.game, position),
        "solo": game,
        "name": name_of(game.game),
        "variant": variant_name(game.game, game.variant),
        "since": rules.since(game, names),
        "kinds": kinds_of(position, OFFERED + (IN_ROWS if game.game == "sixmix" else ())),
        "faces": _faces(table) if game.game == "ten-phases" else "",
        "can_keep": _has(position, "keep"),
        "can_sprint": _has(position, "sprint"),
        "can_write": game.game not in BY_DICE and position.legal["count"] > len(position.legal["moves"]),
        "refused": refused,
        "is_learning": is_learning,
        "can_undo": is_learning and rules.has_moved(game, names),
        "advice": games.advise(game=game, names=names) if is_asked else None,
        "result": _result(game) if game.is_over else None,
        "address": request.build_absolute_uri(reverse("web:solo-replay", args=[game.uid])),
    }
    return render(request, template, context, status=status)


def _has(position: rules.Position, verb: str) -> bool:
    return any(move["move"].startswith(verb) for move in position.legal["moves"])


def _faces(table: dict[str, Any]) -> str:
    return " ".join(f"{face['number'] or 'W'}{face['colour']}" if face else "-" for face in table["dice"])


def _result(game: SoloGame) -> dict[str, Any]:
    engine = judging.game(game.game)
    verdict = judging.check(engine, rules.own_report(game), names_of(game, is_own=True))
    return {"rows": verdict["standings"], "sentences": verdict["explanations"]}


@require_POST
def sign(request: HttpRequest, uid: str) -> HttpResponse:
    """Write a name on the result of a challenge, or take the result off the board."""
    game = get_object_or_404(visible_games(session_actor(request)), uid=uid)
    phone = phone_of(request)

    def act() -> None:
        if "remove" in request.POST:
            games.take_off(actor=session_actor(request), phone=phone, game=game)
        else:
            games.require_own(phone, game)
            games.sign(game=game, name=request.POST.get("name", "")[:500])

    attempt(request, act)
    return redirect(challenges_page(game) if game.challenge else reverse("web:play"))


def challenges_page(game: SoloGame) -> str:
    """Return the address of the board that a game stands on."""
    challenge = game.challenge
    if challenge is None:
        return reverse("web:play")
    if challenge.club is None:
        address = reverse("web:challenge", args=[challenge.game])
    else:
        address = reverse("web:club-challenge", args=[challenge.club.slug, challenge.game])
    return f"{address}?day={challenge.day.isoformat()}"


urlpatterns = [
    path("play/", lobby, name="play"),
    path("play/<slug:slug>/", begin, name="begin"),
    path("solo/<slug:uid>/", play, name="solo"),
    path("solo/<slug:uid>/sign/", sign, name="solo-sign"),
]
