"""The people a club knows: search, make, rename, merge, import, and forget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from core.csv import CsvRenderer
from core.names import LONGEST, NameField
from tournaments import selectors
from tournaments.api.base import ApiView, ListView
from tournaments.api.clubs import club_or_404
from tournaments.api.idempotency import idempotent
from tournaments.models import Player
from tournaments.services import imports, merging, people

if TYPE_CHECKING:
    from rest_framework.request import Request


class PlayerInput(serializers.Serializer):
    """A player's name."""

    name = NameField()


class PlayerSearch(serializers.Serializer):
    """What the players of a club can be narrowed to."""

    q = serializers.CharField(
        max_length=LONGEST, required=False, allow_blank=True, help_text="How a word of the name begins."
    )


class PlayerOutput(serializers.Serializer):
    """A player."""

    id = serializers.CharField(source="uid")
    name = serializers.CharField()


class PlayerClubOutput(serializers.Serializer):
    """A club that knows a player."""

    slug = serializers.CharField()
    name = serializers.CharField()


class ProfileOutput(PlayerOutput):
    """What everybody may know of a player."""

    clubs = PlayerClubOutput(many=True)
    merged_into = serializers.CharField(allow_null=True, help_text="The record of the same person to use instead.")
    anonymous = serializers.BooleanField()


class LinkInput(serializers.Serializer):
    """How somebody shows that a player is them."""

    token = serializers.CharField(
        max_length=100, required=False, default="", help_text="The `lse_…` of a personal link; organisers need none."
    )


class MergeInput(serializers.Serializer):
    """The record to keep."""

    into = serializers.SlugField(max_length=16)


class ImportInput(serializers.Serializer):
    """A CSV file of players: one name a line, or a first line that says which column is the `name`."""

    csv = serializers.CharField(trim_whitespace=False)
    dry_run = serializers.BooleanField(default=False, help_text="Only say what would happen.")


class ProblemLineOutput(serializers.Serializer):
    """Why a line cannot be imported."""

    line = serializers.IntegerField(help_text="From 1.")
    code = serializers.CharField()
    message = serializers.CharField()


class ImportedOutput(serializers.Serializer):
    """A player whom the club did not know."""

    id = serializers.CharField(allow_null=True, help_text="None in a dry run.")
    name = serializers.CharField()


class ImportOutput(serializers.Serializer):
    """What an import did, or would do."""

    dry_run = serializers.BooleanField()
    new = ImportedOutput(many=True)
    known = PlayerOutput(many=True, help_text="Players whom the club knows by that name.")
    problems = ProblemLineOutput(many=True)


class Players(ListView):
    """The players of a club."""

    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("name", "id")

    @extend_schema(
        operation_id="players_list",
        parameters=[PlayerSearch],
        responses={(200, "application/json"): PlayerOutput(many=True), (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the players a club knows by name, or suggest some while a name is typed. CSV has no pages."""
        club = club_or_404(self.actor, slug)
        search = PlayerSearch(data=request.query_params)
        search.is_valid(raise_exception=True)
        players = selectors.known_players(club, search.validated_data.get("q", ""))
        if request.accepted_renderer.format == "csv":
            return Response(PlayerOutput(players, many=True).data)
        return self.page(players, PlayerOutput)

    @extend_schema(
        operation_id="players_create",
        request=PlayerInput,
        responses={(201, "application/json"): PlayerOutput},
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Make a record of somebody new, as an organiser."""
        club = club_or_404(self.actor, slug)
        player = people.create_player(actor=self.actor, club=club, **self.body(PlayerInput))
        return Response(PlayerOutput(player).data, status=201)


class Import(ApiView):
    """Import players."""

    @extend_schema(
        operation_id="players_import",
        request=ImportInput,
        responses=ImportOutput,
    )
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Import players from CSV, as an organiser: all of them, or none while a line has a problem."""
        club = club_or_404(self.actor, slug)
        body = self.body(ImportInput)
        found = imports.import_players(actor=self.actor, club=club, text=body["csv"], is_dry_run=body["dry_run"])
        new = [{"id": player.uid if player.pk else None, "name": player.name} for player in found.new]
        facts = {"dry_run": body["dry_run"], "new": new, "known": found.known, "problems": found.problems}
        return Response(ImportOutput(facts).data)


class PlayerView(ApiView):
    """A view of one player."""

    def player(self, uid: str) -> Player:
        """Return a player that the caller may know of."""
        return get_object_or_404(selectors.visible_players(self.actor).select_related("merged_into"), uid=uid)

    def profile(self, player: Player) -> dict[str, Any]:
        """Return a player as the caller may see them."""
        return ProfileOutput(
            {
                "uid": player.uid,
                "name": player.name,
                "clubs": selectors.visible_clubs(self.actor).filter(players=player).order_by("name", "pk"),
                "merged_into": player.merged_into and player.merged_into.uid,
                "anonymous": player.anonymised_at is not None,
            }
        ).data


class OnePlayer(PlayerView):
    """One player."""

    @extend_schema(operation_id="players_retrieve", responses=ProfileOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read the profile of a player."""
        return Response(self.profile(self.player(uid)))

    @extend_schema(operation_id="players_change", request=PlayerInput, responses=ProfileOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Rename a player: as themselves, or as an organiser of a club that knows them."""
        player = people.rename_player(actor=self.actor, player=self.player(uid), **self.body(PlayerInput))
        return Response(self.profile(player))


class Link(PlayerView):
    """The account of a player."""

    @extend_schema(operation_id="players_link", request=LinkInput, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that a player is oneself, with a personal link of theirs or as their organiser."""
        player = people.link_player(actor=self.actor, player=self.player(uid), **self.body(LinkInput))
        return Response(self.profile(player))

    @extend_schema(operation_id="players_unlink", responses=ProfileOutput)
    def delete(self, request: Request, uid: str) -> Response:
        """Part a player from their account."""
        return Response(self.profile(people.unlink_player(actor=self.actor, player=self.player(uid))))


class Merge(PlayerView):
    """Two records of one person."""

    @extend_schema(operation_id="players_merge", request=MergeInput, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Merge a record into another one of the same person, as an organiser. The answer is who they are now."""
        gone, kept = self.player(uid), self.player(self.body(MergeInput)["into"])
        return Response(self.profile(merging.merge_players(actor=self.actor, gone=gone, kept=kept)))


class Unmerge(PlayerView):
    """Take a merge back."""

    @extend_schema(operation_id="players_unmerge", request=None, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take the merge of a record back, as an organiser, while nothing new is attached to the person."""
        return Response(self.profile(merging.unmerge_player(actor=self.actor, player=self.player(uid))))


class Anonymise(PlayerView):
    """Forget somebody's name."""

    @extend_schema(operation_id="players_anonymise", request=None, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Replace somebody's name everywhere and for good: as themselves, or as an owner of their first club."""
        return Response(self.profile(people.anonymise_player(actor=self.actor, player=self.player(uid))))


urlpatterns = [
    path("clubs/<slug:slug>/players/", Players.as_view(), name="players"),
    path("clubs/<slug:slug>/players/import/", Import.as_view(), name="players-import"),
    path("players/<slug:uid>/link/", Link.as_view(), name="player-link"),
    path("players/<slug:uid>/merge/", Merge.as_view(), name="player-merge"),
    path("players/<slug:uid>/unmerge/", Unmerge.as_view(), name="player-unmerge"),
    path("players/<slug:uid>/anonymise/", Anonymise.as_view(), name="player-anonymise"),
]
