"""The people a club knows: make and rename a record, tie it to an account, and make somebody anonymous."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core import computations
from core.computations import Change
from core.likeness import folded, looks
from core.models import User
from core.names import clean_name
from core.statements import insert_all, parts
from tournaments import selectors, trust
from tournaments.access import credentials
from tournaments.actors import LINKED, NOBODY, Actor, Kind, note_grant
from tournaments.errors import (
    AlreadyLinkedError,
    ForbiddenError,
    MergedElsewhereError,
    NameAlikeError,
    PlayerElsewhereError,
    PlayerGoneError,
)
from tournaments.models import (
    Affiliation,
    Club,
    Contact,
    Entry,
    Event,
    KeepApart,
    Player,
    PushSubscription,
    Role,
    Season,
    Table,
)
from tournaments.services.events import changed_standings, mark_seasons
from tournaments.services.forgetting import Forgotten, Found, forget, look, save
from tournaments.services.history import action_of, allow_rewriting
from tournaments.services.permissions import require_last_say, require_role, require_say, require_user

MARKED_AT_ONCE = 100  # computations, by one statement
NOT_TIED: dict[str, Any] = {"user": None, "tied_by_club": False, "tied_at": None, "tie_rests_on": None}


@transaction.atomic
def create_player(*, actor: Actor, club: Club, name: str) -> Player:
    """Make a record of somebody new in a club. Two people may have one name."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    player = Player.objects.create(name=clean_name(name), home=club)
    Affiliation.objects.create(club=club, player=player)
    return player


@transaction.atomic
def rename_player(*, actor: Actor, player: Player, name: str) -> Player:
    """Change a player's name; what they played before keeps the name it was played under."""
    player = lock_person(player)
    require_say(actor, player)
    name = clean_name(name)
    if not trust.runs_home_of(actor, player, Role.ORGANISER):
        _refuse_alike(player, name)
    player.take_name(name)
    player.save(update_fields=Player.named(name))
    mark_named(player)
    return player


def _refuse_alike(player: Player, name: str) -> None:
    """Refuse a person a name that looks like somebody else's of their club; an organiser knows that there are two."""
    # Whoever looked like them already, or had their name but for case and accents, stays as much like them as before.
    gained = looks(name) - looks(player.name)
    if player.home is None or not gained:
        return
    people = selectors.alike(player.home, gained).exclude(pk=player.pk)
    if not player.home.is_public:  # a refusal would tell whom the club knows
        people = people.filter(pk__in=selectors.met_by(player))
    others = people.values_list("name", flat=True)
    if any(folded(other) != folded(player.name) for other in others):
        raise NameAlikeError(
            _("Somebody else in the club has a name that looks like this one. Ask an organiser for it.")
        )


@transaction.atomic
def write_note(*, actor: Actor, club: Club, player: Player, note: str) -> str:
    """Write down what a club's organisers know about somebody, in place of what they wrote before; return it.

    A club may write about everybody it knows. One note is kept per person, with the record they are known by.
    """
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    player = lock_person(player)
    known = Affiliation.objects.filter(club=club, player__in=selectors.records_of(player))
    if not known.exists():
        raise PlayerElsewhereError(_("{name} never played in this club.").format(name=player.name))
    note = note.strip()[: Affiliation.LONGEST_NOTE]
    known.update(note="")
    Affiliation.objects.update_or_create(club=club, player=player, defaults={"note": note})
    return note


def affiliate(club: Club, known: Sequence[Player], new: Sequence[Player]) -> None:
    """Let a club know people, and the boards show those whom it did not know before; `new` people stand on none."""
    asked = Affiliation.objects.filter(club=club, player__in=known) if known else Affiliation.objects.none()
    met = set(asked.values_list("player", flat=True))
    unmet = [player for player in known if player.pk not in met]
    # Somebody may join at this moment, which makes them known just as well.
    insert_all([Affiliation(club=club, player=player) for player in (*unmet, *new)], is_lenient=True)
    if unmet:
        mark_boards(*unmet)


def mark_boards(*players: Player) -> None:
    """Write down that the leaderboards people stand on show something else of them."""
    mark_boards_with(selectors.records_of(*players))


