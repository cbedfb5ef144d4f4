"""Who is calling: from a secret, or a link a phone holds, to an actor."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import exceptions

from core.clocks import is_fresh
from core.errors import ConflictError, DomainError
from core.statements import Prepared
from tournaments.access import credentials, phone_cookies
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Credential, Entry, Event, Round, Table

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest
    from rest_framework.request import Request

    from core.models import User

LAST_USED_EVERY = dt.timedelta(minutes=1)

ENTRY_OF_LINK = Prepared(lambda uid: Entry.objects.select_related("event__club", "player").filter(uid=uid), str)
_TABLE = Prepared(lambda uid: Table.objects.select_related("round__event__club").filter(uid=uid), str)
_CREDENTIAL = Prepared(
    lambda digest: Credential.objects.select_related("user", "club").filter(digest=digest, revoked_at=None), str
)


class CredentialExpiredError(DomainError):
    """The event of this link or slip is over, or the day on which a key ends."""

    code = "credential-expired"
    status = 410


class OtherPlayerError(ConflictError):
    """Somebody wrote this on the phone, and it does not hold their link now, or they are not logged in."""

    code = "other-player"


def recognise(secret: str) -> Actor:
    """Return the caller a secret stands for.

    A wrong secret of a player or table is answered like an address that does not exist, whatever is wrong with it.
    """
    prefix = secret[: len(credentials.USER)]
    if prefix in {credentials.USER, credentials.CLUB}:
        return _stored(secret)
    if prefix == credentials.ENTRY:
        entry = ENTRY_OF_LINK.first(credentials.uid_of(secret))
        if entry and credentials.is_genuine(secret, entry.uid, entry.generation):
            _refuse_expired(entry.event)
            return Actor(Kind.ENTRY, entry=entry)
    elif prefix == credentials.TABLE:
        table = _TABLE.first(credentials.uid_of(secret))
        if table and credentials.is_genuine(secret, table.uid, table.generation):
            _refuse_expired(table.round.event)
            if not table.round.is_open:
                raise CredentialExpiredError(_("This round is over, so its slip no longer works."))
            return Actor(Kind.TABLE, table=table)
    raise exceptions.NotFound(_("There is nothing here, or you may not see it."))


def still_valid(actor: Actor) -> QuerySet[Any] | None:
    """Return the row of a bearer's credential, found for as long as `recognise` would know it; None for others."""
    match actor:
        case Actor(kind=Kind.ENTRY, entry=Entry() as entry):
            own = Entry.objects.filter(pk=entry.pk, generation=entry.generation)
            return own.exclude(event__status__in=Event.OVER)
        case Actor(kind=Kind.TABLE, table=Table() as table):
            slip = Table.objects.filter(pk=table.pk, generation=table.generation, round__status__in=Round.OPEN)
            return slip.exclude(round__event__status__in=Event.OVER)
        case Actor(credential=Credential() as credential):
            is_active = Q(user=None) | Q(user__is_active=True)
            return Credential.objects.filter(is_active, Credential.working(), pk=credential.pk)
    return None


def holder(request: HttpRequest | Request, uid: str) -> Actor | None:
    """Return the player or the table that a phone speaks for by the link it holds for an event or a table."""
    secret = phone_cookies.held(request, uid)
    actor = recognise(secret) if secret else NOBODY
    own = {actor.entry and actor.entry.event.uid, actor.table and actor.table.uid}
    return replace(actor, device=phone_cookies.device_of(request)) if uid in own else None


def speaker(request: HttpRequest | Request, named: str, user: User | AnonymousUser) -> Actor | None:
    """Return who a page speaks for by the name it gives; what an entry wrote is sent as that entry or not at all.

    A page may wait for its connection while the phone passes to somebody else. One that names no entry, as pages of an
    earlier release do, speaks for whoever holds the link of the event now. One that names an account speaks for who is
    logged in, by no link: None where that is this `user`.
    """
    uid, _dot, author = named.partition(".")
    if not author:
        return holder(request, uid)
    if author.startswith(phone_cookies.LOGIN):
        if author != phone_cookies.login_of(user):
            _refuse_other_login(uid)
        return None
    try:
        actor = holder(request, uid)
    except exceptions.NotFound:  # the link was renewed: what waits is sent by the new one
        actor = None
    if actor is None or actor.entry is None or actor.entry.uid != author:
        _refuse_other(author, actor)
    return actor


def _refuse_other_login(uid: str) -> None:
    """Say that somebody else who was logged in wrote it; refuse for good what nobody can send any more."""
    event = Event.objects.filter(uid=uid).first() if uid.isalnum() else None
    if event is None:
        raise exceptions.NotFound(_("There is nothing here, or you may not see it."))
    _refuse_expired(event)
    raise OtherPlayerError(_("Somebody who was logged in here wrote this. It is sent once they log in here again."))


def _refuse_other(author: str, actor: Actor | None) -> None:
    """Say whose it is, by name to those in the same event; refuse for good what nobody can send any more."""
    entry = ENTRY_OF_LINK.first(author) if author.isalnum() else None  # a database may refuse to look for NUL
    if entry is None:
        raise exceptions.NotFound(_("There is nothing here, or you may not see it."))
    _refuse_expired(entry.event)
    if actor is None or actor.entry is None or actor.entry.event_id != entry.event_id:
        raise OtherPlayerError(
            _("Another player wrote this on this phone. It is sent once their personal link is opened here again.")
        )
    said = _("{name} wrote this on this phone. It is sent once their personal link is opened here again.")
    raise OtherPlayerError(said.format(name=entry.name))


def _stored(secret: str) -> Actor:
    found = _CREDENTIAL.first(credentials.digest(secret))
    if found is None or (found.user is not None and not found.user.is_active):
        raise exceptions.AuthenticationFailed(_("This credential is not valid."))
    if found.has_expired:
        raise CredentialExpiredError(_("This key has expired. An owner of the club can make another."))
    now = timezone.now()
    if found.last_used_at is None or not is_fresh(found.last_used_at, now, LAST_USED_EVERY):
        Credential.objects.filter(pk=found.pk).update(last_used_at=now)
    if found.user is not None:
        return Actor(Kind.USER, user=found.user, credential=found)
    return Actor(Kind.KEY, credential=found)


def _refuse_expired(event: Event) -> None:
    if event.is_over:
        raise CredentialExpiredError(_("This event is over, so this link no longer works."))
