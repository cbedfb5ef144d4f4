"""Reads: what a caller may see, and the rows that pages and the API show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When

from core.ids import typed_code
from core.likeness import looks, searchable
from core.models import User
from core.names import is_numbered
from core.statements import Prepared, parts, together
from tournaments.access import credentials
from tournaments.actors import NOBODY, ORDER, Actor, Kind
from tournaments.models import (
    Action,
    Affiliation,
    Club,
    Credential,
    Entry,
    Event,
    GameVersion,
    Invitation,
    Membership,
    Merge,
    MergeRequest,
    OwnGame,
    Player,
    Role,
    Round,
    Season,
    Seat,
    Showing,
    SitOut,
    Table,
    Webhook,
)


def clubs_of(actor: Actor) -> QuerySet[Club]:
    """Return the clubs a caller belongs to: by role, or by one of the club's keys."""
    if actor.kind == Kind.KEY and actor.credential:
        return Club.objects.filter(credentials=actor.credential)
    if actor.kind == Kind.USER and actor.user:
        return Club.objects.filter(pk__in=Membership.objects.filter(user=actor.user).values("club"))
    return Club.objects.none()


def clubs_run_by(actor: Actor, role: Role) -> QuerySet[Club]:
    """Return the clubs in which a caller has at least this role."""
    if actor.kind == Kind.KEY and actor.credential and actor.credential.allows(actor.area):
        return clubs_of(actor) if role != Role.OWNER else Club.objects.none()
    if actor.kind == Kind.USER and actor.user:
        roles = ORDER[ORDER.index(role) :]
        return Club.objects.filter(pk__in=Membership.objects.filter(user=actor.user, role__in=roles).values("club"))
    return Club.objects.none()


class ClubRole(NamedTuple):
    """A club and the role that somebody has there; None for a key that only reads."""

    club: Club
    role: Role | None


def roles_of(actor: Actor) -> list[ClubRole]:
    """Return the clubs a caller belongs to, with their role there."""
    if actor.kind == Kind.USER and actor.user:
        memberships = Membership.objects.filter(user=actor.user).select_related("club").order_by("club__name", "pk")
        return [ClubRole(membership.club, Role(membership.role)) for membership in memberships]
    return [ClubRole(club, actor.role_in(club)) for club in clubs_of(actor)]


def invitation_with(secret: str) -> Invitation | None:
    """Return the invitation a secret belongs to, whether or not it can still be accepted."""
    return Invitation.objects.select_related("club").filter(digest=credentials.digest(secret)).first()


def open_invitations() -> QuerySet[Invitation]:
    """Return the invitations that nobody accepted, of those who own the club to this day.

    Of a former owner, also one whose account ended, it would be a way back: to themselves under another address.
    """
    owners = Membership.objects.filter(role=Role.OWNER, user__is_active=True)
    inviter = owners.filter(club=OuterRef("club"), user=OuterRef("invited_by"))
    return Invitation.objects.filter(Exists(inviter), accepted_at=None)


def tokens_of(user: User) -> QuerySet[Credential]:
    """Return the tokens of a user that work, newest first."""
    return Credential.objects.filter(user=user, revoked_at=None).order_by("-pk")


def webhooks_of(club: Club) -> QuerySet[Webhook]:
    """Return the webhooks of a club, oldest first."""
    return Webhook.objects.filter(club=club).select_related("club").order_by("pk")


def visible_clubs(actor: Actor) -> QuerySet[Club]:
    """Return the clubs a caller may know of."""
    return Club.objects.filter(Q(is_public=True) | Q(pk__in=clubs_of(actor)))


def visible_events(actor: Actor) -> QuerySet[Event]:
    """Return the events a caller may know of; drafts are for the club alone."""
    own = Q(club__in=clubs_of(actor))
    public = Q(is_public=True, club__is_public=True) & ~Q(status=Event.Status.DRAFT)
    playing = Q()
    if actor.entry is not None:
        playing = Q(pk=actor.entry.event_id)
    elif actor.table is not None:
        playing = Q(pk=actor.table.round.event_id)
    return Event.objects.filter(own | public | playing).select_related("club", "season")


