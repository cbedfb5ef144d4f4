"""What all tests share."""

from __future__ import annotations

import datetime as dt
import functools
import gc
import io
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests import scheduling
from tests.browser import locked

# A machine that is busy with something else must not fail a property: no test asserts a time.
hypothesis.settings.register_profile("ludoscore", deadline=None)
hypothesis.settings.load_profile("ludoscore")

QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
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
    scheduling.longest_first(items)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one process at a time read the tests: what the first compiles the others find compiled."""
    with locked(Path(__file__).parent):
        return (yield)


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, and not each time among thousands of tests and all that is imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep together what shares a set-up, unless another way to share tests was asked for."""
    return scheduling.make_scheduler(config, log) if config.getoption("dist") == "load" else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Write down which tests failed, where `./run test` asks for it; say what this machine could not try."""
    if asked := os.environ.get("FAILED_TESTS"):
        reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
        Path(asked).write_text(json.dumps(sorted({report.nodeid for report in reports})))
    if shutil.which("node") is None:
        terminalreporter.write_line("node is not on PATH: the JavaScript client was not tried.", yellow=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Keep SQLite in a file: in memory its locks are others than the ones people will meet."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite"):
        name = f"test-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.sqlite3"
        database.setdefault("TEST", {})["NAME"] = str(settings.DATA_DIR / name)


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once() -> Iterator[None]:
    """List the static files once: the first request of every client loads the middleware, which lists them all."""
    from django.conf import settings

    if not settings.configured:
        yield
        return
    from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

    list_files: Any = WhiteNoiseMiddleware.add_files_from_finders
    listed: dict[tuple[str, ...], dict[str, Any]] = {}

    def add_listed_files(middleware: Any) -> None:
        places = (middleware.static_prefix, str(settings.STATIC_ROOT), str(settings.STATICFILES_DIRS))
        if places not in listed:
            list_files(middleware)
            listed[places] = middleware.files
        middleware.files = dict(listed[places])

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_listed_files)
        yield


@pytest.fixture(scope="session", autouse=True)
def seats_found_quickly() -> Iterator[None]:
    """Search for a twentieth of the usual time when a test seats a round; tests of seating call the search itself.

    Few players meet again whatever is tried, and the search goes on for about a second before it settles for that.
    """
    from django.conf import settings

    if not settings.configured:
        yield
        return
    from scoring.services import rounds
    from tournaments.seating.problem import BUDGET

    with pytest.MonkeyPatch.context() as patched:
        for name in ("seat_swiss", "plan_rotation"):
            patched.setattr(rounds, name, functools.partial(getattr(rounds, name), budget=BUDGET // 20))
        yield


@pytest.fixture(scope="session", autouse=True)
def tables_emptied_quickly() -> Iterator[None]:
    """Empty the tables that hold something, not all there are, after a test that committed."""
    from django.conf import settings

    if not settings.configured:
        yield
        return
    from django.test import TransactionTestCase

    from tests.emptying import empty_tables

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_failures_alone() -> Iterator[None]:
    """Let a client raise what failed in its own request alone.

    Django's takes whatever fails in the process meanwhile for its own, such as what a page of an earlier test still
    asked the live server for.
    """
    from django.conf import settings

    if not settings.configured:
        yield
        return
    from django.test import Client

    send: Any = Client.request
    take: Any = Client.store_exc_info

    def send_from_here(client: Any, **request: Any) -> Any:
        client.thread = threading.get_ident()
        return send(client, **request)

    def take_own(client: Any, **failure: Any) -> None:
        if client.thread == threading.get_ident():
            take(client, **failure)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Client, "request", send_from_here)
        patched.setattr(Client, "store_exc_info", take_own)
        yield


@pytest.fixture(scope="session", autouse=True)
def counted_here() -> None:
    """Count what is limited in this process alone: tests beside this one share the broker, and must not be counted."""
    from django.conf import settings

    if settings.configured:
        from core import shared

        shared.memory = shared.SharedMemory("")


@pytest.fixture(scope="session", autouse=True)
def one_life() -> None:
    """Know the life of the database beforehand: a process reads it once, and a test must not be the one that does."""
    from django.conf import settings

    if settings.configured:
        from core import epochs

        epochs._current = "tests"


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest) -> None:
    """Hash passwords quickly: the real hasher is slow on purpose."""
    if uses_database(request.node):
        request.getfixturevalue("settings").PASSWORD_HASHERS = QUICK_HASHERS


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Forget what was counted against a caller."""
    from django.conf import settings

    if settings.configured:
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(autouse=True)
def nothing_remembered(request: pytest.FixtureRequest) -> None:
    """Forget lists that this process keeps as bytes: another test's version has the same number."""
    if uses_database(request.node):
        from api import polled
        from core import conditional
        from tournaments.access import usage

        conditional.forget_all()
        polled.recent.clear()
        polled.questions.clear()
        usage.drop()


