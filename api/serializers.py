"""The shapes of events, entries, rounds and tables in the API. They describe and never decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import SkipField

from api.shapes import ShortList
from core.ids import ID_LENGTH
from core.models import User
from core.names import NameField
from core.zones import ZonedTimeField
from tournaments import games, selectors
from tournaments.access import credentials
from tournaments.models import (
    LARGEST_TABLE,
    LONGEST_REASON,
    SMALLEST_TABLE,
    Confirmation,
    Entry,
    Event,
    Format,
    Joining,
    OwnGame,
    Player,
    Points,
    PrizeKind,
    Round,
    Showing,
    Table,
    TieBreak,
    TieRule,
)
from tournaments.services import events as event_services
from tournaments.services.proof import Answer


def many(shape: type[serializers.Serializer], most: int, **more: Any) -> Any:
    """Return the field of a list of at most so many objects of a shape; the type stubs know no such limit."""
    options: dict[str, Any] = {"many": True, "max_length": most, **more}
    return shape(**options)


class ForOrganisers(serializers.Field[Any, Any, Any, Any]):
    """A field that is left out unless the context says that the answer is `for_organiser`."""

    def get_attribute(self, instance: Any) -> Any:
        """Return the value for an organiser, and nothing for others."""
        if not self.context.get("for_organiser"):
            raise SkipField
        return super().get_attribute(instance)


class TableSize(serializers.Serializer):
    """How many sit at a table."""

    min = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE)
    max = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE)
    preferred = serializers.IntegerField(min_value=SMALLEST_TABLE, max_value=LARGEST_TABLE, required=False)


class TableLabel(serializers.Serializer):
    """What a club calls one of its tables, and where it stands."""

    label = serializers.CharField(max_length=Event.LONGEST_LABEL, allow_blank=True, default="")  # type: ignore[assignment]
    room = serializers.CharField(max_length=Event.LONGEST_LABEL, allow_blank=True, default="")


class Prize(serializers.Serializer):
    """Something to win."""

    kind = serializers.ChoiceField(PrizeKind.choices, help_text="What it is for.")
    place = serializers.IntegerField(
        min_value=1,
        max_value=Event.MOST_PLACES_SHOWN,
        required=False,
        allow_null=True,
        help_text="`place`: which one.",
    )
    name = NameField(help_text="What there is to win.")
    entry = serializers.CharField(
        max_length=ID_LENGTH, required=False, allow_null=True, help_text="`free`: the entry it is given to."
    )


@extend_schema_field(OpenApiTypes.STR)
class GameField(serializers.ChoiceField):
    """A game: one of ours by its slug, or `custom:` and the slug of the club's own."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the name of the game; whether the club has one of its own is for the service to say."""
        longest = len(games.CUSTOM) + OwnGame.LONGEST_SLUG
        if isinstance(data, str) and data.startswith(games.CUSTOM) and len(data) <= longest:
            return data
        return super().to_internal_value(data)


