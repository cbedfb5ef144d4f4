"""Say in a sentence what put somebody behind the one above, in an event or a season."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

REASONS = {
    "first": gettext_lazy("Nobody is ahead."),
    "shared": gettext_lazy("Level with {name} in everything: they share the place."),
    "not-played": gettext_lazy("Has not played yet."),
    "final": gettext_lazy("{name} went further: the final decides the first places."),
    "final-place": gettext_lazy("Had place {own} in the final; {name} had place {above}."),
    "round": gettext_lazy("Reached round {own}; {name} reached round {above}."),
    "round-points": gettext_lazy("Had {own} points in the last round; {name} had {above}."),
    "points": gettext_lazy("Has {own} points; {name} has {above}."),
    "play-off": gettext_lazy(
        "Has as many points as {name}, who was better in the play-off: place {above} against {own}."
    ),
    "lots": gettext_lazy("Level with {name}, whose lot was drawn earlier: {above} against {own}."),
}
TIEBREAKS = {
    "wins": gettext_lazy("Has as many points as {name}, who won more tables: {above} against {own}."),
    "opponents": gettext_lazy(
        "Still level with {name}, whose opponents did better: {above} points a table against {own}."
    ),
    "score_share": gettext_lazy("Still level with {name}, who had more of the tables’ scores: {above} against {own}."),
    "head_to_head": gettext_lazy(
        "Still level with {name}, who did better when those level met: {above} against {own}."
    ),
    "best_table": gettext_lazy("Still level with {name}, whose best table was better: {above} against {own}."),
    "performance": gettext_lazy(
        "Still level with {name}, whose results were worth a higher rating: {above} against {own}."
    ),
}
MEANINGS = {
    "wins": gettext_lazy("The number of tables won; players who share a first place share the win."),
    "opponents": gettext_lazy("The mean points per table of all opponents met: strong opponents are worth more."),
    "score_share": gettext_lazy("A player’s mean share of all points scored at their tables."),
    "head_to_head": gettext_lazy(
        "How often a player finished ahead of the others who are level, if all of them have met."
    ),
    "best_table": gettext_lazy("The best score at one table."),
    "performance": gettext_lazy("The lowest rating that would expect these results against these opponents."),
}
POINTS = {
    "placement": gettext_lazy(
        "The share of opponents a player finished ahead of: a table gives 100 to the first and 0 to the last."
    ),
    "podium": gettext_lazy("Points for the place at each table: {podium}."),
    "score": gettext_lazy("The game’s own score, added up over all tables."),
}
OPEN_POINTS = gettext_lazy("The mean of all tables of a player counts, from {least} tables on.")
BEST_POINTS = gettext_lazy("The best {counted} tables of each player are added up.")
# The same where everybody plays alone, for the best score: only these can tell two of them apart.
ALONE_TIEBREAKS = {
    "wins": gettext_lazy("Has as many points as {name}, who won more games: {above} against {own}."),
    "best_table": gettext_lazy("Still level with {name}, whose best game was better: {above} against {own}."),
}
ALONE_NAMES = {"wins": gettext_lazy("games won"), "best_table": gettext_lazy("best score in one game")}
ALONE_MEANINGS = {
    "wins": gettext_lazy("The number of games won."),
    "best_table": gettext_lazy("The best score in one game."),
}
ALONE_POINTS = gettext_lazy("The game’s own score.")
SEASON_MEANINGS = {
    "wins": gettext_lazy("The number of events won."),
    "best_event": gettext_lazy("The best result of an event."),
    "events": gettext_lazy("The number of events played."),
    "last_event": gettext_lazy("The result of the season’s latest event."),
}
SEASON_TIEBREAKS = {
    "wins": gettext_lazy("Has as many points as {name}, who won more events: {above} against {own}."),
    "best_event": gettext_lazy("Still level with {name}, whose best event was better: {above} against {own}."),
    "events": gettext_lazy("Still level with {name}, who played more events: {above} against {own}."),
    "last_event": gettext_lazy("Still level with {name}, who did better in the latest event: {above} against {own}."),
}


def decimal(number: object) -> str:
    """Return a number as the reader writes it: 1.667 is 1,667 in French."""
    return str(number).replace(".", get_format("DECIMAL_SEPARATOR"))


def explain(reason: Mapping[str, Any], name: str, *, is_solo: bool = False) -> str:
    """Return the sentence for a row of an event's standings; `name` is who is above it."""
    if is_solo and reason["code"] == "too-few-tables":
        least = reason["least"]
        return ngettext("Ranked from {least} game on.", "Ranked from {least} games on.", least).format(least=least)
    return _explain(reason, name, TIEBREAKS | ALONE_TIEBREAKS if is_solo else TIEBREAKS)


def explain_points_alone(*, counted: int | None, least: int) -> str:
    """Return the sentence that says what is added up of games that somebody played alone."""
    if counted:
        how = ngettext(
            "The best game of each player counts.", "The best {counted} games of each player are added up.", counted
        )
    else:
        how = ngettext(
            "The mean of all games of a player counts.",
            "The mean of all games of a player counts, from {least} games on.",
            least,
        )
    return f"{ALONE_POINTS} {how.format(counted=counted, least=least)}"


def explain_penalty(points: str) -> str:
    """Return the sentence that says how many points penalties took off."""
    return _("Taken off as a penalty: {points}.").format(points=decimal(points))


def explain_season(reason: Mapping[str, Any], name: str) -> str:
    """Return the sentence for a row of a season; `name` is who is above it."""
    return _explain(reason, name, SEASON_TIEBREAKS)


def _explain(reason: Mapping[str, Any], name: str, tiebreaks: Mapping[str, Any]) -> str:
    if reason["code"] == "too-few-tables":
        least = reason["least"]
        sentence = ngettext("Ranked from {least} table on.", "Ranked from {least} tables on.", least)
    else:
        sentence = str(tiebreaks[reason["key"]] if reason["code"] == "tie-break" else REASONS[reason["code"]])
    shown = {fact: _("none") if value is None else decimal(value) for fact, value in reason.items()}
    return sentence.format(name=name, **shown)