def events_run_by(actor: Actor, role: Role) -> QuerySet[Event]:
    """Return the events, drafts included, of the clubs in which a caller has at least this role."""
    return Event.objects.filter(club__in=clubs_run_by(actor, role)).select_related("club", "season")


def shown_places(actor: Actor, event: Event) -> int | None:
    """Return how many places of an event's standings a caller may see now; None for all. The club sees all.

    Where it is a number, the results of tables that they do not sit at are hidden too: they add up to the standings.
    """
    if event.standings_shown == Showing.ALWAYS or event.is_over or actor.is_at_least(Role.SCOREKEEPER, event.club):
        return None
    if event.standings_shown == Showing.TOP:
        return event.standings_number or 0
    return 0 if hiding(NOBODY).filter(pk=event.pk).exists() else None


def hiding(actor: Actor) -> QuerySet[Event]:
    """Return the events of whose standings a caller may not see all, as in `shown_places`."""
    closed = Round.objects.filter(
        event=OuterRef("pk"), status=Round.Status.CLOSED, number__gte=OuterRef("standings_number")
    )
    hidden = Q(standings_shown=Showing.TOP) | Q(standings_shown=Showing.LATER) & ~Exists(closed)
    running = Event.objects.filter(hidden).exclude(status__in=Event.OVER)
    return running.exclude(club__in=clubs_run_by(actor, Role.SCOREKEEPER))


RECENT = dt.timedelta(hours=12)  # since its announced start an event still counts as tonight's


def nearest_first(events: QuerySet[Event], now: dt.datetime) -> QuerySet[Event]:
    """Order events by what an organiser looks for: those that run, tonight's and those to come, forgotten ones."""
    near = Case(
        When(status=Event.Status.RUNNING, then=0),
        When(starts_at__gte=now - RECENT, then=1),
        default=2,
    )
    return events.order_by(near, "starts_at", "pk")


def event_to_join(code: str) -> Event | None:
    """Return the event that players join with a code, however it was typed; None where nobody can."""
    found = Event.objects.filter(join_code=typed_code(code))  # a database may refuse to look for anything else
    event = found.select_related("club", "season").first()
    return None if event is None or event.is_over or event.status == Event.Status.DRAFT else event


def visible_tables(actor: Actor) -> QuerySet[Table]:
    """Return the tables of the events a caller may know of, with their seats; drafts are for the club alone."""
    tables = Table.objects.filter(round__event__in=visible_events(actor).values("pk"))
    if actor.kind in {Kind.KEY, Kind.USER}:
        tables = tables.filter(~unpublished() | Q(round__event__club__in=clubs_run_by(actor, Role.SCOREKEEPER)))
    else:
        tables = tables.exclude(unpublished())
    return tables.select_related("round__event__club").prefetch_related(SEATS)


def unpublished(of: str = "round__") -> Q:
    """Return what says of the round of a row that nobody but the club ever saw it: a draft, or cancelled as one."""
    is_cancelled = Q(**{f"{of}status": Round.Status.CANCELLED, f"{of}closed_at": None})
    return Q(**{f"{of}status": Round.Status.DRAFT}) | is_cancelled


SEATS = Prefetch("seats", Seat.objects.order_by("position").select_related("entry__player"))
_TABLE_OF_EVENT = Prepared(
    lambda uid, event: (
        Table.objects.filter(uid=uid, round__event=event).exclude(unpublished()).select_related("round")
    ),
    str,
    int,
)
_SEATS_OF = Prepared(
    lambda uid: Seat.objects.filter(table__uid=uid).order_by("position").select_related("entry__player"), str
)


def seen_table(actor: Actor, uid: str) -> Table | None:
    """Return one of `visible_tables`; for a player of its event, who asks most often, in two short statements."""
    if actor.entry is not None:
        with together():
            tables, seats = _TABLE_OF_EVENT.ask(uid, actor.entry.event_id), _SEATS_OF.ask(uid)
            for table in tables():
                table.round.event = actor.entry.event  # read a moment ago, with its club
                _take_seats(table, seats())
                return table
    return visible_tables(actor).filter(uid=uid).first()


