"""Two records that are one person: join them, and part them again while nothing new hangs on it.

Entries, seats and sheets stay with the record they were made for; `merged_into` leads from there to the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import selectors, trust
from tournaments.actors import Actor
from tournaments.errors import ConsentNeededError, ForbiddenError, MergeConflictError, MergeFinalError
from tournaments.models import Affiliation, Club, Entry, Event, Merge, Player, Round, Season, Seat, Table
from tournaments.services.entries import end_link, taken_back
from tournaments.services.events import mark_ratings, mark_seasons
from tournaments.services.history import record
from tournaments.services.people import lock_person, mark_boards
from tournaments.services.permissions import require_say


@transaction.atomic
def merge_players(*, actor: Actor, gone: Player, kept: Player) -> Player:
    """Say that two records are one person, who is known as `kept` from now on. The caller speaks for both."""
    gone, kept = lock_both(gone, kept)
    sides = [trust.may_change(actor, player) for player in (gone, kept)]
    if any(sides) and not all(sides):
        theirs = kept if sides[0] else gone
        raise ConsentNeededError(
            _("{name} is not yours to merge. Ask for it: they or their home club answer.").format(name=theirs.name)
        )
    require_say(actor, gone)
    return merge(gone, kept, by=actor)


@dataclass(frozen=True, slots=True)
class Preview:
    """What merging two records would do: what moves to the one that is kept, who has to agree, why it cannot be."""

    gone: Player
    kept: Player
    entries: int
    tables: int
    clubs: list[Club]
    needs_consent: bool
    refusal: str


def preview_merge(*, actor: Actor, gone: Player, kept: Player) -> Preview:
    """Return what merging two records would do, and do nothing. The caller speaks for at least one of them."""
    gone, kept = (player.merged_into or player for player in (gone, kept))
    sides = [trust.may_change(actor, player) for player in (gone, kept)]
    if not any(sides):
        require_say(actor, gone)
    refusal = ""
    try:
        refuse_two_people(gone, kept, told=actor)
    except MergeConflictError as error:
        refusal = error.detail
    moved = Entry.objects.filter(player__in=selectors.records_of(gone), event__in=selectors.visible_events(actor))
    clubs = selectors.visible_clubs(actor).filter(players=gone).exclude(pk__in=kept.clubs.all())
    seats = Seat.objects.filter(entry__in=moved).exclude(round__status=Round.Status.CANCELLED)
    return Preview(gone, kept, moved.count(), seats.count(), list(clubs), not all(sides), refusal)


def lock_both(gone: Player, kept: Player) -> tuple[Player, Player]:
    """Lock the records of two people, in one order, so that nobody waits in a circle."""
    locked = {player.pk: lock_person(player) for player in sorted([gone, kept], key=lambda player: player.pk)}
    return locked[gone.pk], locked[kept.pk]


def way_of(record: Player) -> list[Merge]:
    """Return the merges that lead from a record to its person, the record's own first."""
    way: list[Merge] = []
    standing = Merge.objects.filter(undone_at=None).select_related("kept")
    while done := standing.filter(gone=way[-1].kept if way else record).first():
        way.append(done)
    return way


def merge(gone: Player, kept: Player, *, by: Actor, way: Sequence[Merge] = ()) -> Player:
    """Join two locked records for which both sides have spoken; refuses where they cannot be one person.

    `way` are merges that led to `kept` from whom `gone` was said to be: it goes along where one of them is taken back.
    """
    refuse_two_people(gone, kept, told=by)
    moved = list(Player.objects.filter(merged_into=gone).values_list("pk", flat=True))
    for done in way:
        _move_along(done, [*done.moved, gone.pk, *moved])
    last_entry = Entry.objects.aggregate(last=Max("pk"))["last"] or 0
    Merge.objects.create(kept=kept, gone=gone, moved=moved, last_entry=last_entry, merged_by=by.user)
    Player.objects.filter(pk__in=[gone.pk, *moved]).update(merged_into=kept)
    clubs = Affiliation.objects.filter(player=gone).exclude(club__in=kept.clubs.all()).values_list("club", flat=True)
    Affiliation.objects.bulk_create(Affiliation(club_id=club, player=kept) for club in clubs)
    mark_records(gone.pk, *moved)
    mark_boards(kept)  # the clubs that know a person decide on which they stand
    kept.refresh_from_db()
    return kept


def _move_along(done: Merge, records: list[int]) -> None:
    done.moved = records
    done.save(update_fields=["moved"])


def mark_records(*records: int) -> None:
    """Write down what follows from these records being somebody else now: ratings since they sat, and seasons."""
    mark_ratings(Table.objects.filter(seats__entry__player__in=records))
    mark_seasons(Season.objects.filter(events__entries__player__in=records).distinct())


