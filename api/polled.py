"""Lists that everybody polls: built once per version, kept as bytes, and answered without work while nothing changed.

For a caller with a credential the version is read each time, so they see what they wrote: by one SQL statement, kept
in a cache, which also checks that the credential is still valid. A reader without one may get an answer that this
process made within the last second, before anything else is done.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

from cachetools import TTLCache
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Exists, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from api.base import ApiView
from core.computations import QUESTION, progress, summed
from core.conditional import MOST_BYTES, Answer, etag, kept, peek, respond
from core.costly import Work
from core.csv import CsvRenderer, to_csv
from tournaments.access import usage
from tournaments.access.callers import still_valid
from tournaments.actors import Actor, Kind

KNOWN_FOR = 1.0  # seconds that a reader without a credential may be behind
ASKED_FOR = 60.0  # seconds until a credential is looked at as a whole again: when it was last used, how often it asks
MOST_QUESTIONS = 10_000
FORMAT = OpenApiParameter("format", enum=["json", "csv"], description="`csv` for a spreadsheet.")


class ListVersion(NamedTuple):
    """How far what a list shows is computed, and the midnight from which movements count."""

    done: int
    wanted: int
    is_parked: bool
    day: dt.datetime

    def tag(self, form: str) -> str:
        """Return the entity tag of the list in a form, for the reader's language."""
        return etag(self.done, self.wanted, int(self.is_parked), self.day.toordinal(), get_language(), form)


@dataclass(frozen=True, slots=True)
class Question:
    """How far what a list shows is computed, for a caller who may see it now: one statement, written once."""

    sql: str
    params: tuple[Any, ...]
    is_for_all: bool
    form: str
    read: Hashable  # of the address, beside its path
    club_key: int | None  # that asks, where one does

    @classmethod
    def about(
        cls, kind: str, key: str, actor: Actor, seen: QuerySet[Any] | None, form: str, read: Hashable
    ) -> Question:
        """Write the question; `seen` has a row if the caller may see the list, None where everybody may."""
        caller = still_valid(actor)
        rows = seen if caller is None else caller.filter(Exists(seen)) if seen is not None else caller
        if rows is None:
            sql, params = QUESTION.written(kind, key)
        else:
            asked = rows.order_by().annotate(**progress(kind, key)).values_list("done", "wanted", "parked_at")
            sql, params = asked.query.sql_with_params()
        club_key = actor.credential.pk if actor.kind == Kind.KEY and actor.credential else None
        return cls(sql, params, rows is None, form, read, club_key)

    def ask(self) -> ListVersion | None:
        """Return the state; None where the caller may not see the list, or no longer is who they were."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.params)
            rows = cursor.fetchall()
        if not rows and not self.is_for_all:
            return None
        done, wanted, parked_at = summed(rows)
        day = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return ListVersion(done, wanted, parked_at is not None, day)


recent: TTLCache[Hashable, Answer] = TTLCache(MOST_BYTES, KNOWN_FOR, getsizeof=lambda answer: answer.size)
questions: TTLCache[Hashable, Question] = TTLCache(MOST_QUESTIONS, ASKED_FOR)
_lock = Lock()  # for both: cachetools leaves locking to its callers


class PolledView(ApiView):
    """A list that everybody polls; a subclass calls `polled_list` with what it shows and how to build it."""

    renderer_classes = [JSONRenderer, CsvRenderer]
    csv_columns: tuple[str, ...] = ()

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view; what this process knows already is answered before anything else is done."""
        view = super().as_view(**initkwargs)

        @functools.wraps(view)
        def quick(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            # A cookie may be a session or a phone's link, which only the whole view knows how to check.
            if request.method != "GET" or request.COOKIES:
                return view(request, *args, **kwargs)
            answer = _known(request)
            return respond(request, answer) if answer else view(request, *args, **kwargs)

        return quick

    def polled_list(
        self,
        kind: str,
        key: str,
        make: Callable[[ListVersion], dict[str, Any]],
        seen: QuerySet[Any] | None = None,
        *,
        extent: str = "",
        read: Hashable = (),
        work: Work | None = None,
    ) -> HttpResponse:
        """Answer with what `make` returns, built once per state of what is computed, or 304; 404 if nothing is `seen`.

        As CSV its `results` or `rows` are flattened. Who sees more than others has an `extent`: those of one extent
        share their answers and tags, and nobody else's. `read` is all that `make` reads of the address beside its
        path: whatever else is written there, the answer is the same. It is built as `work`, where it costs much.
        """
        form = self.request.accepted_renderer.format
        shape = form + extent
        question = Question.about(kind, key, self.actor, seen, shape, read)
        if self.actor.is_bearer and not self.request.COOKIES:
            with _lock:
                questions[_place(self.request)] = question
        state = question.ask()
        if state is None:
            raise Http404
        # The version is read before the rows. A result that arrives in between is sent under the older tag, and the
        # next poll fetches it again; in the other order, old rows would stay in the cache under the new tag.
        tag = state.tag(shape)

        place = _cache_key(self.request, read, tag)
        answer = kept(place, lambda: self._build(tag, form, make(state)), work)
        if not self.request.COOKIES and "Authorization" not in self.request.headers:
            with _lock, suppress(ValueError):  # an answer larger than everything that may be kept is not kept
                recent[_place(self.request)] = answer
        return respond(self.request, answer)

    def _build(self, tag: str, form: str, data: dict[str, Any]) -> Answer:
        if form == "csv":
            rows = data["rows"] if "rows" in data else data["results"]
            text = to_csv(self.csv_columns, map(flat, rows))
            return Answer(tag, text.encode(), "text/csv; charset=utf-8")
        text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
        return Answer(tag, text.encode(), "application/json")


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with one value per column of the CSV; the player is two."""
    return {**row, "player": row["player"]["id"], "name": row["player"]["name"]}


def _place(request: HttpRequest | Request) -> Hashable:
    """Return what tells one reader of one list from all others."""
    headers = request.headers.get("Authorization"), request.headers.get("Accept")
    return _key(request.get_host(), request.get_full_path(), *headers, get_language())


def _cache_key(request: HttpRequest | Request, read: Hashable, tag: str) -> Hashable:
    """Return the key of an answer in the cache: without the caller, as all who may see the list see the same."""
    return _key(request.path, read, tag)


def _key(*parts: object) -> bytes:
    """Return a key of fixed size: addresses and headers are the caller's to choose, and would fill the memory."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _known(request: HttpRequest) -> Answer | None:
    """Return an answer from memory, for a caller with a credential only if its version is current; else None."""
    has_credential = "Authorization" in request.headers
    with _lock:
        if not has_credential:
            return recent.get(_place(request))
        question = questions.get(_place(request))
    # Asked outside of the lock: a slow database must not make every other thread wait.
    state = question.ask() if question else None
    if question is None or state is None:
        return None
    answer = peek(_cache_key(request, question.read, state.tag(question.form)))
    if answer and question.club_key is not None and request.resolver_match:
        usage.note(question.club_key, "GET", request.resolver_match.route, 200)
    return answer