def read_seats(table: Table) -> None:
    """Read the seats of a table anew, as prefetching `SEATS` does."""
    vars(table).pop("_prefetched_objects_cache", None)
    _take_seats(table, _SEATS_OF(table.uid))


def _take_seats(table: Table, found: list[Seat]) -> None:
    seats = table.seats.all()
    for seat in found:
        seat.table = table
    vars(seats).update(_result_cache=found, _prefetch_done=True)
    keep_seats(table, seats)


def keep_seats(table: Table, seats: QuerySet[Seat]) -> None:
    """Let a table have seats that were read, where Django keeps what it prefetched."""
    vars(table)["_prefetched_objects_cache"] = {"seats": seats}


def visible_games(actor: Actor) -> QuerySet[OwnGame]:
    """Return the clubs' own games a caller may know of: of clubs they may know of, and the one that they play."""
    event = actor.entry.event if actor.entry else actor.table.round.event if actor.table else None
    playing = Q(versions=event.definition_id) if event and event.definition_id else Q(pk=None)
    return (
        OwnGame.objects.filter(Q(club__in=visible_clubs(actor).values("pk")) | playing)
        .select_related("club")
        .distinct()
    )


NEWEST = Prefetch("versions", GameVersion.objects.filter(number=F("game__version")), to_attr="newest")


def described(actor: Actor, found: QuerySet[OwnGame]) -> QuerySet[OwnGame]:
    """Return games with their `newest` definitions, and whether events are played by them: `in_use`.

    The club is told of all its events, others of those that they may know of.
    """
    events = visible_events(actor).filter(definition__game=OuterRef("pk"))
    return found.prefetch_related(NEWEST).annotate(in_use=Exists(events))


def game_with_link(actor: Actor, link: str) -> OwnGame | None:
    """Return the game that a club has shared by a link, as a caller sees it."""
    return described(actor, OwnGame.objects.filter(link=link).select_related("club")).first() if link else None


def sits_at(actor: Actor, table: Table) -> bool:
    """Say whether a caller sits at a table, or holds its slip."""
    if actor.kind == Kind.TABLE:
        return actor.table is not None and actor.table.pk == table.pk
    return actor.entry is not None and any(seat.entry_id == actor.entry.pk for seat in table.seats.all())


def visible_players(actor: Actor) -> QuerySet[Player]:
    """Return the players a caller may know of: those of clubs that they may know of, and themselves."""
    known = Affiliation.objects.filter(player=OuterRef("pk"), club__in=visible_clubs(actor).values("pk"))
    played = Entry.objects.filter(player=OuterRef("pk"), event__in=visible_events(actor).values("pk"))
    return Player.objects.filter(Exists(known) | Exists(played) | _is_oneself(actor))


def _is_oneself(actor: Actor) -> Q:
    """Return what says of a record that it is of the person whom an account proves, or a phone of their home club.

    What another club brought into a merge is that club's to show, and a link of an event elsewhere shows no more than
    that event, because the club can read it.
    """
    if actor.user is not None:
        tied = Player.objects.filter(user=actor.user, tied_by_club=False).first()
        own = {tied.pk, tied.person_id, *told_at_home(tied, tied.tie_rests_on)} if tied else set()
        return Q(pk__in=own)
    entry = actor.entry
    if entry is None or not entry.is_verified:
        return Q(pk__in=())
    person = Player.objects.filter(pk=entry.player.person_id, home=entry.event.club_id)
    is_told = entry.player.home_id == entry.event.club_id
    told = told_at_home(entry.player, entry.rests_on) if is_told else ()
    return Q(pk__in=person.values("pk")) | Q(pk__in=told, merged_into__in=person.values("pk"))


_PLAYER_SEEN_BY_ALL = Prepared(
    lambda uid: visible_players(NOBODY).select_related("home", "merged_into__home").filter(uid=uid), str
)


def seen_player(actor: Actor, uid: str) -> Player | None:
    """Return one of `visible_players`, with the clubs that speak for them: most are for everybody to see."""
    found = _PLAYER_SEEN_BY_ALL.first(uid)
    if found is None and actor.kind != Kind.NOBODY:
        found = visible_players(actor).select_related("home", "merged_into__home").filter(uid=uid).first()
    return found


