"""Clubs: their slugs, the command that makes one, and that there is always an owner."""

from __future__ import annotations

import contextlib
import json
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from core import computations
from core.computations import Kind as Computed
from core.models import StaleMark, User
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
)
from tournaments.access import credentials
from tournaments.access.callers import recognise
from tournaments.actors import Actor, Kind
from tournaments.errors import LastOwnerError
from tournaments.models import Club, Credential, Event, Membership, Role
from tournaments.services import members
from tournaments.services.clubs import create_club, edit_club, slug_of
from tournaments.services.locks import lock_club


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Café Meeple", "cafe-meeple"),
        ("Straße & Łódź / Œuvre", "strasse-lodz-oeuvre"),
        ("日本", "club"),
        ("--", "club"),
        ("a" * 80, "a" * 60),
    ],
)
def test_slugs_are_names_in_plain_letters(name, slug):
    assert slug_of(name) == slug


@pytest.mark.django_db
def test_clubs_of_one_name_get_slugs_of_their_own():
    actor = Actor(Kind.USER, user=MembershipFactory().user)
    slugs = [create_club(actor=actor, name="A" * 80).slug for _ in range(3)]
    assert slugs == ["a" * 60, "a" * 54 + "-2", "a" * 54 + "-3"]


# --- The command ------------------------------------------------------------------------------------------------


def run(capsys, *arguments):
    call_command("create_club", *arguments)
    return capsys.readouterr()


@pytest.mark.django_db
def test_command_makes_club_owner_and_token(capsys):
    out, err = run(capsys, "Café Meeple", "--owner", "owner@example.org", "--json")
    assert out.count("\n") == 1
    facts = json.loads(out)
    assert (facts["club"], facts["user"]) == ("cafe-meeple", "owner@example.org")
    actor = recognise(facts["token"])
    assert actor.role_in(Club.objects.get(slug="cafe-meeple")) == Role.OWNER
    assert actor.user is not None
    assert not actor.user.has_usable_password()
    assert "changepassword owner@example.org" in err


@pytest.mark.django_db
def test_command_speaks_to_people_too_and_knows_who_is_there(capsys):
    user = MembershipFactory(user__email="Owner@example.org").user
    out, err = run(capsys, "Café Meeple", "--owner", "owner@example.org")
    assert "cafe-meeple" in out
    assert credentials.USER in out
    assert err == ""
    assert list(User.objects.all()) == [user]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["Café Meeple", "--owner", "owner@example.org"], "“cafe-meeple”"),
        (["Other", "--owner", "nobody"], "valid email"),
        (["Other", "--owner", "owner@example.org", "--slug", "a b"], "slug"),
        (["\u202e", "--owner", "owner@example.org"], "invisible"),
        (["Other", "--owner", f"a@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.{'f' * 20}.org"], "at most 254"),
        (["Other", "--owner", "owner@example.org", "--slug", "a" * 61], "at most 60"),
    ],
)
def test_command_fails_with_a_sentence_and_leaves_nothing(arguments, sentence):
    ClubFactory(slug="cafe-meeple")
    with pytest.raises(CommandError, match=sentence) as failure:
        call_command("create_club", *arguments)
    assert "\n" not in str(failure.value)
    assert (Club.objects.count(), User.objects.count(), Credential.objects.count()) == (1, 0, 0)


# --- There is always an owner -----------------------------------------------------------------------------------


@pytest.fixture
def two_owners(transactional_db):
    club = ClubFactory()
    return [MembershipFactory(club=club, role=Role.OWNER) for _ in range(2)]


def leave_at_once(memberships, monkeypatch):
    """Let owners leave at the same time: each has looked whether another stays before any is gone."""
    meeting = threading.Barrier(len(memberships))
    look = members._require_other_owner
    refused = []

    def look_and_wait(membership):
        look(membership)
        with contextlib.suppress(threading.BrokenBarrierError):  # the other one is kept waiting, as it should be
            meeting.wait(0.5)

    def leave(membership):
        try:
            members.remove_member(actor=Actor(Kind.USER, user=membership.user), membership=membership)
        except LastOwnerError:
            refused.append(membership)
        finally:
            connection.close()

    monkeypatch.setattr(members, "_require_other_owner", look_and_wait)
    threads = [threading.Thread(target=leave, args=[membership]) for membership in memberships]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_one_of_two_owners_who_leave_at_once_stays(two_owners, monkeypatch):
    assert len(leave_at_once(two_owners, monkeypatch)) == 1
    assert Membership.objects.filter(role=Role.OWNER).count() == 1


