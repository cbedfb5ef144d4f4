"""The shapes of events, entries, rounds and tables in the API. They describe and never decide."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers

import engines
from core.names import NameField
from tournaments import credentials
from tournaments.models import Confirmation, Entry, Event, Format, Points, Round, Table, TieBreak
from tournaments.services import events as event_services


class TableSize(serializers.Serializer):
    """How many sit at a table."""

    min = serializers.IntegerField(min_value=1, max_value=8)
    max = serializers.IntegerField(min_value=1, max_value=8)
    preferred = serializers.IntegerField(min_value=1, max_value=8, required=False)


class EventInput(serializers.Serializer):
    """What an organiser says about an event."""

    club = serializers.SlugField(write_only=True, help_text="The slug of the club; only when creating.")
    name = NameField(longest=80)
    game = serializers.ChoiceField(engines.choices())
    variant = serializers.CharField(max_length=20, required=False)
    format = serializers.ChoiceField(Format.choices, required=False)
    rounds = serializers.IntegerField(min_value=1, max_value=50, required=False, source="rounds_planned")
    table_size = TableSize(required=False)
    points = serializers.ChoiceField(Points.choices, required=False)
    podium_points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=1000), max_length=8, required=False
    )
    tiebreaks = serializers.ListField(child=serializers.ChoiceField(TieBreak.choices), required=False)
    confirmation = serializers.ChoiceField(Confirmation.choices, required=False)
    rated = serializers.BooleanField(required=False)
    public = serializers.BooleanField(required=False, source="is_public")
    cut_to = serializers.IntegerField(min_value=2, max_value=8, required=False, allow_null=True)
    advance = serializers.IntegerField(min_value=1, max_value=7, required=False, allow_null=True)
    tables_counted = serializers.IntegerField(min_value=1, max_value=1000, required=False, allow_null=True)
    tables_least = serializers.IntegerField(min_value=1, max_value=1000, required=False)
    round_minutes = serializers.IntegerField(min_value=1, max_value=1000, required=False, allow_null=True)
    season = serializers.CharField(max_length=16, required=False, allow_null=True)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(required=False, allow_null=True)

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
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class EventOutput(serializers.Serializer):
    """An event."""

    id = serializers.CharField(source="uid")
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    game = serializers.CharField()
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
    advance = serializers.IntegerField(allow_null=True)
    tables_counted = serializers.IntegerField(allow_null=True)
    tables_least = serializers.IntegerField()
    round_minutes = serializers.IntegerField(allow_null=True)
    season = serializers.CharField(source="season.uid", allow_null=True, default=None)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField()

    def get_table_size(self, event: Event) -> TableSize:
        """Return the limits of a table."""
        size: Any = {"min": event.table_min, "max": event.table_max, "preferred": event.table_preferred}
        return cast("TableSize", size)  # the annotation is what the schema shows


class EventForOrganisers(EventOutput):
    """An event as its organisers see it."""

    join_code = serializers.CharField(help_text="For organisers only: players join with it.")
    possible = serializers.SerializerMethodField(help_text="The statuses it can be moved to now.")

    def get_possible(self, event: Event) -> list[str]:
        """Return the statuses the event can be moved to now."""
        return event_services.possible(event)


class EventAsSeen(EventOutput):
    """An event as its caller sees it: the last two fields are for organisers."""

    join_code = serializers.CharField(required=False, help_text="Players join with it.")
    possible = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The statuses it can be moved to now."
    )


class PersonOutput(serializers.Serializer):
    """A player under the name they have in the event."""

    id = serializers.CharField()
    name = serializers.CharField()


def person_of(entry: Entry) -> dict[str, str]:
    """Return a player of an event by id and the name they have there."""
    return {"id": entry.player.uid, "name": entry.name}


class EntryInput(serializers.Serializer):
    """A player to enter: by a new name, or as a player whom the club knows."""

    name = NameField(required=False)
    player = serializers.CharField(max_length=16, required=False)
    join_code = serializers.CharField(max_length=20, required=False, help_text="Players join with it.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take a name or a player, not both."""
        if ("name" in attrs) == ("player" in attrs):
            raise serializers.ValidationError(_("Give a name or a player."), code="name-or-player")
        return attrs


class EntryPatch(serializers.Serializer):
    """A change of an entry."""

    status = serializers.ChoiceField(Entry.Status.choices)


class EntryOutput(serializers.Serializer):
    """A player in an event."""

    id = serializers.CharField(source="uid")
    event = serializers.CharField(source="event.uid")
    player = serializers.SerializerMethodField()
    status = serializers.CharField()
    verified = serializers.BooleanField(source="is_verified")
    first_round = serializers.IntegerField()

    def get_player(self, entry: Entry) -> PersonOutput:
        """Return the player."""
        return cast("PersonOutput", person_of(entry))  # the annotation is what the schema shows


class EntryWithToken(EntryOutput):
    """An entry with the secret of the player's personal link."""

    token = serializers.SerializerMethodField()

    def get_token(self, entry: Entry) -> str:
        """Return the secret of the personal link."""
        return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


class SeatOutput(serializers.Serializer):
    """A player at a table."""

    position = serializers.IntegerField()
    entry = serializers.CharField()
    player = PersonOutput()


class TableOutput(serializers.Serializer):
    """A table with its seats in order."""

    id = serializers.CharField()
    event = serializers.CharField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    status = serializers.CharField()
    variant = serializers.CharField()
    version = serializers.IntegerField()
    seats = SeatOutput(many=True)
    token = serializers.CharField(required=False, help_text="For organisers only: the secret on the table's slip.")
    code = serializers.CharField(
        required=False, help_text="Open play, for the table's players: others sit down with it."
    )


class QualityOutput(serializers.Serializer):
    """What a seating costs."""

    repeats = serializers.IntegerField(help_text="Pairs that met before.")
    repeats_bound = serializers.IntegerField(help_text="No seating has fewer.")
    spread = serializers.IntegerField(help_text="Differences of points within tables, in 840ths.")


class RoundOutput(serializers.Serializer):
    """A round with its tables."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    status = serializers.CharField()
    seed = serializers.IntegerField()
    quality = QualityOutput()
    started_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    extra_minutes = serializers.IntegerField()
    version = serializers.IntegerField()
    tables = TableOutput(many=True)
    sitting_out = PersonOutput(many=True)


class TableSeats(serializers.Serializer):
    """A table and who is to sit at it, in order."""

    id = serializers.CharField(max_length=16)
    seats = serializers.ListField(
        child=serializers.CharField(max_length=16), max_length=8, help_text="Ids of entries."
    )


class RoundPatch(serializers.Serializer):
    """A change of a round: its status, more time, or who sits where."""

    status = serializers.ChoiceField(Round.Status.choices, required=False)
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)
    extend = serializers.IntegerField(min_value=1, max_value=240, required=False, help_text="Minutes.")
    tables = TableSeats(many=True, required=False)


class TableInput(serializers.Serializer):
    """A table that is formed in open play."""

    entries = serializers.ListField(
        child=serializers.CharField(max_length=16),
        max_length=8,
        default=list,
        help_text="Ids of entries, in seat order.",
    )


class TableCode(serializers.Serializer):
    """The code of a table that is being formed."""

    code = serializers.CharField(max_length=20)


class TablePatch(serializers.Serializer):
    """A change of a table."""

    seats = serializers.ListField(
        child=serializers.CharField(max_length=16),
        max_length=8,
        required=False,
        help_text="Entries as they really sat.",
    )
    status = serializers.ChoiceField([Table.Status.PLAYING, Table.Status.DROPPED], required=False)
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)