class EventInput(serializers.Serializer):
    """What an organiser says about an event."""

    club = serializers.SlugField(write_only=True, help_text="The slug of the club; only when creating.")
    name = NameField(longest=Event.LONGEST_NAME)
    game = GameField(games.choices(), help_text="A slug, or `custom:` and the slug of the club's own game.")
    game_version = serializers.IntegerField(
        min_value=1, max_value=10**6, required=False, help_text="Of the club's own game; the newest if left out."
    )
    variant = serializers.CharField(max_length=Event.LONGEST_VARIANT, required=False)
    format = serializers.ChoiceField(Format.choices, required=False)
    rounds = serializers.IntegerField(
        min_value=1, max_value=Event.MOST_ROUNDS, required=False, source="rounds_planned"
    )
    table_size = TableSize(required=False)
    points = serializers.ChoiceField(Points.choices, required=False)
    podium_points = ShortList(
        child=serializers.IntegerField(min_value=0, max_value=Event.MOST_PODIUM_POINTS),
        max_length=LARGEST_TABLE,
        required=False,
    )
    tiebreaks = ShortList(child=serializers.ChoiceField(TieBreak.choices), max_length=len(TieBreak), required=False)
    confirmation = serializers.ChoiceField(Confirmation.choices, required=False)
    rated = serializers.BooleanField(required=False)
    public = serializers.BooleanField(required=False, source="is_public")
    cut_to = serializers.IntegerField(
        min_value=Event.SMALLEST_FINAL, max_value=LARGEST_TABLE, required=False, allow_null=True
    )
    stages = ShortList(
        child=serializers.IntegerField(min_value=Event.SMALLEST_FINAL, max_value=Event.LARGEST_CUT),
        max_length=Event.MOST_STAGES,
        required=False,
        help_text="How many play in each stage of the final, such as 8, 4; instead of `cut_to`.",
    )
    tie_rule = serializers.ChoiceField(TieRule.choices, required=False, help_text="For a tie at the line of a cut.")
    standings_shown = serializers.ChoiceField(Showing.choices, required=False)
    standings_number = serializers.IntegerField(
        min_value=1, max_value=Event.MOST_PLACES_SHOWN, required=False, allow_null=True
    )
    prizes = many(Prize, Event.MOST_PRIZES, required=False, help_text="In order; names of at most 60 letters.")
    advance = serializers.IntegerField(min_value=1, max_value=LARGEST_TABLE - 1, required=False, allow_null=True)
    tables_counted = serializers.IntegerField(
        min_value=1, max_value=Event.MOST_TABLES_COUNTED, required=False, allow_null=True
    )
    tables_least = serializers.IntegerField(min_value=1, max_value=Event.MOST_TABLES_COUNTED, required=False)
    round_minutes = serializers.IntegerField(
        min_value=1, max_value=Event.MOST_ROUND_MINUTES, required=False, allow_null=True
    )
    season = serializers.CharField(max_length=ID_LENGTH, required=False, allow_null=True)
    joining = serializers.ChoiceField(Joining.choices, required=False, help_text="By the join code.")
    most_entries = serializers.IntegerField(
        min_value=1,
        max_value=Event.MOST_ENTRIES,
        required=False,
        allow_null=True,
        help_text="Who come in by the join code; null for any number.",
    )
    table_labels = many(TableLabel, Event.MOST_LABELS, required=False, help_text="By number, from table 1.")
    sign_up_ahead = serializers.BooleanField(
        required=False, help_text="Players enter without the code until it starts; a full event has a waiting list."
    )
    sign_up_closes_at = serializers.DateTimeField(required=False, allow_null=True)
    check_in = serializers.BooleanField(
        required=False, help_text="With sign-up ahead: players are `registered` until they are here."
    )
    starts_at = serializers.DateTimeField(help_text="Without an offset it is what the club's clocks show.")
    ends_at = serializers.DateTimeField(required=False, allow_null=True)

    def validate_table_labels(self, value: list[dict[str, str]]) -> list[dict[str, str]]:
        """Return them as they are kept."""
        return [dict(each) for each in value]

    def to_internal_value(self, data: Any) -> Any:
        """Return the fields under the names of the model."""
        values = super().to_internal_value(data)
        if (size := values.pop("table_size", None)) is not None:
            values |= {f"table_{name}": number for name, number in size.items()}
        return values


class EventPatch(EventInput):
    """A change of an event: any of its settings, or its status."""

    club = None  # type: ignore[assignment]  # an event stays with its club
    status = serializers.ChoiceField(Event.Status.choices, required=False)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True)
    unproven = serializers.ChoiceField(
        Answer.choices, required=False, help_text="The answer for all entries that are unproven: needed to finish."
    )


