"""Secrets: derived ones are recognised by what they were made from, random ones by their hash."""

from __future__ import annotations

import pytest

from core.models import User
from tests.factories import ClubFactory, CredentialFactory, PlayerFactory
from tests.tournaments.events import enter, event_of, seat
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.errors import ForbiddenError
from tournaments.models import Credential, Scope
from tournaments.services.credentials import create_key, create_token, revoke

UID, OTHER = "2345678923456789", "3456789a3456789a"


@pytest.mark.parametrize("prefix", [credentials.ENTRY, credentials.TABLE])
def test_a_derived_secret_is_the_same_each_time_and_names_its_id(prefix):
    secret = credentials.derive(prefix, UID, 1)
    assert secret == credentials.derive(prefix, UID, 1)
    assert secret.startswith(prefix + UID)
    assert credentials.uid_of(secret) == UID
    assert credentials.is_genuine(secret, UID, 1)


def test_a_derived_secret_is_for_one_kind_one_id_and_one_generation():
    secret = credentials.derive(credentials.ENTRY, UID, 1)
    assert not credentials.is_genuine(secret, UID, 2)
    assert not credentials.is_genuine(secret, OTHER, 1)
    assert not credentials.is_genuine(credentials.TABLE + secret[4:], UID, 1)
    assert not credentials.is_genuine(secret[:-1], UID, 1)
    assert not credentials.is_genuine(secret + "0", UID, 1)
    assert not credentials.is_genuine(secret[:-1] + "é", UID, 1)


def test_a_rotated_server_key_keeps_old_secrets_until_it_is_dropped(settings):
    secret = credentials.derive(credentials.ENTRY, UID, 1)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "y" * 60, [settings.SECRET_KEY]
    assert credentials.is_genuine(secret, UID, 1)
    assert credentials.derive(credentials.ENTRY, UID, 1) != secret
    settings.SECRET_KEY_FALLBACKS = []
    assert not credentials.is_genuine(secret, UID, 1)


def test_what_may_be_stored_of_a_secret_opens_nothing():
    assert credentials.redact("lsu_abc") == "lsu_"
    assert credentials.redact("lsk_abc") == "lsk_"
    slip = credentials.derive(credentials.TABLE, UID, 1)
    kept = credentials.redact(slip)
    assert kept.startswith(credentials.TABLE + UID)
    assert credentials.is_redacted(kept, slip)
    assert not credentials.is_genuine(kept, UID, 1)
    assert not credentials.is_redacted(kept, credentials.derive(credentials.TABLE, UID, 2))


@pytest.mark.django_db
def test_secrets_of_an_entry_and_of_its_table_are_different():
    entry = enter(event_of(ClubFactory()), PlayerFactory())
    table = seat(entry).table
    secrets = {credentials.derive(*parts) for parts in [("lse_", entry.uid, 1), ("lst_", table.uid, 1)]}
    assert len({secret[4:] for secret in secrets}) == 2


@pytest.mark.django_db
def test_a_token_belongs_to_a_person_and_a_key_to_a_club_that_one_owns():
    token = CredentialFactory()
    stranger = Actor(Kind.USER, user=CredentialFactory().user)
    for act in (
        lambda: create_token(actor=Actor(), name="phone"),
        lambda: create_key(actor=stranger, club=ClubFactory(), name="site", scopes=[Scope.READ]),
        lambda: revoke(actor=stranger, credential=token),
    ):
        with pytest.raises(ForbiddenError):
            act()
    token.refresh_from_db()
    assert token.revoked_at is None


@pytest.mark.django_db
def test_who_was_let_in_before_the_password_was_replaced_makes_no_token_after_it():
    token = CredentialFactory(user__password="a hash")
    intruder = Actor(Kind.USER, user=token.user, credential=token)  # whose request came a moment before
    owner = User.objects.get(pk=token.user.pk)
    owner.set_password("correct horse battery staple")
    owner.save()
    with pytest.raises(ForbiddenError, match="Log in again"):
        create_token(actor=intruder, name="to stay")
    assert not Credential.objects.filter(revoked_at=None).exists()
    create_token(actor=Actor(Kind.USER, user=owner), name="of the new password")
