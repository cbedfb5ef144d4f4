"""Players come in by the code of an event, or sign up ahead: as somebody new, as themselves with a proof, or unproven.

An event takes as many by its code as its organiser said, no more in a minute than a full house, whoever the club
enters meanwhile, and nobody while joining is closed. Addresses are not counted, because a café is one.
"""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.clocks import was_within
from core.ids import new_code, typed_code
from core.likeness import alike
from core.names import clean_name
from tournaments import selectors, trust
from tournaments.actors import Actor
from tournaments.errors import (
    AlreadyEnteredError,
    EventFullError,
    ForbiddenError,
    JoiningBusyError,
    JoiningClosedError,
    NameAlikeError,
    ProofNeededError,
    SignUpClosedError,
)
from tournaments.models import Entry, Event, Joining, Player, Role
from tournaments.notices import Notice, keep_contact, tell
from tournaments.services import places
from tournaments.services import proof as proofs
from tournaments.services.entries import OPEN_FOR_ENTRY, enter, entry_of, free_name
from tournaments.services.events import bump, lock_event, require_status
from tournaments.services.history import record
from tournaments.services.permissions import require_role

A_MINUTE = dt.timedelta(minutes=1)
MOST_ALIKE = 3  # names that are told of those that look like one
MOST_A_MINUTE = 120  # joins of one event: twice a full café that scans the code at once
LEAST_WAITING = 50  # who may wait for a place, if the event has fewer than so many
A_CROWD = 60  # in a minute, of which the organiser is told


class WrongCodeError(ForbiddenError):
    """The join code is not the event's."""

    code = "join-code"


