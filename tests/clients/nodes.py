"""Run JavaScript, where Node is there to run it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.documents import ROOT

FOLDER = ROOT / "clients" / "typescript"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="node is not on PATH: the JavaScript client was not tried"
)


def node(*words: str | Path) -> str:
    """Run Node, and return what it printed."""
    done = subprocess.run(
        ["node", *map(str, words)],
        check=False,
        cwd=FOLDER,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def script(text: str, folder: Path) -> str:
    """Run a module that imports the client by its name."""
    file = folder / "script.mjs"
    file.write_text(text.replace('"ludoscore-client"', f'"{(FOLDER / "ludoscore.js").as_uri()}"'))
    return node(file)
