"""What Prometheus is told, and who may ask."""

from __future__ import annotations

import datetime as dt
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from core.models import Heartbeat
from ops import metrics
from tests.factories import DeliveryFactory, DerivedFactory, EventFactory
from tests.launcher import run
from tests.scoring.evenings import evening

ROOT = Path(__file__).resolve().parents[2]


def scrape(client, **headers):
    response = client.get("/metrics", headers={"Host": "10.1.2.3"} | headers)
    assert response.status_code == 200
    families = list(text_string_to_metric_families(response.content.decode()))
    samples = [each for family in families for each in family.samples]
    return {(each.name, *(each.labels[label] for label in sorted(each.labels))): each.value for each in samples}


@pytest.mark.django_db
def test_requests_are_counted_by_the_name_of_their_route_and_never_by_their_path(client):
    def counted(route, status):
        return scrape(client).get(("ludoscore_requests_total", "GET", route, status), 0)

    before = counted("api:game", "200"), counted("unknown", "404")
    client.get("/api/v1/games/dix/")
    client.get("/nothing/lse_secret/")
    assert (counted("api:game", "200"), counted("unknown", "404")) == (before[0] + 1, before[1] + 1)
    assert not [key for key in scrape(client) if "secret" in str(key)]


@pytest.mark.django_db
def test_what_is_late_failed_and_played_is_counted(client):
    ago = timezone.now() - dt.timedelta(minutes=2)
    DerivedFactory(stale_since=ago)
    DerivedFactory(kind="ratings", key="dix", stale_since=ago, parked_at=ago)
    Heartbeat.objects.create(name="worker", sent_at=ago, done_at=ago)
    DeliveryFactory(next_attempt_at=ago)
    DeliveryFactory(next_attempt_at=None)
    tonight = evening(confirmation="confirm")
    EventFactory()
    from scoring.services.reports import submit_report

    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    found = scrape(client)
    expected = {
        ("ludoscore_database_up",): 1,
        ("ludoscore_computations_stale", "standings"): 1,
        ("ludoscore_computations_stale", "ratings"): 0,
        ("ludoscore_computations_parked", "ratings"): 1,
        ("ludoscore_deliveries_waiting",): 1,
        ("ludoscore_deliveries_failed",): 1,
        ("ludoscore_events_running",): 1,
        ("ludoscore_reports", "pending"): 1,
        ("ludoscore_reports", "final"): 0,
    }
    assert {key: found[key] for key in expected} == expected
    assert found["ludoscore_database_bytes",] > 100_000
    for name in ("computations_oldest_seconds", "heartbeat_age_seconds", "deliveries_oldest_seconds"):
        assert 120 <= found[f"ludoscore_{name}",] <= 150


@pytest.mark.django_db
def test_database_that_is_away_is_a_figure_and_no_error(client, monkeypatch):
    def away():
        raise metrics.DatabaseError("away")

    monkeypatch.setattr(metrics, "_database_bytes", away)
    found = scrape(client)
    assert found["ludoscore_database_up",] == 0
    assert ("ludoscore_events_running",) not in found


@pytest.mark.django_db
def test_figures_are_for_this_machine_or_for_whoever_has_the_token(client, settings):
    def status(address="127.0.0.1", **headers):
        return client.get("/metrics", REMOTE_ADDR=address, headers=headers).status_code

    assert status() == status("::1") == 200
    assert status("10.0.0.7") == status("") == 404
    assert status(x_forwarded_for="10.0.0.7") == 404, "a proxy on this machine speaks for somebody else"
    settings.ALLOWED_HOSTS = ["*"]
    asked = ["localhost:8000", "127.0.0.1", "[::1]:8000", "evil.example"]
    assert [status(host=host) for host in asked] == [200, 200, 200, 404], "a page of another place leads here"
    settings.METRICS_TOKEN = "correct-horse"
    assert status("10.0.0.7", authorization="Bearer correct-horse") == 200
    assert status(authorization="Bearer wrong") == status() == 404


@pytest.mark.django_db
def test_every_figure_is_documented_and_every_documented_one_exists(client):
    Heartbeat.objects.create(name="worker", sent_at=timezone.now(), done_at=timezone.now())
    text = client.get("/metrics").content.decode()
    shown = set(re.findall(r"^# TYPE (ludoscore_\w+) ", text, re.MULTILINE))
    documented = (ROOT / "docs" / "operations.md").read_text()
    assert shown == set(re.findall(r"^\| `(ludoscore_\w+)", documented, re.MULTILINE))


def test_several_processes_add_up_their_requests(tmp_path):
    code = """if True:
        import django, os; django.setup()
        from ops import metrics
        if os.fork() == 0:
            metrics.requests.labels("api:games", "GET", 200).inc(2)
            os._exit(0)
        os.wait()
        metrics.requests.labels("api:games", "GET", 200).inc()
        registry = metrics.CollectorRegistry()
        metrics.MultiProcessCollector(registry)
        print(metrics.generate_latest(registry).decode())
    """
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics")}
    done = run("-c", code, environment=environment)
    assert 'ludoscore_requests_total{method="GET",route="api:games",status="200"} 3.0' in done.stdout, done.stderr


NO_ROOM = """if True:
    import django, os, resource; django.setup()
    from django.test import RequestFactory
    from ops import metrics

    def count(number):  # each status is a figure of its own
        request = RequestFactory().get("/")
        request.resolver_match = None
        metrics.count(request, number, 0.1)

    count(200)
    folder = metrics.settings.METRICS_DIR
    found = [os.stat(os.path.join(folder, name)) for name in os.listdir(folder)]
    print("sparse:", sum(each.st_blocks * 512 < each.st_size for each in found), "of", len(found))
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))
    for number in range(2000):
        count(number)
    registry = metrics.CollectorRegistry()
    metrics.MultiProcessCollector(registry)
    print(metrics.generate_latest(registry).decode())
"""


def test_counting_goes_on_or_is_left_out_where_there_is_no_room(tmp_path):
    """A page of a mapped file that has no room kills whoever writes to it: so the file has all of its bytes."""
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics")}
    command = [sys.executable, "-c", NO_ROOM]
    done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "sparse: 0 of 2" in done.stdout, done.stderr
    assert 'ludoscore_requests_total{method="GET",route="unknown",status="200"} 2.0' in done.stdout
    assert done.stderr.count("requests are not counted") == 1


NO_FOLDER = """if True:
    import django; django.setup()
    from django.test import RequestFactory
    from ops import metrics

    request = RequestFactory().get("/")
    request.resolver_match = None
    metrics.count(request, 200, 0.1)
    metrics.Stored.collect = lambda self: []
    print("shown:", metrics.generate_latest(metrics._registry()).decode().count("ludoscore_requests_total{"))
"""


def test_folder_of_counts_that_cannot_be_made_stops_nobody(tmp_path):
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "metrics"
    done = run("-c", NO_FOLDER, environment=os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)})
    assert done.stdout == "shown: 0\n", done.stderr
    assert f"requests are not counted: {folder}: Not a directory" in done.stderr
    assert "Traceback" not in done.stderr
