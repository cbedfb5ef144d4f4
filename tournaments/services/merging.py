"""Two records that are one person: join them, and part them again while nothing new hangs on it.

Entries, seats and sheets stay with the record they were made for; `merged_into` leads from there to the person.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _

from core import derived
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.errors import MergeConflictError, MergeFinalError
from tournaments.models import Affiliation, Entry, Event, Merge, Player, Season, Seat
from tournaments.services.events import mark_seasons
from tournaments.services.people import lock_person, require_organiser_of


@transaction.atomic
def merge_players(*, actor: Actor, gone: Player, kept: Player) -> Player:
    """Say that two records are one person, who is known as `kept` from now on."""
    for player in sorted([gone, kept], key=lambda player: player.pk):  # in one order, so that nobody waits in a circle
        require_organiser_of(actor, lock_person(player))
    _refuse_two_people(gone, kept)
    moved = list(Player.objects.filter(merged_into=gone).values_list("pk", flat=True))
    Merge.objects.create(kept=kept, gone=gone, moved=moved, merged_by=actor.user)
    Player.objects.filter(pk__in=[gone.pk, *moved]).update(merged_into=kept)
    clubs = Affiliation.objects.filter(player=gone).exclude(club__in=kept.clubs.all()).values_list("club", flat=True)
    Affiliation.objects.bulk_create(Affiliation(club_id=club, player=kept) for club in clubs)
    _mark(gone.pk, *moved)
    kept.refresh_from_db()
    return kept


def _mark(*records: int) -> None:
    """Write down what follows from these records being somebody else now: ratings since they first sat, and seasons.

    No table is final before its round was made.
    """
    seats = Seat.objects.filter(entry__player__in=records)
    first = seats.values_list("entry__event__game").annotate(first=Min("round__created_at"))
    for game, at in first.order_by("entry__event__game"):
        derived.mark(derived.Kind.RATINGS, game, derived.Since(at, 0))
    mark_seasons(Season.objects.filter(events__entries__player__in=records).distinct())


def _refuse_two_people(gone: Player, kept: Player) -> None:
    if gone == kept:
        raise MergeConflictError(_("This is one record already."))
    ours, theirs = selectors.records_of(gone), selectors.records_of(kept)
    both = Event.objects.filter(entries__player__in=ours).filter(entries__player__in=theirs).first()
    if both is not None:
        raise MergeConflictError(_("Both played in {event}, so they are two people.").format(event=both.name))
    if ours.exclude(user=None).exists() and theirs.exclude(user=None).exists():
        raise MergeConflictError(_("Both have an account. Part one of them from its account first."))


@transaction.atomic
def unmerge_player(*, actor: Actor, player: Player) -> Player:
    """Take a merge back: the record is a person of its own again, with those that had been merged into it."""
    require_organiser_of(actor, player.merged_into or player)
    merge = Merge.objects.select_for_update(of=("self",)).filter(gone=player, undone_at=None).first()
    if merge is None:
        raise MergeFinalError(_("This record was not merged."))
    kept = lock_person(merge.kept)
    _refuse_if_attached(merge)
    added = Affiliation.objects.filter(player=kept, created_at__gte=merge.merged_at)
    added.filter(club__in=player.clubs.all()).delete()
    Player.objects.filter(pk__in=merge.moved).update(merged_into=player)
    Player.objects.filter(pk=player.pk).update(merged_into=None)
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])
    _mark(player.pk, *merge.moved)
    player.refresh_from_db()
    return player


def _refuse_if_attached(merge: Merge) -> None:
    entries = Entry.objects.filter(player__in=selectors.records_of(merge.kept))
    is_entered = entries.filter(created_at__gte=merge.merged_at).exists()
    is_seated = Seat.objects.filter(entry__in=entries, round__created_at__gte=merge.merged_at).exists()
    if is_entered or is_seated:
        raise MergeFinalError(_("This person has entered or played since, so the merge stays."))
