"""A shell for the blocks of the documents, with stand-ins for programs that need another machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

RECORD_END, WORD_END = "\x1e", "\x1f"


def program(folder: Path, name: str, line: str) -> None:
    """Make a program of one line of sh."""
    (folder / name).write_text(f"#!/bin/sh\n{line}\n")
    (folder / name).chmod(0o755)


def listener(folder: Path, name: str, heard: Path) -> None:
    """Make a program that does nothing but write down the words it was called with, itself the first."""
    words = r"""printf '%s\037' "$0" "$@" """
    program(folder, name, f"{{ {words.replace('$0', name)}; printf '\\036'; }} >> '{heard}'")


def calls(heard: Path) -> list[list[str]]:
    """Return the words of every call that listeners wrote down, in order."""
    text = heard.read_text() if heard.exists() else ""
    return [record.split(WORD_END)[:-1] for record in text.split(RECORD_END)[:-1]]


def bash(script: str, tools: Path, folder: Path | None = None) -> str:
    """Run a script that ends with its first error, and return what it printed."""
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"set -eu -o pipefail\n{script}"],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
