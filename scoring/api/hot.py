"""Lists that everybody polls: built once per version, kept as bytes, and answered without work while nothing changed.

Whoever shows a credential has the version read each time, so they see what they wrote: by one statement, written once,
which also asks whether the credential still holds. A reader without one may be answered from what this process knew
within the last second, before anything else is done.
"""

from __future__ import annotations

import datetime as dt
import functools
import gzip
import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Exists, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from core.csv import CsvRenderer, to_csv
from core.models import Derived
from tournaments.actors import Actor
from tournaments.api.authentication import still_valid
from tournaments.api.base import ApiView, etag, has_already

KNOWN_FOR = 1.0  # seconds that a reader without a credential may be behind
ASKED_FOR = 60.0  # seconds until a credential is looked at as a whole again: when it was last used, how often it asks
MOST_BYTES, MOST_QUESTIONS = 32 << 20, 10_000
WORTH_PACKING = 1000  # bytes
Kept = TypeVar("Kept")
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


class State(NamedTuple):
    """How far what a list shows is computed, and the midnight from which movements count."""

    done: int
    wanted: int
    is_parked: bool
    day: dt.datetime

    def tag(self, form: str) -> str:
        """Return the entity tag of the list in a form, for the reader's language."""
        return etag(self.done, self.wanted, int(self.is_parked), self.day.toordinal(), get_language(), form)


def progress(own: QuerySet[Derived]) -> dict[str, Any]:
    """Return how far something is computed, as columns to add to a row of something else."""
    return {
        "done": Coalesce(Subquery(own.values("done")), Value(0)),
        "wanted": Coalesce(Subquery(own.values("wanted")), Value(0)),
        "parked_at": Subquery(own.values("parked_at")),
    }


@dataclass(frozen=True, slots=True)
class Question:
    """How far what a list shows is computed, for a caller who may see it now: one statement, written once."""

    sql: str
    params: tuple[Any, ...]
    is_for_all: bool
    form: str

    @classmethod
    def about(cls, kind: str, key: str, actor: Actor, seen: QuerySet[Any] | None, form: str) -> Question:
        """Write the question; `seen` has a row if the caller may see the list, None where everybody may."""
        own = Derived.objects.filter(kind=kind, key=key)
        caller = still_valid(actor)
        rows = seen if caller is None else caller.filter(Exists(seen)) if seen is not None else caller
        if rows is None:
            asked = own.values_list("done", "wanted", "parked_at")
        else:
            asked = rows.order_by().annotate(**progress(own)).values_list("done", "wanted", "parked_at")
        sql, params = asked.query.sql_with_params()
        return cls(sql, params, rows is None, form)

    def ask(self) -> State | None:
        """Return the state; None where the caller may not see the list, or no longer is who they were."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.params)
            row = cursor.fetchone()
        if row is None and not self.is_for_all:
            return None
        done, wanted, parked_at = row or (0, 0, None)
        day = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return State(done, wanted, parked_at is not None, day)


class Shelf(Generic[Kept]):
    """Things by key, up to a size, the least used forgotten first."""

    def __init__(self, largest: int) -> None:
        self.largest, self.size = largest, 0
        self._rows: OrderedDict[Hashable, tuple[float, Kept, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, within: float = math.inf) -> Kept | None:
        """Return what was put there, within so many seconds."""
        with self._lock:
            if key not in self._rows:
                return None
            self._rows.move_to_end(key)
            at, kept, _size = self._rows[key]
            return kept if time.monotonic() - at < within else None

    def put(self, key: Hashable, kept: Kept, size: int = 1) -> None:
        """Keep something."""
        with self._lock:
            _at, _old, old_size = self._rows.pop(key, (0, None, 0))
            self._rows[key] = (time.monotonic(), kept, size)
            self.size += size - old_size
            while self.size > self.largest:
                _key, (_at, _forgotten, its_size) = self._rows.popitem(last=False)
                self.size -= its_size

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rows.clear()
            self.size = 0


by_version, recent = Shelf[Answer](MOST_BYTES), Shelf[Answer](MOST_BYTES)
questions = Shelf[Question](MOST_QUESTIONS)


class HotView(ApiView):
    """A list that everybody polls; a subclass calls `hot` with what it shows and how to build it."""

    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns: tuple[str, ...] = ()

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view; what this process knows already is answered before anything else is done."""
        view = super().as_view(**initkwargs)

        @functools.wraps(view)
        def quick(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method != "GET" or request.COOKIES:
                return view(request, *args, **kwargs)
            if answer := _known(request):
                return respond(request, answer)
            response = view(request, *args, **kwargs)
            answer = getattr(response, "answer", None)
            if answer and "Authorization" not in request.headers:
                recent.put(_place(request), answer, _size(request, answer))
            return response

        return quick

    def hot(
        self, kind: str, key: str, make: Callable[[State], dict[str, Any]], seen: QuerySet[Any] | None = None
    ) -> HttpResponse:
        """Answer with what `make` returns, built once per state of what is computed, or 304; 404 if nothing is `seen`.

        As CSV its `results` or `rows` are flattened by the view's `flat`.
        """
        form = self.request.accepted_renderer.format
        question = Question.about(kind, key, self.actor, seen, form)
        if self.actor.is_bearer and not self.request.COOKIES:
            questions.put(_place(self.request), question)
        state = question.ask()
        if state is None:
            raise Http404
        tag = state.tag(form)
        answer = by_version.get(_shelved(self.request, tag))
        if answer is None:
            answer = self._build(tag, form, make(state))
            by_version.put(_shelved(self.request, tag), answer, _size(self.request, answer))
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


def _place(request: HttpRequest | Request) -> Hashable:
    """Return what tells one reader of one list from all others."""
    return *_address(request), request.headers.get("Authorization"), request.headers.get("Accept"), get_language()


def _shelved(request: HttpRequest | Request, tag: str) -> Hashable:
    """Return where the bytes of a list are kept. Whoever may see it sees the same."""
    return *_address(request), tag


def _address(request: HttpRequest | Request) -> tuple[str, str]:
    return request.get_host(), request.get_full_path()


def _size(request: HttpRequest | Request, answer: Answer) -> int:
    """Return about how much memory an answer takes with its key."""
    return len(answer.body) + len(request.get_full_path()) + 1000


def _known(request: HttpRequest) -> Answer | None:
    """Return an answer without work: a reader without a credential may be a moment behind, others are asked for."""
    if "Authorization" not in request.headers:
        return recent.get(_place(request), KNOWN_FOR)
    question = questions.get(_place(request), ASKED_FOR)
    state = question and question.ask()
    return by_version.get(_shelved(request, state.tag(question.form))) if question and state else None


def respond(request: HttpRequest | Request, answer: Answer) -> HttpResponse:
    """Answer with bytes under their tag, or 304 where the reader has them."""
    response: HttpResponse
    if has_already(request, answer.tag):
        response = HttpResponseNotModified()
    elif len(answer.body) > WORTH_PACKING and "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(answer.packed, content_type=answer.content_type)
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(answer.body, content_type=answer.content_type)
    response.answer = answer  # type: ignore[attr-defined]  # for `quick` to keep
    response["ETag"] = answer.tag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie"
    return response
