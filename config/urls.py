"""Every route: the API under /api/v1/, the admin, and the pages."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config.root import ApiRoot

admin.site.site_header = admin.site.site_title = "Ludoscore"

# Routes are tried in their order: what everybody polls comes first.
api: list[URLPattern | URLResolver] = [
    path("", include("scoring.api.leaderboards")),
    path("", include("scoring.api.standings")),
    path("", ApiRoot.as_view(), name="root"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema"), name="docs"),
    path("games/", include("scoring.api.games")),
    path("", include("tournaments.api.events")),
    path("", include("tournaments.api.entries")),
    path("", include("tournaments.api.rounds")),
    path("", include("tournaments.api.tables")),
    path("", include("scoring.api.rounds")),
    path("", include("scoring.api.reports")),
    path("", include("scoring.api.players")),
    path("", include("tournaments.api.clubs")),
    path("", include("tournaments.api.members")),
    path("", include("tournaments.api.keys")),
    path("", include("tournaments.api.players")),
    path("", include("tournaments.api.seasons")),
    path("", include("tournaments.api.webhooks")),
]

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("scoring.pages.urls")),
    path("", include("tournaments.pages.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
