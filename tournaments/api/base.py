"""What every view of the API has: who is calling, and versions that keep organisers from overwriting each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import generics
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from core.csv import CsvRenderer
from core.errors import DomainError
from tournaments.actors import NOBODY, Actor

IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    location=OpenApiParameter.HEADER,
    description="The `ETag` of what the caller has: 304 if it is new.",
)
IF_MATCH = OpenApiParameter(
    "If-Match", location=OpenApiParameter.HEADER, description="The `ETag` of what was read: 412 if it has changed."
)


class VersionMismatchError(DomainError):
    """Somebody else changed it since the caller read it."""

    code = "version-mismatch"
    status = 412


class ApiView(APIView):
    """A view that leaves permissions to selectors (what is seen) and services (what is done)."""

    permission_classes = [AllowAny]

    @property
    def actor(self) -> Actor:
        """Who is calling."""
        return self.request.auth if isinstance(self.request.auth, Actor) else NOBODY

    def get_renderers(self) -> list[BaseRenderer]:
        """Offer CSV to who reads; a change is answered with JSON."""
        found = super().get_renderers()
        is_read = self.request.method in SAFE_METHODS
        return found if is_read else [each for each in found if not isinstance(each, CsvRenderer)]

    def polled(self, make: Callable[[], Response], version: int, *parts: Any) -> HttpResponse:
        """Answer with what `make` returns, or 304 without making it where `If-None-Match` names it.

        `version` is what `If-Match` asks for; `parts` are whatever else the answer depends on.
        """
        tag = etag(version, *parts, self.request.accepted_renderer.format)
        response = HttpResponseNotModified() if has_already(self.request, tag) else make()
        response["ETag"] = tag
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["Authorization", "Cookie"])
        return response

    def require_version(self, *, version: int) -> None:
        """Honour `If-Match`: refuse a change to another version than the caller has seen."""
        wanted = self.request.headers.get("If-Match")
        if wanted is None:
            return
        seen = {each.removeprefix("W/").strip('"').partition("-")[0] for each in parse_etags(wanted)}
        if not {"*", str(version)} & seen:
            raise VersionMismatchError(_("It was changed meanwhile. Read it again, then change it."), version=version)

    def body(self, shape: type[Serializer], *, partial: bool = False) -> dict[str, Any]:
        """Return the body of the request, which has this shape; fields it does not name are left out."""
        read = shape(data=self.request.data, partial=partial)
        read.is_valid(raise_exception=True)
        return dict(read.validated_data)


class ListView(ApiView, generics.GenericAPIView):
    """A view of many rows, read in pages."""

    filter_backends: Sequence[Any] = []  # selectors narrow the rows

    def page(self, rows: QuerySet[Any], shape: type[Serializer]) -> Response:
        """Answer with a page of rows, in the order they have."""
        return self.get_paginated_response(shape(self.paginate_queryset(rows), many=True).data)


def has_already(request: HttpRequest | Request, tag: str) -> bool:
    """Say whether the caller has what a tag stands for."""
    named = request.headers.get("If-None-Match", "")
    return named == tag or not {"*", tag}.isdisjoint(each.removeprefix("W/") for each in parse_etags(named))


def etag(version: int, *parts: Any) -> str:
    """Return the entity tag of a version; it begins with the version, which is all that `If-Match` looks at."""
    return '"' + "-".join(map(str, (version, *parts))) + '"'
