"""What the public pages share: parts that are the same for every reader, rendered once per version."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from scoring.api.hot import Answer, by_version
from tournaments.api.base import etag

HTML = "text/html; charset=utf-8"


def part(
    template: str,
    key: Hashable,
    version: tuple[int, ...],
    context: Callable[[], Mapping[str, Any]],
    content_type: str = HTML,
) -> Answer:
    """Return a part of a page, rendered once per version and language.

    It is rendered without the request, so nothing in it can depend on who reads it.
    """
    tag = etag(*version, get_language())
    place = (template, key, tag)
    known = by_version.get(place)
    if known is not None:
        return known[1]
    answer = Answer(tag, render_to_string(template, dict(context())).encode(), content_type)
    by_version.put(place, answer)
    return answer
