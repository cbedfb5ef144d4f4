"""What every error outside of a view becomes: a problem in the API, a page elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import cast

from django.core.exceptions import RequestDataTooBig
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template import loader
from django.urls import is_valid_path
from django.utils import translation
from django.utils.translation import gettext as _

from api.errors import RETRY_AFTER, database_problem, problem_response, retry_after
from core import disk
from core.errors import DomainError
from ops.metrics import count
from ops.request_ids import RequestIdMiddleware
from ops.security import ContentSecurityPolicyMiddleware


class SlowBodyError(DomainError):
    """The body did not come in time."""

    code = "body-too-slow"
    status = 408

    def __init__(self) -> None:
        super().__init__(_("The request did not come in time. Send it again."))


class NowhereError(DomainError):
    """No address of ours is so long."""

    code = "not-found"
    status = 404

    def __init__(self) -> None:
        super().__init__(_("There is nothing at this address."))


class LettersError(DomainError):
    """A form is in letters that are not read."""

    code = "unsupported-media-type"
    status = 415

    def __init__(self) -> None:
        super().__init__(_("Forms are read as UTF-8 alone. Leave out the charset, or name that one."))


class FailedError(DomainError):
    """Something failed by our own fault."""

    code = "server-error"
    status = 500

    def __init__(self) -> None:
        super().__init__(_("Something failed on our side, and it was logged. Try again later."))


class BusyError(DomainError):
    """More is asked for at once than the service can answer."""

    code = "busy"
    status = 503
    retry_after = 2

    def __init__(self) -> None:
        super().__init__(_("Too much is asked for at once. Try again in a moment."))


def _answer(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem_response(status, code, detail)
    if code in {trouble.code for trouble in disk.ALL}:
        return HttpResponse(loader.render_to_string("errors/storage.html", {"detail": detail}), status=status)
    # The page of a failure must not need a request: whatever failed may fail again in a context processor.
    page = loader.render_to_string(f"{status}.html", request=None if status >= 500 else request)
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request Django refused to read."""
    if isinstance(exception, RequestDataTooBig):
        return _answer(request, 413, "body-too-large", _("The request is too large."))
    return _answer(request, 400, "bad-request", _("The request could not be read."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for what its sender may see and not do."""
    return _answer(request, 403, "forbidden", _("You are not allowed to do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for an address that does not exist."""
    return _answer(request, 404, "not-found", _("There is nothing at this address."))


def _pressed(request: HttpRequest, refused: HttpResponseBase) -> HttpResponse:
    """Answer who looks at the address of a button, as after logging in again, with the way to the page it is on."""
    parts = request.path.rstrip("/").split("/")
    above = ("/".join(parts[:end]) + "/" for end in range(len(parts) - 1, 0, -1))
    back = next(path for path in above if is_valid_path(path))  # the front page at last
    page = loader.render_to_string("405.html", {"back": back}, request)
    return HttpResponse(page, status=refused.status_code, headers={"Allow": refused["Allow"]})


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed by our own fault, or because the database is away or busy."""
    if answer := database_problem(sys.exception()):
        response = _answer(request, *answer)
        response["Retry-After"] = str(RETRY_AFTER)
        return response
    error = FailedError()
    return _answer(request, error.status, error.code, error.detail)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without the token that proves it is ours."""
    if request.path.startswith("/api/"):
        return problem_response(403, "csrf-failed", _("The CSRF token is missing or wrong."))
    return HttpResponse(loader.render_to_string("403_csrf.html", request=request), status=403)


class RefusalMiddleware:
    """Answer what a moment of patience mends, what no database can look for or keep, and buttons that are no pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; nobody is left with an empty page."""
        response = self.get_response(request)
        if response.status_code == 405 and request.method == "GET" and not request.path.startswith("/api/"):
            return _pressed(request, response)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer an error that says when to come back, or that is of what was sent: a form may hold any character."""
        if isinstance(exception, DataError):
            return bad_request(request, exception)
        if isinstance(exception, DomainError) and exception.retry_after is not None:
            context = {"heading": _("One moment, please"), "advice": exception.detail}
            page = loader.render_to_string("accounts/refused.html", context, request)
            return HttpResponse(page, status=exception.status, headers=retry_after(exception))
        return None


def refusal(request: HttpRequest, make: Callable[[], DomainError]) -> HttpResponse:
    """Answer a request that never reaches Django's own way in, with what every answer has: id, log line, headers."""

    def answer(request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            return _refuse(request, make())

    response = cast("HttpResponse", RequestIdMiddleware(ContentSecurityPolicyMiddleware(answer))(request))
    count(request, response.status_code)
    return response


def _refuse(request: HttpRequest, error: DomainError) -> HttpResponse:
    if request.path.startswith("/api/"):
        response = problem_response(error.status, error.code, error.detail, **error.facts)
    else:
        response = HttpResponse(_page(error.status, translation.get_language()), status=error.status)
    for name, value in retry_after(error).items():
        response[name] = value
    return response


@lru_cache
def _page(status: int, _language: str | None) -> str:
    """Return the page of a refusal, in the language that is active; rendered once: many may be refused at a time."""
    return loader.render_to_string(f"{status}.html")
