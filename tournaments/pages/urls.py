"""Routes of the pages everybody can see."""

from __future__ import annotations

from django.urls import path

from tournaments.pages import styleguide, views

app_name = "pages"

urlpatterns = [
    path("", views.front, name="front"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
