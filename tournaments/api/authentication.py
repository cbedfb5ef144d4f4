"""Recognise callers: `Authorization: Bearer …` for the API, the session or a held link for people in a browser."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.authentication import SessionAuthentication as FrameworkSession

from core.errors import DomainError
from core.guesses import count_guess, refuse_guesser
from tournaments import credentials, phones
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Credential, Entry, Event, Round, Table

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

LAST_USED_EVERY = dt.timedelta(minutes=1)


class CredentialExpiredError(DomainError):
    """The event of this link or slip is over."""

    code = "credential-expired"
    status = 410


class SessionAuthentication(FrameworkSession):
    """People who logged in with a browser."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user of the session and who that is as a caller."""
        found = super().authenticate(request)
        return found and (found[0], Actor(Kind.USER, user=found[0]))


class PageAuthentication(FrameworkSession):
    """Players on our own pages, which name the link they speak with; as any cookie, it needs the CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """Return the player or the table whose link the phone holds and the page names; None where there is none."""
        actor = holder(request, request.query_params.get(phones.PARAMETER, ""))
        if actor is None:
            return None
        self.enforce_csrf(request)
        return AnonymousUser(), actor


class BearerAuthentication(BaseAuthentication):
    """The four kinds of credentials."""

    def authenticate_header(self, request: Request) -> str:
        """Say how to authenticate."""
        return "Bearer"

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """Return the caller that a bearer credential stands for; None where there is none."""
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            actor = recognise(secret.strip())
        except (exceptions.NotFound, exceptions.AuthenticationFailed):
            refuse_guesser(request)  # not sooner: whoever shows a genuine one in the same café is no guesser
            count_guess(request)
            raise
        return actor.user or AnonymousUser(), actor


def recognise(secret: str) -> Actor:
    """Return the caller a secret stands for.

    A wrong secret of a player or table is answered like an address that does not exist, whatever is wrong with it.
    """
    prefix = secret[: len(credentials.USER)]
    if prefix in {credentials.USER, credentials.CLUB}:
        return _stored(secret)
    if prefix == credentials.ENTRY:
        entry = Entry.objects.select_related("event__club", "player").filter(uid=credentials.uid_of(secret)).first()
        if entry and credentials.is_genuine(secret, entry.uid, entry.generation):
            _refuse_expired(entry.event)
            return Actor(Kind.ENTRY, entry=entry)
    elif prefix == credentials.TABLE:
        table = Table.objects.select_related("round__event__club").filter(uid=credentials.uid_of(secret)).first()
        if table and credentials.is_genuine(secret, table.uid, table.generation):
            _refuse_expired(table.round.event)
            if not table.round.is_open:
                raise CredentialExpiredError(_("This round is over, and so is the slip."))
            return Actor(Kind.TABLE, table=table)
    raise exceptions.NotFound(_("There is nothing here, or it is not yours to see."))


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
            return Credential.objects.filter(is_active, pk=credential.pk, revoked_at=None)
    return None


def holder(request: HttpRequest | Request, uid: str) -> Actor | None:
    """Return the player or the table that a phone speaks for by the link it holds for an event or a table."""
    secret = phones.held(request, uid)
    actor = recognise(secret) if secret else NOBODY
    own = {actor.entry and actor.entry.event.uid, actor.table and actor.table.uid}
    return actor if uid in own else None


def _stored(secret: str) -> Actor:
    digest = credentials.digest(secret)
    found = Credential.objects.select_related("user", "club").filter(digest=digest, revoked_at=None).first()
    if found is None or (found.user is not None and not found.user.is_active):
        raise exceptions.AuthenticationFailed(_("This credential is not valid."))
    now = timezone.now()
    if found.last_used_at is None or found.last_used_at < now - LAST_USED_EVERY:
        Credential.objects.filter(pk=found.pk).update(last_used_at=now)
    if found.user is not None:
        return Actor(Kind.USER, user=found.user, credential=found)
    return Actor(Kind.KEY, credential=found)


def _refuse_expired(event: Event) -> None:
    if event.is_over:
        raise CredentialExpiredError(_("This event is over, and so is the link to it."))
