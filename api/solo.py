"""Games of one person, dealt by the service, and the challenge of the day.

Nobody needs an account: whoever begins a game sends a secret of their own as `Play-Token`, or is given one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.records import MomentOutput, RecordOutput, ToldOutput, position_shape
from core.names import LONGEST
from play import rules
from play.errors import GameRunningError
from play.models import SoloGame
from play.selectors import visible_games
from play.services import challenges, games
from play.services.games import Phone
from tournaments.models import Club
from tournaments.selectors import visible_clubs

if TYPE_CHECKING:
    from rest_framework.request import Request

LONGEST_TOKEN = 100
SHORTEST_TOKEN = 16
TOKEN = OpenApiParameter(
    "Play-Token",
    location=OpenApiParameter.HEADER,
    description="The secret of whoever plays: 16 to 100 characters that nobody guesses. One is answered to others.",
)
ROWS = 100


class StartInput(serializers.Serializer):
    """What to play. With `challenge` only `game`, `club` and `name` count."""

    game = serializers.CharField(max_length=40)
    variant = serializers.CharField(max_length=20, required=False)
    players = serializers.IntegerField(
        min_value=1, max_value=20, default=1, help_text="With you; the others are the house."
    )
    house = serializers.CharField(max_length=20, default="decent", help_text="How the house plays.")
    options = serializers.DictField(required=False, help_text="Of DIX alone: `difficulty` 4 to 10, `bust_buy`.")
    again = serializers.BooleanField(default=False, help_text="Give up the unfinished game of this kind.")
    challenge = serializers.BooleanField(default=False, help_text="Play the challenge of the day.")
    club = serializers.SlugField(required=False, help_text="The club whose challenge it is.")
    name = serializers.CharField(max_length=4 * LONGEST, required=False, allow_blank=True, help_text="For the board.")


class MoveInput(serializers.Serializer):
    """A move, and the number of moves it answers."""

    number = serializers.IntegerField(min_value=0, max_value=SoloGame.MOST_MOVES)
    move = serializers.CharField(max_length=SoloGame.LONGEST_MOVE)
    taken_back = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="As the game has it: a move that was taken back is then not made again by a copy that comes late.",
    )


class UndoInput(serializers.Serializer):
    """Which position is left: how many moves there are, and how many were taken back before."""

    number = serializers.IntegerField(min_value=0, max_value=SoloGame.MOST_MOVES)
    taken_back = serializers.IntegerField(min_value=0, help_text="As the game has it.")


class AdviceOutput(serializers.Serializer):
    """What a strong player would do, and why."""

    number = serializers.IntegerField(help_text="How many moves were made: the one that `move` would answer.")
    move = serializers.CharField(help_text="As it is sent.")
    words = serializers.CharField(help_text="What the move does.")
    reason = serializers.CharField(help_text="Why a strong player would make it.")


class NameInput(serializers.Serializer):
    """The name on a result."""

    name = serializers.CharField(max_length=4 * LONGEST, allow_blank=True)


class ChallengeOutput(serializers.Serializer):
    """Which challenge it is."""

    game = serializers.CharField()
    variant = serializers.CharField()
    options = serializers.DictField()
    club = serializers.CharField(allow_null=True, source="club.slug", default=None)
    day = serializers.DateField()
    ends_at = serializers.DateTimeField(help_text="Until then it can be begun.")
    closes_at = serializers.DateTimeField(help_text="Until then it can be finished; then the records are open.")


class SoloOutput(serializers.Serializer):
    """A game of one person, as they see it."""

    id = serializers.CharField(source="uid")
    game = serializers.CharField()
    variant = serializers.CharField()
    options = serializers.DictField()
    seats = serializers.ListField(child=serializers.CharField())
    house = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(SoloGame.Status.choices)
    challenge = ChallengeOutput(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    taken_back = serializers.IntegerField(help_text="How often a move was taken back, in practice.")
    score = serializers.IntegerField(allow_null=True)
    is_won = serializers.BooleanField(allow_null=True, help_text="None where nobody plays against them.")
    seed = serializers.SerializerMethodField(help_text="What every throw and card followed from, once it is over.")
    position = serializers.SerializerMethodField()
    since = serializers.SerializerMethodField(help_text="What happened since the last move of the person.")

    def get_seed(self, game: SoloGame) -> str | None:
        """Return the seed of a game that is over, and that tells nobody about a challenge that goes on."""
        is_open = game.is_over and (game.challenge is None or game.challenge.is_closed)
        return game.seed if is_open else None

    @extend_schema_field(MomentOutput)
    def get_position(self, game: SoloGame) -> dict[str, Any]:
        """Return what the person sees."""
        return MomentOutput(position_shape(rules.position(game, {}))).data

    @extend_schema_field(ToldOutput(many=True))
    def get_since(self, game: SoloGame) -> list[Any]:
        """Return the moves since the person's last one."""
        return list(ToldOutput(rules.since(game, {}), many=True).data)


