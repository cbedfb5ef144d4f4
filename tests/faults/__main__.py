"""`./run faults`: every fault in full, with a table of figures; `./run faults chaos`: the chaos evening."""

from __future__ import annotations

import os
import sys
import tempfile

import pytest

from tests.faults.elsewhere import ELSEWHERE


def main(arguments: list[str]) -> int:
    """Run the faults, or the chaos evening."""
    if arguments[:1] == ["chaos"]:
        return chaos(arguments[1:])
    os.environ["LUDOSCORE_FAULTS"] = "full"
    return int(pytest.main(["-q", *(arguments or ["tests/faults", *ELSEWHERE])]))


def chaos(arguments: list[str]) -> int:
    """Set Django up on a folder of its own, then run the chaos evening."""
    with tempfile.TemporaryDirectory(prefix="ludoscore-chaos-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LUDOSCORE_DATA": folder,
            "SECRET_KEY": "only-for-tests-" + "x" * 50,
        }
        import django

        django.setup()
        from tests.faults.chaos import main as run

        return run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
