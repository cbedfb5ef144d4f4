"""One factory per model: valid by default, nothing random."""

from __future__ import annotations

import factory

from core.models import User


class UserFactory(factory.django.DjangoModelFactory):
    """An organiser who can log in with the password `correct horse`."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda number: f"person{number}@example.org")
    name = factory.Sequence(lambda number: f"Person {number}")
    password = factory.django.Password("correct horse")
