"""Lists that everybody polls: built once per version, kept as bytes, and answered without work while nothing changed.

Whoever shows a credential has the version read each time, so they see what they wrote. A reader without one may be
answered from what this process knew within the last second, before anything else is done.
"""

from __future__ import annotations

import functools
import gzip
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from core.csv import CsvRenderer, to_csv
from tournaments.api.base import ApiView, etag

KNOWN_FOR = 1.0  # seconds that a reader without a credential may be behind
MOST_BYTES = 32 << 20
WORTH_PACKING = 1000  # bytes
FORMAT = OpenApiParameter("format", enum=["json", "csv"], description="`csv` for a spreadsheet.")


@dataclass(frozen=True)
class Answer:
    """An answer as it goes out."""

    tag: str
    body: bytes
    content_type: str

    @functools.cached_property
    def packed(self) -> bytes:
        """The body for readers who unpack; packed once."""
        return gzip.compress(self.body, compresslevel=6, mtime=0)


class Shelf:
    """Answers by key, the least used forgotten first."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.bytes = most_bytes, 0
        self._rows: OrderedDict[Hashable, tuple[float, Answer]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> tuple[float, Answer] | None:
        """Return when an answer was put there, and the answer."""
        with self._lock:
            if key in self._rows:
                self._rows.move_to_end(key)
            return self._rows.get(key)

    def put(self, key: Hashable, answer: Answer) -> None:
        """Keep an answer."""
        with self._lock:
            old = self._rows.pop(key, None)
            self.bytes += len(answer.body) - (len(old[1].body) if old else 0)
            self._rows[key] = (time.monotonic(), answer)
            while self.bytes > self.most_bytes:
                _key, (_at, forgotten) = self._rows.popitem(last=False)
                self.bytes -= len(forgotten.body)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rows.clear()
            self.bytes = 0


by_version, recent = Shelf(MOST_BYTES), Shelf(MOST_BYTES)


class HotView(ApiView):
    """A list that everybody polls; a subclass calls `hot` with its version and how to build it."""

    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns: tuple[str, ...] = ()

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view; readers without a credential are answered from what was known a moment ago."""
        view = super().as_view(**initkwargs)

        @functools.wraps(view)
        def quick(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method != "GET" or request.COOKIES or "Authorization" in request.headers:
                return view(request, *args, **kwargs)
            key = (request.get_host(), request.get_full_path(), request.headers.get("Accept"), get_language())
            known = recent.get(key)
            if known is not None and time.monotonic() - known[0] < KNOWN_FOR:
                return respond(request, known[1])
            response = view(request, *args, **kwargs)
            if answer := getattr(response, "answer", None):
                recent.put(key, answer)
            return response

        return quick

    def hot(self, version: tuple[int, ...], make: Callable[[], dict[str, Any]]) -> HttpResponse:
        """Answer with what `make` returns, built once per version, or 304.

        As CSV its `results` or `rows` are flattened by the view's `flat`.
        """
        form = self.request.accepted_renderer.format
        tag = etag(*version, get_language(), form)
        key = (type(self).__name__, self.request.get_host(), self.request.get_full_path(), tag)
        known = by_version.get(key)
        if known is None:
            answer = self._build(tag, form, make())
            by_version.put(key, answer)
        else:
            answer = known[1]
        return respond(self.request, answer)

    def _build(self, tag: str, form: str, data: dict[str, Any]) -> Answer:
        if form == "csv":
            rows = data["rows"] if "rows" in data else data["results"]
            text = to_csv(self.csv_columns, map(self.flat, rows))
            return Answer(tag, text.encode(), "text/csv; charset=utf-8")
        text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
        return Answer(tag, text.encode(), "application/json")

    def flat(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row with one value per column of the CSV; the player is two."""
        return {**row, "player": row["player"]["id"], "name": row["player"]["name"]}


def respond(request: HttpRequest | Request, answer: Answer) -> HttpResponse:
    """Answer with bytes under their tag, or 304 where the reader has them."""
    wanted = [each.removeprefix("W/") for each in parse_etags(request.headers.get("If-None-Match", ""))]
    response: HttpResponse
    if answer.tag in wanted or "*" in wanted:
        response = HttpResponseNotModified()
    elif len(answer.body) > WORTH_PACKING and "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(answer.packed, content_type=answer.content_type)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(answer.body, content_type=answer.content_type)
    response.answer = answer  # type: ignore[attr-defined]  # for `quick` to keep
    response["ETag"] = answer.tag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie"])
    return response