def records_of(*players: Player) -> QuerySet[Player]:
    """Return every record of the people that players are: those that are kept, and all that were merged into them."""
    kept = [player.person_id for player in players]
    return Player.objects.filter(Q(pk__in=kept) | Q(merged_into__in=kept))


def told_at_home(tied: Player, words: Iterable[int] | None) -> set[int]:
    """Return the records of the home of one that an account or a phone proves whose person it is there.

    That is, without another club's word, `words` being the records on whose it is proved: who speaks for somebody as a
    record of another club that was merged with theirs could else give a second account, or a phone that says to be
    them, what that club alone can tell.
    """
    records = records_of(tied)
    own = set(records.filter(home=tied.home_id).values_list("pk", flat=True))
    merges = list(Merge.objects.filter(gone__in=records, undone_at=None)) if own != {tied.pk} else []
    # What hangs on somebody's word goes with them, so that each may take others along.
    while wrong := next((done for done in merges if not own.issuperset(done.rests_on or ())), None):
        merges.remove(wrong)
        group = {wrong.gone_id, *wrong.moved}
        own = own & group if tied.pk in group else own - group
    return own if own.issuperset(words or ()) else set()


def way_of(record: Player) -> list[Merge]:
    """Return the merges that lead from a record to its person, the record's own first."""
    person = Player.objects.filter(pk=record.pk).values("merged_into")
    along = Merge.objects.filter(Q(gone=record) | Q(gone__merged_into__in=person), undone_at=None)
    standing = {done.gone_id: done for done in along.select_related("kept")}
    way: list[Merge] = []
    while done := standing.get(way[-1].kept_id if way else record.pk):
        way.append(done)
    return way


def going_with(record: Player) -> list[int]:
    """Return the keys of a record and of those that go with it where its merge is taken back."""
    moved = Merge.objects.filter(gone=record, undone_at=None).values_list("moved", flat=True)
    return [record.pk, *(key for keys in moved for key in keys)]


def parted_from(player: Player) -> list[Entry]:
    """Return the entries of records that were merged with a person once, or with whom those were, and are not now."""
    own = set(records_of(player).values_list("pk", flat=True))
    known: set[int] = set()
    new = own
    while new:
        known |= new
        rows = Merge.objects.values_list("gone", "kept", "moved")
        merges = (row for part in parts(sorted(new)) for row in rows.filter(Q(gone__in=part) | Q(kept__in=part)))
        new = {key for gone, kept, moved in merges for key in (gone, kept, *moved)} - known
    others = sorted(known - own)
    return [entry for part in parts(others) for entry in Entry.objects.filter(player__in=part).order_by("pk")]


def proved_by(user: User) -> QuerySet[Player]:
    """Return the record whose person an account proves to be, and the one that it was merged into."""
    tied = Player.objects.filter(user=user, tied_by_club=False)
    return Player.objects.filter(Q(pk__in=tied.values("pk")) | Q(pk__in=tied.values("merged_into")))


def entries_as(player: Player) -> QuerySet[Entry]:
    """Return the entries of a person, and those of phones that say they are them, for which nobody has answered."""
    records = records_of(player)
    return Entry.objects.filter(Q(player__in=records) | Q(claims__in=records))


def said_to_be(player: Player) -> dict[str, Action]:
    """Return by its id each entry that said it was a person, also where it was not, with what the history says of it.

    Of a history only what it says of its own event and of people whom its club knows is believed: a club may have
    taken it from a file.
    """
    records = records_of(player)
    uids = set(records.values_list("uid", flat=True))
    known = Affiliation.objects.filter(player__in=records).values("club")
    said = Action.objects.filter(Q(event__club__in=records.values("home")) | Q(event__club__in=known))
    return {str(each.facts.get("entry")): each for each in said.filter(verb="entered", facts__claims__in=list(uids))}


