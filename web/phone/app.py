"""The pages as an app on the phone, where the connection is secure: browsers allow it nowhere else."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Entry

PAPER = "#f3eee0"  # as in ludoscore.css: a manifest knows no light-dark()
SHELL = (
    "fonts.css",
    "fonts/noto-sans-latin.woff2",
    "fonts/vollkorn-latin.woff2",
    "ludoscore.css",
    "phone/phone.css",
    "phone/sheets/sheets.css",
    "phone/phone.js",
    "live.js",
    "phone/sheets/queue.js",
    "icons.svg",
)


WHOSE = "X-Entry"  # of an answer: the entry for which a page was made


def marked(response: HttpResponse, entry: Entry | None) -> HttpResponse:
    """Say whose a page is, so that the phone keeps no copies of somebody else's beside it."""
    if entry is not None:
        response[WHOSE] = entry.uid
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app."""
    _require_secure(request)
    about = {
        "name": "Ludoscore",
        "short_name": "Ludoscore",
        "description": _("Your table, your score sheet and your place in the evening."),
        "lang": get_language(),
        "start_url": reverse("web:join"),
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
    offline = reverse("web:offline")
    shell = [offline, *map(static, SHELL)]
    context = {"shell": shell, "offline": offline, "static": settings.STATIC_URL, "whose": WHOSE}
    return render(request, "phone/sw.js", context, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Say that there is no connection, and that nothing is lost."""
    return render(request, "phone/offline.html")


def _require_secure(request: HttpRequest) -> None:
    if not request.is_secure():
        raise Http404


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("sw.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
]