def mark_named(player: Player) -> None:
    """Write down that leaderboards and seasons show somebody under another name."""
    mark_boards(player)
    mark_seasons_with(selectors.records_of(player))


def mark_seasons_with(records: QuerySet[Player] | Collection[int]) -> None:
    """Write down that seasons show something else of the people who have these records."""
    mark_seasons(Season.objects.filter(events__entries__player__in=records).distinct())


def mark_boards_with(records: QuerySet[Player]) -> None:
    """Write down that leaderboards show something else of the people who have these records."""
    games = Event.objects.filter(entries__player__in=records).order_by("game")
    kind = computations.Kind.RATINGS
    computations.mark_all([Change(kind, game) for game in games.values_list("game", flat=True).distinct()])


@transaction.atomic
def link_player(*, actor: Actor, player: Player, token: str = "") -> Player:
    """Tie a record to the caller's account, on the word of the home club or of a personal link that it alone reads."""
    user = require_user(actor)
    player = lock_person(player)
    proving = trust.entry_proving([_phone(token)], player)
    ties = selectors.records_of(player).exclude(user=None)
    if proving is not None:
        part(ties.filter(tied_by_club=True))  # what a club says yields to a proof
    else:
        require_say(actor, player)
    if ties.exists():
        raise AlreadyLinkedError(_("This player already has an account."))
    try:
        with transaction.atomic():
            if proving is not None:
                tie(user, proving)
            else:
                tied = {"user": user, "tied_by_club": True, "tied_at": timezone.now()}
                Player.objects.filter(pk=player.pk).update(**NOT_TIED | tied)
    except IntegrityError:
        raise AlreadyLinkedError(_("Your account already belongs to another player. Merge the two records.")) from None
    player.refresh_from_db()
    note_grant(player.pk, LINKED)
    return player


def tie(user: User, proving: Entry) -> None:
    """Tie an account to the person whose phone proved it.

    It is tied to the record whose home alone can read the phone's link, and is theirs for as long as the phone is.
    """
    record = Player.objects.get(pk=trust.record_of_home(proving.player, proving.event.club))
    words = trust.resting_on(Actor(Kind.ENTRY, entry=proving), record)
    tied = {"user": user, "tied_at": timezone.now(), "tie_rests_on": sorted(words)}
    Player.objects.filter(pk=record.pk).update(**NOT_TIED | tied)


def _phone(token: str) -> Actor:
    """Return the caller that a personal link of an event that is not over stands for, or nobody."""
    entry = Entry.objects.filter(uid=credentials.uid_of(token)).select_related("event__club", "player").first()
    if entry is None or entry.event.is_over or not token.startswith(credentials.ENTRY):
        return NOBODY
    is_genuine = credentials.is_genuine(token, entry.uid, entry.generation)
    return Actor(Kind.ENTRY, entry=entry) if is_genuine else NOBODY


@transaction.atomic
def unlink_player(*, actor: Actor, player: Player) -> Player:
    """Part a record from its account."""
    player = lock_person(player)
    if not trust.may_unlink(actor, player):
        raise ForbiddenError(_("Only the player, logged in, or an organiser of their home club may do this."))
    part(selectors.records_of(player))
    player.refresh_from_db()
    return player


def part(records: QuerySet[Player]) -> int:
    """Part records from their accounts; return how many there were."""
    return records.update(**NOT_TIED)


def look_for(*, actor: Actor, player: Player) -> Found:
    """Find the messages that name somebody who is to be forgotten, before anything is locked: it takes a while."""
    _require_to_forget(actor, present(player))
    return look(lambda: Forgotten(player, selectors.mistaken_for(player)))


def anonymise_player(*, actor: Actor, player: Player, found: Found | None = None) -> Player:
    """Replace somebody's name wherever it stands, for good. Nobody's results change.

    Phones that said they were them and were not have the name too, until somebody gives them their own. A caller with
    a transaction of their own has asked `look_for` before it.
    """
    found = found or look_for(actor=actor, player=player)
    with transaction.atomic():
        return _anonymise(actor, player, found)


