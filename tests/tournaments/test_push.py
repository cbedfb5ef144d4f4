"""Messages to phones: encrypted for them alone, signed, tried a few times, and never sent to a private address."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.factories import EntryFactory, EventFactory, PushMessageFactory, PushSubscriptionFactory
from tests.tournaments.browsers import browser, sender_of
from tests.tournaments.receivers import hang_until, listener
from tournaments import tasks
from tournaments.models import Entry, Event, PushMessage, PushSubscription
from tournaments.push import delivery, keys
from tournaments.push.encryption import encrypt

NOW = dt.datetime(2026, 11, 18, 18, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def phone(local):
    """A browser on this machine, with its push service."""
    with browser() as running:
        yield running


def message_to(phone):
    return PushMessageFactory(subscription=PushSubscriptionFactory(endpoint=phone.service.url, **phone.keys))


def send(now=NOW):
    delivery.work(lambda: now)


# --- Encryption ---------------------------------------------------------------------------------------------------


def test_encryption_gives_the_example_of_the_standard():
    own = ec.derive_private_key(
        int.from_bytes(keys.decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        salt=keys.decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        own=own,
        block=1,
    )
    assert keys.encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_length_and_repetition_tell_nothing(phone):
    short, long = (encrypt(text, **phone.keys) for text in (b"a", b"b" * 400))
    assert len(short) == len(long)
    assert encrypt(b"a", **phone.keys) != short
    assert phone.decrypt(short) == b"a"


def test_key_is_the_same_everywhere_and_another_for_another_secret(settings):
    settings.SECRET_KEY = "one " * 12
    first = keys.public_key()
    assert len(keys.decoded(first)) == 65
    settings.SECRET_KEY = "other " * 12
    assert keys.public_key() != first
    settings.SECRET_KEY = "one " * 12
    assert keys.public_key() == first


# --- Sending ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_message_is_read_by_the_phone_alone_and_says_who_sent_it_and_how_long_it_is_news(phone, settings):
    settings.PUBLIC_URL, settings.IS_HTTPS = "https://scores.example.org", True
    sent = message_to(phone)
    send(NOW + 60 * SECOND)
    ((headers, body),) = phone.service.got
    assert phone.read == [sent.text]
    assert b"Table" not in body
    assert (headers["ttl"], headers["urgency"]) == ("540", "high")
    assert headers["content-encoding"] == "aes128gcm"
    said = sender_of(headers["authorization"])
    assert (said["sub"], said["alg"]) == ("https://scores.example.org", "ES256")
    assert said["aud"] == phone.service.url.partition("/hook")[0]
    assert 0 < said["exp"] - NOW.timestamp() < 86_400
    assert said["key"] == sent.subscription.key
    sent.refresh_from_db()
    assert (sent.delivered_at, sent.next_attempt_at) == (NOW + 60 * SECOND, None)


@pytest.mark.django_db
def test_newer_message_replaces_an_older_one_of_its_kind_and_the_push_service_learns_no_more(phone):
    first = message_to(phone)
    PushMessageFactory(subscription=first.subscription)
    PushMessageFactory(subscription=first.subscription, text=first.text | {"tag": "other"})
    send()
    topics = [headers["topic"] for headers, _body in phone.service.got]
    assert len(topics) == 3
    assert len(set(topics)) == 2
    assert all(re.fullmatch(r"[\w-]{1,32}", topic) for topic in topics)
    assert "other" not in str(phone.service.got)


@pytest.mark.django_db
@pytest.mark.parametrize("status", [404, 410])
def test_phone_that_is_gone_is_forgotten_with_what_it_was_to_be_told(phone, status):
    phone.service.status = status
    PushMessageFactory(subscription=message_to(phone).subscription)
    send()
    assert not PushSubscription.objects.exists()
    assert not PushMessage.objects.exists()


@pytest.mark.django_db
def test_message_is_tried_again_a_few_times_and_then_given_up(phone):
    phone.service.status = 503
    sent = message_to(phone)
    moment = NOW
    for pause in delivery.PAUSES:
        send(moment)
        sent.refresh_from_db()
        assert sent.next_attempt_at == moment + pause
        moment += pause
    send(moment)
    sent.refresh_from_db()
    assert (sent.next_attempt_at, sent.delivered_at, sent.attempts) == (None, None, 4)
    assert PushSubscription.objects.get().failures == 1
    send(moment + 60 * SECOND)
    assert len(phone.service.got) == 4


@pytest.mark.django_db
@pytest.mark.parametrize("status", [400, 403, 413])
def test_message_that_is_refused_is_not_tried_again(phone, status):
    phone.service.status = status
    message_to(phone)
    send()
    send(NOW + 300 * SECOND)
    assert len(phone.service.got) == 1


@pytest.mark.django_db
def test_phone_that_was_never_reached_is_forgotten_and_one_that_was_is_not(phone):
    phone.service.status = 400
    subscription = message_to(phone).subscription
    PushSubscription.objects.update(failures=delivery.PATIENCE - 2)
    send()
    phone.service.status = 201
    PushMessageFactory(subscription=subscription)
    send()
    assert PushSubscription.objects.get().failures == 0
    phone.service.status = 400
    PushSubscription.objects.update(failures=delivery.PATIENCE - 1)
    PushMessageFactory(subscription=subscription)
    send()
    assert not PushSubscription.objects.exists()


@pytest.mark.django_db
def test_message_is_not_sent_once_it_is_no_news(phone):
    message_to(phone)
    send(NOW + delivery.LIFETIME)
    assert phone.service.got == []


@pytest.mark.django_db
def test_phone_is_told_nothing_once_its_link_or_event_has_ended_or_it_is_switched_off(phone, settings):
    sent = message_to(phone)
    settings.WEB_PUSH = False
    send()
    settings.WEB_PUSH = True
    Entry.objects.update(generation=2)
    send()
    Entry.objects.update(generation=1)
    Event.objects.update(status=Event.Status.FINISHED)
    send()
    assert phone.service.got == []
    Event.objects.update(status=Event.Status.RUNNING)
    send()
    assert phone.read == [sent.text]


@pytest.mark.django_db
def test_message_is_never_sent_to_a_private_address(phone, settings):
    settings.WEBHOOKS_ALLOW_PRIVATE = False
    message_to(phone)
    send()
    assert phone.service.got == []
    assert PushMessage.objects.get().next_attempt_at is None


def send_watched(ended):
    """Send, and note which messages were answered, or not, in which order."""

    def watched(message, now):
        outcome = delivery.attempt(message, now)
        ended.append(message.pk)
        return outcome

    replace(delivery.shift, attempt=watched).work(lambda: NOW)


@pytest.mark.django_db
def test_receivers_that_hang_hold_up_nobody_else(phone, local):
    ended = []
    with listener(hang_until(lambda: bool(phone.titles and ended))) as nowhere:
        for number in range(6):
            subscription = PushSubscriptionFactory(endpoint=f"{nowhere}{number}", failures=1)
            PushMessageFactory.create_batch(2, subscription=subscription)
        mine = message_to(phone)
        send_watched(ended)
    assert phone.titles == ["Table 1, seat 1"]
    assert ended[0] == mine.pk, "it came before any of the others was cut off"


@pytest.mark.django_db
def test_receivers_that_answer_slowly_hold_up_no_other_event(phone, local):
    ended = []
    with browser() as slow:
        entries = EntryFactory.create_batch(12, event=EventFactory(status=Event.Status.RUNNING))
        for entry in entries:
            PushMessageFactory(
                subscription=PushSubscriptionFactory(entry=entry, endpoint=slow.service.url, **slow.keys)
            )
        beside = PushSubscriptionFactory(
            entry__event__club=entries[0].event.club, endpoint=phone.service.url, **phone.keys
        )
        others = {message_to(phone).pk, PushMessageFactory(subscription=beside).pk}
        slow.service.is_ready = lambda: others <= {*ended}
        send_watched(ended)
    assert set(ended[:2]) == others, "they came before any of the slow ones was done"
    assert len(slow.service.got) == 12


@pytest.mark.django_db
def test_two_workers_send_a_message_once(phone):
    message_to(phone)
    (first,) = delivery.claim(NOW, senders=8)
    assert delivery.claim(NOW, senders=8) == []
    stale = PushMessage.objects.get()
    stale.attempts = 0
    assert not delivery._claim(stale, NOW)
    assert delivery.attempt(first, NOW).failure is None


@pytest.mark.django_db
def test_claim_of_a_worker_that_died_ends(phone):
    message_to(phone)
    delivery.claim(NOW, senders=8)
    send(NOW + delivery.CLAIM - SECOND)
    assert phone.service.got == []
    send(NOW + delivery.CLAIM)
    assert len(phone.service.got) == 1


@pytest.mark.django_db
def test_phone_is_served_by_the_former_key_while_one_is_replaced_and_then_forgotten(phone, settings):
    sent = message_to(phone)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key " * 4
    settings.SECRET_KEY_FALLBACKS = [former]
    send()
    assert sender_of(phone.service.got[0][0]["authorization"])["key"] == sent.subscription.key != keys.public_key()
    settings.SECRET_KEY_FALLBACKS = []
    PushMessageFactory(subscription=sent.subscription)
    send()
    assert len(phone.service.got) == 1
    assert not PushSubscription.objects.exists()


@pytest.mark.django_db
def test_broken_message_keeps_no_other_from_being_sent(phone):
    PushMessageFactory(subscription__p256dh="nonsense")
    message_to(phone)
    send()
    assert len(phone.service.got) == 1


@pytest.mark.django_db
def test_phones_are_forgotten_with_their_event_their_link_or_when_nobody_opens_them(phone, monkeypatch):
    kept, over, renewed, old = (PushSubscriptionFactory() for _ in range(4))
    Event.objects.filter(pk=over.entry.event_id).update(status=Event.Status.CANCELLED)
    Entry.objects.filter(pk=renewed.entry_id).update(generation=2)
    PushSubscription.objects.filter(pk=old.pk).update(renewed_at=NOW - delivery.KEPT - SECOND)
    PushSubscription.objects.exclude(pk=old.pk).update(renewed_at=NOW)
    monkeypatch.setattr(tasks.timezone, "now", lambda: NOW)
    monkeypatch.setattr(tasks, "is_steady", lambda: True)
    tasks.remind()
    assert list(PushSubscription.objects.all()) == [kept]
