"""The people a club knows: search, make, rename, merge, import, and forget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView, ListView
from api.clubs import club_or_404
from api.framework import CsvParser, StrictJSONParser, UploadParser
from api.idempotency import HEADER, first_answer, idempotent
from api.shapes import ShortList
from core.brute_force import count_failure
from core.costly import EXPORT, bounded
from core.csv import CsvRenderer
from core.ids import ID_LENGTH
from core.names import NameField
from tournaments import selectors, trust
from tournaments.models import Affiliation, Club, Player, Role
from tournaments.services import imports, merging, people
from tournaments.services.entries import earlier_phone
from tournaments.services.forgetting import Found
from tournaments.services.permissions import require_role, turn_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class PlayerInput(serializers.Serializer):
    """A player's name."""

    name = NameField()


class PlayerSearch(serializers.Serializer):
    """What the players of a club can be narrowed to."""

    q = serializers.CharField(
        max_length=Player.LONGEST_NAME, required=False, allow_blank=True, help_text="How a word of the name begins."
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

    clubs = serializers.SerializerMethodField()
    merged_into = serializers.CharField(
        source="merged_into.uid", allow_null=True, help_text="The record of the same person to use instead."
    )
    anonymous = serializers.BooleanField(source="is_anonymous")
    home = serializers.SerializerMethodField(help_text="The slug of the home club, where the caller may know of it.")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_home(self, player: Player) -> str | None:
        """Return the club whose organisers speak for the player."""
        home = trust.home_of(player)
        return home.slug if home and (home.is_public or self.context["actor"].role_in(home)) else None

    @extend_schema_field(PlayerClubOutput(many=True))
    def get_clubs(self, player: Player) -> list[dict[str, Any]]:
        """Return the clubs that know the player, and of which the caller may know."""
        known = selectors.visible_clubs(self.context["actor"]).filter(players=player).order_by("name", "pk")
        return list(PlayerClubOutput(known, many=True).data)


class LinkInput(serializers.Serializer):
    """How somebody shows that a player is them."""

    token = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        help_text="The `lse_…` of an event of the home club; its organisers need none.",
    )


class MergeInput(serializers.Serializer):
    """The record to keep."""

    into = serializers.SlugField(max_length=ID_LENGTH)


class ImportInput(serializers.Serializer):
    """A CSV file of players: one name a line, or a first line that says which column is the `name`."""

    csv = serializers.CharField(trim_whitespace=False)
    dry_run = serializers.BooleanField(default=False, help_text="Only say what would happen.")
    as_new = ShortList(
        child=serializers.IntegerField(min_value=1),
        max_length=imports.MOST_LINES,
        default=list,
        help_text="Lines of names that are somebody new, although they look like somebody known.",
    )


class ProblemLineOutput(serializers.Serializer):
    """Why a line cannot be imported."""

    line = serializers.IntegerField(help_text="From 1.")
    code = serializers.CharField()
    message = serializers.CharField()


class ImportedOutput(serializers.Serializer):
    """A player whom the club did not know."""

    id = serializers.SerializerMethodField(help_text="None in a dry run.")
    name = serializers.CharField()

    def get_id(self, player: Player) -> str | None:
        """Return the id that the player has if they are stored."""
        return player.uid if player.pk else None


class DoubtfulOutput(serializers.Serializer):
    """A name that looks like somebody whom the club knows: no second record is made unless `as_new` says so."""

    line = serializers.IntegerField(help_text="From 1.")
    name = serializers.CharField()
    like = PlayerOutput(many=True)


class ImportOutput(serializers.Serializer):
    """What an import did, or would do."""

    dry_run = serializers.BooleanField()
    new = ImportedOutput(many=True)
    doubtful = DoubtfulOutput(many=True)
    known = PlayerOutput(many=True, help_text="Players whom the club knows by that name.")
    problems = ProblemLineOutput(many=True)


