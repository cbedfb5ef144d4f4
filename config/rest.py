"""How the API reads, pages and limits; set as Django REST framework's defaults."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, NoReturn

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, ParseError
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import BaseParser
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.views import APIView


MOST_LEVELS = 32  # the deepest sheet has four
UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of characters


class BodyTooLargeError(APIException):
    """The body is larger than any sheet or list can be."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "body-too-large"
    default_detail = f"The body may have {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes at the most."


class StrictJSONParser(BaseParser):
    """JSON as RFC 8259 has it: UTF-8, no NaN, no key twice, bounded in size and depth, text that can be stored."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value of a body."""
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise BodyTooLargeError
        try:
            value = json.loads(body.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
            _check(value)
            return value
        except RecursionError:
            raise ParseError("This is not JSON we can read: it is nested too deeply.") from None
        except ValueError as error:
            raise ParseError(f"This is not JSON we can read: {error}.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has the same key twice")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _check(value: Any) -> None:
    """Refuse what is nested too deeply, and characters that no database keeps: level by level, without recursion."""
    level, depth = [value], 0
    while level:
        if depth > MOST_LEVELS:
            raise RecursionError
        if any(isinstance(each, str) and UNSTORABLE.search(each) for each in level):
            raise ValueError("text has a character that is none")
        inner = [[*each, *each.values()] if isinstance(each, dict) else each for each in level if _is_nested(each)]
        level, depth = list(itertools.chain.from_iterable(inner)), depth + 1


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


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

    Callers without a credential share the wider limit of their address. Counted per web process.
    """

    scope = "credential"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Say whether one more request is within the limit."""
        if _credential_of(request) is None:
            self.scope = "address"
            self.num_requests, self.duration = self.parse_rate(self.get_rate())
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Return the key the caller's requests are counted under."""
        who = _credential_of(request) or str(self.get_ident(request))
        return f"throttle-{self.scope}-{hashlib.sha256(who.encode()).hexdigest()}"


def _credential_of(request: Request) -> str | None:
    key = getattr(request.auth, "throttle_key", None)
    return key if key or request.user.is_anonymous else f"user-{request.user.pk}"
