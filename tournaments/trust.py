"""Who may do what to whom: what a caller has proved, and what that allows. Services ask here and refuse.

`actors` says who is calling. A person belongs to themselves, and to their home club: the first that entered them.
Their account proves that a caller is the person, and so does a personal link of an event of their home club. A link of
an event elsewhere proves who plays there and no more, because the organisers of that event can read it: nothing that a
club does on its own with somebody else's person gives it a right over them. An organiser of the home club may say that
somebody is them, which gives their account nothing that they did not have: it is proved by a personal link.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments import selectors
from tournaments.actors import SELF, Actor, Kind, note_grant
from tournaments.models import Club, Entry, Event, Merge, Player, Role

SETTLES = dt.timedelta(days=7)  # after which an account that was tied to a person may take them away


def home_of(player: Player) -> Club | None:
    """Return the home club of the person a record belongs to; a merged record has that of the one that was kept."""
    return (player.merged_into or player).home


def is_own(player: Player, club: Club) -> bool:
    """Say whether somebody is one of a club's own people, whom it may enter."""
    home = home_of(player)
    return home is not None and home.pk == club.pk


def is_account_of(actor: Actor, player: Player) -> bool:
    """Say whether the caller is the person, by their account; one that a club tied to them proves nothing."""
    is_theirs = actor.user is not None and _ties(actor, player).filter(tied_by_club=False).exists()
    if is_theirs:
        note_grant(player.person_id, SELF)
    return is_theirs


def _ties(actor: Actor, player: Player) -> QuerySet[Player]:
    return selectors.records_of(player).filter(user=actor.user).exclude(user=None)


def is_phone_of(actor: Actor, player: Player) -> bool:
    """Say whether the caller is the person, by a proven personal link that the home club alone can read."""
    if actor.kind != Kind.ENTRY or actor.entry is None:
        return False
    is_same = actor.entry.player.person_id == player.person_id
    return is_same and actor.entry.is_verified and is_own(player, actor.entry.event.club)


def entry_proving(phones: Iterable[Actor], player: Player) -> Entry | None:
    """Return the entry by whose personal link one of the callers is the person; None where no link proves it."""
    return next((phone.entry for phone in phones if is_phone_of(phone, player)), None)


def is_self(actor: Actor, player: Player) -> bool:
    """Say whether the caller has proved to be the person."""
    return is_account_of(actor, player) or is_phone_of(actor, player)


def record_of_home(player: Player, club: Club) -> int:
    """Return the key of the first record on the way from one to its person whose home a club is."""
    if player.home_id == club.pk:
        return player.pk
    way = (done.kept for done in selectors.way_of(player))
    return next((record.pk for record in way if record.home_id == club.pk), player.person_id)


def record_proved(actor: Actor, player: Player) -> Player:
    """Return the record of a person that is the caller's also without the others: what they play is that record's.

    It is the one their account is tied to; of a phone it is that whose home alone can read its link.
    """
    tied = _ties(actor, player).filter(tied_by_club=False).first()
    if tied is not None:
        return tied
    if is_phone_of(actor, player) and actor.entry is not None:
        return Player.objects.get(pk=record_of_home(actor.entry.player, actor.entry.event.club))
    return player


def own_records(actor: Actor, player: Player) -> QuerySet[Player]:
    """Return the records of a person that are wholly the caller's by their account: those of the club that can tell.

    An account is tied to a record by a link that its home alone can read. Whose another club's record is, with which
    that one was merged, no account can prove; nor is anything wholly theirs on the word of whoever proved that one.
    """
    records = selectors.records_of(player)
    if not is_account_of(actor, player):
        return records.none()
    proved = record_proved(actor, player)
    own = selectors.told_at_home(proved, proved.tie_rests_on)
    return records.filter(Q(home=None) | Q(pk__in=own)) if own else records.none()


def own_events(actor: Actor, player: Player) -> QuerySet[Event]:
    """Return the events that are wholly the caller's own by their account; drafts are for the club alone."""
    own = Event.objects.filter(entries__player__in=own_records(actor, player))
    return own.exclude(status=Event.Status.DRAFT)


def resting_on(actor: Actor, player: Player) -> set[int]:
    """Return the other records as whom the caller speaks for somebody: no more, once they are parted from one of them.

    Of several ways to speak for somebody it is the one that rests on the fewest.
    """
    proved = _ties(actor, player).filter(tied_by_club=False)
    words = [{tied.pk, *(tied.tie_rests_on or ())} for tied in proved]
    if is_phone_of(actor, player) and actor.entry is not None:
        entry = actor.entry
        words.append({entry.player_id, record_of_home(player, entry.event.club), *(entry.rests_on or ())})
    home = home_of(player)
    if home is not None and actor.is_at_least(Role.ORGANISER, home):
        words.append({record_of_home(player, home)})
    return min((word - {player.pk} for word in words), key=len, default=set())


def is_parted(player: Player, words: Iterable[int] | None) -> bool:
    """Say whether one of the records as whom something was said of somebody is another person's by now."""
    return any(are_parted([(player, words)]))


def are_parted(said: Collection[tuple[Player, Iterable[int] | None]]) -> list[bool]:
    """Say so of each of several people, with the records as whom something was said of them."""
    named = {word for _player, words in said for word in words or ()}
    persons = {record.pk: record.person_id for record in Player.objects.filter(pk__in=named).only("merged_into")}

    def is_another(word: int, player: Player) -> bool:
        return persons.get(word, player.person_id) != player.person_id

    return [any(is_another(word, player) for word in words or ()) for player, words in said]