def refuse_two_people(gone: Player, kept: Player, *, told: Actor) -> None:
    """Refuse two records that cannot be one person; who is told why hears of no event that they may not know of."""
    if gone == kept:
        raise MergeConflictError(_("These two records are already one."))
    ours, theirs = selectors.records_of(gone), selectors.records_of(kept)
    # The answer for such a phone joins its record with another, and whoever gives it speaks for that one alone.
    if Entry.objects.filter(player__in=ours | theirs).exclude(claims=None).exists():
        raise MergeConflictError(_("A phone says that one of them is somebody known. Say first whether it is."))
    beside = Q(claims__in=ours, event__entries__player__in=theirs)
    beside |= Q(claims__in=theirs, event__entries__player__in=ours)
    if Entry.objects.filter(beside).exists():  # one person would play there twice
        raise MergeConflictError(
            _("Where one of them plays, a phone says that it is the other. Say first whether it is.")
        )
    both = Event.objects.filter(entries__player__in=ours).filter(entries__player__in=theirs)
    if known := selectors.visible_events(told).filter(pk__in=both.values("pk")).first():
        raise MergeConflictError(_("Both played in {event}, so they are two people.").format(event=known.name))
    if both.exists():
        raise MergeConflictError(_("Both played in the same event, so they are two people."))
    if ours.exclude(user=None).exists() and theirs.exclude(user=None).exists():
        raise MergeConflictError(_("Both have an account. Unlink one of them from its account first."))


@transaction.atomic
def unmerge_player(*, actor: Actor, player: Player) -> Player:
    """Take a merge back: the record is a person of its own again, with those that had been merged into it."""
    if not trust.may_part(actor, player):
        raise ForbiddenError(_("Only the player themselves or an organiser of their home club may do this."))
    merges = Merge.objects.filter(gone=player, undone_at=None)
    taken = [entry for done in merges for entry in taken_back(player, done.merged_at)]
    # Events are locked before people, as everywhere.
    list(Event.objects.select_for_update().filter(pk__in=[entry.event_id for entry in taken]).order_by("pk"))
    # Whoever changes the merges of a person has locked them, so what stands is read again after that.
    kept = lock_person(_standing(merges).kept)
    done = _standing(merges)
    _refuse_if_attached(done)
    for entry in taken:  # the phone that took it may be that of the other
        end_link(entry)
        record(actor=actor, event=entry.event, verb="link-renewed", entry=entry.uid, name=entry.name)
    added = Affiliation.objects.filter(player=kept, created_at__gte=done.merged_at)
    added = added.filter(club__in=player.clubs.all())
    for each in added.exclude(note=""):
        Affiliation.objects.filter(club=each.club_id, player=player).update(note=each.note)
    added.delete()
    _leave(done, kept)
    # Who was merged since, because a phone said to be this record, was merged with whom it was known as then.
    Merge.objects.filter(gone__in=done.moved, kept=kept, undone_at=None).update(kept=player)
    Player.objects.filter(pk__in=done.moved).update(merged_into=player)
    Player.objects.filter(pk=player.pk).update(merged_into=None)
    done.undone_at = timezone.now()
    done.save(update_fields=["undone_at"])
    mark_records(player.pk, *done.moved)
    mark_boards(kept)
    player.refresh_from_db()
    return player


def _standing(merges: QuerySet[Merge]) -> Merge:
    done = merges.select_related("kept").first()
    if done is None:
        raise MergeFinalError(_("This record was not merged."))
    return done


def _leave(done: Merge, person: Player) -> None:
    """Let a record and all that go with it go along with nobody else of the person they leave."""
    gone = {done.gone_id, *done.moved}
    for other in Merge.objects.filter(kept__in=selectors.records_of(person), undone_at=None).exclude(pk=done.pk):
        if other.gone_id not in gone and gone & set(other.moved):
            _move_along(other, [key for key in other.moved if key not in gone])


def _refuse_if_attached(merge: Merge) -> None:
    """Refuse where the person entered again, as whom nobody can tell; what was there before stays with its record."""
    records = selectors.records_of(merge.kept).exclude(pk__in=[merge.gone_id, *merge.moved])
    if merge.last_entry is None:  # a time to come is not of our clock
        since = Q(created_at__gte=merge.merged_at, created_at__lte=timezone.now())
    else:
        since = Q(pk__gt=merge.last_entry)
    if Entry.objects.filter(since, player__in=records).exists():
        raise MergeFinalError(_("This person has entered an event since, so the merge stays."))
