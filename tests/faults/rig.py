"""The web application and the Celery application of a test stand: the real ones, with faults that files arm.

A fault that cannot be brought about from outside strikes here, in the process itself, while a file of its name lies in
the stand's folder. Two waits are shortened, where the stand asks for it.
"""

from __future__ import annotations

import datetime as dt
import os
import signal
from pathlib import Path
from typing import Any

from celery.signals import worker_process_init

from config.celery import app
from config.rest import CredentialThrottle
from config.supervisor import die_with_parent
from config.wsgi import application as served
from core import derived, hints
from scoring.standings import store
from tests.faults.rig_names import DIE_BEFORE_PUBLISH, DIE_COMPUTING, SERVED_BY, UNTHROTTLED

FOLDER = Path(os.environ["FAULTS_FOLDER"])

__all__ = ["app", "application"]

derived.LEASE = dt.timedelta(seconds=float(os.environ["FAULTS_LEASE"]))
app.conf.beat_schedule["sweep"]["schedule"] = dt.timedelta(seconds=float(os.environ["FAULTS_SWEEP"]))


@worker_process_init.connect
def _end_with_worker(**_: Any) -> None:
    die_with_parent(os.getppid())


def _die(fault: str) -> None:
    with (FOLDER / f"{fault}.struck").open("a") as marks:
        marks.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


def _publish(task: str, *args: Any) -> None:
    if task == derived.TASK and (FOLDER / DIE_BEFORE_PUBLISH).exists():
        (FOLDER / DIE_BEFORE_PUBLISH).unlink()
        _die(DIE_BEFORE_PUBLISH)
    publish(task, *args)


def _refresh(event_uid: str) -> None:
    armed = FOLDER / DIE_COMPUTING
    if armed.exists() and armed.read_text() == event_uid:
        _die(DIE_COMPUTING)
    refresh(event_uid)


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """Answer a request; one with a key leaves word of which process took it."""
    if "HTTP_IDEMPOTENCY_KEY" in environ:
        (FOLDER / SERVED_BY).write_text(str(os.getpid()))
    return served(environ, start_response)


def _allow_request(throttle: CredentialThrottle, request: Any, view: Any) -> bool:
    return (FOLDER / UNTHROTTLED).exists() or allow_request(throttle, request, view)


allow_request = CredentialThrottle.allow_request
CredentialThrottle.allow_request = _allow_request  # type: ignore[assignment, method-assign]
publish, hints.publish = hints.publish, _publish
refresh, store.refresh = store.refresh, _refresh
