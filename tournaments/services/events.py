"""What an organiser does with an event as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.db import transaction
from django.db.models import Case, F, QuerySet, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from core import computations
from core.computations import Change, Kind
from core.names import clean_name
from core.statements import Prepared, change
from core.zones import is_in_range
from tournaments import games, notices, selectors
from tournaments.actors import Actor
from tournaments.errors import EntriesUnprovenError, EventInvalidError, EventStatusError
from tournaments.models import (
    Club,
    Entry,
    Event,
    Format,
    MessageType,
    Points,
    Role,
    Round,
    Season,
    Showing,
    Table,
    TieBreak,
)
from tournaments.notices import Notice
from tournaments.services import places, prizes
from tournaments.services.history import record
from tournaments.services.permissions import require_role
from tournaments.services.webhooks import announce_event

Status = Event.Status

# Where an event may go from where it is. Seating the first round moves it to `running` by itself.
MOVES: Mapping[str, tuple[str, ...]] = {
    Status.DRAFT: (Status.REGISTRATION, Status.CANCELLED),
    Status.REGISTRATION: (Status.RUNNING, Status.DRAFT, Status.CANCELLED),
    Status.RUNNING: (Status.FINISHED, Status.CANCELLED),
    Status.FINISHED: (Status.RUNNING,),
    Status.CANCELLED: (),
}
TOLD = {
    Status.REGISTRATION: MessageType.EVENT_OPENED,
    Status.RUNNING: MessageType.EVENT_STARTED,
    Status.FINISHED: MessageType.EVENT_FINISHED,
    Status.CANCELLED: MessageType.EVENT_CANCELLED,
}
SOLO: Mapping[str, Any] = {"format": Format.OPEN, "points": Points.SCORE, "rated": False}  # where all play alone
WITH_REASON = {(Status.FINISHED, Status.RUNNING), (Status.RUNNING, Status.CANCELLED)}

# What may still be changed once players have been seated, and once all is played.
WHILE_RUNNING = {
    "name",
    "rounds_planned",
    "confirmation",
    "season",
    "is_public",
    "round_minutes",
    "ends_at",
    "cut_to",
    "table_labels",
    "stages",
    "tie_rule",
    "standings_shown",
    "standings_number",
    "prizes",
    "advance",
    "tiebreaks",
    "tables_counted",
    "tables_least",
    "joining",
    "most_entries",
    "sign_up_ahead",
    "sign_up_closes_at",
    "check_in",
}
WHEN_OVER = {"name", "season", "is_public", "prizes"}

_uncounters: list[Callable[[QuerySet[Table]], object]] = []


def when_cancelled(uncount: Callable[[QuerySet[Table]], object]) -> None:
    """Register a function that takes the results of tables away, in the transaction that cancels their rounds.

    Results are kept in an application above this one, which registers itself when it starts.
    """
    _uncounters.append(uncount)


_raters: list[Callable[[QuerySet[Table]], object]] = []


def when_rated_otherwise(mark: Callable[[QuerySet[Table]], object]) -> None:
    """Register a function that marks the ratings after tables as stale, in the transaction that makes them so."""
    _raters.append(mark)


_hiders: list[Callable[[Iterable[Season]], object]] = []


def when_hidden(take_away: Callable[[Iterable[Season]], object]) -> None:
    """Register a function that takes tables of seasons away, in the transaction that makes them tell too much."""
    _hiders.append(take_away)


def hide_seasons(seasons: Iterable[Season | None]) -> None:
    """Take away the tables of seasons that tell of what is private now, and have them computed anew."""
    known = [season for season in seasons if season is not None]
    for take_away in _hiders:
        take_away(known)
    mark_seasons(known)


def mark_ratings(tables: QuerySet[Table]) -> None:
    """Write down that tables are rated otherwise now: by whose they are, or by whether they count."""
    for mark in _raters:
        mark(tables)


_watchers: list[Callable[[Event], object]] = []


def when_changed(watch: Callable[[Event], object]) -> None:
    """Register a function that hears of every change of an event whose phones want to be told, in its transaction."""
    _watchers.append(watch)


def lock_event(event: Event) -> Event:
    """Return the event as it is now, locked until the end of the transaction.

    The row's key stays free: else standings that a worker writes would wait for whoever has the event, and a preview,
    which has it, for the worker.
    """
    now = _LOCKED.first(event.pk)
    if now is None:
        raise Event.DoesNotExist
    return now


_LOCKED = Prepared(
    lambda event: Event.objects.select_for_update(of=("self",), no_key=True).select_related("club").filter(pk=event),
    int,
)


def bump(event: Event, **fields: Any) -> None:
    """Save fields of a locked event and raise its version."""
    change(event, **fields)
    for watch in _watchers if event.has_phones else ():
        watch(event)


def mark_standings(event: Event) -> None:
    """Write down that the standings of an event are out of date, and its season's where they count there."""
    computations.mark_all(changed_standings(event))


