"""The form of an event, with what each game suggests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from core.language import reader_language
from scoring.lengths import Length
from scoring.rankings.standings.words import ALONE_NAMES
from tournaments.games import Engine, Variant, is_rated, minutes_of
from tournaments.models import (
    LARGEST_TABLE,
    SMALLEST_TABLE,
    Club,
    Confirmation,
    Event,
    Format,
    Points,
    PrizeKind,
    Season,
    Showing,
    TieBreak,
    TieRule,
)
from tournaments.models.events import default_podium, default_tiebreaks
from tournaments.services.events import SOLO
from web.forms import NameField, ServiceForm

BEGINS_AT = dt.time(19)


def whole(label: Any, least: int, most: int, *, required: bool = True, help_text: Any = "") -> forms.IntegerField:
    """Return a field for a whole number within limits."""
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=required,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


def moment(label: Any, *, required: bool = True) -> forms.DateTimeField:
    """Return a field for a time by the clocks of the club."""
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=required, widget=widget)


def _numbers(text: str) -> list[int] | None:
    """Return whole numbers that are typed with spaces between them; None where one is something else, or enormous."""
    words = text.replace(",", " ").split()
    return [int(word) for word in words] if all(word.isdecimal() and len(word) < 10 for word in words) else None


class PodiumField(forms.CharField):
    """Points per place, typed with spaces between them."""

    def prepare_value(self, value: Any) -> Any:
        """Show a list as it is typed."""
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        """Return the points, first place first."""
        points = _numbers(super().clean(self.prepare_value(value)))
        if points is None or len(points) > LARGEST_TABLE or max(points, default=0) > Event.MOST_PODIUM_POINTS:
            raise forms.ValidationError(_("Up to eight whole numbers, the first place first."))
        return points


class TableLabelsField(forms.CharField):
    """The tables of a room, one a line from table 1 on: a label, before it and a colon the room."""

    widget = forms.Textarea(attrs={"rows": 4})

    def prepare_value(self, value: Any) -> Any:
        """Show a list as it is typed."""
        if not isinstance(value, list):
            return value
        return "\n".join(": ".join(text for text in (each["room"], each["label"]) if text) for each in value)

    def clean(self, value: Any) -> list[dict[str, str]]:
        """Return the tables in order."""
        lines = super().clean(self.prepare_value(value)).rstrip().splitlines()
        found = []
        for line in lines:
            room, colon, label = (" ".join(part.split()) for part in line.partition(":"))
            found.append({"label": label if colon else room, "room": room if colon else ""})
        longest = max((len(text) for each in found for text in each.values()), default=0)
        if len(found) > Event.MOST_LABELS or longest > Event.LONGEST_LABEL:
            raise forms.ValidationError(
                _("At most {tables} lines, with at most {letters} letters for a label or a room.").format(
                    tables=Event.MOST_LABELS, letters=Event.LONGEST_LABEL
                )
            )
        return found


class PrizesField(forms.CharField):
    """Prizes, one a line: a place or what else it is for, a colon, and its name."""

    widget = forms.Textarea(attrs={"rows": 4})
    people: Mapping[str, str] = {}  # of the event: names by entry

    def prepare_value(self, value: Any) -> Any:
        """Show a list as it is typed."""
        return "\n".join(map(self._line, value)) if isinstance(value, list) else value

    def _line(self, prize: Mapping[str, Any]) -> str:
        name = prize["name"]
        if prize["kind"] == PrizeKind.PLACE:
            return f"{prize['place']}: {name}"
        if (winner := self.people.get(prize.get("entry") or "")) is not None:
            name = f"{name} = {winner}"
        elif " =" in name:
            name = f"{name} ="  # which is of the name then, and gives it to nobody
        return f"{PrizeKind(prize['kind']).label}: {name}"

    def clean(self, value: Any) -> list[dict[str, Any]]:
        """Return the prizes in order."""
        lines = super().clean(self.prepare_value(value)).splitlines()
        return [self._prize(line) for line in lines if line.strip()]

    def _prize(self, line: str) -> dict[str, Any]:
        purpose, _colon, name = (part.strip() for part in line.partition(":"))
        if purpose.isdecimal():
            return {"kind": PrizeKind.PLACE.value, "place": int(purpose[:9]), "name": name}
        kind = _kinds_of_prizes().get(" ".join(purpose.casefold().split()))
        if kind is None or not name:
            raise forms.ValidationError(
                _("“{line}”: begin with a place or one of {kinds}, then a colon and the name of the prize.").format(
                    line=line.strip()[: Event.LONGEST_NAME], kinds=", ".join(map(str, _NAMED_PRIZES))
                )
            )
        return {"kind": kind, "name": name} if kind != PrizeKind.FREE else self._given(name)

    def _given(self, text: str) -> dict[str, Any]:
        """Return a prize that the organiser gives to somebody, whose name may stand after a sign of equality."""
        name, sign, winner = (part.strip() for part in text.rpartition(" ="))
        if not sign:
            return {"kind": PrizeKind.FREE.value, "name": text, "entry": None}
        known = {each.casefold(): uid for uid, each in self.people.items()}
        if winner and winner.casefold() not in known:
            raise forms.ValidationError(_("Nobody in this event is called “{name}”.").format(name=winner[:60]))
        return {"kind": PrizeKind.FREE.value, "name": name, "entry": known.get(winner.casefold())}


_NAMED_PRIZES = [each.label for each in PrizeKind if each != PrizeKind.PLACE]


def _kinds_of_prizes() -> dict[str, str]:
    """Return the kinds of prizes by what people write, in the reader's language and in English."""
    kinds = [each for each in PrizeKind if each != PrizeKind.PLACE]
    with override("en"):
        english = {str(each.label).casefold(): each.value for each in kinds}
    return english | {str(each.label).casefold(): each.value for each in kinds}


