"""What tests of operating the service share."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ops.copies import filled, manage


@pytest.fixture(scope="session")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder whose SQLite holds something of everything: to read, or to copy."""
    data = tmp_path_factory.mktemp("filled")
    filled(data, f"sqlite:///{data / 'ludoscore.sqlite3'}")
    return data


@pytest.fixture(scope="session")
def up_to_date(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Return what makes a data folder whose database is made already: most of a first start is making it."""
    made = tmp_path_factory.mktemp("up-to-date")
    code, said = manage(made, f"sqlite:///{made / 'ludoscore.sqlite3'}", "migrate")
    assert code == 0, said
    return lambda data: Path(shutil.copytree(made, data))