def test_without_the_lock_both_would_leave(two_owners, monkeypatch):
    monkeypatch.setattr(members, "lock_club", lambda club: None)
    refused = leave_at_once(two_owners, monkeypatch)
    # SQLite has one writer at a time, so there the database itself is the lock.
    expected = 0 if connection.vendor == "postgresql" else 1
    assert (len(refused), Membership.objects.count()) == (expected, expected)


@pytest.mark.skipif("sqlite" in str(connection.vendor), reason="rows are not locked there")
@pytest.mark.django_db(transaction=True)
def test_whoever_takes_a_turn_at_a_club_keeps_nobody_from_entering():
    event, has_turn, is_entered = EventFactory(), threading.Event(), threading.Event()

    def take_turn():
        with transaction.atomic():
            lock_club(event.club)
            has_turn.set()
            is_entered.wait(10)
        connection.close()

    other = threading.Thread(target=take_turn)
    other.start()
    has_turn.wait()
    try:
        assert without_waiting(lambda: EntryFactory(event=event, player=PlayerFactory(home=event.club)))
        with pytest.raises(OperationalError, match="lock timeout"):
            without_waiting(lambda: lock_club(event.club))
    finally:
        is_entered.set()
        other.join()


@transaction.atomic
def without_waiting(act):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '100ms'")
    return act()


# --- Two change a club at once ----------------------------------------------------------------------------------


@pytest.fixture
def owned():
    """A club as its owner read it, and the owner."""
    membership = MembershipFactory(role=Role.OWNER, club__name="Meeple", club__time_zone="Europe/Paris")
    return Club.objects.get(), Actor(Kind.USER, user=membership.user)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("others", "own"),
    [
        ({"is_public": False}, {"name": "Dice"}),
        ({"name": "Dice"}, {"is_public": False}),
        ({"time_zone": "Asia/Tokyo"}, {"mails_players": True}),
        ({"mails_players": True}, {"time_zone": "Asia/Tokyo"}),
    ],
)
def test_a_change_of_a_club_takes_nothing_back_that_others_changed_meanwhile(owned, others, own):
    club, owner = owned
    Club.objects.update(**others)
    changed = edit_club(actor=owner, club=club, **own)
    stored = Club.objects.get()
    for name, value in {**others, **own}.items():
        assert (getattr(stored, name), getattr(changed, name)) == (value, value)


@pytest.mark.django_db
def test_what_follows_from_a_change_of_a_club_is_what_really_changed(owned):
    club, owner = owned
    season, event = SeasonFactory(club=club), EventFactory(club=club)
    EntryFactory(event=event, player=AffiliationFactory(club=club).player)
    Club.objects.update(is_public=False, time_zone="Asia/Tokyo")
    StaleMark.objects.all().delete()
    edit_club(actor=owner, club=club, is_public=False, time_zone="Asia/Tokyo")
    assert (computations.behind(), Event.objects.get().version) == (set(), event.version)
    edit_club(actor=owner, club=club, is_public=True, time_zone="Europe/Paris")
    assert computations.behind() == {(Computed.SEASON, season.uid), (Computed.RATINGS, event.game)}
    assert Event.objects.get().version == event.version + 1


@pytest.mark.skipif("sqlite" in str(connection.vendor), reason="rows are not locked there")
@pytest.mark.django_db(transaction=True)
def test_whoever_changes_a_club_waits_for_another_who_does(owned):
    club, owner = owned
    has_turn, is_refused = threading.Event(), threading.Event()

    def hide():
        with transaction.atomic():
            edit_club(actor=owner, club=club, is_public=False)
            has_turn.set()
            is_refused.wait(10)
        connection.close()

    other = threading.Thread(target=hide)
    other.start()
    has_turn.wait()
    try:
        with pytest.raises(OperationalError, match="lock timeout"):
            without_waiting(lambda: edit_club(actor=owner, club=club, mails_players=True))
    finally:
        is_refused.set()
        other.join()
    assert not edit_club(actor=owner, club=club, name="Dice").is_public


@pytest.mark.skipif("sqlite" in str(connection.vendor), reason="rows are not locked there")
@pytest.mark.django_db
def test_events_are_locked_before_their_club(owned):
    """Whoever changes an event has it already when they come to its club."""
    club, owner = owned
    EventFactory(club=club)
    with CaptureQueriesContext(connection) as queries:
        edit_club(actor=owner, club=club, time_zone="Asia/Tokyo")
    locked = [each["sql"].split("FROM")[1].split('"')[1] for each in queries if "FOR NO KEY UPDATE" in each["sql"]]
    assert locked == ["tournaments_event", "tournaments_club"]