class StagesField(forms.CharField):
    """How many play in each stage of the final, typed with spaces between them."""

    def prepare_value(self, value: Any) -> Any:
        """Show a list as it is typed."""
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[int]:
        """Return the numbers, first stage first."""
        sizes = _numbers(super().clean(self.prepare_value(value)))
        is_possible = sizes is not None and all(Event.SMALLEST_FINAL <= size <= Event.LARGEST_CUT for size in sizes)
        if sizes is None or not is_possible or len(sizes) > Event.MOST_STAGES:
            raise forms.ValidationError(_("Whole numbers, the first stage first, such as 8 4."))
        return sizes


class EventForm(ServiceForm):
    """Everything about an event. Fields that can no longer change are shown and closed."""

    aliases: ClassVar[Mapping[str, str]] = {
        "table_size": "table_preferred",
        "rounds": "rounds_planned",
        "tiebreaks": "tiebreak_1",
    }
    # What does not arise where everybody plays alone.
    NOT_SOLO = (
        *("variant", "format", "rounds_planned", "round_minutes", "table_min", "table_preferred", "table_max"),
        *("points", "podium_points", "cut_to", "stages", "tie_rule", "advance", "table_labels", "rated"),
    )
    FRONT = ("name", "starts_at", "variant", "format", "rounds_planned", "round_minutes")
    TABLES = ("table_min", "table_preferred", "table_max")

    name = NameField(label=gettext_lazy("Name of the event"), max_length=Event.LONGEST_NAME)
    starts_at = moment(gettext_lazy("Starts"))
    variant = forms.ChoiceField(label=gettext_lazy("Variant"))
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[
            (Format.SWISS, gettext_lazy("Swiss: players with similar points meet")),
            (Format.ROTATION, gettext_lazy("Rotation: everybody meets as many others as possible")),
            (Format.OPEN, gettext_lazy("Open play: players form tables themselves")),
            (Format.ELIMINATION, gettext_lazy("Elimination: the best of each table advance")),
        ],
    )
    rounds_planned = whole(gettext_lazy("Rounds"), 1, Event.MOST_ROUNDS)
    round_minutes = whole(
        gettext_lazy("Minutes per round"),
        1,
        Event.MOST_ROUND_MINUTES,
        required=False,
        help_text=gettext_lazy("Empty: no clock."),
    )
    table_min = whole(gettext_lazy("Smallest table"), SMALLEST_TABLE, LARGEST_TABLE)
    table_preferred = whole(gettext_lazy("Preferred table"), SMALLEST_TABLE, LARGEST_TABLE)
    table_max = whole(gettext_lazy("Largest table"), SMALLEST_TABLE, LARGEST_TABLE)
    confirmation = forms.ChoiceField(
        label=gettext_lazy("A result counts when"),
        choices=[
            (Confirmation.CONFIRM, gettext_lazy("another player at the table confirms it")),
            (Confirmation.TRUST, gettext_lazy("the sheet breaks no rule")),
            (Confirmation.ORGANISER, gettext_lazy("an organiser approves it")),
        ],
    )
    points = forms.ChoiceField(label=gettext_lazy("Points for"), choices=Points.choices)
    podium_points = PodiumField(
        label=gettext_lazy("Points per place"),
        required=False,
        help_text=gettext_lazy("If points depend on the place: the first place first, such as 5 3 2 1."),
    )
    cut_to = whole(
        gettext_lazy("Final table of"),
        Event.SMALLEST_FINAL,
        LARGEST_TABLE,
        required=False,
        help_text=gettext_lazy("Empty: no final."),
    )
    stages = StagesField(
        label=gettext_lazy("Stages of the final"),
        required=False,
        help_text=gettext_lazy("How many play in each, such as 8 4 for semi-finals and a final."),
    )
    tie_rule = forms.ChoiceField(label=gettext_lazy("A tie at the line is decided by"), choices=TieRule.choices)
    standings_shown = forms.ChoiceField(
        label=gettext_lazy("Everybody sees in the standings"),
        choices=Showing.choices,
        help_text=gettext_lazy("On pages, phones, the projector and by the API. The club always sees all."),
    )
    standings_number = forms.IntegerField(
        label=gettext_lazy("How many places, or after which round"),
        min_value=1,
        max_value=Event.MOST_PLACES_SHOWN,
        required=False,
        help_text=gettext_lazy("Without a round: when the event is finished."),
    )
    prizes = PrizesField(
        label=gettext_lazy("Prizes"),
        required=False,
        help_text=gettext_lazy(
            "A line for each: “1: A game”, “best sheet: A pen”, “newcomer: A book”, “other: Nicest hat”; "
            "who gets the last kind stands after a sign: “other: Nicest hat = Ana”."
        ),
    )
    advance = whole(
        gettext_lazy("Advance per table"),
        1,
        LARGEST_TABLE - 1,
        required=False,
        help_text=gettext_lazy("Elimination; half of each table where empty."),
    )
    ends_at = moment(gettext_lazy("Ends"), required=False)
    tables_counted = whole(
        gettext_lazy("Best tables counted"),
        1,
        Event.MOST_TABLES_COUNTED,
        required=False,
        help_text=gettext_lazy("Open play; the mean of all where empty."),
    )
    tables_least = whole(gettext_lazy("Tables before somebody is ranked"), 1, Event.MOST_TABLES_COUNTED)
    table_labels = TableLabelsField(
        label=gettext_lazy("Labels of the tables"),
        required=False,
        help_text=gettext_lazy("A line for each table, from 1 on: “window”, or with its room “Terrace: window”."),
    )
    season = forms.ModelChoiceField(Season.objects.none(), label=gettext_lazy("Season"), required=False)
    most_entries = whole(
        gettext_lazy("Players who join by the code, at most"),
        1,
        Event.MOST_ENTRIES,
        required=False,
        help_text=gettext_lazy("Empty: any number. You may enter more yourself."),
    )
    sign_up_ahead = forms.BooleanField(
        label=gettext_lazy("Players sign up ahead on the public page; with a limit there is a waiting list"),
        required=False,
    )
    check_in = forms.BooleanField(
        label=gettext_lazy("Who signed up is seated only after saying that they are here"), required=False
    )
    sign_up_closes_at = moment(gettext_lazy("Sign-up closes"), required=False)
    rated = forms.BooleanField(label=gettext_lazy("Results count for ratings"), required=False)
    is_public = forms.BooleanField(label=gettext_lazy("Anybody may see the event"), required=False)

    def __init__(
        self,
        data: Any,
        *,
        club: Club,
        engine: Engine,
        variant: Variant,
        people: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self.is_solo, self._variant = variant.is_solo, variant.slug
        self.fields["prizes"].people = people or {}  # type: ignore[attr-defined]
        language = reader_language()
        self.fields["variant"].choices = [(each.slug, each.name.into(language)) for each in engine.variants]  # type: ignore[attr-defined]
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]
        for number in range(1, len(TieBreak) + 1):
            label = _("Tie-break {number}").format(number=number)
            choices = [("", _("none")), *TieBreak.choices]
            self.fields[f"tiebreak_{number}"] = forms.ChoiceField(label=label, choices=choices, required=False)
        if variant.is_solo:
            self._adapt_to_solo()

    def _adapt_to_solo(self) -> None:
        """Leave out what two people would have to be there for, and call a table what it is to one: a game."""
        kept = {f"tiebreak_{number}" for number in range(1, len(ALONE_NAMES) + 1)}
        for name in [*self.NOT_SOLO, *(name for name in self.fields if name.startswith("tiebreak_"))]:
            if name not in kept:
                del self.fields[name]
        for name in kept:
            self.fields[name].choices = [("", _("none")), *ALONE_NAMES.items()]  # type: ignore[attr-defined]
        agreed = self.fields["confirmation"]
        agreed.choices = [each for each in agreed.choices if each[0] != Confirmation.CONFIRM]  # type: ignore[attr-defined]
        if self.initial.get("confirmation") == Confirmation.CONFIRM:  # which counts at once where nobody else is there
            self.initial["confirmation"] = Confirmation.TRUST.value
        self.initial.update({name: "" for name in kept if self.initial.get(name) not in ALONE_NAMES})
        self.fields["tables_counted"].label = _("Best games counted")
        self.fields["tables_counted"].help_text = _("The mean of all where empty.")
        self.fields["tables_least"].label = _("Games before somebody is ranked")

    def explain(self, length: Length) -> None:
        """Say where the suggested minutes come from."""
        text = _("Empty: no clock. Suggested by simulated games.")
        if length.tables:
            text = _("Empty: no clock. Suggested by {tables} tables of your club.").format(tables=length.tables)
        if "round_minutes" in self.fields:
            self.fields["round_minutes"].help_text = text

    def close(self, changeable: set[str]) -> None:
        """Close every field except those that may still be changed."""
        for name, field in self.fields.items():
            setting = "tiebreaks" if name.startswith("tiebreak_") else name
            field.disabled = setting not in changeable

    @property
    def front(self) -> list[BoundField]:
        """What everybody looks at."""
        return [self[name] for name in self.FRONT if name in self.fields]

    @property
    def tables(self) -> list[BoundField]:
        """The sizes of tables."""
        return [self[name] for name in self.TABLES if name in self.fields]

    @property
    def more(self) -> list[BoundField]:
        """What the suggestions are usually right about."""
        return [self[name] for name in self.fields if name not in {*self.FRONT, *self.TABLES, "confirmation"}]

    @property
    def needs_more(self) -> bool:
        """Whether something is wrong in what is usually hidden."""
        return any(field.errors for field in self.more)

    def settings(self) -> dict[str, Any]:
        """Return the settings that are open to change, as services take them."""
        given = {name: value for name, value in self.cleaned_data.items() if not self.fields[name].disabled}
        chosen = [value for name, value in given.items() if name.startswith("tiebreak_")]
        values = {name: value for name, value in given.items() if not name.startswith("tiebreak_")}
        solo = {"variant": self._variant, **SOLO} if self.is_solo else {}
        return values | solo | ({"tiebreaks": [each for each in chosen if each]} if chosen else {})


