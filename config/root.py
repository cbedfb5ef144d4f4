"""The root of the API: where everything is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

if TYPE_CHECKING:
    from rest_framework.request import Request

NAMES = ("games", "clubs", "events", "me", "schema", "docs")


class ApiRoot(APIView):
    """Where everything is."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="root", responses=inline_serializer("Root", {name: serializers.URLField() for name in NAMES})
    )
    def get(self, request: Request) -> Response:
        """List the addresses to begin with."""
        return Response({name: reverse(f"api:{name}", request=request) for name in NAMES})