def mistaken_for(player: Player) -> list[Entry]:
    """Return the entries of others that have the name of a person for whom they were taken once, and are not now.

    Their phones said to be the person and were given the name for it, or they joined while the two were one.
    """
    claims = said_to_be(player)
    known = Entry.objects.filter(claims=None).exclude(player__in=records_of(player))
    known = known.select_related("event__season", "player__merged_into")
    said = (row for part in parts(list(claims)) for row in known.filter(uid__in=part))
    found = {each for each in said if _is_named_by(each, claims[each.uid])}
    merged = Merge.objects.filter(gone=OuterRef("player"), merged_at__lte=OuterRef("created_at"))
    as_one = known.filter(Exists(merged.exclude(undone_at__lte=OuterRef("created_at"))))
    joined = (row for part in parts([each.pk for each in parted_from(player)]) for row in as_one.filter(pk__in=part))
    found |= {each for each in joined if not is_numbered(each.name, each.player.name)}
    return sorted(found, key=lambda each: each.pk)


def _is_named_by(entry: Entry, said: Action) -> bool:
    """Say whether an entry has the name that its phone was given, by the history of its event or by its own record."""
    has_it = said.facts.get("name") == entry.name or is_named_as_entered(entry)
    return has_it and entry.event_id == said.event_id


def is_named_as_entered(entry: Entry) -> bool:
    """Say whether somebody who was made for an entry still has its name, but for a number behind it."""
    player = entry.player
    is_own = player.merged_into_id is None and player.home_id == entry.event.club_id
    return is_own and not player.is_anonymous and is_numbered(entry.name, player.name)


def visible_seasons(actor: Actor) -> QuerySet[Season]:
    """Return the seasons of the clubs a caller may know of."""
    return Season.objects.filter(club__in=visible_clubs(actor).values("pk")).select_related("club")


def counted_events(season: Season) -> QuerySet[Event]:
    """Return the events that count in a season, in order of time.

    Of a public club these are the public ones, so that the season's table tells of no others.
    """
    finished = Event.objects.filter(season=season, status=Event.Status.FINISHED).order_by("starts_at", "pk")
    return finished.filter(is_public=True) if season.club.is_public else finished


SIT_OUTS = Prefetch("sit_outs", SitOut.objects.select_related("entry__player"))
TABLES = Prefetch("tables", Table.objects.order_by("number").prefetch_related(SEATS))


def all_rounds() -> QuerySet[Round]:
    """Return rounds with tables, seats and sit-outs, in a fixed number of queries."""
    return Round.objects.select_related("event__club").prefetch_related(TABLES, SIT_OUTS)


def rounds_of(event: Event) -> QuerySet[Round]:
    """Return the rounds of an event that were not cancelled, as `all_rounds` does."""
    return all_rounds().filter(event=event).exclude(status=Round.Status.CANCELLED).order_by("number")


def published_rounds(event: Event) -> QuerySet[Round]:
    """Return the rounds of an event that everybody may see: those of `rounds_of` without a draft."""
    return rounds_of(event).exclude(status=Round.Status.DRAFT)


def public_quality(quality: Mapping[str, int]) -> dict[str, int]:
    """Return what a seating costs, for those who may not know who is kept apart."""
    return {name: 0 if name == "apart_broken" else cost for name, cost in quality.items()}


