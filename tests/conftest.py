"""What all tests share."""

from __future__ import annotations

import os

import pytest

DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def uses_database(item: pytest.Item) -> bool:
    """Tell whether a test touches the database."""
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or bool(DATABASE_FIXTURES & set(fixtures))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database, so that it runs on both; a browser does not notice which one it is."""
    for item in items:
        if uses_database(item) and "browser" not in getattr(item, "fixturenames", ()):
            item.add_marker("database")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Keep SQLite in a file: in memory its locks are others than the ones people will meet."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        name = f"test-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.sqlite3"
        database.setdefault("TEST", {})["NAME"] = str(settings.DATA_DIR / name)


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest) -> None:
    """Hash passwords quickly: the real hasher is slow on purpose."""
    if uses_database(request.node):
        hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        request.getfixturevalue("settings").PASSWORD_HASHERS = hashers


@pytest.fixture(autouse=True)
def nothing_remembered(request: pytest.FixtureRequest) -> None:
    """Forget lists that this process keeps as bytes: another test's version has the same number."""
    if uses_database(request.node):
        from scoring.api import hot

        hot.by_version.clear()
        hot.recent.clear()
        hot.questions.clear()


@pytest.fixture(autouse=True)
def english() -> None:
    """Begin in English: a request leaves its thread in the reader's language."""
    from django.conf import settings
    from django.utils import translation

    if settings.configured:
        translation.deactivate()
