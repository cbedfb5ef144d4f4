"""A season as a race: what is drawn, for whom, and what of it may be told."""

from __future__ import annotations

import copy
import datetime as dt
from itertools import pairwise

import pytest
from django.utils import timezone

from core.short_names import short_names
from scoring.models import SeasonRow
from tests.factories import (
    ClubFactory,
    EntryFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
    SeasonRowFactory,
)
from tests.web.leagues import League
from tests.web.markup import tags
from tests.web.phones import phone_of
from tournaments.models import Event, Player
from web.marks import COLOURS
from web.public.races import DASHES, LANE, TOP, WIDTH, race_of

LONG = "Alexandre-Maximilien de Montmorency-Laval"


def row(name, *places, first=0):
    """Return what `season_course` returns for somebody who stood at these places, from an event on."""
    steps = [
        {"event": f"e{first + number}", "place": place, "rank": place, "points": f"{100 - place}.000"}
        for number, place in enumerate(places)
    ]
    return {"rank": places[-1], "player": {"id": f"id-{name}", "name": name}, "steps": steps}


def test_a_season_of_one_event_is_no_race():
    assert race_of([], []) is None
    assert race_of([row("Ana", 1)], []) is None


def test_a_line_runs_from_lane_to_lane_over_the_whole_width():
    race = race_of([row("Ana", 2, 1), row("Ben", 1, 2)], [])
    assert race is not None
    assert race.lanes == ["1", "2"]
    assert race.lines[0].path == f"M0 150C500 150 500 50 {WIDTH} 50"
    assert race.lines[0].dots == f"M0 150h.01M{WIDTH} 50h.01"
    assert race.height == 2 * LANE


def test_who_came_later_begins_with_their_first_event():
    race = race_of([row("Ana", 1, 1, 1), row("Ben", 2, first=2)], [])
    assert race is not None
    ana, ben = race.lines
    assert ana.path == f"M0 50H500H{WIDTH}"
    assert ben.path == f"M{WIDTH} 150"
    assert ben.stops[:2] == [None, None]
    assert (ben.stops[2].rank, ben.stops[2].points) == (2, "98")


def test_whoever_was_far_behind_ran_in_the_lane_below_the_others():
    rows = [row(f"Player {place}", 30 if place == 1 else place, place) for place in range(1, TOP + 1)]
    race = race_of([*rows, row("Me", 40, 37)], [], mine="id-Me")
    assert race is not None
    assert race.lanes[-1] == f"{TOP + 1}+"
    bottom = race.rules[-1]
    assert race.lines[0].path.startswith(f"M0 {bottom}C")
    assert race.lines[-1].path == f"M0 {bottom}H{WIDTH}"
    assert [line.is_mine for line in race.lines] == [False] * TOP + [True]


def test_lines_can_be_told_apart_without_colours_and_by_them():
    race = race_of([row(f"Player {place}", place, place) for place in range(1, TOP + 1)], [])
    assert race is not None
    kinds = [(line.colour, line.dashes) for line in race.lines]
    assert len(set(kinds)) == len(kinds)
    assert all(colour in COLOURS and dashes < DASHES for colour, dashes in kinds)
    assert sum(first == second for first, second in pairwise(line.dashes for line in race.lines)) <= 1


def test_names_are_short_where_space_ends_and_still_unique():
    names = [LONG, "Alexandre Dupont", "Zoé", "李小龍", "שירה לוי"]
    race = race_of([row(name, place, place) for place, name in enumerate(names, 1)], [])
    assert race is not None
    assert [line.short for line in race.lines] == [short_names(names)[name] for name in names]


# --- On the page --------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _without_a_worker(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)


def a_season(events):
    ours = League(ClubFactory(), [PlayerFactory(name=f"Player {number}") for number in range(8)])
    season = SeasonFactory(club=ours.club, best_of=2)
    for number in range(events):
        at = timezone.now() - dt.timedelta(days=30 - number)
        ours.evening(season=season, seed=number, name=f"Evening {number}", starts_at=at)
    return season


@pytest.fixture(scope="module")
def of_three(shared_rows):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("scoring.tasks.publish", lambda *_: None)
        return a_season(events=3)


@pytest.fixture
def season(of_three, db):
    """A season of three evenings."""
    return copy.deepcopy(of_three)


def page_of(client, season):
    answer = client.get(f"/seasons/{season.uid}/")
    assert answer.status_code == 200
    return answer.content.decode()


def lines_of(html):
    return [tag for tag in tags(html, "path") if "race-line" in tag.attributes.get("class", "")]


def test_the_page_of_a_season_draws_its_race_and_says_it_in_numbers(client, season):
    html = page_of(client, season)
    assert len(lines_of(html)) == 8
    assert "Evening 0" in html
    for entry in SeasonRow.objects.filter(season=season):
        assert f"<strong>{entry.rank}</strong>" in html


@pytest.mark.django_db
def test_a_season_of_one_event_has_no_picture(client):
    assert not lines_of(page_of(client, a_season(events=1)))


def far_behind(season):
    """Give a season so many players that its last is not among the first."""
    events = Event.objects.filter(season=season).order_by("starts_at")
    steps = [{"event": event.uid, "place": 40, "rank": 40, "points": 0} for event in events]
    row = SeasonRowFactory(season=season, player__name=LONG, place=40, rank=40, points=0, steps=steps)
    return row.player


def test_the_readers_own_line_is_there_by_account_and_by_phone(client, season):
    player = far_behind(season)
    assert LONG not in page_of(client, season).partition("race-names")[2].partition("</ol>")[0]
    user = MembershipFactory().user
    Player.objects.filter(pk=player.pk).update(user=user)
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    assert 'class="race-mine"' in page_of(client, season)
    client.logout()
    entry = EntryFactory(event=Event.objects.filter(season=season).first(), player=player)
    html = page_of(phone_of(entry), season)
    assert len(lines_of(html)) == 9
    assert "40 · you" in html


def test_a_forged_link_is_nobodys(client, season):
    entry = EntryFactory(event=Event.objects.filter(season=season).first(), player=far_behind(season))
    client.cookies[f"phone-{entry.event.uid}"] = f"lse_{entry.uid}.forged"
    assert 'class="race-mine"' not in page_of(client, season)


def test_an_event_that_became_private_has_no_name_there(client, season):
    Event.objects.filter(name="Evening 1").update(is_public=False)
    html = page_of(client, season)
    assert "Evening 1" not in html
    assert "Private event" in html


def test_a_race_speaks_french(client, season):
    html = client.get(f"/seasons/{season.uid}/", headers={"accept-language": "fr"}).content.decode()
    assert "<h2>La course</h2>" in html