def runs_home_of(actor: Actor, player: Player, role: Role) -> bool:
    """Say whether the caller has at least this role in the person's home club."""
    home = home_of(player)
    return home is not None and actor.is_at_least(role, home)


def may_change(actor: Actor, player: Player) -> bool:
    """Say who may rename, merge, link and keep apart: the person, or an organiser of their home club."""
    return is_self(actor, player) or runs_home_of(actor, player, Role.ORGANISER)


def may_unlink(actor: Actor, player: Player) -> bool:
    """Say who may part a person from their account: that account, or an organiser of the home of the record it is on.

    A link does not do: whoever sees the phone for a moment would make the person theirs, by linking another account.
    Nor does another club whose record was merged with it: it would keep the other side's account from coming back.
    """
    tied = selectors.records_of(player).exclude(user=None).select_related("home").first()
    home = home_of(player) if tied is None else tied.home
    return _ties(actor, player).exists() or (home is not None and actor.is_at_least(Role.ORGANISER, home))


def may_vouch(actor: Actor, player: Player) -> bool:
    """Say who may answer for a phone that says it is this person: they themselves, or an organiser of their club."""
    return may_change(actor, player)


def may_reject(actor: Actor, player: Player, club: Club) -> bool:
    """Say who may answer that a phone in a club's event is not this person: who may vouch, or its organisers.

    It takes nothing from the person, and an evening must end also where they are at home elsewhere by now.
    """
    return may_vouch(actor, player) or actor.is_at_least(Role.ORGANISER, club)


def may_take_away(actor: Actor, player: Player) -> bool:
    """Say who may read everything about a person or forget them: their account, or an owner of their home club.

    A link does not do: whoever sees the phone for a moment could not be told from the person, and this is for good.
    They could link an account of theirs, so that one does only after a while, in which the club sees it.
    """
    return is_settled_account_of(actor, player) or runs_home_of(actor, player, Role.OWNER)


def is_settled_account_of(actor: Actor, player: Player) -> bool:
    """Say whether the caller is the person by their account, and has been for long enough to take them away."""
    return is_account_of(actor, player) and settles_at(player) is None


def settles_at(player: Player) -> dt.datetime | None:
    """Return when the account that proves a person may take them away; None where it may already, or there is none."""
    since = tied_since(player)
    # A time to come is not over: it may be of a clock that was set back since, and an owner can do it meanwhile.
    return None if since is None or since + SETTLES <= timezone.now() else since + SETTLES


def tied_since(player: Player) -> dt.datetime | None:
    """Return since when the account that proves a person has been tied to them; None where nothing tells.

    It is tied to whom its record was merged with since then. A phone that was vouched for, and came in that once, is
    nobody else's record, unless it is that of the account.
    """
    records = selectors.records_of(player)
    tied = records.filter(tied_by_club=False).exclude(user=None).first()
    if tied is None:
        return None
    way = {done.pk for done in selectors.way_of(tied)}
    entered: dict[int, set[int]] = defaultdict(set)
    for record, entry in Entry.objects.filter(player__in=records).values_list("player", "pk"):
        entered[record].add(entry)
    merges = Merge.objects.filter(gone__in=records, undone_at=None)
    others = [done.merged_at for done in merges if done.pk in way or not _is_of_a_phone(done, entered)]
    return max(filter(None, [tied.tied_at, *others]), default=None)


def _is_of_a_phone(done: Merge, entered: Mapping[int, set[int]]) -> bool:
    """Say whether a merge is that of a phone that was vouched for, and of nobody else's entries."""
    # A file can say of somebody's own record that it is a phone that names another.
    entries = set().union(*(entered[key] for key in (done.gone_id, *done.moved)))
    return done.claims_id is not None and entries <= {done.entry_id}


def may_part(actor: Actor, gone: Player) -> bool:
    """Say who may take a merge back: those from whom the record came, or who may change the person by either side.

    What was joined within one club is not for another to part that was merged with it since: it takes that back alone.
    """
    if brought(actor, gone):
        return True
    way = selectors.way_of(gone)
    sides = {gone.home_id, way[0].kept.home_id} if way else {gone.home_id, getattr(home_of(gone), "pk", None)}
    words = Player.objects.filter(pk__in=resting_on(actor, gone)).exclude(home=None)
    return may_change(actor, gone) and sides.issuperset(words.values_list("home", flat=True))


def brought(actor: Actor, gone: Player) -> bool:
    """Say whether a merged record came from the caller: its home club, or a verified personal link of an event there.

    The link may also be of a record that goes with it, but not on the word of one of another club.
    """
    own = gone.home
    return own is not None and (actor.is_at_least(Role.ORGANISER, own) or _is_phone_from(own, actor, gone))


def _is_phone_from(home: Club, actor: Actor, gone: Player) -> bool:
    entry = actor.entry
    if actor.kind != Kind.ENTRY or entry is None or not entry.is_verified or entry.event.club_id != home.pk:
        return False
    words = Player.objects.filter(pk__in={entry.player_id, *(entry.rests_on or ())}).exclude(home=None)
    return entry.player_id in selectors.going_with(gone) and not words.exclude(home=home).exists()