class StartedOutput(SoloOutput):
    """A game that was begun, and the secret that it is played with."""

    token = serializers.SerializerMethodField()

    def get_token(self, game: SoloGame) -> str:
        """Return the secret of whoever plays, for whoever plays."""
        return str(self.context["token"])


class ChallengeRowOutput(serializers.Serializer):
    """A result on the board of a challenge."""

    rank = serializers.IntegerField()
    id = serializers.CharField(source="game.uid")
    name = serializers.CharField(source="game.name", allow_blank=True)
    score = serializers.IntegerField(source="game.score")
    is_won = serializers.BooleanField(source="game.is_won", allow_null=True)
    finished_at = serializers.DateTimeField(source="game.finished_at")


class ChallengeBoardOutput(ChallengeOutput):
    """The board of a challenge: the first hundred, and how many there are."""

    count = serializers.IntegerField()
    may_look = serializers.BooleanField(help_text="Whether the caller may read the records.")
    results = ChallengeRowOutput(many=True)


class PlayView(ApiView):
    """A view that knows whoever plays by their secret, or by their account."""

    @property
    def phone(self) -> Phone:
        """Who plays."""
        secret = self.request.headers.get("Play-Token", "")
        is_secret = SHORTEST_TOKEN <= len(secret) <= LONGEST_TOKEN
        return Phone(secret if is_secret else "", self.actor.user)

    def game(self, uid: str) -> SoloGame:
        """Return a game that the caller may know of."""
        return get_object_or_404(visible_games(self.actor), uid=uid)

    def club(self, slug: str | None) -> Club | None:
        """Return the club a challenge is of; none for everybody's."""
        return get_object_or_404(visible_clubs(self.actor), slug=slug) if slug else None


class Solo(PlayView):
    """Begin to play."""

    creates = ("solo-game", "id")

    @extend_schema(operation_id="solo_start", parameters=[TOKEN], request=StartInput, responses={201: StartedOutput})
    def post(self, request: Request) -> Response:
        """Begin a game alone or against house players, or the challenge of the day; an unfinished one goes on."""
        asked = self.body(StartInput)
        games.count_start(request)
        phone = self.phone
        if not phone.secret:
            phone = Phone(games.new_secret(), phone.user)
        if asked["challenge"]:
            challenge = challenges.challenge_of(game=asked["game"], club=self.club(asked.get("club")))
            games.count_try(request, phone, challenge)
            game = games.start_challenge(phone=phone, challenge=challenge, name=asked.get("name", ""))
        else:
            setup = games.setup_of(
                asked["game"], asked.get("variant"), asked["players"], asked["house"], asked.get("options") or {}
            )
            game = games.start_game(phone=phone, setup=setup, again=asked["again"])
        return Response(StartedOutput(game, context={"token": phone.secret}).data, status=201)


