"""What shares a costly set-up runs in one process, and what takes long begins first."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import LONG, TOGETHER, longest_first, shared_by

ROOT = Path(__file__).resolve().parents[1]


def modules_with_a_set_up() -> list[str]:
    """Return the modules that set something up for all their tests."""
    paths = ROOT.glob("tests/**/test_*.py")
    found = [path for path in paths if re.search(r"^@pytest\.fixture\(scope=", path.read_text(), re.MULTILINE)]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


@pytest.mark.parametrize("place", [*TOGETHER, *LONG])
def test_places_named_exist(place):
    assert (ROOT / place).exists()


@pytest.mark.parametrize("module", modules_with_a_set_up())
def test_what_is_set_up_for_a_module_is_set_up_in_one_process(module):
    assert shared_by(f"{module}::test_something")


def test_others_run_anywhere_and_last_in_the_order_they_have():
    names = ["tests/api/test_b.py::test", "tests/faults/test_worker.py::test", "tests/api/test_a.py::test", LONG[0]]
    items: Any = [SimpleNamespace(nodeid=name) for name in names]
    longest_first(items)
    assert [item.nodeid for item in items] == [names[1], names[3], names[0], names[2]]
    assert shared_by(names[0]) is None