class Players(ListView):
    """The players of a club."""

    creates = ("player", "id")

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
        players = selectors.known_players(club, self.query(PlayerSearch).get("q", ""))
        if request.accepted_renderer.format == "csv":
            with bounded(turn_of(self.actor, club, EXPORT)):
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

    most_bytes = settings.FILE_MAX_BYTES
    parser_classes = [StrictJSONParser, CsvParser, UploadParser]

    @extend_schema(
        operation_id="players_import",
        parameters=[HEADER],
        request=ImportInput,
        responses=ImportOutput,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import players from CSV, as an organiser: all of them, or none while a line has a problem.

        Send the file in a JSON object, as the body itself (`text/csv`), or as the `file` of a form.
        """
        club = club_or_404(self.actor, slug)
        if (known := first_answer(self, request)) is not None:
            return known
        body = self.body(ImportInput)
        file = imports.sort_out(actor=self.actor, club=club, text=body["csv"], as_new=set(body["as_new"]))
        return self._take(request, file, is_dry_run=body["dry_run"])

    @idempotent
    def _take(self, request: Request, file: imports.SortedFile, *, is_dry_run: bool) -> Response:
        """Keep the answer under its key, for those who still may bring people in."""
        require_role(actor=self.actor, club=file.club, role=Role.ORGANISER)
        found = file.found if is_dry_run else imports.take_sorted(actor=self.actor, file=file)
        answer = {name: getattr(found, name) for name in ("new", "known", "doubtful", "problems")}
        return Response(ImportOutput(answer | {"dry_run": is_dry_run}).data)


class NoteInput(serializers.Serializer):
    """What a club's organisers write down about a player."""

    note = serializers.CharField(max_length=Affiliation.LONGEST_NOTE, allow_blank=True)


class Note(ApiView):
    """What a club's organisers know about a player."""

    def _find(self, slug: str, uid: str) -> tuple[Club, Player]:
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.ORGANISER)
        return club, get_object_or_404(Player.objects.filter(clubs=club).select_related("merged_into"), uid=uid)

    @extend_schema(operation_id="players_note", responses=NoteInput)
    def get(self, request: Request, slug: str, uid: str) -> Response:
        """Read the note that a club's organisers keep about a player; only they do."""
        club, player = self._find(slug, uid)
        return Response(NoteInput({"note": selectors.note_about(club, player)}).data)

    @extend_schema(operation_id="players_note_write", request=NoteInput, responses=NoteInput)
    def put(self, request: Request, slug: str, uid: str) -> Response:
        """Write the note about a player anew, as an organiser; an empty one deletes it."""
        club, player = self._find(slug, uid)
        note = people.write_note(actor=self.actor, club=club, player=player, **self.body(NoteInput))
        return Response(NoteInput({"note": note}).data)


class PlayerView(ApiView):
    """A view of one player."""

    profile_shape: type[ProfileOutput] = ProfileOutput

    def player(self, uid: str) -> Player:
        """Return a player that the caller may know of."""
        player = selectors.seen_player(self.actor, uid)
        if player is None:
            raise Http404
        return player

    def profile(self, player: Player) -> dict[str, Any]:
        """Return a player as the caller may see them."""
        return self.profile_shape(player, context={"actor": self.actor}).data


