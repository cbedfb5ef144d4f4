"""The demo shows what the product does, and leaves what exists alone."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

import engines
from core import computations, shared
from demo import story
from demo.clock import Clock
from demo.people import CLUBS, names
from demo.programme import PROGRAMME
from scoring.models import Rating, RatingChange, Report, Result, SeasonRow, StandingRow
from tests.factories import ClubFactory, EventFactory
from tournaments.models import Club, Event, Format, Player, Round, Table

SHORT = [next(each for each in PROGRAMME if each.format == wanted) for wanted in (Format.SWISS, Format.ELIMINATION)]
SHORT += [next(each for each in PROGRAMME if each.format == Format.OPEN and each.club == 0)]
SHORT += [next(each for each in PROGRAMME if each.game == "custom:harbour")]

pytestmark = pytest.mark.django_db(transaction=True)


def made(progress=lambda done, steps, what: None):
    return story.fill(progress, SHORT)


def test_there_are_events_of_every_game_in_every_format_and_one_of_a_clubs_own():
    assert len(PROGRAMME) == 21
    assert {(each.game, each.format) for each in PROGRAMME} == {
        *((game, form) for game in engines.GAMES for form in Format),
        ("custom:harbour", Format.SWISS),
    }


def test_a_hundred_and_twenty_people_have_names_of_their_own():
    everybody = [name for index in range(len(CLUBS)) for name in names(index)]
    assert len(everybody) == len(set(everybody)) == 120


@pytest.fixture
def no_broker(tmp_path, monkeypatch):
    """A service that does not run yet: `./run demo` fills it first."""
    monkeypatch.setattr(shared, "memory", shared.SharedMemory(f"redis+socket://{tmp_path / 'none.sock'}"))


def test_demo_plays_events_and_leaves_an_evening_in_progress(no_broker, caplog):
    elsewhere = EventFactory(club=ClubFactory(slug="cafe-meeple"))
    before = (
        Club.objects.filter(pk=elsewhere.club_id).values().get(),
        Event.objects.filter(pk=elsewhere.pk).values().get(),
    )
    steps = []
    demo = made(lambda done, total, what: steps.append((done, total, what)))

    assert before == (
        Club.objects.filter(pk=elsewhere.club_id).values().get(),
        Event.objects.filter(pk=elsewhere.pk).values().get(),
    )
    assert [club.slug for club in demo.clubs] == ["cafe-meeple-2", "wurfelwerk", "the-second-player"]
    assert Player.objects.count() == 120
    assert [done for done, _total, _what in steps] == list(range(len(SHORT) + 4))
    assert steps[-1] == (len(SHORT) + 3, len(SHORT) + 3, "done")

    finished = Event.objects.filter(club__in=demo.clubs, status=Event.Status.FINISHED)
    assert finished.count() == len(SHORT)
    assert not computations.behind()
    for event in finished:
        assert StandingRow.objects.filter(event=event).exists()
        results = Result.objects.filter(event=event)
        assert all(event.starts_at < result.first_final_at for result in results)
        assert results.count() == Table.objects.filter(round__event=event).count()
    assert Rating.objects.filter(tables__gt=1).exists()
    assert RatingChange.objects.exists()
    assert SeasonRow.objects.filter(season=demo.season).exists()

    tonight = demo.tonight.event
    assert tonight.status == Event.Status.RUNNING
    current = Round.objects.get(event=tonight, status=Round.Status.RUNNING)
    statuses = list(current.tables.order_by("number").values_list("status", flat=True))
    assert statuses == ["disputed", "final", "reported", "playing", "final", "final"]
    assert current.ends_at is not None
    assert current.ends_at < Clock().real
    assert caplog.messages == [], "of what it does without"
    flagged = Report.objects.get(table__round=current, table__number=2)
    assert flagged.flags
    assert len(demo.tonight.phones) == 3


def test_command_prints_logins_and_links(monkeypatch):
    monkeypatch.setattr("demo.management.commands.demo.fill", lambda draw: story.fill(draw, ()))
    out = io.StringIO()
    call_command("demo", "--origin", "http://scores.example.org/", stdout=out, stderr=io.StringIO())
    text = out.getvalue()
    assert "@example.org" in text
    assert text.count("http://scores.example.org/me/lse_") == 3
    assert text.count("http://scores.example.org/clubs/") == 3
    assert "/console/" in text
    assert "/projector/?key=lsp_" in text
