"""Standings of events and seasons, and the results behind them: polled by everybody, built once per version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers

from api.base import IF_NONE_MATCH
from api.polled import FORMAT, ListVersion, PolledView
from api.serializers import PersonOutput
from core.computations import Kind
from scoring import selectors
from tournaments.actors import NOBODY, Actor
from tournaments.actors import Kind as Caller
from tournaments.models import Event, Role, Showing
from tournaments.selectors import counted_events, events_run_by, shown_places, visible_events, visible_seasons

if TYPE_CHECKING:
    from rest_framework.request import Request


WHOLE = "-whole"  # the extent of those who see what is hidden from others


class TieBreakOutput(serializers.Serializer):
    """A value that decides between players level on points."""

    key = serializers.CharField()
    value = serializers.CharField(allow_null=True)


class ReasonOutput(serializers.Serializer):
    """What put a place behind the one above, as a code; the facts that come with it depend on the code."""

    code = serializers.CharField(help_text="`points`, `tie-break`, `shared`, …")
    key = serializers.CharField(required=False, help_text="The tie-break that decided.")
    above = serializers.CharField(required=False, allow_null=True, help_text="The value of the place above.")
    own = serializers.CharField(required=False, allow_null=True, help_text="The value of this place.")
    least = serializers.IntegerField(required=False, help_text="How many tables it takes to be ranked.")


class RoundPlacingOutput(serializers.Serializer):
    """What a round brought."""

    round = serializers.IntegerField()
    rank = serializers.IntegerField(help_text="In the standings after this round.")
    points = serializers.CharField(
        allow_null=True, help_text="With three decimals; null where there were none to win."
    )
    place = serializers.IntegerField(allow_null=True, help_text="At the table; null without a result.")
    seats = serializers.IntegerField(allow_null=True, help_text="How many sat at that table.")


class StandingOutput(serializers.Serializer):
    """A place."""

    rank = serializers.IntegerField()
    player = PersonOutput()
    entry = serializers.CharField()
    status = serializers.CharField()
    points = serializers.CharField(help_text="With three decimals.")
    tables = serializers.IntegerField()
    tiebreaks = TieBreakOutput(many=True)
    is_ranked = serializers.BooleanField(help_text="Open play: enough tables were played.")
    reason = ReasonOutput(help_text="What put this place behind the one above, for programs.")
    penalty = serializers.CharField(help_text="What penalties took off the points, with three decimals.")
    explanation = serializers.CharField(help_text="What put this place behind the one above.")
    rounds = RoundPlacingOutput(many=True, help_text="Round by round, from the player's first on; empty in open play.")


class StandingsOutput(serializers.Serializer):
    """The standings of an event."""

    event = serializers.CharField()
    version = serializers.IntegerField()
    up_to_date = serializers.BooleanField(help_text="False while a computation is pending.")
    problem = serializers.BooleanField(help_text="True where it failed and waits for the people who run the service.")
    hidden = serializers.BooleanField(help_text="True where some or all places are hidden for now.")
    rows = StandingOutput(many=True)


class ResultOutput(serializers.Serializer):
    """A seat's place at a table that counts."""

    round = serializers.IntegerField()
    table = serializers.CharField()
    table_number = serializers.IntegerField()
    position = serializers.IntegerField()
    player = PersonOutput()
    rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    forfeit = serializers.BooleanField()
    report = serializers.CharField()
    played_at = serializers.DateTimeField()


class ResultsOutput(serializers.Serializer):
    """All counted places of an event."""

    event = serializers.CharField()
    version = serializers.IntegerField()
    hidden = serializers.BooleanField(help_text="True where the standings are hidden for now, and so the results.")
    rows = ResultOutput(many=True)


class SeasonResultOutput(serializers.Serializer):
    """What an event gives a player in a season."""

    event = serializers.CharField()
    rank = serializers.IntegerField()
    entrants = serializers.IntegerField()
    points = serializers.IntegerField(help_text="In thousandths.")
    is_counted = serializers.BooleanField(help_text="It is among the player's best.")


class SeasonPlaceOutput(serializers.Serializer):
    """A place in a season."""

    rank = serializers.IntegerField()
    player = PersonOutput()
    points = serializers.CharField(help_text="With three decimals.")
    events = serializers.IntegerField()
    results = SeasonResultOutput(many=True)
    reason = ReasonOutput(help_text="What put this place behind the one above, for programs.")
    explanation = serializers.CharField()


class SeasonTableOutput(serializers.Serializer):
    """The table of a season."""

    season = serializers.CharField()
    version = serializers.IntegerField()
    up_to_date = serializers.BooleanField()
    rows = SeasonPlaceOutput(many=True)


class SeasonEventOutput(serializers.Serializer):
    """An event that counts in a season."""

    id = serializers.CharField()
    name = serializers.CharField()
    starts_at = serializers.DateTimeField()


class SeasonStepOutput(serializers.Serializer):
    """Where a player stood after an event of a season."""

    event = serializers.CharField()
    place = serializers.IntegerField(help_text="The line of the table: players who share a rank have one each.")
    rank = serializers.IntegerField()
    points = serializers.CharField(help_text="The best results until then, with three decimals.")


