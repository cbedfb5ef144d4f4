"""The stand that all faults strike, and the figures they leave."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.faults.figures import IS_FULL, PROPERTY, Figures, as_markdown
from tests.faults.phones import Ledger
from tests.faults.stand import Stand

QUICK = {} if IS_FULL else {"lease": 2.0, "sweep": 1.0}


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
    stand = getattr(item, "funcargs", {}).get("stand")
    if report.failed and stand is not None:
        report.sections += [(f"{name} log", stand.log(name)[-4000:]) for name in ("web", "worker", "beat")]
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the figures as the table that the docs show."""
    reports = [each for outcome in ("passed", "failed") for each in terminalreporter.stats.get(outcome, ())]
    figures = [value for report in reports for name, value in report.user_properties if name == PROPERTY]
    if figures:
        terminalreporter.section("figures")
        terminalreporter.write_line(as_markdown(figures))


@pytest.fixture(scope="package")
def shared_stand(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[Stand]:
    """Run one service for the faults that leave it running."""
    yield from _run(request.config.getoption("--database"), django_db_blocker)


def _run(database: str, blocker: Any) -> Iterator[Stand]:
    stand = Stand(database, **QUICK)
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
def sqlite_stand(django_db_blocker: Any) -> Iterator[Stand]:
    """A service on SQLite, whatever the others run on."""
    for stand in _run("sqlite", django_db_blocker):
        with django_db_blocker.unblock(), stand.connected():
            yield stand


@pytest.fixture
def ledger(request: pytest.FixtureRequest) -> Ledger:
    """What phones send in this test, and are told."""
    name = "sqlite_stand" if "sqlite_stand" in request.fixturenames else "stand"
    return Ledger(request.getfixturevalue(name).port)


@pytest.fixture
def figures(request: pytest.FixtureRequest, ledger: Ledger, record_property: Any) -> Figures:
    """What this test measures of its fault."""
    number, injection = request.node.get_closest_marker("fault").args
    return Figures(number, injection, ledger, record_property)