def changed_standings(event: Event) -> list[Change]:
    """Return what `mark_standings` writes down."""
    return [Change(Kind.STANDINGS, event.uid), *_changed_seasons([event.counted_in])]


def mark_seasons(seasons: Iterable[Season | None]) -> None:
    """Write down that seasons are out of date."""
    computations.mark_all(_changed_seasons(seasons))


def _changed_seasons(seasons: Iterable[Season | None]) -> list[Change]:
    return [Change(Kind.SEASON, season.uid) for season in seasons if season is not None]


@transaction.atomic
def create_event(*, actor: Actor, club: Club, fields: Mapping[str, Any]) -> Event:
    """Create an event as a draft."""
    event = build_event(actor=actor, club=club, fields=fields)
    prizes.refuse_strangers(event)
    event.save()
    record(actor=actor, event=event, verb="event-created")
    return event


def build_event(*, actor: Actor, club: Club, fields: Mapping[str, Any]) -> Event:
    """Return an event with these settings, which hold together; it is not stored yet."""
    require_role(actor=actor, club=club, role=Role.ORGANISER)
    return compose_event(actor=actor, club=club, fields=games.as_stored(club, fields))


def compose_event(*, actor: Actor, club: Club, fields: Mapping[str, Any]) -> Event:
    """Return an event like `build_event`, of a game as it is stored or will be; nothing is asked of the database."""
    event = Event(club=club, created_by=actor.user, **_with_defaults(fields))
    _check(event)
    return event


