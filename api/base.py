"""What every view of the API has: who is calling, and versions that keep organisers from overwriting each other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from api import strict
from api.errors import field_errors
from api.framework import CredentialThrottle
from api.promises import Deprecation
from core.conditional import conditional, etag, names_version
from core.csv import CsvRenderer
from core.errors import DomainError
from tournaments.access import usage
from tournaments.actors import NOBODY, Actor, Kind

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
    # Where to find what a POST creates: the name of a route, and what its address is made of, by the names they have
    # in the address of the request or in the answer.
    creates: tuple[str, ...] = ()
    deprecation: Deprecation | None = None  # where the call is retired
    _throttles: list[BaseThrottle] | None = None
    _key: int | None = None  # of a club, where one is calling
    _ahead: tuple[type[Serializer], dict[str, Any] | Exception] | None = None  # the body, read before it is asked for
    _has_read = False  # the body: a handler may read it before it comes to what is done once

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the request before its handler does: what it names must be known."""
        super().initial(request, *args, **kwargs)
        if request.method == "OPTIONS":
            return
        strict.refuse_unknown_parameters(self, request)
        strict.refuse_body_of_none(self, request)

    def perform_authentication(self, request: Request) -> None:
        """Find out who is calling, and remember a key: its use is logged, however the request is answered."""
        super().perform_authentication(request)
        if self.actor.kind == Kind.KEY and self.actor.credential:
            self._key = self.actor.credential.pk

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Say which methods there are, in `Allow`; the schema says the rest."""
        return Response(status=204)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limits of this request, the same each time."""
        if self._throttles is None:
            self._throttles = list(super().get_throttles())
        return self._throttles

    def check_throttles(self, request: Request) -> None:
        """Count the request, and say in the answer how many more there may be."""
        try:
            super().check_throttles(request)
        finally:
            for each in self.get_throttles():
                if isinstance(each, CredentialThrottle):
                    self.headers |= each.headers()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Say where what was created is, also when the answer is given again."""
        if response.status_code == 201 and self.creates:
            route, *names = self.creates
            data: dict[str, Any] = getattr(response, "data", {})
            place = reverse(f"api:{route}", args=[self.kwargs.get(name) or data[name] for name in names])
            response["Location"] = request.build_absolute_uri(place)
        if self._key is not None and request.resolver_match:
            usage.note(self._key, request.method or "", request.resolver_match.route, response.status_code)
        for name, value in (self.deprecation.headers() if self.deprecation else {}).items():
            response[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def actor(self) -> Actor:
        """Who is calling."""
        return self.request.auth if isinstance(self.request.auth, Actor) else NOBODY

    def get_renderers(self) -> list[BaseRenderer]:
        """Offer CSV for reads only; a change is answered with JSON."""
        found = super().get_renderers()
        is_read = self.request.method in SAFE_METHODS
        return found if is_read else [each for each in found if not isinstance(each, CsvRenderer)]

    def polled(self, make: Callable[[], Response], version: int, *parts: Any) -> HttpResponse:
        """Answer with what `make` returns, or 304 without making it where `If-None-Match` names it.

        `version` is what `If-Match` asks for; `parts` are the other values that the answer depends on.
        """
        tag = etag(version, *parts, self.request.accepted_renderer.format)
        return conditional(self.request, tag, make)

    def require_version(self, *, version: int) -> None:
        """Honour `If-Match`: refuse a change to another version than the caller has seen."""
        if not names_version(self.request, version):
            raise VersionMismatchError(
                _("It has changed in the meantime. Read it again, then change it."), version=version
            )

    def read_ahead(self) -> None:
        """Read the body before anything is locked: whatever it holds, nobody waits while it is looked at.

        What is wrong with it is said when the handler asks for it, after what comes first.
        """
        shape = strict.shape_of_body(self, self.request)
        if shape is None or self._has_read:
            return
        try:
            self._ahead = shape, self._read(shape, partial=False)
        except (DomainError, ValidationError) as error:
            self._ahead = shape, error

    def body(self, shape: type[Serializer], *, partial: bool = False) -> dict[str, Any]:
        """Return the body of the request, which has this shape and no other fields."""
        if self._ahead is not None and self._ahead[0] is shape and not partial:
            found, self._ahead = self._ahead[1], None  # once: it may be read again by other clocks
            if isinstance(found, Exception):
                raise found
            return found
        return self._read(shape, partial)

    def _read(self, shape: type[Serializer], partial: bool) -> dict[str, Any]:
        self._has_read = True
        read, data = _made(shape, partial), self.request.data
        try:
            found = dict(read.run_validation(data))
        except ValidationError as error:
            strict.refuse_unknown_fields(read, data, field_errors(error.detail))
            raise
        strict.refuse_unknown_fields(read, data)
        return found

    def query(self, shape: type[Serializer]) -> dict[str, Any]:
        """Return the parameters of the address, which have this shape."""
        return dict(_made(shape).run_validation(self.request.query_params))


@functools.cache
def _made(shape: type[Serializer], partial: bool = False) -> Serializer:
    """Return a shape that asks for no context: its fields are made once per process, not for each request."""
    return shape(partial=partial)


def written(shape: type[Serializer], value: object) -> dict[str, Any]:
    """Return a value in a shape that asks for no context."""
    return dict(_made(shape).to_representation(value))


class ListView(ApiView, generics.GenericAPIView):
    """A view of many rows, read in pages."""

    filter_backends: Sequence[Any] = []  # selectors narrow the rows

    def page(self, rows: QuerySet[Any], shape: type[BaseSerializer], **context: Any) -> Response:
        """Answer with a page of rows, in the order they have."""
        return self.get_paginated_response(shape(self.paginate_queryset(rows), many=True, context=context).data)
