"""Tasks go from a request through a real broker to a real worker; a broker that is away costs nobody anything."""

from __future__ import annotations

import datetime as dt
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from celery import current_app
from django.db import connection, transaction
from django.utils import timezone

from core import context, hints
from core.models import Heartbeat, StoredAnswer
from core.tasks import beat, clear_answers
from tests.services import start_valkey, valkey_url

ROOT = Path(__file__).resolve().parents[2]


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
    return result


@pytest.fixture
def broker(tmp_path_factory):
    """A Valkey of this test's own, so that it can be stopped."""
    folder = tmp_path_factory.mktemp("broker")
    server = start_valkey(folder)
    before = current_app.conf.broker_url
    current_app.conf.broker_url = valkey_url(folder)
    current_app._after_fork()  # forgets its connections, as a new process would
    yield server
    server.send_signal(signal.SIGCONT)
    server.kill()
    server.wait()
    current_app._after_fork()
    current_app.conf.broker_url = before


@pytest.fixture(autouse=True)
def broker_is_believed_in(monkeypatch):
    monkeypatch.setattr(hints, "_silent_until", 0.0)


@pytest.fixture
def worker(broker, tmp_path):
    name = connection.settings_dict["NAME"]
    url = os.environ["DATABASE_URL"]
    url = f"sqlite:///{name}" if connection.vendor == "sqlite" else url.rpartition("/")[0] + f"/{name}"
    environment = os.environ | {"DATABASE_URL": url, "BROKER_URL": current_app.conf.broker_url, "LOG_FORMAT": "json"}
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", "worker", "-P", "threads", "-c", "1"],
            cwd=ROOT,
            env=environment,
            stderr=output,
            stdout=output,
        )
    yield log
    process.terminate()
    process.wait(20)


@pytest.mark.django_db(transaction=True)
def test_a_task_goes_the_whole_way_and_keeps_the_request_id(worker):
    token = context.request_id.set("request-7")
    try:
        hints.hint(beat.name)
    finally:
        context.request_id.reset(token)
    done = wait_for(Heartbeat.objects.first)
    assert done.sent_at <= done.done_at
    assert '"request_id": "request-7"' in wait_for(lambda: "request-7" in worker.read_text() and worker.read_text())


@pytest.mark.django_db(transaction=True)
def test_a_hint_waits_for_the_commit_and_dies_with_a_rollback(monkeypatch):
    published = []
    monkeypatch.setattr(hints, "publish", lambda task, *args: published.append(args))
    with transaction.atomic():
        hints.hint(beat.name, 1)
        assert published == []
    assert published == [(1,)]
    with transaction.atomic():
        hints.hint(beat.name, 2)
        transaction.set_rollback(True)
    assert published == [(1,)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stop", [signal.SIGSTOP, signal.SIGKILL], ids=["hangs", "is gone"])
def test_a_broker_that_is_away_delays_no_request(broker, stop):
    hints.hint(beat.name)  # a connection is open when the broker stops
    broker.send_signal(stop)
    if stop == signal.SIGKILL:
        broker.wait()
    waits = []
    for _ in range(20):
        started = time.monotonic()
        hints.hint(beat.name)
        waits.append(time.monotonic() - started)
    # The promise is "none waits over a second"; the second one is the machine's own pauses.
    assert max(waits) < 2
    assert sum(wait > 0.1 for wait in waits) <= 1, "after one failed attempt the others do not even try"


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_came_back_is_used_again(broker, monkeypatch):
    monkeypatch.setattr(hints, "PAUSE", 0.0)
    broker.send_signal(signal.SIGSTOP)
    hints.hint(beat.name)
    broker.send_signal(signal.SIGCONT)

    def queued():
        hints.hint(beat.name)
        with current_app.connection_for_write() as link:
            return link.default_channel.client.llen("celery") > 0

    assert wait_for(queued)


@pytest.mark.django_db
def test_answers_are_kept_for_a_day():
    fields = {"scope": "user-1", "fingerprint": "f", "status": 201, "body": {}}
    for key in ("old", "new"):
        StoredAnswer.objects.create(key=key, **fields)
    StoredAnswer.objects.filter(key="old").update(created_at=timezone.now() - dt.timedelta(hours=25))
    clear_answers()
    assert list(StoredAnswer.objects.values_list("key", flat=True)) == ["new"]