class SoloGameView(PlayView):
    """One game."""

    @extend_schema(operation_id="solo_retrieve", parameters=[TOKEN], responses=SoloOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Show a game to whoever plays it."""
        game = self.game(uid)
        games.require_own(self.phone, game)
        return Response(SoloOutput(game).data)

    @extend_schema(operation_id="solo_sign", parameters=[TOKEN], request=NameInput, responses=SoloOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Write a name on the result of a challenge, or take it away."""
        game = self.game(uid)
        games.require_own(self.phone, game)
        return Response(SoloOutput(games.sign(game=game, name=self.body(NameInput)["name"])).data)

    @extend_schema(operation_id="solo_remove", parameters=[TOKEN], responses={204: None})
    def delete(self, request: Request, uid: str) -> Response:
        """Delete a game of one's own, or take a result off the board of one's club."""
        games.take_off(actor=self.actor, phone=self.phone, game=self.game(uid))
        return Response(status=204)


class Moves(PlayView):
    """Make a move."""

    @extend_schema(operation_id="solo_move", parameters=[TOKEN], request=MoveInput, responses=SoloOutput)
    def post(self, request: Request, uid: str) -> Response:
        """Make the move that answers move `number`; sent again, it is made once and answered the same."""
        asked = self.body(MoveInput)
        game = self.game(uid)
        games.require_own(self.phone, game)
        return Response(SoloOutput(games.make_move(game=game, **asked)).data)


class Undo(PlayView):
    """Take a move back."""

    @extend_schema(operation_id="solo_undo", parameters=[TOKEN], request=UndoInput, responses=SoloOutput)
    def post(self, request: Request, uid: str) -> Response:
        """Take back one's last move in practice, with all that followed it; dice and cards stay as they were dealt."""
        asked = self.body(UndoInput)
        game = self.game(uid)
        games.require_own(self.phone, game)
        return Response(SoloOutput(games.take_back(game=game, **asked)).data)


class Advice(PlayView):
    """What a strong player would do."""

    @extend_schema(operation_id="solo_advice", parameters=[TOKEN], responses=AdviceOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Say what a strong player would do now in practice, from what one sees oneself, and why."""
        game = self.game(uid)
        games.require_own(self.phone, game)
        return Response(AdviceOutput(games.advise(game=game)).data)


class Record(PlayView):
    """The record of a game that is over."""

    @extend_schema(operation_id="solo_record", parameters=[TOKEN], responses=RecordOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Return the record of a finished game; of a challenge to those who have finished it, or once it is over."""
        game = self.game(uid)
        if not game.is_over:
            raise GameRunningError(_("The record is shown when the game is over."))
        challenges.require_look(self.phone, game)
        return Response(game.record)


DAY = OpenApiParameter("day", OpenApiTypes.DATE, description="A day whose board to show; today without it.")


class Board(PlayView):
    """The board of a challenge."""

    @extend_schema(operation_id="challenge_retrieve", parameters=[TOKEN, DAY], responses=ChallengeBoardOutput)
    def get(self, request: Request, game: str) -> Response:
        """Show a challenge that is everybody's, and its results."""
        return self.board(request, game, None)

    def board(self, request: Request, game: str, club: Club | None) -> Response:
        """Answer with a challenge and its first results."""
        day = None
        if (text := request.query_params.get("day")) is not None:
            day = serializers.DateField().to_internal_value(text)
        challenge = challenges.challenge_of(game=game, club=club, day=day)
        results = challenges.board_of(challenge)
        shape = ChallengeOutput(challenge).data | {
            "count": results.count(),
            "may_look": challenges.has_finished(self.phone, challenge),
            "results": ChallengeRowOutput(challenges.ranked(results[:ROWS]), many=True).data,
        }
        return Response(shape)


class ClubBoard(Board):
    """The board of a club's challenge."""

    @extend_schema(operation_id="clubs_challenge_retrieve", parameters=[TOKEN, DAY], responses=ChallengeBoardOutput)
    def get(self, request: Request, slug: str, game: str) -> Response:  # type: ignore[override]  # one argument more
        """Show the challenge of a club, and its results."""
        return self.board(request, game, self.club(slug))


urlpatterns = [
    path("solo/", Solo.as_view(), name="solo"),
    path("solo/<slug:uid>/", SoloGameView.as_view(), name="solo-game"),
    path("solo/<slug:uid>/moves/", Moves.as_view(), name="solo-moves"),
    path("solo/<slug:uid>/undo/", Undo.as_view(), name="solo-undo"),
    path("solo/<slug:uid>/advice/", Advice.as_view(), name="solo-advice"),
    path("solo/<slug:uid>/record/", Record.as_view(), name="solo-record"),
    path("challenges/<slug:game>/", Board.as_view(), name="challenge"),
    path("clubs/<slug:slug>/challenges/<slug:game>/", ClubBoard.as_view(), name="club-challenge"),
]
