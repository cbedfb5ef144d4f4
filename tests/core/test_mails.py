"""Mails wait in the database for the worker, and are sent, tried again, or given up."""

from __future__ import annotations

import datetime as dt
import socket
import struct
import threading
import time
from contextlib import suppress
from smtplib import SMTPRecipientsRefused
from ssl import SSLCertVerificationError
from typing import Any, Self

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from core import clocks, mails, tasks
from core.models import OutgoingMail
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
BACKEND = "core.smtp.EmailBackend"  # the one of the settings where a server is set up
TEXT = {"kind": OutgoingMail.Kind.INVITATION, "to": "ana@example.org", "subject": "Hi", "body": "open lsi_secret"}


@pytest.fixture(autouse=True)
def with_mail(settings):
    """A mail server is set up."""
    settings.EMAIL_HOST = "mail.example.org"


class Away:
    """A mail server that takes nothing."""

    def __init__(self, *args, **options):
        pass

    def send_messages(self, messages):
        raise SMTPRecipientsRefused({"ana@example.org": (550, b"no such user ana@example.org")})


@pytest.fixture
def away(monkeypatch):
    monkeypatch.setattr(mail, "get_connection", Away)
    monkeypatch.setattr("django.core.mail.message.EmailMessage.get_connection", lambda *_: Away())


def test_mail_is_sent_once_and_its_text_erased():
    mails.send(**TEXT)
    for _ in range(2):
        tasks.send_mails()
    (message,) = mail.outbox
    assert (message.subject, message.body, message.to) == ("Hi", "open lsi_secret", ["ana@example.org"])
    sent = OutgoingMail.objects.get()
    assert (sent.body, sent.next_attempt_at, sent.error) == ("", None, "")
    assert sent.sent_at is not None


