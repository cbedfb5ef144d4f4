"""Phones that want to be told, through the API: their own link alone subscribes, lists and unsubscribes them."""

from __future__ import annotations

import pytest

from tests.api.callers import bearer
from tests.factories import EntryFactory, PushSubscriptionFactory
from tests.web.phones import link_of, phone_of
from tournaments.models import Entry, Event, PushSubscription
from tournaments.push.keys import decoded

pytestmark = pytest.mark.django_db

BROWSER = {
    "endpoint": "https://push.example.org/send/abc?x=1",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}


@pytest.fixture
def entry():
    return EntryFactory(event__status=Event.Status.RUNNING)


@pytest.fixture
def own(entry):
    return bearer(link_of(entry))


@pytest.fixture
def address(entry):
    return f"/api/v1/entries/{entry.uid}/push/"


def test_browser_subscribes_is_listed_and_unsubscribes(own, address):
    made = own.post(address, BROWSER, headers={"Accept-Language": "fr"})
    assert made.status_code == 201
    assert made.json() | {"id": "", "created_at": ""} == {
        "id": "",
        "host": "push.example.org",
        "language": "fr",
        "created_at": "",
    }
    listed = own.get(address).json()
    assert listed["subscriptions"] == [made.json()]
    assert len(decoded(listed["public_key"])) == 65
    assert "abc" not in str(listed), "the whole address lets whoever knows it send something there"
    assert own.get(made["Location"]).json() == made.json()
    assert own.delete(made["Location"]).status_code == 204
    assert own.get(made["Location"]).status_code == 404
    assert own.get(address).json()["subscriptions"] == []


def test_browser_that_is_known_is_renewed(own, address):
    first = own.post(address, BROWSER).json()
    again = own.post(address, BROWSER)
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert PushSubscription.objects.count() == 1


def test_page_of_the_player_subscribes_with_the_link_that_it_holds(entry, address):
    held = phone_of(entry)
    made = held.post(f"{address}?as={entry.event.uid}", BROWSER, content_type="application/json")
    assert made.status_code == 201
    assert held.post(address, BROWSER, content_type="application/json").status_code == 403


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"endpoint": "https://192.168.0.1/x"}, ["endpoint"]),
        ({"endpoint": "http://push.example.org/x"}, ["endpoint"]),
        ({"keys": BROWSER["keys"] | {"auth": "AAAA"}}, ["keys", "auth"]),
        ({"keys": BROWSER["keys"] | {"p256dh": "AAAA"}}, ["keys", "p256dh"]),
    ],
)
def test_what_no_message_can_be_sent_to_is_refused(own, address, wrong, path):
    refused = own.post(address, BROWSER | wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "subscription-invalid")
    assert [each["path"] for each in refused.json()["errors"]] == [path]


@pytest.mark.parametrize("body", [{}, {"endpoint": "https://push.example.org/x"}, BROWSER | {"keys": []}])
def test_body_of_another_shape_is_refused(own, address, body):
    assert own.post(address, body).status_code == 400


def test_phone_of_another_player_is_nobodys_business(own, entry):
    other = PushSubscriptionFactory(entry=EntryFactory(event=entry.event))
    theirs = f"/api/v1/entries/{other.entry.uid}/push/"
    assert own.get(theirs).status_code == 403
    assert own.delete(f"{theirs}{other.uid}/").status_code == 403
    assert own.delete(f"/api/v1/entries/{entry.uid}/push/{other.uid}/").status_code == 404
    assert PushSubscription.objects.get() == other


def test_renewed_link_lists_no_phone_of_the_former(own, entry, address):
    own.post(address, BROWSER)
    Entry.objects.filter(pk=entry.pk).update(generation=2)
    entry.refresh_from_db()
    assert own.get(address).status_code == 404, "as for any wrong link"
    assert bearer(link_of(entry)).get(address).json()["subscriptions"] == []


def test_service_that_sends_none_offers_no_key(own, address, settings):
    settings.WEB_PUSH = False
    assert own.get(address).json()["public_key"] == ""
    refused = own.post(address, BROWSER)
    assert (refused.status_code, refused.json()["code"]) == (409, "push-off")
