"""The whole service as `serve` starts it, for a bench: web, worker and broker, on a free port of loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 180  # seconds to start, on a machine that is busy


@dataclass(frozen=True)
class Server:
    """Where it listens, and its supervisor's process."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """How its addresses begin."""
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> float:
        """Return the megabytes that all its processes take now, what they share counted once."""
        return sum(map(_share, [self.pid, *_children(self.pid)])) / 1024

    def processor(self) -> float:
        """Return the seconds of processor time that its processes have taken so far."""
        ticks = sum(map(_ticks, [self.pid, *_children(self.pid)]))
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving() -> Iterator[Server]:
    """Serve with the environment's database and data folder until the end of the block."""
    port = _free_port()
    with _running("manage.py", "serve", "--no-migrate", "--bind", f"127.0.0.1:{port}") as process:
        wait_for_answer(f"http://127.0.0.1:{port}/healthz", process)
        yield Server(port, process.pid)


@contextmanager
def deployed(processes: int) -> Iterator[Server]:
    """Serve as a deployment does, by so many web processes and a worker, with the broker that `BROKER_URL` names."""
    port = _free_port()
    web = ("-m", "ops.web", "--bind", f"127.0.0.1:{port}", "--workers", str(processes))
    worker = ("-m", "celery", "--app", "config", "--quiet", "worker", "--pool", "threads", "--concurrency", "2")
    with _running(*worker), _running(*web) as process:
        wait_for_answer(f"http://127.0.0.1:{port}/healthz", process)
        yield Server(port, process.pid)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "bench.settings", "LOG_LEVEL": "ERROR"}
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def wait_for_answer(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server that was just started answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError("the server does not answer")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found + [below for child in found for below in _children(child)]


def _ticks(pid: int) -> int:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    return 0


def _share(pid: int) -> int:
    """Return the proportional memory of a process in kilobytes; 0 if it has just ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
