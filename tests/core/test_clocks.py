"""The time of day may jump: nothing stalls, nothing is deleted by it, and nobody is blocked for a year."""

from __future__ import annotations

import datetime as dt
import itertools
import time

import celery.beat
import celery.schedules
import pytest
from celery import current_app
from django.core import mail
from django.core.cache import cache
from django.utils import timezone

from core import clocks, computations, mails
from core.models import OutgoingMail
from ops.scheduler import Scheduler
from play.errors import TooManyGamesError
from play.services import games
from tests.factories import DeliveryFactory, EventFactory, MembershipFactory, UserFactory
from tests.play.people import ANA, PRACTICE
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.errors import JoiningBusyError, TooManyMailsError
from tournaments.models import Delivery, Event, Role
from tournaments.services import joining, members
from tournaments.webhooks import delivery
from web.console import board

AN_HOUR, A_YEAR = dt.timedelta(hours=1), dt.timedelta(days=365)


class Clock:
    """Both clocks of a process, which a test sets."""

    def __init__(self) -> None:
        self.day, self.run = time.time(), 1000.0

    def go(self, seconds: float) -> None:
        """Let time pass."""
        self.day, self.run = self.day + seconds, self.run + seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(time, "time", lambda: clock.day)
    monkeypatch.setattr(time, "monotonic", lambda: clock.run)
    monkeypatch.setattr(clocks, "_steady_since", None)
    return clock


def sent(clock, monkeypatch, seconds):
    """Return how often each job is sent within some seconds of running."""
    scheduler, found = Scheduler(app=current_app, Producer=lambda *_, **__: None), []
    monkeypatch.setattr(Scheduler, "producer", None)
    monkeypatch.setattr(Scheduler, "apply_entry", lambda _self, entry, producer: found.append(entry.name))
    end = clock.run + seconds
    while clock.run < end:
        clock.go(scheduler.tick() or 0.001)
        yield found


@pytest.mark.parametrize("jump", [-3600.0, 3600.0, -365 * 86400.0, 365 * 86400.0])
def test_jobs_are_sent_by_a_clock_that_nobody_sets(clock, monkeypatch, jump):
    running = sent(clock, monkeypatch, 120)
    for found in itertools.islice(running, 12):
        assert found
    clock.day += jump
    *_, found = running
    assert found.count("sweep") == pytest.approx(12, abs=1)
    assert found.count("beat") == pytest.approx(6, abs=1)
    assert found.count("clear-answers") == 1, "once, when it starts"


def test_control_with_the_time_of_day_nothing_is_sent_for_an_hour(clock, monkeypatch):
    now = dt.datetime.fromtimestamp
    monkeypatch.setattr(celery.schedules.BaseSchedule, "now", lambda _self: now(clock.day, dt.UTC))
    monkeypatch.setattr(celery.beat.Scheduler, "producer", None)
    found = []
    monkeypatch.setattr(celery.beat.Scheduler, "apply_entry", lambda _self, entry, producer: found.append(entry.name))
    scheduler = celery.beat.Scheduler(app=current_app, Producer=lambda *_, **__: None)
    for _ in range(400):
        clock.go(min(max(scheduler.tick(), 0.01), 1.0))
    assert "sweep" in found
    clock.day -= 3600
    found.clear()
    for _ in range(120):
        clock.go(min(max(scheduler.tick(), 0.01), 1.0))
    assert not found


def test_every_job_has_an_interval():
    assert all(isinstance(job["schedule"], dt.timedelta) for job in current_app.conf.beat_schedule.values())


def test_clock_is_believed_when_it_has_been_steady_for_a_while(clock):
    assert not clocks.is_steady()
    clock.go(clocks.STEADY_FOR)
    assert clocks.is_steady()
    clock.day += 3600
    assert not clocks.is_steady()
    clock.go(clocks.STEADY_FOR)
    assert clocks.is_steady()


def test_what_a_process_remembers_ends_also_when_the_clock_is_set_back(clock):
    cache.set("guesses", 60, 60)
    clock.day -= 3600
    clock.go(59)
    assert cache.get("guesses") == 60
    clock.go(2)
    assert cache.get("guesses") is None


