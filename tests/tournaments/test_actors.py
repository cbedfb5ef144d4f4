"""Who a caller is: what they are counted under, and which role they have."""

from __future__ import annotations

import pytest

from tests.factories import ClubFactory, CredentialFactory, EntryFactory, MembershipFactory, TableFactory, UserFactory
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Role, Scope

pytestmark = pytest.mark.django_db


def test_requests_of_different_callers_are_never_counted_together():
    user, entry, table = UserFactory(pk=7), EntryFactory(pk=7), TableFactory(pk=7)
    key = CredentialFactory(pk=7)
    callers = [
        Actor(Kind.USER, user=user),
        Actor(Kind.KEY, credential=key),
        Actor(Kind.ENTRY, entry=entry),
        Actor(Kind.TABLE, table=table),
        NOBODY,
    ]
    keys = [caller.throttle_key for caller in callers]
    assert keys == ["user-7", "key-7", "entry-7", "table-7", None]


def test_a_caller_shows_a_credential_or_is_logged_in():
    user = UserFactory()
    assert Actor(Kind.ENTRY, entry=EntryFactory()).is_bearer
    assert Actor(Kind.TABLE, table=TableFactory()).is_bearer
    assert Actor(Kind.USER, user=user, credential=CredentialFactory(user=user)).is_bearer
    assert not Actor(Kind.USER, user=user).is_bearer
    assert not NOBODY.is_bearer


@pytest.mark.parametrize(("own", "reached"), [("scorekeeper", 1), ("organiser", 2), ("owner", 3)])
def test_a_role_contains_itself_and_those_below_it(own, reached):
    member = MembershipFactory(role=own)
    caller = Actor(Kind.USER, user=member.user)
    roles = [Role.SCOREKEEPER, Role.ORGANISER, Role.OWNER]
    assert [caller.is_at_least(role, member.club) for role in roles] == [place < reached for place in range(3)]
    assert not caller.is_at_least(Role.SCOREKEEPER, ClubFactory())


def test_a_club_s_key_that_may_write_is_an_organiser_there_and_nowhere_else():
    club, other = ClubFactory(), ClubFactory()
    writer = Actor(Kind.KEY, credential=CredentialFactory(user=None, club=club, scope=Scope.WRITE))
    reader = Actor(Kind.KEY, credential=CredentialFactory(user=None, club=club, scope=Scope.READ))
    assert writer.role_in(club) == Role.ORGANISER
    assert writer.role_in(other) is None
    assert reader.role_in(club) is None
