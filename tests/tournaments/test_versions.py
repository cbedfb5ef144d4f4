"""Whatever changes has a new version, one higher, and whoever changed it knows which."""

from __future__ import annotations

import pytest

from tests.factories import AffiliationFactory, MembershipFactory
from tests.scoring.evenings import Evening, evening
from tournaments.actors import Actor, Kind
from tournaments.models import Event, Role, Round, Table
from tournaments.services import entries, events, people, rounds, tables

pytestmark = pytest.mark.django_db


def versions(tonight: Evening) -> tuple[int, int, int]:
    """Return the stored versions of the event, its round and its table."""
    table = Table.objects.select_related("round__event").get(pk=tonight.table.pk)
    return table.round.event.version, table.round.version, table.version


def test_a_table_that_changes_raises_its_version_and_the_events():
    tonight = evening()
    event, current, table = versions(tonight)
    in_hand = tables.lock_table(tonight.table)
    tables.change_table(in_hand, status=Table.Status.REPORTED)
    tables.change_table(in_hand, status=Table.Status.PLAYING)
    assert versions(tonight) == (event + 2, current, table + 2)
    assert (in_hand.round.event.version, in_hand.version) == (event + 2, table + 2)


def test_an_event_that_changes_raises_its_version():
    tonight = evening()
    event, current, table = versions(tonight)
    in_hand = Event.objects.get(pk=tonight.event.pk)
    events.bump(in_hand, name="Tonight")
    assert (in_hand.version, in_hand.name) == (event + 1, "Tonight")
    edited = events.edit_event(actor=tonight.organiser, event=in_hand, fields={"name": "This evening"})
    assert edited.version == event + 2
    assert versions(tonight) == (event + 2, current, table)


def test_a_round_that_changes_raises_its_version_and_the_events():
    tonight = evening(round_minutes=40)
    Round.objects.update(minutes=40)
    event, current, table = versions(tonight)
    extended = rounds.extend(actor=tonight.organiser, event=tonight.event, number=1, minutes=5)
    assert versions(tonight) == (event + 1, current + 1, table)
    assert extended.version == current + 1


def test_a_substitute_raises_the_versions_of_the_round_and_the_table():
    tonight = evening()
    event, current, table = versions(tonight)
    entries.substitute(actor=tonight.organiser, entry=tonight.entries[0], name="Sub")
    after = versions(tonight)
    assert after[0] > event
    assert after[1:] == (current + 1, table + 1)


def test_a_name_that_is_forgotten_raises_the_versions_of_where_it_stood():
    tonight = evening()
    player = tonight.entries[0].player
    AffiliationFactory(club=tonight.event.club, player=player)
    owner = Actor(Kind.USER, user=MembershipFactory(club=tonight.event.club, role=Role.OWNER).user)
    event, current, table = versions(tonight)
    people.anonymise_player(actor=owner, player=player)
    assert versions(tonight) == (event + 1, current, table + 1)
