"""An event, or everything of a club, as one file: out and in; and the results of a club for those who mirror them."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponseBase, StreamingHttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response

from api import strict
from api.base import ApiView
from api.clubs import club_or_404
from api.errors import field_errors
from api.events import event_or_404, knows_more_of
from api.framework import StrictJSONParser
from api.idempotency import HEADER, first_answer, idempotent
from api.seasons import SeasonInput
from api.serializers import GameField, PersonOutput, Prize, TableLabel, many
from api.shapes import FindingOutput, NullableSheetField, ShortList
from core.costly import EXPORT, FILE, bounded
from core.ids import ALPHABET, ID_LENGTH
from core.names import NameField
from core.transactions import anew_after
from scoring.errors import FileInvalidError, FileOvertakenError
from scoring.models import Report, Voice
from scoring.services import files
from tournaments import games
from tournaments.errors import ForbiddenError
from tournaments.models import (
    LARGEST_TABLE,
    LONGEST_AUTHOR,
    LONGEST_REASON,
    SMALLEST_TABLE,
    Club,
    Confirmation,
    Entry,
    Event,
    Format,
    Joining,
    OwnGame,
    Penalty,
    Points,
    Role,
    Round,
    Showing,
    Table,
    TieBreak,
    TieRule,
)
from tournaments.selectors import hiding, shown_places, visible_events
from tournaments.services.permissions import require_role, turn_of

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_HISTORY = 50_000
MOST_EVENTS = 2_000
MOST_DEFINITIONS = 5_000


# What was written once is read for good: a field that came later has a default.


class FileId(serializers.RegexField):
    """An id as the service makes them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(rf"^[{ALPHABET}]{{{ID_LENGTH}}}$", **options)


def _ids(most: int, **options: Any) -> serializers.ListField:
    return ShortList(child=FileId(), max_length=most, **options)


def _reason() -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, help_text="Why, in a sentence.")


class FileSizes(serializers.Serializer):
    """How many sit at a table."""

    min = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE)
    max = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE)
    preferred = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE)


class FileEvent(serializers.Serializer):
    """The settings of the event."""

    id = FileId()
    name = NameField(longest=Event.LONGEST_NAME)
    game = GameField(games.choices())
    game_version = serializers.IntegerField(min_value=1, max_value=10**6, required=False, allow_null=True)
    variant = serializers.CharField(max_length=Event.LONGEST_VARIANT)
    format = serializers.ChoiceField(Format.choices)
    status = serializers.ChoiceField(Event.Status.choices)
    rounds = serializers.IntegerField(min_value=1, max_value=Event.MOST_ROUNDS)
    table_size = FileSizes()
    points = serializers.ChoiceField(Points.choices)
    podium_points = ShortList(
        child=serializers.IntegerField(min_value=0, max_value=Event.MOST_PODIUM_POINTS), max_length=LARGEST_TABLE
    )
    tiebreaks = ShortList(child=serializers.ChoiceField(TieBreak.choices), max_length=len(TieBreak))
    confirmation = serializers.ChoiceField(Confirmation.choices)
    rated = serializers.BooleanField()
    public = serializers.BooleanField()
    cut_to = serializers.IntegerField(min_value=Event.SMALLEST_FINAL, max_value=LARGEST_TABLE, allow_null=True)
    advance = serializers.IntegerField(min_value=1, max_value=LARGEST_TABLE - 1, allow_null=True)
    tables_counted = serializers.IntegerField(min_value=1, max_value=Event.MOST_TABLES_COUNTED, allow_null=True)
    tables_least = serializers.IntegerField(min_value=1, max_value=Event.MOST_TABLES_COUNTED)
    round_minutes = serializers.IntegerField(min_value=1, max_value=Event.MOST_ROUND_MINUTES, allow_null=True)
    joining = serializers.ChoiceField(Joining.choices)
    most_entries = serializers.IntegerField(min_value=1, max_value=Event.MOST_ENTRIES, allow_null=True)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    season = serializers.CharField(max_length=80, allow_null=True, help_text="The name of a season of the club.")
    schedule = ShortList(
        child=ShortList(child=_ids(LARGEST_TABLE), max_length=files.MOST_TABLES),
        max_length=Event.MOST_ROUNDS,
        help_text="Rotation: the rounds still to come, by entries; for those outside of the club none.",
    )
    table_labels = many(TableLabel, Event.MOST_LABELS)
    sign_up_ahead = serializers.BooleanField()
    sign_up_closes_at = serializers.DateTimeField(allow_null=True)
    check_in = serializers.BooleanField()
    stages = ShortList(
        child=serializers.IntegerField(min_value=Event.SMALLEST_FINAL, max_value=Event.LARGEST_CUT),
        max_length=Event.MOST_STAGES,
        default=list,
    )
    tie_rule = serializers.ChoiceField(TieRule.choices, default=TieRule.TIEBREAKS)
    standings_shown = serializers.ChoiceField(Showing.choices, default=Showing.ALWAYS)
    standings_number = serializers.IntegerField(
        min_value=1, max_value=Event.MOST_PLACES_SHOWN, allow_null=True, default=None
    )
    prizes = many(Prize, Event.MOST_PRIZES, default=list)
    created_at = serializers.DateTimeField()


