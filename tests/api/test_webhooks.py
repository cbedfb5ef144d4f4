"""Webhooks through the API: made with a secret that is shown once, tested, logged, delivered once more."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from standardwebhooks import Webhook as Verifier

from tests.documents import json_blocks
from tests.factories import DeliveryFactory, WebhookFactory
from tests.tournaments.receivers import receiver
from tournaments.models import Delivery, MessageType, Webhook
from tournaments.webhooks import delivery

URL = "/api/v1/clubs/cafe-meeple/webhooks/"
NEW = {"url": "https://receiver.example.org/hook", "types": ["round.seated", "result.final"]}


@pytest.fixture
def hook(cast):
    """The path of a webhook of the club."""
    return f"{URL}{WebhookFactory(club=cast.club).uid}/"


def test_secret_is_shown_once(cast):
    response = cast.owner.post(URL, NEW, headers={"Idempotency-Key": "k"})
    made = response.json()
    assert response.status_code == 201
    assert made["secret"].startswith("whsec_")
    assert (made["url"], made["types"], made["active"]) == (NEW["url"], ["result.final", "round.seated"], True)
    again = cast.owner.post(URL, NEW, headers={"Idempotency-Key": "k"})
    assert (again.status_code, again.json()["code"]) == (409, "secret-already-shown")
    for path in (URL, f"{URL}{made['id']}/"):
        assert "secret" not in cast.owner.get(path).content.decode()
    assert Webhook.objects.count() == 1


def test_rotation_shows_the_new_secret(cast, hook):
    secret = cast.owner.post(f"{hook}rotate/").json()["secret"]
    webhook = Webhook.objects.get()
    assert webhook.secret == secret
    assert webhook.former_secret not in {"", secret}


@pytest.mark.parametrize("url", ["https://127.0.0.1/", "https://[::1]/", "https://localhost/", "http://example.org/"])
def test_private_target_is_refused(cast, hook, url):
    for response in (cast.owner.post(URL, NEW | {"url": url}), cast.owner.patch(hook, {"url": url})):
        assert (response.status_code, response.json()["code"]) == (422, "webhook-invalid")
        assert response.json()["errors"][0]["path"] == ["url"]


@pytest.mark.parametrize("types", [[], ["ping"], ["unknown"], "result.final"])
def test_webhook_is_told_of_something_that_happens(cast, types):
    assert cast.owner.post(URL, NEW | {"types": types}).status_code == 400


def test_webhook_is_changed_and_deleted(cast, hook):
    changed = cast.owner.patch(hook, {"types": ["event.finished"], "active": False}).json()
    assert (changed["types"], changed["active"], changed["switched_off"]) == (["event.finished"], False, "")
    assert cast.owner.patch(hook, {"active": True}).json()["active"] is True
    assert cast.owner.delete(hook).status_code == 204
    assert cast.owner.get(hook).status_code == 404


def test_ping_goes_out_and_stands_in_the_log(cast, settings):
    settings.WEBHOOKS_ALLOW_PRIVATE = True
    with receiver() as there:
        made = cast.owner.post(URL, NEW | {"url": there.url}).json()
        hook = f"{URL}{made['id']}/"
        sent = cast.organiser.post(f"{hook}test/")
        assert (sent.status_code, sent.json()["status"]) == (202, "waiting")
        delivery.work()
        ((headers, body),) = there.got
        assert Verifier(made["secret"]).verify(body, headers)["type"] == "ping"
        (logged,) = cast.organiser.get(f"{hook}deliveries/").json()["results"]
        assert (logged["id"], logged["status"], logged["attempts"]) == (headers["webhook-id"], "delivered", 1)
        assert (logged["failure"], logged["response_status"]) == ("", 200)
        assert logged["payload"]["data"] == {"club": "cafe-meeple", "webhook": made["id"]}
        again = cast.organiser.post(f"{hook}deliveries/{logged['id']}/redeliver/")
        assert (again.status_code, again.json()["status"]) == (202, "waiting")
        delivery.work()
        assert there.ids == [logged["id"]] * 2


def test_nothing_is_sent_to_a_webhook_that_is_off(cast, hook):
    sent = DeliveryFactory(webhook=Webhook.objects.get())
    cast.owner.patch(hook, {"active": False})
    for path in ("test/", f"deliveries/{sent.uid}/redeliver/"):
        response = cast.owner.post(hook + path)
        assert (response.status_code, response.json()["code"]) == (409, "webhook-off")


def test_delivery_of_another_webhook_is_not_found(cast, hook):
    assert cast.owner.post(f"{hook}deliveries/{DeliveryFactory().uid}/redeliver/").status_code == 404
    assert cast.owner.get(f"{URL}{WebhookFactory().uid}/").status_code == 404


def test_seated_round_is_announced_with_its_address(cast):
    WebhookFactory(club=cast.club)
    fields = {"club": "cafe-meeple", "name": "E", "game": "dix", "starts_at": "2026-11-18T19:00:00Z"}
    event = cast.organiser.post("/api/v1/events/", fields).json()["id"]
    path = f"/api/v1/events/{event}/"
    cast.organiser.patch(path, {"status": "registration"})
    for name in ("Ana", "Bo", "Cy", "Di"):
        cast.organiser.post(f"{path}entries/", {"name": name})
    assert cast.organiser.post(f"{path}rounds/", {}).status_code == 201
    sent = Delivery.objects.get(type=MessageType.ROUND_SEATED)
    data = {"club": "cafe-meeple", "event": event, "round": 1, "tables": 1, "url": f"{path}rounds/1/"}
    assert sent.payload["data"] == data
    [shown] = json_blocks("docs/webhooks.md")
    assert (shown.keys(), shown["data"].keys()) == (sent.payload.keys(), data.keys())
    assert cast.nobody.get(sent.payload["data"]["url"]).status_code == 200


def test_log_takes_as_many_queries_for_many_as_for_few(cast, hook):
    cast.organiser.get(f"{hook}deliveries/")  # writes down the minute of the credential's use
    counts = []
    for number in (4, 36):
        DeliveryFactory.create_batch(number, webhook=Webhook.objects.get())
        with CaptureQueriesContext(connection) as queries:
            cast.organiser.get(f"{hook}deliveries/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