class EventOutput(serializers.Serializer):
    """An event."""

    id = serializers.CharField(source="uid")
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    game = serializers.CharField(source="game_slug")
    game_version = serializers.IntegerField(allow_null=True, help_text="The version of the club's own game.")
    variant = serializers.CharField()
    format = serializers.CharField()
    status = serializers.CharField()
    rounds = serializers.IntegerField(source="rounds_planned")
    table_size = serializers.SerializerMethodField()
    points = serializers.CharField()
    podium_points = serializers.ListField(child=serializers.IntegerField())
    tiebreaks = serializers.ListField(child=serializers.CharField())
    confirmation = serializers.CharField()
    rated = serializers.BooleanField()
    public = serializers.BooleanField(source="is_public")
    cut_to = serializers.IntegerField(allow_null=True)
    stages = serializers.ListField(child=serializers.IntegerField())
    tie_rule = serializers.ChoiceField(TieRule.choices)
    standings_shown = serializers.ChoiceField(Showing.choices)
    standings_number = serializers.IntegerField(allow_null=True)
    prizes = Prize(many=True)
    advance = serializers.IntegerField(allow_null=True)
    tables_counted = serializers.IntegerField(allow_null=True)
    tables_least = serializers.IntegerField()
    round_minutes = serializers.IntegerField(allow_null=True)
    season = serializers.CharField(source="season.uid", allow_null=True)
    joining = serializers.ChoiceField(Joining.choices)
    most_entries = serializers.IntegerField(allow_null=True)
    table_labels = TableLabel(many=True)
    sign_up_ahead = serializers.BooleanField()
    sign_up_closes_at = ZonedTimeField(allow_null=True)
    check_in = serializers.BooleanField(source="has_check_in")
    starts_at = ZonedTimeField(help_text="With the offset of the club's time zone.")
    ends_at = ZonedTimeField(allow_null=True)
    time_zone = serializers.CharField(source="club.time_zone")
    version = serializers.IntegerField()

    @extend_schema_field(TableSize)
    def get_table_size(self, event: Event) -> dict[str, int]:
        """Return the limits of a table."""
        return {"min": event.table_min, "max": event.table_max, "preferred": event.table_preferred}


class EventForOrganisers(EventOutput):
    """An event as its organisers see it."""

    join_code = serializers.CharField(help_text="For organisers only: players join with it.")
    possible = serializers.SerializerMethodField(help_text="The statuses it can be moved to now.")

    def get_possible(self, event: Event) -> list[str]:
        """Return the statuses the event can be moved to now."""
        return event_services.possible(event)


class JoinCode(ForOrganisers, serializers.CharField):
    """The code that players join with."""


class PossibleStatuses(ForOrganisers, serializers.ListField):
    """The statuses an event can be moved to now."""

    def get_attribute(self, event: Event) -> list[str]:
        """Return the statuses."""
        return event_services.possible(super().get_attribute(event))


class EventAsSeen(EventOutput):
    """An event as its caller sees it: the last two fields are for organisers."""

    join_code = JoinCode(required=False, help_text="Players join with it.")
    possible = PossibleStatuses(
        source="*", child=serializers.CharField(), required=False, help_text="The statuses it can be moved to now."
    )


class PlayerId(serializers.CharField):
    """The id of a player, whom an entry names too."""

    def get_attribute(self, instance: Entry | Player) -> str:
        """Return the id."""
        return (instance.player if isinstance(instance, Entry) else instance).uid


class PersonOutput(serializers.Serializer):
    """A player under the name they have in the event."""

    id = PlayerId()
    name = serializers.CharField()


class ProofField(serializers.CharField):
    """A personal link of a player, or a code from a phone that holds one."""

    def __init__(self, **options: Any) -> None:
        options = {"max_length": 100, "required": False} | options
        super().__init__(help_text="An `lse_…` of the player, or a code from a phone that holds one.", **options)


