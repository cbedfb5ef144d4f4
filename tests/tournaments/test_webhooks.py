"""Messages to webhooks reach real receivers, signed, once more after a failure, and never a private address."""

from __future__ import annotations

import datetime as dt
import json
import socket
import ssl
import subprocess
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from celery import current_app
from django.http import Http404
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from core import publishing
from tests.factories import ClubFactory, DeliveryFactory, EventFactory, MembershipFactory, WebhookFactory
from tests.tournaments.receivers import babble, drip, hang, hang_until, listener, receiver
from tournaments import tasks
from tournaments.actors import Actor, Kind
from tournaments.errors import TooManyWebhooksError, WebhookInvalidError, WebhookOffError
from tournaments.models import Delivery, Event, Failure, MessageType, Role, Webhook
from tournaments.services import events, webhooks
from tournaments.webhooks import delivery, sending, shifts, targets
from tournaments.webhooks.shifts import Waiting, in_turn

NOW = dt.datetime(2026, 11, 18, 18, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def there(local):
    """A receiver on this machine."""
    with receiver() as running:
        yield running


@pytest.fixture
def quick(monkeypatch):
    """Cut receivers off after a moment."""
    monkeypatch.setattr(sending, "SECONDS", 0.3)
    monkeypatch.setitem(sending.send.__kwdefaults__, "seconds", 0.3)


@pytest.fixture
def owner(db):
    """The owner of a club, as a caller."""
    return Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER).user)


@pytest.fixture
def club(owner):
    return owner.user.clubs.get()


def message_to(url, **fields):
    return DeliveryFactory(webhook__url=url, webhook__busy_until=NOW, **fields)


def deliver(now=NOW):
    delivery.work(lambda: now)


def fails_at(sent, now):
    """Deliver at a moment, expect a failure, and return the pause until the next attempt."""
    deliver(now)
    sent.refresh_from_db()
    assert sent.delivered_at is None
    return sent.next_attempt_at and sent.next_attempt_at - now


# --- Sending ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_message_arrives_signed(there, club):
    WebhookFactory(club=club, url=there.url, types=["result.final"])
    webhooks.announce(club, "result.final", {"table": "t1", "name": "Café"})
    delivery.work()
    ((headers, body),) = there.got
    secret = Webhook.objects.get().secret
    assert Verifier(secret).verify(body, headers)["data"] == {"club": club.slug, "table": "t1", "name": "Café"}
    with pytest.raises(WebhookVerificationError):
        Verifier("whsec_b3RoZXI=").verify(body, headers)
    assert headers["content-type"] == "application/json"
    sent = Delivery.objects.get()
    assert headers["webhook-id"] == sent.uid
    assert (sent.status, sent.attempts, sent.response_status) == ("delivered", 1, 200)


@pytest.mark.django_db
def test_former_secret_signs_too_while_receivers_change_over(there, owner, club):
    webhook = WebhookFactory(club=club, url=there.url)
    former = webhook.secret
    webhook = webhooks.rotate_secret(actor=owner, webhook=webhook)
    webhooks.ping(actor=owner, webhook=webhook)
    delivery.work()
    Webhook.objects.update(former_until=timezone.now())
    webhooks.ping(actor=owner, webhook=webhook)
    delivery.work()
    (first, body), (second, other) = there.got
    assert Verifier(former).verify(body, first) == Verifier(webhook.secret).verify(body, first)
    assert Verifier(webhook.secret).verify(other, second)
    with pytest.raises(WebhookVerificationError):
        Verifier(former).verify(other, second)


@pytest.mark.django_db
def test_what_was_delivered_is_never_sent_again(there):
    message_to(there.url)
    for _ in range(3):
        deliver()
    assert len(there.got) == 1


@pytest.mark.django_db
def test_failed_message_is_tried_again_later_each_time_under_one_id_and_then_given_up(there):
    there.status = 503
    sent, now, pauses = message_to(there.url), NOW, []
    while pause := fails_at(sent, now):
        pauses.append(pause)
        deliver(now + pause - SECOND)  # too early
        now += pause
    assert pauses == list(delivery.PAUSES)
    assert pauses == sorted(pauses)
    assert there.ids == [sent.uid] * 8
    assert (sent.status, sent.attempts, sent.failure, sent.response_status) == ("failed", 8, Failure.STATUS, 503)
    deliver(now + dt.timedelta(days=1))
    assert len(there.got) == 8


