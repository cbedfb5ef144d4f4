"""What all tests share."""

from __future__ import annotations

import pytest

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def uses_database(item: pytest.Item) -> bool:
    """Tell whether a test touches the database."""
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or bool(DATABASE_FIXTURES & set(fixtures))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database, so that it runs on both."""
    for item in items:
        if uses_database(item):
            item.add_marker("database")


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest) -> None:
    """Hash passwords quickly: the real hasher is slow on purpose."""
    if uses_database(request.node):
        hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        request.getfixturevalue("settings").PASSWORD_HASHERS = hashers
