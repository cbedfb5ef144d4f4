"""What there is to win in an event: an ordered list, which its organisers write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.names import NameInvalidError, clean_name
from tournaments.errors import EventInvalidError
from tournaments.models import Entry, Event, PrizeKind


def cleaned(prizes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return prizes in their one form, each with what its kind has; raises `EventInvalidError`."""
    if len(prizes) > Event.MOST_PRIZES:
        raise _invalid(_("At most {most} prizes.").format(most=Event.MOST_PRIZES))
    return [_cleaned(prize, number) for number, prize in enumerate(prizes)]


def _cleaned(prize: Mapping[str, Any], number: int) -> dict[str, Any]:
    kind = prize["kind"]
    if kind not in PrizeKind.values:
        raise _invalid(_("There is no such kind of prize."), number, "kind")
    try:
        shape = {"kind": str(kind), "name": clean_name(prize["name"])}
    except NameInvalidError as error:
        raise _invalid(error.detail, number, "name") from None
    if kind == PrizeKind.PLACE:
        place = prize.get("place")
        if place is None or not 1 <= place <= Event.MOST_PLACES_SHOWN:
            raise _invalid(_("Say for which place the prize is."), number, "place")
        return shape | {"place": place}
    return shape | ({"entry": prize.get("entry")} if kind == PrizeKind.FREE else {})


def _invalid(message: str, *path: str | int) -> EventInvalidError:
    errors = [{"code": "prizes", "path": ["prizes", *path], "message": message}]
    return EventInvalidError(message, errors=errors)


def refuse_strangers(event: Event) -> None:
    """Refuse prizes that are given to somebody who is not in the event."""
    given = {uid: number for number, prize in enumerate(event.prizes) if (uid := prize.get("entry"))}
    if not given:
        return
    known = set(Entry.objects.filter(event=event.pk, uid__in=given).values_list("uid", flat=True))
    for uid in given.keys() - known:
        raise _invalid(_("Nobody in this event has this entry."), given[uid], "entry")


def without_winners(prizes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return prizes that are given to nobody yet."""
    return [{**prize, "entry": None} if prize["kind"] == PrizeKind.FREE else dict(prize) for prize in prizes]
