"""Entries: who plays in an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import django_filters
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import IF_NONE_MATCH, ApiView
from api.events import event_or_404
from api.framework import CsvParser, StrictJSONParser, UploadParser
from api.idempotency import idempotent
from api.ordering import Ordering
from api.polled import flat
from api.serializers import EntryInput, EntryOutput, EntryPatch, EntryWithToken, ProofField, SubstituteInput, many
from api.shapes import ShortList
from core.brute_force import address_of, count_failure, look_up
from core.costly import EXPORT, bounded
from core.csv import CsvRenderer
from core.errors import DomainError
from core.ids import ID_LENGTH
from core.likeness import folded
from tournaments import links, selectors
from tournaments.actors import Actor
from tournaments.errors import ImportInvalidError, ProofWrongError
from tournaments.models import Entry, Event, Player, Role
from tournaments.services import attendance, entries, imports, joining, proof
from tournaments.services.entries import Arrival, Outcome
from tournaments.services.permissions import require_role, turn_of

if TYPE_CHECKING:
    from rest_framework.request import Request


MOST_ANSWERED = MOST_AT_ONCE = 500  # entries in one call


class EntryFilter(django_filters.FilterSet):
    """What a list of entries can be narrowed to."""

    status = django_filters.MultipleChoiceFilter(choices=Entry.Status.choices)
    ordering = Ordering(name="name", joined="pk")

    class Meta:
        model = Entry
        fields: list[str] = []


def _player_of(actor: Actor, event: Event, body: dict[str, Any], *, is_proved: bool = False) -> Player | None:
    """Return the known player a request names: of the event's club, or of another that the caller may know of.

    Who shows a proof may name anybody: it is refused where it is not theirs.
    """
    if "player" not in body:
        return None
    players = _present() if is_proved else _enterable(actor, event)
    return get_object_or_404(players, uid=body["player"])


def _present() -> QuerySet[Player]:
    return Player.objects.filter(anonymised_at=None).select_related("home", "merged_into__home")


def _enterable(actor: Actor, event: Event) -> QuerySet[Player]:
    """Return the known players whom a caller may name in an event."""
    visible = Q(clubs=event.club) | Q(pk__in=selectors.visible_players(actor).values("pk"))
    return _present().filter(visible).distinct()


@contextmanager
def counted_if_wrong(request: Request) -> Iterator[None]:
    """Count a proof that is wrong, as every other secret that is guessed."""
    try:
        yield
    except ProofWrongError:
        count_failure(request)
        raise


class Entries(ApiView, generics.GenericAPIView):
    """The entries of an event."""

    creates = ("entry", "id")

    queryset = Entry.objects.none()  # for the schema; `get` knows the event
    filterset_class = EntryFilter
    serializer_class = EntryOutput
    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns = ("id", "player", "name", "status", "first_round")

    @extend_schema(operation_id="entries_list", parameters=[IF_NONE_MATCH], responses=EntryOutput(many=True))
    def get(self, request: Request, uid: str) -> HttpResponse:
        """List the players of an event, latest first unless `ordering` says otherwise."""
        event = event_or_404(self.actor, uid)
        return self.polled(lambda: self._list(event), event.version)

    def _list(self, event: Event) -> Response:
        found = self.filter_queryset(selectors.entries_of(event).select_related("event", "claims").order_by("-pk"))
        if self.request.accepted_renderer.format == "csv":
            with bounded(turn_of(self.actor, event.club, EXPORT)):
                return Response([flat(row) for row in EntryOutput(found, many=True).data])
        return self.get_paginated_response(EntryOutput(self.paginate_queryset(found), many=True).data)

    @extend_schema(operation_id="entries_create", request=EntryInput, responses={201: EntryWithToken}, filters=False)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Enter a player: as an organiser, or as the player with the event's join code and no credential.

        Where the event takes sign-ups ahead, players need no code.
        """
        event = self._joinable(uid)
        body = self.body(EntryInput)
        if "join_code" in body:
            entry = self._come_in(event, body, partial(joining.join, code=body["join_code"]))
        elif event.sign_up_ahead and not self.actor.is_at_least(Role.SCOREKEEPER, event.club):
            entry = self._come_in(event, body, joining.sign_up)
        else:
            player = _player_of(self.actor, event, body)
            name, is_here = body.get("name", ""), body.get("here")
            entry = entries.add_entry(actor=self.actor, event=event, name=name, player=player, is_here=is_here)
        return Response(EntryWithToken(entry).data, status=201)

    def _come_in(self, event: Event, body: dict[str, Any], enter: Callable[..., Entry]) -> Entry:
        proof = body.get("proof", "")
        player = _player_of(self.actor, event, body, is_proved=bool(proof))
        with counted_if_wrong(self.request):
            return enter(
                event=event,
                name=body.get("name", ""),
                player=player,
                proof=proof,
                actor=self.actor,
                confirm_alike=body["confirm_alike"],
                email=body.get("email", ""),
                origin=links.mailed_origin_of(self.request),
                sender=address_of(self.request),
            )

    def _joinable(self, uid: str) -> Event:
        """Return the event that the caller may know of, or whose join code the request shows."""
        return self.event_of_code or event_or_404(self.actor, uid)

    def throttled(self, request: Request, wait: float) -> None:  # type: ignore[override]  # not always
        """Refuse whoever asks too often, but for who comes with the code: others of their address may be guessing."""
        if request.method != "POST" or self.event_of_code is None:
            super().throttled(request, wait)

    @cached_property
    def event_of_code(self) -> Event | None:
        """The event, where the request shows its join code."""
        code = self.request.data.get("join_code") if isinstance(self.request.data, dict) else None
        uid = self.kwargs["uid"]
        return look_up(self.request, lambda: _event_with(uid, code)) if isinstance(code, str) else None