class FilePerson(serializers.Serializer):
    """Somebody in the event."""

    id = FileId()
    name = NameField()


class FileEntry(serializers.Serializer):
    """A person's entry."""

    id = FileId()
    player = FileId(help_text="The id of a person of the file.")
    name = NameField()
    status = serializers.ChoiceField(Entry.Status.choices)
    verified = serializers.BooleanField()
    claims = FileId(allow_null=True, help_text="The known person whom an unproven phone says to be.")
    first_round = serializers.IntegerField(min_value=0, max_value=files.MOST_ROUNDS)
    fixed_table = serializers.IntegerField(min_value=1, max_value=Event.MOST_LABELS, allow_null=True)
    waiting_since = serializers.DateTimeField(allow_null=True)
    joined_at = serializers.DateTimeField()


class FileStanding(serializers.Serializer):
    """A seat's place; read where a result was ranked by hand, judged anew where there is a sheet."""

    seat = serializers.CharField(max_length=ID_LENGTH, help_text="The id of a person, or the game's own partner.")
    rank = serializers.IntegerField(min_value=1, max_value=LARGEST_TABLE)
    score = serializers.IntegerField(min_value=-Report.MOST_POINTS, max_value=Report.MOST_POINTS, allow_null=True)
    key = ShortList(
        child=serializers.IntegerField(min_value=-(2**53), max_value=2**53),
        max_length=20,
        help_text="Decides the rank.",
    )


class FileVoice(serializers.Serializer):
    """What another seat said of a report."""

    entry = FileId()
    says = serializers.ChoiceField(Voice.Says.choices)
    reason = _reason()
    at = serializers.DateTimeField()


class FileReport(serializers.Serializer):
    """A sheet of a table; for those outside of the club only the one that counts."""

    id = FileId()
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    status = serializers.ChoiceField(Report.Status.choices)
    sheet = NullableSheetField(allow_null=True, help_text="None where an organiser ranked the players by hand.")
    standings = many(FileStanding, LARGEST_TABLE + 1)
    forfeits = _ids(LARGEST_TABLE)
    played_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    entry = FileId(allow_null=True, help_text="Who sent it; none for the club.")
    author = serializers.CharField(max_length=LONGEST_AUTHOR, allow_blank=True)
    reason = _reason()
    flags = ShortList(child=serializers.JSONField(), max_length=200)
    voices = many(FileVoice, LARGEST_TABLE)


