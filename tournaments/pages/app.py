"""The pages as an app on the phone, where the connection is secure: browsers allow it nowhere else."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

PAPER = "#f3eee0"  # as in ludoscore.css: a manifest knows no light-dark()
SHELL = ("ludoscore.css", "phone.css", "sheets.css", "phone.js", "live.js", "sheets/queue.js", "icons.svg")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app."""
    _require_secure(request)
    about = {
        "name": "Ludoscore",
        "short_name": "Ludoscore",
        "description": _("Your table, your score sheet and your place in the evening."),
        "lang": get_language(),
        "start_url": reverse("pages:join"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [{"src": static("favicon.svg"), "type": "image/svg+xml", "sizes": "any"}],
    }
    return JsonResponse(about, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the script that keeps pages for when there is no connection."""
    _require_secure(request)
    offline = reverse("pages:offline")
    shell = [offline, *map(static, SHELL)]
    context = {"shell": shell, "offline": offline, "static": static("")}
    return render(request, "tournaments/sw.js", context, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Say that there is no connection, and that nothing is lost."""
    return render(request, "tournaments/offline.html")


def _require_secure(request: HttpRequest) -> None:
    if not request.is_secure():
        raise Http404


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("sw.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
]
