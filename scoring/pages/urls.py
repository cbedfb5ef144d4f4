"""Routes of the pages that need results."""

from __future__ import annotations

from django.urls import path

from scoring.pages import games

app_name = "scoring"

urlpatterns = [
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/", games.game, name="game"),
]