@pytest.mark.django_db
def test_message_that_a_later_attempt_delivers_ends_the_failing(there):
    there.status = 500
    sent = message_to(there.url)
    pause = fails_at(sent, NOW)
    assert Webhook.objects.get().failing_since == NOW
    there.status = 204
    deliver(NOW + pause)
    sent.refresh_from_db()
    assert (sent.status, sent.failure, sent.attempts) == ("delivered", "", 2)
    assert Webhook.objects.get().failing_since is None


@pytest.mark.django_db
def test_process_that_died_while_sending_leaves_a_message_that_is_sent(there):
    sent = message_to(there.url)
    assert delivery.claim(NOW, senders=1) == [sent]
    deliver(NOW + delivery.CLAIM - SECOND)
    assert there.got == []
    deliver(NOW + delivery.CLAIM)
    assert there.ids == [sent.uid]


@pytest.mark.django_db
def test_process_that_died_after_sending_sends_again_under_the_same_id(there):
    sent = message_to(there.url)
    (claimed,) = delivery.claim(NOW, senders=1)
    assert delivery.attempt(claimed, NOW).failure is None
    deliver(NOW + delivery.CLAIM)
    assert there.ids == [sent.uid] * 2


@pytest.mark.django_db
def test_late_failure_does_not_undo_a_delivery(there):
    sent = message_to(there.url)
    (claimed,) = delivery.claim(NOW, senders=1)
    deliver(NOW + delivery.CLAIM)
    delivery.record(claimed, sending.Outcome(Failure.TIMEOUT), NOW + delivery.CLAIM)
    sent.refresh_from_db()
    assert sent.status == "delivered"


@pytest.mark.django_db
def test_webhook_is_claimed_once():
    sent = DeliveryFactory(webhook__busy_until=NOW)
    DeliveryFactory(webhook=sent.webhook)
    assert delivery.claim(NOW, senders=8) == [sent], "one message of a webhook at a time, the oldest first"
    assert delivery.claim(NOW, senders=8) == []


# --- Receivers that misbehave -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_redirect_is_not_followed(there):
    with receiver() as elsewhere:
        there.status, there.headers = 307, {"Location": elsewhere.url}
        sent = message_to(there.url)
        fails_at(sent, NOW)
        assert elsewhere.got == []
    assert (sent.failure, sent.response_status) == (Failure.REDIRECT, 307)


@pytest.mark.parametrize(
    ("speak", "failure"), [(hang, Failure.TIMEOUT), (drip, Failure.TIMEOUT), (babble, Failure.NO_ANSWER)]
)
def test_receiver_that_does_not_answer_is_cut_off(local, speak, failure):
    with listener(speak) as url:
        started = time.monotonic()
        outcome = sending.send(url, b"{}", {}, seconds=0.3)
        assert time.monotonic() - started < 2
    assert outcome.failure == failure
    assert not outcome.is_answered


def test_answer_counts_even_if_its_body_never_ends(local):
    def ramble(connection: socket.socket, stop: threading.Event) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not stop.wait(0.02):
            connection.sendall(b"blah")

    with listener(ramble) as url:
        outcome = sending.send(url, b"{}", {}, seconds=0.5)
    assert (outcome.failure, outcome.status) == (None, 200)
    assert outcome.milliseconds < 2000


def test_receiver_that_is_not_there_is_a_failure(local):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
    assert sending.send(url, b"{}", {}).failure == Failure.UNREACHABLE
    assert sending.send("http://no.such.host.invalid/", b"{}", {}).failure == Failure.UNKNOWN_HOST


@pytest.fixture
def ended():
    """The addresses of the messages that were answered, in this order."""
    return []


def deliver_watched(ended, clock=lambda: NOW):
    def watched(message, now):
        outcome = delivery.attempt(message, now)
        ended.append(message.webhook.url)
        return outcome

    replace(delivery.shift, attempt=watched).work(clock)


@pytest.mark.django_db
def test_receiver_that_hangs_delays_no_other(there, ended):
    with listener(hang_until(lambda: there.url in ended)) as url:
        for _ in range(shifts.SENDERS - shifts.RESERVED + 2):
            message_to(url, webhook__failing_since=NOW)
        sent = message_to(there.url)
        deliver_watched(ended)
    sent.refresh_from_db()
    assert sent.status == "delivered"
    assert ended[0] == there.url, "it was not behind those that hang"