def _initial(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of an event as its form shows them."""
    tiebreaks = {f"tiebreak_{number}": key for number, key in enumerate(values["tiebreaks"], 1)}
    return {name: value for name, value in values.items() if name != "tiebreaks"} | tiebreaks


def shown(event: Event) -> dict[str, Any]:
    """Return an event's settings as its form shows them."""
    names = [*EventForm.base_fields, "tiebreaks"]
    return _initial({name: getattr(event, name) for name in names})


def suggested(engine: Engine, variant: Variant, length: Length) -> dict[str, Any]:
    """Return what a game suggests for a new event, as the form shows it; it has fewer fields where all play alone."""
    starts_at = _next_evening()
    name = _("{game} on {day}")
    language = reader_language()
    sizes = variant.people
    minutes = length.minutes if length.tables else minutes_of(engine) or length.minutes
    values = {
        "name": name.format(game=engine.name.into(language), day=date_format(starts_at, "l")),
        "starts_at": starts_at,
        "variant": variant.slug,
        "format": Format.SWISS,
        "rounds_planned": 4,
        "round_minutes": minutes,
        "table_min": max(sizes[0], min(3, sizes[-1])),
        "table_preferred": min(4, sizes[-1]),
        "table_max": min(5, sizes[-1]),
        "confirmation": Confirmation.TRUST if variant.is_solo else Confirmation.CONFIRM,
        "points": Points.PLACEMENT,
        "podium_points": default_podium(),
        "tiebreaks": [TieBreak.BEST_TABLE.value] if variant.is_solo else default_tiebreaks(),
        "tie_rule": TieRule.TIEBREAKS,
        "standings_shown": Showing.ALWAYS,
        "prizes": [],
        "tables_least": 1 if variant.is_solo else 3,
        "most_entries": Event.USUAL_MOST_ENTRIES,
        "check_in": True,
        "rated": is_rated(engine),
        "is_public": True,
    }
    return _initial(values)


def _next_evening() -> dt.datetime:
    now = timezone.localtime()
    today = timezone.make_aware(dt.datetime.combine(now.date(), BEGINS_AT))
    return today if now < today else today + dt.timedelta(days=1)


def variant_named(engine: Engine, slug: str) -> Variant:
    """Return a variant of a game by its slug, the first one for anything else."""
    return next((each for each in engine.variants if each.slug == slug), engine.variants[0])