def _require_to_forget(actor: Actor, player: Player) -> None:
    """Refuse to forget somebody else's person, for good: what another club brought into a merge is that club's.

    Also to an account: whose it is, the home of the record that it is tied to can tell, and no other club.
    """
    require_last_say(actor, player)
    own, records = trust.record_proved(actor, player), selectors.records_of(player).exclude(home=None)
    if records.exclude(home=own.home_id).exists():
        raise MergedElsewhereError(
            _("A record of another club is merged with this one. Take it apart first: that club forgets its own.")
        )


def _anonymise(actor: Actor, player: Player, found: Found) -> Player:
    mistaken = selectors.mistaken_for(player)
    events = {*selectors.entries_as(player).values_list("event", flat=True)}
    for part in parts(mistaken):
        others = {entry.player_id for entry in part}
        events |= {*Entry.objects.filter(player__in=others).values_list("event", flat=True)}
    for keys in parts(sorted(events)):
        list(Event.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    player = lock_person(player)
    _require_to_forget(actor, player)
    if trust.is_account_of(actor, player):
        actor = NOBODY  # the history must not say by their account who the player was
    allow_rewriting()
    them = Forgotten(player, mistaken)
    forget(them, found)
    _rename(them)
    name, gone = them.gone.name, them.gone.entries.values()
    told = partial(action_of, actor=actor, verb="player-anonymised", name=name)
    insert_all([told(event=entry.event, entry=entry.uid) for entry in gone])
    records, entries = selectors.records_of(player), selectors.entries_as(player)
    Contact.objects.filter(entry__in=entries).delete()
    PushSubscription.objects.filter(entry__in=entries).delete()
    Affiliation.objects.filter(player__in=records).update(note="")
    KeepApart.objects.filter(first__in=records).delete()
    KeepApart.objects.filter(second__in=records).delete()
    called = Player.named(name)
    Player.objects.filter(entries__claims__in=records).update(**called)
    records.update(**called, **NOT_TIED, anonymised_at=timezone.now())
    player.refresh_from_db()
    return player


def _rename(them: Forgotten) -> None:
    """Give people their other names in their events, and write down what shows them."""
    for person in them.people:
        person.kept.take_name(person.own_name or person.name)
        first = {entry.event_id: entry for entry in reversed(person.entries.values())}
        again = [entry for entry in person.entries.values() if entry != first[entry.event_id]]
        for entry in first.values():
            entry.name = person.name
        for number, entry in enumerate(again, start=2):  # a phone that says it is them, where they play as well
            entry.name = f"{person.name} ({number})"
    save([person.kept for person in them.people], *Player.named(them.gone.name))
    entries = [entry for entry, _ in them.entries]
    save(entries, "name")
    for events in parts(them.events):
        Event.objects.filter(pk__in=events).update(version=F("version") + 1)
    for part in parts(entries):
        Table.objects.filter(seats__entry__in=part).change()
    changes = [change for event in {entry.event for entry in entries} for change in changed_standings(event)]
    for marked in parts(list(dict.fromkeys(changes)), MARKED_AT_ONCE):
        computations.mark_all(marked)
    for people in parts([person.kept for person in them.people]):
        mark_boards(*people)


def lock_person(player: Player) -> Player:
    """Return the record a person is known by, locked until the end of the transaction.

    Refuses one that was merged into another, or made anonymous.
    """
    return present(lock_people([player.pk])[player.pk])


def lock_people(keys: Iterable[int]) -> dict[int, Player]:
    """Return records by their keys, locked until the end of the transaction, always in the same order."""
    # Nothing is joined: PostgreSQL reads a row that it had to wait for again, and only rows that it locks, so that a
    # record that was merged meanwhile would be joined with nobody. What hangs on the rows is read after the lock.
    locked = Player.objects.select_for_update().prefetch_related("home")
    wanted = set(keys)
    return {player.pk: player for player in locked.filter(pk__in=wanted).order_by("pk")} if wanted else {}


def present(player: Player) -> Player:
    """Return a record; refuse one that was merged into another, or made anonymous."""
    if player.is_anonymous:
        raise PlayerGoneError(_("This player was made anonymous, which is for good."))
    if player.merged_into is not None:
        raise PlayerGoneError(
            _("This is the same person as {name}. Use that record.").format(name=player.merged_into.name),
            merged_into=player.merged_into.uid,
        )
    return player