def entries_of(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event with their players."""
    return Entry.objects.filter(event=event).select_related("player").order_by("pk")


def open_round(event: Event) -> Round | None:
    """Return the round of an event that is a draft, seated or running, if there is one; open play has none."""
    return open_rounds(event).first()


def open_rounds(event: Event) -> QuerySet[Round]:
    """Return the round of an event that is a draft, seated or running, or none, as rows."""
    return Round.objects.filter(event=event, status__in=Round.OPEN).exclude(kind=Round.Kind.OPEN)


def table_to_join(event: Event, code: str) -> Table | None:
    """Return the table of open play at which players sit down with a code, however it was typed."""
    tables = Table.objects.filter(round__event=event, round__kind=Round.Kind.OPEN, code=typed_code(code))
    return tables.select_related("round__event__club").first()


def known_players(club: Club, text: str = "") -> QuerySet[Player]:
    """Return the players of a club whose name has words that begin with the text, one record per person.

    Accents and case make no difference.
    """
    players = _people().filter(clubs=club)
    if text := text.strip():
        wanted = searchable(text[: Player.LONGEST_NAME])
        players = players.filter(search__contains=wanted) if wanted else players.none()
    return _in_order(players)


def namesakes(players: QuerySet[Player], name: str) -> QuerySet[Player]:
    """Return those players who have a name, however its case and accents were typed."""
    wanted = searchable(name)  # nothing for a name without a letter
    return players.filter(search=wanted) if wanted else players.filter(name__iexact=name)


def note_about(club: Club, player: Player) -> str:
    """Return what a club's organisers wrote about a person, under any of their records."""
    known = Affiliation.objects.filter(club=club, player__in=records_of(player)).exclude(note="")
    return "\n".join(known.order_by("pk").values_list("note", flat=True))


def own_players(club: Club) -> QuerySet[Player]:
    """Return a club's own people, whom it may enter, one record per person."""
    return _in_order(_people().filter(home=club))


def alike(club: Club, wanted: Collection[str]) -> QuerySet[Player]:
    """Return those of a club's own people whose names have one of these looks, in the order of `own_players`."""
    # One index each, and the club is not asked for again: SQLite would go through all of its people in their order.
    own = Player.objects.filter(home=club).order_by().values("pk")
    found = own.filter(look__in=wanted).union(own.filter(look_folded__in=wanted))
    return _in_order(_people().filter(pk__in=found))


def names_alike(club: Club, name: str) -> QuerySet[Player, str]:
    """Return the names of a club's own people that look like one, each once, in the order of `own_players`."""
    return alike(club, looks(name)).order_by("search", "name").values_list("name", flat=True).distinct()


def met_by(player: Player) -> QuerySet[Player]:
    """Return the people who are in an event of a person that is no draft."""
    events = Entry.objects.filter(player__in=records_of(player)).exclude(event__status=Event.Status.DRAFT)
    found = Entry.objects.filter(event__in=events.values("event"))
    return Player.objects.filter(Q(pk__in=found.values("player")) | Q(pk__in=found.values("player__merged_into")))


def _people() -> QuerySet[Player]:
    """Return one record per person. Who says to be somebody else, and waits for an answer, is nobody yet."""
    # In the words of the index: for `exclude(claims=None)` SQLite would go through every entry there is.
    waiting = Entry.objects.filter(claims__isnull=False).values("player")
    return Player.objects.filter(merged_into=None, anonymised_at=None).exclude(pk__in=waiting)


def _in_order(players: QuerySet[Player]) -> QuerySet[Player]:
    return players.order_by("search", "name", "pk")


def merge_requests() -> QuerySet[MergeRequest]:
    """Return requests to merge with both records, their homes and who asked, newest first."""
    related = ("gone__home", "kept__home", "awaits__home", "club", "asked_by")
    return MergeRequest.objects.select_related(*related).order_by("-pk")


def merge_requests_of(actor: Actor) -> QuerySet[MergeRequest]:
    """Return the requests to merge that concern a caller: as the person of a record, or an organiser of its home.

    `may_answer` and `may_withdraw` say for which of the two sides they speak.
    """
    clubs = clubs_run_by(actor, Role.ORGANISER).values("pk")
    own = Player.objects.none().values("pk")
    if actor.user is not None:
        own = proved_by(actor.user).values("pk")

    def is_side(record: str) -> Q:
        return Q(**{f"{record}__home__in": clubs}) | Q(**{f"{record}__in": own})

    asks = Q(awaits=F("kept")) & is_side("gone") | Q(awaits=F("gone")) & is_side("kept")
    sides = {"may_answer": Case(When(is_side("awaits"), then=True), default=False)}
    sides["may_withdraw"] = Case(When(asks, then=True), default=False)
    return merge_requests().filter(is_side("gone") | is_side("kept")).annotate(**sides)


NUDGED = "table-nudged"


def last_nudge(table: str) -> Subquery:
    """Return when a table was last asked for its result, in a query of rows whose field `table` is its key."""
    nudges = Action.objects.filter(table=OuterRef(table), verb=NUDGED)
    return Subquery(nudges.order_by("-pk").values("at")[:1])
