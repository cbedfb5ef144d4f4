"""Log lines for people and for machines, both with the id of the request and without secrets."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re
import sys
import time
from collections import Counter
from typing import Any

from core import context, disk

# Whatever opens or signs something; personal links and slips are addresses, because people open them.
SECRET = re.compile(
    r"\b(?:(ls[a-z]_|bearer |(?:token|secret|key)=)[\w-]{4,}|(whsec_)[\w+/=]{4,})"
    r"|(ls[a-z]_)[\w-]{16,}",  # a whole one also where somebody typed a letter too many before it
    re.IGNORECASE,  # whoever reads one in capitals has it
)
# What lets everybody into an event stands in the address of the page on which they join, typed as people type it:
# `/join/abc def/` leads there too. So does the link by which a private club shares a game.
CODE = re.compile(r'((?i:/join/|/shared-games/))(?:[^/?"\n]+(?=[/?])|[^/?"\s]+)')
# Whoever an address belongs to has not agreed to stand in logs; errors of mail servers and databases quote them.
# One is looked for where its name begins: from every letter of a long word, it would take minutes.
MAILBOX = re.compile(r"(?<![\w.+%'-])[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")
# What a terminal obeys instead of showing it, breaks a line or writes from right to left: a line is not to be forged.
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
LONGEST = 2_000  # characters of a line: what somebody sends may be long, and need not be read


def redact(text: str) -> str:
    """Return a text with the kind of every secret in it and not the secret, and without anybody's e-mail address."""
    return MAILBOX.sub("…@…", CODE.sub(r"\1…", SECRET.sub(r"\1\2\3…", text)))


def one_line(text: str) -> str:
    """Return so much of a text as is worth keeping, on one line, and with nothing that a terminal would obey."""
    return UNSEEN.sub(lambda found: repr(found[0])[1:-1], text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


class Flood(logging.Filter):
    """Let through so many errors of one kind within some seconds, and say that more are left out."""

    MOST, SECONDS = 20, 10.0

    def __init__(self) -> None:
        super().__init__()
        self._began = -self.SECONDS
        self._seen: Counter[tuple[str, str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether to write a record down."""
        if record.levelno < logging.ERROR:
            return True
        # By the place that writes it: a message may quote what anybody sends, such as the name of a host.
        now, kind = time.monotonic(), (record.name, record.pathname, record.lineno)
        if now - self._began >= self.SECONDS:
            self._seen, self._began = Counter(), now
        self._seen[kind] += 1
        if self._seen[kind] == self.MOST:
            record.msg = f"{record.msg} (more of this kind are left out for {self.SECONDS:g} s)"
        return self._seen[kind] <= self.MOST


class DiskTroubles(logging.Filter):
    """Leave the traceback out where the disk is the cause: it would drown the line in which `core.disk` says so."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through."""
        if record.exc_info and disk.trouble_of(record.exc_info[1]):
            record.exc_info = record.exc_text = None
        return True


class LogLines(logging.Formatter):
    """What both kinds of log lines do alike."""

    def formatException(self, caught: Any) -> str:  # noqa: N802 (logging's own name)
        """Return a traceback, with short lines."""
        return "\n".join(map(one_line, super().formatException(caught).splitlines()))


class Stderr(logging.Handler):
    """Write to what standard error is at that moment: a process of the service gets one on which nobody waits."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record down."""
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except Exception:  # a line that cannot be written must fail nobody's request
            self.handleError(record)


class PlainLines(LogLines):
    """One readable line: time, level, logger, request id, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's own name)
        """Return the line itself."""
        return one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its request id."""
        record.request_id = context.request_id.get()
        return redact(super().format(record))


class JsonLines(LogLines):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a JSON object."""
        time = dt.datetime.fromtimestamp(record.created, dt.UTC)
        line = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": context.request_id.get(),
            "message": record.getMessage()[:LONGEST],
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        text = redact(json.dumps(line, ensure_ascii=False, default=str))
        return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
