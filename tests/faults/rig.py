"""The web application and the Celery application of a test stand: the real ones, with faults that files arm.

A fault that cannot be brought about from outside strikes here, in the process itself, while a file of its name lies in
the stand's folder. Two waits are shortened, where the stand asks for it.
"""

from __future__ import annotations

import tests.faults.set_clock  # noqa: F401 -- before anything of ours takes hold of the clock that it replaces

# isort: split
import datetime as dt
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from celery.signals import worker_process_init
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connections

from api.framework import CredentialThrottle
from config.celery import app
from config.wsgi import application as served
from core import computations, costly, logins, mails, publishing, signals
from ops.front import Front, Limits
from ops.supervisor import die_with_parent
from scoring import tasks
from scoring.rankings.standings import store
from tests.faults.rig_names import (
    DIE_BEFORE_PUBLISH,
    DIE_COMPUTING,
    MAILS,
    SECRETS_SHOWN,
    SERVED_BY,
    SLOW_START,
    TOKENS_STAY,
    UNBOUNDED,
    UNTHROTTLED,
)
from tests.faults.sqlite_disk import Disk

FOLDER = Path(os.environ["FAULTS_FOLDER"])

__all__ = ["app", "application", "front"]

publishing.APART = 0.0  # every message goes out in its request, where a test may want the process to die
computations.LEASE = dt.timedelta(seconds=float(os.environ["FAULTS_LEASE"]))
settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
settings.EMAIL_FILE_PATH = str(FOLDER / MAILS)
app.conf.beat_schedule["sweep"]["schedule"] = dt.timedelta(seconds=float(os.environ["FAULTS_SWEEP"]))
app.conf.beat_schedule["beat"]["schedule"] = dt.timedelta(seconds=float(os.environ["FAULTS_BEAT"]))

if os.environ.get("FAULTS_DISK"):
    disk = Disk(FOLDER)
    disk.install()
    options = connections.settings["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("=FULL", f"={os.environ['FAULTS_DISK']}")


@worker_process_init.connect
def _end_with_worker(**_: Any) -> None:
    die_with_parent(os.getppid())


def _die(fault: str) -> None:
    with (FOLDER / f"{fault}.struck").open("a") as marks:
        marks.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


def _publish(task: str, *args: Any) -> None:
    if task == tasks.refresh.name and (FOLDER / DIE_BEFORE_PUBLISH).exists():
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


GRACE = float(os.environ["FAULTS_GRACE"])
front = Front(application, Limits(grace=GRACE, headers=2 * GRACE))

if Limits.grace > GRACE:  # a quick run: passwords that cost a tenth, wrong ones that take a moment
    PBKDF2PasswordHasher.iterations //= 10
    logins.PAUSE = 0.2
if (FOLDER / SLOW_START).exists():
    time.sleep(float((FOLDER / SLOW_START).read_text()))


@contextmanager
def _bounded(work: costly.Work | None) -> Iterator[None]:
    if (FOLDER / UNBOUNDED).exists():
        yield
    else:
        with bounded(work):
            yield


bounded, costly.bounded = costly.bounded, _bounded


def _allow_request(throttle: CredentialThrottle, request: Any, view: Any) -> bool:
    return (FOLDER / UNTHROTTLED).exists() or allow_request(throttle, request, view)


def _is_set_up() -> bool:
    return not (FOLDER / SECRETS_SHOWN).exists() and is_set_up()


def _tell(*args: Any, **facts: Any) -> Any:
    return [] if (FOLDER / TOKENS_STAY).exists() else tell(*args, **facts)


is_set_up, mails.is_set_up = mails.is_set_up, _is_set_up
tell, signals.password_replaced.send = signals.password_replaced.send, _tell  # type: ignore[method-assign]
allow_request = CredentialThrottle.allow_request
CredentialThrottle.allow_request = _allow_request  # type: ignore[assignment, method-assign]
publish, publishing.publish = publishing.publish, _publish
refresh, store.refresh = store.refresh, _refresh
