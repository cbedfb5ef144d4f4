"""The project's routes, and one that does nothing: what every other is measured beside."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as routes

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def nothing(_request: HttpRequest) -> HttpResponse:
    """Answer with two bytes."""
    return HttpResponse(b"ok", content_type="text/plain")


urlpatterns = [path("bench/nothing/", nothing), *routes]
