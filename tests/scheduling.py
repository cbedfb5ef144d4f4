"""How processes share the tests: what needs one costly set-up stays in one process, and what takes long begins first.

xdist has marks for this (`--dist loadgroup`), but ignores them with pytest 9.2 (pytest-dev/pytest-xdist#1386).
So tests are told apart by where they lie.
"""

from __future__ import annotations

from typing import Any

import pytest

# Where tests lie, and what they share.
TOGETHER = {
    "tests/faults/": "one stand",
    "tests/api/test_files.py": "one event to take elsewhere",
    "tests/api/test_own_game_files.py": "one event of a club's own game",
    "tests/api/test_permissions.py": "one world",
    "tests/api/test_schema.py": "one schema",
    "tests/ops/test_backup.py": "one filled database",
    "tests/ops/test_cut_migrations.py": "one PostgreSQL",
    "tests/ops/test_front.py": "one front",
    "tests/ops/test_move_to.py": "one filled database",
    "tests/ops/test_serve.py": "one service",
    "tests/test_blocks.py": "one shell",
    "tests/test_wheel.py": "one wheel",
    "tests/web/console/test_decisions.py": "one dispute",
    "tests/web/console/test_round.py": "one round",
    "tests/web/public/test_pictures.py": "one evening to draw",
    "tests/web/public/test_public.py": "evenings to read about",
    "tests/web/public/test_races.py": "one season",
}
# A long test that begins last leaves the other cores idle.
LONG = (
    "tests/web/test_every_page.py",
    "tests/web/test_organisers_job.py",
    "tests/web/test_whole_evening.py",
    "tests/demo/test_demo.py",
)


def shared_by(nodeid: str) -> str | None:
    """Return what a test shares with others; None, if it can run anywhere."""
    return next((shared for place, shared in TOGETHER.items() if nodeid.startswith(place)), None)


def longest_first(items: list[pytest.Item]) -> None:
    """Sort tests so that those begin first which keep a process busy for long."""
    places = (*TOGETHER, *LONG)
    order = {place: number for number, place in enumerate(places)}

    def rank(item: pytest.Item) -> int:
        return next((order[place] for place in places if item.nodeid.startswith(place)), len(places))

    items.sort(key=rank)


def make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what hands tests out to processes, one by one or all that share something."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return shared_by(nodeid) or nodeid

    config.option.loadscopereorder = False  # they are in order
    return Scheduling(config, log)
