"""How the API reads, pages and limits; set as Django REST framework's defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.throttling import SimpleRateThrottle

from core import limits, strict_json
from core.brute_force import address_of
from core.errors import DomainError

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.views import APIView


class BodyTooLargeError(DomainError):
    """The body is larger than any sheet or list can be."""

    code = "body-too-large"
    status = 413

    def __init__(self, most_bytes: int) -> None:
        detail = _("The body may have at most {number} kB.").format(number=most_bytes // 1000)
        super().__init__(detail, most_bytes=most_bytes)


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it: UTF-8, no NaN, no key twice, bounded in size and depth, text that can be stored."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value of a body; a view whose `most_bytes` says so takes another size than most."""
        most_bytes = _most_bytes(parser_context)
        body = stream.read(most_bytes + 1)
        if len(body) > most_bytes:
            raise BodyTooLargeError(most_bytes)
        try:
            return strict_json.read(body.decode())
        except ValueError as error:
            raise ParseError(f"This is not JSON we can read: {error}.") from None


class CsvParser(BaseParser):
    """A CSV file as the body: read as if it were the field `csv` of an object."""

    media_type = "text/csv"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the file's text in the field that calls with CSV have."""
        most_bytes = _most_bytes(parser_context)
        body = stream.read(most_bytes + 1)
        if len(body) > most_bytes:
            raise BodyTooLargeError(most_bytes)
        return {"csv": _text(body)}


class UploadParser(MultiPartParser):
    """A form with the CSV file that somebody uploads, as `file`, and fields beside it."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the fields of the form, and the file's text as the field `csv`."""
        parts: Any = super().parse(stream, media_type, dict(parser_context or {}))
        fields = {name: parts.data[name] for name in parts.data}
        most_bytes = _most_bytes(parser_context)
        for name, file in parts.files.items():
            if file.size > most_bytes:
                raise BodyTooLargeError(most_bytes)
            fields["csv" if name == "file" else name] = _text(file.read())
        return fields


def _most_bytes(parser_context: Mapping[str, Any] | None) -> int:
    view = (parser_context or {}).get("view")
    return int(getattr(view, "most_bytes", settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


def _text(body: bytes) -> str:
    """Return the text of a file: in UTF-8, or else as spreadsheets in Western Europe write it."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = body.decode("cp1252", "replace")
    return strict_json.UNSTORABLE.sub("", text)


class FirstRows:
    """The first rows of a list, read already by a statement that is composed once, in the place of a query to page."""

    def __init__(self, rows: list[Any], order: tuple[str, ...]) -> None:
        self._rows, self.query = rows, SimpleNamespace(order_by=order)

    def order_by(self, *_order: str) -> FirstRows:
        """Return them as they are."""
        return self

    def __getitem__(self, wanted: slice) -> list[Any]:
        return self._rows[wanted]


class Pages(CursorPagination):
    """Cursor pagination: `{"next", "previous", "results"}`, steady while rows are added."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        """Page in the order the rows have; its fields name one row each time."""
        return tuple(map(str, queryset.query.order_by))

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any] | None:
        """Return a page; a cursor that somebody made up leads nowhere."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError, DataError):
            raise NotFound(self.invalid_cursor_message) from None


class CredentialThrottle(SimpleRateThrottle):
    """Limit each credential, not each address: a café is one address.

    Callers without a credential share the wider limit of their address. Counted for all web processes together.
    """

    scope = "credential"
    usage: limits.Usage | None = None  # None where it is switched off

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Say whether one more request is within the limit."""
        if _credential_of(request) is None:
            self.scope = "address"
            self.num_requests, self.duration = self.parse_rate(self.get_rate())
        if not self.num_requests or not self.duration:
            return True
        self.usage = limits.take(self.scope, _caller(request), self.num_requests, self.duration)
        return self.usage.is_within

    def wait(self) -> float | None:
        """Return the seconds until one more request is within the limit."""
        return self.usage.wait if self.usage else None

    def headers(self) -> dict[str, str]:
        """Return what the caller is told of the limit, as the IETF's draft of `RateLimit` has it."""
        if self.usage is None:
            return {}
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}',
            "RateLimit": f'"{self.scope}";r={self.usage.left};t={math.ceil(self.usage.ends)}',
        }


def _caller(request: Request) -> str:
    return _credential_of(request) or address_of(request)


def _credential_of(request: Request) -> str | None:
    key = getattr(request.auth, "throttle_key", None)
    return key if key or request.user.is_anonymous else f"user-{request.user.pk}"