class SubstituteInput(serializers.Serializer):
    """A player to enter: by a new name, or as a player whom the club knows."""

    name = NameField(required=False)
    player = serializers.CharField(max_length=ID_LENGTH, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take a name or a player, not both."""
        if ("name" in attrs) == ("player" in attrs):
            raise serializers.ValidationError(_("Give a name or a player."), code="name-or-player")
        return attrs


class EntryInput(SubstituteInput):
    """A player to enter: by a new name, as a known player, or with the join code as whom a proof is of."""

    join_code = serializers.CharField(max_length=20, required=False, help_text="Players join with it.")
    proof = ProofField()
    email = serializers.EmailField(
        max_length=User.LONGEST_EMAIL,
        required=False,
        write_only=True,
        help_text="Of a player who joins or signs up, for news of this event alone.",
    )
    here = serializers.BooleanField(
        required=False, help_text="Where players check in, said by an organiser: whether they are here already."
    )
    confirm_alike = serializers.BooleanField(
        default=False, help_text="That the name is right although it looks like another (409 `name-alike`)."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take a name or a player, or a proof with or without a player."""
        if "proof" not in attrs:
            return super().validate(attrs)
        if "name" in attrs or "join_code" not in attrs:
            raise serializers.ValidationError(
                _("A proof goes with the join code, and with a player or nobody."), code="proof-alone"
            )
        return attrs


class EntryPatch(serializers.Serializer):
    """A change of an entry."""

    status = serializers.ChoiceField(Entry.Status.choices, required=False)
    fixed_table = serializers.IntegerField(
        min_value=1,
        max_value=Event.MOST_LABELS,
        required=False,
        allow_null=True,
        help_text="For the club: the number of the table at which the player always sits.",
    )
    join_code = serializers.CharField(
        max_length=20, required=False, help_text="Shown at the door: a player who sends it is here."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take a status, a table, or both."""
        if not {"status", "fixed_table"} & set(attrs):
            raise serializers.ValidationError({"status": [_("Give a status or a table.")]}, code="required")
        return attrs


class EntryOutput(serializers.Serializer):
    """A player in an event."""

    id = serializers.CharField(source="uid")
    event = serializers.CharField(source="event.uid")
    player = PersonOutput(source="*")
    status = serializers.CharField()
    verified = serializers.BooleanField(source="is_verified")
    claims = serializers.CharField(
        source="claims.uid", allow_null=True, help_text="The known player whom an unproven phone says to be."
    )
    first_round = serializers.IntegerField()


class EntryWithToken(EntryOutput):
    """An entry with the secret of the player's personal link, and the table at which they always sit."""

    fixed_table = serializers.IntegerField(allow_null=True)
    token = serializers.SerializerMethodField()

    def get_token(self, entry: Entry) -> str:
        """Return the secret of the personal link."""
        return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


class SeatOutput(serializers.Serializer):
    """A player at a table."""

    position = serializers.IntegerField()
    entry = serializers.CharField(source="entry.uid")
    player = PersonOutput(source="entry")


class SlipToken(ForOrganisers, serializers.CharField):
    """The secret on a table's slip."""

    def get_attribute(self, table: Table) -> str:
        """Return the secret."""
        shown = super().get_attribute(table)
        return credentials.derive(credentials.TABLE, shown.uid, shown.generation)


class SitDownCode(serializers.CharField):
    """The code of a table in open play: left out unless the answer is `for_organiser` or `for_players`."""

    def get_attribute(self, table: Table) -> str:
        """Return the code, if there is one and the caller may know it."""
        if not table.code or not (self.context.get("for_organiser") or self.context.get("for_players")):
            raise SkipField
        return table.code


class TableOutput(serializers.Serializer):
    """A table with its seats in order."""

    id = serializers.CharField(source="uid")
    event = serializers.CharField(source="round.event.uid")
    round = serializers.IntegerField(source="round.number")
    number = serializers.IntegerField()
    status = serializers.CharField()
    variant = serializers.CharField()
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What the club calls the table; may be empty."
    )
    room = serializers.CharField()
    extra_minutes = serializers.IntegerField(help_text="Beyond those of the round.")
    version = serializers.IntegerField()
    seats = SeatOutput(many=True)
    token = SlipToken(source="*", required=False, help_text="For organisers only: the secret on the table's slip.")
    code = SitDownCode(required=False, help_text="Open play, for the table's players: others sit down with it.")


class QualityOutput(serializers.Serializer):
    """What a seating costs."""

    repeats = serializers.IntegerField(help_text="Pairs that met before.")
    repeats_bound = serializers.IntegerField(help_text="No seating has fewer.")
    spread = serializers.IntegerField(help_text="Differences of points within tables, in 840ths.")
    spread_bound = serializers.IntegerField(help_text="No tables of these sizes have less.")
    positions = serializers.IntegerField(help_text="How unevenly players have had the seats; 0 is even.")
    apart_broken = serializers.IntegerField(
        help_text="Pairs at one table who should not meet; for readers outside of the club always 0."
    )

    def to_representation(self, quality: Mapping[str, int]) -> dict[str, Any]:
        """Return the costs: none where nothing was computed, as in open play."""
        seen = quality if self.context.get("for_organiser") else selectors.public_quality(quality)
        return super().to_representation({**dict.fromkeys(self.fields, 0), **seen})


class CutOutput(serializers.Serializer):
    """What happened at the line of a cut: who was level on points, for how many places, and what decided."""

    contested = serializers.ListField(child=serializers.CharField(), default=list, help_text="Ids of entries.")
    tied = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="Those whom lots or a play-off decide."
    )
    places = serializers.IntegerField(default=0)
    decided_by = serializers.CharField(default="", help_text="`tie-breaks`, `play-off`, `lots`, `organiser` or empty.")
    order = serializers.ListField(child=serializers.CharField(), default=list, help_text="The lots as drawn.")
    seed = serializers.IntegerField(default=0, help_text="To draw them again.")