@pytest.mark.django_db
@pytest.mark.parametrize("jump", [AN_HOUR, A_YEAR])
def test_claim_from_a_clock_that_was_ahead_is_free(jump):
    now = timezone.now()
    computations.mark("standings", "e")
    assert computations.claim("standings", "e", now + jump)
    assert computations.claim("standings", "e", now), "after the clock was set back"
    assert computations.claim("standings", "e", now) is None, "a claim of now holds"


@pytest.mark.django_db
def test_staleness_counts_from_the_earliest_mark(monkeypatch):
    now = timezone.now()
    for moment in (now + A_YEAR, now, now + AN_HOUR):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        computations.mark("ratings", "dix")
    claimed = computations.claim("ratings", "dix", now)
    assert claimed
    assert claimed.stale_since == now


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_message_of_a_clock_that_was_ahead_is_sent(monkeypatch, ahead):
    now = timezone.now()
    waiting = DeliveryFactory(next_attempt_at=now + ahead)
    Delivery.objects.update(created_at=now + ahead)
    waiting.webhook.busy_until = now + ahead
    waiting.webhook.save()
    assert [each.pk for each in delivery.claim(now, senders=8)] == [waiting.pk]
    assert not delivery.claim(now, senders=8), "it is being sent"


@pytest.mark.django_db
def test_message_that_waits_is_never_forgotten():
    now = timezone.now()
    waiting = DeliveryFactory(next_attempt_at=now)
    DeliveryFactory(next_attempt_at=None)
    delivery.forget(now + A_YEAR)
    assert Delivery.objects.get() == waiting


@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_a_stamp_of_the_future_is_late_and_not_fresh(ahead):
    now = timezone.now()
    assert clocks.is_fresh(now, now, AN_HOUR)
    assert clocks.is_fresh(now + clocks.TOLERATED, now, AN_HOUR), "the clock of another machine"
    assert not clocks.is_fresh(now - AN_HOUR, now, AN_HOUR)
    assert not clocks.is_fresh(now + ahead, now, AN_HOUR)


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_link_to_a_password_is_sent_after_the_clock_is_set_right(settings, set_ahead, ahead):
    settings.EMAIL_HOST = "mail.example.org"
    user = UserFactory()
    for number, by in enumerate([ahead] + [dt.timedelta()] * 2):
        set_ahead(by)
        mails.ask_for_password(address=user.email, origin="https://x")
        mails.send_due()
        assert len(mail.outbox) == min(number + 1, 2), "one a minute"


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_mails_of_a_clock_that_was_ahead_are_not_those_of_today(settings, monkeypatch, ahead):
    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(mails, "MOST_A_DAY", 1)
    owner = MembershipFactory(role=Role.OWNER)
    offer = {"actor": Actor(Kind.USER, user=owner.user), "club": owner.club, "role": Role.ORGANISER, "page": "/"}
    invitation, _secret = members.invite(**offer, email="bo@example.org")
    OutgoingMail.objects.update(created_at=timezone.now() + ahead)
    invitation.delete()
    invitation, _secret = members.invite(**offer, email="bo@example.org")
    invitation.delete()
    with pytest.raises(TooManyMailsError):
        members.invite(**offer, email="bo@example.org")
    assert OutgoingMail.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_who_joined_by_a_clock_that_was_ahead_keeps_nobody_out(set_ahead, monkeypatch, ahead):
    monkeypatch.setattr(joining, "MOST_A_MINUTE", 2)
    monkeypatch.setattr(board, "A_CROWD", 2)
    event = EventFactory(status=Event.Status.RUNNING)
    for number, by in enumerate([ahead, ahead, dt.timedelta(), dt.timedelta()]):
        set_ahead(by)
        joining.join(event=event, code=event.join_code, actor=NOBODY, name=f"Guest {number}", confirm_alike=True)
        if number == 2:
            assert not board.board_of(event).is_crowded
    assert board.board_of(event).is_crowded
    with pytest.raises(JoiningBusyError):
        joining.join(event=event, code=event.join_code, actor=NOBODY, name="Guest 4", confirm_alike=True)


@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [AN_HOUR, A_YEAR])
def test_games_of_a_clock_that_was_ahead_are_not_those_of_today(set_ahead, monkeypatch, ahead):
    monkeypatch.setattr(games, "A_DAY", 1)
    for by in (ahead, dt.timedelta()):
        set_ahead(by)
        games.start_game(phone=ANA, setup=PRACTICE[0], again=True)
    with pytest.raises(TooManyGamesError):
        games.start_game(phone=ANA, setup=PRACTICE[0], again=True)
