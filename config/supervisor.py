"""Processes that depend on each other, with the standard library alone."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import subprocess
import sys
from typing import Any

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent(parent: int, signum: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent, whose id is given, ends in whatever way.

    The signal comes when the *thread* that started this process ends, so a parent starts it from its main thread.
    """
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:  # it ended before the kernel was told
        os._exit(1)


def spawn(command: list[str], *, at_death: int = signal.SIGKILL, **options: Any) -> subprocess.Popen[bytes]:
    """Start a child that gets a signal when this process ends; only for the main thread of one without others."""
    announce = functools.partial(die_with_parent, os.getpid(), at_death)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=announce, **options)  # noqa: S603, PLW1509 (one thread)
