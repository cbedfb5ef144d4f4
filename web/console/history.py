"""The history of a table in words."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.actors import Kind
from tournaments.models import Action

VERBS = {
    "table-formed": gettext_lazy("formed the table"),
    "sat-down": gettext_lazy("sat down"),
    "left-table": gettext_lazy("stood up"),
    "table-started": gettext_lazy("began"),
    "seats-reordered": gettext_lazy("wrote down how everybody sat"),
    "table-nudged": gettext_lazy("asked for the result"),
    "called": gettext_lazy("called the organiser"),
    "call-coming": gettext_lazy("said to be coming"),
    "call-done": gettext_lazy("ended the call"),
    "call-agreed": gettext_lazy("agreed to the change of seats"),
    "call-refused": gettext_lazy("did not agree to the change of seats"),
    "table-extended": gettext_lazy("gave the table more time"),
    "table-labelled": gettext_lazy("named the table"),
    "slip-renewed": gettext_lazy("replaced the slip"),
    "reported": gettext_lazy("sent a sheet"),
    "confirmed": gettext_lazy("confirmed it"),
    "confirmed-too-late": gettext_lazy("confirmed a sheet that was replaced"),
    "approved": gettext_lazy("accepted it"),
    "disputed": gettext_lazy("disputed it"),
    "withdrawn": gettext_lazy("took a sheet back"),
    "result-final": gettext_lazy("made the result final"),
    "result-corrected": gettext_lazy("corrected the result"),
    "record-attached": gettext_lazy("added the record of the game"),
    "record-removed": gettext_lazy("took the record of the game away"),
    "table-dropped": gettext_lazy("took the table out"),
}


class Told(NamedTuple):
    """Who did what, when and why."""

    who: str
    what: str
    at: dt.datetime
    reason: str


def told(action: Action) -> Told:
    """Return an action in the words of the reader; the verb itself where there are none."""
    kind, _space, name = action.actor.partition(" ")
    if kind not in {Kind.USER, Kind.KEY, "player"}:  # as `Actor.label` writes them
        name = _("The table’s slip") if kind == Kind.TABLE else pgettext("who", "The service")
    return Told(name, str(VERBS.get(action.verb, action.verb)), action.at, action.reason)
