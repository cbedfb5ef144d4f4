"""Mail: left in the database by whoever wants to send one, sent by the worker.

No request waits for a mail server, none tells by its time whether there is an account, and a broker or a mail server
that is away loses nothing. Where no mail server is set up nothing is written down.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Case, Exists, F, Min, OuterRef, Q, QuerySet, When
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.template.loader import render_to_string
from django.utils import timezone, translation

from core import passwords
from core.addresses import is_address
from core.clocks import was_within
from core.models import OutgoingMail, User
from core.publishing import publish_on_commit

logger = logging.getLogger(__name__)

TASK = "core.tasks.send_mails"
# How long after a failed attempt the next one comes; after the last the mail is given up.
PAUSES = (
    dt.timedelta(minutes=1),
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=30),
    dt.timedelta(hours=2),
    dt.timedelta(hours=6),
    dt.timedelta(hours=12),
)
KEPT = dt.timedelta(days=30)
SHIFT = 20.0  # seconds after which a task takes on nothing new: it must end within its time limit
# Nobody's mailbox is filled from here: anybody can type anybody's address.
ASKED_EVERY = dt.timedelta(minutes=1)
MOST_A_DAY = 10  # mails to an address that others cause
A_DAY = dt.timedelta(days=1)
MOST_ASKED = 1_000  # links to passwords that wait at once before those that come to nothing are thrown away

# One task of a process sends at a time, so that a mail server that hangs does not hold up other work.
_at_work = threading.Lock()


def is_set_up() -> bool:
    """Say whether this service can send mail."""
    return bool(settings.EMAIL_HOST)


def send(*, kind: OutgoingMail.Kind, to: str, subject: str, body: str, about: str = "") -> None:
    """Have a mail sent once the current transaction is committed; `about` is the id of what it tells of."""
    subject = " ".join(subject.split())[: OutgoingMail.LONGEST_SUBJECT]
    OutgoingMail.objects.create(kind=kind, to=to, subject=subject, body=body, about=about)
    publish_on_commit(TASK)


def sent_lately(address: str, *kinds: OutgoingMail.Kind) -> QuerySet[OutgoingMail]:
    """Return the mails of a day to an address, of some kinds or of all."""
    mails = OutgoingMail.objects.filter(is_address("to", address), was_within("created_at", timezone.now(), A_DAY))
    return mails.filter(kind__in=kinds) if kinds else mails


def ask_for_password(*, address: str, origin: str) -> None:
    """Have a link to set a password sent to an address; whether there is an account is left to the worker to see.

    What is done here is the same for every address, and no request is left out because others wait. Networks have no
    limit: somebody in a café could use up the organiser's.
    """
    asked = due(OutgoingMail.objects.filter(kind=OutgoingMail.Kind.PASSWORD), timezone.now())
    if asked.count() >= MOST_ASKED:
        _drop_pointless(asked)
    language = translation.get_language() or settings.LANGUAGE_CODE
    OutgoingMail.objects.create(kind=OutgoingMail.Kind.PASSWORD, to=address, origin=origin, language=language)
    publish_on_commit(TASK)


def _drop_pointless(asked: QuerySet[OutgoingMail]) -> None:
    """Delete requests for links that the worker would throw away: without an account, or after one of the same."""
    of_account = Exact(Lower("email"), Lower(OuterRef("to")))
    firsts = asked.order_by().values(address=Lower("to")).annotate(first=Min("pk")).values("first")
    asked.filter(~Exists(User.objects.filter(of_account, is_active=True)) | ~Q(pk__in=firsts)).delete()


def due(mails: QuerySet[OutgoingMail], now: dt.datetime) -> QuerySet[OutgoingMail]:
    """Return the mails that are to be sent now: links to a password first, retries last, and else the oldest first.

    Who cannot log in waits behind no mail that others cause, of which a server may refuse one after another.
    """
    # What was never tried is due since it was written, also where the clock was set back since.
    is_due = Q(next_attempt_at__lte=now) | Q(attempts=0, next_attempt_at__isnull=False)
    was_written_by_a_wrong_clock = Q(next_attempt_at__gt=now + PAUSES[-1] + ASKED_EVERY)
    is_other = Case(When(kind=OutgoingMail.Kind.PASSWORD, then=0), default=1)
    found = mails.filter(is_due | was_written_by_a_wrong_clock)
    return found.order_by(is_other, "attempts", "next_attempt_at", "pk")


def send_due() -> None:
    """Send what is due until nothing is, the shift is over, or the mail server does not take one."""
    end = time.monotonic() + SHIFT
    if not _at_work.acquire(blocking=False):
        return
    try:
        while time.monotonic() < end and (mail := _claim(timezone.now())) and _attempt(mail):
            pass
    finally:
        _at_work.release()


def _claim(now: dt.datetime) -> OutgoingMail | None:
    """Take on the oldest mail that is due, by putting its next attempt off; None where there is none."""
    while mail := due(OutgoingMail.objects.all(), now).first():
        again = now + PAUSES[min(mail.attempts, len(PAUSES) - 1)]
        same = OutgoingMail.objects.filter(pk=mail.pk, next_attempt_at=mail.next_attempt_at)
        if same.update(next_attempt_at=again, attempts=F("attempts") + 1):
            mail.attempts += 1
            return mail
    return None


def _attempt(mail: OutgoingMail) -> bool:
    """Send a mail that was claimed, and write down how it went; say whether to go on."""
    row = OutgoingMail.objects.filter(pk=mail.pk)
    message = _compose(mail)
    if message is None:
        row.delete()
        return True
    ended = {"next_attempt_at": None, "body": ""}
    try:
        message.send()
    except Exception as error:  # whatever the mail server does, the next mail has its turn
        # Errors of a mail server hold addresses; their kind is enough to know what to do.
        name = type(error).__name__
        is_over = mail.attempts > len(PAUSES)
        row.update(error=name[: OutgoingMail.LONGEST_ERROR], **(ended if is_over else {}))
        logger.warning("mail %s not sent, attempt %s%s: %s", mail.pk, mail.attempts, ", the last" * is_over, name)
        return False
    row.update(sent_at=timezone.now(), error="", **ended)
    return True


def _compose(mail: OutgoingMail) -> EmailMessage | None:
    """Return what to send; None for a link to an address that has no account, or has one that works."""
    if mail.kind != OutgoingMail.Kind.PASSWORD:
        return EmailMessage(mail.subject, mail.body, None, [mail.to])
    user = User.objects.at(mail.to).filter(is_active=True).first()
    if user is None or _has_links(user):
        return None
    facts = {"email": user.email, "link": passwords.link(user, mail.origin, is_mailed=True)}
    with translation.override(mail.language):
        subject = render_to_string("accounts/mail_subject.txt", facts)
        body = render_to_string("accounts/mail.txt", facts)
    return EmailMessage(" ".join(subject.split()), body, None, [user.email])


def _has_links(user: User) -> bool:
    """Say whether somebody got a link a moment ago, or so many that one of a day is good: a login ends them all."""
    links = sent_lately(user.email, OutgoingMail.Kind.PASSWORD).filter(sent_at__isnull=False)
    if links.filter(was_within("sent_at", timezone.now(), ASKED_EVERY)).exists():
        return True
    good = links if user.last_login is None else links.filter(sent_at__gt=user.last_login)
    return good.count() >= MOST_A_DAY


def forget(now: dt.datetime) -> None:
    """Delete mails that were sent or given up long ago."""
    OutgoingMail.objects.filter(created_at__lt=now - KEPT, next_attempt_at=None).delete()
