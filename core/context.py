"""The id of the request being served, carried from the web process into the tasks it causes."""

from __future__ import annotations

import re
import uuid
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="-")

_SAFE = re.compile(r"[A-Za-z0-9._-]{1,64}")


def accept(offered: str | None) -> str:
    """Return an id a proxy or client offered if it is safe to log, otherwise a new one."""
    return offered if offered and _SAFE.fullmatch(offered) else uuid.uuid4().hex
