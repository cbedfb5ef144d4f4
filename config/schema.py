"""What the OpenAPI schema says of every route without each view repeating it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from core.serializers import ProblemOutput

EVERYWHERE = {
    "406": "Only JSON can be had.",
    "429": "Too many requests; `Retry-After` says when to come back.",
    "503": "The database is away.",
}
WITH_BODY = {
    "400": "The body is not what it should be.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
}


class Schema(AutoSchema):
    """Add the problems that any route can answer with."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return the operation with its common problems."""
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        common = dict(EVERYWHERE)
        if "requestBody" in operation:
            common |= WITH_BODY
        if "{" in self.path:
            common["404"] = "There is nothing here, or it is not yours to see."
        content = {"application/problem+json": {"schema": self.resolve_serializer(ProblemOutput(), "response").ref}}
        for status, description in common.items():
            operation["responses"].setdefault(status, {"description": description, "content": content})
        return operation
