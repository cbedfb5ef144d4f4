"""Log lines for people and for machines, both with the id of the request and without secrets."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re

from core import context

# Whatever opens or signs something; personal links and slips are addresses, because people open them.
SECRET = re.compile(r"\b(?:(ls[a-z]_|[Bb]earer )[\w-]{4,}|(whsec_)[\w+/=]{4,})")


def redact(text: str) -> str:
    """Return a text with the kind of every secret in it and not the secret."""
    return SECRET.sub(r"\1\2…", text)


class PlainLines(logging.Formatter):
    """One readable line: time, level, logger, request id, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its request id."""
        record.request_id = context.request_id.get()
        return redact(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a JSON object."""
        time = dt.datetime.fromtimestamp(record.created, dt.UTC)
        line = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": context.request_id.get(),
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return redact(json.dumps(line, ensure_ascii=False, default=str))
