"""The mark of a player: kept for ever, told apart, silent to those who listen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.factories import ClubFactory, PlayerFactory, RatingFactory
from tests.web.leagues import League
from tests.web.markup import tags
from tests.web.test_design import contrast
from web.marks import COLOURS, PATTERN, SIZE, mark_of
from web.templatetags.marks import mark

MANY = 2000
KEPT = (
    "#3f6212",
    [(2, 0, 1), (0, 1, 1), (4, 1, 1), (0, 2, 1), (2, 2, 1), (4, 2, 1), (0, 3, 5), (0, 4, 1), (4, 4, 1)],
)


def test_a_mark_is_the_same_for_ever():
    kept = mark_of("01j9z6q8x3")
    assert kept == mark_of("01j9z6q8x3")
    assert (kept.colour, kept.runs) == KEPT  # whoever changes this takes everybody's mark from them


def test_marks_are_symmetric_and_neither_empty_nor_full():
    for number in range(MANY):
        rows = mark_of(str(number)).rows
        assert all(row == row[::-1] for row in rows)
        assert 8 <= sum(map(sum, rows)) <= SIZE * SIZE - 7


def test_people_of_a_club_hardly_ever_share_one_and_every_colour_is_used():
    marks = {mark_of(str(number)) for number in range(MANY)}
    assert len(marks) > 0.97 * MANY
    assert {each.colour for each in marks} == set(COLOURS)


def test_the_pattern_stands_out_from_every_colour():
    assert all(contrast(colour, PATTERN) >= 4.5 for colour in COLOURS)


def test_strips_draw_the_pattern():
    shown = mark_of("somebody")
    drawn = {(column + step, row) for column, row, width in shown.runs for step in range(width)}
    assert drawn == {(x, y) for y, row in enumerate(shown.rows) for x, is_taken in enumerate(row) if is_taken}
    assert all(a[1] <= b[1] for a, b in pairwise(shown.runs))


def test_a_mark_is_small_silent_and_has_no_style_of_its_own():
    html = mark("somebody")
    assert len(html) < 420
    (picture,) = tags(html, "svg")
    assert picture.attributes["aria-hidden"] == "true"
    assert not any("style" in tag.attributes for tag in tags(html))


@pytest.mark.django_db
def test_leaderboards_and_profiles_show_the_mark_that_a_new_name_leaves_as_it_is(client):
    player = PlayerFactory(club=ClubFactory(slug="cafe-meeple"))
    RatingFactory(player=player)
    drawn = mark(player.uid)
    for address in ("/leaderboards/", "/leaderboards/ten-phases/", "/clubs/cafe-meeple/", f"/players/{player.uid}/"):
        assert drawn in client.get(address).content.decode()
    player.name = "Somebody else"
    player.save()
    assert drawn in client.get(f"/players/{player.uid}/").content.decode()


@pytest.mark.django_db
def test_standings_show_the_mark_of_everybody(client, monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    event = League(ClubFactory(), [PlayerFactory() for _ in range(8)]).evening()
    html = client.get(f"/e/{event.uid}/").content.decode()
    assert all(mark(entry.player.uid) in html for entry in event.entries.select_related("player"))
