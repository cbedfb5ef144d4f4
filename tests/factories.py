"""One factory per model: valid by default, nothing random."""

from __future__ import annotations

import factory

from core.models import User
from tournaments import credentials
from tournaments.models import Affiliation, Club, Credential, KeepApart, Membership, Player, Role, Scope, Season


class UserFactory(factory.django.DjangoModelFactory):
    """An organiser who can log in with the password `correct horse`."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda number: f"person{number}@example.org")
    name = factory.Sequence(lambda number: f"Person {number}")
    password = factory.django.Password("correct horse")


class ClubFactory(factory.django.DjangoModelFactory):
    """A public club without members."""

    class Meta:
        model = Club

    name = factory.Sequence(lambda number: f"Club {number}")
    slug = factory.Sequence(lambda number: f"club-{number}")


class MembershipFactory(factory.django.DjangoModelFactory):
    """An organiser of a club."""

    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.ORGANISER


class PlayerFactory(factory.django.DjangoModelFactory):
    """A player; `club` is one that knows them."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    name = factory.Sequence(lambda number: f"Player {number}")

    @factory.post_generation
    def club(self, create, club, **_):
        if club is not None:
            AffiliationFactory(club=club, player=self)


class AffiliationFactory(factory.django.DjangoModelFactory):
    """A player whom a club knows."""

    class Meta:
        model = Affiliation

    club = factory.SubFactory(ClubFactory)
    player = factory.SubFactory(PlayerFactory)


class SeasonFactory(factory.django.DjangoModelFactory):
    """A season of a club."""

    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda number: f"Season {number}")


class KeepApartFactory(factory.django.DjangoModelFactory):
    """Two players whom a club keeps apart."""

    class Meta:
        model = KeepApart

    club = factory.SubFactory(ClubFactory)
    first = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))
    second = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))


class CredentialFactory(factory.django.DjangoModelFactory):
    """A token of a user, by its secret."""

    class Meta:
        model = Credential

    class Params:
        secret = factory.Sequence(lambda number: f"{credentials.USER}{number:043}")

    name = "laptop"
    user = factory.SubFactory(UserFactory)
    prefix = factory.LazyAttribute(lambda made: made.secret[: credentials.SHOWN])
    digest = factory.LazyAttribute(lambda made: credentials.digest(made.secret))


class KeyFactory(CredentialFactory):
    """A key of a club, by its secret."""

    class Params:
        secret = factory.Sequence(lambda number: f"{credentials.CLUB}{number:043}")

    user = None
    club = factory.SubFactory(ClubFactory)
    scope = Scope.WRITE