@pytest.fixture
def slow(there, ended):
    """Ten webhooks of one club whose receiver answers well, but not before the other receiver has answered."""
    with receiver() as running:
        running.is_ready = lambda: there.url in ended
        club = ClubFactory()
        for _ in range(10):
            message_to(running.url, webhook__club=club)
        yield running


@pytest.mark.django_db
def test_receivers_that_answer_slowly_delay_no_other_club(there, slow, ended):
    message_to(there.url)
    deliver_watched(ended)
    assert ended[0] == there.url, "it was not behind those that are slow"
    assert len(slow.got) == 10


@pytest.mark.django_db
@pytest.mark.parametrize("is_over", [False, True], ids=["in a shift", "at its end"])
def test_message_that_comes_while_others_are_slow_is_sent_at_once(there, slow, ended, monkeypatch, is_over):
    def are_senders_busy():
        return len(slow.got) >= shifts.SENDERS - shifts.RESERVED

    message_to(there.url, next_attempt_at=NOW + SECOND)
    seconds = SimpleNamespace(monotonic=lambda: shifts.SHIFT if is_over and are_senders_busy() else 0.0)
    monkeypatch.setattr(shifts, "time", seconds)
    deliver_watched(ended, lambda: NOW + SECOND if are_senders_busy() else NOW)
    assert ended[0] == there.url, "it did not wait for an answer of the slow ones"


@pytest.mark.django_db
def test_what_is_left_at_the_end_of_a_shift_is_another_task(there, monkeypatch):
    published = []
    monkeypatch.setattr(shifts, "SHIFT", 0.0)
    monkeypatch.setattr(shifts, "publish", published.append)
    deliver()
    assert published == []
    message_to(there.url)
    deliver()
    assert published == [tasks.deliver.name]


# --- Turns ------------------------------------------------------------------------------------------------------


def waiting(*owners, is_well=True):
    return [Waiting(number, owner, is_well) for number, owner in enumerate(owners)]


def test_one_club_alone_has_all_senders_but_those_that_are_kept():
    alone = waiting(*[(1,)] * 20)
    assert in_turn(alone, [], senders=shifts.SENDERS) == list(range(shifts.SENDERS - shifts.RESERVED))
    assert in_turn(alone, [(1,)] * 6, senders=2) == []


def test_clubs_take_turns_and_events_of_a_club_do():
    mixed = waiting((1, 1), (1, 1), (1, 1), (1, 2), (2, 3), (2, 3))
    assert in_turn(mixed, [], senders=6) == [0, 4, 3, 5]
    assert in_turn(mixed, [(1, 1), (1, 1)], senders=3) == [4]


def test_club_of_which_nothing_is_under_way_gets_a_sender_that_is_kept():
    assert in_turn(waiting((1,), (2,), (3,), (4,)), [(1,)] * 6, senders=2) == [1, 2]
    assert in_turn(waiting((2,), is_well=False), [(1,)] * 6, senders=2) == []


def test_receiver_that_fails_waits_for_one_that_answers_and_not_for_a_club_that_has_many():
    failing, well = Waiting(1, (1,), is_well=False), Waiting(2, (2,), is_well=True)
    assert in_turn([failing, well], [], senders=8) == [2, 1]
    assert in_turn([failing, well], [(2,)] * 3, senders=5) == [1, 2]


def wait_until(condition, seconds=5.0):
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds
        time.sleep(0.005)
    return time.monotonic() - started


@pytest.mark.django_db
def test_second_thread_of_a_process_leaves_delivering_to_the_first(there):
    message_to(there.url)
    with delivery.shift.at_work:
        deliver()
    assert there.got == []
    deliver()
    assert len(there.got) == 1


@pytest.mark.django_db
def test_messages_to_a_receiver_that_is_away_wait_together(local, quick):
    with listener(hang) as url:
        first = message_to(url)
        second = DeliveryFactory(webhook=first.webhook)
        fails_at(first, NOW)
    second.refresh_from_db()
    assert second.attempts == 0
    assert second.next_attempt_at == first.next_attempt_at == NOW + delivery.PAUSES[0]