@transaction.atomic
def edit_event(*, actor: Actor, event: Event, fields: Mapping[str, Any]) -> Event:
    """Change settings of an event; what is already played limits what can change."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    fields = games.as_stored(event.club, fields, event)
    changed = {name for name, value in fields.items() if getattr(event, name) != value}
    allowed = changeable(event)
    if allowed is not None and not changed <= allowed:
        fixed = ", ".join(sorted(changed - allowed))
        raise _wrong_status(event, _("These can no longer be changed: {fields}.").format(fields=fixed))
    seasons = {event.season}
    for name in changed:
        setattr(event, name, fields[name])
    _check(event)
    if "prizes" in changed:
        prizes.refuse_strangers(event)
    event.version += 1
    event.save()
    if changed & {"most_entries", "sign_up_ahead", "check_in"}:
        places.settle(event, actor=actor)
    mark_standings(event)
    if "is_public" in changed and not event.is_public:
        hide_seasons(seasons)
    elif event.status == Status.FINISHED:
        mark_seasons(seasons - {event.season})
    record(actor=actor, event=event, verb="event-edited", fields=sorted(changed))
    return event


@transaction.atomic
def change_status(*, actor: Actor, event: Event, status: str, reason: str = "") -> Event:
    """Move an event on: open registration, start open play, finish, reopen or cancel it."""
    event = lock_event(event)
    require_role(actor=actor, club=event.club, role=Role.ORGANISER)
    before = event.status
    if status == before:
        return event
    if status not in possible(event):
        detail = _("The event is {status}; it cannot become {wanted} now.")
        raise _wrong_status(event, detail.format(status=event.get_status_display(), wanted=Status(status).label))
    if (before, status) in WITH_REASON and not reason.strip():
        raise EventInvalidError(
            _("Say why."), errors=[{"code": "missing-field", "path": ["reason"], "message": _("Say why.")}]
        )
    if status == Status.CANCELLED:
        notices.tell_all(event, Notice.CANCELLED)
        cancel_rounds(Round.objects.filter(event=event).exclude(status=Round.Status.CANCELLED))
    if status == Status.FINISHED:
        _refuse_unproven(event)
        _end_open_play(event)
    bump(event, status=status)
    mark_standings(event)
    if before == Status.FINISHED:
        mark_seasons([event.season])
    record(actor=actor, event=event, verb=f"event-{status}", reason=reason, before=before)
    if (kind := TOLD.get(Status(status))) is not None:
        announce_event(event, kind, before=before)
    return event


def cancel_rounds(rounds: QuerySet[Round]) -> None:
    """Cancel rounds of a locked event: their tables are dropped, and nothing in them counts any more."""
    chosen = list(rounds.values_list("pk", flat=True))
    tables = Table.objects.filter(round__in=chosen)
    for uncount in _uncounters:
        uncount(tables)
    tables.exclude(status=Table.Status.DROPPED).change(status=Table.Status.DROPPED)
    closed_at = Case(  # what nobody saw open does not close either: `unpublished` goes by that
        When(status=Round.Status.DRAFT, then=None), default=Coalesce("closed_at", timezone.now())
    )
    Round.objects.filter(pk__in=chosen).update(
        status=Round.Status.CANCELLED, closed_at=closed_at, version=F("version") + 1
    )


def _refuse_unproven(event: Event) -> None:
    """Ask, at the latest now, whether phones that say they are somebody known are."""
    waiting = Entry.objects.filter(event=event).exclude(claims=None).select_related("claims").order_by("pk")
    found = [{"id": entry.uid, "name": entry.name, "claims": entry.claims.uid} for entry in waiting if entry.claims]
    if found:
        raise EntriesUnprovenError(
            _("Say first whether these are whom they say they are: {names}.").format(
                names=", ".join(each["name"] for each in found)
            ),
            entries=found,
        )


def _open_tables(event: Event) -> QuerySet[Table]:
    return Table.objects.filter(round__event=event, round__kind=Round.Kind.OPEN, round__status=Round.Status.RUNNING)


def _end_open_play(event: Event) -> None:
    """Close the rounds of tables that were played, and cancel those of tables that never began."""
    forming, now = _open_tables(event).filter(status=Table.Status.SEATED), timezone.now()
    never_began = list(forming.values_list("round", flat=True))
    Round.objects.filter(pk__in=never_began).update(status=Round.Status.CANCELLED, closed_at=now)
    played = Round.objects.filter(event=event, kind=Round.Kind.OPEN, status=Round.Status.RUNNING)
    played.update(status=Round.Status.CLOSED, closed_at=now)


def possible(event: Event, *, has_entries: bool | None = None, has_open_round: bool | None = None) -> list[str]:
    """Return the statuses an event can be moved to now; what the caller knows already is not asked again."""
    moves = list(MOVES[event.status])
    if event.status == Status.REGISTRATION:
        if event.format != Format.OPEN:
            moves.remove(Status.RUNNING)  # by seating the first round
        if Entry.objects.filter(event=event).exists() if has_entries is None else has_entries:
            moves.remove(Status.DRAFT)
    if event.status == Status.RUNNING:
        is_on = selectors.open_round(event) is not None if has_open_round is None else has_open_round
        if is_on or _is_played(event):
            moves.remove(Status.FINISHED)
    return [str(move) for move in moves]


def _is_played(event: Event) -> bool:
    """Say whether a table of open play has begun and has no result."""
    waiting = [Table.Status.PLAYING, Table.Status.REPORTED, Table.Status.DISPUTED]
    return event.format == Format.OPEN and _open_tables(event).filter(status__in=waiting).exists()


def _wrong_status(event: Event, detail: str) -> EventStatusError:
    return EventStatusError(detail, event_status=event.status, possible=possible(event))


def require_status(event: Event, *allowed: str) -> None:
    """Refuse what an event in its present status does not allow."""
    if event.status not in allowed:
        raise _wrong_status(event, _("The event is {status}.").format(status=event.get_status_display()))


def changeable(event: Event) -> set[str] | None:
    """Return the fields that may be changed; None for all."""
    if event.is_over:
        return WHEN_OVER
    return WHILE_RUNNING if Round.objects.filter(event=event).exclude(status="cancelled").exists() else None


def _with_defaults(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what the game suggests: its first variant, and all its table sizes with four as the preferred one."""
    values = dict(fields)
    engine = Event(game=values["game"], definition=values.get("definition")).engine
    if engine is None:
        return values | {"table_min": 0, "table_max": 0, "table_preferred": 0}
    values.setdefault("rated", games.is_rated(engine))
    values.setdefault("variant", engine.variants[0].slug)
    wanted = next((each for each in engine.variants if each.slug == values["variant"]), engine.variants[0])
    if wanted.is_solo:
        values.setdefault("tiebreaks", [TieBreak.BEST_TABLE.value])
    seats = wanted.people
    low, high = values.get("table_min", seats[0]), values.get("table_max", seats[-1])
    values |= {"table_min": low, "table_max": high}
    values.setdefault("table_preferred", min(max(4, low), high))
    return values