def is_code(event: Event, code: str) -> bool:
    """Say whether a code is the event's, however it was typed."""
    offered = typed_code(code).encode("utf-8", "surrogatepass")  # half a character is a wrong code, not an error
    return hmac.compare_digest(event.join_code.encode(), offered)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who wants to come in: by a new name, as a known player, or as whom a proof is of.

    `proof` is a personal link or a code from a phone that holds one; `phones` are callers by other links on the same
    phone. `confirm_alike` says that a name that looks like another is somebody else's. `email` is for news of the
    event, with links that begin with `origin`; `sender` is the network that it comes from.
    """

    actor: Actor
    name: str = ""
    player: Player | None = None
    proof: str = ""
    phones: Iterable[Actor] = ()
    confirm_alike: bool = False
    email: str = ""
    origin: str = ""
    sender: str = ""


@transaction.atomic
def join(*, event: Event, code: str, **who: Any) -> Entry:
    """Enter a player who shows the event's code, and is therefore here; `who` is what a `Newcomer` is made of.

    One of the club's own people may be named without a proof: that entry is unproven until somebody vouches.
    A name that looks like another is asked about first.
    """
    if not is_code(event, code):
        raise WrongCodeError(
            _("This is not the code of the event. It is shown on the projector and by the organiser.")
        )
    return _come_in(event, Newcomer(**who), is_here=True)


@transaction.atomic
def sign_up(*, event: Event, **who: Any) -> Entry:
    """Enter a player ahead, without the code, where the event takes them; who finds every place taken waits."""
    refuse_sign_up(event)
    return _come_in(event, Newcomer(**who), is_here=False)


def refuse_sign_up(event: Event) -> None:
    """Refuse to sign anybody up where the event does not take them, not yet, or not any more."""
    if not event.sign_up_ahead:
        raise SignUpClosedError(_("Nobody signs up ahead for this event. Join with its code, there."))
    if event.status != Event.Status.REGISTRATION:
        raise SignUpClosedError(_("Sign-up is not open now. Who is there joins with the code of the event."))
    if event.sign_up_closes_at is not None and timezone.now() > event.sign_up_closes_at:
        raise SignUpClosedError(
            _("Sign-up is closed. Ask the organiser, or join with the code when you are there."),
            closed_at=event.sign_up_closes_at,
        )


def _come_in(event: Event, who: Newcomer, *, is_here: bool) -> Entry:
    if who.name and not who.confirm_alike:
        _refuse_alike(event, clean_name(who.name))
    event = lock_event(event)
    require_status(event, *OPEN_FOR_ENTRY)
    if not is_here:
        refuse_sign_up(event)
    shown = proofs.read(who.proof) if who.proof else None
    player = shown.player if shown is not None and who.player is None else who.player
    callers = [who.actor, *who.phones]
    prover = proofs.prover_of(player, callers, shown) if player is not None else None
    if player is not None and prover is None:
        _refuse_stranger(event, player)
    elif player is not None and (entry := entry_of(event, player)):
        raise AlreadyEnteredError(
            _("You are in this event already, on another phone. Take your entry back, and this phone goes on."),
            entry=entry.uid,
            can_take_back=True,
        )
    refuse_more(event)
    as_whom: dict[str, Any] = {"claims": player} if player is not None else {"name": who.name}
    if player is not None and prover is not None:
        proved = trust.record_proved(prover, player)
        as_whom = {"player": player, "record": proved, "rests_on": {proved.pk, *trust.resting_on(prover, proved)}}
        proofs.prove_accounts(player, callers, shown)
        proofs.spend(shown)
    status = places.newcomer(event, is_here=is_here)
    entry = enter(event, actor=who.actor, status=status, **as_whom)
    # Whoever shows the code is in the room, where everybody comes from one network.
    sender = "" if is_here else who.sender
    keep_contact(entry, email=who.email, origin=who.origin, sender=sender)
    tell(entry, Notice.WAITING if status == Entry.Status.WAITING else Notice.SIGNED_UP)
    return entry


def _refuse_alike(event: Event, name: str) -> None:
    """Ask about a name that looks like one in the event, or of the club's own people; a private club tells none.

    Whoever has the very name in the event keeps it, which is for `enter` to say.
    """
    taken = list(Entry.objects.filter(event=event).values_list("name", flat=True))
    if name.casefold() in {each.casefold() for each in taken}:
        return
    own = selectors.names_alike(event.club, name)[:MOST_ALIKE] if event.club.is_public else ()
    if found := list(dict.fromkeys([*alike(name, taken), *own]))[:MOST_ALIKE]:
        raise NameAlikeError(
            _("Is this the same person as {names}? Join as them, choose another name, or confirm this one.").format(
                names=", ".join(found)
            ),
            alike=found,
            suggestion=free_name(event, name),
        )


def _refuse_stranger(event: Event, player: Player) -> None:
    if not trust.is_own(player, event.club):
        raise ProofNeededError(
            _("This player belongs to another club and comes in with a proof: a link or code of theirs, or logged in.")
            + " "
            + _("Without one, join by a name.")
        )
    if player.entries.exclude(claims=None).exists():  # nobody yet: the answer for one phone would wait for another
        raise ProofNeededError(_("Nobody has said yet who this player is. Join by a name."))


def is_open(event: Event) -> bool:
    """Say whether players come in by the code of an event now."""
    return event.status in OPEN_FOR_ENTRY and event.joining == Joining.OPEN


def refuse_more(event: Event) -> None:
    """Refuse another player by the code, where joining is closed, the event is full, or too many came at once."""
    if event.joining == Joining.CLOSED:
        raise JoiningClosedError(_("Joining is closed. Ask the organiser, who can still enter you."))
    most = event.most_entries
    if most is not None and event.sign_up_ahead:
        most += max(most, LEAST_WAITING)  # so many wait, and no more
    if most is not None and Entry.objects.filter(event=event).count() >= most:
        raise EventFullError(
            _("The event is full. Ask the organiser, who can still enter you."), most_entries=event.most_entries
        )
    just_now = was_within("created_at", timezone.now(), A_MINUTE)
    if Entry.objects.filter(just_now, event=event).exclude(rests_on=[]).count() >= MOST_A_MINUTE:  # not by the club
        raise JoiningBusyError(
            _("Very many people are joining at this moment. Try again in a minute, or ask the organiser.")
        )


@transaction.atomic
def renew_code(*, actor: Actor, event: Event) -> Event:
    """Give an event another join code; the old one leads nowhere from now on, nor does the projector's link.

    That link shows the code, so that whoever has seen it would know the new one too.
    """
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    bump(event, join_code=new_code(), generation=event.generation + 1)
    record(actor=actor, event=event, verb="join-code-renewed")
    return event
