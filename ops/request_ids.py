"""Give every request an id: in its answer, its log lines and the tasks it causes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core import context
from ops.logs import one_line, redact

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger("ludoscore.requests")


class RequestIdMiddleware:
    """Set the request id, and log each answer with its time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request under its id."""
        token = context.request_id.set(context.accept(request.headers.get("X-Request-ID")))
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = context.request_id.get()
            took = round((time.perf_counter() - started) * 1000, 1)
            # The path alone: query strings may hold what must not be logged.
            path = redact(one_line(request.path))
            facts = {"method": request.method, "path": path, "status": response.status_code, "ms": took}
            logger.info("%(method)s %(path)s %(status)s %(ms)s ms", facts, extra={"facts": facts})
        finally:
            context.request_id.reset(token)
        return response
