"""The pages that anybody may read: what they show, to whom, and in how many queries."""

from __future__ import annotations

import copy
import datetime as dt
import re
from dataclasses import dataclass
from threading import Semaphore

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core import conditional, costly
from scoring.models import StandingRow
from scoring.rankings.standings import words
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    RatingFactory,
    SeasonFactory,
    UserFactory,
    enter_all,
)
from tests.web.leagues import League, catch_up
from tests.web.markup import tags
from tests.web.phones import phone_of
from tournaments.models import Event, Points, Role, Season, SeasonTieBreak, TieBreak
from web import standings
from web.public import events
from web.public.graphs import HEIGHT, MOST_POINTS, WIDTH, Point, graph_of

pytestmark = pytest.mark.django_db

SOME_DAY = dt.datetime(2026, 11, 18, 20, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _without_a_worker(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)


def league(people: int = 8, **fields) -> League:
    return League(ClubFactory(**fields), [PlayerFactory(name=f"Player {number}") for number in range(people)])


@dataclass
class Shared:
    """A club with an evening behind it and one that goes on, one that played two rounds, and one that is private."""

    ours: League
    season: Season
    over: Event
    on: Event
    two_rounds: Event
    private: League
    private_season: Season
    private_event: Event


@pytest.fixture(scope="module")
def stored(shared_rows) -> Shared:
    ours, private = league(), league(is_public=False)
    season, private_season = SeasonFactory(club=ours.club), SeasonFactory(club=private.club)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("scoring.tasks.publish", lambda *_: None)
        return Shared(
            ours,
            season,
            over=ours.evening(name="Last week", season=season),
            on=ours.evening(name="Tonight", is_over=False),
            two_rounds=league().evening(played=2),
            private=private,
            private_season=private_season,
            private_event=private.evening(season=private_season),
        )


@pytest.fixture
def shared(stored, db) -> Shared:
    return copy.deepcopy(stored)


def text_of(client: Client, route: str, *arguments: str, **query: str) -> str:
    response = client.get(reverse(f"web:{route}", args=arguments), query)
    assert response.status_code == 200
    return response.content.decode()


def links_of(html: str) -> set[str]:
    return {tag.attributes["href"] for tag in tags(html, "a")}


# --- Events -----------------------------------------------------------------------------------------------------


def test_an_event_shows_its_standings_with_a_reason_for_each_place(client, shared):
    event = shared.over
    html = text_of(client, "event", event.uid)
    assert len(tags(html, "details")) == StandingRow.objects.filter(event=event).count() + 1
    assert "Nobody is ahead." in html
    for key in event.tiebreaks:
        assert str(words.MEANINGS[key]) in html


def test_an_event_leads_to_every_final_sheet(client, shared):
    event = shared.over
    tables = {f"/e/{event.uid}/table/{table.uid}/" for table in event.rounds.get().tables.all()}
    assert tables <= links_of(text_of(client, "event", event.uid))
    for address in tables:
        assert "This result counts." in client.get(address).content.decode()


def test_each_round_of_an_event_can_be_looked_at(client, shared):
    event = shared.two_rounds
    first, second = event.rounds.order_by("number")
    seen = links_of(text_of(client, "event", event.uid, round="1"))
    assert f"/e/{event.uid}/table/{first.tables.first().uid}/" in seen
    assert f"/e/{event.uid}/table/{second.tables.first().uid}/" not in seen
    for wrong in ("7", "one", "9" * 30):
        assert client.get(f"/e/{event.uid}/", {"round": wrong}).status_code == 404


def test_the_live_part_is_not_sent_twice_while_nothing_changed(client, shared, django_assert_num_queries):
    event = shared.on
    address = reverse("web:event-live", args=[event.uid])
    first = client.get(address)
    with django_assert_num_queries(1):
        again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    shared.ours.report(event.rounds.get(number=2).tables.first())
    catch_up()
    assert client.get(address, headers={"if-none-match": first.headers["ETag"]}).status_code == 200


def test_the_page_begins_with_what_the_live_part_says(client, shared):
    event = shared.over
    part = client.get(reverse("web:event-live", args=[event.uid]))
    page = text_of(client, "event", event.uid)
    assert part.content.decode() in page
    live = next(tag for tag in tags(page, "div") if "data-live" in tag.attributes)
    assert live.attributes["data-tag"] == part.headers["ETag"]
    assert client.get(live.attributes["data-live"]).status_code == 200


@pytest.mark.parametrize("number", ["0" * 9 + "9" * 5000, "9" * 5000, "1000000", "-1", "²"])
def test_number_that_is_none_of_ours_leads_nowhere(client, number):
    event = EventFactory(status=Event.Status.RUNNING)
    for name, asked in (("event", "page"), ("event-live", "round")):
        assert client.get(reverse(f"web:{name}", args=[event.uid]), {asked: number}).status_code == 404


def rows_of(event: Event, people: int, **fields) -> list[StandingRow]:
    """Store standings of so many people, each a place behind the one before."""
    entries = enter_all(event, PlayerFactory.build_batch(people))
    shared = {"event": event, "tables": 1, "tiebreaks": [], "reason": {"code": "first"}, **fields}
    return StandingRow.objects.bulk_create(
        StandingRow(entry=entry, place=place, rank=place, points=10 * (people - place), **shared)
        for place, entry in enumerate(entries, 1)
    )


def test_long_standings_have_pages(client):
    event = EventFactory(status=Event.Status.RUNNING)
    rows_of(event, 202, tiebreaks=[{"key": key, "value": "0"} for key in event.tiebreaks])
    first, second = (text_of(client, "event", event.uid, page=page) for page in "12")
    assert len(re.findall('class="why"', first)) == 200
    assert len(re.findall('class="why"', second)) == 2


@pytest.fixture
def made(monkeypatch):
    """What is rendered anew of the pages of events, on which two places fit."""
    views, context = [], events._context
    monkeypatch.setattr(events, "PLACES", 2)
    monkeypatch.setattr(
        events, "_context", lambda event, view, actor: views.append(view) or context(event, view, actor)
    )
    return views


def test_a_page_that_there_is_not_is_the_last_one_and_not_made_again(client, made):
    event = EventFactory(status=Event.Status.RUNNING)
    rows_of(event, 3)
    second = text_of(client, "event-live", event.uid, page="2")
    for number in ("02", "3", "4", "999999", "0"):
        assert text_of(client, "event-live", event.uid, page=number) == second
    assert [view.page for view in made] == [2]


def test_what_somebody_looked_for_is_not_made_again_while_nothing_changed(client, made):
    event = EventFactory(status=Event.Status.RUNNING)
    rows_of(event, 3)
    address = reverse("web:event-live", args=[event.uid])
    first = client.get(address, {"q": "a"})
    again = client.get(address, {"q": "a"}, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, len(made)) == (304, 1)


def test_reasons_are_found_for_the_places_that_are_shown(client, made, monkeypatch):
    said = []
    monkeypatch.setattr(standings, "explain", lambda reason, above, **_: said.append(above) or "")
    event = EventFactory(status=Event.Status.RUNNING)
    names = [row.entry.name for row in rows_of(event, 5)]
    text_of(client, "event-live", event.uid, page="2")
    assert said == names[1:3]


def test_the_tables_of_a_round_are_written_once_for_all_pages(client, shared, made, monkeypatch):
    """Each page of 2,000 players wrote 500 tables anew, which took as long as its places."""
    written, seated = [], events._seated
    monkeypatch.setattr(events, "_seated", lambda cards, **more: written.append(cards) or seated(cards, **more))
    event = shared.two_rounds
    conditional.forget_all()
    seen = [links_of(text_of(client, "event-live", event.uid, page=page)) for page in "123"]
    assert (len(made), len(written)) == (3, 1)
    tables = {f"/e/{event.uid}/table/{table.uid}/" for table in event.rounds.get(number=2).tables.all()}
    assert all(tables <= links for links in seen)
    text_of(client, "event-live", event.uid, round="1")
    assert len(written) == 2


@pytest.mark.parametrize("query", [{"q": "a"}, {"round": "1"}, {"page": "2"}])
def test_what_few_look_at_in_a_large_event_is_made_a_few_at_a_time_and_the_club_waits_for_nobody(
    client, shared, made, monkeypatch, query
):
    address = reverse("web:event-live", args=[shared.two_rounds.uid])
    monkeypatch.setattr(costly.PAGE, "places", Semaphore(0))
    refused = client.get(address, query)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
    assert client.get(address).status_code == 200
    ours = Client()
    ours.force_login(MembershipFactory(club=shared.two_rounds.club, role=Role.SCOREKEEPER).user)
    assert ours.get(address, query).status_code == 200
    monkeypatch.setattr(events, "PLACES", 200)
    assert client.get(address, query).status_code == 200


def test_a_hundred_places_stand_in_groups_of_which_the_first_is_open(client):
    event = EventFactory(status=Event.Status.RUNNING)
    rows_of(event, 100)
    groups = [
        tag for tag in tags(text_of(client, "event", event.uid), "details") if tag.attributes["class"] == "group"
    ]
    assert ["open" in tag.attributes for tag in groups] == [True, False, False]
    few = EventFactory(status=Event.Status.RUNNING)
    rows_of(few, 30)
    assert 'class="group"' not in text_of(client, "event", few.uid)


def test_a_player_finds_their_own_row_marked_and_nobody_elses(client):
    event = EventFactory(status=Event.Status.RUNNING)
    entry = rows_of(event, 210)[204].entry
    phone = phone_of(entry)
    html = text_of(phone, "event", event.uid)
    assert f"?page=2#row-{entry.uid}" in links_of(html)
    there = text_of(phone, "event", event.uid, page="2")
    marked = [tag.attributes["id"] for tag in tags(there, "tr") if "aria-current" in tag.attributes]
    assert marked == [f"row-{entry.uid}"]
    live = phone.get(reverse("web:event-live", args=[event.uid]), {"page": "2"}).content.decode()
    assert live in there
    assert "aria-current" not in text_of(client, "event-live", event.uid, page="2")
    assert "Where am I?" not in text_of(client, "event", event.uid)


def test_the_group_of_the_own_row_is_open(client):
    event = EventFactory(status=Event.Status.RUNNING)
    entry = rows_of(event, 60)[40].entry
    groups = [
        tag
        for tag in tags(text_of(phone_of(entry), "event", event.uid), "details")
        if "group" in tag.attributes["class"]
    ]
    assert ["open" in tag.attributes for tag in groups] == [True, False, True]


def test_somebody_is_found_in_the_standings_by_any_part_of_the_name(client):
    event = EventFactory(status=Event.Status.RUNNING)
    rows = rows_of(event, 60)
    wanted = rows[50].entry
    wanted.name = "Pénélope Cruz <b>"
    wanted.save()
    for typed in ("penelope", "cruz", "PÉNÉ"):
        html = text_of(client, "event", event.uid, q=typed)
        assert [tag.attributes["id"] for tag in tags(html, "tr") if "id" in tag.attributes] == [f"row-{wanted.uid}"]
        assert "Cruz <b>" not in html
        assert f"q={typed}" in html or "q=P%C3%89N%C3%89" in html
    assert "Nobody in these standings has this name." in text_of(client, "event", event.uid, q="x" * 500)
    assert 'id="row-' not in text_of(client, "event", event.uid, q='"><script>')


def test_places_say_where_they_came_from_and_tie_breaks_are_said_only_where_they_decided(client, shared):
    event = shared.two_rounds
    html = text_of(client, "event", event.uid)
    row = StandingRow.objects.get(event=event, place=1)
    assert f'<td class="number points">{round(row.points * 100 / 840)}' in html
    assert f"<span>place {row.rounds[0][3]} of {row.rounds[0][4]}</span>" in html
    decided = StandingRow.objects.filter(event=event, reason__code="tie-break").count()
    assert html.count('class="decided"') == decided
    moved = [row for row in StandingRow.objects.filter(event=event) if row.rounds[0][1] != row.rank]
    assert html.count('class="moved ') == len(moved)


def test_an_event_before_its_first_result_says_so(client):
    assert "The standings appear with the first result." in text_of(client, "event", EventFactory().uid)


def test_a_player_finds_the_way_to_their_evening_and_a_member_to_the_console(client, shared):
    event = shared.on
    assert f"/e/{event.uid}/me/" in links_of(text_of(phone_of(event.entries.first()), "event", event.uid))
    client.force_login(shared.ours.organiser.user, "django.contrib.auth.backends.ModelBackend")
    assert f"/e/{event.uid}/console/" in links_of(text_of(client, "event", event.uid))
    plays_along = phone_of(event.entries.first())
    plays_along.force_login(shared.ours.organiser.user, "django.contrib.auth.backends.ModelBackend")
    assert {f"/e/{event.uid}/me/", f"/e/{event.uid}/console/"} <= links_of(text_of(plays_along, "event", event.uid))


def test_everything_that_decides_places_has_a_meaning():
    assert set(words.MEANINGS) == set(TieBreak.values)
    assert set(words.POINTS) == set(Points.values)
    assert set(words.SEASON_MEANINGS) == set(SeasonTieBreak.values)


# --- Clubs and seasons ------------------------------------------------------------------------------------------


def test_a_club_shows_what_is_on_what_comes_what_was_and_who_leads(client, shared):
    club = shared.ours.club
    coming = EventFactory(club=club, name="Next week")
    draft = EventFactory(club=club, name="Secret plan", status=Event.Status.DRAFT)
    html = text_of(client, "club", club.slug)
    wanted = {f"/e/{event.uid}/" for event in (shared.over, shared.on, coming)}
    wanted |= {f"/seasons/{shared.season.uid}/", f"/clubs/{club.slug}/leaderboards/dix/"}
    assert wanted <= links_of(html)
    assert f"/e/{draft.uid}/" not in links_of(html)


def test_a_season_adds_up_its_events(client, shared):
    html = text_of(client, "season", shared.season.uid)
    assert '<td class="number points">100</td>' in html
    assert f"/e/{shared.over.uid}/" in links_of(html)


def test_clubs_are_listed_with_what_is_on(client):
    event = EventFactory(status=Event.Status.RUNNING)
    private = ClubFactory(is_public=False)
    seen = links_of(text_of(client, "clubs"))
    assert {f"/clubs/{event.club.slug}/", f"/e/{event.uid}/"} <= seen
    assert f"/clubs/{private.slug}/" not in seen


# --- Players and leaderboards -----------------------------------------------------------------------------------


def test_a_player_has_a_graph_a_table_of_the_same_numbers_and_opponents(client):
    ours = league()
    event = ours.evening(played=3)
    player = ours.players[0]
    html = text_of(client, "player", player.uid)
    assert (
        "over 3 tables" in next(tag for tag in tags(html, "svg") if "role" in tag.attributes).attributes["aria-label"]
    )
    assert len(re.findall(r'class="when"', html)) == 3
    assert f"/e/{event.uid}/" in links_of(html)
    assert any(f"/players/{other.uid}/dix/" in links_of(html) for other in ours.players[1:])
    assert text_of(client, "player-game", player.uid, "dix").count("Rating in DIX") == 1


def test_a_game_that_somebody_has_not_played_leads_to_their_page(client):
    player = PlayerFactory(club=ClubFactory())
    response = client.get(reverse("web:player-game", args=[player.uid, "dix"]))
    assert (response.status_code, response["Location"]) == (302, f"/players/{player.uid}/")
    assert "No table has counted yet." in text_of(client, "player", player.uid)


def test_a_merged_record_leads_to_the_one_that_is_kept(client):
    club = ClubFactory()
    kept = PlayerFactory(club=club)
    gone = PlayerFactory(club=club, merged_into=kept)
    assert client.get(f"/players/{gone.uid}/")["Location"] == f"/players/{kept.uid}/"


def test_a_private_event_is_nowhere_on_a_players_page(client):
    ours = league()
    event = ours.evening(name="Behind closed doors", is_public=False)
    html = text_of(client, "player", ours.players[0].uid)
    assert "Private event" not in html
    assert "Behind closed doors" not in html
    assert event.uid not in html


def test_a_player_of_a_private_club_finds_their_own_page(client, shared):
    player, neighbour = shared.private.players[:2]
    path = f"/players/{player.uid}/"
    assert client.get(path).status_code == 404
    player.user = UserFactory()
    player.save()
    client.force_login(player.user, "django.contrib.auth.backends.ModelBackend")
    page = client.get(path).content.decode()
    assert shared.private_event.name in page
    assert f"/players/{neighbour.uid}/" not in page, "who else plays there stays the club's"
    assert client.get(f"/players/{neighbour.uid}/").status_code == 404


def test_opponents_whom_the_reader_may_not_know_are_left_out(client, shared):
    known, *others = shared.private.players
    AffiliationFactory(club=ClubFactory(), player=known)
    html = text_of(client, "player", known.uid)
    assert not [other for other in others if other.uid in html or f">{other.name}<" in html]


def test_a_leaderboard_has_pages_filters_and_a_list_of_a_club(client):
    club = ClubFactory()
    now = timezone.now()
    for number in range(51):
        player = PlayerFactory(name=f"Rated {number:02}", club=club)
        RatingFactory(player=player, rating=2_000_000 - number, tables=5 if number else 20, last_played=now)
    first = text_of(client, "leaderboard", "ten-phases")
    assert "Rated 00" in first
    assert "Rated 50" not in first
    following = next(tag.attributes["href"] for tag in tags(first, "a") if tag.attributes.get("rel") == "next")
    assert "Rated 50" in client.get("/leaderboards/ten-phases/" + following).content.decode()
    settled = text_of(client, "club-leaderboard", club.slug, "ten-phases", settled="on", active="30")
    assert "Rated 00" in settled
    assert "Rated 01" not in settled
    assert "Rated" not in text_of(client, "club-leaderboard", ClubFactory().slug, "ten-phases")
    found = text_of(client, "leaderboard", "ten-phases", search="rated 5")
    assert "Rated 50" in found
    assert "Rated 49" not in found
    assert "Nobody here has such a name." in text_of(client, "leaderboard", "ten-phases", search="xyz")
    assert client.get("/leaderboards/ten-phases/", {"cursor": "x"}).status_code == 404
    assert client.get("/leaderboards/chess/").status_code == 404
    assert "Rated 04" in text_of(client, "leaderboards")


# --- Who may read -----------------------------------------------------------------------------------------------


def test_private_clubs_and_events_are_nowhere_for_who_may_not_know(client, shared):
    ours, season, event = shared.private, shared.private_season, shared.private_event
    hidden = EventFactory(is_public=False)
    slug, player = ours.club.slug, ours.players[0].uid
    addresses = [
        f"/clubs/{slug}/",
        f"/clubs/{slug}/leaderboards/dix/",
        f"/e/{event.uid}/",
        f"/e/{event.uid}/live/",
        f"/e/{hidden.uid}/",
        f"/seasons/{season.uid}/",
        f"/players/{player}/",
        f"/players/{player}/dix/",
    ]
    stranger = Client()
    stranger.force_login(MembershipFactory().user, "django.contrib.auth.backends.ModelBackend")
    for reader in (client, stranger):
        assert {address: reader.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 404)
    client.force_login(ours.organiser.user, "django.contrib.auth.backends.ModelBackend")
    addresses.remove(f"/e/{hidden.uid}/")
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 200)


