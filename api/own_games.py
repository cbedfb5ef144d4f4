"""Clubs' own games: describe one, change it by another version, share and copy it, try a sheet of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.games import VerdictOutput
from api.idempotency import HEADER, first_answer, idempotent
from api.shapes import ProblemOutput
from core.brute_force import look_up
from core.costly import OWN_GAME, bounded
from core.ids import ID_LENGTH
from scoring import rules
from tournaments import games, links, selectors
from tournaments.links import origin_of
from tournaments.models import Club, GameVersion, OwnGame, Role
from tournaments.services import games as services

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

INVALID = {(422, "application/problem+json"): ProblemOutput}


class OwnGameOutput(serializers.BaseSerializer):
    """A club's own game: its definition as it was given, with its version."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the definition, and beside it what the service knows of the game."""
        version = self.context.get("version") or instance.newest[0]
        added = {
            "version": version.number,
            "club": instance.club.slug,
            "game": instance.name,
            "in_use": instance.in_use,
            "created_at": version.created_at,
        }
        if origin := self.context.get("origin"):  # where the caller may know the link
            added["link"] = links.game_link(instance, origin) if instance.link else None
        return {**version.definition, **added}


class VersionOutput(serializers.Serializer):
    """One of the definitions a club has given of a game."""

    version = serializers.IntegerField(source="number")
    definition = serializers.JSONField()
    created_at = serializers.DateTimeField()


class CopyInput(serializers.Serializer):
    """A game of another club to copy."""

    copy = serializers.CharField(max_length=400, help_text="The link, or its last part.")
    slug = serializers.SlugField(max_length=OwnGame.LONGEST_SLUG, required=False)


class GameView(ApiView):
    """A view of one club's own games."""

    most_bytes = settings.SHEET_MAX_BYTES

    def games(self) -> QuerySet[OwnGame]:
        """Return the games that the caller may know of."""
        return selectors.described(self.actor, selectors.visible_games(self.actor))

    def game(self, club: str, slug: str) -> OwnGame:
        """Return a game that the caller may know of."""
        return get_object_or_404(self.games(), club__slug=club, slug=slug)

    def shown(self, game: OwnGame, version: GameVersion | None = None) -> Response:
        """Answer with a game, in its newest version or in another."""
        origin = origin_of(self.request) if self.actor.is_at_least(Role.ORGANISER, game.club) else ""
        return Response(OwnGameOutput(game, context={"origin": origin, "version": version}).data)


class OwnGames(GameView, ListView):
    """The games a club has described itself."""

    creates = ("own-game", "club", "slug")

    @extend_schema(operation_id="own_games_list", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, club: str) -> Response:
        """List a club's own games by slug, each in its newest version."""
        house = club_or_404(self.actor, club)
        found = self.games().filter(club=house).order_by("slug")
        is_organiser = self.actor.is_at_least(Role.ORGANISER, house)
        return self.page(found, OwnGameOutput, origin=origin_of(request) if is_organiser else "")

    @extend_schema(
        operation_id="own_games_create",
        parameters=[HEADER],
        request=OpenApiTypes.OBJECT,
        responses={201: OpenApiTypes.OBJECT, **INVALID},
    )
    def post(self, request: Request, club: str) -> Response:
        """Describe a game, as an organiser, or copy one: `{"copy": "<link>"}`. An event then names it `custom:…`."""
        house = club_or_404(self.actor, club)
        return first_answer(self, request) or self._keep(request, house, self._judged(request, house))

    def _judged(self, request: Request, club: Club) -> dict[str, Any]:
        definition = games.definition_in(request.data)
        if isinstance(request.data, dict) and "copy" in request.data:
            body = self.body(CopyInput)
            link = body["copy"].rstrip("/").rpartition("/")[2][:ID_LENGTH]
            source = look_up(request, lambda: selectors.game_with_link(self.actor, link))
            if source is None:
                raise Http404
            definition = services.definition_to_copy(source, body.get("slug", ""))
        return services.judge_game(actor=self.actor, club=club, definition=definition)

    @idempotent
    def _keep(self, request: Request, club: Club, value: dict[str, Any]) -> Response:
        game = services.keep_game(actor=self.actor, club=club, value=value)
        made = self.shown(self.game(club.slug, game.slug))
        made.status_code = 201
        return made


class OneOwnGame(GameView):
    """One game of a club."""

    @extend_schema(operation_id="own_games_retrieve", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, club: str, slug: str) -> Response:
        """Read a game in its newest version."""
        return self.shown(self.game(club, slug))

    @extend_schema(
        operation_id="own_games_change",
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiTypes.OBJECT, **INVALID},
    )
    def patch(self, request: Request, club: str, slug: str) -> Response:
        """Change a game, as an organiser: a new version is made, and events that exist keep theirs. Null removes."""
        own, changes = self.game(club, slug), games.definition_in(request.data)
        services.redefine_game(actor=self.actor, game=own, changes=changes if isinstance(changes, dict) else {})
        return self.shown(self.game(club, slug))

    @extend_schema(operation_id="own_games_remove", responses={204: None})
    def delete(self, request: Request, club: str, slug: str) -> Response:
        """Remove a game that no event is played by, as an organiser."""
        services.remove_game(actor=self.actor, game=self.game(club, slug))
        return Response(status=204)


