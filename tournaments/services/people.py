"""The people a club knows: make and rename a record, tie it to an account, and make somebody anonymous."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from core import derived
from core.ids import LENGTH
from core.names import clean_name
from tournaments import credentials, selectors
from tournaments.actors import NOBODY, Actor
from tournaments.errors import AlreadyLinkedError, ForbiddenError, PlayerGoneError
from tournaments.models import Action, Affiliation, Club, Entry, Event, KeepApart, Player, Role, Table
from tournaments.services.events import mark_standings
from tournaments.services.history import allow_rewriting, record
from tournaments.services.permissions import require_role, require_user


@transaction.atomic
def create_player(*, actor: Actor, club: Club, name: str) -> Player:
    """Make a record of somebody new in a club. Two people may have one name."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    player = Player.objects.create(name=clean_name(name))
    Affiliation.objects.create(club=club, player=player)
    return player


@transaction.atomic
def rename_player(*, actor: Actor, player: Player, name: str) -> Player:
    """Change a player's name; what they played before keeps the name it was played under."""
    player = lock_person(player)
    if not is_self(actor, player):
        require_organiser_of(actor, player)
    player.name = clean_name(name)
    player.save(update_fields=["name"])
    mark_boards(player)
    return player


def mark_boards(player: Player) -> None:
    """Write down that the leaderboards a person stands on show something else of them."""
    games = Event.objects.filter(entries__player__in=selectors.records_of(player)).order_by("game")
    for game in games.values_list("game", flat=True).distinct():
        derived.mark(derived.Kind.RATINGS, game)


@transaction.atomic
def link_player(*, actor: Actor, player: Player, token: str = "") -> Player:
    """Tie a record to the caller's account, on the word of an organiser or of a personal link of that player."""
    user = require_user(actor)
    player = lock_person(player)
    if not _is_link_of(token, player):
        require_organiser_of(actor, player)
    if selectors.records_of(player).exclude(user=None).exists():
        raise AlreadyLinkedError(_("This player has an account already."))
    player.user = user
    try:
        with transaction.atomic():
            player.save(update_fields=["user"])
    except IntegrityError:
        raise AlreadyLinkedError(_("Your account is another player’s already. Merge the two records.")) from None
    return player


def _is_link_of(token: str, player: Player) -> bool:
    entries = Entry.objects.filter(player__in=selectors.records_of(player), is_verified=True)
    entry = entries.filter(uid=credentials.uid_of(token)).select_related("event").first()
    if entry is None or entry.event.is_over or not token.startswith(credentials.ENTRY):
        return False
    return credentials.is_genuine(token, entry.uid, entry.generation)


@transaction.atomic
def unlink_player(*, actor: Actor, player: Player) -> Player:
    """Part a record from its account."""
    player = lock_person(player)
    if not is_self(actor, player):
        require_organiser_of(actor, player)
    selectors.records_of(player).update(user=None)
    player.user = None
    return player


@transaction.atomic
def anonymise_player(*, actor: Actor, player: Player) -> Player:
    """Replace somebody's name wherever it stands, for good. Nobody's results change.

    As this cannot be undone, the club to ask is the one that knew the person first.
    """
    events = Event.objects.filter(entries__player__in=selectors.records_of(player))
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk"))
    player = lock_person(player)
    if is_self(actor, player):
        actor = NOBODY  # the history must not say by their account who the player was
    else:
        _require_owner_of_first_club(actor, player)
    allow_rewriting()
    records = selectors.records_of(player)
    entries = Entry.objects.filter(player__in=records).select_related("event")
    name = _neutral_name(player)
    for entry in entries:
        _forget_in_history(entry, name)
        record(actor=actor, event=entry.event, verb="player-anonymised", entry=entry.uid, name=name)
    Event.objects.filter(pk__in=[entry.event_id for entry in entries]).update(version=F("version") + 1)
    Table.objects.filter(seats__entry__in=entries).update(version=F("version") + 1)
    entries.update(name=name)
    for entry in entries:
        mark_standings(entry.event)
    mark_boards(player)
    KeepApart.objects.filter(first__in=records).delete()
    KeepApart.objects.filter(second__in=records).delete()
    records.update(name=name, user=None, anonymised_at=timezone.now())
    player.refresh_from_db()
    return player


def _require_owner_of_first_club(actor: Actor, player: Player) -> None:
    known = Affiliation.objects.filter(player__in=selectors.records_of(player)).select_related("club")
    first = known.order_by("pk").first()
    if first is None:
        raise ForbiddenError(_("Only the player themselves may do this."))
    require_role(actor=actor, club=first.club, role=Role.OWNER)


def _neutral_name(player: Player) -> str:
    """Return a name that says nothing and that nobody else has in the person's events."""
    records = selectors.records_of(player)
    events = Entry.objects.filter(player__in=records).values("event")
    others = Entry.objects.filter(event__in=events).exclude(player__in=records)
    names = [f"Player {player.uid[:length]}" for length in (4, 8, LENGTH)]
    return next(name for name in names if not others.filter(name__iexact=name).exists())


def _forget_in_history(entry: Entry, name: str) -> None:
    """Put another name in what the history of an event says of an entry; what happened stays as it is."""
    actions = Action.objects.filter(event=entry.event_id)
    actions.filter(actor=f"player {entry.name}").update(actor=f"player {name}")
    for action in actions.filter(facts__entry=entry.uid, facts__has_key="name"):
        action.facts["name"] = name
        action.save(update_fields=["facts"])


def lock_person(player: Player) -> Player:
    """Return the record a person is known by, locked until the end of the transaction.

    Refuses one that was merged into another, or made anonymous.
    """
    player = Player.objects.select_for_update(of=("self",)).select_related("merged_into").get(pk=player.pk)
    if player.anonymised_at is not None:
        raise PlayerGoneError(_("This player was made anonymous, which is for good."))
    if player.merged_into is not None:
        raise PlayerGoneError(
            _("This is the same person as {name}. Use that record.").format(name=player.merged_into.name),
            merged_into=player.merged_into.uid,
        )
    return player


def is_self(actor: Actor, player: Player) -> bool:
    """Say whether the caller is the player, by their account."""
    return actor.user is not None and selectors.records_of(player).filter(user=actor.user).exists()


def require_organiser_of(actor: Actor, player: Player) -> None:
    """Refuse a caller who organises no club that knows the player."""
    clubs = selectors.clubs_run_by(actor, Role.ORGANISER)
    if not Affiliation.objects.filter(club__in=clubs, player__in=selectors.records_of(player)).exists():
        raise ForbiddenError(_("Only an organiser of a club that knows the player may do this."))
