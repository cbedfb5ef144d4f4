"""Conditional answers: entity tags, 304, and answers kept as bytes by their tag.

Everything that is polled answers through `conditional` or `respond`, so that tag, `Cache-Control` and `Vary` are
the same everywhere. What is kept in memory is found by its tag, so nothing has to be thrown away when something
changes.
"""

from __future__ import annotations

import functools
import gzip
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from django.utils.http import parse_etags

from core import epochs
from core.costly import Work, bounded

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_BYTES = 16 << 20  # of answers kept in memory by one process, of which there are several
WORTH_PACKING = 1000  # bytes
VARY = ("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie")


def etag(version: int, *parts: Any) -> str:
    """Return the entity tag of a version in this life of the database, which is all that `If-Match` looks at."""
    return '"' + "-".join(map(str, (version, epochs.current(), *parts))) + '"'


def begins(tag: str, version: int, *parts: Any) -> bool:
    """Say whether a tag is of a version and of the first parts of it."""
    return tag.startswith(etag(version, *parts)[:-1] + "-")


def names_version(request: HttpRequest | Request, version: int) -> bool:
    """Say whether `If-Match` allows a version: it is missing, or names it by a tag or by the number alone."""
    named = request.headers.get("If-Match")
    if named is None:
        return True
    seen = {"-".join(each.removeprefix("W/").strip('"').split("-")[:2]) for each in parse_etags(named)}
    return not seen.isdisjoint({"*", str(version), etag(version).strip('"')})


def known_tags(request: HttpRequest | Request) -> list[str]:
    """Return the entity tags of what the caller has."""
    return [each.removeprefix("W/") for each in parse_etags(request.headers.get("If-None-Match", ""))]


def is_known(request: HttpRequest | Request, tag: str) -> bool:
    """Say whether the caller has what a tag stands for."""
    # Most callers name one tag as it was given to them; parsing the header costs more than all the rest.
    named = request.headers.get("If-None-Match")
    return named is not None and (named == tag or not {"*", tag}.isdisjoint(known_tags(request)))


def conditional(request: HttpRequest | Request, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer with what `make` returns under a tag, or 304 without making it where the caller has it."""
    response = HttpResponseNotModified() if is_known(request, tag) else make()
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, VARY)
    return response


@dataclass(frozen=True)
class Answer:
    """An answer as it goes out: bytes under their tag."""

    tag: str
    body: bytes
    content_type: str

    @cached_property
    def packed(self) -> bytes:
        """The body for readers who unpack; packed once."""
        return gzip.compress(self.body, compresslevel=6, mtime=0)

    @property
    def size(self) -> int:
        """About how much memory it takes with its key."""
        return len(self.body) + 1000


def respond(request: HttpRequest | Request, answer: Answer) -> HttpResponse:
    """Answer with bytes under their tag, or 304 where the reader has them."""
    return conditional(request, answer.tag, functools.partial(_write, request, answer))


def _write(request: HttpRequest | Request, answer: Answer) -> HttpResponse:
    if len(answer.body) <= WORTH_PACKING or "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(answer.body, content_type=answer.content_type)
    return HttpResponse(answer.packed, content_type=answer.content_type, headers={"Content-Encoding": "gzip"})


_answers: LRUCache[Hashable, Answer] = LRUCache(MOST_BYTES, getsizeof=lambda answer: answer.size)
_making: dict[Hashable, Lock] = {}
_lock = Lock()  # for both


def kept(key: Hashable, make: Callable[[], Answer], work: Work | None = None) -> Answer:
    """Return an answer from memory, or make it and keep it; the key must name its version.

    Of many who ask at once one makes it. The others wait for that one, or where it is `work` for their turn.
    """
    if (answer := peek(key)) is not None:
        return answer
    with bounded(work) if work else _alone(key):
        answer = peek(key) or make()  # those whose turn it was before may have made it
        with _lock, suppress(ValueError):  # an answer larger than everything that may be kept is not kept
            _answers[key] = answer
    return answer


@contextmanager
def _alone(key: Hashable) -> Iterator[None]:
    with _lock:
        turn = _making.setdefault(key, Lock())
    with turn:
        try:
            yield
        finally:
            with _lock:
                _making.pop(key, None)


def peek(key: Hashable) -> Answer | None:
    """Return an answer from memory; None where it was not made yet, or was forgotten."""
    with _lock:
        return _answers.get(key)


def forget_all() -> None:
    """Forget every answer that is kept in memory."""
    with _lock:
        _answers.clear()
