"""Tasks go from a request through a real broker to a real worker; a broker that is away costs nobody anything."""

from __future__ import annotations

import datetime as dt
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from celery import current_app
from django.db import connection, transaction
from django.utils import timezone

from core import breaker, clocks, context, publishing
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
    monkeypatch.setattr(publishing.breaker, "silent_until", 0.0)


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
        publishing.publish_on_commit(beat.name)
    finally:
        context.request_id.reset(token)
    done = wait_for(Heartbeat.objects.first)
    assert done.sent_at <= done.done_at
    assert '"request_id": "request-7"' in wait_for(lambda: "request-7" in worker.read_text() and worker.read_text())


@pytest.mark.django_db(transaction=True)
def test_a_hint_waits_for_the_commit_and_dies_with_a_rollback(monkeypatch):
    published = []
    monkeypatch.setattr(publishing, "publish", lambda task, *args: published.append(args))
    with transaction.atomic():
        publishing.publish_on_commit(beat.name, 1)
        assert published == []
    assert published == [(1,)]
    with transaction.atomic():
        publishing.publish_on_commit(beat.name, 2)
        transaction.set_rollback(True)
    assert published == [(1,)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stop", [signal.SIGSTOP, signal.SIGKILL], ids=["hangs", "is gone"])
def test_a_broker_that_is_away_delays_no_request(broker, stop):
    publishing.publish_on_commit(beat.name)  # a connection is open when the broker stops
    broker.send_signal(stop)
    if stop == signal.SIGKILL:
        broker.wait()
    waits = []
    for _ in range(20):
        started = time.monotonic()
        publishing.publish_on_commit(beat.name)
        waits.append(time.monotonic() - started)
    # The promise is "none waits over a second"; the second one is the machine's own pauses.
    assert max(waits) < 2
    assert sum(wait > 0.1 for wait in waits) <= 1, "after one failed attempt the others do not even try"


def test_a_broker_whose_name_is_never_found_delays_no_request(monkeypatch):
    tried, is_over = [], threading.Event()

    def hang(*_args, **_options):
        tried.append(1)
        is_over.wait()

    monkeypatch.setattr(current_app, "send_task", hang)
    try:
        for most in (8, 1):  # once nobody knows better; after a pause one looks whether it is back
            tried.clear()
            with ThreadPoolExecutor(8) as many:
                started = time.monotonic()
                list(many.map(lambda _: publishing.publish(beat.name), range(8)))
                assert time.monotonic() - started < 2
            assert len(tried) <= most
            publishing.publish(beat.name)
            assert len(tried) <= most
            monkeypatch.setattr(publishing.breaker, "silent_until", 0.1)
    finally:
        is_over.set()


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_came_back_is_used_again(broker, monkeypatch):
    monkeypatch.setattr(breaker, "PAUSE", 0.0)
    broker.send_signal(signal.SIGSTOP)
    publishing.publish_on_commit(beat.name)
    broker.send_signal(signal.SIGCONT)

    def queued():
        publishing.publish_on_commit(beat.name)
        with current_app.connection_for_write() as link:
            return link.default_channel.client.llen("celery") > 0

    assert wait_for(queued)


@pytest.mark.django_db
def test_answers_are_kept_for_a_day(monkeypatch):
    fields = {"scope": "user-1", "fingerprint": "f", "status": 201, "body": {}}
    for key in ("old", "new"):
        StoredAnswer.objects.create(key=key, **fields)
    StoredAnswer.objects.filter(key="old").update(created_at=timezone.now() - dt.timedelta(hours=25))
    clear_answers()
    assert StoredAnswer.objects.count() == 2, (
        "a process that has just started does not know whether its clock is right"
    )
    monkeypatch.setattr(clocks, "STEADY_FOR", 0.0)
    clear_answers()
    assert list(StoredAnswer.objects.values_list("key", flat=True)) == ["new"]


@pytest.fixture
def messages(monkeypatch):
    """What is published, and when, a fifth of a second apart."""
    sent = []
    monkeypatch.setattr(publishing, "APART", 0.2)
    monkeypatch.setattr(publishing, "publish", lambda *message: sent.append((message, time.monotonic())))
    return sent


def test_many_messages_that_say_the_same_are_few(messages):
    spaced = publishing._Spaced()
    for _ in range(100):
        spaced.publish("refresh", "standings", "one")
    assert len(messages) == 1, "the first goes at once"
    spaced.publish("refresh", "standings", "other")
    assert len(messages) == 2, "what says something else waits for nobody"
    wait_for(lambda: len(messages) == 3)  # what was said since is one message more
    time.sleep(0.3)
    assert [message[-1] for message, _at in messages] == ["one", "other", "one"]
    assert messages[2][1] - messages[0][1] >= 0.2


def test_the_last_change_is_always_followed_by_a_message(messages):
    spaced, last = publishing._Spaced(), 0.0
    end = time.monotonic() + 1
    while time.monotonic() < end:
        last = time.monotonic()
        spaced.publish("refresh", "ratings", "dix")
        time.sleep(0.01)
    wait_for(lambda: messages[-1][1] >= last)
    assert len(messages) <= 8


def test_message_goes_at_once_where_the_machine_has_no_thread_for_it(messages, monkeypatch):
    spaced = publishing._Spaced()
    with monkeypatch.context() as full:
        full.setattr(publishing.threading.Thread, "start", no_room)
        for _ in range(2):
            spaced.publish("refresh", "standings", "one")
    assert len(messages) == 2
    spaced.publish("refresh", "standings", "one")
    wait_for(lambda: len(messages) == 3)


def no_room(_thread):
    raise RuntimeError("can't start new thread")