@pytest.mark.django_db
def test_message_that_is_refused_holds_up_no_other(there):
    there.status = 400
    first = message_to(there.url)
    second = DeliveryFactory(webhook=first.webhook)
    deliver()
    assert there.ids == [first.uid, second.uid]


@pytest.mark.django_db
def test_fault_of_ours_fails_alone(there, monkeypatch):
    broken, fine = message_to(there.url, webhook__secret="whsec_"), message_to(there.url)
    deliver()
    broken.refresh_from_db()
    assert (broken.failure, broken.attempts) == (Failure.OUR_FAULT, 1)
    assert there.ids == [fine.uid]


@pytest.mark.django_db
def test_webhook_that_fails_for_days_is_switched_off(there):
    there.status = 500
    last = len(delivery.PAUSES)
    early = message_to(there.url, attempts=last, webhook__failing_since=NOW - delivery.PATIENCE + SECOND)
    late = message_to(there.url, attempts=last, webhook__failing_since=NOW - delivery.PATIENCE)
    waiting = DeliveryFactory(webhook=late.webhook, next_attempt_at=NOW + SECOND)
    deliver()
    early.webhook.refresh_from_db()
    late.webhook.refresh_from_db()
    waiting.refresh_from_db()
    assert early.webhook.is_active
    assert (late.webhook.is_active, late.webhook.switched_off) == (False, Webhook.Off.FAILING)
    assert waiting.status == "failed"


@pytest.mark.django_db
def test_receiver_that_says_it_is_gone_is_switched_off_at_once(there):
    there.status = 410
    sent = message_to(there.url)
    deliver()
    sent.webhook.refresh_from_db()
    assert (sent.webhook.is_active, sent.webhook.switched_off) == (False, Webhook.Off.GONE)


# --- TLS --------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path):
    """A certificate of `localhost` that signs itself, and its key."""
    pair = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    options = ["-addext", "subjectAltName=DNS:localhost", "-out", pair[0], "-keyout", pair[1]]
    subprocess.run([*command.split(), *options], check=True, capture_output=True)
    return pair


