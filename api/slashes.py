"""Addresses of the API with and without the slash at their end are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.urls import is_valid_path

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

PREFIX = "/api/"


def with_slash(path: str) -> str:
    """Return the address that a path under the API means: itself, or itself with a slash where only that exists."""
    if not path.startswith(PREFIX) or path.endswith("/") or is_valid_path(path) or not is_valid_path(f"{path}/"):
        return path
    return f"{path}/"


class SlashMiddleware:
    """Answer `/api/v1/events` as `/api/v1/events/`.

    Django would redirect it, and a client follows that with a GET: a POST would answer 200 and create nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on under the address it means."""
        meant = with_slash(request.path_info)
        if meant != request.path_info:
            request.path_info, request.path = meant, f"{request.path}/"
        return self.get_response(request)
