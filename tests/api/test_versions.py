"""What is polled is answered once per version, and no change overwrites one that its maker has not seen."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from core import epochs
from tests.api.callers import bearer
from tests.api.schemas import published
from tests.api.test_evening import Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening():
    """An event with four players at one table."""
    evening = Evening()
    evening.enter(*(f"P{number}" for number in range(4)))
    evening.table = evening.seat()["tables"][0]
    return evening


def changeable(evening):
    return [evening.url, f"{evening.url}rounds/1/", f"/api/v1/tables/{evening.table['id']}/"]


def polled(evening):
    return [*changeable(evening), f"{evening.url}entries/", f"{evening.url}rounds/"]


def test_what_the_caller_has_is_not_sent_again(evening):
    for url in polled(evening):
        for caller in (APIClient(), evening.organiser):
            first = caller.get(url)
            again = caller.get(url, headers={"If-None-Match": f'"other", W/{first["ETag"]}'})
            assert (first.status_code, again.status_code, again.content) == (200, 304, b""), url
            assert again["ETag"] == first["ETag"]
            assert {"Authorization", "Cookie"} <= set(again["Vary"].split(", "))


def test_what_was_read_in_another_life_of_the_database_is_neither_had_nor_seen(evening, monkeypatch):
    lists = [f"{evening.url}standings/", "/api/v1/leaderboards/dix/"]
    known = {url: evening.organiser.get(url)["ETag"] for url in [*polled(evening), *lists]}
    monkeypatch.setattr(epochs, "_current", "restored")
    for url, tag in known.items():
        assert evening.organiser.get(url, headers={"If-None-Match": tag}).status_code == 200, url
    for url in changeable(evening):
        assert evening.organiser.patch(url, {}, headers={"If-Match": known[url]}).status_code == 412, url


def test_every_change_of_an_event_is_seen_by_who_polls(evening):
    seats = [seat["entry"] for seat in evening.table["seats"]]
    changes = [
        lambda: evening.patch_round(1, status="running"),
        lambda: evening.organiser.patch(f"/api/v1/tables/{evening.table['id']}/", {"seats": seats[::-1]}),
        lambda: evening.organiser.post(f"/api/v1/entries/{seats[0]}/substitute/", {"name": "Sub"}),
        lambda: evening.organiser.patch(evening.url, {"name": "Thursday"}),
    ]
    for change in changes:
        known = {url: APIClient().get(url)["ETag"] for url in polled(evening)}
        change()
        for url, tag in known.items():
            assert APIClient().get(url, headers={"If-None-Match": tag}).status_code == 200, url


def test_an_organiser_is_not_told_that_they_know_what_everybody_knows(evening):
    url = f"{evening.url}rounds/1/"
    known = APIClient().get(url)["ETag"]
    assert evening.organiser.get(url, headers={"If-None-Match": known}).status_code == 200


def test_a_list_in_another_format_is_another_answer(evening):
    url = f"{evening.url}entries/"
    known = APIClient().get(url)["ETag"]
    assert APIClient().get(url, headers={"If-None-Match": known, "Accept": "text/csv"}).status_code == 200
    csv = APIClient().get(f"{url}?format=csv")
    assert APIClient().get(f"{url}?format=csv", headers={"If-None-Match": csv["ETag"]}).status_code == 304


def test_304_makes_nothing(evening, django_assert_max_num_queries):
    known = APIClient().get(f"{evening.url}rounds/")["ETag"]
    with django_assert_max_num_queries(2):
        APIClient().get(f"{evening.url}rounds/", headers={"If-None-Match": known})


def test_a_round_is_not_changed_by_who_has_not_seen_it_and_joins_do_not_matter(evening):
    url = f"{evening.url}rounds/1/"
    seen = evening.organiser.get(url)["ETag"]
    evening.join("Latecomer")
    assert evening.organiser.patch(url, {"extend": 5}, headers={"If-Match": seen}).status_code == 200
    late = evening.organiser.patch(url, {"extend": 5}, headers={"If-Match": seen})
    assert (late.status_code, late.json()["code"]) == (412, "version-mismatch")


def test_a_substitute_makes_a_seating_that_was_read_before_old(evening):
    url, table = f"{evening.url}rounds/1/", f"/api/v1/tables/{evening.table['id']}/"
    seen, seen_table = evening.organiser.get(url)["ETag"], evening.organiser.get(table)["ETag"]
    leaving = evening.table["seats"][0]["entry"]
    evening.organiser.post(f"/api/v1/entries/{leaving}/substitute/", {"name": "Sub"})
    assert evening.organiser.patch(url, {"status": "running"}, headers={"If-Match": seen}).status_code == 412
    assert evening.organiser.patch(table, {"seats": []}, headers={"If-Match": seen_table}).status_code == 412


def test_a_change_of_a_table_happens_whole_or_not_at_all(evening):
    url = f"/api/v1/tables/{evening.table['id']}/"
    seats = [seat["entry"] for seat in evening.table["seats"]]
    refused = evening.organiser.patch(url, {"seats": seats[::-1], "status": "playing"})
    assert refused.status_code == 409
    assert [seat["entry"] for seat in evening.organiser.get(url).json()["seats"]] == seats


def test_a_change_of_nothing_needs_the_right_to_change(evening):
    for url in changeable(evening):
        assert APIClient().patch(url, {}).status_code == 403
        assert APIClient().patch(url, {"reason": "why not"}).status_code == 403
        assert evening.organiser.patch(url, {}).status_code == 200


def test_schema_names_the_headers_and_their_answers():
    paths = published()["paths"]
    read, change = (paths["/api/v1/events/{uid}/"][method] for method in ("get", "patch"))
    assert {"304", "ETag"} <= {*read["responses"], *read["responses"]["200"]["headers"]}
    assert "412" in change["responses"]
    named = [parameter["name"] for parameter in (*read["parameters"], *change["parameters"])]
    assert {"If-None-Match", "If-Match"} <= set(named)


def test_open_tables_are_polled_by_who_sits_there():
    evening = Evening(format="open", starts_at=(timezone.now() - dt.timedelta(hours=1)).isoformat())
    evening.organiser.patch(evening.url, {"status": "running"})
    one, other = (evening.join(name) for name in ("Ana", "Ben"))
    table = bearer(one["token"]).post(f"{evening.url}tables/", {}).json()
    url = f"/api/v1/tables/{table['id']}/"
    public = bearer(other["token"]).get(url)
    assert "code" not in public.json()
    assert bearer(one["token"]).get(url, headers={"If-None-Match": public["ETag"]}).json()["code"] == table["code"]


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_to_what_both_have_read_one_is_made(evening):
    seats = [seat["entry"] for seat in evening.table["seats"]]
    for url, body in [
        (f"/api/v1/tables/{evening.table['id']}/", {"seats": seats[::-1]}),
        (f"{evening.url}rounds/1/", {"extend": 5}),
        (evening.url, {"name": "Thursday"}),
    ]:
        seen, start, statuses = evening.organiser.get(url)["ETag"], threading.Barrier(4), []

        def change(url=url, body=body, seen=seen, start=start, statuses=statuses):
            start.wait(10)
            statuses.append(evening.organiser.patch(url, body, headers={"If-Match": seen}).status_code)
            connection.close()

        threads = [threading.Thread(target=change) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [200, 412, 412, 412], url