class FileTable(serializers.Serializer):
    """A table of a round."""

    id = FileId()
    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    status = serializers.ChoiceField(Table.Status.choices)
    variant = serializers.CharField(max_length=Event.LONGEST_VARIANT)
    label = serializers.CharField(max_length=Event.LONGEST_LABEL, allow_blank=True)  # type: ignore[assignment]
    room = serializers.CharField(max_length=Event.LONGEST_LABEL, allow_blank=True)
    extra_minutes = serializers.IntegerField(min_value=0, max_value=30_000, default=0)
    seats = _ids(LARGEST_TABLE, help_text="Ids of entries, in order.")
    final_at = serializers.DateTimeField(
        allow_null=True, help_text="When it first had a result: the order of ratings."
    )
    reports = many(FileReport, files.MOST_REPORTS)


class FileRound(serializers.Serializer):
    """A round."""

    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    kind = serializers.ChoiceField(Round.Kind.choices)
    status = serializers.ChoiceField(Round.Status.choices)
    seed = serializers.IntegerField(min_value=0, max_value=2**63 - 1)
    steps = serializers.IntegerField(min_value=0, max_value=2**63 - 1)
    quality = serializers.DictField(child=serializers.IntegerField())
    points = serializers.DictField(child=serializers.IntegerField(), help_text="By entry: what it was seated by.")
    started_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(min_value=1, max_value=Event.MOST_ROUND_MINUTES, allow_null=True)
    extra_minutes = serializers.IntegerField(min_value=0, max_value=30_000)
    stage = serializers.IntegerField(
        min_value=0, max_value=Event.MOST_STAGES, default=0, help_text="Of the final, from 1."
    )
    cut = serializers.DictField(default=dict, help_text="Who was level at the line of the cut, and what decided.")
    paused_at = serializers.DateTimeField(allow_null=True, default=None, help_text="Since when its clock is paused.")
    paused_seconds = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="How long its clock was paused before."
    )
    seated_at = serializers.DateTimeField()
    tables = many(FileTable, files.MOST_TABLES)
    sitting_out = _ids(files.MOST_ENTRIES)


class FileAction(serializers.Serializer):
    """Something that was done: who, what, when, why."""

    verb = serializers.SlugField(max_length=40)
    actor = serializers.CharField(max_length=LONGEST_AUTHOR)
    reason = _reason()
    facts = serializers.DictField()
    table = FileId(allow_null=True)
    at = serializers.DateTimeField()


class FilePenalty(serializers.Serializer):
    """Points taken off an entry."""

    id = FileId()
    entry = FileId()
    points = serializers.DecimalField(max_digits=9, decimal_places=3)
    round = serializers.IntegerField(min_value=1, max_value=2**31 - 1, allow_null=True)
    reason = _reason()
    created_at = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True, help_text="Since then it counts nothing.")


class FileDefinition(serializers.Serializer):
    """A version of one of the club's own games."""

    id = FileId(help_text="Of the game: all its versions have it.")
    version = serializers.IntegerField(min_value=1, max_value=OwnGame.MOST_VERSIONS)
    definition = serializers.DictField(help_text="As the club gave it; judged again on the way in.")


class EventFile(serializers.Serializer):
    """An event with everything that was played in it."""

    format = serializers.ChoiceField([files.FORMAT])
    event = FileEvent()
    definitions = many(FileDefinition, 1, default=list, help_text="Of its game, where that is the club's own.")
    people = many(FilePerson, 2 * files.MOST_ENTRIES)
    entries = many(FileEntry, files.MOST_ENTRIES)
    rounds = many(FileRound, files.MOST_ROUNDS)
    penalties = many(FilePenalty, Penalty.MOST, default=list)
    history = many(FileAction, MOST_HISTORY)


class FileClub(serializers.Serializer):
    """The club that a file is of."""

    slug = serializers.SlugField()
    name = serializers.CharField(max_length=80)


class ClubFile(serializers.Serializer):
    """Everything of a club."""

    format = serializers.ChoiceField([files.CLUB_FORMAT])
    club = FileClub()
    definitions = many(FileDefinition, MOST_DEFINITIONS, default=list, help_text="Of its own games, every version.")
    people = many(FilePerson, 50_000)
    seasons = many(SeasonInput, 500)
    events = many(EventFile, MOST_EVENTS)