class RoundOutput(serializers.Serializer):
    """A round with its tables."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    stage = serializers.IntegerField(help_text="Of the final, from 1; 0 before it.")
    cut = CutOutput()
    status = serializers.CharField()
    seed = serializers.IntegerField()
    quality = QualityOutput()
    started_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    extra_minutes = serializers.IntegerField()
    paused_at = serializers.DateTimeField(allow_null=True, help_text="Since when the clock is stopped.")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When the time is up; as of the pause while the clock is stopped."
    )
    version = serializers.IntegerField()
    tables = TableOutput(many=True)
    sitting_out = PersonOutput(many=True)


class TableSeats(serializers.Serializer):
    """A table and who is to sit at it, in order."""

    id = serializers.CharField(max_length=ID_LENGTH)
    seats = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH), max_length=LARGEST_TABLE, help_text="Ids of entries."
    )


class RoundPatch(serializers.Serializer):
    """A change of a round: its status, more time, or who sits where."""

    status = serializers.ChoiceField(Round.Status.choices, required=False)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True)
    extend = serializers.IntegerField(
        min_value=1, max_value=Round.MOST_MINUTES_AT_ONCE, required=False, help_text="Minutes."
    )
    clock = serializers.ChoiceField(
        ["paused", "running"], required=False, help_text="Stop the clock, or let it go on."
    )
    tables = many(TableSeats, Event.MOST_ENTRIES, required=False)


class TableInput(serializers.Serializer):
    """A table that is formed in open play."""

    entries = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        max_length=LARGEST_TABLE,
        default=list,
        help_text="For the club: ids of entries, in seat order. Players seat themselves alone.",
    )


class TableCode(serializers.Serializer):
    """The code of a table that is being formed."""

    code = serializers.CharField(max_length=20)


class TablePatch(serializers.Serializer):
    """A change of a table."""

    seats = ShortList(
        child=serializers.CharField(max_length=ID_LENGTH),
        max_length=LARGEST_TABLE,
        required=False,
        help_text="Entries as they really sat.",
    )
    status = serializers.ChoiceField([Table.Status.PLAYING, Table.Status.DROPPED], required=False)
    extend = serializers.IntegerField(
        min_value=1, max_value=Round.MOST_MINUTES_AT_ONCE, required=False, help_text="Minutes for this table alone."
    )
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=Event.LONGEST_LABEL, required=False, allow_blank=True
    )
    room = serializers.CharField(max_length=Event.LONGEST_LABEL, required=False, allow_blank=True)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True)