def _event_with(uid: str, code: str) -> Event | None:
    wanted = Event.objects.select_related("club").exclude(status=Event.Status.DRAFT).filter(uid=uid).first()
    return wanted if wanted is not None and joining.is_code(wanted, code) else None


def entry_or_404(actor: Actor, uid: str) -> Entry:
    """Return an entry of an event that the caller may see."""
    visible = Entry.objects.filter(event__in=selectors.visible_events(actor).values("pk"))
    return get_object_or_404(visible.select_related("event__club", "player", "claims"), uid=uid)


class EntryRow(SubstituteInput):
    """A player to enter: by a new name, or as a player whom the club knows."""


class BulkInput(serializers.Serializer):
    """Players to enter."""

    entries = many(EntryRow, MOST_AT_ONCE)


class EntriesCsv(serializers.Serializer):
    """A CSV file of players to enter: one name a line, or a first line that says which column is the `name`."""

    csv = serializers.CharField(trim_whitespace=False)


class RowProblem(serializers.Serializer):
    """Why somebody could not be entered."""

    code = serializers.CharField(help_text="As of the problem that the same call for one would be answered with.")
    detail = serializers.CharField()
    suggestion = serializers.CharField(required=False, help_text="A name that is free.")
    player = serializers.CharField(required=False, help_text="Whom the row named by their id.")


class RowOutput(serializers.Serializer):
    """What became of one row: an entry or a problem."""

    row = serializers.IntegerField(help_text="From 0 in a list, the line from 1 in a file.")
    entry = EntryWithToken(allow_null=True)
    problem = RowProblem(allow_null=True)


class BulkOutput(serializers.Serializer):
    """What became of each row, in their order."""

    event = serializers.CharField()
    entered = serializers.IntegerField()
    results = RowOutput(many=True)