class TakenCounts(serializers.Serializer):
    """How much was taken from a file."""

    people = serializers.IntegerField()
    entries = serializers.IntegerField()
    rounds = serializers.IntegerField()
    tables = serializers.IntegerField()
    reports = serializers.IntegerField()


class RefusedOutput(FindingOutput):
    """A sheet that was not taken, and why; its table is dropped where it counted."""

    errors = FindingOutput(many=True, help_text="What the rules say of it.")  # type: ignore[assignment]  # a field


class TakenGameOutput(serializers.Serializer):
    """One of the club's own games in a file."""

    game = serializers.CharField(source="name", help_text="What it is called in the file.")
    taken_as = serializers.CharField(help_text="What it is called here: another name where the club has such a game.")
    version = serializers.IntegerField(help_text="The version it is here.")


class TakenOutput(serializers.Serializer):
    """What became of a file."""

    event = serializers.CharField(source="event.uid", help_text="The event it is here.")
    taken = TakenCounts(help_text="All nought where the club has the event already.")
    refused = RefusedOutput(many=True)
    games = TakenGameOutput(many=True, help_text="The definitions it came with.")


class ClubTakenOutput(serializers.Serializer):
    """What became of a club's file."""

    games = TakenGameOutput(many=True, help_text="The definitions it came with.")
    events = TakenOutput(many=True)


FILES = PolymorphicProxySerializer("AnyFile", [EventFile, ClubFile], None)
TAKEN = PolymorphicProxySerializer("AnyTaken", [TakenOutput, ClubTakenOutput], None)


class OneEventFile(ApiView):
    """An event as a file."""

    @extend_schema(operation_id="events_file", responses=EventFile)
    def get(self, request: Request, uid: str) -> Response:
        """Read a whole event as one file. Those outside of the club get the sheets that count, and no history."""
        event = event_or_404(self.actor, uid)
        if shown_places(self.actor, event) is not None:
            raise ForbiddenError(_("The standings are hidden for now, and with them all results."))
        with bounded(turn_of(self.actor, event.club, EXPORT)):
            file = files.event_file(event, is_whole=knows_more_of(self.actor, event))
            return Response(file, headers={"Content-Disposition": f'attachment; filename="{uid}.json"'})


class OneClubFile(ApiView):
    """A club as a file."""

    @extend_schema(operation_id="clubs_file", responses=ClubFile)
    def get(self, request: Request, slug: str) -> Response:
        """Read everything of a club as one file, as an owner: people, seasons, and events with all their sheets."""
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.OWNER)
        with bounded(FILE):
            return Response(files.club_file(club))


class Files(ApiView):
    """Files that come into a club."""

    creates = ("event", "event")
    most_bytes = settings.EVENT_FILE_MAX_BYTES

    @extend_schema(operation_id="files_import", parameters=[HEADER], request=FILES, responses={200: TAKEN, 201: TAKEN})
    def post(self, request: Request, slug: str) -> Response:
        """Take an event, or everything of a club, from a file, as an organiser. Every sheet is judged anew.

        The same file again is answered 200 with the same event, and nothing is done. The events of a club are taken
        one after the other: where something comes between, the same file again goes on where it ended.
        """
        club = club_or_404(self.actor, slug)
        require_role(actor=self.actor, club=club, role=Role.ORGANISER)
        with bounded(FILE):
            if isinstance(request.data, Mapping) and request.data.get("format") == files.CLUB_FORMAT:
                return first_answer(self, request) or self._take_club(request, club)
            file = self.body(EventFile)
            return anew_after(
                FileOvertakenError,
                lambda: self._take_event(request, files.judge_event(actor=self.actor, club=club, file=file)),
            )

    @idempotent
    def _take_event(self, request: Request, judged: files.JudgedEvent) -> Response:
        done = files.take_judged(judged)
        return Response(TakenOutput(done).data, status=201 if done.is_new else 200)

    def _take_club(self, request: Request, club: Club) -> Response:
        taken = files.import_club(actor=self.actor, club=club, file=self.body(ClubFile))
        return self._answer(request, club, ClubTakenOutput(taken).data)

    @idempotent
    def _answer(self, request: Request, club: Club, taken: Any) -> Response:
        """Keep the answer of a club's file under its key, for those who still may take files."""
        require_role(actor=self.actor, club=club, role=Role.ORGANISER)
        return Response(taken)