def _check(event: Event) -> None:
    """Refuse an event whose settings contradict each other or the game, with everything that is wrong."""
    faults = [*_faults(event), *_unrated(event)]
    if faults:
        errors = [{"code": code, "path": path, "message": message} for code, path, message in faults]
        raise EventInvalidError(_("These settings do not go together."), errors=errors)
    event.name = clean_name(event.name, longest=Event.LONGEST_NAME)
    event.prizes = prizes.cleaned(event.prizes)


def _faults_of_times(event: Event) -> Iterator[tuple[str, list[str], str]]:
    for name in ("starts_at", "ends_at", "sign_up_closes_at"):
        moment = getattr(event, name)
        if moment is not None and not is_in_range(moment):
            yield "dates", [name], _("Choose a day between the years 1900 and 2999.")
    if event.ends_at is not None and event.ends_at < event.starts_at:
        yield "dates", ["ends_at"], _("The end must be after the start.")
    if event.sign_up_closes_at is not None and event.sign_up_closes_at > event.starts_at:
        message = _("Sign-up must close before the event starts. From then on players join with the code.")
        yield "dates", ["sign_up_closes_at"], message


def _faults_of_final(event: Event, sizes: Sequence[int]) -> Iterator[tuple[str, list[str], str]]:
    if event.cut_to is not None and event.cut_to not in sizes:
        yield "cut", ["cut_to"], _("The final must be a table the game allows.")
    become_smaller = all(earlier > later for earlier, later in pairwise(event.stages))
    if not become_smaller or (event.stages and event.stages[-1] < sizes[0]):
        yield "stages", ["stages"], _("Each stage must be smaller than the one before, and seat a table.")


def _unrated(event: Event) -> list[tuple[str, list[str], str]]:
    is_odd = event.rated and event.engine is not None and not games.is_rated(event.engine)
    return [("unrated-game", ["rated"], _("The club does not rate this game."))] if is_odd else []


def _faults(event: Event) -> list[tuple[str, list[str], str]]:
    faults: list[tuple[str, list[str], str]] = []
    engine = event.engine
    if engine is None:
        return [("unknown-game", ["game"], _("There is no such game."))]
    variants = {variant.slug: variant for variant in engine.variants}
    variant = variants.get(event.variant)
    if variant is None:
        known = ", ".join(variants)
        return [("unknown-variant", ["variant"], _("The variant must be one of: {known}.").format(known=known))]
    sizes = games.sizes(engine, variant)
    if not event.table_min <= event.table_preferred <= event.table_max:
        faults.append(
            ("table-size", ["table_size"], _("The preferred size must lie between the smallest and the largest."))
        )
    elif not {event.table_min, event.table_max} <= set(sizes):
        allowed = f"{sizes[0]}–{sizes[-1]}"
        faults.append(("table-size", ["table_size"], _("This game is for tables of {sizes}.").format(sizes=allowed)))
    if variant.is_solo:
        faults += [
            (
                "solo",
                [name],
                _("Events for single players must be open play, use the game’s own score and not be rated."),
            )
            for name, value in SOLO.items()
            if getattr(event, name) != value
        ]
    if len(set(event.tiebreaks)) < len(event.tiebreaks) or not set(event.tiebreaks) <= set(TieBreak.values):
        known = ", ".join(TieBreak.values)
        faults.append(("tiebreaks", ["tiebreaks"], _("Use each of these at most once: {known}.").format(known=known)))
    if event.standings_shown == Showing.TOP and not event.standings_number:
        faults.append(("standings-number", ["standings_number"], _("Say how many places are shown.")))
    if event.rounds_planned < 1:
        faults.append(("rounds", ["rounds"], _("There must be at least one round.")))
    if event.season is not None and event.season.club_id != event.club_id:
        faults.append(("season", ["season"], _("This season belongs to another club. Choose one of this club.")))
    faults += [*_faults_of_times(event), *_faults_of_final(event, sizes)]
    if event.advance is not None and not 1 <= event.advance < event.table_max:
        faults.append(
            ("advance", ["advance"], _("At least one player of a table must advance, and at least one must not."))
        )
    return faults
