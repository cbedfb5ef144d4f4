"""The stand that all faults strike, and the figures they leave."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults import sqlite_disk
from tests.faults.counts import IS_FULL
from tests.faults.crowds import room
from tests.faults.elsewhere import ELSEWHERE
from tests.faults.figures import PROPERTY, Figures, as_markdown
from tests.faults.phones import Ledger
from tests.faults.stand import Stand

ABUSES = range(31, 51)
QUICK: dict[str, Any] = {} if IS_FULL else {"lease": 2.0, "sweep": 1.0, "beat": 3.0, "grace": 1.5}


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker that says which fault a test injects."""
    config.addinivalue_line("markers", "fault(number, injection): the fault of docs/reliability.md that is injected")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what SQLite is not asked for."""
    if config.getoption("--database") == "sqlite":
        others = [item for item in items if "tests/faults" in item.nodeid and not item.get_closest_marker("database")]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what the processes wrote last, where a test failed."""
    report = yield
    given = getattr(item, "funcargs", {})
    stand = next((given[name] for name in STANDS if name in given), None)
    if report.failed and stand is not None:
        report.sections += [(f"{name} log", stand.log(name)[-4000:]) for name in ("web", "worker", "beat")]
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the figures as the table that the docs show."""
    reports = [each for outcome in ("passed", "failed") for each in terminalreporter.stats.get(outcome, ())]
    figures = [value for report in reports for name, value in report.user_properties if name == PROPERTY]
    if IS_FULL:
        figures += [row for file in ELSEWHERE if (row := _row_of(file, reports))]
    if figures:
        terminalreporter.section("figures")
        terminalreporter.write_line(as_markdown(figures))


def _row_of(file: str, reports: list[Any]) -> list[Any] | None:
    """Return the figures of a fault that is tested elsewhere: how many tests hold it."""
    outcomes = [report.outcome for report in reports if report.nodeid.startswith(file) and report.when == "call"]
    failed = len(outcomes) - outcomes.count("passed")
    seen = f"{len(outcomes)} tests" + (f", {failed} failed" if failed else "")
    return [*ELSEWHERE[file], [], 0.0, seen] if outcomes else None


@pytest.fixture(scope="package")
def shared_stand(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[Stand]:
    """Run one service for the faults that leave it running."""
    if request.config.getoption("--database") == "sqlite":
        yield request.getfixturevalue("shared_sqlite_stand")
    else:
        yield from _prepared(Stand("postgresql", **QUICK), django_db_blocker)


@pytest.fixture(scope="package")
def shared_sqlite_stand(django_db_blocker: Any, up_to_date: Callable[[Path], Path]) -> Iterator[Stand]:
    """Run one service on SQLite: the same one, where the others run on it too."""
    stand = Stand("sqlite", **QUICK)
    _give_tables(stand, up_to_date)
    yield from _prepared(stand, django_db_blocker)


def _give_tables(stand: Stand, up_to_date: Callable[[Path], Path]) -> Path:
    """Let a stand begin with a SQLite whose tables are made already; return the file."""
    made = up_to_date(stand.folder / "made") / "ludoscore.sqlite3"
    return made.rename(stand.folder / "faults.sqlite3")


def _prepared(stand: Stand, blocker: Any) -> Iterator[Stand]:
    try:
        with blocker.unblock():
            stand.prepare()
        yield stand
    finally:
        stand.close()


@pytest.fixture
def stand(shared_stand: Stand, django_db_blocker: Any) -> Iterator[Stand]:
    """The service, all of it running, with this process on its database."""
    shared_stand.heal()
    with django_db_blocker.unblock(), shared_stand.connected():
        yield shared_stand


@pytest.fixture
def sqlite_stand(shared_sqlite_stand: Stand, django_db_blocker: Any) -> Iterator[Stand]:
    """A service on SQLite, whatever the others run on, all of it running."""
    shared_sqlite_stand.heal()
    with django_db_blocker.unblock(), shared_sqlite_stand.connected():
        yield shared_sqlite_stand


@pytest.fixture(scope="package")
def shared_disk_stand(django_db_blocker: Any, up_to_date: Callable[[Path], Path]) -> Iterator[Stand]:
    """Run one service on a SQLite whose disk remembers what was synced, and fails when it is told to."""
    if reason := sqlite_disk.why_not():
        pytest.skip(reason)
    stand = Stand("sqlite", disk="FULL", **QUICK)
    file = _give_tables(stand, up_to_date)
    with sqlite_disk.installed(stand.folder):
        shutil.copy(file, stand.folder / sqlite_disk.SYNCED)
        yield from _prepared(stand, django_db_blocker)


@pytest.fixture
def disk_stand(shared_disk_stand: Stand, django_db_blocker: Any) -> Iterator[Stand]:
    """The service on such a disk, all of it running, with this process on its database."""
    shared_disk_stand.heal()
    with django_db_blocker.unblock(), shared_disk_stand.connected():
        yield shared_disk_stand


STANDS = ("disk_stand", "sqlite_stand", "stand")


@pytest.fixture
def ledger(request: pytest.FixtureRequest) -> Ledger:
    """What phones send in this test, and are told."""
    name = next(each for each in STANDS if each in request.fixturenames)
    return Ledger(request.getfixturevalue(name).port)


@pytest.fixture
def figures(request: pytest.FixtureRequest, ledger: Ledger, record_property: Any) -> Iterator[Figures]:
    """What this test measures of its fault; in a full run an abuse happens in a room of a hundred phones."""
    number, injection = request.node.get_closest_marker("fault").args
    figures = Figures(number, injection, ledger, record_property)
    if not (IS_FULL and number in ABUSES):
        yield figures
        return
    with room(ledger.port, tables=34) as figures.others:
        yield figures
