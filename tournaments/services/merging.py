"""Two records that are one person: join them, and part them again while nothing new hangs on it.

Entries, seats and sheets stay with the record they were made for; `merged_into` leads from there to the person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, compress, takewhile

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import selectors, trust
from tournaments.actors import Actor
from tournaments.errors import ConsentNeededError, ForbiddenError, MergeConflictError, MergeFinalError
from tournaments.models import Affiliation, Club, Entry, Event, Merge, Player, Round, Seat, Table
from tournaments.services.entries import end_link, taken_back
from tournaments.services.events import bump, mark_ratings, mark_standings
from tournaments.services.history import record
from tournaments.services.people import lock_person, mark_boards, mark_seasons_with, part
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
    return merge(gone, kept, by=actor, rests_on=trust.resting_on(actor, gone) | trust.resting_on(actor, kept))


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
        refuse_two_people(gone, kept, told=actor, is_asking=not all(sides))
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


def merge(
    gone: Player, kept: Player, *, by: Actor, rests_on: Collection[int] = (), vouched: Entry | None = None
) -> Player:
    """Join two locked records for which both sides have spoken; refuses where they cannot be one person.

    `rests_on` are the records as whom they spoke. `vouched` is the entry of a phone that said to be somebody: it goes
    along where a merge is taken back that led from there to `kept`.
    """
    refuse_two_people(gone, kept, told=by)
    if any(said.person_id not in {gone.pk, kept.pk} for said in Player.objects.filter(pk__in=rests_on)):
        raise _changed()
    moved = list(Player.objects.filter(merged_into=gone).values_list("pk", flat=True))
    claims = vouched.claims if vouched else None
    for done in selectors.way_of(claims) if claims else ():
        _move_along(done, [*done.moved, gone.pk, *moved])
    last_entry = Entry.objects.aggregate(last=Max("pk"))["last"] or 0
    Merge.objects.create(
        kept=kept,
        gone=gone,
        moved=moved,
        last_entry=last_entry,
        rests_on=sorted(rests_on),
        entry=vouched,
        claims=claims,
        merged_by=by.user,
    )
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
    mark_seasons_with(records)


def refuse_two_people(gone: Player, kept: Player, *, told: Actor, is_asking: bool = False) -> None:
    """Refuse two records that cannot be one person; who is told why hears of no event that they may not know of.

    Who still has to ask the other side hears nothing of what was there either, nor whether somebody has an account: it
    is told to whoever agrees.
    """
    if gone == kept:
        raise MergeConflictError(_("These two records are already one."))
    ours, theirs = selectors.records_of(gone), selectors.records_of(kept)
    seen = selectors.visible_events(told)
    entries = Entry.objects.filter(event__in=seen.values("pk")) if is_asking else Entry.objects.all()
    # The answer for such a phone joins its record with another, and whoever gives it speaks for that one alone.
    if entries.filter(player__in=ours | theirs).exclude(claims=None).exists():
        raise MergeConflictError(_("A phone says that one of them is somebody known. Say first whether it is."))
    beside = Q(claims__in=ours, event__entries__player__in=theirs)
    beside |= Q(claims__in=theirs, event__entries__player__in=ours)
    if entries.filter(beside).exists():  # one person would play there twice
        raise MergeConflictError(
            _("Where one of them plays, a phone says that it is the other. Say first whether it is.")
        )
    both = Event.objects.filter(entries__player__in=ours).filter(entries__player__in=theirs)
    if known := seen.filter(pk__in=both.values("pk")).first():
        raise MergeConflictError(_("Both played in {event}, so they are two people.").format(event=known.name))
    if not is_asking and both.exists():
        raise MergeConflictError(_("Both played in the same event, so they are two people."))
    if not is_asking and ours.exclude(user=None).exists() and theirs.exclude(user=None).exists():
        raise MergeConflictError(_("Both have an account. Unlink one of them from its account first."))


@transaction.atomic
def unmerge_player(*, actor: Actor, player: Player) -> Player:
    """Take a merge back: the record is a person of its own again, with those that had been merged into it.

    What was said since on the word of those who are parted is taken back with it: merges, vouchings and ties.
    """
    player.refresh_from_db()
    if not trust.may_part(actor, player):
        raise ForbiddenError(_("Only the player themselves or an organiser of their home club may do this."))
    records = set(selectors.records_of(player).values_list("pk", flat=True))
    # Events are locked before people, as everywhere.
    events = {entry.event_id for entry in _in_doubt(player, records)}
    list(Event.objects.select_for_update(no_key=True).filter(pk__in=events).order_by("pk"))
    person = lock_person(player.merged_into or player)
    _refuse_if_changed(player, person, records)
    # Read again: who enters as the person, or takes an entry of theirs back, locks them as well.
    if {entry.event_id for entry in _in_doubt(player, records)} - events:
        raise _changed()
    _refuse_if_attached(player)
    taken = {entry for done in _standing([player.pk]) for entry in taken_back(player, done.merged_at)}
    _part(_standing([player.pk])[0], person)
    while lost := _lost(records):
        _part(lost, Player.objects.get(pk=lost.gone.person_id))
        _ask_again(lost, actor)
    _part_from_accounts(records)
    proved = list(_proved(records))
    taken.update(compress(proved, trust.are_parted([(entry.player, entry.rests_on) for entry in proved])))
    for entry in taken:  # the phone that came by it may be that of the other
        _end_link(entry, actor)
    player.refresh_from_db()
    return player


def _standing(records: Iterable[int]) -> list[Merge]:
    """Return the merges of these records that were not taken back."""
    found = Merge.objects.filter(gone__in=records, undone_at=None).order_by("pk")
    return list(found.select_related("gone", "claims", "entry__event"))


def _lost(records: Iterable[int]) -> Merge | None:
    """Return the first merge of these records that stands on the word of somebody who is another person by now."""
    standing = _standing(records)
    return next(compress(standing, trust.are_parted([(done.gone, done.rests_on) for done in standing])), None)


def _in_doubt(player: Player, records: set[int]) -> Iterator[Entry]:
    """Yield the entries of which a link may end, or which may be asked about again, where a merge is taken back."""
    for done in _standing([player.pk]):
        yield from taken_back(player, done.merged_at)
    yield from (done.entry for done in _standing(records) if done.rests_on and done.entry is not None)
    yield from (entry for entry in _proved(records) if {*(entry.rests_on or ())} - {entry.player_id})


def _proved(records: Iterable[int]) -> QuerySet[Entry]:
    """Return the entries of records whose links somebody came by on their own word."""
    return Entry.objects.filter(player__in=records, rests_on__isnull=False).select_related("event", "player")


def _refuse_if_changed(player: Player, person: Player, records: set[int]) -> None:
    """Refuse where somebody else changed who is one person before it was locked: whoever changes that locks them."""
    if not _standing([player.pk]):
        raise MergeFinalError(_("This record was not merged."))
    if set(selectors.records_of(person).values_list("pk", flat=True)) != records:
        raise _changed()


def _changed() -> MergeConflictError:
    return MergeConflictError(_("It has changed in the meantime. Read it again, then change it."))


def _end_link(entry: Entry, actor: Actor) -> None:
    end_link(entry)
    Entry.objects.filter(pk=entry.pk).update(rests_on=[entry.player_id])
    record(actor=actor, event=entry.event, verb="link-renewed", entry=entry.uid, name=entry.name)


def _part(done: Merge, person: Player) -> None:
    """Take one merge of a locked person back."""
    gone, group = done.gone, [done.gone_id, *done.moved]
    way = selectors.way_of(gone)
    _leave(group, person)
    # Who was merged since, because a phone said to be this record, was merged with whom it was known as then.
    Merge.objects.filter(gone__in=done.moved, undone_at=None).exclude(kept__in=group).update(kept=gone)
    Player.objects.filter(pk__in=done.moved).update(merged_into=gone)
    Player.objects.filter(pk=gone.pk).update(merged_into=None)
    done.undone_at = timezone.now()
    done.save(update_fields=["undone_at"])
    _forget_clubs(way, done)
    mark_records(*group)
    mark_boards(person)


def _leave(group: list[int], person: Player) -> None:
    """Let records that leave a person go along with nobody else of them."""
    others = _standing(selectors.records_of(person).values_list("pk", flat=True))
    left = [other for other in others if other.gone_id not in group and set(group) & set(other.moved)]
    for other in left:
        other.moved = [key for key in other.moved if key not in group]
    Merge.objects.bulk_update(left, ["moved"])


def _forget_clubs(way: list[Merge], done: Merge) -> None:
    """Let clubs that knew records by a merge alone know them no more, after it was taken back; notes go with it."""
    merges = list(Merge.objects.filter(kept__in=[step.kept_id for step in way]).order_by("-merged_at"))
    first = {each.kept_id: each.merged_at for each in merges}  # another may have been first to bring a club
    joined: dict[int, list[int]] = defaultdict(list)
    for each in merges:
        if each.undone_at is None:
            joined[each.kept_id].append(each.gone_id)
    known = _clubs_by_record(chain(*joined.values()))
    added: dict[int, list[Affiliation]] = defaultdict(list)
    brought = Affiliation.objects.filter(player__in=first, club__in=done.gone.clubs.all())
    brought = brought.exclude(club=F("player__home")).exclude(club__events__entries__player=F("player"))
    for tie in brought:
        added[tie.player_id].append(tie)
    lost = []
    for step in way:  # what one record loses, it brings to the next no more
        kept = step.kept_id
        still = set(chain(*(known[gone] for gone in joined[kept])))
        parted = [tie for tie in added[kept] if tie.created_at >= first[kept] and tie.club_id not in still]
        known[kept] -= {tie.club_id for tie in parted}
        lost += parted
    for tie in lost:
        if tie.note:
            Affiliation.objects.filter(club=tie.club_id, player=done.gone).update(note=tie.note)
    Affiliation.objects.filter(pk__in=[tie.pk for tie in lost]).delete()


def _clubs_by_record(records: Iterable[int]) -> dict[int, set[int]]:
    known: dict[int, set[int]] = defaultdict(set)
    for player, club in Affiliation.objects.filter(player__in=records).values_list("player", "club"):
        known[player].add(club)
    return known


def _ask_again(done: Merge, actor: Actor) -> None:
    """Let a phone be unproven again for whom somebody vouched whose word counts no more; its link ends."""
    entry = done.entry
    if entry is None or done.claims is None or entry.player_id != done.gone_id:
        return
    Entry.objects.filter(pk=entry.pk).update(is_verified=False, claims=done.claims)
    _end_link(entry, actor)
    bump(entry.event)
    mark_standings(entry.event)


def _part_from_accounts(records: Iterable[int]) -> None:
    """Part records from accounts that were proved as whom they are not any more."""
    tied = list(Player.objects.filter(pk__in=records).exclude(user=None))
    lost = compress(tied, trust.are_parted([(each, each.tie_rests_on) for each in tied]))
    part(Player.objects.filter(pk__in=[each.pk for each in lost]))


def _refuse_if_attached(player: Player) -> None:
    """Refuse where the one club of both records entered the person since, and they played: nobody can tell as whom.

    What somebody joined by themselves is of the record that they proved, and what each of two clubs does is of its
    own. So neither of them can make a merge final. Nor does anything a wrong vouch: whom the club entered is the
    player it knew, and the phone would be theirs for good.
    """
    steps = selectors.way_of(player)
    if steps and steps[0].claims_id is not None:
        return
    played = Seat.objects.filter(table__status=Table.Status.FINAL).exclude(round__status=Round.Status.CANCELLED)
    counts = Q(rests_on=[], pk__in=played.values("entry"))
    counts |= Q(rests_on__isnull=True) & ~Q(event__status=Event.Status.DRAFT)  # by a version that did not tell
    way = takewhile(lambda merge: merge.kept.home_id == player.home_id, steps)
    merges = {merge.kept_id: merge for merge in way}
    now = timezone.now()
    for person, key, at in Entry.objects.filter(counts, player__in=merges).values_list("player", "pk", "created_at"):
        merge = merges[person]
        # Where the last entry of then is not known, its time tells; one to come is not of our clock.
        is_since = merge.merged_at <= at <= now if merge.last_entry is None else key > merge.last_entry
        if is_since:
            raise MergeFinalError(_("This person has played since where the club entered them, so the merge stays."))
