"""The two front doors: the API under /api/v1/ and the pages; and the admin."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

admin.site.site_header = admin.site.site_title = "Ludoscore"

urlpatterns = [
    path("api/v1/", include("api.urls")),
    # Whoever may use the admin logs in as everybody does, second factor included.
    path("admin/login/", RedirectView.as_view(pattern_name="web:login", query_string=True)),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("web.urls")),
]

handler400 = "ops.errors.bad_request"
handler403 = "ops.errors.forbidden"
handler404 = "ops.errors.not_found"
handler500 = "ops.errors.server_error"
