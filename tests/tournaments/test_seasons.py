"""Seasons that two people change at once."""

from __future__ import annotations

import datetime as dt

import pytest

from core import computations
from core.computations import Kind as Computed
from core.models import StaleMark
from tests.factories import MembershipFactory, SeasonFactory
from tournaments.actors import Actor, Kind
from tournaments.errors import SeasonInvalidError, SeasonTakenError
from tournaments.models import Role, Season
from tournaments.services.seasons import edit_season

pytestmark = pytest.mark.django_db
DECEMBER = dt.date(2026, 12, 1)


@pytest.fixture
def season():
    """A season as somebody read it."""
    return SeasonFactory(name="Autumn", best_of=3, starts_on=None, ends_on=None)


@pytest.fixture
def organiser(season):
    return Actor(Kind.USER, user=MembershipFactory(club=season.club, role=Role.ORGANISER).user)


def test_a_change_of_a_season_takes_nothing_back_that_others_changed_meanwhile(season, organiser):
    Season.objects.update(best_of=7, ends_on=DECEMBER)
    changed = edit_season(actor=organiser, season=season, fields={"name": " Fall "})
    for each in (changed, Season.objects.get()):
        assert (each.name, each.best_of, each.ends_on) == ("Fall", 7, DECEMBER)


def test_what_is_given_must_fit_what_others_changed_meanwhile(season, organiser):
    Season.objects.update(ends_on=DECEMBER)
    with pytest.raises(SeasonInvalidError):
        edit_season(actor=organiser, season=season, fields={"starts_on": DECEMBER + dt.timedelta(days=1)})


def test_a_change_of_a_season_has_it_computed_anew(season, organiser):
    StaleMark.objects.all().delete()
    edit_season(actor=organiser, season=season, fields={"best_of": 7})
    assert computations.behind() == {(Computed.SEASON, season.uid)}


def test_a_name_that_another_season_has_is_refused(season, organiser):
    SeasonFactory(club=season.club, name="Spring")
    with pytest.raises(SeasonTakenError):
        edit_season(actor=organiser, season=season, fields={"name": "Spring"})
