"""Every route of the API, under the namespace `api`."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from api.root import ApiRoot, SchemaView

app_name = "api"

# Routes are tried in their order: what everybody polls comes first.
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("api.leaderboards")),
    path("", include("api.standings")),
    path("", ApiRoot.as_view(), name="root"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema"), name="docs"),
    path("games/", include("api.games")),
    path("", include("api.events")),
    path("", include("api.streams")),
    path("", include("api.entries")),
    path("", include("api.push")),
    path("", include("api.rounds")),
    path("", include("api.tables")),
    path("", include("api.calls")),
    path("", include("api.penalties")),
    path("", include("api.prizes")),
    path("", include("api.reports")),
    path("", include("api.records")),
    path("", include("api.solo")),
    path("", include("api.profiles")),
    path("", include("api.clubs")),
    path("", include("api.lengths")),
    path("", include("api.own_games")),
    path("", include("api.members")),
    path("", include("api.keys")),
    path("", include("api.players")),
    path("", include("api.merges")),
    path("", include("api.seasons")),
    path("", include("api.webhooks")),
    path("", include("api.files")),
]