# --- What they cost ---------------------------------------------------------------------------------------------


def test_every_page_takes_as_many_queries_whatever_there_is_to_show(client, django_assert_num_queries):
    small, large = league(4), league(8)
    pages = []
    for ours, evenings in ((small, 1), (large, 2)):
        season = SeasonFactory(club=ours.club)
        for number in range(evenings):
            event = ours.evening(played=evenings, seed=number, season=season)
        player, slug = ours.players[0].uid, ours.club.slug
        pages.append([f"/e/{event.uid}/", f"/clubs/{slug}/", f"/seasons/{season.uid}/", f"/players/{player}/"])
        pages[-1].append(f"/clubs/{slug}/leaderboards/dix/")
    for one, other, queries in zip(*pages, (7, 13, 5, 20, 5), strict=True):
        for address in (one, other):
            with django_assert_num_queries(queries, info=address):
                assert client.get(address).status_code == 200


# --- Graphs -----------------------------------------------------------------------------------------------------


def points(*ratings: float) -> list[Point]:
    return [Point(SOME_DAY + dt.timedelta(days=day), rating) for day, rating in enumerate(ratings)]


def test_a_graph_spans_its_place_between_round_numbers():
    graph = graph_of(points(1500, 1530, 1516), provisional=0)
    assert graph is not None
    assert graph.settled == "M0.0 400.0 L500.0 0.0 L1000.0 186.7"
    assert list(graph.scale) == [1530, 1520, 1510, 1500]
    assert (graph.first.rating, graph.best.rating, graph.last.rating) == (1500, 1530, 1516)
    assert (graph.rules[0], graph.rules[-1]) == (0, HEIGHT)


def test_the_provisional_beginning_is_drawn_apart_and_without_a_gap():
    graph = graph_of(points(1500, 1510, 1520, 1530), provisional=2)
    assert graph is not None
    assert graph.settled.startswith("M" + graph.provisional.split("L")[-1])
    early = graph_of(points(1500, 1510), provisional=10)
    assert early is not None
    assert early.settled == ""


def test_a_graph_needs_two_points_and_a_level_one_some_room():
    assert graph_of(points(1500), provisional=0) is None
    level = graph_of(points(1500, 1500), provisional=0)
    assert level is not None
    assert len(level.scale) == 2


def test_a_long_graph_keeps_its_ends_and_its_best():
    ratings = [1500.0] * 5000
    ratings[1234] = 1900.0
    graph = graph_of(points(*ratings), provisional=0)
    assert graph is not None
    assert graph.settled.count("L") <= MOST_POINTS
    assert f"{WIDTH * 1234 / 4999:.1f} " in graph.settled
    assert graph.settled.split("L")[-1].startswith(f"{WIDTH:.1f}")