@pytest.fixture(autouse=True)
def messages_at_once(request: pytest.FixtureRequest) -> None:
    """Publish every message as it comes: another test may just have published the same."""
    if uses_database(request.node):
        from core import publishing

        request.getfixturevalue("monkeypatch").setattr(publishing, "APART", 0.0)


@pytest.fixture(autouse=True)
def english() -> None:
    """Begin in English: a request leaves its thread in the reader's language."""
    from django.conf import settings
    from django.utils import translation

    if settings.configured:
        translation.deactivate()


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let a fixture of a module store rows that each of its tests finds as they were; the last one takes them along.

    What a test changes is undone before the next. Objects are not: hand each test a copy. Not for tests that commit.
    """
    from django.db import transaction
    from django.test import override_settings

    with django_db_blocker.unblock(), transaction.atomic(), override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def up_to_date(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Return what makes a data folder whose SQLite is made already: most of a first start is making it."""
    from tests.ops.copies import manage

    made = tmp_path_factory.mktemp("up-to-date")
    code, said = manage(made, f"sqlite:///{made / 'ludoscore.sqlite3'}", "migrate")
    assert code == 0, said
    return lambda data: Path(shutil.copytree(made, data))


@pytest.fixture(scope="session")
def filled_folder(tmp_path_factory: pytest.TempPathFactory, up_to_date: Callable[[Path], Path]) -> Path:
    """Return a data folder whose SQLite holds something of everything: to read, or to copy."""
    from tests.ops.copies import filled

    data = up_to_date(tmp_path_factory.mktemp("filled") / "data")
    filled(data, f"sqlite:///{data / 'ludoscore.sqlite3'}")
    return data


@pytest.fixture
def local(settings: Any) -> None:
    """Let messages go to this machine."""
    settings.WEBHOOKS_ALLOW_PRIVATE = True


@pytest.fixture
def service(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server whose worker is never late, a club, and what the documents ask for: an environment and a client."""
    from scoring import tasks

    def work_at_once(task: str, *args: Any) -> None:
        if task == tasks.refresh.name:
            tasks.refresh(*args)

    monkeypatch.setattr("core.publishing.publish", work_at_once)
    monkeypatch.syspath_prepend(Path(__file__).resolve().parent.parent / "clients" / "python")
    made = make_club("Café Meeple")
    for name, value in {"URL": live_server.url, "CLUB": made["club"], "TOKEN": made["token"]}.items():
        monkeypatch.setenv(name, value)
    return live_server


def make_club(name: str) -> dict[str, str]:
    """Make a club as an operator does; return its slug and the token of its owner."""
    from django.core.management import call_command

    out = io.StringIO()
    call_command("create_club", name, "--owner", "owner@example.org", "--json", stdout=out, stderr=out)
    made: dict[str, str] = json.loads(out.getvalue().splitlines()[0])
    return made


@pytest.fixture
def set_ahead(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.timedelta], None]:
    """A function that sets the time of day so far ahead of the right one."""
    from django.utils import timezone

    now, seconds = timezone.now, time.time

    def set_ahead(by: dt.timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now() + by)
        monkeypatch.setattr(time, "time", lambda: seconds() + by.total_seconds())

    return set_ahead