class GameLink(GameView):
    """The link by which other clubs copy a game."""

    @extend_schema(operation_id="own_games_share", request=None, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, club: str, slug: str) -> Response:
        """Give the game a link, as an organiser; one that it has stays."""
        services.share_game(actor=self.actor, game=self.game(club, slug))
        return self.shown(self.game(club, slug))

    @extend_schema(operation_id="own_games_unshare", responses={204: None})
    def delete(self, request: Request, club: str, slug: str) -> Response:
        """End the link, as an organiser. Copies stay with the clubs that made them."""
        services.share_game(actor=self.actor, game=self.game(club, slug), is_shared=False)
        return Response(status=204)


class GameVersions(GameView, ListView):
    """The versions of a game."""

    @extend_schema(operation_id="own_games_versions", responses=VersionOutput(many=True))
    def get(self, request: Request, club: str, slug: str) -> Response:
        """List the definitions a club has given of a game, newest first."""
        found = GameVersion.objects.filter(game=self.game(club, slug)).order_by("-number")
        return self.page(found, VersionOutput)


class OneVersion(GameView):
    """One version of a game."""

    @extend_schema(operation_id="own_games_version", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, club: str, slug: str, number: int) -> Response:
        """Read a game in one of its versions."""
        own = self.game(club, slug)
        return self.shown(own, get_object_or_404(GameVersion, game=own, number=number))


class CheckOwn(GameView):
    """Judge a sheet of a club's own game without storing it."""

    @extend_schema(operation_id="own_games_check", request=OpenApiTypes.ANY, responses=VerdictOutput)
    def post(self, request: Request, club: str, slug: str) -> Response:
        """Judge a sheet by the newest version of a game: 200 with the verdict. Nothing is stored."""
        return self.judged(request, club, slug)

    def judged(self, request: Request, club: str, slug: str, number: int | None = None) -> Response:
        """Return the verdict of a version, the newest where none is named."""
        try:
            engine = games.engine_of_game(self.game(club, slug), number)
        except GameVersion.DoesNotExist:
            raise Http404 from None
        return Response(VerdictOutput(rules.check(engine, request.data)).data)


class CheckOwnVersion(CheckOwn):
    """Judge a sheet by one version of a club's own game without storing it."""

    @extend_schema(operation_id="own_games_check_version", request=OpenApiTypes.ANY, responses=VerdictOutput)
    def post(self, request: Request, club: str, slug: str, number: int) -> Response:  # type: ignore[override]
        """Judge a sheet by one version of a game: 200 with the verdict. Nothing is stored."""
        return self.judged(request, club, slug, number)


class Definitions(ApiView):
    """What a definition looks like, and some to start from."""

    @extend_schema(operation_id="definitions_list", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Read the JSON Schema of a definition, and ready definitions for families of games that everybody knows."""
        return Response({"schema": games.definition_schema(), "results": games.ready()})


class CheckDefinition(ApiView):
    """Judge a definition without storing it."""

    most_bytes = settings.SHEET_MAX_BYTES

    @extend_schema(
        operation_id="definitions_check",
        request=inline_serializer(
            "DefinitionToCheck",
            {"definition": serializers.JSONField(), "report": serializers.JSONField(required=False)},
        ),
        responses={200: OpenApiTypes.OBJECT, **INVALID},
    )
    def post(self, request: Request) -> Response:
        """Judge a definition, and a sheet by it if there is one: 422 `game-invalid` if it makes no sense."""
        body = request.data if isinstance(request.data, dict) else {}
        with bounded(OWN_GAME):
            engine = games.engine_to_try(games.definition_in(body.get("definition")))
        verdict = VerdictOutput(rules.check(engine, body["report"])).data if "report" in body else None
        return Response({"game": engine.slug, "schema": rules.report_schema(engine), "verdict": verdict})


class SharedGame(GameView):
    """A game that a club has shared."""

    @extend_schema(operation_id="own_games_shared", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, link: str) -> Response:
        """Read a game by the link that its club has given."""
        found = look_up(request, lambda: selectors.game_with_link(self.actor, link))
        if found is None:
            raise Http404
        return self.shown(found)


urlpatterns = [
    path("definitions/", Definitions.as_view(), name="definitions"),
    path("definitions/check/", CheckDefinition.as_view(), name="check-definition"),
    path("shared-games/<slug:link>/", SharedGame.as_view(), name="shared-game"),
    path("clubs/<slug:club>/games/", OwnGames.as_view(), name="own-games"),
    path("clubs/<slug:club>/games/<slug:slug>/", OneOwnGame.as_view(), name="own-game"),
    path("clubs/<slug:club>/games/<slug:slug>/link/", GameLink.as_view(), name="own-game-link"),
    path("clubs/<slug:club>/games/<slug:slug>/check/", CheckOwn.as_view(), name="own-game-check"),
    path("clubs/<slug:club>/games/<slug:slug>/versions/", GameVersions.as_view(), name="own-game-versions"),
    path("clubs/<slug:club>/games/<slug:slug>/versions/<int:number>/", OneVersion.as_view(), name="own-game-version"),
    path(
        "clubs/<slug:club>/games/<slug:slug>/versions/<int:number>/check/",
        CheckOwnVersion.as_view(),
        name="own-game-version-check",
    ),
]