@pytest.fixture
def encrypted(local, certificate):
    """A receiver that speaks TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with receiver(context) as running:
        yield running


def test_certificate_nobody_vouches_for_is_refused(encrypted):
    assert sending.send(encrypted.url, b"{}", {}).failure == Failure.TLS
    assert encrypted.got == []


def test_certificate_is_verified_by_name_though_the_connection_goes_to_a_number(encrypted, certificate, monkeypatch):
    context = ssl.create_default_context(cafile=certificate[0])
    monkeypatch.setattr(sending, "tls", lambda: context)
    assert sending.send(encrypted.url, b"{}", {}).failure is None
    ((headers, _body),) = encrypted.got
    assert headers["host"] == encrypted.url.split("/")[2]
    wrong_name = encrypted.url.replace("localhost", "127.0.0.1")
    assert sending.send(wrong_name, b"{}", {}).failure == Failure.TLS


# --- Private targets --------------------------------------------------------------------------------------------

PRIVATE = [
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:db8::1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_address_that_is_not_public_is_refused(address):
    assert not targets.is_public(address)
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(WebhookInvalidError):
        targets.target_of(f"https://{host}/")


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "2606:2800:21f:cb07::1", "::ffff:93.184.215.14", "64:ff9b::93.184.215.14"]
)
def test_public_address_is_allowed(address):
    assert targets.is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://0/",
        "https://localhost/",
        "https://localhost./",
        "https://LOCALHOST:8000/",
        "https://db.localhost/",
        "https://intranet/",
        "http://receiver.example.org/",
        "ftp://receiver.example.org/",
        "file:///etc/passwd",
        "https://user@receiver.example.org/",
        "https://user:password@receiver.example.org/",
        "https://receiver.example.org/#here",
        "https://receiver.example.org:99999/",
        "https://[::1/",
        "https:///path",
        "https://receiver.example.org/a b",
        "https://receiver.example.org/\r\nX: y",
        "https://réception.example.org/",
        "https://receiver.example.org/" + "x" * 500,
        "",
    ],
)
def test_address_nothing_may_be_sent_to_is_refused(url):
    with pytest.raises(WebhookInvalidError):
        targets.target_of(url)


def looked_up(monkeypatch, *answers):
    """Have names stand for these addresses, one answer after the other; return the names that were looked up."""
    asked, waiting = [], list(answers)

    def look_up(host, port, *args, **options):
        if options.get("flags"):
            raise socket.gaierror(socket.EAI_NONAME, "not a number")
        asked.append(host)
        found = waiting.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(targets.socket, "getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize("found", [["127.0.0.1"], ["10.1.2.3"], ["93.184.215.14", "192.168.0.1"]])
def test_name_that_stands_for_any_private_address_is_refused(monkeypatch, found):
    looked_up(monkeypatch, found)
    assert sending.send("https://receiver.example.org/", b"{}", {}).failure == Failure.PRIVATE_TARGET


def test_connection_goes_to_the_address_that_was_checked_and_no_name_is_looked_up_twice(monkeypatch):
    asked = looked_up(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    reached = []

    class Probe(socket.socket):
        def connect(self, address):
            reached.append(address)
            raise ConnectionRefusedError

    monkeypatch.setattr(sending.socket, "socket", Probe)
    assert sending.send("https://receiver.example.org/", b"{}", {}).failure == Failure.UNREACHABLE
    assert asked == ["receiver.example.org"]
    assert reached == [("93.184.215.14", 443)]


@pytest.mark.django_db
def test_webhook_made_before_its_address_was_forbidden_sends_nothing():
    with receiver() as there:
        sent = message_to(there.url)
        fails_at(sent, NOW)
        assert there.got == []
    assert sent.failure == Failure.PRIVATE_TARGET


# --- Announcing -------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_only_webhooks_that_want_it_are_told(club, django_assert_num_queries):
    for fields in ({"types": ["round.seated"]}, {"is_active": False}, {"club": ClubFactory()}):
        WebhookFactory(**{"club": club} | fields)
    with django_assert_num_queries(1):
        webhooks.announce(club, MessageType.RESULT_FINAL, {})
    webhooks.announce(club, MessageType.ROUND_SEATED, {"round": 1})
    assert Delivery.objects.get().payload["data"] == {"club": club.slug, "round": 1}


@pytest.mark.django_db
def test_announcement_hints_the_worker(club, monkeypatch, django_capture_on_commit_callbacks):
    hinted = []
    monkeypatch.setattr(publishing, "publish", lambda *task: hinted.append(task))
    WebhookFactory(club=club)
    with django_capture_on_commit_callbacks(execute=True):
        webhooks.announce(club, MessageType.RESULT_FINAL, {})
    assert hinted == [("tournaments.tasks.deliver",)]


def test_deliveries_have_a_queue_of_their_own_that_a_plain_worker_takes_too():
    assert tasks.deliver.name == webhooks.DELIVER
    assert current_app.amqp.router.route({}, webhooks.DELIVER)["queue"].name == "webhooks"
    assert set(current_app.amqp.queues) == {"celery", "webhooks"}


@pytest.mark.django_db
def test_finished_event_is_announced(owner, club, settings):
    settings.PUBLIC_URL = "https://scores.example.org"
    WebhookFactory(club=club)
    event = EventFactory(club=club, status=Event.Status.RUNNING)
    events.change_status(actor=owner, event=event, status="finished")
    sent = Delivery.objects.get()
    assert (sent.type, sent.payload["type"]) == ("event.finished", "event.finished")
    address = f"https://scores.example.org/api/v1/events/{event.uid}/"
    moved = {"status": "finished", "before": "running"}
    assert sent.payload["data"] == {"club": club.slug, "event": event.uid, "url": address} | moved


# --- What owners and organisers do ------------------------------------------------------------------------------


def test_redelivery_sends_what_was_given_up_with_all_its_attempts(there, owner, club):
    sent = DeliveryFactory(webhook=WebhookFactory(club=club, url=there.url), attempts=8, next_attempt_at=None)
    assert sent.status == "failed"
    webhooks.redeliver(actor=owner, delivery=sent)
    delivery.work()
    sent.refresh_from_db()
    assert (sent.status, sent.attempts, there.ids) == ("delivered", 1, [sent.uid])
    webhooks.redeliver(actor=owner, delivery=sent)
    delivery.work()
    assert there.ids == [sent.uid] * 2


def test_webhook_that_is_off_gives_up_what_waits_and_sends_nothing(there, owner, club):
    sent = DeliveryFactory(webhook=WebhookFactory(club=club, url=there.url))
    webhook = webhooks.edit_webhook(actor=owner, webhook=sent.webhook, is_active=False)
    delivery.work()
    sent.refresh_from_db()
    assert (sent.status, there.got) == ("failed", [])
    sent.webhook = webhook
    for refused in (
        lambda: webhooks.ping(actor=owner, webhook=webhook),
        lambda: webhooks.redeliver(actor=owner, delivery=sent),
    ):
        with pytest.raises(WebhookOffError):
            refused()


def test_webhook_that_is_switched_on_again_starts_afresh(owner, club):
    webhook = WebhookFactory(club=club, is_active=False, switched_off="failing", failing_since=NOW)
    webhook = webhooks.edit_webhook(actor=owner, webhook=webhook, is_active=True)
    assert (webhook.is_active, webhook.switched_off, webhook.failing_since) == (True, "", None)


def test_a_change_of_a_webhook_takes_nothing_back_that_others_changed_meanwhile(owner, club):
    webhook = WebhookFactory(club=club, types=["result.final"])
    Webhook.objects.update(types=["round.seated"])
    changed = webhooks.edit_webhook(actor=owner, webhook=webhook, url="https://example.org/new/")
    assert (changed.url, changed.types) == ("https://example.org/new/", ["round.seated"])


def test_what_a_channel_is_told_of_is_judged_by_what_it_is_now(owner, club):
    webhook = WebhookFactory(club=club, types=["result.final"])
    Webhook.objects.update(form="discord", types=["round.seated"])
    with pytest.raises(WebhookInvalidError):
        webhooks.edit_webhook(actor=owner, webhook=webhook, types=["result.final"])


def test_of_two_new_secrets_the_first_is_the_former_one(owner, club):
    webhook = WebhookFactory(club=club)
    stale = Webhook.objects.get()
    first = webhooks.rotate_secret(actor=owner, webhook=webhook).secret
    second = webhooks.rotate_secret(actor=owner, webhook=stale)
    assert second.former_secret == first != second.secret


def test_what_was_deleted_meanwhile_is_not_found(owner, club):
    webhook = WebhookFactory(club=club)
    Webhook.objects.all().delete()
    for change in (webhooks.edit_webhook, webhooks.rotate_secret):
        with pytest.raises(Http404):
            change(actor=owner, webhook=webhook)


def test_webhook_that_is_switched_on_while_a_message_fails_starts_afresh(owner, club):
    """It was failing for long enough to be switched off, and somebody has just mended it."""
    long_ago = NOW - delivery.PATIENCE
    sent = DeliveryFactory(webhook=WebhookFactory(club=club, failing_since=long_ago), attempts=len(delivery.PAUSES))
    webhooks.edit_webhook(actor=owner, webhook=Webhook.objects.get(), is_active=True)
    delivery.record(sent, sending.Outcome(Failure.TIMEOUT), NOW)
    webhook = Webhook.objects.get()
    assert (webhook.is_active, webhook.failing_since) == (True, NOW)


def test_club_has_ten_webhooks_at_the_most(owner, club):
    for _ in range(10):
        webhooks.create_webhook(actor=owner, club=club, url="https://example.org/", types=["result.final"])
    with pytest.raises(TooManyWebhooksError):
        webhooks.create_webhook(actor=owner, club=club, url="https://example.org/", types=["result.final"])


@pytest.mark.django_db
def test_log_is_kept_for_thirty_days():
    old, new = DeliveryFactory(next_attempt_at=None), DeliveryFactory(next_attempt_at=None)
    Delivery.objects.filter(pk=old.pk).update(created_at=NOW - dt.timedelta(days=30, seconds=1))
    Delivery.objects.filter(pk=new.pk).update(created_at=NOW - dt.timedelta(days=30))
    delivery.forget(NOW)
    assert list(Delivery.objects.all()) == [new]


def test_body_is_what_the_log_shows(there, owner, club):
    webhooks.ping(actor=owner, webhook=WebhookFactory(club=club, url=there.url))
    delivery.work()
    assert json.loads(there.got[0][1]) == Delivery.objects.get().payload
