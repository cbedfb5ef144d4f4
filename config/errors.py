"""The one place where errors become answers: problems (RFC 9457) in the API, pages elsewhere."""

from __future__ import annotations

import json
import logging
import math
import sys
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template import loader
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from core import context
from core.errors import DomainError

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER = 2  # seconds until a database that was away or busy is worth another try

# Codes of Django REST framework that are less telling, or written otherwise, than ours.
CODES = {
    "parse_error": "malformed-json",
    "authentication_failed": "invalid-credentials",
    "permission_denied": "forbidden",
    "invalid": "invalid-fields",
    "error": "server-error",
}


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return the members of a problem; `more` adds members to the standard ones."""
    return {
        "type": f"urn:ludoscore:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": context.request_id.get(),
        **more,
    }


def problem_response(status: int, code: str, detail: str, **more: Any) -> HttpResponse:
    """Return a problem outside of Django REST framework."""
    body = json.dumps(problem(status, code, detail, **more), ensure_ascii=False)
    return HttpResponse(body, status=status, content_type=CONTENT_TYPE)


def handle(error: Exception, context_of_view: dict[str, Any]) -> Response | None:
    """Answer an error raised in an API view; None for one that nobody foresaw."""
    headers: dict[str, str] = {}
    if isinstance(error, DomainError):
        more = {"errors": list(error.errors)} if error.errors else {}
        data = problem(error.status, error.code, error.detail, **more, **error.facts)
    elif isinstance(error, Http404):
        data = problem(404, "not-found", _("There is nothing here, or it is not yours to see."))
    elif isinstance(error, PermissionDenied):
        data = problem(403, "forbidden", _("Your credential does not allow this."))
    elif isinstance(error, OperationalError):
        logger.warning("database away or busy: %s", error)
        data = problem(*_database_away())
        headers["Retry-After"] = str(RETRY_AFTER)
    elif isinstance(error, exceptions.APIException):
        data, headers = _framework_problem(error)
    else:
        return None
    set_rollback()
    return Response(data, status=data["status"], headers=headers, content_type=CONTENT_TYPE)


def _database_away() -> tuple[int, str, str]:
    return 503, "database-unavailable", _("The database did not answer in time. Try again in a moment.")


def _framework_problem(error: exceptions.APIException) -> tuple[dict[str, Any], dict[str, str]]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(challenge)
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    if isinstance(error, exceptions.ValidationError):
        detail = _("Some fields are not right; `errors` says which.")
        return problem(400, "invalid-fields", detail, errors=list(_field_errors(error.detail, ()))), headers
    code = str(error.get_codes()) if isinstance(error.detail, str) else error.default_code
    code = CODES.get(code, code.replace("_", "-"))
    return problem(error.status_code, code, str(error.detail)), headers


def _field_errors(detail: Any, path: tuple[str | int, ...]) -> Iterator[dict[str, Any]]:
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _field_errors(inner, path if name == "non_field_errors" else (*path, name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from _field_errors(inner, path if isinstance(inner, str) else (*path, index))
    else:
        yield {"code": str(detail.code).replace("_", "-"), "path": list(path), "message": str(detail)}


def _answer(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem_response(status, code, detail)
    # The page of a failure must not need a request: whatever failed may fail again in a context processor.
    page = loader.render_to_string(f"{status}.html", request=None if status >= 500 else request)
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request Django refused to read."""
    return _answer(request, 400, "bad-request", _("The request could not be read."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for what its sender may see and not do."""
    return _answer(request, 403, "forbidden", _("You may not do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for an address that does not exist."""
    return _answer(request, 404, "not-found", _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed by our own fault, or because the database is away or busy."""
    if isinstance(sys.exception(), OperationalError):
        response = _answer(request, *_database_away())
        response["Retry-After"] = str(RETRY_AFTER)
        return response
    return _answer(request, 500, "server-error", _("Something failed on our side. It has been written down."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without the token that proves it is ours."""
    if request.path.startswith("/api/"):
        return problem_response(403, "csrf-failed", _("The CSRF token is missing or wrong."))
    return HttpResponse(loader.render_to_string("403_csrf.html", request=request), status=403)
