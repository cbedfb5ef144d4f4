"""Penalties: points that an organiser takes off an entry for a reason, and gives back."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.actors import Actor
from tournaments.errors import PenaltyInvalidError
from tournaments.models import LONGEST_REASON, Entry, Event, Penalty, Role, Round
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role

COUNTED = (Event.Status.RUNNING, Event.Status.FINISHED)  # when an event has standings that may still change


def penalties_of(actor: Actor, event: Event) -> QuerySet[Penalty]:
    """Return the penalties of an event, oldest first: a player knows of their own, the club of all."""
    found = Penalty.objects.filter(event=event).select_related("entry__player").order_by("pk")
    if actor.entry is not None and actor.entry.event_id == event.pk:
        return found.filter(entry=actor.entry)
    require_role(actor=actor, club=event.club, role=Role.SCOREKEEPER)
    return found


@transaction.atomic
def give_penalty(
    *, actor: Actor, entry: Entry, points: Decimal, reason: str, number: int | None = None, uid: str = ""
) -> Penalty:
    """Take points off an entry, in the unit of the event's own points; `number` is the round it is for.

    A form that is sent twice names the same `uid`, and gives one penalty.
    """
    event = lock_event(entry.event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    known = Penalty.objects.select_related("entry__player").filter(uid=uid).first() if uid else None
    if known is not None and known.event_id == event.pk:
        return known
    require_status(event, *COUNTED)
    reason = " ".join(reason.split())
    _check(event, points, reason, number)
    penalty = Penalty(event=event, entry=entry, points=points, reason=reason, round=number)
    penalty.uid = penalty.uid if known or not uid else uid
    penalty.save(force_insert=True)
    _tell(actor, penalty, event, "penalty-given", reason)
    return penalty


@transaction.atomic
def take_back(*, actor: Actor, penalty: Penalty, reason: str = "") -> Penalty:
    """Give back what a penalty took; once is enough."""
    event = lock_event(penalty.event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    penalty = Penalty.objects.select_related("entry__player").get(pk=penalty.pk)  # as it is, now the event is locked
    if penalty.taken_back_at is not None:
        return penalty
    require_status(event, *COUNTED)
    penalty.taken_back_at = timezone.now()
    penalty.save(update_fields=["taken_back_at"])
    _tell(actor, penalty, event, "penalty-taken-back", " ".join(reason.split())[:LONGEST_REASON])
    return penalty


def wrong_points(step: str) -> str:
    """Say which points a penalty may have."""
    return _("Use points above 0, in steps of {step}.").format(step=step)


def _check(event: Event, points: Decimal, reason: str, number: int | None) -> None:
    faults = []
    if not 0 < points <= Penalty.MOST_POINTS or points % Penalty.STEP:
        faults.append(("points", wrong_points(str(Penalty.STEP))))
    if not reason:
        faults.append(("reason", _("Say why.")))
    rounds = Round.objects.filter(event=event).exclude(status=Round.Status.CANCELLED)
    if number is not None and not rounds.filter(number=number).exists():
        faults.append(("round", _("The event has no such round.")))
    if Penalty.objects.filter(event=event).count() >= Penalty.MOST:
        faults.append(("entry", _("This event has as many penalties as are kept.")))
    if faults:
        errors = [{"code": f"penalty-{name}", "path": [name], "message": message} for name, message in faults]
        raise PenaltyInvalidError(_("This penalty cannot be given."), errors=errors)


def _tell(actor: Actor, penalty: Penalty, event: Event, verb: str, reason: str) -> None:
    """Put it on record, and have the standings computed and the pages told."""
    facts = {"entry": penalty.entry.uid, "penalty": penalty.uid, "points": str(penalty.points)}
    record(actor=actor, event=event, verb=verb, reason=reason, round=penalty.round, **facts)
    bump(event)
    mark_standings(event)
