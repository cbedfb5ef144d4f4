"""The history of an event, and of a table, in words: everything to the club, to others what anybody could see."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_safe

from tournaments.actors import Kind
from tournaments.models import Action, Table
from tournaments.selectors import visible_events
from web.base import by_its_clocks, page_actor, role_in, session_actor, with_role

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
    "flags-cleared": gettext_lazy("looked at a marked sheet and found it fine"),
    "result-final": gettext_lazy("made the result final"),
    "result-corrected": gettext_lazy("corrected the result"),
    "record-attached": gettext_lazy("added the record of the game"),
    "record-removed": gettext_lazy("took the record of the game away"),
    "penalty-given": gettext_lazy("gave a penalty"),
    "penalty-taken-back": gettext_lazy("took a penalty back"),
    "table-dropped": gettext_lazy("took the table out"),
}

# The same where everybody plays alone.
ALONE_VERBS = {
    "table-formed": gettext_lazy("began a game"),
    "table-extended": gettext_lazy("gave more time"),
    "table-labelled": gettext_lazy("gave the game a label"),
    "table-dropped": gettext_lazy("took the game out"),
}
EVENT_VERBS = {
    "event-created": gettext_lazy("created the event"),
    "event-edited": gettext_lazy("changed the settings"),
    "event-imported": gettext_lazy("took the event in from a file"),
    "event-draft": gettext_lazy("made the event a draft again"),
    "event-registration": gettext_lazy("opened registration"),
    "event-running": gettext_lazy("started the event"),
    "event-finished": gettext_lazy("ended the event"),
    "event-cancelled": gettext_lazy("cancelled the event"),
    "join-code-renewed": gettext_lazy("replaced the code to join"),
    "entered": gettext_lazy("entered {name}"),
    "entry-registered": gettext_lazy("put {name} back on the list"),
    "entry-waiting": gettext_lazy("put {name} on the waiting list"),
    "entry-checked_in": gettext_lazy("said that {name} is here"),
    "entry-dropped": gettext_lazy("took {name} out"),
    "entry-moved-up": gettext_lazy("gave {name} a place"),
    "entry-fixed": gettext_lazy("gave {name} a table to stay at"),
    "entry-taken-back": gettext_lazy("took the entry of {name} back"),
    "link-renewed": gettext_lazy("replaced the link of {name}"),
    "substituted": gettext_lazy("let somebody play on for another"),
    "vouched": gettext_lazy("vouched for {name}"),
    "claim-rejected": gettext_lazy("said that {name} is somebody else"),
    "player-anonymised": gettext_lazy("took a person’s name away"),
    "round-drafted": gettext_lazy("drafted round {round}"),
    "round-draft": gettext_lazy("made round {round} a draft again"),
    "round-seated": gettext_lazy("seated round {round}"),
    "round-running": gettext_lazy("started round {round}"),
    "round-paused": gettext_lazy("stopped the clock of round {round}"),
    "round-resumed": gettext_lazy("let the clock of round {round} run on"),
    "round-extended": gettext_lazy("gave round {round} more time: {minutes} min"),
    "round-closed": gettext_lazy("closed round {round}"),
    "round-cancelled": gettext_lazy("cancelled round {round}"),
    "seats-moved": gettext_lazy("moved seats in round {round}"),
    "seats-swapped": gettext_lazy("exchanged two seats in round {round}"),
    "table-added": gettext_lazy("added a table to round {round}"),
    "table-removed": gettext_lazy("removed table {table_number} of round {round}"),
}
# What people do to their own entry.
BY_THEMSELVES = {
    "entered": gettext_lazy("joined the event"),
    "entry-checked_in": gettext_lazy("said to be here"),
    "entry-dropped": gettext_lazy("left the event"),
    "entry-waiting": gettext_lazy("waits for a place"),
    "entry-taken-back": gettext_lazy("took the own entry back"),
}
# What anybody could have seen happen; who entered whom, who sent which sheet and why is for the club.
PUBLIC = (
    *("event-registration", "event-running", "event-finished", "event-cancelled"),
    *("round-seated", "round-running", "round-paused", "round-resumed", "round-extended"),
    *("round-closed", "round-cancelled", "result-final", "result-corrected", "table-dropped"),
)
ON_A_PAGE = 50


class Told(NamedTuple):
    """Who did what, when and why; at which table, where it was at one."""

    who: str
    what: str
    at: dt.datetime
    reason: str
    table: Table | None = None


def told(action: Action, *, is_solo: bool = False) -> Told:
    """Return an action in the words of the reader; the verb itself where there are none."""
    kind, _space, name = action.actor.partition(" ")
    who = name
    if kind not in {Kind.USER, Kind.KEY, "player"}:  # as `Actor.label` writes them
        slip = _("The slip") if is_solo else _("The table’s slip")
        who = slip if kind == Kind.TABLE else pgettext("who", "The service")
    about = str(action.facts.get("name", ""))
    is_own = (kind == "player" and name == about) or (kind == "nobody" and action.verb == "entered")
    if about and is_own and action.verb in BY_THEMSELVES:
        return Told(about, str(BY_THEMSELVES[action.verb]), action.at, action.reason)
    alone = ALONE_VERBS.get(action.verb) if is_solo else None
    words = alone or VERBS.get(action.verb) or EVENT_VERBS.get(action.verb)
    # A verb that is not ours came with a file, and is nobody's pattern.
    what = str(words).format_map(defaultdict(lambda: "?", action.facts)) if words else action.verb
    return Told(who, what, action.at, action.reason)


def _told_to_anybody(action: Action, *, is_solo: bool = False) -> Told:
    """Return an action without the name of whoever did it, and without their reason."""
    kind = action.actor.partition(" ")[0]
    at_table = _("The player") if is_solo else _("The table")
    who = _("The organiser") if kind in {Kind.USER, Kind.KEY} else at_table
    if kind == "nobody":
        who = pgettext("who", "The service")
    return told(action, is_solo=is_solo)._replace(who=who, reason="")


@require_safe
def history(request: HttpRequest, uid: str) -> HttpResponse:
    """Show what happened in an event, newest first: everything to the club, to others what anybody could have seen."""
    events = with_role(visible_events(page_actor(request, uid)), session_actor(request))
    event = get_object_or_404(events, uid=uid)
    by_its_clocks(event.club)
    is_ours = role_in(event) is not None  # also where they play along in this browser
    actions = event.actions.select_related("table__round__event").order_by("-pk")
    if not is_ours:
        actions = actions.filter(verb__in=PUBLIC)
    page: Any = Paginator(actions, ON_A_PAGE).get_page(request.GET.get("page"))
    say = told if is_ours else _told_to_anybody
    page.object_list = [say(action, is_solo=event.is_solo)._replace(table=action.table) for action in page]
    return render(request, "public/history.html", {"event": event, "page": page, "is_ours": is_ours})