class BulkView(ApiView):
    """Enter many players, each for themselves: those who can be are, whatever becomes of the others."""

    def enter_all(self, event: Event, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> Response:
        """Answer with what became of each row."""
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        results = self._enter_all(event, list(rows))
        # The ids of event and players also tell whose names are in the answer while it is kept for a retry.
        answer = {
            "event": event.uid,
            "entered": sum(each["entry"] is not None for each in results),
            "results": results,
        }
        return Response(BulkOutput(answer).data)

    def _enter_all(self, event: Event, rows: Sequence[tuple[int, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        named = _enterable(self.actor, event).filter(
            uid__in=[row["player"] for _number, row in rows if "player" in row]
        )
        players = {player.uid: player for player in named}
        missing = {number for number, row in rows if "player" in row and row["player"] not in players}
        found = [(number, row) for number, row in rows if number not in missing]
        arrivals = [Arrival(row.get("name", ""), players.get(row.get("player", ""))) for _number, row in found]
        outcomes = dict(zip((number for number, _row in found), self._outcomes(event, arrivals), strict=True))
        return [_result(number, row, outcomes.get(number)) for number, row in rows]

    def _outcomes(self, event: Event, arrivals: Sequence[Arrival]) -> list[Outcome]:
        try:
            return entries.add_entries(actor=self.actor, event=event, arrivals=arrivals)
        except DomainError as error:  # why nobody can be entered now
            return [error for _each in arrivals]


def _result(number: int, row: Mapping[str, Any], outcome: Outcome | None) -> dict[str, Any]:
    """Return what became of a row; nothing became of one that names a player who is not there."""
    if isinstance(outcome, Entry):
        return {"row": number, "entry": outcome, "problem": None}
    named = {"player": row["player"]} if "player" in row else {}
    missing = {"code": "not-found", "detail": _("There is nothing here, or you may not see it.")}
    return {"row": number, "entry": None, "problem": (_row_problem(outcome) if outcome else missing) | named}


def _row_problem(error: DomainError) -> dict[str, Any]:
    facts = {"suggestion": error.facts["suggestion"]} if "suggestion" in error.facts else {}
    return {"code": error.code, "detail": error.detail, **facts}


class Bulk(BulkView):
    """Enter many players at once."""

    @extend_schema(operation_id="entries_bulk", request=BulkInput, responses=BulkOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Enter up to 500 players at once, for the club: each row is answered for itself."""
        event = event_or_404(self.actor, uid)
        return self.enter_all(event, enumerate(self.body(BulkInput)["entries"]))


class EntriesImport(BulkView):
    """Enter the players of a CSV file."""

    most_bytes = settings.FILE_MAX_BYTES
    parser_classes = [StrictJSONParser, CsvParser, UploadParser]

    @extend_schema(operation_id="entries_import", request=EntriesCsv, responses=BulkOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Enter the players of a CSV file by their names, for the club: each line is answered for itself.

        Whom the club knows by that name is entered as that player. Send the file in a JSON object, as the body itself
        (`text/csv`), or as the `file` of a form.
        """
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.SCOREKEEPER)
        lines, problems = imports.names_in(self.body(EntriesCsv)["csv"])
        if problems or len(lines) > MOST_AT_ONCE:
            errors = [{"code": each.code, "path": ["csv", each.line], "message": each.message} for each in problems]
            detail = _("Nobody was entered; a file has at most {most} names, a line each.").format(most=MOST_AT_ONCE)
            raise ImportInvalidError(detail, errors=errors)
        known = attendance.own_by_name(event.club, [name for _line, name in lines])
        return self.enter_all(event, ((line, _row_of(name, known)) for line, name in lines))


def _row_of(name: str, known: Mapping[str, Player]) -> dict[str, str]:
    player = known.get(folded(name))
    return {"player": player.uid} if player else {"name": name}


class OneEntry(ApiView):
    """One entry."""

    @extend_schema(operation_id="entries_retrieve", responses=EntryOutput)
    def get(self, request: Request, uid: str) -> Response:
        """Read an entry."""
        return Response(EntryOutput(entry_or_404(self.actor, uid)).data)

    @extend_schema(operation_id="entries_change", request=EntryPatch, responses=EntryOutput)
    def patch(self, request: Request, uid: str) -> Response:
        """Check a player in, drop them out, or take them back: an organiser, or the player with their link.

        The club may say at which table somebody always sits.
        """
        entry = entry_or_404(self.actor, uid)
        body = self.body(EntryPatch)
        code = body.get("join_code", "")
        is_at_door = bool(code) and look_up(request, lambda: joining.is_code(entry.event, code) or None) is not None
        with transaction.atomic():
            if status := body.get("status"):
                entry = entries.change_status(actor=self.actor, entry=entry, status=status, is_at_door=is_at_door)
            if "fixed_table" in body:
                entry = entries.fix_table(actor=self.actor, entry=entry, number=body["fixed_table"])
        return Response(EntryOutput(entry).data)


class Link(ApiView):
    """The personal link of an entry."""

    @extend_schema(operation_id="entries_link", responses=EntryWithToken)
    def get(self, request: Request, uid: str) -> Response:
        """Show the secret of a player's personal link again, to an organiser or the player."""
        entry = entry_or_404(self.actor, uid)
        if not self.actor.holds_link_of(entry):
            require_role(actor=self.actor, club=entry.event.club, role=Role.SCOREKEEPER)
        return Response(EntryWithToken(entry).data)

    @extend_schema(operation_id="entries_link_renew", request=None, responses=EntryWithToken)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Make the personal link invalid and give the player another."""
        entry = entries.renew_link(actor=self.actor, entry=entry_or_404(self.actor, uid))
        return Response(EntryWithToken(entry).data)


class CheckInInput(serializers.Serializer):
    """Who is here."""

    entries = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        max_length=MOST_ANSWERED,
        required=False,
        help_text="Ids of entries; all that are `registered` where it is left out.",
    )


class CheckIn(ApiView):
    """Who is here."""

    @extend_schema(operation_id="entries_check_in", request=CheckInInput, responses=EntryOutput(many=True))
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Check in all players who are registered, or those named; the answer has those that were."""
        event = event_or_404(self.actor, uid)
        here = attendance.check_in(actor=self.actor, event=event, uids=self.body(CheckInInput).get("entries"))
        return Response(EntryOutput(here, many=True).data)


class NoShows(ApiView):
    """Who did not come."""

    @extend_schema(operation_id="entries_no_shows", request=None, responses=EntryOutput(many=True))
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Take out everybody who is registered and not here; their places go to those who wait."""
        absent = attendance.drop_absent(actor=self.actor, event=event_or_404(self.actor, uid))
        return Response(EntryOutput(absent, many=True).data)


class NamesInput(serializers.Serializer):
    """A list of names."""

    names = ShortList(
        child=serializers.CharField(max_length=4 * Player.LONGEST_NAME, allow_blank=True),
        max_length=attendance.MOST_NAMES,
        min_length=1,
    )
    here = serializers.BooleanField(required=False, help_text="Where players check in: whether they are here already.")


class NamesOutput(serializers.Serializer):
    """What a list of names came to."""

    entries = EntryWithToken(many=True)
    here_already = serializers.ListField(child=serializers.CharField(), help_text="Names that were in the event.")


class Names(ApiView):
    """Many players at once."""

    @extend_schema(operation_id="entries_list_names", request=NamesInput, responses={201: NamesOutput})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Enter everybody on a list of names, or nobody while a name has a problem. Known people are found by name."""
        event, body = event_or_404(self.actor, uid), self.body(NamesInput)
        made = attendance.add_names(actor=self.actor, event=event, names=body["names"], is_here=body.get("here"))
        return Response(NamesOutput(made).data, status=201)


class ProofInput(serializers.Serializer):
    """What proves that the caller is the player, besides their credential."""

    proof = ProofField(default="", allow_blank=True)


class ProofView(ApiView):
    """A view that a player may show a proof to, without a credential."""

    def throttled(self, request: Request, wait: float) -> None:  # type: ignore[override]  # not always
        """Refuse whoever asks too often, but for who shows a proof: others of their address may be guessing."""
        if not self._has_proof(request):
            super().throttled(request, wait)

    def _has_proof(self, request: Request) -> bool:
        body = ProofInput(data=request.data)
        try:
            proof.read(body.validated_data["proof"] if body.is_valid() else "")
        except ProofWrongError:
            return False
        return True


class Vouch(ProofView):
    """Vouch for a phone that says it is somebody known."""

    @extend_schema(operation_id="entries_vouch", request=ProofInput, responses=EntryOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that an entry really is the known player: an organiser of their club, or the player with a proof."""
        entry = entry_or_404(self.actor, uid)
        with counted_if_wrong(request):
            entry = proof.vouch(actor=self.actor, entry=entry, proof=self.body(ProofInput)["proof"])
        return Response(EntryOutput(entry).data)


class Reject(ApiView):
    """Say that a phone is not whom it says it is."""

    @extend_schema(operation_id="entries_reject", request=None, responses=EntryOutput)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Say that an entry is not the known player: it goes on as somebody new, with all that was played."""
        return Response(EntryOutput(proof.reject(actor=self.actor, entry=entry_or_404(self.actor, uid))).data)


class AnswersInput(serializers.Serializer):
    """An answer for entries that are unproven."""

    answer = serializers.ChoiceField(proof.Answer.choices, default=proof.Answer.VOUCH)
    entries = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        max_length=MOST_ANSWERED,
        required=False,
        help_text="Ids of entries; all that wait where it is left out.",
    )


class VouchAll(ApiView):
    """Answer for all entries of an event that are unproven."""

    @extend_schema(operation_id="entries_vouch_all", request=AnswersInput, responses=EntryOutput(many=True))
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Vouch for all entries that are unproven, or for those named, or reject them. Others are left as they are."""
        event = event_or_404(self.actor, uid)
        require_role(actor=self.actor, club=event.club, role=Role.ORGANISER)
        body = self.body(AnswersInput)
        answer = proof.Answer(body["answer"])
        answered = proof.answer_all(actor=self.actor, event=event, answer=answer, uids=body.get("entries"))
        return Response(EntryOutput(answered, many=True).data)


class TakeBack(ProofView):
    """Take one's entry back from another phone."""

    @extend_schema(operation_id="entries_take_back", request=ProofInput, responses=EntryWithToken)
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Give an entry to the player it is of, who proves it; the phone that held it is out at once."""
        body = self.body(ProofInput)
        found = Entry.objects.select_related("event__club", "player") if body["proof"] else None
        entry = get_object_or_404(found, uid=uid) if found is not None else entry_or_404(self.actor, uid)
        with counted_if_wrong(request):
            entry = proof.take_back(actor=self.actor, entry=entry, proof=body["proof"])
        return Response(EntryWithToken(entry).data)


class CodeOutput(serializers.Serializer):
    """A code that proves a player on another phone."""

    code = serializers.CharField()
    expires_at = serializers.DateTimeField()


class ProofCode(ApiView):
    """A code for another phone."""

    @extend_schema(operation_id="entries_proof_code", request=None, responses={201: CodeOutput})
    def post(self, request: Request, uid: str) -> Response:
        """Show a code that proves the player on another phone, once and for ten minutes: their own phone only."""
        entry = proof.show_code(actor=self.actor, entry=entry_or_404(self.actor, uid))
        code, until = proof.shown_code(entry) or ("", None)
        return Response(CodeOutput({"code": code, "expires_at": until}).data, status=201)


class Substitute(ApiView):
    """Put another player in somebody's place."""

    creates = ("entry", "id")

    @extend_schema(operation_id="entries_substitute", request=SubstituteInput, responses={201: EntryWithToken})
    @idempotent
    def post(self, request: Request, uid: str) -> Response:
        """Put another player in somebody's place from now on, also at a table that has no result yet."""
        entry = entry_or_404(self.actor, uid)
        body = self.body(SubstituteInput)
        player = _player_of(self.actor, entry.event, body)
        new = entries.substitute(actor=self.actor, entry=entry, name=body.get("name", ""), player=player)
        return Response(EntryWithToken(new).data, status=201)


urlpatterns = [
    path("events/<slug:uid>/entries/", Entries.as_view(), name="entries"),
    path("entries/<slug:uid>/", OneEntry.as_view(), name="entry"),
    path("entries/<slug:uid>/link/", Link.as_view(), name="entry-link"),
    path("events/<slug:uid>/entries/check-in/", CheckIn.as_view(), name="entries-check-in"),
    path("events/<slug:uid>/entries/no-shows/", NoShows.as_view(), name="entries-no-shows"),
    path("events/<slug:uid>/entries/names/", Names.as_view(), name="entries-names"),
    path("events/<slug:uid>/entries/bulk/", Bulk.as_view(), name="entries-bulk"),
    path("events/<slug:uid>/entries/import/", EntriesImport.as_view(), name="entries-import"),
    path("events/<slug:uid>/entries/vouch/", VouchAll.as_view(), name="entries-vouch"),
    path("entries/<slug:uid>/vouch/", Vouch.as_view(), name="entry-vouch"),
    path("entries/<slug:uid>/reject/", Reject.as_view(), name="entry-reject"),
    path("entries/<slug:uid>/take-back/", TakeBack.as_view(), name="entry-take-back"),
    path("entries/<slug:uid>/proof-code/", ProofCode.as_view(), name="entry-proof-code"),
    path("entries/<slug:uid>/substitute/", Substitute.as_view(), name="entry-substitute"),
]