class SeasonLineOutput(serializers.Serializer):
    """A player's way through a season."""

    rank = serializers.IntegerField()
    player = PersonOutput()
    steps = SeasonStepOutput(many=True, help_text="After each event, from the player's first on.")


class SeasonCourseOutput(serializers.Serializer):
    """How a season came about."""

    season = serializers.CharField()
    version = serializers.IntegerField()
    up_to_date = serializers.BooleanField()
    events = SeasonEventOutput(many=True, help_text="In order of time.")
    rows = SeasonLineOutput(many=True)


def _seen(actor: Actor, uid: str) -> tuple[QuerySet[Event], str]:
    """Return the event as the caller may see it, and the extent of its standings: the club sees what is hidden.

    What everybody sees is made as nobody sees it, whoever asks first, because all share it.
    """
    seen = visible_events(actor).filter(uid=uid)
    if actor.kind in {Caller.USER, Caller.KEY}:
        own = events_run_by(actor, Role.SCOREKEEPER).filter(uid=uid).exclude(standings_shown=Showing.ALWAYS)
        if own.exists():
            return own, WHOLE
    return seen, ""


class EventStandings(PolledView):
    """The standings of an event."""

    csv_columns = ("rank", "player", "name", "points", "tables", "is_ranked", "explanation", "penalty")

    @extend_schema(operation_id="standings_retrieve", parameters=[FORMAT, IF_NONE_MATCH], responses=StandingsOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read the standings, each place with the reason for it. CSV has a column per tie-break."""
        seen, extent = _seen(self.actor, uid)

        def make(state: ListVersion) -> dict[str, Any]:
            event = seen.get()
            most = None if extent else shown_places(NOBODY, event)
            rows = selectors.standing_rows(event, most=most)
            if request.accepted_renderer.format == "csv":
                self.csv_columns = (*EventStandings.csv_columns, *event.tiebreaks)
                rows = [row | {each["key"]: each["value"] for each in row["tiebreaks"]} for row in rows]
            return {
                "event": uid,
                "version": state.done,
                "up_to_date": state.done == state.wanted,
                "problem": state.is_parked,
                "hidden": most is not None,
                "rows": rows,
            }

        return self.polled_list(Kind.STANDINGS, uid, make, seen, extent=extent)


class EventResults(PolledView):
    """The results of an event."""

    csv_columns = (
        "round", "table_number", "position", "player", "name", "rank", "score", "forfeit", "played_at", "table",
    )  # fmt: skip

    @extend_schema(operation_id="results_list", parameters=[FORMAT, IF_NONE_MATCH], responses=ResultsOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read every counted place at every table."""
        seen, extent = _seen(self.actor, uid)

        def make(state: ListVersion) -> dict[str, Any]:
            event = seen.get()
            is_hidden = not extent and shown_places(NOBODY, event) is not None
            rows = [] if is_hidden else selectors.result_rows(event)
            return {"event": uid, "version": state.wanted, "hidden": is_hidden, "rows": rows}

        return self.polled_list(Kind.STANDINGS, uid, make, seen, extent=extent)


class SeasonStandings(PolledView):
    """The table of a season."""

    csv_columns = ("rank", "player", "name", "points", "events", "explanation")

    @extend_schema(operation_id="seasons_standings", parameters=[FORMAT, IF_NONE_MATCH], responses=SeasonTableOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read the table of a season, each place with the reason for it."""
        seen = visible_seasons(self.actor).filter(uid=uid)

        def make(state: ListVersion) -> dict[str, Any]:
            return {
                "season": uid,
                "version": state.done,
                "up_to_date": state.done == state.wanted,
                "rows": selectors.season_rows(seen.get()),
            }

        return self.polled_list(Kind.SEASON, uid, make, seen)


class SeasonCourse(PolledView):
    """How a season came about."""

    csv_columns = ("player", "name", "event", "rank", "points")

    @extend_schema(operation_id="seasons_course", parameters=[FORMAT, IF_NONE_MATCH], responses=SeasonCourseOutput)
    def get(self, request: Request, uid: str) -> HttpResponse:
        """Read where everybody stood after each event of a season, to draw it. CSV has a line per step."""
        seen = visible_seasons(self.actor).filter(uid=uid)

        def make(state: ListVersion) -> dict[str, Any]:
            season = seen.get()
            rows = selectors.season_course(season)
            if request.accepted_renderer.format == "csv":
                rows = [{"player": row["player"], **step} for row in rows for step in row["steps"]]
            return {
                "season": uid,
                "version": state.done,
                "up_to_date": state.done == state.wanted,
                "events": [
                    {"id": event.uid, "name": event.name, "starts_at": event.starts_at}
                    for event in counted_events(season).only("uid", "name", "starts_at")
                ],
                "rows": rows,
            }

        return self.polled_list(Kind.SEASON, uid, make, seen)


urlpatterns = [
    path("events/<slug:uid>/standings/", EventStandings.as_view(), name="standings"),
    path("events/<slug:uid>/results/", EventResults.as_view(), name="results"),
    path("seasons/<slug:uid>/standings/", SeasonStandings.as_view(), name="season-standings"),
    path("seasons/<slug:uid>/course/", SeasonCourse.as_view(), name="season-course"),
]
