"""What tests of operating the service share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ops.copies import filled


@pytest.fixture(scope="session")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder whose SQLite holds something of everything: to read, or to copy."""
    data = tmp_path_factory.mktemp("filled")
    filled(data, f"sqlite:///{data / 'ludoscore.sqlite3'}")
    return data
