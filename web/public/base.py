"""What the public pages share: parts that are the same for every reader, rendered once per version."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from django.db.models import OuterRef, QuerySet
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.computations import progress
from core.conditional import Answer, etag, kept
from core.costly import Work, bounded

HTML = "text/html; charset=utf-8"


def found(rows: QuerySet[Any], kind: str, uid: str) -> Any:
    """Return a row with `done`, `wanted` and `parked_at` of what is computed for it, in one query; or 404."""
    return get_object_or_404(rows.annotate(**progress(kind, OuterRef("uid"))), uid=uid)


def part(
    template: str,
    key: Hashable,
    version: tuple[int, ...],
    context: Callable[[], Mapping[str, Any]],
    content_type: str = HTML,
    work: Work | None = None,
) -> Answer:
    """Return a part of a page, rendered once per version and language; as `work`, where it costs much.

    It is rendered without the request, so nothing in it can depend on who reads it.
    """
    tag = etag(*version, get_language())
    return kept((template, key, tag), lambda: rendered(template, tag, context, content_type), work)


def inside(answer: Answer) -> SafeString:
    """Return a part to stand in a page as it was rendered."""
    return mark_safe(answer.body.decode())  # noqa: S308  # a template's own output


def rendered(
    template: str,
    tag: str,
    context: Callable[[], Mapping[str, Any]],
    content_type: str = HTML,
    work: Work | None = None,
) -> Answer:
    """Return a part of a page without keeping it."""
    with bounded(work):
        return Answer(tag, render_to_string(template, dict(context())).encode(), content_type)
