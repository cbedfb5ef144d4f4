"""The root of the API: where everything is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import get_language, override
from django.utils.translation.trans_real import get_supported_language_variant
from drf_spectacular.utils import extend_schema, inline_serializer
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api.base import ApiView
from core.conditional import Answer, kept, respond
from core.costly import SCHEMA

if TYPE_CHECKING:
    from rest_framework.request import Request

NAMES = ("games", "clubs", "events", "me", "schema", "docs")


class ApiRoot(ApiView):
    """Where everything is."""

    @extend_schema(
        operation_id="root", responses=inline_serializer("Root", {name: serializers.URLField() for name in NAMES})
    )
    def get(self, request: Request) -> Response:
        """List the addresses to begin with."""
        return Response({name: reverse(f"api:{name}", request=request) for name in NAMES})


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema, made once for each language and form: that takes a second."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form, language = request.accepted_renderer.format, _language()
        key = ("schema", language, form)
        with override(language):
            answer = kept(key, lambda: self._made(request, f'"schema-{language}-{form}"'), SCHEMA)
        return respond(request, answer)

    def _made(self, request: Request, tag: str) -> Answer:
        response: Any = super()._get_schema_response(request)  # type: ignore[no-untyped-call]  # it has no types
        made = self.finalize_response(request, response).render()
        return Answer(tag, bytes(made.content), made["Content-Type"])


def _language() -> str:
    """Return which of our languages is asked for: `?lang=` may say anything, and a schema is made for each."""
    try:
        return str(get_supported_language_variant(get_language() or settings.LANGUAGE_CODE))
    except (LookupError, ValueError):
        return str(settings.LANGUAGE_CODE)
