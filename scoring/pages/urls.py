"""Routes of the pages that need results."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "scoring"

urlpatterns: list[URLPattern] = []
