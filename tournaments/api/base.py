"""What every view of the API has: who is calling, and versions that keep organisers from overwriting each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import generics
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from core.errors import DomainError
from tournaments.actors import NOBODY, Actor


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

    def require_version(self, *, version: int) -> None:
        """Honour `If-Match`: refuse a change to another version than the caller has seen."""
        wanted = self.request.headers.get("If-Match")
        if wanted is not None and wanted not in {"*", etag(version)}:
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


def etag(version: int, *parts: Any) -> str:
    """Return the entity tag of a version."""
    return '"' + "-".join(map(str, (version, *parts))) + '"'
