"""What a channel of Discord or Slack is told, as text, and how each of them wants to be given it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.names import unlinked
from tournaments.models import Event, Round, Seat, Webhook

LONGEST = 1500  # of a message: Discord takes 2,000 characters, and escapes make names longer
NO_PREVIEW = 4  # the flag by which Discord shows no pictures of links
MARKUP = re.compile(r"([\\`*_~|<>\[\]()#@])")


def body_of(webhook: Webhook, payload: Mapping[str, Any]) -> bytes:
    """Return what is posted to a channel. Names in it mention nobody, and are neither markup nor links."""
    text = str(payload["data"].get("text", ""))
    if webhook.form == Webhook.Form.DISCORD:
        told = {"content": _escaped(text), "allowed_mentions": {"parse": []}, "flags": NO_PREVIEW}
    else:
        plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        told = {"text": plain, "mrkdwn": False, "unfurl_links": False, "unfurl_media": False}
    return json.dumps(told, ensure_ascii=False).encode()


def _escaped(text: str) -> str:
    """Return a text in which nothing is markup for Discord; the address at its end stays one."""
    *lines, last = text.split("\n")
    address = settings.PUBLIC_URL and last.startswith(settings.PUBLIC_URL)
    lines += [] if address else [last]
    return "\n".join([*(MARKUP.sub(r"\\\1", line) for line in lines), *([last] if address else [])])


def composed(head: str, lines: Iterable[str], event: Event) -> str:
    """Return a message: a sentence, as many lines as there is room for, and where the rest can be read."""
    told, room = [head], LONGEST - len(head)
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            told.append("…")
            break
        told.append(line)
    if settings.PUBLIC_URL:
        told.append(settings.PUBLIC_URL + reverse("web:event", args=[event.uid]))
    return "\n".join(told)


def round_text(current: Round) -> str:
    """Return that a round is seated, and who sits where."""
    event = current.event
    seats = Seat.objects.filter(round=current).select_related("entry", "table").order_by("table__number", "position")
    tables: dict[int, list[str]] = {}
    for seat in seats:
        tables.setdefault(seat.table.number, []).append(unlinked(seat.entry.name))
    head = ngettext(
        "{event}: {round} is seated, at {tables} table.",
        "{event}: {round} is seated, at {tables} tables.",
        len(tables),
    ).format(event=unlinked(event.name), round=current.title, tables=len(tables))
    line = _("Table {number}: {names}")
    return composed(head, (line.format(number=each, names=", ".join(tables[each])) for each in tables), event)


def ping_text() -> str:
    """Return what a test says."""
    return _("This is a test. News of the club will appear here.")
