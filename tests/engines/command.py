"""`python -m engines` in the process of a test: starting another for each command would take most of the time."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from engines.__main__ import main


class Done(NamedTuple):
    """What a command ended with and wrote."""

    status: int
    stdout: str
    stderr: str


def run(*arguments: str, typed: bytes = b"") -> Done:
    """Run a command that reads what is typed; return how it ended."""
    said, told = io.StringIO(), io.StringIO()
    with patch("sys.stdin", io.TextIOWrapper(io.BytesIO(typed))), redirect_stdout(said), redirect_stderr(told):
        try:
            status = main(list(arguments))
        except SystemExit as leaving:  # of argparse
            status = int(leaving.code or 0)
    return Done(status, said.getvalue(), told.getvalue())
