"""What our own pages may call with the link a phone holds."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from scoring.models import Report
from tests.factories import EntryFactory, MembershipFactory, SeatFactory
from tests.scoring.evenings import evening, short
from tournaments.access import credentials
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def phone(*entries, csrf=False):
    client = APIClient(enforce_csrf_checks=csrf)
    for entry in entries:
        client.cookies[f"phone-{entry.event.uid}"] = link_of(entry)
    return client


def drop_out(client, entry, named=None):
    uid = entry.event.uid if named is None else named
    return client.patch(f"/api/v1/entries/{entry.uid}/?as={uid}", {"status": "dropped"})


def test_page_speaks_for_the_player_whose_link_the_phone_holds():
    entry = EntryFactory()
    assert drop_out(phone(entry), entry).status_code == 200
    entry.refresh_from_db()
    assert entry.status == "dropped"


def test_held_link_counts_only_where_the_page_names_it():
    entry = EntryFactory()
    assert drop_out(phone(entry), entry, named="").status_code == 403


def test_phone_at_two_events_speaks_for_the_one_that_is_named():
    one, other = EntryFactory(), EntryFactory()
    both = phone(one, other)
    assert drop_out(both, one, named=other.event.uid).status_code == 403
    assert drop_out(both, one).status_code == 200


def test_held_link_of_one_event_opens_no_other_under_its_name():
    entry, other = EntryFactory(), EntryFactory()
    client = APIClient()
    client.cookies[f"phone-{other.event.uid}"] = link_of(entry)
    assert drop_out(client, entry, named=other.event.uid).status_code == 403


def test_change_needs_the_csrf_token():
    entry = EntryFactory()
    refused = drop_out(phone(entry, csrf=True), entry)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


def send_as(client, tonight, entry):
    address = f"/api/v1/tables/{tonight.table.uid}/reports/?as={tonight.event.uid}.{entry.uid}"
    return client.post(address, {"report": short(tonight.sheet())}, format="json")


def test_sheet_is_sent_by_the_player_whom_the_page_names():
    tonight = evening()
    first = tonight.entries[0]
    assert send_as(phone(first), tonight, first).status_code == 201
    assert Report.objects.get().entry == first


def test_sheet_of_one_player_is_not_sent_by_the_next_whose_link_the_phone_holds():
    tonight = evening()
    first, second, _ = tonight.entries
    refused = send_as(phone(second), tonight, first)
    assert (refused.status_code, refused.json()["code"]) == (409, "other-player")
    assert first.name in refused.json()["detail"]
    assert not Report.objects.exists()


def test_sheet_of_a_player_is_not_sent_by_the_organiser_who_is_logged_in():
    tonight = evening()
    client = APIClient()
    client.force_login(tonight.organiser.user)
    refused = send_as(client, tonight, tonight.entries[0])
    assert (refused.status_code, refused.json()["code"]) == (409, "other-player")
    assert not Report.objects.exists()


def test_sheet_of_who_was_logged_in_is_sent_by_nobody_else_and_waits_for_them():
    tonight = evening()
    author, other = tonight.organiser.user, MembershipFactory(club=tonight.event.club, role="organiser").user
    client = APIClient()
    client.force_login(author)
    page = client.get(f"/e/{tonight.event.uid}/table/{tonight.table.uid}/?sheet").content.decode()
    address = next(part for part in page.split('"') if part.startswith(f"/api/v1/tables/{tonight.table.uid}/reports/"))
    client.logout()
    for user in (None, other):
        if user is not None:
            client.force_login(user)
        refused = client.post(address, {"report": short(tonight.sheet())}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (409, "other-player")
    assert not Report.objects.exists()
    client.force_login(author)
    assert client.post(address, {"report": short(tonight.sheet())}, format="json").status_code == 201


def test_sheet_of_who_was_logged_in_does_not_wait_for_an_event_that_is_over_or_for_nothing():
    tonight = evening()
    address = f"/api/v1/tables/{tonight.table.uid}/reports/?as="
    body = {"report": short(tonight.sheet())}
    for named in ("nosuch.login-1", "%00.login-1", ".login-1"):
        assert APIClient().post(address + named, body, format="json").status_code == 404
    Event.objects.filter(pk=tonight.event.pk).update(status=Event.Status.FINISHED)
    assert APIClient().post(f"{address}{tonight.event.uid}.login-1", body, format="json").status_code == 410


def test_page_of_who_is_logged_in_needs_the_csrf_token():
    tonight = evening()
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(tonight.organiser.user)
    address = f"/api/v1/tables/{tonight.table.uid}/reports/?as={tonight.event.uid}.login-{tonight.organiser.user.pk}"
    assert client.post(address, {"report": short(tonight.sheet())}, format="json").status_code == 403


def test_sheet_waits_while_the_phone_holds_a_link_that_was_renewed():
    tonight = evening()
    first = tonight.entries[0]
    client = phone(first)
    Entry.objects.filter(pk=first.pk).update(generation=first.generation + 1)
    refused = send_as(client, tonight, first)
    assert (refused.status_code, refused.json()["code"]) == (409, "other-player")
    first.refresh_from_db()
    client.cookies[f"phone-{tonight.event.uid}"] = link_of(first)
    assert send_as(client, tonight, first).status_code == 201


def test_name_of_a_player_is_told_to_nobody_outside_of_the_event():
    tonight, elsewhere = evening(), EntryFactory()
    first = tonight.entries[0]
    for client in (APIClient(), phone(elsewhere)):
        assert first.name not in send_as(client, tonight, first).json()["detail"]


def test_sheet_does_not_wait_for_an_event_that_is_over_or_for_nobody():
    tonight = evening()
    first, second, _ = tonight.entries
    for uid in ("nosuch", "%00", "."):
        nobody = EntryFactory.build(uid=uid, event=tonight.event)
        assert send_as(phone(second), tonight, nobody).status_code == 404
    Event.objects.filter(pk=tonight.event.pk).update(status=Event.Status.FINISHED)
    assert send_as(APIClient(), tonight, first).status_code == 410
    assert send_as(phone(second), tonight, first).status_code == 410


def test_explicit_credential_wins_over_the_held_link():
    one, other = EntryFactory(), EntryFactory()
    client = phone(one)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {link_of(other)}")
    assert drop_out(client, one).status_code == 403


def test_a_browser_is_one_voice_also_where_it_shows_its_second_link_as_a_credential():
    tonight = evening()
    first, second, _ = tonight.entries
    client = phone(first)
    client.cookies["device"] = "a browser"
    reports = f"/api/v1/tables/{tonight.table.uid}/reports/"
    sent = client.post(f"{reports}?as={tonight.event.uid}", {"report": short(tonight.sheet())}, format="json")
    assert sent.json()["status"] == "pending"
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {link_of(second)}")  # as on the page of the API's description
    refused = client.post(f"/api/v1/reports/{sent.json()['id']}/confirm/")
    assert (refused.status_code, refused.json()["code"]) == (403, "same-phone")


@pytest.mark.parametrize("value", ["nonsense", "lse_", "lsu_laptop"])
def test_cookie_that_is_no_link_is_nobody_or_nothing(value):
    entry = EntryFactory()
    client = APIClient()
    client.cookies[f"phone-{entry.event.uid}"] = value
    assert drop_out(client, entry).status_code in {403, 404}


def test_slip_speaks_for_its_table_and_no_other():
    own, other = SeatFactory().table, SeatFactory().table
    client = APIClient()
    client.cookies[f"phone-{own.uid}"] = credentials.derive(credentials.TABLE, own.uid, own.generation)
    orders = {table: [seat.entry.uid for seat in table.seats.all()] for table in (own, other)}
    for table, status in ((own, 200), (other, 403)):
        answer = client.patch(f"/api/v1/tables/{table.uid}/?as={own.uid}", {"seats": orders[table]})
        assert answer.status_code == status


def test_renewed_link_is_nothing_any_more():
    entry = EntryFactory()
    client = phone(entry)
    entry.generation += 1
    entry.save()
    assert drop_out(client, entry).status_code == 404
