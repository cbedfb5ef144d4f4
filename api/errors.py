"""The one place where errors become the API's answers: problems after RFC 9457."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, OperationalError
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from core import context, disk
from core.errors import DomainError

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
MOST_ERRORS = 50  # in one answer
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
        "type": f"{settings.PUBLIC_URL}/docs/errors.md#{code}",
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
        more = {"errors": first_errors(error.errors)} if error.errors else {}
        data = problem(error.status, error.code, error.detail, **more, **error.facts)
        headers |= retry_after(error)
    elif isinstance(error, Http404):
        data = problem(404, "not-found", _("There is nothing here, or you may not see it."))
    elif isinstance(error, PermissionDenied):
        data = problem(403, "forbidden", _("Your credential does not allow this."))
    elif isinstance(error, DatabaseError) and (answer := database_problem(error)):
        data = problem(*answer)
        headers["Retry-After"] = str(RETRY_AFTER)
    elif isinstance(error, exceptions.APIException):
        data, headers = _framework_problem(error)
    else:
        return None
    set_rollback()
    return Response(data, status=data["status"], headers=headers, content_type=CONTENT_TYPE)


def retry_after(error: DomainError) -> dict[str, str]:
    """Return the header that says when to come back, where an error knows."""
    return {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}


def database_problem(error: BaseException | None) -> tuple[int, str, str] | None:
    """Return status, code and detail of what is wrong with the database or its disk; None where we made a mistake."""
    if trouble := disk.note(error):
        return trouble.status, trouble.code, str(trouble.detail)
    if isinstance(error, OperationalError):
        logger.warning("database away or busy: %s", error)
        return 503, "database-unavailable", _("The database did not answer in time. Try again in a moment.")
    return None


def _framework_problem(error: exceptions.APIException) -> tuple[dict[str, Any], dict[str, str]]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(challenge)
    if (wait := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    if isinstance(error, exceptions.ValidationError):
        detail = _("Some fields are not right; `errors` says which.")
        return problem(400, "invalid-fields", detail, errors=first_errors(field_errors(error.detail))), headers
    code = str(error.get_codes()) if isinstance(error.detail, str) else error.default_code
    code = CODES.get(code, code.replace("_", "-"))
    return problem(error.status_code, code, str(error.detail)), headers


def first_errors(errors: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first of the errors, and that there are more where there are."""
    found = list(islice(errors, MOST_ERRORS + 1))
    if len(found) > MOST_ERRORS:
        message = _("There is more that is not right; only the first {shown} are listed.").format(shown=MOST_ERRORS)
        found[MOST_ERRORS] = {"code": "too-many-findings", "path": [], "message": message}
    return found


def field_errors(detail: Any, path: tuple[str | int, ...] = ()) -> Iterator[dict[str, Any]]:
    """Return the errors of a serializer one by one, each with its path."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from field_errors(inner, path if name == "non_field_errors" else (*path, name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from field_errors(inner, path if isinstance(inner, str) else (*path, index))
    else:
        yield {"code": str(detail.code).replace("_", "-"), "path": list(path), "message": str(detail)}
