"""Every model has a factory, and what it makes is valid."""

from __future__ import annotations

from typing import Any

import factory
import pytest
from django.apps import apps

from tests import factories

FACTORIES: list[Any] = [
    each
    for each in vars(factories).values()
    if isinstance(each, type)
    and issubclass(each, factory.django.DjangoModelFactory)
    and each.__module__ == factories.__name__
    and each is not factories.RowFactory
]


@pytest.mark.django_db
@pytest.mark.parametrize("make", FACTORIES, ids=lambda make: make.__name__)
def test_factory_makes_something_valid_twice(make):
    for _ in range(2):
        made = make()
        made.full_clean()
        assert str(made)


@pytest.mark.parametrize("app", ["tournaments", "scoring", "play"])
def test_every_model_has_a_factory(app):
    made = {each._meta.model for each in FACTORIES}
    own = {model for model in apps.get_app_config(app).get_models() if not model._meta.auto_created}
    assert own <= made