def test_mail_is_published_after_the_commit(monkeypatch, django_capture_on_commit_callbacks):
    published = []
    monkeypatch.setattr("core.publishing.publish", lambda *task: published.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        mails.send(**TEXT)
        ask("bo@example.org")
        assert published == []
    assert published == [("core.tasks.send_mails",)] * 2


def test_subject_stays_one_line_of_its_length():
    mails.send(**TEXT | {"subject": "a\nBcc: eve@example.org " + "x" * 300})
    mails.send_due()
    assert mail.outbox[0].subject.startswith("a Bcc: eve@example.org x")
    assert len(mail.outbox[0].subject) == OutgoingMail.LONGEST_SUBJECT


def test_mail_server_that_is_away_is_tried_again_and_given_up_in_the_end(away, caplog, monkeypatch):
    mails.send(**TEXT)
    now = timezone.now()
    for pause in mails.PAUSES:
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        mails.send_due()
        waiting = OutgoingMail.objects.get()
        assert (waiting.body, waiting.error) == (TEXT["body"], "SMTPRecipientsRefused")
        assert waiting.next_attempt_at == now + pause
        now += pause
    monkeypatch.setattr(timezone, "now", lambda: now)
    mails.send_due()
    given_up = OutgoingMail.objects.get()
    assert (given_up.attempts, given_up.body, given_up.next_attempt_at) == (len(mails.PAUSES) + 1, "", None)
    assert given_up.sent_at is None
    assert "the last" in caplog.text
    assert "ana@example.org" not in caplog.text


def test_mail_that_is_refused_keeps_no_other_waiting(monkeypatch):
    mails.send(**TEXT)
    mails.send(**TEXT | {"to": "bo@example.org"})
    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.message.EmailMessage.get_connection", lambda *_: Away())
        mails.send_due()
    mails.send_due()
    assert [message.to for message in mail.outbox] == [["bo@example.org"]]


def test_link_to_a_password_waits_behind_no_mail_that_others_cause(monkeypatch):
    """A server may refuse one address of an invitation after another, and a shift ends with each."""
    UserFactory(email="ana@example.org")
    for number in range(3):
        mails.send(**TEXT | {"to": f"nobody{number}@example.org"})
    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.message.EmailMessage.get_connection", lambda *_: Away())
        mails.send_due()
    OutgoingMail.objects.filter(attempts=1).update(next_attempt_at=timezone.now())
    ask("ana@example.org")
    mails.send_due()
    sent = [message.to for message in mail.outbox]
    retried, *others = (f"nobody{number}@example.org" for number in range(3))
    assert sent == [["ana@example.org"], *([other] for other in others), [retried]]


def test_two_workers_send_a_mail_once(monkeypatch):
    mails.send(**TEXT)
    first = mails._claim(timezone.now())
    assert first is not None
    assert mails._claim(timezone.now()) is None
    mails.send_due()
    assert mail.outbox == []


def ask(address):
    mails.ask_for_password(address=address, origin="https://x")


def test_made_up_addresses_fill_no_disk_and_push_out_nobody(monkeypatch):
    monkeypatch.setattr(mails, "MOST_ASKED", 3)
    UserFactory(email="gone@example.org", is_active=False)
    for name in ("ana", "bo"):
        UserFactory(email=f"{name}@example.org")
    for number in range(20):
        ask(f"cy{number}@example.org")
        ask("gone@example.org")
        ask("BO@example.org" if number % 2 else "bo@example.org")
        assert OutgoingMail.objects.count() <= 3 + 1
    ask("ana@example.org")
    for number in range(20):
        ask(f"dy{number}@example.org")
    mails.send_due()
    assert {message.to[0] for message in mail.outbox} == {"ana@example.org", "bo@example.org"}
    assert OutgoingMail.objects.count() == 2


def test_full_heap_loses_no_mail_of_another_kind_and_none_that_is_tried_again(away, monkeypatch):
    monkeypatch.setattr(mails, "MOST_ASKED", 1)
    UserFactory(email="ana@example.org")
    mails.send(**TEXT)
    ask("ana@example.org")
    for _ in range(2):
        mails.send_due()
    for number in range(3):
        ask(f"bo{number}@example.org")
    assert list(OutgoingMail.objects.filter(attempts=1).order_by("pk").values_list("kind", flat=True)) == [
        OutgoingMail.Kind.INVITATION,
        OutgoingMail.Kind.PASSWORD,
    ]


def test_old_mails_are_forgotten(monkeypatch):
    monkeypatch.setattr(clocks, "STEADY_FOR", 0.0)
    mails.send(**TEXT)
    OutgoingMail.objects.update(created_at=timezone.now() - dt.timedelta(days=31))
    tasks.clear_mails()
    assert OutgoingMail.objects.count() == 1, "what waits stays"
    mails.send_due()
    tasks.clear_mails()
    assert OutgoingMail.objects.count() == 0


def test_operators_see_mails_and_no_text(admin_client):
    mails.send(**TEXT)
    assert "ana@example.org" in admin_client.get(reverse("admin:core_outgoingmail_changelist")).content.decode()
    page = admin_client.get(reverse("admin:core_outgoingmail_change", args=[OutgoingMail.objects.get().pk]))
    assert page.status_code == 200
    assert "lsi_secret" not in page.content.decode()


class Dripping:
    """A mail server on the loopback address that greets, and then ends no answer: a line of it comes ever again."""

    LINES = 100

    def __init__(self, greeting: bytes, line: bytes) -> None:
        self.greeting, self.line, self.sent = greeting, line, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.serve)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.join()
        self.listener.close()

    def serve(self) -> None:
        caller, _ = self.listener.accept()
        with caller, suppress(OSError):
            caller.sendall(self.greeting)
            while self.sent < self.LINES:
                caller.sendall(self.line)
                self.sent += 1
                time.sleep(0.1)