class OnePlayer(PlayerView):
    """One player."""

    @extend_schema(operation_id="players_retrieve", responses=ProfileOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read the profile of a player."""
        return Response(self.profile(self.player(uid)))

    @extend_schema(operation_id="players_change", request=PlayerInput, responses=ProfileOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Rename a player: as themselves, or as an organiser of their home club."""
        player = people.rename_player(actor=self.actor, player=self.player(uid), **self.body(PlayerInput))
        return Response(self.profile(player))


class Link(PlayerView):
    """The account of a player."""

    @extend_schema(operation_id="players_link", request=LinkInput, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that a player is oneself: with a personal link of theirs, or as an organiser of their home club."""
        body = self.body(LinkInput)
        player = people.link_player(actor=self.actor, player=self._found(uid, body["token"]), **body)
        return Response(self.profile(player))

    def _found(self, uid: str, token: str) -> Player:
        """Return a player that the caller may know of, or the phone whose link they show; a wrong one is counted."""
        phone = earlier_phone(token) if token else None
        if token and phone is None:
            count_failure(self.request)
        return (phone and selectors.seen_player(phone, uid)) or self.player(uid)

    @extend_schema(operation_id="players_unlink", responses={200: ProfileOutput})
    def delete(self, request: Request, uid: str) -> Response:
        """Part a player from their account: as themselves, or as an organiser of their home club."""
        return Response(self.profile(people.unlink_player(actor=self.actor, player=self.player(uid))))


class Merge(PlayerView):
    """Two records of one person."""

    @extend_schema(operation_id="players_merge", request=MergeInput, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Merge a record into another one of the same person, where both are the caller's to speak for."""
        gone, kept = self.player(uid), self.player(self.body(MergeInput)["into"])
        return Response(self.profile(merging.merge_players(actor=self.actor, gone=gone, kept=kept)))


class MergePreviewOutput(serializers.Serializer):
    """What merging two records would do."""

    gone = PlayerOutput()
    kept = PlayerOutput()
    entries = serializers.IntegerField(help_text="Of the record that goes, in events the caller may know of.")
    tables = serializers.IntegerField()
    clubs = PlayerClubOutput(many=True, help_text="That know the person from then on.")
    needs_consent = serializers.BooleanField(help_text="The other side has to agree: ask by a request to merge.")
    refusal = serializers.CharField(
        allow_blank=True,
        help_text="Why the two cannot be one person, as far as the caller may know; empty if they may be one.",
    )


class MergePreview(PlayerView):
    """What merging two records would do."""

    @extend_schema(operation_id="players_merge_preview", request=MergeInput, responses=MergePreviewOutput)
    def post(self, request: Request, uid: str) -> Response:
        """Say what merging a record into another would do, for whoever speaks for one of them; nothing is done."""
        gone, kept = self.player(uid), self.player(self.body(MergeInput)["into"])
        return Response(MergePreviewOutput(merging.preview_merge(actor=self.actor, gone=gone, kept=kept)).data)


class Unmerge(PlayerView):
    """Take a merge back."""

    def player(self, uid: str) -> Player:
        """Return a player that the caller may know of, or a record that they may part from a person they speak for.

        It may be one of a private club, of whose people nobody else is told.
        """
        player = selectors.seen_player(self.actor, uid)
        if player is None:
            player = get_object_or_404(Player.objects.select_related("home", "merged_into__home"), uid=uid)
            if not trust.may_part(self.actor, player):
                raise Http404
        return player

    @extend_schema(operation_id="players_unmerge", request=None, responses=ProfileOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take the merge of a record back, for either side, while nothing new is attached to the person."""
        return Response(self.profile(merging.unmerge_player(actor=self.actor, player=self.player(uid))))


class Anonymise(PlayerView):
    """Forget somebody's name."""

    @extend_schema(operation_id="players_anonymise", parameters=[HEADER], request=None, responses=ProfileOutput)
    def post(self, request: Request, uid: str) -> Response:
        """Replace somebody's name everywhere and for good: as themselves, or as an owner of their home club."""
        return first_answer(self, request) or self._forget(request, self.player(uid))

    def _forget(self, request: Request, player: Player) -> Response:
        return self._answer(request, player, people.look_for(actor=self.actor, player=player))

    @idempotent
    def _answer(self, request: Request, player: Player, found: Found) -> Response:
        return Response(self.profile(people.anonymise_player(actor=self.actor, player=player, found=found)))


urlpatterns = [
    path("clubs/<slug:slug>/players/", Players.as_view(), name="players"),
    path("clubs/<slug:slug>/players/import/", Import.as_view(), name="players-import"),
    path("clubs/<slug:slug>/players/<slug:uid>/note/", Note.as_view(), name="player-note"),
    path("players/<slug:uid>/merge-preview/", MergePreview.as_view(), name="player-merge-preview"),
    path("players/<slug:uid>/link/", Link.as_view(), name="player-link"),
    path("players/<slug:uid>/merge/", Merge.as_view(), name="player-merge"),
    path("players/<slug:uid>/unmerge/", Unmerge.as_view(), name="player-unmerge"),
    path("players/<slug:uid>/anonymise/", Anonymise.as_view(), name="player-anonymise"),
]
