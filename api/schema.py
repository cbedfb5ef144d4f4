"""What the OpenAPI schema says of every route without each view repeating it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from api.shapes import ProblemOutput

EVERYWHERE = {
    "400": "The request is not what it should be; `errors` says where.",
    "401": "The credential is not valid.",
    "403": "The caller may see this and not do it.",
    "404": "There is nothing here, or you may not see it.",
    "406": "Only JSON can be had.",
    "410": "The event of this personal link or table slip is over.",
    "429": "Too many requests; `Retry-After` says when to come back.",
    "503": "The database is away or cannot be written, or too much is asked for at once; see `Retry-After`.",
    "507": "The disk of the service is full.",
}
CHANGING = {
    "409": "The present state does not allow it.",
    "422": "What was sent breaks a rule, or its `Idempotency-Key` was used for another request.",
}
# What a header that an operation reads can lead to.
BY_HEADER = {
    "If-None-Match": ("304", "The caller has it already."),
    "If-Match": ("412", "Somebody else changed it since the caller read it."),
}
ETAG = {"schema": {"type": "string"}, "description": "Names this version, for `If-None-Match` and `If-Match`."}
LOCATION = {"schema": {"type": "string", "format": "uri"}, "description": "The address of what was created."}
WITH_BODY = {
    "408": "The body did not come in time.",
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
        if self.method != "GET":
            common |= CHANGING
        if "requestBody" in operation:
            common |= WITH_BODY
        headers = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}
        common |= dict(answer for name, answer in BY_HEADER.items() if name in headers)
        content = {"application/problem+json": {"schema": self.resolve_serializer(ProblemOutput(), "response").ref}}
        for status, description in common.items():
            answer = (
                {"description": description} if status == "304" else {"description": description, "content": content}
            )
            operation["responses"].setdefault(status, answer)
        if headers & set(BY_HEADER):
            operation["responses"]["200"]["headers"] = {"ETag": ETAG}
        if getattr(self.view, "deprecation", None):
            operation["deprecated"] = True
        if "201" in operation["responses"] and getattr(self.view, "creates", None):
            operation["responses"]["201"].setdefault("headers", {})["Location"] = LOCATION
        return operation


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the package has no types
    """How programs and phones show who they are."""

    target_class = "api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the scheme as OpenAPI has it."""
        return {"type": "http", "scheme": "bearer", "description": "`lsu_`, `lsk_`, `lse_` or `lst_` and the secret."}


class PageScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # as above
    """How our own pages show which player or table they speak for."""

    target_class = "api.authentication.PageAuthentication"
    name = "phone"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the scheme as OpenAPI has it."""
        description = "The cookie of an event or table whose id the parameter `as` names, with the CSRF token."
        return {"type": "apiKey", "in": "cookie", "name": "phone-{id}", "description": description}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # as above
    """How browsers show who they are."""

    target_class = "api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the scheme as OpenAPI has it."""
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class FilterParameters(DjangoFilterExtension):  # type: ignore[no-untyped-call]  # the package has no types
    """How the parameters of filters are described, none of which is about a map.

    Unless it is told so, the package looks for libraries of maps, and starts a compiler a dozen times while somebody
    waits for the schema.
    """

    priority = 1  # before the package's own
    _has_gis = False