def read(body: bytes) -> Mapping[str, Any]:
    """Return a file from its bytes; FileInvalidError with everything that has not its shape."""
    try:
        data = StrictJSONParser().parse(io.BytesIO(body), None, {"view": Files})
    except ParseError:
        raise FileInvalidError(_("This is not a file of this service: it is no JSON.")) from None
    is_club = isinstance(data, Mapping) and data.get("format") == files.CLUB_FORMAT
    shape = ClubFile(data=data) if is_club else EventFile(data=data)
    if not shape.is_valid():
        errors = list(itertools.islice(field_errors(shape.errors), 50))
        raise FileInvalidError(_("This is not a file of this service; `errors` says why."), errors=errors)
    strict.refuse_unknown_fields(shape, data)
    return dict(shape.validated_data)


files.read_by(read)


# --- Results for those who mirror ---------------------------------------------------------------------------------


class NdjsonRenderer(BaseRenderer):
    """A JSON object a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Return a problem as the JSON it always is; lines are streamed and come not here."""
        return bytes(JSONRenderer().render(data))


class MirrorQuery(serializers.Serializer):
    """What the results of a club can be narrowed to."""

    modified_since = serializers.DateTimeField(
        required=False, help_text="Only tables whose result changed since: the last `modified_at` you have."
    )


class MirroredPlace(serializers.Serializer):
    """A place at a table."""

    player = PersonOutput()
    rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    forfeit = serializers.BooleanField()


class MirroredResult(serializers.Serializer):
    """A line: the result of a table as it is now."""

    table = serializers.CharField()
    event = serializers.CharField()
    club = serializers.CharField()
    game = serializers.CharField()
    round = serializers.IntegerField()
    report = serializers.CharField()
    rated = serializers.BooleanField()
    counted = serializers.BooleanField(help_text="False where the result was taken away; it has no places then.")
    played_at = serializers.DateTimeField()
    final_at = serializers.DateTimeField(help_text="When the table first had a result.")
    modified_at = serializers.DateTimeField()
    places = MirroredPlace(many=True)


class ClubResults(ApiView):
    """The results of a club, a line each."""

    renderer_classes = [NdjsonRenderer]

    @extend_schema(
        operation_id="clubs_results",
        parameters=[MirrorQuery],
        responses={(200, "application/x-ndjson"): MirroredResult},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Stream the result of every table of a club that one may know of, the latest changed last: NDJSON."""
        since = self.query(MirrorQuery).get("modified_since")
        events = visible_events(self.actor).filter(club=club_or_404(self.actor, slug))
        shown = events.exclude(pk__in=hiding(self.actor).values("pk"))
        return Lines(files.results_since(shown.values("pk"), since))


class Lines(StreamingHttpResponse):
    """Rows as NDJSON. It is their turn before the answer begins: later nobody could be told that it is not."""

    def __init__(self, rows: Generator[dict[str, Any]]) -> None:
        self._turn = ExitStack()
        self._turn.enter_context(bounded(EXPORT))
        self._rows = rows
        super().__init__(map(_line, rows), content_type="application/x-ndjson; charset=utf-8")

    def close(self) -> None:
        """End the answer, read to its end or not, and give the turn back."""
        # What is read half way would keep this thread, and all who wait behind it, from writing to SQLite.
        self._rows.close()
        super().close()
        self._turn.close()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":")) + "\n"


urlpatterns = [
    path("events/<slug:uid>/file/", OneEventFile.as_view(), name="event-file"),
    path("clubs/<slug:slug>/file/", OneClubFile.as_view(), name="club-file"),
    path("clubs/<slug:slug>/files/", Files.as_view(), name="files"),
    path("clubs/<slug:slug>/results/", ClubResults.as_view(), name="club-results"),
]
