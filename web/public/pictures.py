"""Pictures to share: of events and their results, of tables, players and clubs.

Each shows what its page shows to the same reader, read through the same selectors. What is drawn is kept by what it
says, so that a new name or a corrected result is never behind, and the same picture is not drawn twice.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.conditional import Answer, conditional, etag, kept
from core.costly import PICTURE
from core.language import reader_language
from scoring.models import Placing, StandingRow
from scoring.rankings import profiles
from scoring.rankings.standings.words import decimal
from tournaments.actors import NOBODY, Actor
from tournaments.games import engine_of
from tournaments.links import origin_of
from tournaments.models import Club, Event, Player, Table
from tournaments.selectors import shown_places, visible_clubs, visible_events, visible_players, visible_tables
from web.base import by_its_clocks, for_every_cache, page_actor
from web.pictures.drawing import EDITION, IN_LIST, ON_STEPS, Card, Figure, Place, Podium, drawn
from web.standings import standings_of

PNG = "image/png"
KEPT_FOR = 300  # seconds that caches may answer without asking
MOST_FIGURES = 4
MOST_PLACES = ON_STEPS + IN_LIST


@require_safe
def event(request: HttpRequest, uid: str) -> HttpResponse:
    """Answer with an event as a picture: when and what it is, and its places once there are any."""
    return _answer(request, (uid,), lambda actor: visible_events(actor).filter(uid=uid), _event)


@require_safe
def table(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Answer with the result of a table as a picture; there is none before it counts."""
    return _answer(
        request,
        (table_uid, uid),
        lambda actor: visible_tables(actor).filter(
            uid=table_uid, round__event__uid=uid, status=Table.Status.FINAL
        ),
        _table,
    )  # fmt: skip


@require_safe
def player(request: HttpRequest, uid: str) -> HttpResponse:
    """Answer with a player and their ratings as a picture."""
    return _answer(request, (), lambda actor: visible_players(actor).filter(uid=uid, merged_into=None), _player)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with a club and what it plays next as a picture."""
    return _answer(request, (), lambda actor: visible_clubs(actor).filter(slug=slug), _club)


def _answer(
    request: HttpRequest,
    links: tuple[str, ...],
    rows: Callable[[Actor], QuerySet[Any]],
    content_of: Callable[[Any, Actor, str], Card | Podium],
) -> HttpResponse:
    """Answer with a picture of a row that anybody may see, or that this reader may; the latter no cache keeps."""
    actor, shown = NOBODY, rows(NOBODY).first()
    if shown is None:
        actor = page_actor(request, *links)
        shown = rows(actor).first()
    if shown is None:
        raise Http404
    content = content_of(shown, actor, urlsplit(origin_of(request)).netloc)
    tag = etag(EDITION, sha256(repr(content).encode()).hexdigest()[:24])
    response = conditional(request, tag, lambda: HttpResponse(_kept(tag, content).body, content_type=PNG))
    return for_every_cache(request, response, KEPT_FOR) if actor == NOBODY else response


def _kept(tag: str, content: Card | Podium) -> Answer:
    return kept(("picture", tag), lambda: Answer(tag, drawn(content), PNG), PICTURE)


def _event(event: Event, _actor: Actor, site: str) -> Card | Podium:
    by_its_clocks(event.club)
    ranked = StandingRow.objects.filter(event=event, is_ranked=True, tables__gt=0)
    last = max(ranked.order_by("place").values_list("place", flat=True)[:MOST_PLACES], default=0)
    standings = standings_of(event, most=last)
    rows = [row for row in standings.rows if row["is_ranked"] and row["tables"]]
    game = str(event.game_name)
    if not rows:
        when = capfirst(date_format(timezone.localtime(event.starts_at), "l j F Y, H:i"))
        return Card(event.club.name, event.name, (when, f"{game} · {capfirst(event.format_name)}"), site=site)
    places = tuple(
        Place(row["rank"], row["player"]["id"], row["player"]["name"], decimal(row["points"])) for row in rows
    )
    title = _("Final standings") if event.status == Event.Status.FINISHED else _("Standings")
    seen = ranked if standings.most is None else ranked.filter(place__lte=standings.most)
    return _podium((title, event.club.name, game, _day(event.starts_at)), event.name, places, seen.count(), site)


def _table(table: Table, _actor: Actor, site: str) -> Podium:
    event = table.round.event
    if shown_places(NOBODY, event) is not None:
        raise Http404
    by_its_clocks(event.club)
    placings = Placing.objects.filter(result=table.pk).select_related("entry__player").order_by("rank", "seat")
    places = tuple(Place(each.rank, each.entry.player.uid, each.entry.name, _score(each)) for each in placings)
    over = (event.club.name, str(event.game_name), _day(event.starts_at))
    return _podium(over, f"{event.table_title(table.number)} · {event.name}", places, len(places), site)


def _score(placing: Placing) -> str:
    if placing.is_forfeit:
        return _("forfeited")
    return "" if placing.score is None else str(placing.score)


def _podium(over: tuple[str, ...], title: str, places: tuple[Place, ...], of: int, site: str) -> Podium:
    shown = places[:MOST_PLACES]
    left = of - len(shown)
    more = ngettext("and %(number)s more", "and %(number)s more", left) % {"number": left} if left else ""
    return Podium(" · ".join(over), title, shown, more, site)


def _player(player: Player, actor: Actor, site: str) -> Card:
    clubs = visible_clubs(actor).filter(players=player).order_by("name", "pk").values_list("name", flat=True)
    ratings = [
        Figure(engine.name.into(reader_language()), f"{rating.rating:.0f}" + ("?" if rating.provisional else ""))
        for rating in profiles.ratings_of(actor, player)
        if (engine := engine_of(rating.game))
    ]
    return Card(" · ".join(clubs[:3]), player.name, (), tuple(ratings[:MOST_FIGURES]), player.uid, site)


def _club(club: Club, actor: Actor, site: str) -> Card:
    by_its_clocks(club)
    soon = visible_events(actor).filter(club=club, status=Event.Status.REGISTRATION, starts_at__gte=timezone.now())
    lines = [f"{_day(each.starts_at)} · {each.name}" for each in soon.order_by("starts_at", "pk")[:2]]
    return Card("", club.name, tuple(lines), site=site)


def _day(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "j F Y")


urlpatterns = [
    path("e/<slug:uid>/picture.png", event, name="event-picture"),
    path("e/<slug:uid>/table/<slug:table_uid>/picture.png", table, name="table-picture"),
    path("players/<slug:uid>/picture.png", player, name="player-picture"),
    path("clubs/<slug:slug>/picture.png", club, name="club-picture"),
]