@pytest.mark.parametrize("greeting", [b"", b"220 hello\r\n"], ids=["greeting", "answer"])
def test_mail_server_that_never_comes_to_an_end_is_left(greeting, settings, monkeypatch):
    monkeypatch.setattr("core.smtp.LONGEST", 0.5)
    with Dripping(greeting, b"250-more\r\n" if greeting else b"220-more\r\n") as server:
        settings.EMAIL_BACKEND = BACKEND
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.listener.getsockname()
        settings.EMAIL_USE_TLS = False
        mails.send(**TEXT)
        mails.send_due()
    assert server.sent < server.LINES
    assert OutgoingMail.objects.get().error == "SMTPServerDisconnected"


class Taking:
    """A mail server on the loopback address that answers every mail alike, and says farewell in a way of its own.

    An empty farewell is silence until the caller goes, none at all a connection that is reset.
    """

    def __init__(self, farewell: bytes | None, answer: bytes = b"250 taken\r\n") -> None:
        self.farewell, self.answer, self.taken = farewell, answer, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.serve)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)  # what waits for the next caller ends
        self.thread.join()
        self.listener.close()

    def set_up(self, settings: Any) -> None:
        settings.EMAIL_BACKEND = BACKEND
        settings.EMAIL_HOST, settings.EMAIL_PORT = self.listener.getsockname()
        settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = False, 0.5

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self.listener.accept()
                with caller, suppress(OSError):
                    self.talk(caller)

    def talk(self, caller: socket.socket) -> None:
        caller.sendall(b"220 hello\r\n")
        is_text = False
        with caller.makefile("rb") as said:
            for line in said:
                if is_text:
                    if line == b".\r\n":
                        is_text, self.taken = False, self.taken + 1
                        caller.sendall(self.answer)
                elif line.upper().startswith(b"DATA"):
                    is_text = True
                    caller.sendall(b"354 go on\r\n")
                elif not line.upper().startswith(b"QUIT"):
                    caller.sendall(b"250 well\r\n")
                elif self.farewell is None:
                    caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                else:
                    caller.sendall(self.farewell)


FAREWELLS = {
    "as agreed": b"221 bye\r\n",
    "a line without an end": b"221 " + b"x" * 20_000 + b"\r\n",
    "no number": b"\xff\xfe bye?\r\n",
    "an error": b"554 not now\r\n",
    "nothing": b"",
    "a reset": None,
}


@pytest.mark.parametrize("farewell", FAREWELLS.values(), ids=FAREWELLS)
def test_mail_that_was_taken_is_sent_once_however_the_server_says_farewell(farewell, settings):
    with Taking(farewell) as server:
        server.set_up(settings)
        mails.send(**TEXT)
        for _ in range(2):
            mails.send_due()
            OutgoingMail.objects.exclude(next_attempt_at=None).update(next_attempt_at=timezone.now())
    assert server.taken == 1
    sent = OutgoingMail.objects.get()
    assert (sent.error, sent.next_attempt_at, sent.sent_at is not None) == ("", None, True)


def test_mail_that_was_refused_is_told_as_such_however_the_server_says_farewell(settings):
    with Taking(FAREWELLS["a line without an end"], answer=b"554 not this one\r\n") as server:
        server.set_up(settings)
        mails.send(**TEXT)
        mails.send_due()
    waiting = OutgoingMail.objects.get()
    assert (waiting.error, waiting.sent_at) == ("SMTPDataError", None)


@pytest.mark.parametrize("error", [SSLCertVerificationError("wrong name"), ConnectionResetError(), TimeoutError()])
def test_connection_that_fails_while_it_is_closed_makes_no_mail_unsent(error, settings, monkeypatch):
    def fail(_session):
        raise error

    monkeypatch.setattr("core.smtp.Session.quit", fail)
    with Taking(b"") as server:
        server.set_up(settings)
        mails.send(**TEXT)
        mails.send_due()
    assert (server.taken, OutgoingMail.objects.get().error) == (1, "")


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), dt.timedelta(days=365)])
def test_mail_of_a_clock_that_was_ahead_is_sent_all_the_same(ahead):
    mails.send(**TEXT)
    OutgoingMail.objects.update(next_attempt_at=timezone.now() + ahead)
    mails.send_due()
    assert len(mail.outbox) == 1
