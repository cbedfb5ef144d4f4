"""Consent across clubs: ask the other side whether two records are one person, and answer. Nothing changes before."""

from __future__ import annotations

import datetime as dt

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core.clocks import is_over, was_within
from tournaments import selectors, trust
from tournaments.actors import Actor, Kind
from tournaments.errors import (
    ForbiddenError,
    MergeConflictError,
    MergeDeclinedError,
    MergeRequestOpenError,
    MergeRequestOverError,
    TooManyMergeRequestsError,
)
from tournaments.models import Club, Merge, MergeRequest, Player, Role
from tournaments.services.merging import lock_both, merge, refuse_two_people
from tournaments.services.permissions import require_say

Status = MergeRequest.Status


@transaction.atomic
def ask(*, actor: Actor, gone: Player, kept: Player) -> MergeRequest:
    """Ask the other side to merge two records, as the person or the home club of one of them."""
    gone, kept = lock_both(gone, kept)
    sides = [player for player in (gone, kept) if trust.may_change(actor, player)]
    own = sides[0] if sides else gone
    require_say(actor, own)
    refuse_two_people(gone, kept, told=actor, is_asking=True)
    if len(sides) == 2:
        raise MergeConflictError(_("Both records are yours to merge. Nobody has to be asked."))
    club = _asking_club(actor, own)
    now = timezone.now()
    _refuse_too_many(actor, club, now)
    other = kept if own == gone else gone
    both = MergeRequest.objects.filter(gone__in=[gone, kept], kept__in=[gone, kept])
    both.filter(status=Status.OPEN, expires_at__lte=now).update(status=Status.EXPIRED)
    if _is_declined(own, other, now):
        raise MergeDeclinedError(_("The other side said that these are two people. You can ask again in a month."))
    try:
        with transaction.atomic():
            return MergeRequest.objects.create(
                gone=gone,
                kept=kept,
                awaits=other,
                club=club,
                asked_by=actor.user,
                expires_at=now + MergeRequest.LASTS,
            )
    except IntegrityError:
        raise MergeRequestOpenError(_("There is already an open request to merge these two records.")) from None


def _is_declined(own: Player, other: Player, now: dt.datetime) -> bool:
    """Say whether the other side said no lately; it was said of the two people, whichever records were named."""
    ours, theirs = _records_lately(own, now), selectors.records_of(other)
    pairs = Q(gone__in=ours, kept__in=theirs) | Q(gone__in=theirs, kept__in=ours)
    declined = MergeRequest.objects.filter(pairs, status=Status.DECLINED, awaits__in=theirs)
    return declined.exclude(is_over("expires_at", now, MergeRequest.LASTS)).exists()


def _records_lately(own: Player, now: dt.datetime) -> QuerySet[Player]:
    """Return the records of a person, and of those from whom they were parted while a no counts."""
    records = selectors.records_of(own)
    lately = was_within("undone_at", now, MergeRequest.LASTS)
    parted = Merge.objects.filter(Q(gone__in=records) | Q(kept__in=records), lately)
    return selectors.records_of(own, *(player for done in parted for player in (done.gone, done.kept)))


def _asking_club(actor: Actor, own: Player) -> Club | None:
    """Return the club in whose name somebody asks: the record's home if they run it, None for the person."""
    if trust.is_account_of(actor, own):
        return None
    if not trust.runs_home_of(actor, own, Role.ORGANISER):
        raise ForbiddenError(_("Only people with an account may do this. Log in, or use a token of your own."))
    return trust.home_of(own)


def _refuse_too_many(actor: Actor, club: Club | None, now: dt.datetime) -> None:
    asked = MergeRequest.objects.filter(status=Status.OPEN, expires_at__gt=now, club=club)
    if club is None:
        asked = asked.filter(asked_by=actor.user)
    if asked.count() >= MergeRequest.MOST_OPEN:
        raise TooManyMergeRequestsError(
            _("You can have {most} open requests. Wait for answers, or take some back.").format(
                most=MergeRequest.MOST_OPEN
            )
        )


@transaction.atomic
def accept(*, actor: Actor, request: MergeRequest) -> MergeRequest:
    """Agree, for the side that was asked: the two records become one person."""
    request = _lock_open(request)
    gone, kept = lock_both(request.gone, request.kept)
    require_say(actor, request.awaits)
    if not _still_speaks(request):
        raise MergeRequestOverError(_("Whoever asked speaks for that record no more. Nothing is merged."))
    asked = set() if request.club else trust.resting_on(_asker(request), request.asker)
    if _is_declined(request.asker, request.awaits, timezone.now()):  # of who is one with the asker by now
        raise _over()
    merge(gone, kept, by=actor, rests_on=asked | trust.resting_on(actor, request.awaits))
    return _close(actor, request, Status.ACCEPTED)


@transaction.atomic
def decline(*, actor: Actor, request: MergeRequest) -> MergeRequest:
    """Say, for the side that was asked, that these are two people, or that they stay apart."""
    request = _lock_open(request)
    require_say(actor, request.awaits)
    return _close(actor, request, Status.DECLINED)


@transaction.atomic
def withdraw(*, actor: Actor, request: MergeRequest) -> MergeRequest:
    """Take a request back, for the side that asked."""
    request = _lock_open(request)
    require_say(actor, request.asker)
    return _close(actor, request, Status.WITHDRAWN)


def _lock_open(request: MergeRequest) -> MergeRequest:
    # By two statements: what is joined to a row that is locked is as it was before the wait, and is trusted below.
    MergeRequest.objects.select_for_update().get(pk=request.pk)
    request = selectors.merge_requests().get(pk=request.pk)
    if not request.is_open:
        raise _over()
    return request


def _over() -> MergeRequestOverError:
    return MergeRequestOverError(_("This request was answered, was taken back or has expired. Ask anew."))


def _still_speaks(request: MergeRequest) -> bool:
    """Say whether the asker still is the home club of the record on their side, or its person."""
    if request.club is not None:
        return trust.is_own(request.asker, request.club)
    return request.asked_by is not None and trust.is_account_of(_asker(request), request.asker)


def _asker(request: MergeRequest) -> Actor:
    return Actor(Kind.USER, user=request.asked_by)


def _close(actor: Actor, request: MergeRequest, status: Status) -> MergeRequest:
    request.status, request.answered_at, request.answered_by = status, timezone.now(), actor.user
    request.save(update_fields=["status", "answered_at", "answered_by"])
    return request
