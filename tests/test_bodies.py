"""How large a request may be, at both doors, and that every sheet fits."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from engines.simulation import Plan, play_game
from tests.api.callers import bearer
from tests.engines.games import every_variant, renamed
from tests.factories import CredentialFactory
from tests.scoring.evenings import evening
from tests.web.phones import phone_of

SHEET, FILE, OTHER = settings.SHEET_MAX_BYTES, settings.FILE_MAX_BYTES, settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.fixture
def tonight():
    found = evening()
    CredentialFactory(user=found.organiser.user, secret="lsu_organiser")
    return found


def body_of(size):
    """Return a JSON object of so many bytes."""
    return '{"a": "' + "x" * (size - 9) + '"}'


def sent(method, path, size):
    caller = bearer("lsu_organiser")
    return caller.generic(method, f"/api/v1/{path}", body_of(size), content_type="application/json")


ROUTES = [
    ("POST", "games/dix/check/", SHEET),
    ("POST", "games/dix/assist/", SHEET),
    ("POST", "tables/{table}/reports/", SHEET),
    ("PUT", "tables/{table}/draft/", SHEET),
    ("POST", "tables/{table}/decision/", SHEET),
    ("POST", "clubs/{club}/players/import/", FILE),
    ("POST", "clubs/{club}/players/", OTHER),
    ("POST", "events/", OTHER),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "path", "most"), ROUTES)
def test_body_has_its_cap(tonight, method, path, most):
    path = path.format(table=tonight.table.uid, club=tonight.event.club.slug)
    assert sent(method, path, most).status_code not in {404, 405, 413}
    refused = sent(method, path, most + 1)
    assert (refused.status_code, refused.json()["code"]) == (413, "body-too-large")
    assert refused.json()["most_bytes"] == most
    assert f" {most // 1000} kB" in refused.json()["detail"]


@pytest.mark.django_db
def test_form_with_a_sheet_has_the_cap_of_a_sheet(tonight):
    table = f"/e/{tonight.event.uid}/table/{tonight.table.uid}/"
    console = f"/e/{tonight.event.uid}/console/table/{tonight.table.uid}/"
    organiser = Client()
    organiser.force_login(tonight.organiser.user, "django.contrib.auth.backends.ModelBackend")
    doors = [
        (phone_of(tonight.entries[0]), table),
        (Client(), "/games/dix/"),
        (organiser, f"{console}sheet/"),
        (organiser, f"{console}decide/"),
    ]
    for client, address in doors:
        assert client.post(address, {"payload": '{"drop": true}'}).status_code == 200, address
        refused = client.post(address, urlencode({"kept": "x" * SHEET}), "application/x-www-form-urlencoded")
        assert refused.status_code == 413, address
        assert "too much at once" in refused.content.decode()


def test_other_form_has_a_cap(client):
    sent = client.post("/i18n/setlang/", urlencode({"language": "x" * OTHER}), "application/x-www-form-urlencoded")
    assert sent.status_code == 413


@pytest.mark.parametrize("player", ["decent", "random"])
@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_largest_sheet_fits_four_times_over(engine, variant, player):
    """As the service stores it, with ids of players for labels, and as a plain form with a field for each value."""
    people = variant.people[-1]
    labels = {f"seat-{number}": f"pl_{number:016}" for number in range(1, people + 1)}
    for number in range(20):
        plan = Plan(engine.slug, variant.slug, people, seed=7, player=player)
        report = renamed(play_game(plan, number).report, labels)
        assert 4 * len(json.dumps(report)) < SHEET
        assert 4 * len(urlencode(dict(fields(report)))) < SHEET


def fields(value, name=""):
    """Return every value of a report with a name as a form has it: `block.pl_1.phases.3`."""
    if not isinstance(value, dict | list):
        return [(name, value)]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [field for step, each in inner for field in fields(each, f"{name}.{step}")]


@pytest.mark.django_db
def test_list_that_is_too_long_is_refused_before_anything_in_it_is_looked_at(tonight):
    answer = bearer("lsu_organiser").patch(
        f"/api/v1/events/{tonight.event.uid}/", {"tiebreaks": ["nonsense"] * 20_000}, content_type="application/json"
    )
    assert answer.status_code == 400
    (finding,) = answer.json()["errors"]
    assert (finding["code"], finding["path"]) == ("max-length", ["tiebreaks"])
